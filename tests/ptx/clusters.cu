// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks of a cluster find in the shared memory of each other, by ranks that are constants and by those that the
// compiler does not know; and what a grid that is launched early finds of the grid before it.
#include <gpuprim/ptx/sm_90.cuh>

#include "../support/device.cuh"

#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdint>

namespace {

namespace ptx = gpuprim::ptx;

constexpr unsigned most_blocks = 4, notes_of_block = 2 + 3 * most_blocks;

/// What a block has in shared memory.
struct board {
  unsigned own, written[most_blocks];
  std::uint64_t sum;
};

/// Thread 0 of each block notes the block's rank, the number of blocks, and of each other block what it had, what came
/// of its additions, and what it has written here.
template <class Value>
__device__ void meet(unsigned* notes, board& shared, const Value& of) {
  const unsigned rank = ptx::cluster_rank(), blocks = ptx::cluster_size();
  if (threadIdx.x == 0) {
    shared.own = 100 + rank;
    shared.sum = 0;
    for (unsigned& word : shared.written) word = 0;
  }
  ptx::sync_cluster_shared();
  if (threadIdx.x == 0) {
    notes[0] = rank;
    notes[1] = blocks;
    const auto look = [&](unsigned other) {
      if (of(other) >= blocks) return;
      notes[2 + other] = *ptx::shared_of_block(&shared.own, of(other));
      ptx::shared_of_block(shared.written, of(other))[rank] = 10 * other + rank;
      auto* const sum = reinterpret_cast<unsigned long long*>(ptx::shared_of_block(&shared.sum, of(other)));
      atomicAdd(sum, std::uint64_t{1} << (8 * rank));
    };
    look(0);
    look(1);
    look(2);
    look(3);
  }
  ptx::sync_cluster();
  if (threadIdx.x < most_blocks) {
    notes[2 + most_blocks + threadIdx.x] = unsigned(shared.sum >> (8 * threadIdx.x)) & 0xff;
    notes[2 + 2 * most_blocks + threadIdx.x] = shared.written[threadIdx.x];
  }
  ptx::sync_cluster();
}

__global__ void meet_all(unsigned* known, unsigned* hidden, const unsigned* zero) {
  GPUPRIM_SHARED(first, board);
  GPUPRIM_SHARED(second, board);
  const unsigned unknown = *zero;
  meet(known + blockIdx.x * notes_of_block, first, [](unsigned v) { return v; });
  meet(hidden + blockIdx.x * notes_of_block, second, [=](unsigned v) { return v ^ unknown; });
}

/// Each thread adds what the grid before it has left in another block's place.
__global__ void add_in_turn(const unsigned* in, unsigned* out) {
  ptx::begin_kernel();
  const unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[n - 1 - i] + i;
}

}  // namespace

TEST_CASE("Blocks of a cluster read and write each other's shared memory", "[ptx][tsan]") {
  for (unsigned blocks : {1u, 2u, most_blocks}) {
    if (blocks > 1 && !test::has_clusters()) continue;
    CAPTURE(blocks);
    const unsigned grid = 2 * blocks;
    std::vector<unsigned> expected(std::size_t(grid * notes_of_block), 0);
    for (unsigned b = 0; b < grid; ++b) {
      unsigned* const notes = &expected[std::size_t(b * notes_of_block)];
      const unsigned rank = b % blocks;
      notes[0] = rank;
      notes[1] = blocks;
      for (unsigned other = 0; other < blocks; ++other) {
        notes[2 + other] = 100 + other;
        notes[2 + most_blocks + other] = 1;
        notes[2 + 2 * most_blocks + other] = 10 * rank + other;
      }
    }
    const std::vector<unsigned> none(expected.size(), 0);
    test::device_array<unsigned> known(none), hidden(none), zero(std::vector<unsigned>{0});
    test::run(meet_all, grid, 64, blocks > 1 ? int(blocks) : 0, known.data(), hidden.data(), zero.data());
    CHECK(known.download() == expected);
    CHECK(hidden.download() == expected);
    known.check_guards();
    hidden.check_guards();
  }
}

TEST_CASE("A grid that is launched early finds what the grid before it has written", "[ptx][tsan]") {
  constexpr unsigned blocks = 16, threads = 64, n = blocks * threads, grids = 8;
  std::vector<unsigned> expected(n);
  for (unsigned i = 0; i < n; ++i) expected[i] = i * i;
  test::device_array<unsigned> a(expected), b(n);
  const gpuprim::launch_shape shape{.grid_size = int(blocks), .block_size = int(threads)};
  unsigned *in = a.data(), *out = b.data();
  for (unsigned grid = 0; grid < grids; ++grid) {
    CUDA_OK(gpuprim::launch(gpuprim::start::early, add_in_turn, shape, cudaStream_t{}, in, out));
    std::swap(in, out);
    std::vector<unsigned> next(n);
    for (unsigned i = 0; i < n; ++i) next[i] = expected[n - 1 - i] + i;
    expected = next;
  }
  CUDA_OK(cudaDeviceSynchronize());
  CHECK((in == a.data() ? a : b).download() == expected);
  a.check_guards();
  b.check_guards();
}
