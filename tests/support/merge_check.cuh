// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merges and set operations against those of the standard library.
#include "sort_check.cuh"

#include <gpuprim/merge.cuh>

#include <iterator>

namespace test {

namespace detail = gpuprim::detail;

/// Tiles of so many threads and items.
constexpr gpuprim::merge_policy merge_tiles(int block_size, int items) {
  return {.block_size = block_size, .lane_bytes = 1 << 10, .most_items = items, .shared_bytes = 20 << 10};
}

/// Sorted keys: about `alike` of them are equal.
template <class T, class Less>
std::vector<T> make_sorted(int count, int first, int alike, Less less) {
  std::vector<T> keys;
  for (int i = 0; i < count; ++i) keys.push_back(make_key<T>((first + i) / alike));
  if constexpr (std::is_same_v<T, tagged>) {
    for (int i = 0; i < count; ++i) {
      keys[std::size_t(i)] = {short(scramble(std::uint64_t(i + first)) % unsigned(2 * count / alike + 1)),
                              static_cast<unsigned short>(first + i)};
    }
  }
  std::stable_sort(keys.begin(), keys.end(), less);
  return keys;
}

/// merge and merge_pairs with tiles of `Policy`.
template <class T, gpuprim::merge_policy Policy = gpuprim::tuned_merge_policy, class Less = by_part>
void check_merge(int a_count, int b_count, Less less = {}, std::size_t misalignment = 0) {
  CAPTURE(a_count, b_count, misalignment);
  const auto a = make_sorted<T>(a_count, 0, 1, less), b = make_sorted<T>(b_count, a_count, 1, less);
  std::vector<int> a_values, b_values;
  for (int i = 0; i < a_count; ++i) a_values.push_back(i);
  for (int i = 0; i < b_count; ++i) b_values.push_back(a_count + i);
  std::vector<T> want(a);
  want.insert(want.end(), b.begin(), b.end());
  std::vector<int> want_values(a_values);
  want_values.insert(want_values.end(), b_values.begin(), b_values.end());
  const std::size_t n = want.size();
  sort_part(want, want_values, 0, n, less);
  const device_array<T> in_a(a, misalignment), in_b(b, 2 * misalignment);
  const device_array<int> from_a(a_values, 4), from_b(b_values);
  device_array<T> out(n, misalignment), keys_out(n);
  device_array<int> values_out(n, 4);
  const gpuprim::options how;
  CUDA_OK(
      detail::merge_keys<Policy, Policy>(in_a.data(), a_count, in_b.data(), b_count, out.data(), less, how).report());
  CUDA_OK(detail::merge_pairs<Policy, Policy>(
              detail::given_pairs<const T*, const int*>{in_a.data(), from_a.data(), a_count},
              detail::given_pairs<const T*, const int*>{in_b.data(), from_b.data(), b_count}, keys_out.data(),
              values_out.data(), less, how)
              .report());
  CHECK(bool(out.download() == want));
  CHECK(bool(keys_out.download() == want));
  CHECK(bool(values_out.download() == want_values));
  for (const device_array<T>* array : {&in_a, &in_b}) array->check_unchanged();
  for (const device_array<int>* array : {&from_a, &from_b}) array->check_unchanged();
  for (const device_array<T>* array : {&out, &keys_out}) array->check_guards();
  values_out.check_guards();
}

template <gpuprim::merge_policy Policy, detail::set_operation Operation, class T, class Less>
void check_set_operation(const std::vector<T>& a, const std::vector<T>& b, Less less, std::size_t misalignment) {
  using detail::set_operation;
  std::vector<T> want;
  const auto to = std::back_inserter(want);
  if constexpr (Operation == set_operation::make_union) {
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), to, less);
  } else if constexpr (Operation == set_operation::make_intersection) {
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to, less);
  } else {
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), to, less);
  }
  CAPTURE(a.size(), b.size(), want.size(), int(Operation), misalignment);
  const device_array<T> in_a(a, misalignment), in_b(b);
  device_array<T> out(want.size(), misalignment);
  device_array<std::int64_t> count(1);
  const std::int64_t a_count = std::int64_t(a.size()), b_count = std::int64_t(b.size());
  gpuprim::workspace ws(detail::set_workspace_bytes<Policy, T>(a_count + b_count));
  CUDA_OK(detail::run_set_operation<Policy, Operation>(in_a.data(), a_count, in_b.data(), b_count, out.data(),
                                                       count.data(), less, {.workspace = &ws})
              .report());
  CHECK(count.download()[0] == std::int64_t(want.size()));
  CHECK(bool(out.download() == want));
  in_a.check_unchanged();
  in_b.check_unchanged();
  out.check_guards();
  count.check_guards();
  check_zero(ws);
}

/// The three set operations with tiles of `Policy`. About as many neighbours are equal as `alike` says.
template <class T, gpuprim::merge_policy Policy = gpuprim::tuned_merge_policy, class Less = by_part>
void check_sets(int a_count, int b_count, int alike, Less less = {}, std::size_t misalignment = 0) {
  CAPTURE(alike);
  const auto a = make_sorted<T>(a_count, 0, alike, less), b = make_sorted<T>(b_count, a_count / 2, alike, less);
  check_set_operation<Policy, detail::set_operation::make_union>(a, b, less, misalignment);
  check_set_operation<Policy, detail::set_operation::make_intersection>(a, b, less, misalignment);
  check_set_operation<Policy, detail::set_operation::make_difference>(a, b, less, misalignment);
}

}  // namespace test
