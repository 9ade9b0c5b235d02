// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts by buckets against std::sort.
#include "radix_sort_check.cuh"

#include <cmath>

namespace test {

/// Shapes so small that few keys take every path: one pass or two, buckets that no block holds, tasks of many buckets.
constexpr gpuprim::bucket_policy sort_few_in_one_pass{
    .least_keys = 4096, .most_keys = 1 << 20, .bucket_keys = 64, .pass_bytes = 8, .end_bytes = 16, .cell_bits = 9};
constexpr gpuprim::bucket_policy sort_few_in_two_passes{
    .least_keys = 4096, .most_keys = 1 << 20, .bucket_keys = 6, .pass_bytes = 8, .end_bytes = 16, .cell_bits = 9};

/// How keys of a test lie.
enum class spread { evenly, normally, sorted, backwards, around_middle, with_outliers, with_tails, few, equal, by_powers };

template <class Key>
std::vector<Key> make_spread(std::int64_t n, spread how, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Key> keys(static_cast<std::size_t>(n));
  constexpr bool are_floats = std::is_floating_point_v<Key>;
  constexpr Key middle = std::is_unsigned_v<Key> ? std::numeric_limits<Key>::max() / 2 : Key(0);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random();
    const double part = double(bits >> 11) * 0x1p-53;
    Key& key = keys[std::size_t(i)];
    switch (how) {
      case spread::evenly: key = are_floats ? Key(part) : Key(bits); break;
      case spread::normally: key = Key(normal(random) * (are_floats ? 1 : 1e6)); break;
      case spread::sorted: key = Key(i); break;
      case spread::backwards: key = Key(n - i); break;
      case spread::around_middle: key = Key(middle + Key(bits % 20001) - Key(10000)); break;
      case spread::with_outliers: key = i % 1511 == 700 ? std::numeric_limits<Key>::max() : Key(bits % 1000003); break;
      // So far outside that no sample shows them, and so many that no block holds them.
      case spread::with_tails: key = Key(i < n - n / 16 || i % 4 != 1 ? 1000000 + bits % 1000003 : bits % 1000); break;
      case spread::few: key = Key(bits % 17 * 0x123457); break;
      case spread::equal: key = Key(7); break;
      case spread::by_powers: key = Key(std::exp(part * 20)); break;
    }
  }
  return keys;
}

/// What a sort by buckets did.
struct bucket_result {
  gpuprim::detail::sort_way way;
  unsigned large, tasks;
};

/// Sorts keys by buckets, and compares if that is how they are to be sorted.
template <gpuprim::bucket_policy Policy, class Key, gpuprim::sort_direction Direction>
bucket_result check_buckets(const std::vector<Key>& keys, bool is_in_place = false) {
  using namespace gpuprim::detail;
  using digits = whole_digits<Key, Direction>;
  using buckets = bucket_sort<Policy, digits, Key, row_sorter<digits, Key>>;
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, is_in_place, sizeof(Key), int(Direction));
  REQUIRE(buckets::takes(n));
  const gpuprim::workspace_size size = buckets::find_workspace_size(n);
  device_array<char> zeroed(std::vector<char>(std::size_t(size.zeroed_bytes), 0));
  device_array<char> scratch(std::size_t(size.scratch_bytes));
  device_array<Key> in(keys), out(keys.size()), other(keys.size());
  Key* const to = is_in_place ? in.data() : out.data();
  const gpuprim::detail::sort_way* way = nullptr;
  const Key* const from = in.data();
  const auto done = buckets{{}, n}.run(from, to, other.data(), zeroed.data(), scratch.data(), nullptr, way);
  REQUIRE_FALSE(done.failed());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto state = bucket_state::lay_over(zeroed.data(), scratch.data());
  bucket_result found{};
  REQUIRE(cudaMemcpy(&found.way, way, sizeof found.way, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(cudaMemcpy(&found.large, state.large_found, sizeof(unsigned), cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(cudaMemcpy(&found.tasks, state.tasks_found, sizeof(unsigned), cudaMemcpyDefault) == cudaSuccess);
  CHECK(zeroed.download() == std::vector<char>(std::size_t(size.zeroed_bytes), 0));
  scratch.check_guards();
  other.check_guards();
  if (found.way == sort_way::by_buckets) {
    std::vector<Key> sorted = keys;
    std::sort(sorted.begin(), sorted.end(), [](Key a, Key b) { return digits{}.store(a) < digits{}.store(b); });
    const auto got = is_in_place ? in.download() : out.download();
    CHECK(std::memcmp(got.data(), sorted.data(), sorted.size() * sizeof(Key)) == 0);
  } else if (is_in_place) {
    in.check_unchanged();
  }
  in.check_guards();
  out.check_guards();
  return found;
}

}  // namespace test
