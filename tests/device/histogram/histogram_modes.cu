// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/histogram_check.cuh"

using gpuprim::even_bins;
using gpuprim::histogram;

TEST_CASE("histogram refuses bad input and leaves the counts alone", "[device][not_asan]") {
  test::device_array<float> input(std::vector<float>(600000, 0.5f));
  test::device_array<unsigned> counts(100000);
  const cudaError_t invalid = cudaErrorInvalidValue;
  const float* nothing = nullptr;
  unsigned* no_counts = nullptr;
  const float infinity = std::numeric_limits<float>::infinity();
  const std::int64_t large = std::int64_t{1} << 62;
  const even_bins good{100, 0.0f, 1.0f};
  CHECK(histogram(nothing, 5, counts.data(), good) == invalid);
  CHECK(histogram(input.data(), -1, counts.data(), good) == invalid);
  CHECK(histogram(input.data(), large, counts.data(), good) == invalid);
  CHECK(histogram<4>(input.data(), large, std::array{counts.data()}, good) == invalid);
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();  // a multiple of it is 0
  CHECK(histogram<4>(input.data(), least, std::array{counts.data()}, good) == invalid);
  CHECK(histogram(reinterpret_cast<const float*>(reinterpret_cast<const char*>(input.data()) + 2), 5, counts.data(),
                  good) == invalid);
  CHECK(histogram(input.data(), 5, no_counts, good) == invalid);
  CHECK(histogram(input.data(), 5, reinterpret_cast<unsigned*>(reinterpret_cast<char*>(counts.data()) + 2), good) ==
        invalid);
  CHECK(histogram<2>(input.data(), 5, std::array{counts.data(), no_counts}, good) == invalid);
  CHECK(histogram(input.data(), 5, counts.data(), even_bins{0, 0.0f, 1.0f}) == invalid);
  CHECK(histogram(input.data(), 5, counts.data(), even_bins{100, 1.0f, 1.0f}) == invalid);
  CHECK(histogram(input.data(), 5, counts.data(), even_bins{100, std::nanf(""), 1.0f}) == invalid);
  CHECK(histogram(input.data(), 5, counts.data(), even_bins{100, 0.0f, infinity}) == invalid);
  CHECK(histogram(input.data(), 5, counts.data(), even_bins{100, -3e38f, 3e38f}) == invalid);
  CHECK(histogram(counts.data() + 200, 5, counts.data(), even_bins{100, -1, 5}) == invalid);  // unsigned samples
  CHECK(histogram(counts.data(), 5, counts.data(), even_bins{100, 0, 5}) == invalid);
  CHECK(histogram(input.data(), 5, counts.data(), gpuprim::bin_ranges{nothing, 5}) == invalid);
  CHECK(histogram(input.data(), 5, counts.data(), gpuprim::bin_ranges{nothing, 0}) == invalid);
  const auto between = reinterpret_cast<const float*>(reinterpret_cast<const char*>(input.data()) + 2);
  CHECK(histogram(input.data(), 5, counts.data(), gpuprim::bin_ranges{between, 5}) == invalid);
  gpuprim::workspace little(8);
  CHECK(histogram(input.data(), 600000, counts.data(), good, {.workspace = &little}) == invalid);
  counts.check_untouched();
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CUDA_OK(histogram(nothing, 0, counts.data(), good));
  CHECK(counts.download()[99] == 0);
  CUDA_OK(histogram(nothing, 0, counts.data(), even_bins{100000, 0.0f, 1.0f}));
  CHECK(counts.download() == std::vector<unsigned>(100000, 0));
  input.check_unchanged();
}

TEST_CASE("histogram is captured into a graph, and waits for what it reads", "[device][sanitizer][not_asan]") {
  // The second and the third count how often each count of the first occurs: in shared and in global memory.
  const auto samples = test::make_samples<float>(20001);
  test::device_array<float> input(samples);
  test::device_array<unsigned> first(100), second(50), third(20000);
  gpuprim::workspace workspace(gpuprim::histogram_workspace_bytes);
  test::run_in_graph([&](cudaStream_t s) {
    const gpuprim::options how{s, &workspace};
    const cudaError_t e = histogram(input.data(), 20001, first.data(), even_bins{100, -1.0f, 1.0f}, how);
    if (e != cudaSuccess) return e;
    const cudaError_t f = histogram(first.data(), 100, second.data(), even_bins{50, 0u, 500u}, how);
    return f != cudaSuccess ? f : histogram(first.data(), 100, third.data(), even_bins{20000, 0u, 500u}, how);
  });
  const auto want = test::expected_counts<unsigned>(samples, even_bins{100, -1.0f, 1.0f}, 100);
  CHECK(first.download() == want);
  CHECK(second.download() == test::expected_counts<unsigned>(want, even_bins{50, 0u, 500u}, 50));
  CHECK(bool(third.download() == test::expected_counts<unsigned>(want, even_bins{20000, 0u, 500u}, 20000)));
}

TEST_CASE("histograms on streams of their own", "[device][not_asan]") {
  constexpr int streams = 4;
  const auto samples = test::make_samples<int>(30001);
  test::device_array<int> input(samples);
  std::vector<cudaStream_t> all(streams);
  std::vector<gpuprim::workspace> workspaces(streams);
  std::vector<std::unique_ptr<test::device_array<unsigned>>> outputs;
  for (int i = 0; i < streams; ++i) {
    CUDA_OK(cudaStreamCreateWithFlags(&all[std::size_t(i)], cudaStreamNonBlocking));
    CUDA_OK(workspaces[std::size_t(i)].reserve(gpuprim::histogram_workspace_bytes));
    outputs.push_back(std::make_unique<test::device_array<unsigned>>(std::size_t(10 + i)));
  }
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (int i = 0; i < streams; ++i) {
      const auto at = std::size_t(i);
      CUDA_OK(
          histogram(input.data(), 30001, outputs[at]->data(), even_bins{10 + i, 0, 1000}, {all[at], &workspaces[at]}));
    }
  }
  for (int i = 0; i < streams; ++i) {
    CUDA_OK(cudaStreamSynchronize(all[std::size_t(i)]));
    CHECK(outputs[std::size_t(i)]->download() ==
          test::expected_counts<unsigned>(samples, even_bins{10 + i, 0, 1000}, std::size_t(10 + i)));
    CUDA_OK(cudaStreamDestroy(all[std::size_t(i)]));
  }
}
