// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with calls of each level, which NVRTC compiles for each family of architectures (architectures.py). They
// include no header but those of the levels.
#include <gpuprim/block/block_append.cuh>
#include <gpuprim/block/block_compact.cuh>
#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/block/block_merge.cuh>
#include <gpuprim/block/block_partition.cuh>
#include <gpuprim/block/block_radix_rank.cuh>
#include <gpuprim/block/block_radix_sort.cuh>
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/block/block_top_k.cuh>
#include <gpuprim/cluster/cluster_reduce.cuh>
#include <gpuprim/cluster/cluster_scan.cuh>
#include <gpuprim/core/extremum.hpp>
#include <gpuprim/core/moments.hpp>
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/exchange.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/thread/thread_scan.cuh>
#include <gpuprim/warp/warp_append.cuh>
#include <gpuprim/warp/warp_merge.cuh>
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_scan.cuh>
#include <gpuprim/warp/warp_segmented_reduce.cuh>
#include <gpuprim/warp/warp_sort.cuh>

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

constexpr int block_size = 128, items = 4, bins = 64;

struct is_less {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <class T>
__device__ void load(const T* in, T (&values)[items]) {
  gpuprim::block_load<block_size>(gpuprim::this_block{}, in, values);
}

template <class T>
__device__ void store(const T (&values)[items], T* out) {
  gpuprim::block_store<block_size>(gpuprim::this_block{}, values, out);
}

}  // namespace

extern "C" __global__ void reduces(const int* in, float* out, const __half* halves, const __nv_bfloat16* bfloats) {
  const auto block = cooperative_groups::this_thread_block();
  const auto tile = cooperative_groups::tiled_partition<8>(block);
  const gpuprim::warp_tile<32> warp;
  const int rank = int(block.thread_rank());
  int mine[items];
  load(in, mine);
  const int thread = gpuprim::thread_reduce(mine, gpuprim::plus{});
  const int eight = gpuprim::warp_all_reduce(tile, thread, gpuprim::maximum{});
  const int run = gpuprim::warp_segmented_reduce(warp, thread, rank % 5 == 0, gpuprim::plus{});
  const int all = gpuprim::block_reduce<block_size>(block, eight + run, gpuprim::plus{});
  const float half =
      gpuprim::block_reduce<block_size>(block, float(halves[rank]) + float(bfloats[rank]), gpuprim::plus{});
  const gpuprim::extremum placed{float(mine[0]), rank};
  const auto largest = gpuprim::block_reduce<block_size>(block, placed, gpuprim::argmax{});
  const gpuprim::moments one{1, double(mine[0]), {}};
  const auto moments = gpuprim::block_reduce<block_size>(block, one, gpuprim::merge_moments{});
  const gpuprim::each both{gpuprim::tuple{gpuprim::plus{}, gpuprim::minimum{}}};
  const auto [sum, least] = gpuprim::block_reduce<block_size>(block, gpuprim::tuple{mine[0], mine[0]}, both);
  if (rank == 0) *out = float(all + sum + least) + half + largest.value + float(moments.mean);
}

extern "C" __global__ void scans(const int* in, int* out) {
  const gpuprim::this_block block;
  int mine[items], total = 0;
  load(in, mine);
  const int sum = gpuprim::thread_inclusive_scan(mine, gpuprim::plus{});
  const int before = gpuprim::warp_exclusive_scan(gpuprim::warp_tile<8>{}, sum, gpuprim::plus{});
  gpuprim::block_exclusive_scan<block_size>(block, mine, gpuprim::plus{}, before);
  out[threadIdx.x] =
      gpuprim::block_inclusive_scan<block_size>(block, mine[0], gpuprim::maximum{}, gpuprim::total_to{total});
  const auto find_prefix = [&](int aggregate) { return total - aggregate; };
  out[threadIdx.x] += gpuprim::block_exclusive_scan<block_size>(block, mine[1], gpuprim::plus{},
                                                                gpuprim::prefix_callback{find_prefix}, 100);
  if (threadIdx.x == 0) out[block_size] = total;
}

extern "C" __global__ void sorts(const float* in, const int* values_in, float* out, int* values_out) {
  const gpuprim::this_block block;
  float keys[items];
  int values[items];
  load(in, keys), load(values_in, values);
  gpuprim::block_radix_sort<block_size>(block, keys, gpuprim::ascending);
  unsigned digits[items], ranks[items];
  for (int i = 0; i < items; ++i) digits[i] = unsigned(values[i]) % 16;
  values[0] += gpuprim::block_radix_rank<block_size, 4>(block, digits, ranks);
  gpuprim::block_scatter_to_striped<block_size>(block, values, ranks);
  gpuprim::block_sort<block_size>(block, values, is_less{});
  store(keys, out), store(values, values_out);
  gpuprim::block_merge<block_size>(block, in, 200, in + 200, 200, keys, is_less{});
  bool taken[items];
  gpuprim::block_top_k<block_size>(block, keys, 10, taken);
  gpuprim::block_compact<block_size>(block, keys, taken, out);
}

extern "C" __global__ void exchanges(const int* in, int* out, gpuprim::append_queue<int> queue) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<32> warp;
  int values[items], others[items], ranks[items];
  bool odd[items];
  load(in, values);
  const auto subtract = [](int value, int earlier) { return value - earlier; };
  gpuprim::block_adjacent_difference<block_size>(block, values, others, subtract, 0);
  store(others, out);
  const auto differ = [](int earlier, int later) { return earlier != later; };
  gpuprim::block_flag_heads_and_tails<block_size>(block, values, others, ranks, differ, 0, 0);
  store(others, out);
  for (int i = 0; i < items; ++i) odd[i] = values[i] % 2 != 0;
  const auto parted = gpuprim::block_partition<block_size>(block, odd);
  for (int i = 0; i < items; ++i) ranks[i] = parted.places[i];
  gpuprim::block_scatter_to_striped<block_size>(block, values, ranks);
  gpuprim::warp_striped_to_blocked(warp, values);
  values[0] = gpuprim::block_shift_up<block_size>(block, values[1], 0);
  gpuprim::block_append<block_size>(block, queue, values, odd);
  gpuprim::warp_append(warp, queue, values[0], odd[0]);
  GPUPRIM_SHARED(counts, unsigned[bins]);
  gpuprim::block_histogram<block_size>(block, values, counts,
                                       gpuprim::bin_finder<int>(gpuprim::even_bins{bins, 0, 1000}));
  if (threadIdx.x < bins) out[threadIdx.x] = int(counts[threadIdx.x]);
}

extern "C" __global__ void grids(const float* in, float* out, gpuprim::grid_reduce_state<float> state) {
  const auto block = cooperative_groups::this_thread_block();
  const float mine = in[blockIdx.x * block_size + threadIdx.x];
  gpuprim::grid_reduce<block_size>(block, mine, gpuprim::plus{}, state, [&](float total) { *out = total; });
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void clusters(int* out) {
  const auto cluster = cooperative_groups::this_cluster();
  const auto block = cooperative_groups::this_thread_block();
  const int total = gpuprim::cluster_reduce<block_size>(cluster, block, 1, gpuprim::plus{});
  const int before = gpuprim::cluster_exclusive_scan<block_size>(cluster, block, 1, gpuprim::plus{});
  out[cluster.thread_rank()] = total + before;
}
#endif
