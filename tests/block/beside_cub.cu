// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has a counterpart in CUB for use in a kernel, beside it on the same values.
#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/block/block_partition.cuh>
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/extremum.hpp>
#include <gpuprim/warp/warp_segmented_reduce.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <cub/block/block_histogram.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

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

/// Four results a thread: inclusive and exclusive, of a tile and of the block.
template <int Size, class T, class Op>
__global__ void scan(const T* in, const T start, T* mine, T* cubs, Op op) {
  using warp_scan = cub::WarpScan<T, Size>;
  using block_scan = cub::BlockScan<T, block_size, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename warp_scan::TempStorage warps[block_size / Size];
  __shared__ typename block_scan::TempStorage storage;
  const gpuprim::warp_tile<Size> tile;
  const gpuprim::this_block block;
  const unsigned i = blockIdx.x * block_size + threadIdx.x;
  const T value = in[i];
  mine[4 * i] = gpuprim::warp_inclusive_scan(tile, value, op);
  mine[4 * i + 1] = gpuprim::warp_exclusive_scan(tile, value, op, start);
  mine[4 * i + 2] = gpuprim::block_inclusive_scan<block_size>(block, value, op);
  mine[4 * i + 3] = gpuprim::block_exclusive_scan<block_size>(block, value, op, start);
  warp_scan(warps[threadIdx.x / Size]).InclusiveScan(value, cubs[4 * i], op);
  warp_scan(warps[threadIdx.x / Size]).ExclusiveScan(value, cubs[4 * i + 1], start, op);
  block_scan(storage).InclusiveScan(value, cubs[4 * i + 2], op);
  __syncthreads();
  block_scan(storage).ExclusiveScan(value, cubs[4 * i + 3], start, op);
}

/// Items of a thread and a running prefix over the tiles of a block.
template <int Items, class T, class Op>
__global__ void scan_tiles(const T* in, const T start, int tiles, T* mine, T* cubs, Op op) {
  using block_scan = cub::BlockScan<T, block_size, cub::BLOCK_SCAN_RAKING>;
  __shared__ typename block_scan::TempStorage storage;
  gpuprim::running_prefix carry{start};
  T cub_carry = start;
  for (int tile = 0; tile < tiles; ++tile) {
    T items[Items], cub_items[Items], total = start;
    const unsigned first = unsigned(tile * block_size + int(threadIdx.x)) * Items;
    for (int i = 0; i < Items; ++i) cub_items[i] = items[i] = in[first + unsigned(i)];
    gpuprim::block_exclusive_scan<block_size>(gpuprim::this_block{}, items, op, carry);
    __syncthreads();
    block_scan(storage).ExclusiveScan(cub_items, cub_items, cub_carry, op, total);
    cub_carry = op(cub_carry, total);  // CUB's total is without the initial value
    for (int i = 0; i < Items; ++i) mine[first + unsigned(i)] = items[i];
    for (int i = 0; i < Items; ++i) cubs[first + unsigned(i)] = cub_items[i];
  }
}

template <int Size, class T, class Op>
void check_scans(Op op) {
  constexpr int blocks = 12, items = 4;
  std::vector<T> in;
  for (int i = 0; i < blocks * block_size; ++i) in.push_back(test::make_value<T>(std::uint64_t(i)));
  const T start = test::make_value<T>(std::uint64_t(1) << 40);
  test::device_array<T> input(in), mine(4 * in.size()), cubs(4 * in.size());
  test::run(scan<Size, T, Op>, blocks, block_size, 0, input.data(), start, mine.data(), cubs.data(), op);
  CHECK(bool(mine.download() == cubs.download()));
  mine.check_guards();
  test::device_array<T> my_tiles(in.size()), cub_tiles(in.size());
  test::run(scan_tiles<items, T, Op>, 1, block_size, 0, input.data(), start, blocks / items, my_tiles.data(),
            cub_tiles.data(), op);
  CHECK(bool(my_tiles.download() == cub_tiles.download()));
}

/// Places of `Items` values of each thread: of those with bit 0, and of three parts by bits 0 and 1.
template <int Items>
__global__ void rank_values(const int* in, int* mine, int* cubs) {
  using scan = cub::BlockScan<int, block_size>;
  __shared__ typename scan::TempStorage storage;
  bool first[Items], second[Items];
  int firsts[Items], seconds[Items], of_first = 0, of_second = 0;
  const int start = (int(blockIdx.x) * block_size + int(threadIdx.x)) * Items;
  for (int i = 0; i < Items; ++i) {
    firsts[i] = first[i] = in[start + i] & 1;
    seconds[i] = second[i] = !first[i] && in[start + i] & 2;
  }
  const auto ranked = gpuprim::block_rank<block_size>(gpuprim::this_block{}, first);
  const auto parted = gpuprim::block_partition<block_size>(gpuprim::this_block{}, first, second);
  scan(storage).ExclusiveSum(firsts, firsts, of_first);
  __syncthreads();
  scan(storage).ExclusiveSum(seconds, seconds, of_second);
  for (int i = 0; i < Items; ++i) {
    const int index = int(threadIdx.x) * Items + i, others = of_first + of_second + index - firsts[i] - seconds[i];
    mine[2 * (start + i)] = ranked.places[i] + 100000 * ranked.count;
    mine[2 * (start + i) + 1] = parted.places[i] + 100000 * parted.counts[1];
    cubs[2 * (start + i)] = firsts[i] + 100000 * of_first;
    cubs[2 * (start + i) + 1] = (first[i]    ? firsts[i]
                                 : second[i] ? of_first + seconds[i]
                                             : others) +
                                100000 * of_second;
  }
}

template <int Items>
void check_ranks() {
  constexpr int blocks = 20;
  std::vector<int> in;
  for (int i = 0; i < blocks * block_size * Items; ++i) {
    in.push_back(int(test::scramble(std::uint64_t(i)) % unsigned(1 + i / (block_size * Items))));
  }
  test::device_array<int> input(in), mine(2 * in.size()), cubs(2 * in.size());
  test::run(rank_values<Items>, blocks, block_size, 0, input.data(), mine.data(), cubs.data());
  CHECK(bool(mine.download() == cubs.download()));
  mine.check_guards();
}

}  // namespace

TEST_CASE("block_rank and block_partition find the places that cub::BlockScan finds", "[block][gpu]") {
  check_ranks<1>();
  check_ranks<4>();
  check_ranks<7>();
}

TEST_CASE("warp and block scans find what cub::WarpScan and cub::BlockScan find", "[block][gpu]") {
  check_scans<8, int>(gpuprim::plus{});
  check_scans<32, int>(gpuprim::maximum{});
  check_scans<32, float>(gpuprim::plus{});
  check_scans<16, double>(gpuprim::plus{});
  check_scans<32, std::int64_t>(gpuprim::plus{});
  check_scans<32, short>(gpuprim::minimum{});
  check_scans<32, test::affine>(test::then{});
  check_scans<4, test::point3>(test::add_points{});
}

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
