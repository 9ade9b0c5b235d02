// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/histogram_check.cuh"

namespace {

using test::check_even;
using test::check_ranges;
using test::make_samples;
using test::small_histogram;

template <class T>
constexpr T least = std::numeric_limits<T>::lowest();
template <class T>
constexpr T most = (std::numeric_limits<T>::max)();

/// Bins over all values, over few, more than there are values, and of a width that is no power of two.
template <class T>
void check_integers(std::int64_t n) {
  const auto samples = make_samples<T>(n);
  check_even<small_histogram>(samples, gpuprim::even_bins{7, least<T>, most<T>});
  check_even<small_histogram>(samples, gpuprim::even_bins{300, T(3), T(100)}, sizeof(T));
  check_even<small_histogram>(samples, gpuprim::even_bins{1, T(0), T(1)});
  check_even<small_histogram>(samples, gpuprim::even_bins{900, T(5), most<T>});
}

template <class T>
void check_floats(std::int64_t n) {
  const auto samples = make_samples<T>(n);
  check_even<small_histogram>(samples, gpuprim::even_bins{10, -1.0f, 1.0f});
  check_even<small_histogram>(samples, gpuprim::even_bins{900, -0.3f, 0.7f}, sizeof(T));
  check_ranges<small_histogram>(samples, std::vector<float>{-0.5f, -0.1f, -0.1f, 0.0f, 0.25f, 1.0f});
}

/// `count` levels; the distances grow.
template <class T>
std::vector<T> make_levels(int count) {
  std::vector<T> levels;
  for (int i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) levels.push_back(T(i * i));
    else levels.push_back(T(i) * T(i) / (T(count) * T(count)) - T(0.5));
  }
  return levels;
}

template <int Channels, int Active, class T, gpuprim::histogram_policy Policy = small_histogram>
void check_channels(std::int64_t pixels, std::size_t misalignment) {
  CAPTURE(Channels, Active, pixels, misalignment);
  const auto samples = make_samples<T>(pixels * Channels);
  test::device_array<T> input(samples, misalignment);
  std::array<gpuprim::even_bins<int>, Active> bins;
  std::vector<std::unique_ptr<test::device_array<int>>> outputs;
  std::array<int*, Active> counts{};
  for (std::size_t c = 0; c < Active; ++c) {
    bins[c] = {5 + 10 * int(c), int(c), 50 + 25 * int(c)};
    outputs.push_back(std::make_unique<test::device_array<int>>(std::size_t(bins[c].count)));
    counts[c] = outputs[c]->data();
  }
  CUDA_OK(
      gpuprim::detail::histogram_with<Policy, Channels>(static_cast<const T*>(input.data()), pixels, counts, bins, {})
          .code);
  for (std::size_t c = 0; c < Active; ++c) {
    CHECK(outputs[c]->download() ==
          test::expected_counts<int>(samples, bins[c], std::size_t(bins[c].count), Channels, int(c)));
    outputs[c]->check_guards();
  }
  input.check_unchanged();
}

/// Computed samples.
struct sevens : gpuprim::detail::input_iterator_types<int> {
  __host__ __device__ int operator[](std::int64_t i) const { return int(i % 7); }
};

}  // namespace

TEST_CASE("histogram of every size", "[device][sanitizer][few_schedules]") {
  for (std::int64_t n : test::sizes()) {
    const auto samples = make_samples<float>(n);
    check_even(samples, gpuprim::even_bins{100, -1.0f, 1.0f});
    check_even<small_histogram>(samples, gpuprim::even_bins{100, -1.0f, 1.0f});
    check_even<test::sparse_histogram>(samples, gpuprim::even_bins{100, -1.0f, 1.0f});
    check_even<test::few_histogram>(samples, gpuprim::even_bins{2000, -1.0f, 1.0f});
    for (int count : {200, 201}) {
      check_even<test::cleared_histogram>(samples, gpuprim::even_bins{count, -1.0f, 1.0f});
    }
  }
}

TEST_CASE("histogram of bytes in few bins and in many", "[device][sanitizer][few_schedules]") {
  const auto samples = make_samples<signed char>(5001);
  for (int count : {1, 20, 21, 128, 129, 200, 201, 2000}) {
    check_even(samples, gpuprim::even_bins{count, -128, 128});
    check_even<test::cleared_histogram>(samples, gpuprim::even_bins{count, -100, 90});
    check_even(make_samples<unsigned char>(5001), gpuprim::even_bins{count, 0, 256});
  }
}

TEST_CASE("histogram at every misalignment", "[device][few_schedules]") {
  for (std::size_t offset = 0; offset < 16; ++offset) {
    check_even<small_histogram>(make_samples<signed char>(3001), gpuprim::even_bins{50, -100, 90}, offset);
    for (std::int64_t n : {3, 15, 17})
      check_even(make_samples<signed char>(n), gpuprim::even_bins{256, -128, 128}, offset);
    if (offset % 4 == 0) check_even<small_histogram>(make_samples<int>(3001), gpuprim::even_bins{9, 1, 5000}, offset);
  }
}

TEST_CASE("histogram of every integer type", "[device][few_schedules]") {
  check_integers<signed char>(5001);
  check_integers<unsigned short>(5001);
  check_integers<int>(5001);
  check_integers<std::uint64_t>(5001);
  test::unless_sanitized([](auto) {
    check_integers<unsigned char>(5001);
    check_integers<short>(5001);
    check_integers<unsigned>(5001);
    check_integers<std::int64_t>(5001);
  });
}

TEST_CASE("histogram in counters of 64 bits", "[device][few_schedules]") {
  for (int count : {1, 900}) {
    check_even<small_histogram, std::int64_t>(make_samples<int>(5001), gpuprim::even_bins{count, 0, 70000});
    check_even<small_histogram, unsigned long long>(make_samples<float>(5001), gpuprim::even_bins{count, -0.3f, 0.7f});
  }
}

TEST_CASE("histogram of every floating type", "[device][few_schedules]") {
  check_floats<float>(5001);
  check_floats<__half>(5001);
  test::unless_sanitized([](auto) {
    check_floats<double>(5001);
    check_floats<__nv_bfloat16>(5001);
  });
  check_even(make_samples<float>(5001), gpuprim::even_bins{3000, -0.999, 0.3});
}

TEST_CASE("histogram of samples at the limits of bins", "[device][few_schedules]") {
  std::vector<float> samples;
  for (int i = -3; i < 53; ++i) {
    for (float x : {std::nextafter(float(i) / 7, -9.0f), float(i) / 7, std::nextafter(float(i) / 7, 9.0f)})
      samples.push_back(x);
  }
  check_even(samples, gpuprim::even_bins{49, 0.0f, 7.0f});
  check_even(samples, gpuprim::even_bins{1 << 16, 0.1f, 6.9f});
  std::vector<int> whole;
  for (int i = -30; i < 3000; ++i) whole.push_back(i);
  for (int count : {1, 3, 7, 999, 1000, 1001, 2900, 5000}) {
    check_even(whole, gpuprim::even_bins{count, 0, 1000});
    check_even<small_histogram>(whole, gpuprim::even_bins{count, 0, 1000});
    check_even<small_histogram>(whole, gpuprim::even_bins{count, -17ll, 2001ll});
    check_even<small_histogram>(samples, gpuprim::even_bins{count, 0.0f, 7.0f});
    check_even<small_histogram>(samples, gpuprim::even_bins{count, -0.1, 6.3});
  }
  check_even(whole, gpuprim::even_bins{33, 0u, 999u});  // samples with a sign, levels without
  check_even(whole, gpuprim::even_bins{33, -5ll, 1ll << 40});
  std::vector<std::uint64_t> wide;
  for (std::uint64_t i = 0; i < 2000; ++i) wide.push_back(~std::uint64_t{0} / 1999 * i - i % 3);
  check_even(wide, gpuprim::even_bins{1999, std::uint64_t{0}, ~std::uint64_t{0}});
  check_even(wide, gpuprim::even_bins{1023, std::uint64_t{12345}, ~std::uint64_t{0} - 7});
  check_even<small_histogram>(wide, gpuprim::even_bins{2023, std::uint64_t{12345}, ~std::uint64_t{0} - 7});
}

TEST_CASE("histogram of skewed samples", "[device][sanitizer][few_schedules]") {
  std::vector<float> samples(20001, 0.3f);
  check_even(samples, gpuprim::even_bins{256, 0.0f, 1.0f});
  check_even<small_histogram>(samples, gpuprim::even_bins{256, 0.0f, 1.0f});
  check_even<small_histogram>(samples, gpuprim::even_bins{5000, 0.0f, 1.0f});
  for (std::size_t i = 0; i < samples.size(); i += 3) samples[i] = float(test::scramble(i)) * 0x1p-32f;
  check_even<small_histogram>(samples, gpuprim::even_bins{5000, 0.0f, 1.0f});
}

TEST_CASE("few samples between levels for several passes are counted in one",
          "[device][sanitizer][few_schedules]") {
  const auto samples = make_samples<float>(50), levels = make_levels<float>(30001);
  test::device_array<float> input(samples), where(levels);
  test::device_array<unsigned> counts(30000);
  gpuprim::workspace workspace(gpuprim::histogram_workspace_bytes);
  const auto nodes = test::run_in_graph([&](cudaStream_t s) {
    const gpuprim::bin_ranges bins{static_cast<const float*>(where.data()), 30000};
    return gpuprim::histogram(input.data(), 50, counts.data(), bins, {s, &workspace});
  });
  CHECK(nodes == 2);  // one clears the counts
  CHECK(bool(counts.download() == test::expected_counts<unsigned>(samples, levels, 30000)));
}

TEST_CASE("histogram between levels", "[device][sanitizer][few_schedules]") {
  const auto samples = make_samples<float>(9001);
  for (int count : {2, 3, 100, 1500}) {
    check_ranges(samples, make_levels<float>(count));
    check_ranges<small_histogram>(samples, make_levels<float>(count), 4);
    check_ranges<test::cleared_histogram>(samples, make_levels<float>(count));
    check_ranges<test::sparse_histogram>(samples, make_levels<float>(count));
    check_ranges<test::few_histogram>(samples, make_levels<float>(count), 4);
  }
  check_ranges<test::few_histogram>(std::vector<float>(700, 0.5f), make_levels<float>(100));  // all in one bin
  // Long gaps, before, between and behind, and many levels in one of the cells.
  std::vector<float> uneven{-1.0f, -0.5f};
  for (int i = 0; i < 300; ++i) uneven.push_back(0.25f + float(i) * 1e-6f);
  for (int i = 0; i < 50; ++i) uneven.push_back(0.5f);
  uneven.push_back(1.0f);
  check_ranges(samples, uneven);
  check_ranges<small_histogram>(samples, uneven);
  check_ranges<test::few_histogram>(samples, uneven);
  const float infinity = std::numeric_limits<float>::infinity();
  check_ranges(samples, std::vector<float>{-infinity, -0.5f, 0.0f, 0.5f, infinity});
  check_ranges(samples, std::vector<float>{-3e38f, 0.0f, 1e-30f, 3e38f});
  check_ranges(samples, std::vector<float>{0.5f, 0.5f});
  check_ranges(make_samples<int>(9001), make_levels<int>(200));
  check_ranges(make_samples<unsigned char>(5001), std::vector<int>{-7, 3, 4, 9, 200, 1000});
  test::unless_sanitized([](auto) {
    check_ranges(make_samples<unsigned>(5001), std::vector<int>{-5, 0, 7, 7, 100000});
    check_ranges(make_samples<int>(5001), std::vector<unsigned>{0, 7, 7, 100000, 4000000000u});
    check_ranges(make_samples<std::int64_t>(5001), make_levels<std::int64_t>(200));
    check_ranges(make_samples<double>(5001), make_levels<double>(200));
  });
}

TEST_CASE("histogram compares integers with floats exactly", "[device][few_schedules]") {
  const auto count = [](const auto& samples, const auto& levels) {
    test::device_array input(samples);
    test::device_array bounds(levels);
    test::device_array<unsigned> counts(levels.size() - 1);
    CUDA_OK(gpuprim::histogram(input.data(), std::int64_t(samples.size()), counts.data(),
                               gpuprim::bin_ranges{bounds.data(), int(levels.size()) - 1}));
    return counts.download();
  };
  const float float_holds = 16777216;  // the last integer before one that it does not
  const std::vector<int> integers = {16777217, 16777219, 16777215};
  CHECK(count(integers, std::vector<float>{0, float_holds, float_holds + 4, 2 * float_holds}) ==
        std::vector<unsigned>{1, 2, 0});
  CHECK(count(std::vector<float>{float_holds}, std::vector<int>{0, 16777217, 16777219}) == std::vector<unsigned>{1, 0});
}

TEST_CASE("histogram of channels", "[device][sanitizer][few_schedules]") {
  for (std::int64_t pixels : {0, 1, 7, 500, 3001}) {
    check_channels<4, 3, unsigned char>(pixels, 0);
    check_channels<3, 3, float>(pixels, 4);
    check_channels<4, 4, float, test::few_histogram>(pixels, 4);
  }
  for (std::size_t offset = 0; offset < 16; ++offset) {
    check_channels<4, 3, unsigned char>(333, offset);
    check_channels<3, 2, unsigned char>(333, offset);
  }
  test::unless_sanitized([](auto) {
    check_channels<2, 1, short>(2001, 6);
    check_channels<3, 3, double>(1001, 8);
  });
  check_channels<5, 4, int, gpuprim::default_histogram_policy>(1001, 4);
}

TEST_CASE("histogram of computed samples", "[device][few_schedules]") {
  test::device_array<std::int64_t> counts(9);
  CUDA_OK(gpuprim::histogram(sevens{}, 700003, counts.data(), gpuprim::even_bins{9, 0, 9}));
  const std::int64_t each = 100000;
  CHECK(counts.download() == std::vector<std::int64_t>{each + 1, each + 1, each + 1, each, each, each, each, 0, 0});
  test::device_array<int> even(4), odd(4);
  CUDA_OK(gpuprim::histogram<2>(sevens{}, 7, std::array{even.data(), odd.data()}, gpuprim::even_bins{4, 0, 4}));
  CHECK(even.download() == std::vector<int>{1, 1, 1, 1});
  CHECK(odd.download() == std::vector<int>{1, 1, 1, 1});
}
