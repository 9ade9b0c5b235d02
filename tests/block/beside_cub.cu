// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has a counterpart in CUB for use in a kernel, beside it on the same values.
#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/extremum.hpp>
#include <gpuprim/warp/warp_segmented_reduce.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <cub/block/block_histogram.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace {

constexpr int block_size = 256;

/// Heads keep their results; CUB says nothing of the others.
template <int Size, class T, class Op>
__global__ void reduce_segments(const T* in, const int* heads, T* mine, T* cubs, Op op) {
  using reduce = cub::WarpReduce<T, Size>;
  __shared__ typename reduce::TempStorage storage[block_size / Size];
  const unsigned i = blockIdx.x * block_size + threadIdx.x;
  const bool is_head = heads[i] != 0, is_first = is_head || threadIdx.x % Size == 0;
  const T a = gpuprim::warp_segmented_reduce(gpuprim::warp_tile<Size>{}, in[i], is_head, op);
  const T b = reduce(storage[threadIdx.x / Size]).HeadSegmentedReduce(in[i], heads[i], op);
  mine[i] = is_first ? a : in[i];
  cubs[i] = is_first ? b : in[i];
}

template <int Size, class T, class Op>
void check_segments(Op op) {
  constexpr int blocks = 40;
  std::vector<T> in;
  std::vector<int> heads;
  for (int i = 0; i < blocks * block_size; ++i) {
    in.push_back(test::make_value<T>(std::uint64_t(i)));
    heads.push_back(test::scramble(std::uint64_t(i)) % unsigned(1 + i / block_size) == 0);
  }
  test::device_array<T> input(in), mine(in.size()), cubs(in.size());
  test::device_array<int> flags(heads);
  test::run(reduce_segments<Size, T, Op>, blocks, block_size, 0, input.data(), flags.data(), mine.data(), cubs.data(),
            op);
  CHECK(bool(mine.download() == cubs.download()));
  mine.check_guards();
}

template <class T, class Op>
void check_sizes(Op op) {
  check_segments<2, T>(op);
  check_segments<4, T>(op);
  check_segments<8, T>(op);
  check_segments<16, T>(op);
  check_segments<32, T>(op);
}

template <cub::BlockHistogramAlgorithm Algorithm, int Items, int Bins, class T>
__global__ void count(const T* in, unsigned* mine, unsigned* cubs) {
  using histogram = cub::BlockHistogram<T, block_size, Items, Bins, Algorithm>;
  __shared__ typename histogram::TempStorage storage;
  __shared__ unsigned counts[Bins], cub_counts[Bins];
  T items[Items];
  for (int i = 0; i < Items; ++i) items[i] = in[(blockIdx.x * Items + unsigned(i)) * block_size + threadIdx.x];
  gpuprim::block_histogram<block_size>(gpuprim::this_block{}, items, counts);
  histogram(storage).Histogram(items, cub_counts);
  __syncthreads();
  for (int i = int(threadIdx.x); i < Bins; i += block_size) {
    mine[int(blockIdx.x) * Bins + i] = counts[i];
    cubs[int(blockIdx.x) * Bins + i] = cub_counts[i];
  }
}

/// CUB takes items in the bins only. Blocks have ever more equal ones.
template <cub::BlockHistogramAlgorithm Algorithm, int Items, int Bins, class T>
void check_counts() {
  constexpr int blocks = 20;
  std::vector<T> in;
  for (int i = 0; i < blocks * block_size * Items; ++i) {
    const std::uint32_t r = test::scramble(std::uint64_t(i));
    in.push_back(int(r >> 8) % blocks < i / (block_size * Items) ? T(1) : T(r % Bins));
  }
  test::device_array<T> input(in);
  test::device_array<unsigned> mine(blocks * Bins), cubs(blocks * Bins);
  test::run(count<Algorithm, Items, Bins, T>, blocks, block_size, 0, input.data(), mine.data(), cubs.data());
  CHECK(bool(mine.download() == cubs.download()));
  mine.check_guards();
}

template <class T>
__global__ void find_extrema(const T* in, gpuprim::extremum<T, int>* mine, cub::KeyValuePair<int, T>* cubs) {
  using reduce = cub::BlockReduce<cub::KeyValuePair<int, T>, block_size>;
  __shared__ typename reduce::TempStorage storage;
  const int rank = int(threadIdx.x);
  const T value = in[blockIdx.x * block_size + threadIdx.x];
  const gpuprim::extremum<T, int> one{value, rank};
  const auto least = gpuprim::block_reduce<block_size>(gpuprim::this_block{}, one, gpuprim::argmin{});
  const auto greatest = gpuprim::block_reduce<block_size>(gpuprim::this_block{}, one, gpuprim::argmax{});
  const auto cub_least = reduce(storage).Reduce({rank, value}, cub::ArgMin{});
  __syncthreads();
  const auto cub_greatest = reduce(storage).Reduce({rank, value}, cub::ArgMax{});
  if (rank != 0) return;
  mine[2 * blockIdx.x] = least;
  mine[2 * blockIdx.x + 1] = greatest;
  cubs[2 * blockIdx.x] = cub_least;
  cubs[2 * blockIdx.x + 1] = cub_greatest;
}

template <class T>
void check_extrema() {
  constexpr int blocks = 30;
  std::vector<T> in;
  for (int i = 0; i < blocks * block_size; ++i) in.push_back(test::make_value<T>(std::uint64_t(i)));
  test::device_array<T> input(in);
  test::device_array<gpuprim::extremum<T, int>> mine(2 * blocks);
  test::device_array<cub::KeyValuePair<int, T>> cubs(2 * blocks);
  test::run(find_extrema<T>, blocks, block_size, 0, input.data(), mine.data(), cubs.data());
  const auto a = mine.download();
  const auto b = cubs.download();
  int different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i].value != b[i].value || a[i].position != b[i].key;
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("warp_segmented_reduce finds what cub::WarpReduce finds", "[warp][gpu]") {
  check_sizes<int>(gpuprim::plus{});
  check_sizes<float>(gpuprim::maximum{});
  check_sizes<double>(gpuprim::plus{});
  check_sizes<short>(gpuprim::minimum{});
  check_sizes<test::affine>(test::then{});
  check_sizes<test::point3>(test::add_points{});
}

TEST_CASE("block_histogram counts what cub::BlockHistogram counts", "[block][gpu]") {
  check_counts<cub::BLOCK_HISTO_ATOMIC, 4, 256, unsigned char>();
  check_counts<cub::BLOCK_HISTO_ATOMIC, 8, 1000, int>();
  check_counts<cub::BLOCK_HISTO_SORT, 4, 256, unsigned char>();
  check_counts<cub::BLOCK_HISTO_SORT, 1, 16, unsigned>();
}

TEST_CASE("argmin and argmax find what cub::BlockReduce finds", "[block][gpu]") {
  check_extrema<float>();
  check_extrema<double>();
  check_extrema<short>();
}
