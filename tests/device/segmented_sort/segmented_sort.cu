// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/schedules.cuh"
#include "../../support/segmented_sort_check.cuh"

using test::key_kind;

namespace {

constexpr auto policies = test::sort_tiny_segments;
constexpr auto rising = gpuprim::sort_direction::ascending, falling = gpuprim::sort_direction::descending;

struct event {
  short day;
  unsigned char pad;
  float level;
  double weight;
  friend bool operator==(const event&, const event&) = default;
};
struct by_members {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<short, float, double> operator()(const event& e) const {
    return {e.day, e.level, e.weight};
  }
};

struct long_value {
  int position;
  double rest[3];
  friend bool operator==(const long_value&, const long_value&) = default;
};
struct longer_value {
  int position;
  double rest[24];
};
struct short_value {
  unsigned char low, middle, high;
};

/// Sorts in place with values of another type, made of positions.
template <class Value, class Make>
void check_values(const Make& make) {
  const auto offsets = test::make_offsets(test::mixed_lengths(), 3);
  const auto n = std::int64_t(offsets.back()), segments = std::int64_t(offsets.size()) - 1;
  const auto keys = test::make_keys<unsigned>(n, key_kind::few_distinct);
  const auto at = test::sort_segment_positions(keys, offsets, [](unsigned key) { return key; }, falling);
  std::vector<Value> values;
  for (int i = 0; i < int(n); ++i) values.push_back(make(i));
  test::device_array<unsigned> sorted(keys);
  test::device_array<Value> of_keys(values);
  test::device_array<int> where(offsets);
  using digits = gpuprim::detail::number_digits<unsigned, falling>;
  using sorter = gpuprim::detail::segmented_sorter<policies, digits, unsigned, Value>;
  gpuprim::workspace workspace(sorter::find_workspace_size(n, segments));
  const gpuprim::detail::offset_segments<const int*> spans{where.data(), segments, n};
  const auto done = gpuprim::detail::run_segmented_sort(
      sorter{{}, n, 0, 32}, spans, static_cast<const unsigned*>(sorted.data()),
      static_cast<const Value*>(of_keys.data()), {sorted.data(), of_keys.data()}, {.workspace = &workspace});
  REQUIRE(done.code == cudaSuccess);
  CHECK(test::count_unequal(sorted.download(), keys, at) == 0);
  CHECK(test::count_unequal(of_keys.download(), values, at) == 0);
  sorted.check_guards();
  of_keys.check_guards();
  test::check_zero(workspace);
}

template <class Key, class Where>
void check_public(const std::vector<Key>& keys, const std::vector<int>& offsets, const Where& where) {
  const auto segments = std::int64_t(offsets.size()) - 1, n = std::int64_t(keys.size());
  CAPTURE(n, segments);
  const auto at = test::sort_segment_positions(keys, offsets, [](Key key) { return key; }, rising);
  test::device_array<Key> in(keys), out(keys.size());
  gpuprim::workspace workspace(gpuprim::segmented_sort_workspace_size<Key>(n, segments));
  CUDA_OK(gpuprim::segmented_sort(in.data(), where, segments, out.data(), {.workspace = &workspace}));
  CHECK(test::count_unequal(out.download(), keys, at) == 0);
  in.check_unchanged();
  out.check_guards();
  test::check_zero(workspace);
}

}  // namespace

TEST_CASE("Sorts of segments of every class", "[device][sanitizer]") {
  for (const auto kind : {key_kind::random, key_kind::few_distinct, key_kind::all_equal, key_kind::ascending,
                          key_kind::descending, key_kind::extreme}) {
    test::check_segmented_sort<policies, unsigned>(test::mixed_lengths(), kind);
    test::check_segmented_sort<policies, float, falling>(test::mixed_lengths(), kind);
  }
}

TEST_CASE("Sorts of segments of one class", "[device][sanitizer]") {
  for (int length : {0, 1, 3, 4, 7, 16, 32, 60, 150, 300, 600}) {
    CAPTURE(length);
    test::check_segmented_sort<policies, unsigned>(std::vector<int>(9, length), key_kind::random);
  }
  test::check_segmented_sort<policies, unsigned>({}, key_kind::random);
  test::check_segmented_sort<policies, unsigned>({3000}, key_kind::few_distinct);
  std::vector<int> lengths;  // many short ones, with a long one here and there
  for (int i = 0; i < 700; ++i) lengths.push_back(i % 101 == 50 ? 260 : i * 7 % 11);
  test::check_segmented_sort<policies, unsigned>(lengths, key_kind::random);
}

TEST_CASE("Sorts of segments of every kind of number", "[device][slow]") {
  const auto check = [&]<class Key>() {
    for (const auto kind : {key_kind::random, key_kind::extreme}) {
      test::check_segmented_sort<policies, Key, falling>(test::mixed_lengths(), kind);
    }
  };
  check.operator()<unsigned char>();
  check.operator()<__half>();
  check.operator()<long long>();
  test::unless_sanitized([&](auto) {
    check.operator()<short>();
    check.operator()<unsigned long long>();
    check.operator()<double>();
  });
}

TEST_CASE("Sorts of segments at misalignments, and in place", "[device]") {
  for (std::size_t bytes : {4, 12, 60}) {
    test::check_segmented_sort<policies, float>(test::mixed_lengths(), key_kind::random, {bytes, 8});
  }
  test::check_segmented_sort<policies, unsigned char>(test::mixed_lengths(), key_kind::random, {1, 3});
  test::check_segmented_sort<policies, unsigned>(test::mixed_lengths(), key_kind::random, {.is_in_place = true});
  test::check_segmented_sort<policies, short>(test::mixed_lengths(), key_kind::random, {.is_in_place = true});
}

TEST_CASE("Sorts of segments by ranges of bits", "[device]") {
  const auto offsets = test::make_offsets(test::mixed_lengths(), 3);
  const auto keys = test::make_keys<unsigned>(offsets.back() + 2, key_kind::random);
  for (const auto& [first, end] : {std::pair{0, 1}, {5, 9}, {13, 32}, {7, 7}, {31, 32}, {32, 32}}) {
    CAPTURE(first, end);
    const auto word = [first = first, end = end](unsigned key) {
      return std::uint64_t(key) % (std::uint64_t{1} << end) >> first;
    };
    test::check_segmented_sort_by<policies>(keys, offsets, gpuprim::ascending.bits(first, end), rising, word);
    test::check_segmented_sort_by<policies>(keys, offsets, gpuprim::descending.bits(first, end), falling, word,
                                            {.is_in_place = true});
  }
}

TEST_CASE("Sorts of segments of structs by their members", "[device]") {
  std::mt19937 random(3);
  const auto offsets = test::make_offsets(test::mixed_lengths(), 3);
  std::vector<event> keys(std::size_t(offsets.back() + 2));
  std::memset(static_cast<void*>(keys.data()), 0, keys.size() * sizeof(event));
  for (auto& key : keys) {  // the 112 bits of a key are more than lanes compare at once
    key.day = short(short(random() % 3) - 1);
    key.level = float(int(random() % 5)) - 2;
    key.weight = double(int(random() % 5)) - 2;
  }
  const auto word = [](const event& e) { return std::tuple(e.day, e.level, e.weight); };
  test::check_segmented_sort_by<policies>(keys, offsets, gpuprim::ascending.by(by_members{}), rising, word);
  test::check_segmented_sort_by<policies>(keys, offsets, gpuprim::descending.by(by_members{}), falling, word,
                                          {.is_in_place = true});
}

TEST_CASE("Sorts of segments with values of other sizes", "[device]") {
  check_values<long_value>([](int i) { return long_value{i, {0.5 * i, 1, 2}}; });
  check_values<short_value>([](int i) {
    const auto byte = [i](int shift) { return static_cast<unsigned char>(i >> shift); };
    return short_value{byte(0), byte(8), byte(16)};
  });
}

TEST_CASE("Sorts of rows with long values", "[device]") {
  constexpr int length = 300, rows = 3, n = length * rows;
  const auto keys = test::make_keys<double>(n, key_kind::few_distinct);
  const auto offsets = test::make_offsets(std::vector<int>(rows, length), 0);
  const auto at = test::sort_segment_positions(keys, offsets, [](double key) { return key; }, rising);
  std::vector<longer_value> values(n);
  for (int i = 0; i < n; ++i) values[std::size_t(i)] = {i, {}};
  test::device_array<double> in(keys), out(n);
  test::device_array<longer_value> values_in(values), values_out(n);
  CUDA_OK(gpuprim::segmented_sort_pairs(in.data(), values_in.data(), gpuprim::fixed_length{length}, rows, out.data(),
                                        values_out.data()));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(test::count_unequal(out.download(), keys, at) == 0);
  const auto got = values_out.download();
  for (int i = 0; i < n; ++i) REQUIRE(got[std::size_t(i)].position == int(at[std::size_t(i)]));
}

TEST_CASE("Passes by digits that all keys of a long segment share do not move it", "[device]") {
  const auto offsets = test::make_offsets({300, 900, 2, 257}, 3);
  const auto word = [](unsigned key) { return key; };
  // Digits of 6 bits that differ: none, one, two neighbours, another one, and three.
  for (const unsigned mask : {0u, 0x3fu, 0xfffu, 0x3f000u, 0x3f0c003fu}) {
    auto keys = test::make_keys<unsigned>(offsets.back() + 2, key_kind::random);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = (keys[i] & mask) | (0x5a5a5a5a & ~mask);
    for (const bool is_in_place : {false, true}) {
      CAPTURE(mask, is_in_place);
      test::check_segmented_sort_by<policies>(keys, offsets, gpuprim::ascending, gpuprim::sort_direction::ascending,
                                              word, {.is_in_place = is_in_place});
    }
  }
}

TEST_CASE("Sorts of long segments with more tiles than the look-back has room for", "[device]") {
  for (const auto kind : {key_kind::random, key_kind::few_distinct}) {
    test::check_segmented_sort<policies, unsigned short>({3000, 200, 9001, 10, 5000}, kind);
  }
}

TEST_CASE("Sorts of segments of one length", "[device][not_asan]") {
  for (const auto& [length, segments] : {std::pair{1, 50},
                                         {7, 300},
                                         {16, 100},
                                         {17, 30},
                                         {64, 5},
                                         {65, 20},
                                         {129, 5},
                                         {257, 4},
                                         {1025, 2},
                                         {7169, 2},
                                         {16384, 2},
                                         {16385, 1},
                                         {32768, 1},
                                         {32769, 1}}) {
    CAPTURE(length);
    const auto offsets = test::make_offsets(std::vector<int>(std::size_t(segments), length), 0);
    check_public(test::make_keys<unsigned>(offsets.back(), key_kind::random), offsets, gpuprim::fixed_length{length});
  }
  const auto offsets =
      test::make_offsets({15, 16, 17, 0, 63, 64, 65, 128, 129, 256, 257, 1024, 1025, 7168, 7169, 8193, 18000}, 0);
  test::device_array<int> where(offsets);
  check_public(test::make_keys<int>(offsets.back(), key_kind::random), offsets,
               gpuprim::segment_offsets{static_cast<const int*>(where.data()), std::int64_t(offsets.back())});
}

#if defined(SIMT_DEVICE)
TEST_CASE("Sorts of segments under many schedules at 1 to 7 resident blocks", "[device][not_asan]") {
  test::under_many_schedules([](unsigned seed) {
    test::check_segmented_sort<policies, unsigned short>({700, 5, 0, 20, 900, 100, 50}, key_kind::few_distinct, {},
                                                         seed);
  });
}
#endif
