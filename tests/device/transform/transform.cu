// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/transform_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

constexpr auto few = test::small_transform;
constexpr auto tuned = gpuprim::tuned_transform_policy;

struct triple_it {
  template <class T> GPUPRIM_HOST_DEVICE T operator()(T x) const { return gpuprim::multiplies<T>{}(x, T(3)); }
};
struct to_float {
  template <class T> GPUPRIM_HOST_DEVICE float operator()(T x) const { return 0.5f * float(x); }
};
struct turn_point {
  GPUPRIM_HOST_DEVICE test::point3 operator()(const test::point3& p) const { return {p.z, p.x, p.y + 1}; }
};
struct twice_point {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<test::point3, test::point3> operator()(const test::point3& p) const {
    return {p, turn_point{}(p)};
  }
};
struct turn_bytes {
  GPUPRIM_HOST_DEVICE test::triple<unsigned char> operator()(const test::triple<unsigned char>& p) const {
    return {{p.parts[2], p.parts[0], p.parts[1]}};
  }
};
struct square_it {
  GPUPRIM_HOST_DEVICE test::matrix2 operator()(const test::matrix2& m) const { return test::product{}(m, m); }
};
struct longer {
  GPUPRIM_HOST_DEVICE test::span_of_positions operator()(const test::span_of_positions& s) const {
    return {s.first - 1, s.last + 1};
  }
};
struct swap_parts {
  GPUPRIM_HOST_DEVICE test::complex_float operator()(const test::complex_float& c) const { return {c.im, c.re}; }
};
struct turn_loose {
  GPUPRIM_HOST_DEVICE test::loose_word operator()(test::loose_word w) const { return w + w; }
};
struct of_point {
  GPUPRIM_HOST_DEVICE int operator()(const test::point3& p, int x) const { return p.x - 3 * p.y + p.z * (x % 100); }
};
struct mix {
  template <class A, class B>
  GPUPRIM_HOST_DEVICE int operator()(A a, B b) const {
    return int(unsigned(int(a)) - 7u * unsigned(int(b)));
  }
};
struct mix_four {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(int a, short b, unsigned char c, std::int64_t d) const {
    return std::int64_t{a} - 3 * b + 5 * c - 7 * d;
  }
};
struct split {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<int, short, double> operator()(int x) const {
    return {int(unsigned(x) + 1u), static_cast<short>(x), 0.5 * x};
  }
};
struct seventh {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(std::int64_t i) const { return 7 * i - 3; }
};
struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x & 1; }
};
struct add_at {
  int* counts;
  GPUPRIM_HOST_DEVICE void operator()(std::int64_t i) const { counts[i] += int(i); }
};
struct add_to_bin {
  int* counts;
  __device__ void operator()(int x) const { atomicAdd(counts + (unsigned(x) % 7), 1); }
};

/// Element i is i % 7.
struct remainders : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(i % 7); }
};
/// Writes twice the value.
struct doubling_output {
  int* to;
  struct place {
    int& to;
    GPUPRIM_HOST_DEVICE void operator=(int value) const { to = 2 * value; }
  };
  GPUPRIM_HOST_DEVICE place operator[](std::int64_t i) const { return {to[i]}; }
};

}  // namespace

TEST_CASE("Transforms of every size", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 255, 257, 511, 513, 1000, 5003}) {
    test::check_one_input<few, int, int>(n, triple_it{});
    test::check_one_input<few, int, float>(n, to_float{}, {4, 0, 12});
  }
  for (int n : {1, 4095, 4096, 4097, 50001}) test::check_one_input<tuned, int, int>(n, triple_it{});
}

TEST_CASE("Transforms at every misalignment of input and output", "[device][sanitizer]") {
  for (std::size_t in = 0; in < 16; ++in) {
    for (std::size_t out = 0; out < 16; out += 3) {
      for (int n : {5, 40, 700}) test::check_one_input<few, unsigned char, unsigned char>(n, triple_it{}, {in, 0, out});
    }
  }
  for (std::size_t in : {0, 4, 8, 12}) {
    for (std::size_t out : {0, 4, 8, 12}) {
      test::check_one_input<few, int, int>(701, triple_it{}, {in, 0, out});
      test::check_one_input<few, test::point3, test::point3>(301, turn_point{}, {in, 0, out});
      test::check_one_input<few, test::complex_float, test::complex_float>(301, swap_parts{}, {in, 0, out});
      test::check_two_inputs<few, int, float, int>(555, mix{}, {in, out, 4});
      test::check_one_input<few, unsigned char, float>(301, to_float{}, {in + 1, 0, out});
    }
  }
}

TEST_CASE("Transforms of every type", "[device]") {
  for (int n : {1, 33, 700, 3001}) {
    test::check_one_input<few, short, short>(n, triple_it{}, {2, 0, 6});
    test::check_one_input<few, test::point3, test::point3>(n, turn_point{});
    test::check_one_input<few, test::triple<unsigned char>, test::triple<unsigned char>>(n, turn_bytes{}, {1, 0, 2});
    test::check_one_input<few, test::matrix2, test::matrix2>(n, square_it{}, {8, 0, 0});
    test::check_one_input<few, test::span_of_positions, test::span_of_positions>(n, longer{}, {4, 0, 4});
    test::check_one_input<few, test::loose_word, test::loose_word>(n, turn_loose{}, {1, 0, 3});
    test::check_two_inputs<few, test::point3, int, int>(n, of_point{}, {4, 8, 0});
    test::unless_sanitized([&](auto) {
      test::check_one_input<few, double, double>(n, triple_it{}, {8, 0, 0});
      test::check_one_input<few, std::int64_t, float>(n, to_float{});
      test::check_two_inputs<few, double, unsigned char, int>(n, mix{}, {8, 3, 4});
      test::check_two_inputs<few, short, std::int64_t, short>(n, mix{}, {2, 8, 4});
    });
  }
}

TEST_CASE("Transforms of four inputs, and with several outputs", "[device]") {
  const int n = 2003;
  const auto a = test::make_values<int>(n);
  const auto b = test::make_values<short>(n);
  const auto c = test::make_values<unsigned char>(n);
  const auto d = test::make_values<std::int64_t>(n);
  test::device_array<int> in_a(a, 4);
  test::device_array<short> in_b(b, 2);
  test::device_array<unsigned char> in_c(c, 5);
  test::device_array<std::int64_t> in_d(d, 8), out(n);
  CUDA_OK(gpuprim::transform(gpuprim::inputs(in_a.data(), in_b.data(), in_c.data(), in_d.data()), n, out.data(),
                             mix_four{}));
  std::vector<std::int64_t> want;
  for (std::size_t i = 0; i < std::size_t(n); ++i) want.push_back(mix_four{}(a[i], b[i], c[i], d[i]));
  CHECK(out.download() == want);
  out.check_guards();
  for (std::size_t past : {0, 4}) {  // at 4 the outputs begin packets at different elements
    test::device_array<int> x(n, past);
    test::device_array<short> y(n, past + 2);
    test::device_array<double> z(n);
    CUDA_OK(gpuprim::transform(in_a.data(), n, gpuprim::outputs(x.data(), y.data(), z.data()), split{}));
    const auto got_x = x.download();
    const auto got_y = y.download();
    const auto got_z = z.download();
    int wrong = 0;
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      wrong += got_x[i] != int(unsigned(a[i]) + 1u) || got_y[i] != static_cast<short>(a[i]) || got_z[i] != 0.5 * a[i];
    }
    CHECK(wrong == 0);
    x.check_guards();
    y.check_guards();
    z.check_guards();
  }
}

TEST_CASE("Transforms read and write iterators", "[device]") {
  const int n = 1003;
  test::device_array<int> out(n), twice(n, 4);
  CUDA_OK(gpuprim::transform(remainders{}, n, out.data(), triple_it{}));
  CUDA_OK(gpuprim::transform(out.data(), n, doubling_output{twice.data()}, triple_it{}));
  CUDA_OK(gpuprim::transform(gpuprim::inputs(remainders{}, out.data()), n, doubling_output{out.data()}, mix{}));
  const auto got = out.download();
  const auto got_twice = twice.download();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int x = i % 7;
    wrong += got_twice[std::size_t(i)] != 18 * x || got[std::size_t(i)] != 2 * (x - 21 * x);
  }
  CHECK(wrong == 0);
  out.check_guards();
}

TEST_CASE("for_each, generate, fill, copy and replace_if", "[device][sanitizer]") {
  for (int n : {0, 1, 33, 1001, 9001}) {
    CAPTURE(n);
    const auto room = static_cast<std::size_t>(n);
    test::device_array<int> counts(std::vector<int>(room, 5)), bins(std::vector<int>(7, 0));
    CUDA_OK(gpuprim::for_each(n, add_at{counts.data()}));
    test::device_array<std::int64_t> made(room, 8);
    CUDA_OK(gpuprim::generate(made.data(), n, seventh{}));
    const auto values = test::make_values<int>(n);
    test::device_array<int> in(values, 4), replaced(room, 8), copied(room, 12);
    CUDA_OK(gpuprim::for_each(in.data(), n, add_to_bin{bins.data()}));
    CUDA_OK(gpuprim::replace_if(in.data(), n, replaced.data(), is_odd{}, -1));
    CUDA_OK(gpuprim::copy(in.data(), n, copied.data()));
    test::device_array<float> converted(room);
    CUDA_OK(gpuprim::copy(in.data(), n, converted.data()));
    const auto got = counts.download(), got_bins = bins.download(), got_replaced = replaced.download();
    const auto got_made = made.download();
    const auto got_converted = converted.download();
    int wrong = 0, wanted_bins[7] = {};
    for (std::size_t i = 0; i < room; ++i) {
      ++wanted_bins[unsigned(values[i]) % 7];
      wrong += got[i] != 5 + int(i) || got_made[i] != 7 * std::int64_t(i) - 3 ||
               got_replaced[i] != (values[i] & 1 ? -1 : values[i]) || got_converted[i] != float(values[i]);
    }
    CHECK(wrong == 0);
    CHECK(std::equal(got_bins.begin(), got_bins.end(), wanted_bins));
    CHECK(copied.download() == values);
    for (auto* array : {&counts, &replaced, &copied}) array->check_guards();
    made.check_guards();
    in.check_unchanged();
    test::device_array<test::point3> points(room, 4), moved(room, 8);
    test::device_array<unsigned char> bytes(room, 3);
    CUDA_OK(gpuprim::fill(points.data(), n, test::point3{1, 2, 3}));
    CUDA_OK(gpuprim::fill(bytes.data(), n, 77));
    CUDA_OK(gpuprim::copy(points.data(), n, moved.data()));
    CHECK(bool(points.download() == std::vector<test::point3>(room, {1, 2, 3})));
    CHECK(bool(moved.download() == std::vector<test::point3>(room, {1, 2, 3})));
    CHECK(bytes.download() == std::vector<unsigned char>(room, 77));
    points.check_guards();
    moved.check_guards();
    bytes.check_guards();
  }
}

TEST_CASE("Streaming passes under ThreadSanitizer", "[device][tsan]") {
  test::check_one_input<few, test::point3, test::point3>(700, turn_point{}, {4, 0, 8});
  const auto points = test::make_values<test::point3>(300);
  test::device_array<test::point3> in(points), first(300), second(300);
  CUDA_OK(test::transform_with<few>(in.data(), 300, gpuprim::outputs(first.data(), second.data()), twice_point{}));
  CHECK(bool(first.download() == points));
  CHECK(bool(second.download()[299] == turn_point{}(points[299])));
  test::check_one_input<few, int, int>(900, triple_it{}, {4, 0, 8});
  test::check_two_inputs<few, int, float, int>(300, mix{}, {4, 8, 0});
}

TEST_CASE("Streaming passes refuse bad input in a sentence", "[device]") {
  test::device_array<int> a(test::make_values<int>(100)), b(test::make_values<int>(100));
  int* const null = nullptr;
  const auto says = [](cudaError_t e, const char* sentence) {
    CHECK(e == cudaErrorInvalidValue);
    CHECK_THAT(gpuprim::last_fault(), Catch::Matchers::ContainsSubstring(sentence));
  };
  const auto go = [](auto in, std::int64_t n, auto out) { return gpuprim::transform(in, n, out, triple_it{}); };
  says(go(null, 5, b.data()), "the input is a null pointer");
  says(go(a.data(), 5, null), "an output is a null pointer");
  says(go(a.data(), -1, b.data()), "the count is negative");
  says(go(a.data(), INT64_MAX, b.data()), "the count is too large");
  says(go(a.data(), 50, a.data() + 1), "an output overlaps an input, and is not the same array");
  says(go(reinterpret_cast<int*>(reinterpret_cast<char*>(a.data()) + 1), 5, b.data()), "not aligned");
  says(go(a.data(), 5, reinterpret_cast<int*>(reinterpret_cast<char*>(b.data()) + 2)), "not aligned");
  says(gpuprim::transform(a.data(), 50, reinterpret_cast<std::int64_t*>(a.data()), seventh{}), "overlaps an input");
  says(gpuprim::transform(
           a.data(), 50,
           gpuprim::outputs(b.data(), reinterpret_cast<short*>(b.data()), reinterpret_cast<double*>(b.data() + 60)),
           split{}),
       "two outputs overlap");
  says(gpuprim::fill(null, 5, 1), "an output is a null pointer");
  says(gpuprim::copy(a.data(), 50, a.data() + 10), "an output overlaps an input");
  CHECK(go(null, 0, null) == cudaSuccess);
  CHECK(gpuprim::fill(null, 0, 1) == cudaSuccess);
  a.check_unchanged();
  b.check_unchanged();
}

TEST_CASE("The plan of a transform spreads few packets over all multiprocessors", "[device]") {
  auto* const in = reinterpret_cast<const float*>(std::uintptr_t{1} << 40);
  auto* const out = reinterpret_cast<float*>(std::uintptr_t{1} << 41);
  const auto plan = gpuprim::transform_plan(in, 1 << 16, out, triple_it{});
  CHECK(plan.block_size == tuned.block_size);
  CHECK(plan.grid_size == (1 << 16) / 4 / tuned.block_size);
  CHECK(gpuprim::transform_plan(in, 1, out, triple_it{}).grid_size == 1);
  CHECK(gpuprim::transform_plan(in, std::int64_t{1} << 34, out, triple_it{}).grid_size ==
        (std::int64_t{1} << 34) * 4 / tuned.thread_bytes / tuned.block_size);
}
