// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "floor.hpp"
#include "samples.hpp"
#include "timing.hpp"

#include <gpuprim/launch/launch.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <vector>

namespace bench {

namespace {

__global__ void empty() {}

/// Reads everything and keeps nothing: the store is there so that the loads are not removed. Blocks take tiles in turn,
/// or a run of them each.
template <int BlockSize, int Loads, bool Runs>
__global__ void __launch_bounds__(BlockSize) read_all(const uint4* in, std::int64_t count, unsigned* never) {
  gpuprim::ptx::let_next_grid_start();
  gpuprim::ptx::wait_for_previous_grid();
  constexpr std::int64_t tile = std::int64_t(BlockSize) * Loads;
  const std::int64_t tiles = (count + tile - 1) / tile, blocks = gridDim.x;
  const std::int64_t begin = Runs ? tiles * blockIdx.x / blocks : blockIdx.x;
  const std::int64_t end = Runs ? tiles * (blockIdx.x + 1) / blocks : tiles;
  unsigned mixed = 0;
  for (std::int64_t first = begin * tile; first < end * tile; first += (Runs ? 1 : blocks) * tile) {
    uint4 loaded[Loads];
    for (int i = 0; i < Loads; ++i) {
      const std::int64_t at = first + i * BlockSize + threadIdx.x;
      loaded[i] = at < count ? in[at] : uint4{};
    }
    for (int i = 0; i < Loads; ++i) mixed ^= loaded[i].x ^ loaded[i].y ^ loaded[i].z ^ loaded[i].w;
  }
  if (mixed == 0x9e3779b9u) *never = mixed;
}

/// One way to launch the read. `resident_blocks` 0 gives every tile a block of its own.
struct shape {
  void (*kernel)(const uint4*, std::int64_t, unsigned*);
  int block_size, loads, resident_blocks;
  gpuprim::start when;

  cudaError_t launch(const void* in, std::int64_t bytes, unsigned* never, cudaStream_t s) const {
    const std::int64_t count = bytes / 16, tile = std::int64_t(block_size) * loads;
    std::int64_t blocks = std::max<std::int64_t>((count + tile - 1) / tile, 1);
    if (resident_blocks != 0) blocks = std::min<std::int64_t>(blocks, resident_blocks);
    return gpuprim::launch(when, kernel, {int(blocks), block_size}, s, static_cast<const uint4*>(in), count, never);
  }
};

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "ask for a device attribute");
  return value;
}

int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

/// Both ways to start a kernel, where the GPU has both.
template <int BlockSize, int Loads, bool Runs = false>
void add_shapes(std::vector<shape>& to, bool persistent) {
  const auto kernel = &read_all<BlockSize, Loads, Runs>;
  int fit = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, BlockSize, 0), "occupancy");
  const int resident = persistent ? fit * multiprocessors() : 0;
  to.push_back({kernel, BlockSize, Loads, resident, gpuprim::start::in_order});
  if (attribute(cudaDevAttrComputeCapabilityMajor) >= 9) {
    to.push_back({kernel, BlockSize, Loads, resident, gpuprim::start::early});
  }
}

/// Small blocks in number are fast on small inputs, a grid that fills the GPU once or more on large ones.
std::vector<shape> shapes_for(std::int64_t bytes) {
  std::vector<shape> all;
  add_shapes<512, 8>(all, true);
  if (bytes > 4 * MiB) add_shapes<512, 8>(all, false);
  if (bytes > 4 * MiB) add_shapes<256, 8>(all, true);
  if (bytes > 64 * MiB) add_shapes<512, 8, true>(all, true);
  if (bytes <= 64 * MiB) add_shapes<256, 4>(all, true);
  if (bytes <= 64 * MiB) add_shapes<512, 2>(all, true);
  if (bytes <= 4 * MiB) add_shapes<256, 2>(all, true);
  if (bytes <= MiB) add_shapes<256, 1>(all, true);
  return all;
}

double median_us(graph_timer& timer, int rounds) {
  samples taken;
  for (int i = 0; i < rounds; ++i) taken.add(timer.us_per_pass());
  return taken.median();
}

}  // namespace

cudaError_t launch_empty(cudaStream_t s) { return gpuprim::launch(empty, 1, 32, s); }

read_floor::read_floor(const arena& whole) : whole_(whole) {
  check(cudaMalloc(reinterpret_cast<void**>(&never_), sizeof(unsigned)), "allocate a word");
}
read_floor::~read_floor() { (void)cudaFree(never_); }

double read_floor::us(std::int64_t bytes, memory where) {
  bytes = (bytes + 63) / 64 * 64;
  if (const auto found = known_.find({bytes, where}); found != known_.end()) return found->second;
  const slices input(whole_, bytes, 0, where);
  double best = 0;
  for (const shape& way : shapes_for(bytes)) {
    graph_timer timer(input.passes(),
                      [&](std::int64_t i, cudaStream_t s) { return way.launch(input[i], bytes, never_, s); });
    const double us = median_us(timer, 5);
    if (best == 0 || us < best) best = us;
  }
  known_[{bytes, where}] = best;
  return best;
}

device_limits read_floor::limits() {
  device_limits found{};
  found.read_limit_bytes = 4 * GiB;
  while (arena_bytes(found.read_limit_bytes) > whole_.bytes()) found.read_limit_bytes /= 2;
  found.read_gb_per_s = double(found.read_limit_bytes) * 1e-3 / us(found.read_limit_bytes, memory::dram);

  graph_timer one(256, [](std::int64_t, cudaStream_t s) { return launch_empty(s); });
  found.empty_in_graph_us = median_us(one, 15);
  int fit = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, empty, 256, 0), "occupancy");
  const int full = fit * multiprocessors();
  graph_timer many(256, [&](std::int64_t, cudaStream_t s) { return gpuprim::launch(empty, full, 256, s); });
  found.empty_full_grid_us = median_us(many, 15);

  stream s;
  samples calls;
  for (int i = 0; i < 200; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    check(launch_empty(s), "launch");
    check(cudaStreamSynchronize(s), "synchronise");
    calls.add(us_since(begin));
  }
  found.launch_and_sync_us = calls.median();
  return found;
}

}  // namespace bench
