// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts by buckets against std::sort.
#include "radix_sort_check.cuh"

#include <cmath>

namespace test {

/// Shapes so small that few keys take every path: one pass or two, buckets that no block holds, tasks of many buckets.
constexpr gpuprim::bucket_policy sort_few_in_one_pass{.most_keys = 1 << 20,
                                                      .one_pass_keys = 1 << 20,
                                                      .one_look_keys = 20000,
                                                      .even_keys = 400,
                                                      .uneven_keys = 150,
                                                      .most_buckets = 1 << 12,
                                                      .pass_bytes = 8,
                                                      .only_pass_bytes = 8,
                                                      .end_bytes = 16};
constexpr auto sort_few_in_two_passes = [] {
  auto policy = sort_few_in_one_pass;
  policy.one_pass_keys = 0;
  policy.one_look_keys = 5000;
  policy.even_keys = 6;
  policy.uneven_keys = 4;
  return policy;
}();
/// So few keys may be counted that all are one segment.
constexpr auto sort_as_segment = [] {
  auto policy = sort_few_in_two_passes;
  policy.most_keys = 1000;
  return policy;
}();

/// How keys of a test lie.
enum class spread {
  evenly,
  normally,
  sorted,
  backwards,
  around_middle,
  with_outliers,
  with_cluster,
  few,
  equal,
  by_powers
};

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
      case spread::evenly:
        key = are_floats ? Key(part) : Key(bits);
        break;
      case spread::normally:
        key = Key(normal(random) * (are_floats ? 1 : 1e6));
        break;
      case spread::sorted:
        key = Key(i);
        break;
      case spread::backwards:
        key = Key(n - i);
        break;
      case spread::around_middle:
        key = Key(middle + Key(bits % 20001) - Key(10000));
        break;
      case spread::with_outliers:
        key = i % 1511 == 700 ? std::numeric_limits<Key>::max() : Key(bits % 1000003);
        break;
      // So near to each other that they have one bucket, and so many that no block holds it.
      case spread::with_cluster:
        key = Key(i % 2 == 1 ? 500000003 + bits % 64 : bits % 1000000007);
        break;
      case spread::few:
        key = Key(bits % 17 * 0x123457);
        break;
      case spread::equal:
        key = Key(7);
        break;
      case spread::by_powers:
        key = Key(std::exp(part * 20));
        break;
    }
  }
  return keys;
}

/// What a sort by buckets did.
struct bucket_result {
  gpuprim::detail::sort_way way;
  unsigned large, tasks;
};

/// Small tiles for stable passes, so that few keys have several.
constexpr gpuprim::sort_policies sort_in_small_tiles{
    .few = {},
    .several = {.block_size = 256, .lane_bytes = 16, .digit_bits = 8},
    .many = {.block_size = 256, .lane_bytes = 16, .digit_bits = 8},
    .counts = {.block_size = 256, .lane_bytes = 16, .digit_bits = 8},
    .several_tiles = 3,
    .part_bytes = 1 << 14,
};

template <gpuprim::bucket_policy Policy, class Digits, class Value>
struct small_buckets : gpuprim::detail::tuned_buckets<Digits, Value> {
  static constexpr gpuprim::bucket_policy policy = Policy;
  using stable_passes = gpuprim::detail::radix_sort<sort_in_small_tiles, gpuprim::detail::bucket_digits<Digits>,
                                                    typename Digits::key, Value>;
};

/// Sorts keys by buckets, with their positions as values unless Value is `no_values`.
template <gpuprim::bucket_policy Policy, class Digits, class Value>
bucket_result check_bucket_sort(const std::vector<typename Digits::key>& keys, bool is_in_place) {
  using namespace gpuprim::detail;
  using Key = typename Digits::key;
  using buckets = bucket_sort<small_buckets<Policy, Digits, Value>>;
  constexpr bool has_values = buckets::has_values;
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, is_in_place, sizeof(Key), Digits::is_descending, has_values);
  const Digits digits;
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return digits.order(digits.store(keys[std::size_t(a)])) < digits.order(digits.store(keys[std::size_t(b)]));
  });
  std::vector<Key> sorted(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) sorted[i] = keys[std::size_t(order[i])];

  const gpuprim::workspace_size size = buckets::find_own_size(n);
  device_array<char> zeroed(std::vector<char>(std::size_t(size.zeroed_bytes), 0));
  device_array<char> scratch(std::size_t(size.scratch_bytes));
  device_array<Key> in(keys), out(keys.size()), other(keys.size());
  std::vector<int> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0);
  device_array<int> values(positions), values_out(keys.size()), values_other(keys.size());
  Key* const to = is_in_place ? in.data() : out.data();
  const Key* const from = in.data();
  const buckets sort{{}, n};
  outcome done;
  if constexpr (has_values) {
    const int* const values_from = values.data();
    done = sort.run(from, values_from, {to, is_in_place ? values.data() : values_out.data()},
                    {other.data(), values_other.data()}, zeroed.data(), scratch.data(), {});
  } else {
    done = sort.run(from, no_values{}, {to, nullptr}, {other.data(), nullptr}, zeroed.data(), scratch.data(), {});
  }
  REQUIRE_FALSE(done.failed());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto state = bucket_state<Digits>::lay_over(zeroed.data(), scratch.data(), 1, 1);
  bucket_result found{sort_way::as_segment, 1, 0};
  const auto get = [](auto& copy, const auto* of) {
    REQUIRE(cudaMemcpy(&copy, of, sizeof copy, cudaMemcpyDefault) == cudaSuccess);
  };
  if (sort.find_fit().code != does_not_fit) {
    get(found.way, state.way);
    get(found.large, state.large_found);
    get(found.tasks, state.tasks_found);
  }
  CHECK(zeroed.download() == std::vector<char>(std::size_t(size.zeroed_bytes), 0));
  const auto got = is_in_place ? in.download() : out.download();
  CHECK(std::memcmp(got.data(), sorted.data(), sorted.size() * sizeof(Key)) == 0);
  if (has_values) CHECK((is_in_place ? values.download() : values_out.download()) == order);
  if (!is_in_place) {
    in.check_unchanged();
    values.check_unchanged();
  }
  zeroed.check_guards();
  scratch.check_guards();
  for (const auto* keys_of : {&in, &out, &other}) keys_of->check_guards();
  for (const auto* values_of : {&values, &values_out, &values_other}) values_of->check_guards();
  return found;
}

/// Sorts keys alone, and then with values.
template <gpuprim::bucket_policy Policy, class Key, gpuprim::sort_direction Direction>
bucket_result check_buckets(const std::vector<Key>& keys, bool is_in_place = false) {
  using namespace gpuprim::detail;
  constexpr auto of_pairs = [] {
    auto policy = Policy;
    policy.end_bytes = sizeof(Key) > 4 ? 32 : 16;  // of values that are as long
    return policy;
  }();
  check_bucket_sort<of_pairs, all_digits<Key, Direction>, int>(keys, is_in_place);
  return check_bucket_sort<Policy, whole_digits<Key, Direction>, no_values>(keys, is_in_place);
}

}  // namespace test
