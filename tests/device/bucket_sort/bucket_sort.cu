// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/bucket_sort_check.cuh"
#include "../../support/small_gpu.cuh"

#include <catch2/catch_template_test_macros.hpp>

using gpuprim::sort_direction;
using gpuprim::detail::sort_way;
using test::spread;

TEMPLATE_TEST_CASE("Keys that spread are sorted by buckets", "[device]", unsigned, int, float, unsigned long long,
                   double) {
  for (const spread how : {spread::evenly, spread::sorted, spread::backwards, spread::around_middle}) {
    CAPTURE(int(how));
    const auto keys = test::make_spread<TestType>(5003, how);
    const auto one = test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::ascending>(keys);
    CHECK(one.way == sort_way::by_buckets);
    CHECK(one.large == 0);
    CHECK(one.tasks >= 5003 / (512 * 16 / sizeof(TestType)));
    const auto two = test::check_buckets<test::sort_few_in_two_passes, TestType, sort_direction::descending>(keys);
    CHECK(two.way == sort_way::by_buckets);
    CHECK(two.large == 0);
    CHECK(two.tasks <= 24);  // which have many buckets each
  }
  const auto keys = test::make_spread<TestType>(5003, spread::evenly);
  CHECK(test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::descending>(keys, true).large == 0);
}

TEMPLATE_TEST_CASE("A few buckets that no block holds are sorted as segments", "[device]", unsigned, double) {
  // A quarter of the keys is in so short a range that a part of a part has one bucket or two for them.
  auto keys = test::make_spread<TestType>(30011, spread::evenly);
  const auto [least, greatest] = std::minmax_element(keys.begin(), keys.end());
  const double from = double(*least), range = double(*greatest) - from;
  for (std::size_t i = 0; i < keys.size(); i += 4) {
    const double part = (double(keys[i]) - from) / range;
    keys[i] = TestType(from + range * (0.3 + 2e-6 * part));
  }
  const auto found = test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::ascending>(keys);
  CHECK(found.way == sort_way::by_buckets);
  CHECK(found.large >= 1);
  test::check_buckets<test::sort_few_in_two_passes, TestType, sort_direction::descending>(keys, true);
}

TEST_CASE("A bucket of one word is large and needs no order", "[device]") {
  // A quarter of the keys is one number, and the others are near to it.
  auto keys = test::make_spread<int>(20011, spread::around_middle);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i % 4 == 1 ? 3 : keys[i] % 500;
  const auto found = test::check_buckets<test::sort_few_in_two_passes, int, sort_direction::ascending>(keys);
  CHECK(found.way == sort_way::by_buckets);
  CHECK(found.large == 0);
  const std::vector<int> equal(20011, 7);
  CHECK(test::check_buckets<test::sort_few_in_one_pass, int, sort_direction::descending>(equal).large == 0);
}

TEST_CASE("A bucket of few words that no block holds is counted by one", "[device][sanitizer]") {
  // A third of the keys has two words.
  auto keys = test::make_spread<unsigned>(20011, spread::evenly);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i % 3 == 0 ? 100 + unsigned(i % 2) : keys[i] % 3000;
  CHECK(test::check_buckets<test::sort_few_in_one_pass, unsigned, sort_direction::ascending>(keys).large == 0);
  CHECK(test::check_buckets<test::sort_few_in_two_passes, unsigned, sort_direction::descending>(keys).large == 0);
}

TEMPLATE_TEST_CASE("A large bucket may have few words, or one, or many", "[device]", int, double) {
  const auto spread_keys = test::make_spread<TestType>(12007, spread::evenly);
  for (const int words : {1, 5, 1 << 20}) {
    auto keys = spread_keys;
    std::mt19937 random(7);
    for (std::size_t i = 0; i < keys.size(); i += 3) {
      if constexpr (std::is_floating_point_v<TestType>) keys[i] = 0.3 + 1e-15 * int(random() % unsigned(words));
      else keys[i] = (std::numeric_limits<TestType>::max() / 3) + TestType(random() % unsigned(words));
    }
    CAPTURE(words);
    test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::ascending>(keys);
    test::check_buckets<test::sort_few_in_two_passes, TestType, sort_direction::descending>(keys, true);
  }
}

TEMPLATE_TEST_CASE("Words of a block that crowd", "[device]", unsigned, float) {
  // Heaps of 9 to 40 neighbours, far from each other.
  std::vector<TestType> keys;
  std::mt19937 random(3);
  while (keys.size() < 8000) {
    const unsigned base = random() % 4000000000u, heap = 9 + random() % 32;
    for (unsigned i = 0; i < heap; ++i) keys.push_back(TestType(base + random() % 512));
  }
  test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::ascending>(keys);
  // And floats of all powers of two.
  for (auto& key : keys)
    key = TestType(std::exp2(double(random() % 30000) / 1000 - (std::is_same_v<TestType, float> ? 20 : 0)));
  test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::descending>(keys);
}

/// Buckets so large that one of twice the keys is too large for a block.
constexpr auto sort_in_full_blocks = [] {
  auto policy = test::sort_few_in_one_pass;
  policy.even_keys = 800;
  policy.uneven_keys = 600;
  policy.end_bytes = 8;
  return policy;
}();

TEST_CASE("A part that is split has its share of the buckets", "[device]") {
  // Half of the keys are in one of the parts. There are so many that the sample is a large one.
  auto keys = test::make_spread<unsigned>(40011, spread::evenly);
  for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] >>= 7;
  CHECK(test::check_buckets<sort_in_full_blocks, unsigned, sort_direction::ascending>(keys).large == 0);
}

TEST_CASE("Keys of many large buckets are one segment", "[device][slow][not_asan]") {
  // Eighty values far apart, each of which more keys have than a block holds.
  std::vector<unsigned> keys(190003);
  std::mt19937 random(5);
  for (auto& key : keys) key = random() % 80 * 50000003;
  const auto found = test::check_buckets<test::sort_few_in_two_passes, unsigned, sort_direction::ascending>(keys);
  CHECK(found.way == sort_way::as_segment);
}

TEST_CASE("Too many keys to be counted are one segment", "[device]") {
  for (const bool is_in_place : {false, true}) {
    const auto found = test::check_buckets<test::sort_as_segment, unsigned, sort_direction::ascending>(
        test::make_spread<unsigned>(5003, spread::evenly), is_in_place);
    CHECK(found.way == sort_way::as_segment);
  }
}

TEMPLATE_TEST_CASE("Keys of any spread are sorted by buckets", "[device]", int, double) {
  for (const spread how : {spread::normally, spread::with_outliers, spread::by_powers, spread::few, spread::equal}) {
    CAPTURE(int(how));
    const auto keys = test::make_spread<TestType>(9001, how);
    test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::ascending>(keys);
    test::check_buckets<test::sort_few_in_two_passes, TestType, sort_direction::descending>(keys, true);
  }
}

TEMPLATE_TEST_CASE("Infinities, NaN and both zeros among keys that spread", "[device]", float, double) {
  auto keys = test::make_spread<TestType>(9001, spread::evenly);
  using limits = std::numeric_limits<TestType>;
  // Where no sample of the keys looks.
  const TestType special[] = {limits::infinity(), -limits::infinity(), limits::quiet_NaN(), -limits::quiet_NaN(),
                              TestType(0),        -TestType(0),        limits::max(),       limits::denorm_min()};
  for (std::size_t i = 0; i < 64; ++i) keys[2 * i] = special[i % 8];
  const auto found = test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::ascending>(keys);
  CHECK(found.way == sort_way::by_buckets);
  test::check_buckets<test::sort_few_in_two_passes, TestType, sort_direction::descending>(keys);
  // And where all of it does.
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = special[i % 8];
  test::check_buckets<test::sort_few_in_one_pass, TestType, sort_direction::ascending>(keys);
}

TEST_CASE("A sort by buckets by one resident block", "[device]") {
  const test::small_gpu gpu(1);
  const auto keys = test::make_spread<unsigned>(9001, spread::evenly);
  CHECK(test::check_buckets<test::sort_few_in_two_passes, unsigned, sort_direction::ascending>(keys).way ==
        sort_way::by_buckets);
  const auto cluster = test::make_spread<unsigned>(40009, spread::with_cluster);
  CHECK(test::check_buckets<test::sort_few_in_one_pass, unsigned, sort_direction::ascending>(cluster).large >= 1);
}

namespace {

/// A whole sort, whichever way it goes.
template <class Key, class Order>
void check_whole_sort(const std::vector<Key>& keys, const Order& order, bool is_in_place) {
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, is_in_place, sizeof(Key));
  using digits = gpuprim::detail::whole_digits<Key, Order::direction>;
  std::vector<Key> sorted = keys;
  std::sort(sorted.begin(), sorted.end(), [](Key a, Key b) { return digits{}.store(a) < digits{}.store(b); });
  test::device_array<Key> in(keys), out(keys.size());
  gpuprim::workspace workspace(gpuprim::sort_workspace_size<Key>(n));
  Key* const to = is_in_place ? in.data() : out.data();
  for (int i = 0; i < 2; ++i) {
    REQUIRE(gpuprim::sort(in.data(), n, to, order, {.workspace = &workspace}) == cudaSuccess);
    const auto got = is_in_place ? in.download() : out.download();
    REQUIRE(std::memcmp(got.data(), sorted.data(), sorted.size() * sizeof(Key)) == 0);
  }
  in.check_guards();
  out.check_guards();
}

}  // namespace

TEMPLATE_TEST_CASE("A sort of numbers takes the way that the GPU finds", "[device]", unsigned, double) {
  constexpr std::int64_t n = (1 << 17) + 3;
  check_whole_sort(test::make_spread<TestType>(n, spread::evenly), gpuprim::ascending, false);
  check_whole_sort(test::make_spread<TestType>(n, spread::few), gpuprim::descending, true);
  test::device_array<TestType> in(n), out(n);
  CHECK(gpuprim::sort_plan(in.data(), n, out.data()).block_size == 512);
}

TEMPLATE_TEST_CASE("Sorts of many numbers of every spread", "[device][gpu]", unsigned, int, float, unsigned long long,
                   double) {
  for (const std::int64_t n : {(1 << 18) - 1, (1 << 20) + 77, (1 << 22) + 5}) {
    for (const spread how :
         {spread::evenly, spread::normally, spread::sorted, spread::backwards, spread::around_middle,
          spread::with_outliers, spread::with_cluster, spread::few, spread::equal, spread::by_powers}) {
      CAPTURE(int(how));
      const auto keys = test::make_spread<TestType>(n, how);
      check_whole_sort(keys, gpuprim::ascending, false);
      if (n < 1 << 22) check_whole_sort(keys, gpuprim::descending, true);
    }
  }
  for (const spread how : {spread::evenly, spread::with_cluster, spread::by_powers}) {
    CAPTURE(int(how));
    check_whole_sort(test::make_spread<TestType>((1 << 24) + 1, how), gpuprim::ascending, false);
  }
}

TEMPLATE_TEST_CASE("Sorts of so many numbers that buckets have all of their bits", "[device][gpu]", unsigned, float) {
  constexpr std::int64_t n = (std::int64_t{1} << 27) + 3;
  check_whole_sort(test::make_spread<TestType>(n, spread::evenly), gpuprim::ascending, false);
}
