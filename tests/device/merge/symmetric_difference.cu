// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/family_check.cuh"
#include "../../support/merge_check.cuh"

#include <gpuprim/device/set_symmetric_difference.cuh>

#include <algorithm>
#include <iterator>
#include <string>

namespace {

/// Elements that compare by a part of them, so that it is seen of which array each is.
std::vector<test::tagged> make_sorted(int n, int different, int tag) {
  std::vector<test::tagged> made;
  for (int i = 0; i < n; ++i) {
    const std::uint32_t key = test::scramble(std::uint64_t(i + tag)) % unsigned(different);
    made.push_back({short(key), static_cast<unsigned short>(tag + i)});
  }
  std::stable_sort(made.begin(), made.end(), test::by_part{});
  return made;
}

}  // namespace

TEST_CASE("Symmetric differences keep what is not in both arrays", "[device][sanitizer]") {
  for (int a_count : {0, 1, 300, 5000}) {
    for (int b_count : {0, 7, 4000}) {
      CAPTURE(a_count, b_count);
      const auto a = make_sorted(a_count, 700, 0), b = make_sorted(b_count, 700, 9000);
      std::vector<test::tagged> want;
      std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want), test::by_part{});
      const test::device_array<test::tagged> in_a(a), in_b(b);
      test::device_array<test::tagged> out(a.size() + b.size());
      gpuprim::workspace ws(gpuprim::set_symmetric_difference_workspace_size<test::tagged>(a_count + b_count));
      const std::int64_t count = gpuprim::set_symmetric_difference_count(
          in_a.data(), a_count, in_b.data(), b_count, out.data(), test::by_part{}, {.workspace = &ws});
      REQUIRE(count == std::int64_t(want.size()));
      auto got = out.download();
      got.resize(want.size());
      CHECK(bool(got == want));
      out.check_guards();
      test::device_array<int> number(1);
      test::run_in_graph([&](cudaStream_t stream) {
        return gpuprim::set_symmetric_difference(in_a.data(), a_count, in_b.data(), b_count, out.data(), number.data(),
                                                 test::by_part{}, {.stream = stream});
      });
      CHECK(number.download()[0] == int(want.size()));
      got = out.download();
      got.resize(want.size());
      CHECK(bool(got == want));
    }
  }
  const test::device_array<int> a(std::vector<int>{1, 2, 2, 2, 5, 9}), b(std::vector<int>{2, 2, 3, 9});
  test::device_array<int> out(10);
  CHECK(gpuprim::set_symmetric_difference_count(a.data(), 6, b.data(), 4, out.data(), {.stream = nullptr}) == 4);
  const auto got = out.download();
  CHECK(std::vector<int>(got.begin(), got.begin() + 4) == std::vector<int>{1, 2, 3, 5});
  CHECK_THROWS_AS(gpuprim::set_symmetric_difference_count(a.data(), -1, b.data(), 4, out.data()), gpuprim::cuda_error);
  CHECK_THROWS_AS(gpuprim::set_symmetric_difference_count(a.data(), 6, b.data(), 4, static_cast<int*>(nullptr)),
                  gpuprim::cuda_error);
}

TEST_CASE("Symmetric differences refuse what they would overwrite, and are measured", "[device]") {
  const test::device_array<int> a(std::vector<int>(3000, 1)), b(std::vector<int>(4000, 2));
  test::device_array<int> out(7000), count(1);
  int* const nothing = nullptr;
  const auto call = [&](int* to, int* number) {
    return gpuprim::set_symmetric_difference(a.data(), 3000, b.data(), 4000, to, number);
  };
  CHECK(call(out.data(), nothing) == cudaErrorInvalidValue);
  CHECK(call(nothing, count.data()) == cudaErrorInvalidValue);
  CHECK(call(a.data() + 9, count.data()) == cudaErrorInvalidValue);
  CHECK(call(out.data(), b.data() + 9) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count lies in the input"));
  gpuprim::workspace_size size;
  CUDA_OK(
      gpuprim::set_symmetric_difference(a.data(), 3000, b.data(), 4000, out.data(), count.data(), {.measured = &size}));
  const auto most = gpuprim::set_symmetric_difference_workspace_size<int>(7000);
  CHECK((size.zeroed_bytes <= most.zeroed_bytes && size.scratch_bytes <= most.scratch_bytes));
  out.check_untouched();
  count.check_untouched();
  gpuprim::workspace ws(size);
  CUDA_OK(
      gpuprim::set_symmetric_difference(a.data(), 3000, b.data(), 4000, out.data(), count.data(), {.workspace = &ws}));
  CHECK(count.download()[0] == 7000);
  auto want = std::vector<int>(7000, 1);
  std::fill(want.begin() + 3000, want.end(), 2);
  CHECK(out.download() == want);
}
