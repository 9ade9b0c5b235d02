// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of segments of a warp, the largest value and its place, histograms of a block.
#include "chain.cuh"

#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/extremum.hpp>
#include <gpuprim/warp/warp_segmented_reduce.cuh>

#include <cub/block/block_histogram.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace {

constexpr int segment = 5, bins = 256;

struct gpuprim_segments {
  static constexpr const char* name = "gpuprim::warp_segmented_reduce";
  template <int, class T>
  __device__ static T reduce(T v) {
    const bool is_head = threadIdx.x % 32 % segment == 0;
    return gpuprim::warp_segmented_reduce(gpuprim::warp_tile<32>{}, v, is_head, gpuprim::plus{});
  }
};

struct cub_segments {
  static constexpr const char* name = "cub::WarpReduce::HeadSegmentedSum";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    using algorithm = cub::WarpReduce<T>;
    __shared__ typename algorithm::TempStorage storage[Block / 32];
    return algorithm(storage[threadIdx.x / 32]).HeadSegmentedSum(v, int(threadIdx.x % 32 % segment == 0));
  }
};

struct gpuprim_argmax {
  static constexpr const char* name = "gpuprim::block_reduce, argmax";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    const gpuprim::extremum<T, int> mine{v, int(threadIdx.x)};
    const auto best = gpuprim::block_reduce<Block>(gpuprim::this_block{}, mine, gpuprim::argmax{});
    return best.position == 0 ? best.value : T(-1);
  }
};

template <cub::BlockReduceAlgorithm Algorithm>
struct cub_argmax {
  static constexpr const char* name = Algorithm == cub::BLOCK_REDUCE_RAKING
                                          ? "cub::BlockReduce raking, ArgMax"
                                          : "cub::BlockReduce warp reductions, ArgMax";
  template <int Block, class T>
  __device__ static T reduce(T v) {
    using pair = cub::KeyValuePair<int, T>;
    using algorithm = cub::BlockReduce<pair, Block, Algorithm>;
    __shared__ typename algorithm::TempStorage storage;
    const pair best = algorithm(storage).Reduce(pair{int(threadIdx.x), v}, cub::ArgMax{});
    __syncthreads();
    return best.key == 0 ? best.value : T(-1);
  }
};

struct gpuprim_histogram {
  static constexpr const char* name = "gpuprim::block_histogram";
  template <int Block, int Items, class T>
  __device__ static void count(const T (&items)[Items], unsigned (&counts)[bins]) {
    gpuprim::block_histogram<Block>(gpuprim::this_block{}, items, counts);
  }
};

template <cub::BlockHistogramAlgorithm Algorithm>
struct cub_histogram {
  static constexpr const char* name =
      Algorithm == cub::BLOCK_HISTO_ATOMIC ? "cub::BlockHistogram atomic" : "cub::BlockHistogram sort";
  template <int Block, int Items, class T>
  __device__ static void count(const T (&items)[Items], unsigned (&counts)[bins]) {
    using algorithm = cub::BlockHistogram<T, Block, Items, bins, Algorithm>;
    __shared__ typename algorithm::TempStorage storage;
    T sorted[Items];
    for (int i = 0; i < Items; ++i) sorted[i] = items[i];
    __syncthreads();
    algorithm(storage).Histogram(sorted, counts);
    __syncthreads();
  }
};

constexpr int seen_bin = 7;

/// Every thread reads a count, which moves an item of the next histogram if it is not `rest`.
template <class Contender, int Block, int Items, class T>
__global__ void __launch_bounds__(Block)
    histogram_chain(const unsigned* in, unsigned rest, unsigned* out, long long* cycles) {
  __shared__ unsigned counts[bins];
  T items[Items];
  for (int i = 0; i < Items; ++i) items[i] = T(in[unsigned(i) * Block + threadIdx.x]);
  unsigned result = 0;
  time_chain(cycles, [&] {
    Contender::template count<Block>(items, counts);
    result = counts[seen_bin];
    items[0] = T(items[0] + T(result - rest));
  });
  if (threadIdx.x == 0) out[blockIdx.x] = result;
}

template <int Block, class T>
void add_segments(table& t, const char* type) {
  t.push_back({measure_sum<gpuprim_segments, 32, Block, T, segment>(type),
               measure_sum<cub_segments, 32, Block, T, segment>(type)});
}

/// The value of rank 0 is the largest, and grows.
template <class Contender, int Block>
row measure_argmax() {
  std::vector<float> in(Block);
  for (int i = 0; i < Block; ++i) in[std::size_t(i)] = i == 0 ? 9.0f : float(i % 5);
  return measure<float>("f32",
                        {Contender::name, chain<Contender, Block, Block, float>, in, -1, 9 + reduces - 1, Block, 1});
}

template <int Block>
void add_extrema(table& t) {
  t.push_back({measure_argmax<gpuprim_argmax, Block>(), measure_argmax<cub_argmax<cub::BLOCK_REDUCE_RAKING>, Block>(),
               measure_argmax<cub_argmax<cub::BLOCK_REDUCE_WARP_REDUCTIONS>, Block>()});
}

template <int Block, int Items, class T>
void add_histograms(table& t, const char* type, bool is_uniform) {
  std::vector<unsigned> in(Block * Items, seen_bin);
  for (std::size_t i = 0; is_uniform && i < in.size(); ++i) in[i] = unsigned(i) * 2654435769u >> 24;
  const auto seen = unsigned(std::count(in.begin(), in.end(), unsigned(seen_bin)));
  const auto measured = [&](const char* name, auto kernel) {
    return measure<unsigned>(type, {name, kernel, in, seen, seen, Block, 1});
  };
  using atomic = cub_histogram<cub::BLOCK_HISTO_ATOMIC>;
  using sort = cub_histogram<cub::BLOCK_HISTO_SORT>;
  t.push_back({measured(gpuprim_histogram::name, histogram_chain<gpuprim_histogram, Block, Items, T>),
               measured(atomic::name, histogram_chain<atomic, Block, Items, T>),
               measured(sort::name, histogram_chain<sort, Block, Items, T>)});
}

}  // namespace

table measure_segments() {
  table t;
  add_segments<256, int>(t, "i32");
  add_segments<1024, int>(t, "i32");
  add_segments<256, float>(t, "f32");
  add_segments<1024, float>(t, "f32");
  add_segments<256, double>(t, "f64");
  return t;
}

table measure_extrema() {
  table t;
  add_extrema<128>(t);
  add_extrema<256>(t);
  add_extrema<1024>(t);
  return t;
}

table measure_histograms() {
  table t;
  add_histograms<256, 4, unsigned char>(t, "4 x u8, even", true);
  add_histograms<256, 4, unsigned char>(t, "4 x u8, in one bin", false);
  add_histograms<256, 8, int>(t, "8 x i32, even", true);
  add_histograms<256, 8, int>(t, "8 x i32, in one bin", false);
  add_histograms<1024, 4, int>(t, "4 x i32, even", true);
  return t;
}
