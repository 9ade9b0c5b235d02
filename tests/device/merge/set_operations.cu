// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/merge_check.cuh"
#include "../../support/schedules.cuh"
#include "../../support/small_gpu.cuh"

#include <functional>
#include <string>

namespace {

constexpr auto few = test::merge_tiles(32, 3), odd = test::merge_tiles(64, 5);

}  // namespace

TEST_CASE("Set operations of every pair of counts around tiles", "[device][sanitizer]") {
  for (int a_count : {0, 1, 95, 96, 97, 1000}) {
    for (int b_count : {0, 1, 96, 191, 700}) {
      for (int alike : {1, 3, 40, 500}) test::check_sets<test::tagged, few>(a_count, b_count, alike);
    }
  }
}

TEST_CASE("Set operations of arrays of equal elements", "[device]") {
  const std::vector<test::tagged> few_ones(100, {7, 1}), many_ones(1500, {7, 2});
  const test::by_part less;
  const auto check = [&]<test::detail::set_operation Operation>() {
    test::check_set_operation<odd, Operation>(few_ones, many_ones, less, 0);
    test::check_set_operation<odd, Operation>(many_ones, few_ones, less, 0);
    test::check_set_operation<odd, Operation>(many_ones, many_ones, less, 0);
  };
  check.operator()<test::detail::set_operation::make_union>();
  check.operator()<test::detail::set_operation::make_intersection>();
  check.operator()<test::detail::set_operation::make_difference>();
}

TEST_CASE("Set operations of every type and misalignment", "[device]") {
  test::check_sets<signed char, few>(1000, 777, 1, std::less<>{}, 1);
  test::check_sets<float, odd>(1000, 777, 2, std::greater<>{}, 4);
  test::check_sets<std::int64_t, odd>(1000, 777, 2, std::less<>{}, 8);
  test::check_sets<test::point3, odd>(1000, 777, 3, test::by_part{}, 4);
  test::check_sets<test::matrix2, few>(300, 500, 2, test::by_part{}, 8);
  test::check_sets<test::span_of_positions, few>(300, 500, 2, test::by_part{}, 4);
}

TEST_CASE("Set operations whose blocks have many tiles each", "[device]") {
  constexpr auto many = test::merge_tiles(64, 1), several = test::merge_tiles(32, 3);
  const test::small_gpu gpu(1);
  const std::less<> less;
  for (int alike : {1, 2, 60, 3000}) {
    test::check_sets<int, many>(6001, 4100, alike, less, 4);
    test::check_sets<int, several>(10000, 100, alike, less);
    test::check_sets<short, several>(100, 7345, alike, less, 2);
  }
}

TEST_CASE("Set operations with the library's tiles", "[device]") {
  test::check_sets<test::tagged>(10000, 9999, 2);
  test::check_sets<test::tagged>(4352, 1, 2);
  test::check_sets<test::matrix2>(3000, 10, 2);
}

#if defined(SIMT_DEVICE)
TEST_CASE("Set operations under 1,000 schedules at 1 to 7 resident blocks", "[device][not_asan]") {
  test::under_many_schedules([](unsigned seed) {
    test::check_sets<test::tagged, few>(int(200 + seed % 100), int(150 + seed % 70), int(1 + seed % 5));
    test::check_sets<int, few>(int(200 + seed % 100), int(150 + seed % 70), int(1 + seed % 5), std::less<>{});
  });
}
#endif

TEST_CASE("Set operations without a workspace, in a graph, and by the default order", "[device]") {
  const test::device_array<int> a(std::vector<int>{1, 2, 2, 2, 5, 9}), b(std::vector<int>{2, 2, 3, 9});
  test::device_array<int> all(10), common(4), rest(6), counts(3);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const gpuprim::options how{.stream = stream};
  const std::less<> less;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const cudaError_t captured[] = {
      gpuprim::set_union(a.data(), 6, b.data(), 4, all.data(), counts.data(), less, how),
      gpuprim::set_intersection(a.data(), 6, b.data(), 4, common.data(), counts.data() + 1, less, how),
      gpuprim::set_difference(a.data(), 6, b.data(), 4, rest.data(), counts.data() + 2, less, how)};
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  for (cudaError_t e : captured) CUDA_OK(e);
  all.check_untouched();
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK(bool(counts.download() == std::vector<int>{7, 3, 3}));
  const auto first = [](const test::device_array<int>& array, int count) {
    auto values = array.download();
    values.resize(std::size_t(count));
    return values;
  };
  CHECK(bool(first(all, 7) == std::vector<int>{1, 2, 2, 2, 3, 5, 9}));
  CHECK(bool(first(common, 3) == std::vector<int>{2, 2, 9}));
  CHECK(bool(first(rest, 3) == std::vector<int>{1, 2, 5}));
  CUDA_OK(gpuprim::set_union(a.data(), 6, b.data(), 4, all.data(), counts.data()));
  CHECK(counts.download()[0] == 7);
  CHECK(gpuprim::set_union_count(a.data(), 6, b.data(), 4, all.data()) == 7);
  CHECK(gpuprim::set_intersection_count(a.data(), 6, b.data(), 4, common.data(), less, {.stream = stream}) == 3);
  CHECK(gpuprim::set_difference_count(a.data(), 6, b.data(), 4, rest.data(), less) == 3);
  CHECK_THROWS_AS(gpuprim::set_union_count(a.data(), -1, b.data(), 4, all.data()), gpuprim::cuda_error);
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("Set operations refuse bad arguments and write nothing", "[device]") {
  test::device_array<int> a(std::vector<int>(10, 1)), b(std::vector<int>(10, 2)), out(20);
  test::device_array<std::int64_t> count(1);
  int* const null = nullptr;
  const auto fault = [&](const int* from_a, std::int64_t a_count, const int* from_b, std::int64_t b_count, int* to,
                         std::int64_t* count_out, gpuprim::workspace* ws = nullptr) {
    CHECK(gpuprim::set_union(from_a, a_count, from_b, b_count, to, count_out, std::less<>{}, {.workspace = ws}) ==
          cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault());
  };
  CHECK(fault(a.data(), -1, b.data(), 10, out.data(), count.data()) == "the count is negative");
  CHECK(fault(null, 10, b.data(), 10, out.data(), count.data()) ==
        "the input is a null pointer but the count is not 0");
  CHECK(fault(a.data(), 10, b.data(), 10, null, count.data()) ==
        "an output is a null pointer or in host memory, but the count is not 0");
  CHECK(fault(a.data(), 10, b.data(), 10, out.data(), nullptr) ==
        "the output of the count is a null pointer or in host memory");
  CHECK(fault(a.data(), 10, b.data(), 10, b.data() + 9, count.data()) == "an output overlaps an input");
  CHECK(fault(a.data(), 10, b.data(), 10, out.data(), reinterpret_cast<std::int64_t*>(a.data())) ==
        "the count lies in the input");
  CHECK(fault(a.data(), std::int64_t{1} << 60, b.data(), 10, out.data(), count.data()) == "the count is too large");
  gpuprim::workspace short_one(gpuprim::set_operation_workspace_bytes<int>(20) - 1);
  CHECK(fault(a.data(), 10, b.data(), 10, out.data(), count.data(), &short_one) ==
        "the workspace is too small; reserve what the call's ..._workspace_bytes or ..._workspace_size says");
  count.check_untouched();
  CUDA_OK(gpuprim::set_union(null, 0, null, 0, null, count.data()));
  CHECK(count.download()[0] == 0);
  a.check_unchanged();
  b.check_unchanged();
  out.check_untouched();
}
