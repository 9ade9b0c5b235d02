// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without the operators and conversions of 16-bit floats, as every extension of PyTorch is compiled: each
// family and each level takes them, and gives what floats give.
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_HALF2_OPERATORS__
#define __CUDA_NO_BFLOAT16_OPERATORS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __CUDA_NO_BFLOAT162_OPERATORS__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gpuprim/gpuprim.cuh>

#include "../support/device.cuh"

#include <cooperative_groups.h>

#include <cmath>
#include <numeric>

namespace cg = cooperative_groups;

namespace {

template <class T>
constexpr bool has_any = requires(const T& a) { a < a; } || requires(const T& a) { a + a; } ||
                         std::is_convertible_v<T, float> || std::is_constructible_v<T, float>;
static_assert(!has_any<__half> && !has_any<__nv_bfloat16>);

__host__ __device__ float number(float x) { return x; }
__host__ __device__ float number(__half x) { return __half2float(x); }
__host__ __device__ float number(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T>
__host__ __device__ T made(float x) {
  if constexpr (std::is_same_v<T, __half>) return __float2half(x);
  else return __float2bfloat16(x);
}

template <class T>
std::vector<T> all_made(const std::vector<float>& numbers) {
  std::vector<T> values;
  for (float x : numbers) values.push_back(made<T>(x));
  return values;
}

template <class T>
std::vector<float> numbers_in(const test::device_array<T>& array, std::size_t count) {
  std::vector<float> numbers;
  for (const T& value : array.download()) {
    if (numbers.size() < count) numbers.push_back(number(value));
  }
  array.check_guards();
  return numbers;
}
template <class T> float only_number(const test::device_array<T>& array) { return numbers_in(array, 1)[0]; }

struct is_positive {
  template <class T> __host__ __device__ bool operator()(T x) const { return number(x) > 0; }
};
struct negated {
  template <class T> __host__ __device__ T operator()(T x) const { return made<T>(-number(x)); }
};
struct positive_part {
  template <class T>
  __host__ __device__ gpuprim::maybe<T> operator()(T x) const {
    if (number(x) > 0) return gpuprim::maybe<T>(x);
    return {};
  }
};
/// An order and an operator of the user's, by functions.
struct comes_first {
  template <class T> __host__ __device__ bool operator()(T a, T b) const { return __hlt(a, b); }
};
struct added {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return __hadd(a, b); }
};

/// Small numbers of both signs, with equal neighbours, that both types hold; so do all sums of up to 256 of them in
/// the halves that they are multiples of.
constexpr int n = 3001;
float value_at(int i) { return float(i / 2 * 7 % 13 - 6) / 2; }

/// An array on the device, its numbers, and room for results.
template <class T>
struct fixture {
  std::vector<float> numbers, sorted;
  test::device_array<T> in;
  test::device_array<T> out;
  test::device_array<float> wide;
  test::device_array<double> figure;
  test::device_array<int> count;

  static std::vector<float> make() {
    std::vector<float> values;
    for (int i = 0; i < n; ++i) values.push_back(value_at(i));
    return values;
  }
  fixture() : numbers(make()), sorted(numbers), in(all_made<T>(numbers)), out(n), wide(n), figure(1), count(1) {
    std::stable_sort(sorted.begin(), sorted.end());
  }
  int counted() const { return count.download()[0]; }
  std::vector<float> results(std::size_t size = n) const { return numbers_in(out, size); }
};

template <class T>
void check_reduces() {
  const fixture<T> f;
  const float sum = std::accumulate(f.numbers.begin(), f.numbers.end(), 0.0f);
  CUDA_OK(gpuprim::reduce(f.in.data(), n, f.wide.data(), gpuprim::plus<>{}));
  CHECK(f.wide.download()[0] == sum);
  CUDA_OK(gpuprim::reduce(f.in.data(), n, f.out.data(), gpuprim::plus<>{}, 1.0f));
  CHECK(only_number(f.out) == number(made<T>(sum + 1)));
  CUDA_OK(gpuprim::reduce(f.in.data(), n, f.out.data(), gpuprim::plus<>{}, made<T>(1)));
  CHECK(only_number(f.out) == number(made<T>(sum + 1)));
  CUDA_OK(gpuprim::reduce<double>(f.in.data(), n, f.figure.data(), gpuprim::plus<>{}, 0));
  CHECK(f.figure.download()[0] == sum);
  CUDA_OK(gpuprim::reduce<int>(f.in.data(), n, f.count.data(), gpuprim::maximum<>{}, 0));
  CHECK(f.counted() == 3);
  CUDA_OK(gpuprim::reduce(f.in.data(), 100, f.out.data(), gpuprim::plus<T>{}));
  CHECK(only_number(f.out) == std::accumulate(f.numbers.begin(), f.numbers.begin() + 100, 0.0f));
  CUDA_OK(gpuprim::reduce(f.in.data(), 100, f.out.data(), added{}, made<T>(0)));
  CHECK(only_number(f.out) == std::accumulate(f.numbers.begin(), f.numbers.begin() + 100, 0.0f));
  CUDA_OK(gpuprim::reduce(f.in.data(), n, f.out.data(), gpuprim::maximum<>{}));
  CHECK(only_number(f.out) == 3);
  CUDA_OK(gpuprim::reduce(f.in.data(), n, f.out.data(), gpuprim::minimum<>{}, made<T>(-7)));
  CHECK(only_number(f.out) == -7);
  CUDA_OK(gpuprim::reduce(f.in.data(), 6, f.out.data(), gpuprim::multiplies<>{}));
  CHECK(only_number(f.out) == 14.0625f);
  CUDA_OK(gpuprim::reduce(f.in.data(), n, f.out.data(), gpuprim::logical_and<>{}));
  CHECK(only_number(f.out) == 0);
  CUDA_OK(gpuprim::reduce(f.in.data(), n, f.out.data(), gpuprim::logical_or<>{}));
  CHECK(only_number(f.out) == 1);
  CUDA_OK(gpuprim::reduce(gpuprim::reproducible, f.in.data(), n, f.out.data(), gpuprim::plus<>{}, 0.0f));
  CHECK(only_number(f.out) == number(made<T>(sum)));
  CUDA_OK(gpuprim::reduce(gpuprim::accurate, f.in.data(), n, f.figure.data(), gpuprim::plus<>{}, made<T>(1)));
  CHECK(f.figure.download()[0] == sum + 1);
  CUDA_OK(gpuprim::transform_reduce(f.in.data(), n, f.out.data(), gpuprim::maximum<>{}, negated{}, made<T>(0)));
  CHECK(only_number(f.out) == 3);
  CUDA_OK(gpuprim::transform_reduce(f.in.data(), n, f.wide.data(), gpuprim::plus<>{}, gpuprim::square<float>{}, 0.0f));
  float squares = 0;
  for (float x : f.numbers) squares += x * x;
  CHECK(f.wide.download()[0] == squares);
  CUDA_OK(gpuprim::column_reduce(f.in.data(), 3, 1000, f.out.data(), gpuprim::plus<>{}, 0.0f));
  CUDA_OK(gpuprim::segmented_reduce(f.in.data(), gpuprim::fixed_length{100}, 30, f.wide.data(), gpuprim::plus<>{}));
  std::vector<float> columns, segments;
  for (int i = 0; i < 1000; ++i) columns.push_back(f.numbers[i] + f.numbers[i + 1000] + f.numbers[i + 2000]);
  for (int i = 0; i < 3000; i += 100) {
    segments.push_back(std::accumulate(f.numbers.begin() + i, f.numbers.begin() + i + 100, 0.0f));
  }
  CHECK(f.results(1000) == columns);
  CHECK(numbers_in(f.wide, 30) == segments);
  CUDA_OK(gpuprim::column_inclusive_scan(f.in.data(), 3, 1000, f.wide.data(), gpuprim::plus<>{}));
  const std::vector<float> scanned = numbers_in(f.wide, 3000);
  CHECK(std::vector<float>(scanned.begin() + 2000, scanned.end()) == columns);
  CUDA_OK(gpuprim::segmented_reduce(f.in.data(), gpuprim::fixed_length{3}, 1000, f.out.data(), gpuprim::maximum<>{}));
  for (int i = 0; i < 1000; ++i) columns[i] = std::max({f.numbers[3 * i], f.numbers[3 * i + 1], f.numbers[3 * i + 2]});
  CHECK(f.results(1000) == columns);
  f.in.check_unchanged();
}

template <class T>
void check_statistics() {
  const fixture<T> f;
  float sum = 0, squares = 0;
  for (float x : f.numbers) sum += x, squares += x * x;
  CUDA_OK(gpuprim::dot(f.in.data(), f.in.data(), n, f.wide.data()));
  CHECK(f.wide.download()[0] == squares);
  CUDA_OK(gpuprim::dot<T>(f.in.data(), f.in.data(), 20, f.out.data()));
  float first_squares = 0;
  for (int i = 0; i < 20; ++i) first_squares += f.numbers[i] * f.numbers[i];
  CHECK(only_number(f.out) == first_squares);
  CUDA_OK(gpuprim::squared_norm(f.in.data(), n, f.wide.data()));
  CHECK(f.wide.download()[0] == squares);
  const auto figure = [&](const auto& pass) {
    CUDA_OK(pass(f.in.data(), n, f.figure.data(), gpuprim::options{}));
    return f.figure.download()[0];
  };
  CHECK(std::abs(figure(gpuprim::mean) - sum / double(n)) < 1e-12);
  CHECK(figure(gpuprim::variance) > 0);
  CHECK(figure(gpuprim::standard_deviation) > 0);
  CHECK(figure(gpuprim::kurtosis) > 0);
  CHECK(std::abs(figure(gpuprim::norm_2) - std::sqrt(double(squares))) < 1e-9);
  CHECK(figure(gpuprim::norm_1) > 0);
  CHECK(figure(gpuprim::norm_infinity) == 3);
  CHECK(figure(gpuprim::accurate_sum) == sum);
  const test::device_array<gpuprim::extremum<T>> found(1);
  CUDA_OK(gpuprim::max_element(f.in.data(), n, found.data()));
  const auto position_of = [&](float x) {
    return std::find(f.numbers.begin(), f.numbers.end(), x) - f.numbers.begin();
  };
  CHECK(number(found.download()[0].value) == 3);
  CHECK(found.download()[0].position == position_of(3));
  CUDA_OK(gpuprim::min_element(f.in.data(), n, found.data(), gpuprim::options{}));
  CHECK(number(found.download()[0].value) == -3);
  CHECK(found.download()[0].position == position_of(-3));
  CHECK(number(gpuprim::get<0>(gpuprim::reduce_into_value(
            f.in.data(), n, gpuprim::fused(gpuprim::maximum<>{}, gpuprim::mean, gpuprim::min_element)))) == 3);
  const test::device_array<unsigned> counts(13);
  std::vector<unsigned> wanted(13);
  for (float x : f.numbers) ++wanted[std::size_t(2 * x + 6)];
  CUDA_OK(gpuprim::histogram(f.in.data(), n, counts.data(), gpuprim::even_bins{13, -3.0f, 3.5f}));
  CHECK(counts.download() == wanted);
  CUDA_OK(gpuprim::histogram(f.in.data(), n, counts.data(), gpuprim::even_bins{13, made<T>(-3), made<T>(3.5f)}));
  CHECK(counts.download() == wanted);
  std::vector<float> levels;
  for (int i = 0; i < 14; ++i) levels.push_back(float(i - 6) / 2);
  const test::device_array<T> at(all_made<T>(levels));
  CUDA_OK(gpuprim::histogram(f.in.data(), n, counts.data(), gpuprim::bin_ranges{at.data(), 13}));
  CHECK(counts.download() == wanted);
}

template <class T>
void check_scans() {
  const fixture<T> f;
  std::vector<float> wanted(n);
  const auto is_scanned = [&](float first, bool is_exclusive, const auto& op, int restart = n) {
    float sum = first;
    for (int i = 0; i < n; ++i) {
      if (i % restart == 0) sum = first;
      const float next = op(sum, f.numbers[i]);
      wanted[i] = number(made<T>(is_exclusive ? sum : next));
      sum = next;
    }
    return f.results() == wanted;
  };
  const auto add = [](float a, float b) { return a + b; };
  const auto larger = [](float a, float b) { return a < b ? b : a; };
  CUDA_OK(gpuprim::inclusive_scan(f.in.data(), n, f.out.data(), gpuprim::plus<>{}));
  CHECK(is_scanned(0, false, add));
  CUDA_OK(gpuprim::exclusive_scan(f.in.data(), n, f.out.data(), gpuprim::plus<>{}, made<T>(2)));
  CHECK(is_scanned(2, true, add));
  CUDA_OK(gpuprim::exclusive_scan(f.in.data(), n, f.out.data(), gpuprim::maximum<>{}, made<T>(-1)));
  CHECK(is_scanned(-1, true, larger));
  CUDA_OK(gpuprim::inclusive_scan(f.in.data(), n, f.out.data(), gpuprim::maximum<>{}));
  CHECK(is_scanned(-100, false, larger));
  CUDA_OK(gpuprim::transform_inclusive_scan(f.in.data(), n, f.out.data(), gpuprim::plus<>{}, negated{}));
  CHECK(is_scanned(0, false, [](float a, float b) { return a - b; }));
  CUDA_OK(gpuprim::segmented_inclusive_scan(f.in.data(), gpuprim::fixed_length{n}, 1, f.out.data(), gpuprim::plus<>{}));
  CHECK(is_scanned(0, false, add));
  CUDA_OK(gpuprim::segmented_exclusive_scan(f.in.data(), gpuprim::fixed_length{n}, 1, f.out.data(),
                                            gpuprim::maximum<>{}, made<T>(-1)));
  CHECK(is_scanned(-1, true, larger));
  CUDA_OK(gpuprim::inclusive_scan_by_key(f.in.data(), f.in.data(), n, f.out.data(), gpuprim::plus<>{}));
  CHECK(is_scanned(0, false, add, 2));  // pairs of equal neighbours
  CUDA_OK(gpuprim::exclusive_scan_by_key(f.in.data(), f.in.data(), n, f.out.data(), gpuprim::maximum<>{}, made<T>(-9)));
  CHECK(is_scanned(-9, true, larger, 2));
  CUDA_OK(gpuprim::adjacent_difference(f.in.data(), n, f.out.data()));
  for (int i = 0; i < n; ++i) wanted[i] = i == 0 ? f.numbers[i] : f.numbers[i] - f.numbers[i - 1];
  CHECK(f.results() == wanted);
}

template <class T>
void check_selects() {
  const fixture<T> f;
  std::vector<float> positive, heads;
  for (int i = 0; i < n; ++i) {
    if (f.numbers[i] > 0) positive.push_back(f.numbers[i]);
    if (i == 0 || f.numbers[i] != f.numbers[i - 1]) heads.push_back(f.numbers[i]);
  }
  const auto is_kept = [&](const std::vector<float>& wanted) {
    return f.counted() == int(wanted.size()) && f.results(wanted.size()) == wanted;
  };
  CUDA_OK(gpuprim::select_if(f.in.data(), n, f.out.data(), f.count.data(), is_positive{}));
  CHECK(is_kept(positive));
  CUDA_OK(gpuprim::select_if(f.in.data(), n, f.wide.data(), f.count.data(), is_positive{}));
  CHECK(numbers_in(f.wide, positive.size()) == positive);
  CUDA_OK(gpuprim::transform_select(f.in.data(), n, f.out.data(), f.count.data(), positive_part{}));
  CHECK(is_kept(positive));
  CUDA_OK(gpuprim::select_flagged(f.in.data(), f.in.data(), n, f.out.data(), f.count.data()));
  CHECK(f.counted() == n - std::count(f.numbers.begin(), f.numbers.end(), 0.0f));
  CUDA_OK(gpuprim::partition_if(f.in.data(), n, f.out.data(), f.count.data(), is_positive{}));
  CHECK(is_kept(positive));
  const test::device_array<std::int64_t> left(1);
  CUDA_OK(gpuprim::stable_partition_if(f.in.data(), n, f.out.data(), left.data(), is_positive{}));
  CHECK(f.results(positive.size()) == positive);
  CUDA_OK(gpuprim::unique(f.in.data(), n, f.out.data(), f.count.data()));
  CHECK(is_kept(heads));
  const test::device_array<T> beside(n);
  CUDA_OK(gpuprim::unique_by_key(f.in.data(), f.in.data(), n, f.out.data(), beside.data(), f.count.data()));
  CHECK(is_kept(heads));
  CHECK(numbers_in(beside, heads.size()) == heads);
  const test::device_array<int> lengths(n);
  CUDA_OK(gpuprim::run_length_encode(f.in.data(), n, f.out.data(), lengths.data(), f.count.data()));
  CHECK(is_kept(heads));
  CUDA_OK(gpuprim::reduce_by_key(f.in.data(), f.in.data(), n, f.out.data(), f.wide.data(), f.count.data(),
                                 gpuprim::plus<>{}));
  CHECK(is_kept(heads));
  CUDA_OK(gpuprim::reduce_by_key(f.in.data(), f.in.data(), n, f.out.data(), beside.data(), f.count.data(),
                                 gpuprim::maximum<>{}));
  CHECK(numbers_in(beside, heads.size()) == heads);
}

template <class T>
void check_sorts() {
  const fixture<T> f;
  std::vector<float> falling(f.sorted.rbegin(), f.sorted.rend());
  CUDA_OK(gpuprim::sort(f.in.data(), n, f.out.data()));
  CHECK(f.results() == f.sorted);
  const test::device_array<T> other(n);
  CUDA_OK(gpuprim::sort_pairs(f.in.data(), f.in.data(), n, f.out.data(), other.data(), gpuprim::descending));
  CHECK(f.results() == falling);
  CHECK(numbers_in(other, n) == falling);
  CUDA_OK(gpuprim::merge_sort(f.in.data(), n, f.out.data()));
  CHECK(f.results() == f.sorted);
  CUDA_OK(gpuprim::merge_sort(f.in.data(), n, f.out.data(), std::greater<>{}));
  CHECK(f.results() == falling);
  CUDA_OK(gpuprim::segmented_sort(f.in.data(), gpuprim::fixed_length{n}, 1, f.out.data()));
  CHECK(f.results() == f.sorted);
  CUDA_OK(gpuprim::top_k(f.in.data(), n, 500, f.out.data(), gpuprim::largest.sorted()));
  CHECK(f.results(500) == std::vector<float>(falling.begin(), falling.begin() + 500));
  CUDA_OK(
      gpuprim::segmented_top_k(f.in.data(), gpuprim::fixed_length{n}, 1, 50, f.out.data(), gpuprim::largest.sorted()));
  CHECK(f.results(50) == std::vector<float>(falling.begin(), falling.begin() + 50));
  CUDA_OK(gpuprim::nth_element(f.in.data(), n, 1000, f.out.data()));
  CHECK(f.results()[1000] == f.sorted[1000]);
  CUDA_OK(gpuprim::segmented_nth_element(f.in.data(), gpuprim::fixed_length{n}, 1, 700, f.out.data()));
  CHECK(f.results(1)[0] == f.sorted[700]);
  const test::device_array<T> sorted(all_made<T>(f.sorted)), twice(2 * n);
  std::vector<float> doubled, distinct;
  for (float x : f.sorted) doubled.insert(doubled.end(), 2, x);
  CUDA_OK(gpuprim::merge(sorted.data(), n, sorted.data(), n, twice.data()));
  CHECK(numbers_in(twice, 2 * n) == doubled);
  CUDA_OK(gpuprim::merge(sorted.data(), n, sorted.data(), n, twice.data(), std::less<>{}));
  CHECK(numbers_in(twice, 2 * n) == doubled);
  CUDA_OK(gpuprim::set_union(sorted.data(), n, sorted.data(), n, twice.data(), f.count.data()));
  CHECK(f.counted() == n);
  CUDA_OK(gpuprim::set_difference(sorted.data(), n, sorted.data(), n, twice.data(), f.count.data()));
  CHECK(f.counted() == 0);
  const test::device_array<int> places(n);
  CUDA_OK(gpuprim::lower_bound(sorted.data(), n, f.in.data(), n, places.data()));
  std::vector<int> bounds;
  for (float x : f.numbers) {
    bounds.push_back(int(std::lower_bound(f.sorted.begin(), f.sorted.end(), x) - f.sorted.begin()));
  }
  CHECK(places.download() == bounds);
  CUDA_OK(gpuprim::upper_bound(sorted.data(), n, f.in.data(), n, places.data()));
  CHECK(places.download()[0] == std::upper_bound(f.sorted.begin(), f.sorted.end(), f.numbers[0]) - f.sorted.begin());
  const test::device_array<bool> answer(1);
  CUDA_OK(gpuprim::is_sorted(sorted.data(), n, answer.data()));
  CHECK(answer.download()[0]);
  CUDA_OK(gpuprim::equal(sorted.data(), f.in.data(), n, answer.data()));
  CHECK(!answer.download()[0]);
  CUDA_OK(gpuprim::any_of(f.in.data(), n, answer.data(), is_positive{}));
  CHECK(answer.download()[0]);
}

template <class T>
void check_transforms() {
  const fixture<T> f;
  std::vector<float> wanted;
  for (float x : f.numbers) wanted.push_back(-x);
  CUDA_OK(gpuprim::transform(f.in.data(), n, f.out.data(), negated{}));
  CHECK(f.results() == wanted);
  CUDA_OK(gpuprim::copy(f.in.data(), n, f.wide.data()));
  CHECK(numbers_in(f.wide, n) == f.numbers);
  CUDA_OK(gpuprim::copy(f.wide.data(), n, f.out.data()));
  CHECK(f.results() == f.numbers);
  CUDA_OK(gpuprim::fill(f.out.data(), n, 1.5f));
  CHECK(f.results() == std::vector<float>(n, 1.5f));
  CUDA_OK(gpuprim::replace_if(f.in.data(), n, f.out.data(), is_positive{}, made<T>(0)));
  for (int i = 0; i < n; ++i) wanted[i] = f.numbers[i] > 0 ? 0 : f.numbers[i];
  CHECK(f.results() == wanted);
  CUDA_OK(gpuprim::adjacent_difference(f.in.data(), n, f.wide.data(), gpuprim::minus<>{}));
  CHECK(f.wide.download()[2] == f.numbers[2] - f.numbers[1]);
  std::vector<int> indices;
  for (int i = 0; i < n; ++i) indices.push_back(n - 1 - i);
  const test::device_array<int> index(indices);
  std::vector<float> reversed(f.numbers.rbegin(), f.numbers.rend());
  CUDA_OK(gpuprim::gather(f.in.data(), index.data(), n, f.out.data()));
  CHECK(f.results() == reversed);
  CUDA_OK(gpuprim::scatter(f.in.data(), index.data(), n, f.wide.data()));
  CHECK(numbers_in(f.wide, n) == reversed);
  CUDA_OK(gpuprim::transpose(f.in.data(), 30, 100, f.out.data()));
  CHECK(f.results()[1] == f.numbers[100]);
}

constexpr int block_size = 64, items = 4;

/// What levels below the device give, in float: one place a result of each, for every thread.
enum place {
  of_thread,
  of_dot,
  of_warp,
  of_segment,
  of_warp_scan,
  of_block,
  of_all,
  of_scan,
  of_difference,
  of_shift,
  of_sorted,
  of_merged,
  of_thread_sorted,
  of_largest,
  of_radix,
  of_exchange,
  of_compact,
  of_head,
  of_bin,
  places
};

template <class T>
__global__ void work_in_block(const T* in, float* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int rank = int(block.thread_rank());
  const auto put = [&](place at, float x) { out[int(at) * block_size + rank] = x; };
  T own[items], other[items];
  const auto load = [&](T(&to)[items]) { gpuprim::block_load<block_size>(block, in, to); };
  load(own);
  put(of_thread, number(gpuprim::thread_reduce(own, gpuprim::plus<>{})));
  put(of_dot, gpuprim::thread_dot<T>(gpuprim::load_packed(in), gpuprim::load_packed(in), 0.0f));
  put(of_warp, number(gpuprim::warp_all_reduce(tile, own[0], gpuprim::plus<>{})));
  put(of_segment, number(gpuprim::warp_segmented_reduce(tile, own[0], rank % 4 == 0, gpuprim::maximum<>{})));
  put(of_warp_scan, number(gpuprim::warp_exclusive_scan(tile, own[0], gpuprim::maximum<>{}, -2.0f)));
  put(of_block, number(gpuprim::block_reduce<block_size>(block, own, gpuprim::minimum<>{})));
  block.sync();
  put(of_all, number(gpuprim::block_all_reduce<block_size>(block, own[0], gpuprim::plus<>{})));
  load(other);
  gpuprim::block_exclusive_scan<block_size>(block, other, gpuprim::plus<>{});
  put(of_scan, number(other[1]));
  gpuprim::block_adjacent_difference<block_size>(block, own, other, gpuprim::minus<>{});
  put(of_difference, number(other[1]));
  put(of_shift, number(gpuprim::block_shift_up<block_size>(block, own[0], own[0])));
  load(other);
  gpuprim::thread_sort(other, comes_first{});
  put(of_thread_sorted, number(other[0]));
  load(other);
  gpuprim::warp_sort(tile, other, comes_first{});
  put(of_merged, number(other[0]));
  load(other);
  gpuprim::block_sort<block_size>(block, other, comes_first{});
  put(of_sorted, number(other[0]));
  load(other);
  gpuprim::block_radix_sort<block_size>(block, other, gpuprim::descending);
  put(of_radix, number(other[0]));
  bool taken[items];
  gpuprim::block_top_k<block_size>(block, own, 100, taken);
  put(of_largest, float(taken[0] + taken[1] + taken[2] + taken[3]));
  load(other);
  gpuprim::block_blocked_to_striped<block_size>(block, other);
  put(of_exchange, number(other[0]));
  GPUPRIM_SHARED(kept, T[block_size * items]);
  const int count = gpuprim::block_compact<block_size>(block, own, is_positive{}, kept);
  block.sync();
  put(of_compact, rank < count ? number(kept[rank]) : 0);
  bool heads[items];
  gpuprim::block_flag_heads<block_size>(block, own, heads, [](T a, T b) { return __hneu(a, b); });
  put(of_head, float(heads[0] + heads[1] + heads[2] + heads[3]));
  GPUPRIM_SHARED(counts, unsigned[13]);
  block.sync();
  gpuprim::block_histogram<block_size>(block, own, counts,
                                       gpuprim::bin_finder<T>(gpuprim::even_bins{13, made<T>(-3), made<T>(3.5f)}));
  block.sync();
  put(of_bin, float(counts[rank % 13]));
}

template <class T>
__global__ void work_in_grid(const T* in, T* out, gpuprim::grid_reduce_state<T> state) {
  const auto block = cg::this_thread_block();
  gpuprim::grid_reduce<block_size>(block, in[blockIdx.x * block_size + threadIdx.x], gpuprim::maximum<>{}, state,
                                   [&](const T& total) { *out = total; });
}

template <class T>
__global__ void work_in_cluster(const T* in, T* out) {
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  const auto cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  const int at = int(blockIdx.x * block_size + threadIdx.x);
  out[at] = gpuprim::cluster_all_reduce<block_size>(cluster, block, in[at], gpuprim::plus<>{});
  out[2 * block_size + at] = gpuprim::cluster_inclusive_scan<block_size>(cluster, block, in[at], gpuprim::maximum<>{});
#endif
}

template <class T>
void check_levels() {
  const fixture<T> f;
  constexpr int count = block_size * items;
  const std::vector<float> own(f.numbers.begin(), f.numbers.begin() + count);
  const test::device_array<float> out(int(places) * block_size);
  test::run(work_in_block<T>, 1, block_size, 0, f.in.data(), out.data());
  const std::vector<float> got = numbers_in(out, int(places) * block_size);
  std::vector<float> sorted = own, positive, of_first;
  std::stable_sort(sorted.begin(), sorted.end());
  for (float x : own) {
    if (x > 0) positive.push_back(x);
  }
  for (int t = 0; t < block_size; ++t) of_first.push_back(own[t * items]);
  const auto is = [&](place at, const auto& wanted) {
    int wrong = 0;
    for (int t = 0; t < block_size; ++t) wrong += got[int(at) * block_size + t] != float(wanted(t));
    return wrong == 0;
  };
  const auto sum = [](auto begin, auto end) { return std::accumulate(begin, end, 0.0f); };
  const auto most = [](auto begin, auto end) { return begin == end ? -INFINITY : *std::max_element(begin, end); };
  const auto first = of_first.begin();
  CHECK(is(of_thread, [&](int t) { return sum(own.begin() + t * items, own.begin() + (t + 1) * items); }));
  CHECK(is(of_dot, [&](int) {
    float squares = 0;
    for (int i = 0; i < 8; ++i) squares += own[i] * own[i];
    return squares;
  }));
  CHECK(is(of_warp, [&](int t) { return sum(first + t / 32 * 32, first + t / 32 * 32 + 32); }));
  CHECK(got[int(of_segment) * block_size] == most(first, first + 4));
  CHECK(is(of_warp_scan, [&](int t) { return std::max(-2.0f, most(first + t / 32 * 32, first + t)); }));
  CHECK(got[int(of_block) * block_size] == sorted[0]);
  CHECK(is(of_all, [&](int) { return sum(first, of_first.end()); }));
  CHECK(is(of_scan, [&](int t) { return sum(own.begin(), own.begin() + t * items + 1); }));
  CHECK(is(of_difference, [&](int t) { return own[t * items + 1] - own[t * items]; }));
  CHECK(is(of_shift, [&](int t) { return first[t == 0 ? 0 : t - 1]; }));
  CHECK(is(of_thread_sorted, [&](int t) { return *std::min_element(&own[t * items], &own[t * items] + items); }));
  CHECK(is(of_merged, [&](int t) {
    std::vector<float> of_warp(own.begin() + t / 32 * 32 * items, own.begin() + (t / 32 + 1) * 32 * items);
    std::stable_sort(of_warp.begin(), of_warp.end());
    return of_warp[t % 32 * items];
  }));
  CHECK(is(of_sorted, [&](int t) { return sorted[t * items]; }));
  CHECK(is(of_radix, [&](int t) { return sorted[count - 1 - t * items]; }));
  CHECK(sum(got.begin() + int(of_largest) * block_size, got.begin() + (int(of_largest) + 1) * block_size) == 100);
  CHECK(is(of_exchange, [&](int t) { return own[t]; }));
  CHECK(is(of_compact, [&](int t) { return t < int(positive.size()) ? positive[t] : 0; }));
  CHECK(is(of_head, [](int) { return 2; }));
  CHECK(is(of_bin, [&](int t) { return std::count(own.begin(), own.end(), float(t % 13 - 6) / 2); }));

  const test::device_array<unsigned char> buffer(
      std::vector<unsigned char>(std::size_t(gpuprim::grid_reduce_bytes<T>(5)), 0));
  test::run(work_in_grid<T>, 5, block_size, 0, f.in.data(), f.out.data(),
            gpuprim::make_grid_reduce_state<T>(buffer.data()));
  CHECK(only_number(f.out) == 3);

  int device = 0, major = 0;
  CUDA_OK(cudaGetDevice(&device));
  CUDA_OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  if (major < 9) return;
  test::run(work_in_cluster<T>, 2, block_size, 2, f.in.data(), f.out.data());
  const std::vector<float> together = f.results(4 * block_size);
  for (int i = 0; i < 2 * block_size; ++i) {
    CHECK(together[i] == sum(own.begin(), own.begin() + 2 * block_size));
    CHECK(together[2 * block_size + i] == most(own.begin(), own.begin() + i + 1));
  }
}

/// Every bit pattern has the comparisons, the sums and the conversions of its number.
template <class T>
void check_every_number() {
  const float others[] = {0.0f, -0.0f, 1.0f, 1e-6f, -3.0f, 300.0f, INFINITY, -INFINITY, NAN};
  const auto is_same = [](float a, float b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
  };
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const T a = __builtin_bit_cast(T, static_cast<unsigned short>(bits));
    const float x = number(a);
    wrong += !is_same(number(gpuprim::detail::to_half<T>(x)), x);
    wrong += !is_same(number(gpuprim::detail::to_half<T>(double(x))), x);
    for (float other : others) {
      const T b = made<T>(other);
      const float y = number(b);
      wrong += gpuprim::detail::less_than{}(a, b) != (x < y);
      wrong += gpuprim::detail::greater_than{}(a, b) != (x > y);
      wrong += gpuprim::detail::same_key{}(a, b) != (x == y);
      wrong += !is_same(number(gpuprim::maximum<>{}(a, b)), x < y ? y : x);
      wrong += !is_same(number(gpuprim::minimum<>{}(a, b)), y < x ? y : x);
      wrong += !is_same(number(gpuprim::plus<>{}(a, b)), number(made<T>(x + y)));
      wrong += !is_same(number(gpuprim::minus<>{}(a, b)), number(made<T>(x - y)));
      wrong += !is_same(number(gpuprim::multiplies<>{}(a, b)), number(made<T>(x * y)));
    }
  }
  CHECK(wrong == 0);
  CHECK(number(gpuprim::detail::to_half<T>(-12)) == -12);
  CHECK(number(gpuprim::detail::to_half<T>(true)) == 1);
  CHECK(number(gpuprim::detail::to_half<T>(12ull)) == 12);
}

}  // namespace

TEST_CASE("Reduces of 16-bit floats without operators", "[device][not_asan]") {
  check_reduces<__half>();
  check_reduces<__nv_bfloat16>();
}

TEST_CASE("Statistics of 16-bit floats without operators", "[device][not_asan]") {
  check_statistics<__half>();
  check_statistics<__nv_bfloat16>();
}

TEST_CASE("Scans of 16-bit floats without operators", "[device][not_asan]") {
  check_scans<__half>();
  check_scans<__nv_bfloat16>();
}

TEST_CASE("Selects of 16-bit floats without operators", "[device][not_asan]") {
  check_selects<__half>();
  check_selects<__nv_bfloat16>();
}

TEST_CASE("Sorts and searches of 16-bit floats without operators", "[device][not_asan]") {
  check_sorts<__half>();
  check_sorts<__nv_bfloat16>();
}

TEST_CASE("Transforms of 16-bit floats without operators", "[device][not_asan]") {
  check_transforms<__half>();
  check_transforms<__nv_bfloat16>();
}

TEST_CASE("Blocks, warps, clusters and grids of 16-bit floats without operators", "[block][not_asan]") {
  check_levels<__half>();
  check_levels<__nv_bfloat16>();
}

TEST_CASE("Every 16-bit float without operators", "[core][not_asan]") {
  check_every_number<__half>();
  check_every_number<__nv_bfloat16>();
}
