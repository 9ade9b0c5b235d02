// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/histogram_check.cuh"

namespace {

using test::check_even;
using test::check_ranges;
using test::make_levels;
using test::make_samples;

template <class T>
constexpr T least = std::numeric_limits<T>::lowest();
template <class T>
constexpr T most = (std::numeric_limits<T>::max)();

/// Bins over all values, over few, more than there are values, and of a width that is no power of two.
template <class T>
void check_integers(std::int64_t n) {
  const auto samples = make_samples<T>(n);
  check_even(samples, gpuprim::even_bins{7, least<T>, most<T>});
  check_even(samples, gpuprim::even_bins{300, T(3), T(100)}, sizeof(T));
  check_even(samples, gpuprim::even_bins{1, T(0), T(1)});
  check_even(samples, gpuprim::even_bins{900, T(5), most<T>});
}

template <class T>
void check_floats(std::int64_t n) {
  const auto samples = make_samples<T>(n);
  check_even(samples, gpuprim::even_bins{10, -1.0f, 1.0f});
  check_even(samples, gpuprim::even_bins{10, 0, 1.0f});  // bounds of two types: of the common one
  check_even(samples, gpuprim::even_bins{900, -0.3f, 0.7f}, sizeof(T));
  check_ranges(samples, std::vector<float>{-0.5f, -0.1f, -0.1f, 0.0f, 0.25f, 1.0f});
}

/// Counts channels, of which each has bins of its own.
template <int Channels, class T, class Bins, std::size_t Active>
void check_channels_in(const std::vector<T>& samples, const std::array<Bins, Active>& bins,
                       std::size_t misalignment = 0) {
  CAPTURE(Channels, Active, samples.size(), misalignment);
  test::device_array<T> input(samples, misalignment);
  std::vector<std::unique_ptr<test::device_array<int>>> outputs;
  std::array<int*, Active> counts{};
  for (std::size_t c = 0; c < Active; ++c) {
    outputs.push_back(std::make_unique<test::device_array<int>>(std::size_t(bins[c].count)));
    counts[c] = outputs[c]->data();
  }
  const auto pixels = std::int64_t(samples.size()) / Channels;
  CUDA_OK(gpuprim::histogram<Channels>(static_cast<const T*>(input.data()), pixels, counts, bins));
  for (std::size_t c = 0; c < Active; ++c) {
    CHECK(bool(outputs[c]->download() ==
               test::expected_counts<int>(samples, bins[c], std::size_t(bins[c].count), Channels, int(c))));
    outputs[c]->check_guards();
  }
  input.check_unchanged();
}

template <int Channels, int Active, class T>
void check_channels(std::int64_t pixels, std::size_t misalignment) {
  std::array<gpuprim::even_bins<int>, Active> bins;
  for (int c = 0; c < Active; ++c) bins[std::size_t(c)] = {5 + 10 * c, c, 50 + 25 * c};
  check_channels_in<Channels>(make_samples<T>(pixels * Channels), bins, misalignment);
}

/// Counts the first of 16 channels, so that there are many samples and few to count.
template <class T, class Bins, class Expected>
void check_one_of_16(std::int64_t n, const Bins& bins, const Expected& expected) {
  CAPTURE(n, bins.count);
  const std::int64_t pixels = n / 16 + 1;
  const auto samples = make_samples<T>(pixels * 16);
  test::device_array<T> input(samples);
  test::device_array<unsigned> output(std::size_t(bins.count));
  CUDA_OK(gpuprim::histogram<16>(static_cast<const T*>(input.data()), pixels, std::array{output.data()}, bins));
  CHECK(bool(output.download() == test::expected_counts<unsigned>(samples, expected, std::size_t(bins.count), 16)));
  output.check_guards();
  input.check_unchanged();
}
template <class T, class Level>
void check_one_of_16(std::int64_t n, gpuprim::even_bins<Level> bins) {
  check_one_of_16<T>(n, bins, bins);
}
template <class T>
void check_one_of_16(std::int64_t n, const std::vector<T>& levels) {
  test::device_array<T> on_device(levels);
  const gpuprim::bin_ranges bins{static_cast<const T*>(on_device.data()), int(levels.size()) - 1};
  check_one_of_16<T>(n, bins, levels);
}

/// Launches that one histogram of n floats takes.
std::size_t count_launches(std::int64_t n, int bins) {
  const auto samples = make_samples<float>(n);
  test::device_array<float> input(samples);
  test::device_array<unsigned> output(std::size_t(bins) + 1);
  gpuprim::workspace workspace(gpuprim::histogram_workspace_bytes);
  return test::run_in_graph([&](cudaStream_t s) {
    return gpuprim::histogram(input.data(), n, output.data(), gpuprim::even_bins{bins, -1.0f, 1.0f}, {s, &workspace});
  });
}
/// The plan for arrays that lie somewhere: nothing reads them.
gpuprim::launch_plan plan_of(std::int64_t n, int bins) {
  const auto* in = reinterpret_cast<const float*>(std::uintptr_t{1} << 32);
  auto* counts = reinterpret_cast<unsigned*>(std::uintptr_t{1} << 50);
  return gpuprim::histogram_plan(in, n, counts, gpuprim::even_bins{bins, -1.0f, 1.0f});
}

/// Computed samples.
struct sevens : gpuprim::detail::input_iterator_types<int> {
  __host__ __device__ int operator[](std::int64_t i) const { return int(i % 7); }
};

}  // namespace

TEST_CASE("histogram of every size", "[device][sanitizer]") {
  for (std::int64_t n : test::sizes()) {
    const auto samples = make_samples<float>(n);
    for (int bins : {100, 2000, 20000}) check_even(samples, gpuprim::even_bins{bins, -1.0f, 1.0f});
  }
}

TEST_CASE("histogram_plan says where the samples are counted", "[device]") {
  for (std::int64_t n : {1, 3000, 50000, 1 << 20}) {  // in shared memory, which holds all bins
    const auto plan = plan_of(n, 1000);
    CHECK(plan.shared_bytes >= 4 * 1000);
    CHECK(std::int64_t{plan.grid_size} * plan.block_size < n + 1024 + plan.block_size);
    CHECK(plan.grid_size <= plan.multiprocessors);
  }
  CHECK(plan_of(4000, 100).grid_size == 1);
  CHECK(plan_of(40000, 100).grid_size > 1);
  for (std::int64_t n : {1, 3000}) {  // a thread takes one sample
    const auto plan = plan_of(n, 100000);
    CHECK(plan.shared_bytes == 0);
    CHECK(std::int64_t{plan.grid_size} * plan.block_size >= n);
  }
  // In passes, where samples are many, and with counters for some of the bins, where there are too many bins.
  CHECK(plan_of(1 << 22, 100000).shared_bytes >= 4 * 100000 / 3);
  CHECK(plan_of(1 << 22, 100000).shared_bytes < 4 * 100000);
  CHECK(plan_of(1 << 22, 1 << 20).shared_bytes > 0);
  test::device_array<unsigned char> bytes(500);
  test::device_array<unsigned> counts(9);
  const auto few = gpuprim::histogram_plan(bytes.data(), 500, counts.data(), gpuprim::even_bins{9, 0, 256});
  CHECK(few.shared_bytes >= 4 * 256);  // a counter for each value
  CHECK_THROWS_AS(gpuprim::histogram_plan(bytes.data(), -1, counts.data(), gpuprim::even_bins{9, 0, 256}),
                  gpuprim::cuda_error);
}

TEST_CASE("no block of a histogram counts more samples than 32 bits hold", "[device]") {
  test::device_array<std::int64_t> counts(9);
  for (int shift : {20, 38, 40, 45, 60}) {
    const std::int64_t n = (std::int64_t{1} << shift) + 5;
    const auto plan = gpuprim::histogram_plan(sevens{}, n, counts.data(), gpuprim::even_bins{9, 0, 9});
    CHECK(n / plan.grid_size < std::int64_t{1} << 32);
  }
}

TEST_CASE("histogram takes one launch, or one more that sets many counts to zero", "[device]") {
  CHECK(count_launches(5000, 5000) == 1);
  CHECK(count_launches(5000, 10000) == 2);
  CHECK(count_launches(5000, 30000) == 2);  // in global memory
}

TEST_CASE("histogram of bytes in few bins and in many", "[device][sanitizer]") {
  const auto samples = make_samples<signed char>(5001);
  for (int count : {1, 20, 21, 64, 65, 128, 129, 200, 201, 2000, 10000}) {
    check_even(samples, gpuprim::even_bins{count, -128, 128});
    check_even(samples, gpuprim::even_bins{count, -100, 90});
    check_even(make_samples<unsigned char>(5001), gpuprim::even_bins{count, 0, 256});
  }
}

TEST_CASE("histogram at every misalignment", "[device]") {
  for (std::size_t offset = 0; offset < 16; ++offset) {
    check_even(make_samples<signed char>(3001), gpuprim::even_bins{50, -100, 90}, offset);
    for (std::int64_t n : {3, 15, 17})
      check_even(make_samples<signed char>(n), gpuprim::even_bins{256, -128, 128}, offset);
    if (offset % 4 == 0) check_even(make_samples<int>(3001), gpuprim::even_bins{9, 1, 5000}, offset);
  }
}

TEST_CASE("histogram of every integer type", "[device]") {
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

TEST_CASE("histogram in counters of 64 bits", "[device]") {
  for (int count : {1, 900}) {
    check_even<std::int64_t>(make_samples<int>(5001), gpuprim::even_bins{count, 0, 70000});
    check_even<unsigned long long>(make_samples<float>(5001), gpuprim::even_bins{count, -0.3f, 0.7f});
  }
}

TEST_CASE("histogram of every floating type", "[device]") {
  check_floats<float>(5001);
  check_floats<__half>(5001);
  test::unless_sanitized([](auto) {
    check_floats<double>(5001);
    check_floats<__nv_bfloat16>(5001);
  });
  check_even(make_samples<float>(5001), gpuprim::even_bins{3000, -0.999, 0.3});
}

TEST_CASE("histogram of samples at the limits of bins", "[device]") {
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
    check_even(whole, gpuprim::even_bins{count, -17ll, 2001ll});
    check_even(samples, gpuprim::even_bins{count, 0.0f, 7.0f});
    check_even(samples, gpuprim::even_bins{count, -0.1, 6.3});
  }
  check_even(whole, gpuprim::even_bins{33, 0u, 999u});  // samples with a sign, levels without
  check_even(whole, gpuprim::even_bins{33, -5ll, 1ll << 40});
  std::vector<std::uint64_t> wide;
  for (std::uint64_t i = 0; i < 2000; ++i) wide.push_back(~std::uint64_t{0} / 1999 * i - i % 3);
  check_even(wide, gpuprim::even_bins{1999, std::uint64_t{0}, ~std::uint64_t{0}});
  check_even(wide, gpuprim::even_bins{1023, std::uint64_t{12345}, ~std::uint64_t{0} - 7});
  check_even(wide, gpuprim::even_bins{2023, std::uint64_t{12345}, ~std::uint64_t{0} - 7});
}

TEST_CASE("histogram of skewed samples", "[device][sanitizer]") {
  std::vector<float> samples(20001, 0.3f);
  check_even(samples, gpuprim::even_bins{256, 0.0f, 1.0f});
  check_even(samples, gpuprim::even_bins{20000, 0.0f, 1.0f});
  for (std::size_t i = 0; i < samples.size(); i += 3) samples[i] = float(test::scramble(i)) * 0x1p-32f;
  check_even(samples, gpuprim::even_bins{5000, 0.0f, 1.0f});
  check_even(samples, gpuprim::even_bins{20000, 0.0f, 1.0f});
}

TEST_CASE("histogram in more bins than samples pay for", "[device][sanitizer]") {
  // More samples than are taken one a thread: a block has counters for some of the bins.
  auto samples = make_samples<float>(40001);
  for (std::size_t i = 0; i < samples.size(); i += 3) samples[i] = 0.3f;
  check_even(samples, gpuprim::even_bins{40000, -1.0f, 1.0f}, 4);
  test::unless_sanitized([](auto) {
    check_even(make_samples<int>(40001), gpuprim::even_bins{40000, -5, 1000000});
    check_even<std::int64_t>(make_samples<std::int64_t>(40001), gpuprim::even_bins{40000, -5ll, 1ll << 40});
  });
}

TEST_CASE("histogram in several passes", "[device]") {
  // More bins than fit shared memory, with 20 samples for each. One channel has no bins for the second pass.
  const std::array bins{gpuprim::even_bins{60000, -1.0f, 1.0f}, gpuprim::even_bins{1, 0.0f, 1.0f}};
  check_channels_in<16>(make_samples<float>(16 * 76000), bins);
  check_one_of_16<double>(110000, make_levels<double>(5400));
  test::unless_sanitized([](auto) {
    check_one_of_16<int>(1210000, gpuprim::even_bins{60000, -5, 1000000});
    check_one_of_16<std::int64_t>(1210000, gpuprim::even_bins{60000, -5ll, 1ll << 40});
  });
  const auto* in = reinterpret_cast<const float*>(std::uintptr_t{1} << 32);
  std::array counts{reinterpret_cast<int*>(std::uintptr_t{1} << 50), reinterpret_cast<int*>(std::uintptr_t{1} << 51)};
  const auto plan = gpuprim::histogram_plan<16>(in, 76000, counts, bins);
  CHECK(plan.shared_bytes >= 4 * 60000 / 3);
  CHECK(plan.shared_bytes < 4 * 60000);
}

TEST_CASE("few samples between many levels are counted in global memory", "[device][sanitizer]") {
  const auto samples = make_samples<float>(5001);
  check_ranges(samples, make_levels<float>(5000), 4);
  check_ranges(samples, make_levels<float>(30000));
  check_ranges(std::vector<float>(700, 0.4f), make_levels<float>(5000));  // all in one bin
  const auto where = make_levels<float>(30000);
  test::device_array<float> levels(where), input(samples);
  test::device_array<unsigned> counts(30000);
  const auto plan = gpuprim::histogram_plan(static_cast<const float*>(input.data()), 5001, counts.data(),
                                            gpuprim::bin_ranges{static_cast<const float*>(levels.data()), 30000});
  CHECK(plan.shared_bytes == 0);
  CHECK(plan.grid_size * plan.block_size >= 5001);
}

TEST_CASE("histogram between more levels than samples pay for", "[device]") {
  check_one_of_16<float>(550000, make_levels<float>(60000));
}

TEST_CASE("histogram between levels", "[device][sanitizer]") {
  const auto samples = make_samples<float>(9001);
  for (int bins : {1, 2, 99, 1500}) check_ranges(samples, make_levels<float>(bins), bins == 99 ? 4 : 0);
  // Long gaps, before, between and behind, and many levels in one of the cells.
  std::vector<float> uneven{-1.0f, -0.5f};
  for (int i = 0; i < 300; ++i) uneven.push_back(0.25f + float(i) * 1e-6f);
  for (int i = 0; i < 50; ++i) uneven.push_back(0.5f);
  uneven.push_back(1.0f);
  check_ranges(samples, uneven);
  for (int i = 0; i < 4000; ++i) uneven.push_back(1.0f + 0.25f * float(i) * float(i));
  check_ranges(samples, uneven);
  const float infinity = std::numeric_limits<float>::infinity();
  check_ranges(samples, std::vector<float>{-infinity, -0.5f, 0.0f, 0.5f, infinity});
  check_ranges(samples, std::vector<float>{-3e38f, 0.0f, 1e-30f, 3e38f});
  check_ranges(samples, std::vector<float>{0.5f, 0.5f});
  check_ranges(make_samples<int>(9001), make_levels<int>(199));
  check_ranges(make_samples<unsigned char>(5001), std::vector<int>{-7, 3, 4, 9, 200, 1000});
  test::unless_sanitized([](auto) {
    check_ranges(make_samples<unsigned>(5001), std::vector<int>{-5, 0, 7, 7, 100000});
    check_ranges(make_samples<int>(5001), std::vector<unsigned>{0, 7, 7, 100000, 4000000000u});
    check_ranges(make_samples<std::int64_t>(5001), make_levels<std::int64_t>(200));
    check_ranges(make_samples<double>(5001), make_levels<double>(200));
  });
}

TEST_CASE("histogram compares integers with floats exactly", "[device]") {
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

TEST_CASE("histogram of channels", "[device][sanitizer]") {
  for (std::int64_t pixels : {0, 1, 7, 500, 3001}) {
    check_channels<4, 3, unsigned char>(pixels, 0);
    check_channels<3, 3, float>(pixels, 4);
    check_channels<4, 4, float>(pixels, 4);
    check_channels_in<2>(make_samples<float>(pixels * 2),
                         std::array{gpuprim::even_bins{20000, -1.0f, 1.0f}, gpuprim::even_bins{9, 0.0f, 1.0f}}, 4);
  }
  for (std::size_t offset = 0; offset < 16; ++offset) {
    check_channels<4, 3, unsigned char>(333, offset);
    check_channels<3, 2, unsigned char>(333, offset);
  }
  test::unless_sanitized([](auto) {
    check_channels<2, 1, short>(2001, 6);
    check_channels<3, 3, double>(1001, 8);
  });
  check_channels<5, 4, int>(1001, 4);
}

TEST_CASE("histogram of computed samples", "[device]") {
  test::device_array<std::int64_t> counts(9);
  CUDA_OK(gpuprim::histogram(sevens{}, 700003, counts.data(), gpuprim::even_bins{9, 0, 9}));
  const std::int64_t each = 100000;
  CHECK(counts.download() == std::vector<std::int64_t>{each + 1, each + 1, each + 1, each, each, each, each, 0, 0});
  test::device_array<int> even(4), odd(4);
  CUDA_OK(gpuprim::histogram<2>(sevens{}, 7, std::array{even.data(), odd.data()}, gpuprim::even_bins{4, 0, 4}));
  CHECK(even.download() == std::vector<int>{1, 1, 1, 1});
  CHECK(odd.download() == std::vector<int>{1, 1, 1, 1});
}
