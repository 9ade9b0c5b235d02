// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that write only some places, and passes that change the order of elements.
#include "../../support/transform_check.cuh"

#include <algorithm>
#include <numeric>
#include <set>

namespace {

struct triple {
  template <class T> GPUPRIM_HOST_DEVICE T operator()(const T& x) const { return gpuprim::multiplies<T>{}(x, T(3)); }
};
struct moved_point {
  GPUPRIM_HOST_DEVICE test::point3 operator()(const test::point3& x) const { return {x.y, x.z, x.x}; }
};
struct mixed {
  GPUPRIM_HOST_DEVICE int operator()(int a, short b) const { return int(unsigned(a) * 5u - unsigned(b)); }
};
struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 != 0; }
};
struct are_both_odd {
  GPUPRIM_HOST_DEVICE bool operator()(int a, short b) const { return a % 2 != 0 && b % 2 != 0; }
};
struct has_odd_x {
  GPUPRIM_HOST_DEVICE bool operator()(const test::point3& p) const { return int(p.x) % 2 != 0; }
};

template <class T, class Fn, class Predicate>
void check_transform_if(std::int64_t n, Fn fn, Predicate predicate, test::pass_places at = {}) {
  CAPTURE(n, at.in, at.out);
  const auto values = test::make_values<T>(n), before = test::make_values<T>(n + 7);
  std::vector<T> want(before.begin(), before.begin() + n), in_place(values), by_stencil(want);
  std::vector<int> stencil;
  for (std::size_t i = 0; i < values.size(); ++i) {
    stencil.push_back(int(test::scramble(std::int64_t(i)) % 100));
    if (predicate(values[i])) want[i] = in_place[i] = fn(values[i]);
    if (is_odd{}(stencil[i])) by_stencil[i] = fn(values[i]);
  }
  const std::vector<T> other(before.begin(), before.begin() + n);
  test::device_array<T> in(values, at.in), out(other, at.out), also(other, at.out), own(values, at.out);
  test::device_array<int> flags(stencil, 4);
  CUDA_OK(gpuprim::transform_if(in.data(), n, out.data(), fn, predicate));
  CUDA_OK(gpuprim::transform_if(in.data(), flags.data(), n, also.data(), fn, is_odd{}));
  CUDA_OK(gpuprim::transform_if(own.data(), n, own.data(), fn, predicate));
  CHECK(test::same_bytes(out.download(), want));
  CHECK(test::same_bytes(also.download(), by_stencil));
  CHECK(test::same_bytes(own.download(), in_place));
  out.check_guards();
  also.check_guards();
  own.check_guards();
  in.check_unchanged();
  flags.check_unchanged();
}

template <class T>
void check_reversed(std::int64_t n, test::pass_places at = {}) {
  CAPTURE(n, at.in, at.out);
  const auto values = test::make_values<T>(n);
  const std::vector<T> want(values.rbegin(), values.rend());
  test::device_array<T> in(values, at.in), out(values.size(), at.out), own(values, at.out);
  CUDA_OK(gpuprim::reverse(in.data(), n, out.data()));
  CUDA_OK(gpuprim::reverse(own.data(), n, own.data()));
  CHECK(test::same_bytes(out.download(), want));
  CHECK(test::same_bytes(own.download(), want));
  out.check_guards();
  own.check_guards();
  in.check_unchanged();
}

template <class T, class Op>
void check_right_difference(std::int64_t n, Op op, test::pass_places at = {}) {
  CAPTURE(n, at.in, at.out);
  const auto values = test::make_values<T>(n);
  std::vector<T> want(values);
  for (std::size_t i = 0; i + 1 < values.size(); ++i) want[i] = op(values[i], values[i + 1]);
  test::device_array<T> in(values, at.in), out(values.size(), at.out);
  CUDA_OK(gpuprim::adjacent_difference_right(in.data(), n, out.data(), op));
  CHECK(test::same_bytes(out.download(), want));
  out.check_guards();
  in.check_unchanged();
}

struct apart {
  template <class T>
  GPUPRIM_HOST_DEVICE T operator()(const T& x, const T& beside) const {
    return gpuprim::minus<T>{}(gpuprim::multiplies<T>{}(x, T(3)), beside);
  }
};

}  // namespace

TEST_CASE("Results only where a predicate holds", "[device][sanitizer]") {
  for (int n : {0, 1, 5, 33, 1000, 5001}) {
    check_transform_if<int>(n, triple{}, is_odd{}, {4, 0, 8});
    check_transform_if<unsigned char>(n, triple{}, is_odd{}, {3, 0, 5});
    check_transform_if<test::point3>(n, moved_point{}, has_odd_x{}, {4, 0, 8});
  }
  test::unless_sanitized([](auto) { check_transform_if<std::int64_t>(777, triple{}, is_odd{}, {8, 0, 0}); });
  // Of several inputs, one of which is the output.
  const auto a = test::make_values<int>(777);
  const auto b = test::make_values<short>(777);
  test::device_array<int> first(a, 4);
  test::device_array<short> second(b, 2);
  CUDA_OK(
      gpuprim::transform_if(gpuprim::inputs(first.data(), second.data()), 777, first.data(), mixed{}, are_both_odd{}));
  auto want = a;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (are_both_odd{}(a[i], b[i])) want[i] = mixed{}(a[i], b[i]);
  }
  CHECK(first.download() == want);
  first.check_guards();
  CHECK(gpuprim::transform_if(second.data(), -1, first.data(), triple{}, is_odd{}) == cudaErrorInvalidValue);
  CHECK(gpuprim::transform_if(first.data(), 9, first.data() + 1, triple{}, is_odd{}) == cudaErrorInvalidValue);
  CHECK(std::string(gpuprim::last_fault()) == "an output overlaps an input, and is not the same array");
  CHECK(gpuprim::transform_if(first.data(), 9, static_cast<int*>(nullptr), triple{}, is_odd{}) ==
        cudaErrorInvalidValue);
}

TEST_CASE("Gathers and scatters of some elements", "[device][sanitizer]") {
  const std::int64_t n = 1003;
  const auto values = test::make_values<int>(n);
  std::vector<int> index, stencil, gathered(std::size_t(n), -7), scattered(std::size_t(n), -7);
  for (std::int64_t i = 0; i < n; ++i) {
    stencil.push_back(int(test::scramble(i) % 9));
    const bool is_taken = is_odd{}(stencil.back());
    index.push_back(is_taken ? int(i * 619 % n) : -5000000);  // those of others are not looked at
    if (!is_taken) continue;
    gathered[std::size_t(i)] = values[std::size_t(index.back())];
    scattered[std::size_t(index.back())] = values[std::size_t(i)];
  }
  test::device_array<int> in(values), at(index, 4), which(stencil, 8);
  test::device_array<int> out(std::vector<int>(std::size_t(n), -7)), also(std::vector<int>(std::size_t(n), -7), 4);
  CUDA_OK(gpuprim::gather_if(in.data(), at.data(), which.data(), n, out.data(), is_odd{}));
  CUDA_OK(gpuprim::scatter_if(in.data(), at.data(), which.data(), n, also.data(), is_odd{}));
  CHECK(out.download() == gathered);
  CHECK(also.download() == scattered);
  out.check_guards();
  also.check_guards();
  const int* const null = nullptr;
  CHECK(gpuprim::gather_if(null, at.data(), which.data(), n, out.data(), is_odd{}) == cudaErrorInvalidValue);
  CHECK(gpuprim::gather_if(in.data(), at.data(), null, n, out.data(), is_odd{}) == cudaErrorInvalidValue);
  CHECK(gpuprim::scatter_if(in.data(), at.data(), null, n, also.data(), is_odd{}) == cudaErrorInvalidValue);
  CHECK(gpuprim::scatter_if(in.data(), at.data(), which.data(), n, which.data(), is_odd{}) == cudaErrorInvalidValue);
  CHECK(gpuprim::scatter_if(null, null, null, 0, also.data(), is_odd{}) == cudaSuccess);
}

TEST_CASE("Arithmetic sequences", "[device][sanitizer]") {
  for (int n : {0, 1, 33, 1001}) {
    test::device_array<int> plain(std::size_t(n), 4);
    test::device_array<double> steps(std::size_t(n), 8);
    CUDA_OK(gpuprim::sequence(plain.data(), n));
    CUDA_OK(gpuprim::sequence(steps.data(), n, 5.0, -0.25));
    std::vector<int> want(static_cast<std::size_t>(n));
    std::iota(want.begin(), want.end(), 0);
    CHECK(plain.download() == want);
    const auto got = steps.download();
    for (int i = 0; i < n; ++i) CHECK(got[std::size_t(i)] == 5.0 - 0.25 * i);
    CUDA_OK(gpuprim::sequence(plain.data(), n, 100, {}, {.stream = nullptr}));
    if (n > 0) CHECK(plain.download().back() == 100);
    CUDA_OK(gpuprim::sequence(plain.data(), n, {.stream = nullptr}));
    CHECK(plain.download() == want);
    plain.check_guards();
  }
  test::device_array<__half> halves(3000);
  CUDA_OK(gpuprim::sequence(halves.data(), 3000, __float2half(1), __float2half(0.5f)));
  CHECK(__half2float(halves.download()[2999]) == __half2float(__float2half(1 + 0.5f * 2999)));
}

TEST_CASE("Elements in the reverse of their order", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 3, 34, 1001, 4000}) {
    check_reversed<int>(n, {4, 0, 8});
    check_reversed<test::point3>(n);
    check_reversed<unsigned char>(n, {1, 0, 2});
  }
  test::device_array<int> a(test::make_values<int>(9));
  test::device_array<double> out(9);
  CUDA_OK(gpuprim::reverse(gpuprim::positions<int>{}, 9, out.data()));
  CHECK(out.download() == std::vector<double>{8, 7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(gpuprim::reverse(a.data(), 8, a.data() + 1) == cudaErrorInvalidValue);
  CHECK(gpuprim::reverse(a.data(), 9, reinterpret_cast<float*>(a.data())) == cudaErrorInvalidValue);
  CHECK(std::string(gpuprim::last_fault()) == "the output overlaps the input");
  CHECK(gpuprim::reverse(a.data(), -1, a.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::reverse(static_cast<int*>(nullptr), 4, static_cast<int*>(nullptr)) == cudaErrorInvalidValue);
}

TEST_CASE("Random orders", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 3, 7, 16, 17, 1000, 4097}) {
    CAPTURE(n);
    const auto values = test::make_values<int>(n);
    test::device_array<int> in(values), out(std::size_t(n), 4), order(static_cast<std::size_t>(n));
    CUDA_OK(gpuprim::shuffle(in.data(), n, out.data(), 42));
    const gpuprim::shuffled_positions positions(n, 42);
    CUDA_OK(gpuprim::copy(positions, n, order.data()));
    const auto got = out.download(), at = order.download();
    std::set<int> seen(at.begin(), at.end());
    CHECK(int(seen.size()) == n);
    if (n > 0) CHECK((*seen.begin() == 0 && *seen.rbegin() == n - 1));
    bool is_right = true;
    for (std::size_t i = 0; i < got.size(); ++i) {
      is_right &= got[i] == values[std::size_t(at[i])] && at[i] == positions[std::int64_t(i)];
    }
    CHECK(is_right);
    out.check_guards();
    in.check_unchanged();
  }
  // Each of five comes to each of five places about as often as the others, over many seeds.
  int counts[5][5] = {};
  for (int seed = 0; seed < 5000; ++seed) {
    const gpuprim::shuffled_positions positions(5, std::uint64_t(seed));
    for (int i = 0; i < 5; ++i) ++counts[i][positions[i]];
  }
  for (const auto& row : counts) {
    for (int count : row) CHECK(std::abs(count - 1000) < 6 * 29);  // a standard deviation is below 29
  }
  test::device_array<int> a(9);
  CHECK(gpuprim::shuffle(a.data(), 9, a.data(), 1) == cudaErrorInvalidValue);
}

TEST_CASE("Differences from the element behind", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 3, 5, 33, 1000, 5001}) {
    check_right_difference<int>(n, apart{}, {4, 0, 8});
    check_right_difference<unsigned char>(n, gpuprim::minus{}, {3, 0, 5});
    test::unless_sanitized([&](auto) { check_right_difference<std::int64_t>(n, apart{}, {8, 0, 0}); });
  }
  test::device_array<int> out(5);
  CUDA_OK(gpuprim::adjacent_difference_right(gpuprim::positions<int>{}, 5, out.data(), {.stream = nullptr}));
  CHECK(out.download() == std::vector<int>{-1, -1, -1, -1, 4});
  CHECK(gpuprim::adjacent_difference_right(out.data(), 5, out.data()) == cudaErrorInvalidValue);
}
