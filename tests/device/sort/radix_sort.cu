// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/radix_sort_check.cuh"
#include "../../support/schedules.cuh"

using test::key_kind;

namespace {

constexpr key_kind all_kinds[] = {key_kind::random,    key_kind::few_distinct, key_kind::all_equal,
                                  key_kind::ascending, key_kind::descending,   key_kind::extreme};

struct reading {
  short group;
  unsigned char pad;
  float level;
  bool is_late;
  friend bool operator==(const reading&, const reading&) = default;
};
struct by_members {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<bool, short, float> operator()(const reading& r) const {
    return {r.is_late, r.group, r.level};
  }
};

}  // namespace

TEST_CASE("Radix sorts in a cluster", "[device][sanitizer]") {
  for (std::int64_t n : {1, 2, 31, 33, 255, 256, 257, 320, 321, 1000, 1023, 1024}) {
    test::check_sort<test::sort_in_clusters, unsigned>(n, key_kind::random);
  }
  for (const auto kind : all_kinds) test::check_sort<test::sort_in_clusters, int>(900, kind);
}

TEST_CASE("Radix sorts in passes over memory", "[device][sanitizer][slow]") {
  for (std::int64_t n : {1, 2, 191, 193, 576, 577, 1024, 1025, 5000}) {
    test::check_sort<test::sort_in_memory, unsigned>(n, key_kind::random);
  }
  for (const auto kind : all_kinds) test::check_sort<test::sort_in_memory, int>(1500, kind);
}

TEST_CASE("A radix sort in large tiles, of which some warps have one digit", "[device]") {
  constexpr std::int64_t n = 700000;  // more than small tiles are taken for
  std::vector<unsigned char> keys, equal_but_two(n, 100);
  for (std::int64_t i = 0; i < n; ++i) {
    keys.push_back(static_cast<unsigned char>(i % 9000 < 7000 ? 200 - i / 9000 : 37 * i % 256));
  }
  equal_but_two[300000] = 99;
  equal_but_two[650001] = 101;
  for (auto& all : {&keys, &equal_but_two}) {
    test::device_array<unsigned char> in(*all), out(all->size());
    CUDA_OK(gpuprim::sort(in.data(), n, out.data()));
    std::sort(all->begin(), all->end());
    CHECK((out.download() == *all));
    out.check_guards();
  }
}

TEST_CASE("Radix sorts of every kind of number", "[device]") {
  const auto check = [&]<class Key>() {
    for (const auto kind : {key_kind::random, key_kind::extreme}) {
      test::check_sort<test::sort_in_clusters, Key>(700, kind);
      test::check_sort<test::sort_in_memory, Key>(700, kind);
    }
  };
  check.operator()<unsigned char>();
  check.operator()<__half>();
  check.operator()<float>();
  check.operator()<long long>();
  test::unless_sanitized([&](auto) {
    check.operator()<signed char>();
    check.operator()<short>();
    check.operator()<unsigned short>();
    check.operator()<__nv_bfloat16>();
    check.operator()<unsigned long long>();
    check.operator()<double>();
  });
}

TEST_CASE("Radix sorts at misalignments, and in place", "[device]") {
  for (std::size_t bytes : {4, 12, 60}) {
    test::check_sort<test::sort_in_clusters, float>(600, key_kind::random, {bytes, 8});
    test::check_sort<test::sort_in_memory, float>(600, key_kind::random, {bytes, 8});
  }
  for (std::int64_t n : {100, 1500}) {
    test::check_sort<test::sort_in_clusters, unsigned char>(n, key_kind::random, {1, 3});
    test::check_sort<test::sort_in_clusters, unsigned>(n, key_kind::random, {.is_in_place = true});
    test::check_sort<test::sort_in_memory, unsigned>(n, key_kind::random, {.is_in_place = true});        // six passes
    test::check_sort<test::sort_in_memory, unsigned short>(n, key_kind::random, {.is_in_place = true});  // three
  }
}

TEST_CASE("Radix sorts of ranges of bits", "[device]") {
  const auto keys = test::make_keys<unsigned>(900, key_kind::random);
  for (const auto& [first, end] : {std::pair{0, 32}, {0, 1}, {5, 9}, {13, 32}, {7, 7}, {31, 32}, {32, 32}}) {
    CAPTURE(first, end);
    const auto word = [first = first, end = end](unsigned key) {
      return std::uint64_t(key) % (std::uint64_t{1} << end) >> first;
    };
    const auto order = gpuprim::ascending.bits(first, end);
    test::check_sort_by<test::sort_in_clusters>(keys, order, gpuprim::sort_direction::ascending, word);
    test::check_sort_by<test::sort_in_memory>(keys, order, gpuprim::sort_direction::ascending, word);
    test::check_sort_by<test::sort_in_memory>(keys, gpuprim::descending.bits(first, end),
                                              gpuprim::sort_direction::descending, word);
  }
}

TEST_CASE("Radix sorts of structs by their members", "[device]") {
  std::mt19937 random(3);
  std::vector<reading> keys(800);
  std::memset(static_cast<void*>(keys.data()), 0, keys.size() * sizeof(reading));
  for (auto& key : keys) {
    key.group = short(random() % 7) - 3;
    key.level = float(int(random() % 5)) - 2;
    key.is_late = random() % 2 == 0;
  }
  const auto word = [](const reading& r) { return std::tuple(r.is_late, r.group, r.level); };
  test::check_sort_by<test::sort_in_clusters>(keys, gpuprim::ascending.by(by_members{}),
                                              gpuprim::sort_direction::ascending, word);
  test::check_sort_by<test::sort_in_memory>(keys, gpuprim::descending.by(by_members{}),
                                            gpuprim::sort_direction::descending, word);
}

#if defined(SIMT_DEVICE)
TEST_CASE("Radix sorts under many schedules at 1 to 7 resident blocks", "[device][not_asan]") {
  test::under_many_schedules([](unsigned seed) {
    test::check_sort<test::sort_in_memory, unsigned short>(1100, key_kind::few_distinct, {}, seed);
  });
}

TEST_CASE("Radix sorts under all schedules of a delay", "[device][not_asan]") {
  const int schedules = test::under_all_delays(
      1, [] { test::check_sort<test::sort_in_memory, unsigned char>(90, key_kind::few_distinct, {}, 1); });
  CHECK(schedules > 50);
}
#endif
