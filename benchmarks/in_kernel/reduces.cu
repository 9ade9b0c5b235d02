// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a warp and of a block, for one thread and for all.
#include "chain.cuh"

#include <gpuprim/block/block_reduce.cuh>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace {

struct gpuprim_warp {
  static constexpr const char* name = "gpuprim::warp_reduce";
  template <int, class T>
  __device__ static T reduce(T v) {
    return gpuprim::warp_reduce(gpuprim::warp_tile<32>{}, v, gpuprim::plus{});
  }
};

struct cub_warp {
  static constexpr const char* name = "cub::WarpReduce";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    using algorithm = cub::WarpReduce<T>;
    __shared__ typename algorithm::TempStorage storage[Block / 32];  // empty: no barrier is counted for it
    return algorithm(storage[threadIdx.x / 32]).Sum(v);
  }
};

struct cg_warp {
  static constexpr const char* name = "cg::reduce";
  template <int, class T>
  __device__ static T reduce(T v) {
    namespace cg = cooperative_groups;
    return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), v, cg::plus<T>());
  }
};

struct gpuprim_block {
  static constexpr const char* name = "gpuprim::block_reduce";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    return gpuprim::block_reduce<Block>(gpuprim::this_block{}, v, gpuprim::plus{});
  }
};

template <cub::BlockReduceAlgorithm Algorithm>
struct cub_block {
  static constexpr const char* name = Algorithm == cub::BLOCK_REDUCE_RAKING ? "cub::BlockReduce raking"
                                      : Algorithm == cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY
                                          ? "cub::BlockReduce raking, commutative"
                                          : "cub::BlockReduce warp reductions";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    using algorithm = cub::BlockReduce<T, Block, Algorithm>;
    __shared__ typename algorithm::TempStorage storage;
    const T result = algorithm(storage).Sum(v);
    __syncthreads();
    return result;
  }
};

struct gpuprim_block_all {
  static constexpr const char* name = "gpuprim::block_all_reduce";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    return gpuprim::block_all_reduce<Block>(gpuprim::this_block{}, v, gpuprim::plus{});
  }
};

template <cub::BlockReduceAlgorithm Algorithm>
struct cub_block_all {
  static constexpr const char* name = Algorithm == cub::BLOCK_REDUCE_RAKING ? "cub::BlockReduce raking, broadcast"
                                                                            : "cub::BlockReduce warps, broadcast";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    using algorithm = cub::BlockReduce<T, Block, Algorithm>;
    __shared__ typename algorithm::TempStorage storage;
    __shared__ T all;
    const T result = algorithm(storage).Sum(v);
    if (threadIdx.x == 0) all = result;
    __syncthreads();
    return all;
  }
};

/// What many kernels have by hand: warps shuffle, then every warp does it again with their sums.
struct shuffles_by_hand {
  static constexpr const char* name = "shuffles by hand";
  template <class T>
  __device__ static T sum_of_warp(T v) {
    for (int bit = 16; bit >= 1; bit /= 2) v += __shfl_xor_sync(0xffffffffu, v, bit);
    return v;
  }
  template <int Block, class T>
  __device__ static T reduce(T v) {
    __shared__ T sums[Block / 32];
    const int lane = int(threadIdx.x % 32);
    v = sum_of_warp(v);
    __syncthreads();
    if (lane == 0) sums[threadIdx.x / 32] = v;
    __syncthreads();
    return sum_of_warp(lane < Block / 32 ? sums[lane] : T(0));
  }
};

template <int Block, class T>
void add_lines(std::vector<table>& tables, const char* type) {
  tables[0].push_back({measure_sum<gpuprim_warp, 32, Block, T>(type), measure_sum<cub_warp, 32, Block, T>(type),
                       measure_sum<cg_warp, 32, Block, T>(type)});
  tables[1].push_back({measure_sum<gpuprim_block, Block, Block, T>(type),
                       measure_sum<cub_block<cub::BLOCK_REDUCE_RAKING>, Block, Block, T>(type),
                       measure_sum<cub_block<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>, Block, Block, T>(type),
                       measure_sum<cub_block<cub::BLOCK_REDUCE_WARP_REDUCTIONS>, Block, Block, T>(type)});
  tables[2].push_back({measure_sum<gpuprim_block_all, Block, Block, T>(type),
                       measure_sum<cub_block_all<cub::BLOCK_REDUCE_RAKING>, Block, Block, T>(type),
                       measure_sum<cub_block_all<cub::BLOCK_REDUCE_WARP_REDUCTIONS>, Block, Block, T>(type),
                       measure_sum<shuffles_by_hand, Block, Block, T>(type)});
}

template <class T>
void add_type(std::vector<table>& tables, const char* type) {
  add_lines<128, T>(tables, type);
  add_lines<256, T>(tables, type);
  add_lines<1024, T>(tables, type);
}

}  // namespace

std::vector<table> measure_reduces() {
  std::vector<table> tables(3);
  add_type<int>(tables, "i32");
  add_type<float>(tables, "f32");
  add_type<double>(tables, "f64");
  return tables;
}
