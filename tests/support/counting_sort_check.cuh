// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts by counting against std::sort.
#include <gpuprim/device/sort.cuh>

#include "radix_sort_check.cuh"

namespace test {

/// Sorts keys by counting, from a misaligned array to another, or in place.
template <class Digits>
void check_counting(const std::vector<typename Digits::key>& keys, std::size_t misalignment, bool is_in_place) {
  using Key = typename Digits::key;
  using sort = gpuprim::detail::counting_sort<Digits>;
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, misalignment, is_in_place, sizeof(Key), Digits::is_descending);
  std::vector<Key> sorted = keys;
  std::sort(sorted.begin(), sorted.end(), [](Key a, Key b) { return Digits{}.store(a) < Digits{}.store(b); });
  const gpuprim::workspace_size size = sort::find_workspace_size();
  device_array<char> zeroed(std::vector<char>(std::size_t(size.zeroed_bytes), 0));
  device_array<char> scratch(std::size_t(size.scratch_bytes));
  device_array<Key> in(keys, misalignment), out(keys.size(), 2 * sizeof(Key));
  const Key* const from = in.data();
  const auto done = sort{{}, n}.run(from, is_in_place ? in.data() : out.data(), zeroed.data(), scratch.data(), {});
  REQUIRE_FALSE(done.failed());
  const auto got = is_in_place ? in.download() : out.download();
  CHECK(std::memcmp(got.data(), sorted.data(), sorted.size() * sizeof(Key)) == 0);
  CHECK(zeroed.download() == std::vector<char>(std::size_t(size.zeroed_bytes), 0));
  if (!is_in_place) in.check_unchanged();
  in.check_guards();
  out.check_guards();
  scratch.check_guards();
}

}  // namespace test
