// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/transform_check.cuh"

#include <functional>

namespace {

struct weigh {
  template <class T>
  GPUPRIM_HOST_DEVICE T operator()(const T& x, const T& before) const {
    return gpuprim::minus<T>{}(gpuprim::multiplies<T>{}(x, T(3)), before);
  }
};
struct between {
  GPUPRIM_HOST_DEVICE test::point3 operator()(const test::point3& x, const test::point3& before) const {
    return {x.x - before.x, x.y - before.z, x.z - before.y};
  }
};
struct falls {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a > b; }
};
struct remainders : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(i % 7); }
};

template <class T, class Result = T, class Op>
void check_difference(std::int64_t n, Op op, test::pass_places at = {}) {
  CAPTURE(n, at.in, at.out);
  const auto values = test::make_values<T>(n);
  std::vector<Result> want;
  for (std::size_t i = 0; i < values.size(); ++i) {
    want.push_back(static_cast<Result>(i == 0 ? values[0] : op(values[i], values[i - 1])));
  }
  test::device_array<T> in(values, at.in);
  test::device_array<Result> out(values.size(), at.out);
  CUDA_OK(gpuprim::adjacent_difference(in.data(), n, out.data(), op));
  CHECK(test::same_bytes(out.download(), want));
  out.check_guards();
  in.check_unchanged();
}

/// A permutation of 0 to n - 1, for n that 7919 does not divide.
template <class Index>
std::vector<Index> make_permutation(std::int64_t n) {
  std::vector<Index> order;
  for (std::int64_t i = 0; i < n; ++i) order.push_back(static_cast<Index>(i * 7919 % n));
  return order;
}

template <class T, class Index>
void check_gather(std::int64_t n, std::size_t past) {
  CAPTURE(n, past);
  const auto values = test::make_values<T>(n);
  const auto order = make_permutation<Index>(n);
  test::device_array<T> in(values), out(values.size(), past), back(values.size());
  test::device_array<Index> index(order, past);
  CUDA_OK(gpuprim::gather(in.data(), index.data(), n, out.data()));
  CUDA_OK(gpuprim::scatter(out.data(), index.data(), n, back.data()));
  std::vector<T> want;
  for (Index i : order) want.push_back(values[std::size_t(i)]);
  CHECK(test::same_bytes(out.download(), want));
  CHECK(test::same_bytes(back.download(), values));
  out.check_guards();
  back.check_guards();
  index.check_unchanged();
}

template <class T, class Position, class Less>
void check_bounds(std::int64_t n, std::int64_t count, Less less) {
  CAPTURE(n, count);
  auto sorted = test::make_values<T>(n);
  for (T& x : sorted) x = static_cast<T>(int(x) % 1000);
  std::sort(sorted.begin(), sorted.end(), less);
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(int(test::scramble(i) % 1200) - 600));
  std::vector<Position> low, high;
  for (const T& value : values) {
    low.push_back(Position(std::lower_bound(sorted.begin(), sorted.end(), value, less) - sorted.begin()));
    high.push_back(Position(std::upper_bound(sorted.begin(), sorted.end(), value, less) - sorted.begin()));
  }
  test::device_array<T> in(sorted), wanted(values, sizeof(T));
  test::device_array<Position> lower(values.size()), upper(values.size(), sizeof(Position));
  CUDA_OK(gpuprim::lower_bound(in.data(), n, wanted.data(), count, lower.data(), less));
  CUDA_OK(gpuprim::upper_bound(in.data(), n, wanted.data(), count, upper.data(), less));
  CHECK(lower.download() == low);
  CHECK(upper.download() == high);
  lower.check_guards();
  upper.check_guards();
}

}  // namespace

TEST_CASE("Adjacent differences of every size, type and misalignment", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 3, 5, 17, 33, 1000, 9001}) {
    check_difference<int>(n, weigh{});
    check_difference<unsigned char>(n, gpuprim::minus{}, {3, 0, 5});
    check_difference<test::point3>(n, between{}, {4, 0, 8});
    check_difference<std::int64_t>(n, std::minus<>{}, {8, 0, 0});
  }
  for (std::size_t in : {0, 4, 8, 12}) {
    for (std::size_t out : {0, 4, 8, 12}) check_difference<int>(303, weigh{}, {in, 0, out});
  }
  test::unless_sanitized([](auto) {
    check_difference<double, float>(3001, gpuprim::minus<double>{});
    check_difference<short, int>(3001, weigh{}, {2, 0, 4});
    check_difference<test::affine_pair>(900, test::then_both{}, {4, 0, 4});
  });
}

TEST_CASE("Adjacent differences of iterators, and refused", "[device]") {
  test::device_array<int> in(test::make_values<int>(100)), out(100);
  CUDA_OK(gpuprim::adjacent_difference(remainders{}, 100, out.data()));
  const auto got = out.download();
  CUDA_OK(gpuprim::adjacent_difference(remainders{}, 100, out.data(), {.stream = nullptr}));
  CHECK(out.download() == got);
  for (int i : {0, 1, 6, 7, 99}) CHECK(got[std::size_t(i)] == (i == 0 ? 0 : i % 7 == 0 ? -6 : 1));
  out.check_guards();
  CHECK(gpuprim::adjacent_difference(in.data(), 100, in.data()) == cudaErrorInvalidValue);
  CHECK(std::string(gpuprim::last_fault()) == "the output overlaps the input");
  CHECK(gpuprim::adjacent_difference(in.data(), -1, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::adjacent_difference(in.data(), 5, static_cast<int*>(nullptr)) == cudaErrorInvalidValue);
  in.check_unchanged();
}

TEST_CASE("Gathers and scatters", "[device][sanitizer]") {
  for (int n : {1, 3, 33, 1000, 9001}) {
    check_gather<int, int>(n, 4);
    check_gather<test::point3, std::int64_t>(n, 8);
    test::unless_sanitized([&](auto) {
      check_gather<double, unsigned>(n, 0);
      check_gather<unsigned char, int>(n, 4);
    });
  }
  test::device_array<int> a(test::make_values<int>(9)), index(std::vector<int>(9, 0)), out(9);
  const int* const null = nullptr;
  CHECK(gpuprim::gather(null, index.data(), 9, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::gather(a.data(), null, 9, out.data()) == cudaErrorInvalidValue);
  const auto* const odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(a.data()) + 2);
  CHECK(gpuprim::gather(odd, index.data(), 8, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::gather(a.data(), index.data(), 8, index.data() + 1) == cudaErrorInvalidValue);
  CHECK(gpuprim::scatter(a.data(), index.data(), 9, static_cast<int*>(nullptr)) == cudaErrorInvalidValue);
  CHECK(gpuprim::gather(a.data(), index.data(), 9, a.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::scatter(a.data(), index.data(), 9, a.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::scatter(a.data(), index.data(), -1, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::gather(null, null, 0, out.data()) == cudaSuccess);
  a.check_unchanged();
  index.check_unchanged();
}

TEST_CASE("Searches of many values in a sorted array", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 33, 1000}) {
    for (int count : {0, 1, 65, 1003}) check_bounds<int, std::int64_t>(n, count, std::less<>{});
  }
  check_bounds<int, int>(777, 500, falls{});
  check_bounds<short, int>(777, 500, std::greater<>{});
  test::device_array<int> a(std::vector<int>{1, 2, 2, 9});
  test::device_array<float> values(std::vector<float>{0.5f, 2, 8.5f, 10});
  test::device_array<int> out(4);
  CUDA_OK(gpuprim::upper_bound(a.data(), 4, values.data(), 4, out.data()));
  CHECK(out.download() == std::vector<int>{0, 3, 3, 4});
  CUDA_OK(gpuprim::lower_bound(a.data(), 4, values.data(), 4, out.data(), {.stream = nullptr}));
  CHECK(out.download() == std::vector<int>{0, 1, 3, 4});
  CUDA_OK(gpuprim::upper_bound(a.data(), 4, out.data(), 4, out.data(), {.stream = nullptr}));  // in place
  CHECK(out.download() == std::vector<int>{0, 1, 3, 3});
  CHECK(gpuprim::lower_bound(a.data(), 4, values.data(), 4, a.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::lower_bound(static_cast<int*>(nullptr), 4, values.data(), 4, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::lower_bound(a.data(), -4, values.data(), 4, out.data()) == cudaErrorInvalidValue);
}
