// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/merge_check.cuh"
#include "../../support/reduce_check.cuh"
#include "../../support/schedules.cuh"
#include "../../support/small_gpu.cuh"

#include <functional>
#include <string>

namespace {

constexpr auto few = test::merge_tiles(32, 3), odd = test::merge_tiles(64, 5);

/// Positions as elements: an iterator that is no pointer.
struct every_second {
  using value_type = int;
  using difference_type = std::int64_t;
  using reference = int;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  int first;
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return first + 2 * int(i); }
};

/// Writes what it is given plus one.
struct plus_one_output {
  int* to;
  struct place {
    int* at;
    __device__ void operator=(int x) const { *at = x + 1; }
  };
  GPUPRIM_HOST_DEVICE place operator[](std::int64_t i) const { return {to + i}; }
};

struct in_no_order {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return (unsigned(a) * 31 + unsigned(b)) % 3 == 0; }
};

std::string fault_of(cudaError_t e) {
  CHECK(e == cudaErrorInvalidValue);
  return gpuprim::last_fault();
}

}  // namespace

TEST_CASE("Merges of every pair of counts around tiles", "[device][sanitizer]") {
  for (int a_count : {0, 1, 95, 96, 97, 500, 3001}) {
    for (int b_count : {0, 1, 96, 191, 1000}) test::check_merge<test::tagged, few>(a_count, b_count);
  }
  test::check_merge<test::tagged, odd>(5000, 3);
  test::check_merge<test::tagged, odd>(7, 6000);
  test::check_merge<int, odd>(321, 320, std::greater<>{});
}

TEST_CASE("Merges of every type and misalignment", "[device]") {
  test::check_merge<signed char, few>(1000, 777, std::less<>{}, 1);
  test::check_merge<short, few>(1000, 777, std::less<>{}, 2);
  test::check_merge<float, odd>(1000, 777, std::less<>{}, 4);
  test::check_merge<std::int64_t, odd>(1000, 777, std::greater<std::int64_t>{}, 8);
  test::check_merge<test::point3, odd>(1000, 777, test::by_part{}, 4);
  test::check_merge<test::matrix2, few>(300, 500, test::by_part{}, 8);
  test::check_merge<test::span_of_positions, few>(300, 500, test::by_part{}, 4);
}

TEST_CASE("Merges whose blocks have many tiles each", "[device]") {
  constexpr auto many = test::merge_tiles(128, 1), several = test::merge_tiles(64, 3);
  const test::small_gpu gpu(1);
  const std::less<> less;
  test::check_merge<int, many>(9001, 8100, less, 4);
  test::check_merge<int, many>(17000, 100, less);
  test::check_merge<short, several>(100, 12345, less, 2);
  test::check_merge<std::int64_t, several>(6000, 6000, less, 8);
  test::check_merge<test::tagged, several>(7000, 7000);
  test::check_merge<test::matrix2, several>(5000, 800);
}

#if defined(SIMT_DEVICE)
TEST_CASE("Merges under 1,000 schedules at 1 to 7 resident blocks", "[device][not_asan]") {
  constexpr auto crowded = test::merge_tiles(64, 1);
  const test::small_gpu gpu(1);
  test::under_many_schedules([](unsigned seed) {
    test::check_merge<int, crowded>(int(3000 + seed % 100), int(1500 + seed % 70), std::less<>{}, 4);
  });
}
#endif

TEST_CASE("Merges with the library's tiles", "[device]") {
  test::check_merge<test::tagged>(0, 0);
  test::check_merge<test::tagged>(4351, 2);
  test::check_merge<test::tagged>(10000, 9999);
  test::check_merge<int>(10000, 9999, std::less<>{});
  test::check_merge<test::matrix2>(3000, 1);
}

TEST_CASE("Orders that contradict themselves lead out of no array", "[device]") {
  const int n = 3000;
  const test::device_array<int> a(test::make_keys<int>(n)), b(test::make_keys<int>(n, n));
  test::device_array<int> out(2 * n);
  test::device_array<std::int64_t> count(1);
  const in_no_order at_random;
  const gpuprim::options how;
  CUDA_OK(test::detail::merge_keys<few, few>(a.data(), n, b.data(), n, out.data(), at_random, how).report());
  CUDA_OK(test::detail::run_set_operation<few, test::detail::set_operation::make_union>(
              a.data(), n, b.data(), n, out.data(), count.data(), at_random, how)
              .report());
  a.check_unchanged();
  b.check_unchanged();
  out.check_guards();
}

TEST_CASE("The plan of a merge has a block for each tile", "[device]") {
  test::device_array<int> a(10000), out(20000);
  const auto plan = gpuprim::merge_plan(a.data(), 10000, a.data(), 5000, out.data());
  CHECK((plan.block_size == 256 && plan.grid_size == (15000 + 256 * 17 - 1) / (256 * 17)));
  CHECK(gpuprim::merge_plan(a.data(), 0, a.data(), 0, out.data()).grid_size == 0);
}

TEST_CASE("Merges of many tiles take scratch memory of a workspace", "[device]") {
#if defined(SIMT_DEVICE)
  const int n = 60000;
#else
  const int n = 6000000;
#endif
  const test::small_gpu gpu(1);
  std::vector<int> odds, evens, all;
  for (int i = 0; i < n; ++i) {
    odds.push_back(2 * i + 1);
    evens.push_back(2 * i);
  }
  for (int i = 0; i < 2 * n; ++i) all.push_back(i);
  const test::device_array<int> a(odds), b(evens);
  test::device_array<int> out(all.size()), keys_out(all.size()), values_out(all.size());
  gpuprim::workspace none, ws(gpuprim::merge_workspace_size<int>(2 * n));
  const std::less<> less;
  CHECK(fault_of(gpuprim::merge(a.data(), n, b.data(), n, out.data(), less, {.workspace = &none})).find("too small") !=
        std::string::npos);
  out.check_untouched();
  CUDA_OK(gpuprim::merge(a.data(), n, b.data(), n, out.data(), less, {.workspace = &ws}));
  CUDA_OK(ws.reserve(gpuprim::merge_workspace_size<int, int>(2 * n)));
  CUDA_OK(gpuprim::merge_pairs(a.data(), b.data(), n, b.data(), a.data(), n, keys_out.data(), values_out.data(), less,
                               {.workspace = &ws}));
  CHECK(bool(out.download() == all));
  CHECK(bool(keys_out.download() == all));
  const auto values = values_out.download();
  for (int i = 0; i < 2 * n; i += 7) REQUIRE(values[std::size_t(i)] == (i ^ 1));
  CHECK(gpuprim::merge_plan(a.data(), n, b.data(), n, out.data()).grid_size == (2 * n + 256 * 23 - 1) / (256 * 23));
}

TEST_CASE("Merges of iterators", "[device]") {
  test::device_array<int> out(300), other(300);
  CUDA_OK(gpuprim::merge(every_second{0}, 150, every_second{1}, 150, out.data()));
  std::vector<int> odds;
  for (int i = 0; i < 150; ++i) odds.push_back(2 * i + 1);
  const test::device_array<int> in(odds);
  CUDA_OK(gpuprim::merge(in.data(), 150, every_second{0}, 150, plus_one_output{other.data()}, std::less<>{}));
  const auto got = out.download(), got_other = other.download();
  for (int i = 0; i < 300; ++i) REQUIRE((got[std::size_t(i)] == i && got_other[std::size_t(i)] == i + 1));
  out.check_guards();
  other.check_guards();
}

TEST_CASE("A merge is captured and replayed", "[device]") {
  test::device_array<int> a(std::vector<int>{1, 3, 5}), b(std::vector<int>{2, 3, 4}), out(6);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const cudaError_t captured = gpuprim::merge(a.data(), 3, b.data(), 3, out.data(), std::less<>{}, {.stream = stream});
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(captured);
  out.check_untouched();
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK(bool(out.download() == std::vector<int>{1, 2, 3, 3, 4, 5}));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("Merges refuse bad arguments and write nothing", "[device]") {
  test::device_array<int> a(std::vector<int>(10, 1)), b(std::vector<int>(10, 2)), out(20), values(20);
  int* const null = nullptr;
  const auto merge = [&](const int* from_a, std::int64_t a_count, const int* from_b, std::int64_t b_count, int* to) {
    return fault_of(gpuprim::merge(from_a, a_count, from_b, b_count, to));
  };
  CHECK(merge(a.data(), -1, b.data(), 10, out.data()) == "the count is negative");
  CHECK(merge(a.data(), 10, b.data(), -1, out.data()) == "the count is negative");
  CHECK(merge(null, 10, b.data(), 10, out.data()) == "the input is a null pointer but the count is not 0");
  CHECK(merge(a.data(), 10, null, 10, out.data()) == "the input is a null pointer but the count is not 0");
  CHECK(merge(a.data(), 10, b.data(), 10, null) ==
        "an output is a null pointer or in host memory, but the count is not 0");
  CHECK(merge(a.data(), 10, b.data(), 10, b.data() + 9) == "an output overlaps an input");
  CHECK(merge(a.data(), 10, b.data(), 10, a.data() - 19) == "an output overlaps an input");
  CHECK(merge(a.data(), std::int64_t{1} << 60, b.data(), 10, out.data()) == "the count is too large");
  auto* const misaligned = reinterpret_cast<int*>(reinterpret_cast<char*>(out.data()) + 2);
  CHECK(merge(a.data(), 10, b.data(), 9, misaligned) == "an output is not aligned to its element type");
  CHECK(merge(misaligned, 10, b.data(), 9, out.data()) == "the input is not aligned to its element type");
  const auto pairs = [&](const int* from_a, const int* from_b, int* keys_out, int* values_out) {
    return fault_of(gpuprim::merge_pairs(a.data(), from_a, 10, b.data(), from_b, 10, keys_out, values_out));
  };
  CHECK(pairs(null, b.data(), out.data(), values.data()) == "the input is a null pointer but the count is not 0");
  CHECK(pairs(a.data(), b.data(), out.data(), out.data() + 19) == "the outputs overlap each other");
  CHECK(pairs(a.data(), b.data(), out.data(), a.data()) == "an output overlaps an input");
  CUDA_OK(gpuprim::merge(null, 0, null, 0, null));
  a.check_unchanged();
  b.check_unchanged();
  out.check_untouched();
  values.check_untouched();
}

TEST_CASE("The options of a merge may stand where its order would", "[device]") {
  const test::device_array<int> a(std::vector<int>{1, 4, 6}), b(std::vector<int>{2, 4});
  test::device_array<int> out(5), values(5);
  const gpuprim::options how;
  REQUIRE(gpuprim::merge(a.data(), 3, b.data(), 2, out.data(), how) == cudaSuccess);
  CHECK(bool(out.download() == std::vector<int>{1, 2, 4, 4, 6}));
  REQUIRE(gpuprim::merge_pairs(b.data(), a.data(), 2, a.data(), a.data(), 3, out.data(), values.data(), how) ==
          cudaSuccess);
  CHECK(bool(out.download() == std::vector<int>{1, 2, 4, 4, 6}));
  CHECK(bool(values.download() == std::vector<int>{1, 1, 4, 4, 6}));
}
