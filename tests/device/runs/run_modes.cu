// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run_length_encode, and what both passes over runs refuse and how they are launched.
#include "../../support/family_check.cuh"
#include "../../support/run_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

TEST_CASE("run_length_encode over every mix of runs", "[device][sanitizer][not_asan]") {
  for (const auto& lengths : test::run_mixes()) {
    test::check_lengths<int>(lengths);
    test::check_lengths_in<test::many_tiles_of(128, 28), int>(lengths);
  }
}

TEST_CASE("run_length_encode in many tiles a block", "[device][sanitizer][not_asan]") {
  std::vector<int> lengths{5, 900, 1, 1, 2, 7000, 64, 33};
  for (int i = 0; i < 300; ++i) lengths.push_back(i / 20 % 2 == 0 ? 1 : 1 + i % 19);
  test::check_lengths_in<test::many_tiles_of(64, 12), int>(lengths);
  test::check_lengths_in<test::many_tiles_of(32, 52), short>(lengths);
}

TEST_CASE("run_length_encode of every type, shape and misalignment", "[device][not_asan]") {
  const std::vector<int> lengths{1, 3, 700, 30, 1, 1, 1, 300, 64, 33};
  test::check_lengths_in<test::many_tiles_of(32, 4), int>(lengths);
  test::check_lengths_in<test::many_tiles_of(64, 16), std::int64_t>(lengths);
  test::check_lengths_in<test::many_tiles_of(128, 112), float>(lengths);
  test::check_lengths_in<test::many_tiles_of(64, 24), test::point3>(lengths);
  test::check_lengths<char>(lengths);
  test::check_lengths<short>(lengths);
  test::check_lengths<test::point3>(lengths);
  for (std::size_t bytes : {1, 5, 8}) test::check_lengths<char>({3000, 1, 4000, 7}, bytes);
  for (std::size_t bytes : {4, 8, 12}) test::check_lengths<int>({3000, 1, 4000, 7}, bytes);
}

TEST_CASE("run_length_encode at the limits of each launch", "[device][not_asan]") {
  const auto limits = test::launch_limits(1200000, [](std::int64_t n) {
    return gpuprim::run_length_encode_plan(test::somewhere<std::int64_t>(1), n, test::somewhere<std::int64_t>(2),
                                           test::somewhere<int>(3), test::somewhere<int>(4));
  });
  REQUIRE(limits.size() >= 3);
  for (std::int64_t n : limits) {
    for (int past : {0, 1}) test::check_lengths<std::int64_t>({1, 30, int(n) - 34 + past, 3});
  }
}

TEST_CASE("run_length_encode of a run that goes over hundreds of tiles", "[device][not_asan]") {
  test::check_lengths_in<test::many_tiles_of(32, 4), int>({5, 2000, 3, 36000, 1});
  test::check_lengths_in<test::one_tile_of(32, 16), int>({5, 2000, 3, 30000, 1});
}

TEST_CASE("Passes over no elements write the number of runs alone", "[device][not_asan]") {
  test::device_array<int> runs(2), out(1);
  const int* nothing = nullptr;
  int* no_output = nullptr;
  CUDA_OK(gpuprim::reduce_by_key(nothing, nothing, 0, no_output, no_output, runs.data(), gpuprim::plus{}));
  CUDA_OK(gpuprim::run_length_encode(nothing, 0, out.data(), out.data(), runs.data() + 1));
  CHECK(runs.download() == std::vector<int>{0, 0});
  out.check_untouched();
}

TEST_CASE("Passes over runs refuse bad input and leave the outputs alone", "[device][not_asan]") {
  test::device_array<int> keys(test::make_values<int>(8000)), values(test::make_values<int>(8000)), unique(8000),
      out(8000), runs(1);
  const int* nothing = nullptr;
  int* no_output = nullptr;
  const gpuprim::plus<> op;
  const cudaError_t invalid = cudaErrorInvalidValue;
  const std::int64_t large = std::int64_t{1} << 62;
  const auto* odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(keys.data()) + 2);
  gpuprim::workspace tiny(16);
  const gpuprim::options in_tiny{.workspace = &tiny};
  const auto by_key = [&](auto k, auto v, std::int64_t n, auto u, auto o, auto r, const gpuprim::options& how = {}) {
    return gpuprim::reduce_by_key(k, v, n, u, o, r, op, how);
  };
  auto* const odd_output = reinterpret_cast<int*>(reinterpret_cast<char*>(out.data()) + 2);
  CHECK(by_key(keys.data(), values.data(), 900, odd_output, out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 900, unique.data(), odd_output, runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 900, unique.data(), out.data(), odd_output) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), 900, unique.data(), odd_output, runs.data()) == invalid);
  CHECK(by_key(nothing, values.data(), 1000, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), nothing, 1000, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), -1, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), large, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(by_key(odd, values.data(), 900, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), odd, 900, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 1000, no_output, out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 1000, unique.data(), no_output, runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 1000, unique.data(), out.data(), no_output) == invalid);
  CHECK(by_key(keys.data(), values.data(), 1000, keys.data(), out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 1000, unique.data(), values.data() + 10, runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 1000, unique.data(), out.data(), values.data() + 10) == invalid);
  auto* const shifted = reinterpret_cast<test::complex_float*>(keys.data() + 1);  // not aligned to its size
  CHECK(by_key(shifted, values.data(), 1000, shifted + 3, out.data(), runs.data()) == invalid);
  CHECK(by_key(keys.data(), values.data(), 8000, unique.data(), out.data(), runs.data(), in_tiny) == invalid);
  CHECK(gpuprim::run_length_encode(nothing, 1000, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), -1, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), large, unique.data(), out.data(), runs.data()) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), 1000, keys.data(), out.data(), runs.data()) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), 1000, unique.data(), keys.data(), runs.data()) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), 1000, unique.data(), out.data(), keys.data() + 3) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), 1000, unique.data(), no_output, runs.data()) == invalid);
  CHECK(gpuprim::run_length_encode(keys.data(), 8000, unique.data(), out.data(), runs.data(), in_tiny) == invalid);
  unique.check_untouched();
  out.check_untouched();
  runs.check_untouched();
  keys.check_unchanged();
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("Passes over runs are captured into a graph, and wait for what they read", "[device][sanitizer][not_asan]") {
  // Runs of 3 with sums 3, whose sums then make one run.
  const std::int64_t n = 18000;
  test::device_array<int> keys(test::make_runs<int>(std::vector<int>(n / 3, 3)));
  test::device_array<int> ones(std::vector<int>(static_cast<std::size_t>(n), 1));
  test::device_array<int> unique(n / 3), sums(n / 3), runs(1), sum(1), length(1), length_runs(1);
  gpuprim::workspace workspace(gpuprim::reduce_by_key_workspace_bytes<int, int>(n));
  const auto passes = [&](cudaStream_t stream, gpuprim::workspace* scratch) {
    const gpuprim::options how{stream, scratch};
    cudaError_t e = gpuprim::reduce_by_key(keys.data(), ones.data(), n, unique.data(), sums.data(), runs.data(),
                                           gpuprim::plus{}, how);
    if (e != cudaSuccess) return e;
    e = gpuprim::run_length_encode(sums.data(), n / 3, sum.data(), length.data(), length_runs.data(), how);
    if (e != cudaSuccess) return e;
    return gpuprim::reduce(sums.data(), n / 3, runs.data(), gpuprim::plus{}, 0, how);  // with the same workspace
  };
  for (gpuprim::workspace* scratch : {&workspace, static_cast<gpuprim::workspace*>(nullptr)}) {
    for (auto* out : {&sum, &length, &length_runs, &runs}) out->upload({-1});
    test::run_in_graph([&](cudaStream_t stream) { return passes(stream, scratch); });
    CHECK(sum.download()[0] == 3);
    CHECK(length.download()[0] == n / 3);
    CHECK(length_runs.download()[0] == 1);
    CHECK(runs.download()[0] == n);
  }
}

TEST_CASE("Passes over runs go on in concurrent streams", "[device][not_asan]") {
  const std::vector<int> lengths(3000, 4);
  const auto n = std::int64_t(12000);
  test::device_array<int> keys(test::make_runs<int>(lengths));
  cudaStream_t streams[2];
  for (auto& stream : streams) CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  test::device_array<int> unique_a(3000), unique_b(3000), out_a(3000), out_b(3000), runs_a(1), runs_b(1);
  gpuprim::workspace a(gpuprim::run_length_encode_workspace_bytes<int>(n)), b(a.bytes());
  for (int repeat = 0; repeat < 3; ++repeat) {
    CUDA_OK(gpuprim::run_length_encode(keys.data(), n, unique_a.data(), out_a.data(), runs_a.data(),
                                       {.stream = streams[0], .workspace = &a}));
    CUDA_OK(gpuprim::run_length_encode(keys.data(), n, unique_b.data(), out_b.data(), runs_b.data(), test::equals{},
                                       {.stream = streams[1], .workspace = &b}));
  }
  for (auto& stream : streams) CUDA_OK(cudaStreamSynchronize(stream));
  CHECK(out_a.download() == lengths);
  CHECK(out_b.download() == lengths);
  CHECK(unique_a.download() == unique_b.download());
  for (auto& stream : streams) CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("The number of runs is returned to the host", "[device][sanitizer][not_asan]") {
  // One tile, some and many; the outputs are complete when the call returns, whatever the stream is ordered with.
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int runs : {1, 7, 90, 4000}) {
    const std::vector<int> lengths(std::size_t(runs), 5);
    const auto n = std::int64_t{5} * runs;
    test::device_array<int> keys(test::make_runs<int>(lengths)), ones(std::vector<int>(std::size_t(n), 1));
    test::device_array<int> unique(lengths.size()), sums(lengths.size()), also_unique(lengths.size());
    test::device_array<short> counts(lengths.size());
    gpuprim::workspace workspace(gpuprim::reduce_by_key_workspace_bytes<int, int>(n));
    for (gpuprim::workspace* scratch : {&workspace, static_cast<gpuprim::workspace*>(nullptr)}) {
      const gpuprim::options how{stream, scratch};
      sums.upload(std::vector<int>(lengths.size(), -1));
      CHECK(gpuprim::reduce_by_key_count(keys.data(), ones.data(), n, unique.data(), sums.data(), gpuprim::plus{},
                                         how) == runs);
      CHECK(sums.download() == lengths);
      CHECK(gpuprim::run_length_encode_count(keys.data(), n, also_unique.data(), counts.data(), how) == runs);
      CHECK(counts.download() == std::vector<short>(lengths.size(), 5));
      CHECK(unique.download() == also_unique.download());
    }
  }
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("The number of runs by an equality, of computed keys and of none", "[device][not_asan]") {
  test::device_array<int> keys(std::vector<int>{1, 1, 2, 5, 5, 5}), unique(6), sums(6);
  test::device_array<double> wide(6);
  const int* nothing = nullptr;
  int* no_output = nullptr;
  CHECK(gpuprim::reduce_by_key_count(keys.data(), keys.data(), 6, unique.data(), sums.data(), gpuprim::plus{},
                                     test::equals{}) == 3);
  CHECK(gpuprim::reduce_by_key_count<double>(keys.data(), keys.data(), 6, unique.data(), wide.data(),
                                             gpuprim::plus{}) == 3);
  CHECK(wide.download()[2] == 15);
  CHECK(gpuprim::run_length_encode_count(keys.data(), 6, unique.data(), sums.data(), test::equals{}) == 3);
  CHECK(gpuprim::run_length_encode_count(nothing, 0, no_output, no_output) == 0);
  CHECK(gpuprim::reduce_by_key_count(nothing, nothing, 0, no_output, no_output, gpuprim::plus{}) == 0);
}

TEST_CASE("The number of runs: bad input is named in an exception", "[device][not_asan]") {
  test::device_array<int> keys(std::vector<int>{1, 1, 2}), unique(3), out(3);
  const int* nothing = nullptr;
  using Catch::Matchers::StartsWith;
  CHECK_THAT(test::message_of([&] {
               return gpuprim::reduce_by_key_count(keys.data(), nothing, 3, unique.data(), out.data(), gpuprim::plus{});
             }),
             StartsWith("gpuprim::reduce_by_key_count: the input is a null pointer but the count is not 0"));
  CHECK_THAT(
      test::message_of([&] { return gpuprim::run_length_encode_count(keys.data(), -1, unique.data(), out.data()); }),
      StartsWith("gpuprim::run_length_encode_count: the count is negative"));
  CHECK_THAT(
      test::message_of([&] { return gpuprim::run_length_encode_count(keys.data(), 3, keys.data(), out.data()); }),
      StartsWith("gpuprim::run_length_encode_count: an output overlaps the keys"));
  unique.check_untouched();
  out.check_untouched();
}
