// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/merge_sort_check.cuh"

#include <functional>
#include <string>

namespace {

using test::place;

constexpr auto little = test::sort_tiles(32, 3), odd = test::sort_tiles(64, 5);

/// Positions as elements: an iterator that is no pointer.
struct falling {
  using value_type = int;
  using difference_type = std::int64_t;
  using reference = int;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  int first;
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return first - int(i); }
};

std::string fault_of(cudaError_t e) {
  CHECK(e == cudaErrorInvalidValue);
  return gpuprim::last_fault();
}

}  // namespace

TEST_CASE("Merge sorts of every number of elements around tiles and runs", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 95, 96, 97, 191, 192, 193, 288, 300, 384, 385, 1000, 1537, 5000}) {
    for (place where : {place::apart, place::in_place}) {
      test::check_merge_sort<test::tagged, little>(test::make_keys<test::tagged>(n), where);
    }
  }
}

TEST_CASE("Merge sorts of tiles of which two go to a block, and of those that have blocks of their own", "[device]") {
  for (int n : {12671, 12672, 12673, 26000}) {
    test::check_merge_sort<test::tagged, little>(test::make_keys<test::tagged>(n), place::in_place);
  }
}

TEST_CASE("Merge sorts of keys in every order", "[device]") {
  const int n = 2000;
  std::vector<int> keys;
  for (int i = 0; i < n; ++i) keys.push_back(i);
  test::check_merge_sort<int, odd>(keys, place::apart, std::less<>{});
  test::check_merge_sort<int, odd>(keys, place::in_place, std::greater<>{});
  for (int& key : keys) key = key * 7 % 5;
  test::check_merge_sort<int, odd>(keys, place::apart, std::less<int>{});
  test::check_merge_sort<int, odd>(std::vector<int>(n, 1), place::apart, std::less<>{});
}

TEST_CASE("Merge sorts of every type and misalignment", "[device]") {
  test::check_merge_sort<signed char, odd, signed char>(test::make_keys<signed char>(1500), place::apart, std::less<>{},
                                                        1);
  test::check_merge_sort<short, little>(test::make_keys<short>(1500), place::apart, std::less<>{}, 2);
  test::check_merge_sort<float, odd, double>(test::make_keys<float>(1500), place::in_place, std::greater<>{}, 4);
  test::check_merge_sort<std::int64_t, odd, short>(test::make_keys<std::int64_t>(1500), place::apart, std::less<>{}, 8);
  test::check_merge_sort<test::point3, odd>(test::make_keys<test::point3>(1500), place::in_place, test::by_part{}, 4);
  test::check_merge_sort<test::matrix2, little, test::matrix2>(test::make_keys<test::matrix2>(700));
  test::check_merge_sort<test::span_of_positions, little>(test::make_keys<test::span_of_positions>(700));
  test::check_merge_sort<int, little, test::matrix2>(test::make_keys<int>(700), place::in_place, std::less<>{});
}

TEST_CASE("Merge sorts with the library's tiles", "[device]") {
  for (int n : {4351, 4352, 4353, 20000}) {
    test::check_merge_sort<test::tagged>(test::make_keys<test::tagged>(n), place::in_place);
  }
  test::check_merge_sort<test::matrix2>(test::make_keys<test::matrix2>(3000));
}

TEST_CASE("Merge sorts without a workspace, of iterators, and by the default order", "[device]") {
  const int n = 9000;
  test::device_array<int> out(n), values_out(n);
  CUDA_OK(gpuprim::merge_sort(falling{n - 1}, n, out.data()));
  CUDA_OK(gpuprim::merge_sort_pairs(out.data(), falling{n - 1}, n, out.data(), values_out.data(), std::greater<>{}));
  const auto got = out.download(), got_values = values_out.download();
  for (int i = 0; i < n; ++i) {
    REQUIRE(got[std::size_t(i)] == n - 1 - i);
    REQUIRE(got_values[std::size_t(i)] == i);
  }
  out.check_guards();
  values_out.check_guards();
}

TEST_CASE("A merge sort in a graph that is replayed", "[device]") {
  const int n = 10000;
  const auto keys = test::make_keys<int>(n);
  const test::device_array<int> in(keys);
  test::device_array<int> out(n);
  gpuprim::workspace ws(gpuprim::merge_sort_workspace_size<int>(n));
  CHECK(ws.scratch_bytes() >= n * std::int64_t(sizeof(int)));
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const cudaError_t captured =
      gpuprim::merge_sort(in.data(), n, out.data(), std::less<>{}, {.stream = stream, .workspace = &ws});
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(captured);
  out.check_untouched();
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  auto want = keys;
  std::sort(want.begin(), want.end());
  for (int i = 0; i < 2; ++i) {
    CUDA_OK(cudaMemsetAsync(out.data(), 0, n * sizeof(int), stream));
    CUDA_OK(cudaMemsetAsync(ws.scratch(), i, std::size_t(ws.scratch_bytes()), stream));
    CUDA_OK(cudaGraphLaunch(exec, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK(bool(out.download() == want));
  }
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("A dry run of a merge sort of one tile writes nothing", "[device]") {
  const std::vector<int> falling_keys{3, 2, 1}, untouched{7, 7, 7};
  test::device_array<int> in(falling_keys), out(untouched);
  gpuprim::workspace_size size;
  CUDA_OK(gpuprim::merge_sort(in.data(), 3, out.data(), {.measured = &size}));
  CHECK(out.download() == untouched);
  CHECK(size.total_bytes() == 0);
}

TEST_CASE("Merge sorts refuse bad arguments and write nothing", "[device]") {
  const int n = 9000;
  test::device_array<int> in(std::vector<int>(n, 1)), values(std::vector<int>(n, 2)), out(n), values_out(n);
  int* const null = nullptr;
  const auto sort = [&](const int* from, std::int64_t count, int* to, gpuprim::workspace* ws = nullptr) {
    return fault_of(gpuprim::merge_sort(from, count, to, std::less<>{}, {.workspace = ws}));
  };
  CHECK(sort(in.data(), -1, out.data()) == "the count is negative");
  CHECK(sort(null, n, out.data()) == "the input is a null pointer but the count is not 0");
  CHECK(sort(in.data(), n, null) == "an output is a null pointer or in host memory, but the count is not 0");
  CHECK(sort(in.data(), n, in.data() + 1) == "an output overlaps an input and is not the same array");
  CHECK(sort(in.data(), std::int64_t{1} << 60, out.data()) == "the count is too large");
  auto* const misaligned = reinterpret_cast<int*>(reinterpret_cast<char*>(out.data()) + 2);
  CHECK(sort(in.data(), n - 1, misaligned) == "an output is not aligned to its element type");
  CHECK(sort(misaligned, n - 1, in.data()) == "the input is not aligned to its element type");
  gpuprim::workspace short_one({0, gpuprim::merge_sort_workspace_size<int>(n).scratch_bytes - 1});
  CHECK(sort(in.data(), n, out.data(), &short_one) ==
        "the workspace is too small; reserve what the call's ..._workspace_bytes or ..._workspace_size says");
  const auto pairs = [&](int* from_values, int* to_keys, int* to_values) {
    return fault_of(gpuprim::merge_sort_pairs(in.data(), from_values, n, to_keys, to_values));
  };
  CHECK(pairs(null, out.data(), values_out.data()) == "the input is a null pointer but the count is not 0");
  CHECK(pairs(values.data(), out.data(), out.data()) == "an output overlaps the other one or its input");
  CHECK(pairs(values.data(), values.data(), values_out.data()) == "an output overlaps the other one or its input");
  CHECK(pairs(values.data(), out.data(), in.data()) == "an output overlaps the other one or its input");
  CUDA_OK(gpuprim::merge_sort(null, 0, null));
  in.check_unchanged();
  values.check_unchanged();
  out.check_untouched();
  values_out.check_untouched();
  static_assert(gpuprim::merge_sort_workspace_size<int>(4352).scratch_bytes == 0);
  static_assert(gpuprim::merge_sort_workspace_size<int>(4353).scratch_bytes > 4353 * 4);
  static_assert(gpuprim::merge_sort_workspace_size<int, double>(5000).scratch_bytes >= 60000);
}
