// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of as many samples as a number in device memory says.
#include "../../support/reduce_check.cuh"

#include <gpuprim/histogram.cuh>

#include <string>

namespace {

template <class T, class Bins, class Bin>
void check(std::int64_t most, std::size_t past, const Bins& bins, const Bin& bin) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < most; ++i) values.push_back(static_cast<T>(unsigned(i) * 2654435761u % 251));
  const test::device_array<T> in(values, past);
  test::device_array<std::int64_t> number(1);
  for (std::int64_t told : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{2}, most / 3, most - 1, most, most + 9}) {
    CAPTURE(most, past, told, bins.count);
    number.upload({told});
    test::device_array<unsigned> counts(std::size_t(bins.count), 0);
    std::vector<unsigned> wanted(std::size_t(bins.count), 0);
    for (std::int64_t i = 0; i < std::min(told, most); ++i) {
      const int at = bin(values[std::size_t(i)]);
      if (at >= 0 && at < bins.count) ++wanted[std::size_t(at)];
    }
    CUDA_OK(gpuprim::histogram(in.data(), {number.data(), most}, counts.data(), bins));
    CHECK(counts.download() == wanted);
    counts.check_guards();
  }
  in.check_unchanged();
}

}  // namespace

TEST_CASE("Histograms take a count in device memory", "[device][sanitizer]") {
  for (std::int64_t most : {5, 300, 40000}) {
    check<int>(most, 4, gpuprim::even_bins{50, 0, 100}, [](int x) { return x / 2; });
    check<std::uint8_t>(most, 3, gpuprim::even_bins{256, 0, 256}, [](int x) { return x; });
  }
  test::unless_sanitized([](auto) {
    check<float>(9000, 8, gpuprim::even_bins{20, 0.0f, 200.0f}, [](float x) { return int(x / 10); });
    check<int>(3000, 0, gpuprim::even_bins{300000, 0, 300000}, [](int x) { return x; });  // in global memory
    check<int>(70000, 0, gpuprim::even_bins{300000, 0, 300000}, [](int x) { return x; });
  });
}

TEST_CASE("The channels of an image are counted in as many pixels as a number says", "[device]") {
  const int most = 5000;
  std::vector<std::uint8_t> image;
  for (int i = 0; i < 3 * most; ++i) image.push_back(std::uint8_t(i * 7 % 200));
  const test::device_array<std::uint8_t> in(image, 1);
  test::device_array<int> number(1), red(256), green(256);
  for (int told : {0, 3, 4321, 6000}) {
    CAPTURE(told);
    number.upload({told});
    std::vector<int> wanted_red(256, 0), wanted_green(256, 0);
    for (int i = 0; i < std::min(told, most); ++i) {
      ++wanted_red[image[std::size_t(3 * i)]];
      ++wanted_green[image[std::size_t(3 * i + 1)]];
    }
    CUDA_OK(gpuprim::histogram<3>(in.data(), {number.data(), most}, std::array{red.data(), green.data()},
                                  gpuprim::even_bins{256, 0, 256}));
    CHECK((red.download() == wanted_red && green.download() == wanted_green));
  }
}

TEST_CASE("A histogram refuses a count that it would overwrite", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 3));
  test::device_array<int> counts(10);
  CHECK(gpuprim::histogram(in.data(), {counts.data() + 9, 100}, counts.data(), gpuprim::even_bins{10, 0, 10}) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count lies in an output"));
  counts.check_untouched();
}
