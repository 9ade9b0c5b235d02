// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The iterators of Thrust's vectors, and reversed ones, in place of pointers.
#include "../support/device.cuh"

#include <gpuprim/merge.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/select.cuh>
#include <gpuprim/sort.cuh>
#include <gpuprim/transform.cuh>

#include <cuda_fp16.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <functional>

namespace {

/// An element that nothing makes of nothing.
struct mark {
  int of;
  mark() = delete;
  GPUPRIM_HOST_DEVICE explicit mark(int i) : of(i) {}
  friend GPUPRIM_HOST_DEVICE bool operator==(const mark& a, const mark& b) { return a.of == b.of; }
  friend GPUPRIM_HOST_DEVICE bool operator<(const mark& a, const mark& b) { return a.of < b.of; }
};
struct marks_together {
  GPUPRIM_HOST_DEVICE mark operator()(const mark& a, const mark& b) const { return mark(a.of + b.of); }
};
struct next_mark {
  GPUPRIM_HOST_DEVICE mark operator()(const mark& m) const { return mark(m.of + 1); }
};
struct mark_of_place {
  GPUPRIM_HOST_DEVICE mark operator()(std::int64_t i) const { return mark(int(i)); }
};
struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(const mark& m) const { return m.of % 2 == 1; }
};
struct add_to {
  int* sum;
  __device__ void operator()(const mark& m) const { atomicAdd(sum, m.of); }
};

template <class T>
thrust::device_vector<T> upload(const std::vector<T>& values) {
  return thrust::device_vector<T>(values.begin(), values.end());
}
template <class T>
thrust::device_vector<T> upload_turned(const std::vector<T>& values) {
  return upload(std::vector<T>(values.rbegin(), values.rend()));
}
template <class T>
std::vector<T> download(const thrust::device_vector<T>& vector, const T& any) {
  CUDA_OK(cudaDeviceSynchronize());
  std::vector<T> values(vector.size(), any);
  CUDA_OK(
      cudaMemcpy(values.data(), thrust::raw_pointer_cast(vector.data()), values.size() * sizeof(T), cudaMemcpyDefault));
  return values;
}

const int n = 3000;

/// Checks that `call(in, out)` writes the same by the iterators of vectors as by pointers.
template <class Call>
void check_marks(const Call& call) {
  std::vector<mark> values;
  for (int i = 0; i < n; ++i) values.push_back(mark(i / 3));
  auto in = upload(values);
  const auto in_turned = upload_turned(values);
  thrust::device_vector<mark> wanted(n, mark(-1)), out(n, mark(-1));
  CUDA_OK(call(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(wanted.data())));
  const auto want = download(wanted, mark(0));
  CUDA_OK(call(in.begin(), out.begin()));
  CHECK(bool(download(out, mark(0)) == want));
  CUDA_OK(call(in.cbegin(), out.data()));
  CHECK(bool(download(out, mark(0)) == want));
  thrust::device_vector<mark> out_turned(n, mark(-1));
  CUDA_OK(call(in_turned.rbegin(), out_turned.rbegin()));
  auto got = download(out_turned, mark(0));
  std::reverse(got.begin(), got.end());
  CHECK(bool(got == want));
}

}  // namespace

TEST_CASE("Vectors of elements without a default constructor", "[device][gpu]") {
  check_marks([](auto in, auto out) { return gpuprim::transform(in, n, out, next_mark{}); });
  check_marks([](auto in, auto out) { return gpuprim::copy(in, n, out); });
  check_marks([](auto, auto out) { return gpuprim::fill(out, n, mark(7)); });
  check_marks([](auto, auto out) { return gpuprim::generate(out, n, mark_of_place{}); });
  check_marks([](auto in, auto out) { return gpuprim::replace_if(in, n, out, is_odd{}, mark(0)); });
  check_marks([](auto in, auto out) { return gpuprim::adjacent_difference(in, n, out, marks_together{}); });
  const thrust::device_vector<int> places(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n));
  check_marks([&](auto in, auto out) { return gpuprim::gather(in, places.rbegin(), n, out); });
  check_marks([&](auto in, auto out) { return gpuprim::scatter(in, places.rbegin(), n, out); });
  check_marks([](auto in, auto out) { return gpuprim::inclusive_scan(in, n, out, marks_together{}); });
  check_marks([](auto in, auto out) { return gpuprim::exclusive_scan(in, n, out, marks_together{}, mark(5)); });
  check_marks([](auto in, auto out) { return gpuprim::inclusive_scan_by_key(in, in, n, out, marks_together{}); });
  check_marks([](auto in, auto out) { return gpuprim::reduce(in, n, out, marks_together{}, mark(5)); });
  thrust::device_vector<std::int64_t> count(1);
  check_marks([&](auto in, auto out) { return gpuprim::select_if(in, n, out, count.begin(), is_odd{}); });
  check_marks([&](auto in, auto out) { return gpuprim::partition_if(in, n, out, count.begin(), is_odd{}); });
  check_marks([&](auto in, auto out) { return gpuprim::unique(in, n, out, count.rbegin()); });
  thrust::device_vector<mark> sums(n, mark(0));
  check_marks([&](auto in, auto out) {
    return gpuprim::reduce_by_key(in, in, n, out, sums.rbegin(), count.begin(), marks_together{});
  });
  check_marks([](auto in, auto out) { return gpuprim::merge(in, n / 2, in, n - n / 2, out); });
  check_marks([&](auto in, auto out) { return gpuprim::set_union(in, n / 2, in, n / 2, out, count.begin()); });
  thrust::device_vector<int> sum(1);
  thrust::device_vector<mark> in(n, mark(1)), sorted(n, mark(0));
  CUDA_OK(gpuprim::for_each(in.begin(), n, add_to{thrust::raw_pointer_cast(sum.data())}));
  CUDA_OK(gpuprim::for_each(in.rbegin(), n, add_to{thrust::raw_pointer_cast(sum.data())}));
  CHECK(sum[0] == 2 * n);
  CHECK(gpuprim::reduce_value(in.rbegin(), n, marks_together{}, mark(0)) == mark(n));
  CUDA_OK(gpuprim::generate(in.rbegin(), n, mark_of_place{}));
  CUDA_OK(gpuprim::merge_sort(in.begin(), n, sorted.begin()));
  CHECK(bool(download(sorted, mark(0))[n - 1] == mark(n - 1)));
}

TEST_CASE("Scans by key over vectors of halves and of truth values", "[device][gpu]") {
  const auto ones = upload(std::vector<__half>(n, __float2half(1.0f)));
  std::vector<int> hundreds;
  for (int i = 0; i < n; ++i) hundreds.push_back(i / 100);
  const auto keys = upload(hundreds), turned = upload_turned(hundreds);
  thrust::device_vector<float> sums(n);
  thrust::device_vector<bool> are_behind(n), even(n);
  CUDA_OK(gpuprim::inclusive_scan_by_key(turned.rbegin(), ones.rbegin(), n, sums.begin(), gpuprim::plus{}));
  CUDA_OK(gpuprim::exclusive_scan_by_key(keys.begin(), ones.begin(), n, are_behind.begin(), gpuprim::plus{}, 0));
  CUDA_OK(gpuprim::fill(even.begin(), n, true));
  CUDA_OK(gpuprim::exclusive_scan_by_key(keys.begin(), even.begin(), n, even.begin(), gpuprim::bit_xor{}, true));
  const auto got_sums = download(sums, 0.0f);
  const std::vector<bool> got_behind(are_behind.begin(), are_behind.end()), got_even(even.begin(), even.end());
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    wrong += got_sums[at] != float(i % 100 + 1) || got_behind[at] != (i % 100 > 0) || got_even[at] != (i % 2 == 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("Set operations of vectors, pointers and other iterators", "[device][gpu]") {
  std::vector<int> doubles;
  for (int i = 0; i < n; ++i) doubles.push_back(2 * i);
  const auto even = upload(doubles), turned = upload_turned(doubles);
  const int* const pointer = thrust::raw_pointer_cast(even.data());
  const thrust::counting_iterator<int> numbers(0);
  thrust::device_vector<int> out(2 * n);
  thrust::device_vector<std::int64_t> count(1);
  // The sets are the numbers below n, and the even ones below 2 n.
  const auto check = [&](cudaError_t error, std::int64_t wanted, auto value_at) {
    CUDA_OK(error);
    REQUIRE(download(count, std::int64_t(0))[0] == wanted);
    const auto got = download(out, 0);
    int wrong = 0;
    for (int i = 0; i < int(wanted); ++i) wrong += got[static_cast<std::size_t>(i)] != value_at(i);
    CHECK(wrong == 0);
  };
  const auto in_union = [](int i) { return i < n ? i : n + 2 * (i - n); };
  const auto twice = [](int i) { return 2 * i; };
  const auto in_difference = [](int i) { return 2 * i + 1; };
  check(gpuprim::set_union(numbers, n, even.begin(), n, out.begin(), count.begin()), n + n / 2, in_union);
  check(gpuprim::set_union(turned.rbegin(), n, numbers, n, out.data(), count.rbegin()), n + n / 2, in_union);
  check(gpuprim::set_intersection(even.data(), n, numbers, n, out.begin(), count.data()), n / 2, twice);
  check(gpuprim::set_intersection(pointer, n, turned.rbegin(), n, out.begin(), count.begin()), n, twice);
  check(gpuprim::set_difference(numbers, n, pointer, n, out.begin(), count.begin()), n / 2, in_difference);
  check(gpuprim::set_difference(numbers, n, turned.rbegin(), n, out.begin(), count.begin()), n / 2, in_difference);
  CHECK(gpuprim::set_difference_count(even.begin(), n, turned.rbegin(), n, out.rbegin()) == 0);
}

TEST_CASE("Differences of a vector that is its own output are refused", "[device][gpu]") {
  thrust::device_vector<int> values(100, 3);
  CHECK(gpuprim::adjacent_difference(values.begin(), 100, values.begin()) == cudaErrorInvalidValue);
  thrust::device_vector<int> out(100);
  CUDA_OK(gpuprim::adjacent_difference(values.begin(), 100, out.begin()));
  CHECK(download(out, 0)[0] == 3);
  CHECK(download(out, 0)[99] == 0);
}
