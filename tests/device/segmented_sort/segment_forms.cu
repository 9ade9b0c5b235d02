// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments that lie anywhere, in two buffers, and with the positions of keys in their segments.
#include "../../support/segmented_sort_check.cuh"

#include <string>

namespace {

/// Lengths of every class, of which one is moved in passes over memory.
std::vector<int> some_lengths() {
  std::vector<int> lengths = test::mixed_lengths();
  lengths.insert(lengths.begin() + 5, 30000);
  lengths.push_back(3000);
  return lengths;
}

/// Segments in another order than their memory, with gaps between them.
struct scattered_segments {
  std::vector<int> begins, ends;
  int n = 0;

  explicit scattered_segments(const std::vector<int>& lengths) {
    const auto count = int(lengths.size());
    begins.resize(lengths.size());
    ends.resize(lengths.size());
    for (int i = 0; i < count; ++i) {
      const auto at = std::size_t(i * 5 % count);  // 5 does not divide the number of lengths
      n += i % 3;
      begins[at] = n;
      n += lengths[at];
      ends[at] = n;
    }
    n += 2;
  }
  std::int64_t count() const { return std::int64_t(begins.size()); }

  /// Calls `each(begin, position)` for each place of a segment with the place in it of the key that belongs there.
  template <class Key, class Each>
  void for_sorted(const std::vector<Key>& keys, const Each& each) const {
    for (std::size_t s = 0; s < begins.size(); ++s) {
      std::vector<int> at(std::size_t(std::max(ends[s] - begins[s], 0)));
      std::iota(at.begin(), at.end(), 0);
      const auto own = keys.begin() + begins[s];
      std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return own[a] < own[b]; });
      for (std::size_t i = 0; i < at.size(); ++i) each(std::size_t(begins[s]) + i, at[i], std::size_t(begins[s]));
    }
  }
};

template <class Key>
void check_scattered(bool is_in_place) {
  CAPTURE(is_in_place);
  const scattered_segments segments(some_lengths());
  REQUIRE(segments.count() % 5 != 0);
  const auto keys = test::make_keys<Key>(segments.n, test::key_kind::few_distinct);
  const test::device_array<int> begins(segments.begins), ends(segments.ends);
  const gpuprim::segment_bounds where{begins.data(), ends.data(), segments.n};
  test::device_array<Key> in(keys), out(keys.size()), pair_out(keys.size());
  test::device_array<int> places(keys.size());
  auto wanted = is_in_place ? keys : out.download(), wanted_pairs = out.download();
  auto wanted_places = places.download();
  segments.for_sorted(keys, [&](std::size_t at, int place, std::size_t begin) {
    wanted[at] = wanted_pairs[at] = keys[begin + std::size_t(place)];
    wanted_places[at] = place;
  });
  CUDA_OK(gpuprim::segmented_sort_pairs(in.data(), gpuprim::positions_in_segment<int>{}, where, segments.count(),
                                        pair_out.data(), places.data()));
  Key* const to = is_in_place ? in.data() : out.data();
  CUDA_OK(gpuprim::segmented_sort(in.data(), where, segments.count(), to));
  CHECK(pair_out.download() == wanted_pairs);
  CHECK(places.download() == wanted_places);
  CHECK((is_in_place ? in : out).download() == wanted);
  for (const auto* array : {&in, &out, &pair_out}) array->check_guards();
  places.check_guards();
}

template <class Key>
void check_in_buffers() {
  const auto offsets = test::make_offsets(some_lengths(), 3);
  const auto n = std::int64_t(offsets.back()) + 4, segments = std::int64_t(offsets.size()) - 1;
  const auto keys = test::make_keys<Key>(n, test::key_kind::few_distinct);
  const auto at =
      test::sort_segment_positions(keys, offsets, [](Key key) { return key; }, gpuprim::sort_direction::ascending);
  const test::device_array<int> where(offsets);
  std::vector<int> numbers(keys.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  test::device_array<Key> alone(keys), other(keys.size()), paired(keys), other_paired(keys.size());
  test::device_array<int> values(numbers), other_values(keys.size());
  gpuprim::workspace ws(gpuprim::segmented_sort_in_buffers_size<Key, int>(n, segments));
  CHECK(ws.scratch_bytes() < n * std::int64_t(sizeof(Key)));
  CUDA_OK(ws.reserve(gpuprim::segmented_sort_in_buffers_size<Key>(n, segments)));
  const gpuprim::double_buffer buffers{alone.data(), other.data()}, key_buffers{paired.data(), other_paired.data()};
  const gpuprim::double_buffer value_buffers{values.data(), other_values.data()};
  const gpuprim::segment_offsets by{where.data(), n};
  CUDA_OK(gpuprim::segmented_sort(buffers, by, segments, {.workspace = &ws}));
  CUDA_OK(gpuprim::segmented_sort_pairs(key_buffers, value_buffers, by, segments, {.workspace = &ws}));
  CHECK(test::count_unequal(alone.download(), keys, at) == 0);
  CHECK(test::count_unequal(paired.download(), keys, at) == 0);
  CHECK(values.download() == at);
  for (const auto* array : {&alone, &other, &paired, &other_paired}) array->check_guards();
  test::check_zero(ws);
}

}  // namespace

TEST_CASE("Segments that lie anywhere are sorted, with the places of keys in them", "[device]") {
  for (bool is_in_place : {false, true}) check_scattered<int>(is_in_place);
  test::unless_sanitized([](auto) { check_scattered<std::uint64_t>(false); });
}

TEST_CASE("Segments are sorted in two buffers", "[device]") {
  check_in_buffers<unsigned>();
  test::unless_sanitized([](auto) { check_in_buffers<double>(); });
}

TEST_CASE("The rows of a matrix are sorted with the places of keys in them", "[device]") {
  for (int length : {1, 7, 40, 300, 5000, 20000}) {
    CAPTURE(length);
    const int rows = 40000 / length;
    const auto keys = test::make_keys<float>(std::int64_t(rows) * length, test::key_kind::few_distinct);
    const test::device_array<float> in(keys);
    test::device_array<float> sorted(keys.size());
    test::device_array<short> order(keys.size());
    CUDA_OK(gpuprim::segmented_sort_pairs(in.data(), gpuprim::positions_in_segment<short>{},
                                          gpuprim::fixed_length{length}, rows, sorted.data(), order.data(),
                                          gpuprim::descending));
    const auto got = order.download();
    for (int row = 0; row < rows; ++row) {
      std::vector<short> wanted(std::size_t(length), 0);
      std::iota(wanted.begin(), wanted.end(), short(0));
      const float* const own = keys.data() + row * length;
      std::stable_sort(wanted.begin(), wanted.end(), [&](int a, int b) { return own[a] > own[b]; });
      REQUIRE(std::equal(wanted.begin(), wanted.end(), got.begin() + row * length));
    }
  }
}

TEST_CASE("Segments by bounds are refused without the number of keys, and where an output overlaps them", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 1));
  test::device_array<int> bounds(std::vector<int>(20, 3)), out(100);
  const auto refusal = [&](const auto& where, int* to) {
    CHECK(gpuprim::segmented_sort(in.data(), where, 10, to) == cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault());
  };
  const gpuprim::segment_bounds unknown{bounds.data(), bounds.data() + 10};
  const gpuprim::segment_bounds known{bounds.data(), bounds.data() + 10, 100}, within{out.data(), bounds.data(), 100};
  CHECK(refusal(unknown, out.data()) == "segment_bounds needs the number of elements here");
  CHECK(refusal(within, out.data()) == "an output overlaps the begins or ends");
  CUDA_OK(gpuprim::segmented_sort(in.data(), known, 10, out.data()));  // empty segments
  out.check_untouched();
}
