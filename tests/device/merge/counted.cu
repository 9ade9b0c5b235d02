// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of as many elements as numbers in device memory say.
#include "../../support/reduce_check.cuh"

#include <gpuprim/merge.cuh>

#include <string>

namespace {

std::vector<int> make_sorted(std::int64_t n, int step) {
  std::vector<int> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(int(i / 3) * step);
  return values;
}

void check(std::int64_t a_most, std::int64_t b_most) {
  const auto a = make_sorted(a_most, 2), b = make_sorted(b_most, 3);
  std::vector<int> places;
  for (std::int64_t i = 0; i < a_most + b_most; ++i) places.push_back(int(i));
  const test::device_array<int> in_a(a), in_b(b, 4), values(places);
  test::device_array<std::int64_t> numbers(2);
  gpuprim::workspace ws(gpuprim::merge_workspace_size<int, int>(a_most + b_most));
  const int *const a_values = values.data(), *const b_values = values.data() + a_most;
  const std::pair<std::int64_t, std::int64_t> told[] = {{0, 0},      {a_most, b_most},         {a_most + 5, -1},
                                                        {1, b_most}, {a_most / 2, b_most / 3}, {0, b_most}};
  for (const auto& [a_told, b_told] : told) {
    CAPTURE(a_most, b_most, a_told, b_told);
    numbers.upload({a_told, b_told});
    const auto m = std::clamp<std::int64_t>(a_told, 0, a_most), k = std::clamp<std::int64_t>(b_told, 0, b_most);
    test::device_array<int> out(places.size()), also(places.size()), pairs(places.size()), moved(places.size());
    auto wanted = out.download(), wanted_values = wanted, wanted_also = wanted;
    std::merge(a.begin(), a.begin() + m, b.begin(), b.begin() + k, wanted.begin());
    for (std::size_t i = 0, j = 0, at = 0; at < std::size_t(m + k); ++at) {
      const bool from_a = j == std::size_t(k) || (i < std::size_t(m) && !(b[j] < a[i]));
      wanted_values[at] = from_a ? int(i++) : int(a_most) + int(j++);
    }
    std::merge(a.begin(), a.begin() + m, b.begin(), b.end(), wanted_also.begin());
    const gpuprim::element_count a_count{numbers.data(), a_most}, b_count{numbers.data() + 1, b_most};
    CUDA_OK(gpuprim::merge(in_a.data(), a_count, in_b.data(), b_count, out.data(), {.workspace = &ws}));
    CUDA_OK(gpuprim::merge(in_a.data(), a_count, in_b.data(), b_most, also.data(), {.workspace = &ws}));
    CUDA_OK(gpuprim::merge_pairs(in_a.data(), a_values, a_count, in_b.data(), b_values, b_count, pairs.data(),
                                 moved.data(), {.workspace = &ws}));
    CHECK((out.download() == wanted && pairs.download() == wanted && also.download() == wanted_also));
    CHECK(moved.download() == wanted_values);
    for (const auto* array : {&out, &also, &pairs, &moved}) array->check_guards();
  }
}

}  // namespace

TEST_CASE("Merges take counts in device memory", "[device]") {
  check(50, 60);
  check(3000, 2);
  check(9000, 7000);
  test::unless_sanitized([](auto) { check(300000, 250000); });  // which takes a kernel that searches
}

TEST_CASE("A merge refuses counts that it would overwrite", "[device]") {
  const test::device_array<int> in(make_sorted(100, 1));
  test::device_array<int> out(200);
  CHECK(gpuprim::merge(in.data(), {out.data() + 150, 100}, in.data(), 100, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count lies in an output"));
  const int* const none = nullptr;
  CHECK(gpuprim::merge(in.data(), 100, in.data(), {none, 100}, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count is a null pointer"));
  out.check_untouched();
}
