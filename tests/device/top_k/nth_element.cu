// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/schedules.cuh"
#include "../../support/top_k_check.cuh"

#include <string>

namespace {

using gpuprim::largest, gpuprim::smallest;
using test::key_shape, test::top_k_order;

/// Numbers that are none, infinities and zeros of both signs, many times each.
template <class T>
std::vector<T> make_special(std::int64_t n) {
  const float infinite = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
  const float special[] = {0.0f, -0.0f, infinite, -infinite, none, -none, 1.0f, -1.0f};
  std::vector<T> keys;
  for (std::int64_t i = 0; i < n; ++i) keys.push_back(T(special[test::scramble(std::uint64_t(i)) % 8]));
  return keys;
}

/// Checks what stands where, and that the keys are those that were given.
template <class T>
void check_moved(std::vector<T> got, std::vector<T> keys, std::int64_t nth, top_k_order<> order) {
  test::sort_by_sign(keys, order);
  REQUIRE(got.size() == keys.size());
  const T found = got[std::size_t(nth)];
  CHECK(std::memcmp(&found, &keys[std::size_t(nth)], sizeof(T)) == 0);
  const auto comes_before = [&](const T& a, const T& b) { return test::is_before_by_sign(a, b, order); };
  const auto at = got.begin() + nth;
  CHECK(std::none_of(got.begin(), at, [&](const T& key) { return comes_before(found, key); }));
  CHECK(std::none_of(at, got.end(), [&](const T& key) { return comes_before(key, found); }));
  test::sort_by_sign(got, order);
  CHECK(test::are_same_bits(got, keys));
}

template <class T>
void check_nth_element(const std::vector<T>& keys, std::int64_t nth, top_k_order<> order,
                       std::size_t misalignment = 0) {
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, nth, int(order.end), misalignment, sizeof(T));
  gpuprim::workspace workspace(gpuprim::nth_element_workspace_size<T>(n));
  test::device_array<T> in(keys, misalignment), out(std::size_t(n), misalignment), moved(keys, misalignment);
  CUDA_OK(gpuprim::nth_element(in.data(), n, nth, out.data(), order, {nullptr, &workspace}));
  check_moved(out.download(), keys, nth, order);
  in.check_unchanged();
  out.check_guards();
  test::check_zero(workspace);
  CUDA_OK(gpuprim::nth_element(moved.data(), n, nth, moved.data(), order, {nullptr, &workspace}));
  CHECK(test::are_same_bits(moved.download(), out.download()));
  moved.check_guards();
  test::check_zero(workspace);
}

template <class T>
void check_all(const std::vector<T>& keys, std::size_t misalignment = 0) {
  const auto n = std::int64_t(keys.size());
  for (const auto order : {smallest, largest}) {
    for (std::int64_t nth : {std::int64_t{0}, n / 50, n / 2, n - 1}) {
      check_nth_element(keys, nth, order, misalignment);
    }
  }
}

}  // namespace

TEST_CASE("The n-th key, between those that come before and behind", "[device]") {
  const auto check = [&]<class T>(std::initializer_list<int> sizes) {
    for (int n : sizes) {
      check_all(test::make_keys<T>(n, key_shape::random));
      check_all(test::make_keys<T>(n, key_shape::few), sizeof(T));
    }
  };
  check.operator()<int>({1, 2, 333, 16385});
  test::unless_sanitized([&](auto) {
    check.operator()<unsigned char>({333, 5000});
    check.operator()<float>({333, 5000});
    check.operator()<std::uint64_t>({333, 5000});
    check.operator()<__half>({333, 5000});
  });
}

TEST_CASE("The n-th of equal, rising and falling keys", "[device][slow]") {
  for (auto shape : test::all_key_shapes) {
    for (int n : {40, 20000}) check_all(test::make_keys<unsigned>(n, shape), 4);
  }
}

TEST_CASE("The n-th of numbers that are none, infinities and zeros of both signs", "[device]") {
  for (int n : {9, 500, 20000}) {
    check_all(make_special<float>(n));
    check_all(make_special<__half>(n), 2);
  }
}

TEST_CASE("The n-th key without a workspace, and of a computed input", "[device]") {
  constexpr int n = 20000;
  const auto keys = test::make_keys<int>(n, key_shape::random);
  test::device_array<int> in(keys), out(n);
  CUDA_OK(gpuprim::nth_element(in.data(), n, 77, out.data()));
  check_moved(out.download(), keys, 77, smallest);
  CUDA_OK(gpuprim::nth_element(in.data(), n, n / 2, in.data(), largest));
  check_moved(in.download(), keys, n / 2, largest);
  std::vector<int> rising(n);
  std::iota(rising.begin(), rising.end(), 0);
  CUDA_OK(gpuprim::nth_element(gpuprim::positions<int>{}, n, n / 3, out.data(), largest));
  check_moved(out.download(), rising, n / 3, largest);
}

TEST_CASE("The workspace of an nth_element grows with the keys", "[device]") {
  gpuprim::workspace_size before;
  for (std::int64_t n = 1; n < std::int64_t{1} << 40; n += 1 + n / 7) {
    const auto size = gpuprim::nth_element_workspace_size<float>(n);
    CHECK(size.zeroed_bytes >= before.zeroed_bytes);
    CHECK(size.scratch_bytes > before.scratch_bytes);
    before = size;
  }
}

TEST_CASE("An nth_element in a graph that is launched again", "[device]") {
  constexpr int n = 20000, nth = 9000;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  test::device_array<unsigned> in(n);
  gpuprim::workspace workspace(gpuprim::nth_element_workspace_size<unsigned>(n));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CUDA_OK(gpuprim::nth_element(in.data(), n, nth, in.data(), {stream, &workspace}));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (auto shape : {key_shape::random, key_shape::equal, key_shape::rising}) {
    const auto keys = test::make_keys<unsigned>(n, shape);
    in.upload(keys);
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    check_moved(in.download(), keys, nth, smallest);
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("An nth_element refuses bad arguments and leaves its output alone", "[device]") {
  constexpr std::int64_t n = 20000;
  test::device_array<float> in(test::make_keys<float>(n, key_shape::random)), out(n);
  float* const from = in.data();
  float* const to = out.data();
  float* const none = nullptr;
  const auto refuses = [](cudaError_t e, const char* fault) {
    CAPTURE(fault, gpuprim::last_fault());
    CHECK(e == cudaErrorInvalidValue);
    CHECK(std::string(gpuprim::last_fault()).find(fault) != std::string::npos);
  };
  refuses(gpuprim::nth_element(from, -1, 0, to), "the count is negative");
  refuses(gpuprim::nth_element(from, n, -1, to), "nth must not be negative");
  refuses(gpuprim::nth_element(from, n, n, to), "less than the count");
  refuses(gpuprim::nth_element(none, 0, 1, none), "less than the count");
  refuses(gpuprim::nth_element(from, std::int64_t{1} << 62, 1, to), "too large");
  refuses(gpuprim::nth_element(none, n, 1, to), "null pointer");
  refuses(gpuprim::nth_element(from, n, 1, none), "null pointer");
  refuses(gpuprim::nth_element(from, n - 5, 1, from + 5), "overlaps");
  refuses(gpuprim::nth_element(from + 5, n - 5, 1, from), "overlaps");
  refuses(gpuprim::nth_element(from, n, 1, reinterpret_cast<float*>(reinterpret_cast<char*>(to) + 1)), "aligned");
  gpuprim::workspace empty;
  refuses(gpuprim::nth_element(from, n, 1, to, {.workspace = &empty}), "workspace is too small");
  gpuprim::workspace scratch({0, gpuprim::nth_element_workspace_size<float>(n).scratch_bytes});
  refuses(gpuprim::nth_element(from, n, 1, to, {.workspace = &scratch}), "workspace is too small");
  out.check_untouched();
  in.check_unchanged();
  CUDA_OK(gpuprim::nth_element(none, 0, 0, none));
}
