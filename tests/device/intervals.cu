// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, scans, segments and runs of elements that are intervals of positions. Two intervals join if the second
// begins where the first ends, and are broken for ever otherwise. So a result that is one interval shows that each of
// its elements was joined once and in order, for every associative operator at once.
//
// A GPU takes each size up to 5,000 and some beyond. The SIMT device takes the small ones and some others, which differ
// from schedule to schedule.
#include "../support/device.cuh"

#include <gpuprim/gpuprim.cuh>

#include <algorithm>
#include <random>

#if defined(SIMT_DEVICE)
#include <simt/control.hpp>
#endif

namespace {

template <class Position>
struct interval {
  Position begin, end;
  friend bool operator==(const interval&, const interval&) = default;
};

/// `Known`: whether the library is told an identity, the interval of nothing.
template <bool Known>
struct join_neighbours {
  template <class Position>
  GPUPRIM_HOST_DEVICE interval<Position> operator()(const interval<Position>& a, const interval<Position>& b) const {
    if (is_nothing(a)) return b;
    if (is_nothing(b)) return a;
    return a.end == b.begin ? interval<Position>{a.begin, b.end} : interval<Position>{-1, -3};
  }
  template <class Position>
  GPUPRIM_HOST_DEVICE static bool is_nothing(const interval<Position>& x) {
    return Known && x.begin == -2;
  }
};

}  // namespace

template <class Position>
struct gpuprim::identity_element<join_neighbours<true>, interval<Position>> {
  GPUPRIM_HOST_DEVICE static constexpr interval<Position> value() { return {-2, -2}; }
};

namespace {

/// Element i is the one of row i / columns.
template <class Position>
struct repeated : gpuprim::detail::input_iterator_types<interval<Position>> {
  const interval<Position>* in;
  int columns;
  GPUPRIM_HOST_DEVICE interval<Position> operator[](std::int64_t i) const { return in[i / columns]; }
};

std::vector<int> chosen_sizes() {
  std::vector<int> sizes;
  unsigned seed = 1;
#if defined(SIMT_DEVICE)
  seed = simt::current_settings().seed;
#endif
  const int all = test::on_simt ? 20 : 5000, some = test::on_simt ? 2 : 0;
  for (int n = 1; n <= all; ++n) sizes.push_back(n);
  std::mt19937 random(seed);
  for (int i = 0; i < some; ++i) sizes.push_back(1 + int(random() % 5000));
  const int beyond = test::on_simt ? 1 : 12;
  for (int i = 0; i < beyond; ++i) sizes.push_back(5000 + int(random() % (test::on_simt ? 3'000u : 3'000'000u)));
  return sizes;
}

/// Neighbouring intervals of the length 1, results, and segments of random lengths.
template <class Position>
struct positions {
  using element = interval<Position>;
  static constexpr int shift = 3;  // the first element is not always at the beginning of a line of memory

  std::vector<element> made;
  std::vector<int> offsets, keys;
  element *in, *out;
  int *device_offsets, *device_keys, *unique, *count;

  explicit positions(int most) {
    std::mt19937 random(static_cast<unsigned>(most));
    for (int i = 0; i < most + shift; ++i) made.push_back({Position(i), Position(i + 1)});
    for (int i = 0, end = 0; i < most; ++i) {
      if (i == end) {
        offsets.push_back(i);
        end += random() % 16 != 0 ? 1 + int(random() % 40) : 1 + int(random() % 4000);
      }
      keys.push_back(int(offsets.size()));
    }
    const auto upload = [](auto*& to, const auto& from, std::size_t extra) {
      const std::size_t bytes = from.size() * sizeof(from[0]);
      CUDA_OK(cudaMalloc(reinterpret_cast<void**>(&to), bytes + extra));
      CUDA_OK(cudaMemcpy(to, from.data(), bytes, cudaMemcpyHostToDevice));
    };
    upload(in, made, 0);
    upload(out, made, 0);
    upload(device_offsets, offsets, sizeof(int));  // and the end of the last
    upload(device_keys, keys, 0);
    upload(unique, keys, 0);
    upload(count, std::vector<int>(1), 0);
  }
  positions(const positions&) = delete;
  positions& operator=(const positions&) = delete;
  ~positions() {
    for (void* memory : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(device_offsets),
                         static_cast<void*>(device_keys), static_cast<void*>(unique), static_cast<void*>(count)}) {
      (void)cudaFree(memory);
    }
  }

  /// How many segments the first n elements have; the last ends with them.
  int end_segments(int n) {
    const int segments = keys[std::size_t(n - 1)];
    CUDA_OK(cudaMemcpy(device_offsets + segments, &n, sizeof(int), cudaMemcpyHostToDevice));
    return segments;
  }
  void restore_offset(int segments) {
    if (std::size_t(segments) == offsets.size()) return;
    const int& offset = offsets[std::size_t(segments)];
    CUDA_OK(cudaMemcpy(device_offsets + segments, &offset, sizeof(int), cudaMemcpyHostToDevice));
  }
  int begin_of(int i) const { return offsets[std::size_t(keys[std::size_t(i)] - 1)]; }

  /// Result i is the interval from `begin(i)` to `end(i)`.
  template <class Begin, class End>
  void check(const char* name, int results, const Begin& begin, const End& end) {
    std::vector<element> got(static_cast<std::size_t>(results));
    CUDA_OK(cudaMemcpy(got.data(), out, got.size() * sizeof(element), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemset(out, 0xff, got.size() * sizeof(element)));
    for (int i = 0; i < results; ++i) {
      const element want{Position(begin(i)), Position(end(i))};
      if (got[std::size_t(i)] == want) continue;
      CAPTURE(name, results, i, got[std::size_t(i)].begin, got[std::size_t(i)].end, want.begin, want.end);
      FAIL("a result is not the interval that was joined");
    }
  }
};

template <class Position, bool Known>
void check_intervals() {
  using element = interval<Position>;
  const auto sizes = chosen_sizes();
  positions<Position> all(*std::max_element(sizes.begin(), sizes.end()));
  const join_neighbours<Known> op{};
  for (int n : sizes) {
    CAPTURE(n);
    const int first = n % positions<Position>::shift;
    const element* const in = all.in + first;
    const element before{Position(first - 10), Position(first)};
    const auto from_before = [&](int) { return first - 10; };
    const auto from_first = [&](int) { return first; };
    const auto to_last = [&](int) { return first + n; };
    const auto to_own = [&](int i) { return first + i; };
    const auto past_own = [&](int i) { return first + i + 1; };

    CUDA_OK(gpuprim::reduce(in, n, all.out, op, before));
    all.check("reduce", 1, from_before, to_last);
    CUDA_OK(gpuprim::inclusive_scan(in, n, all.out, op));
    all.check("inclusive_scan", n, from_first, past_own);
    CUDA_OK(gpuprim::exclusive_scan(in, n, all.out, op, before));
    all.check("exclusive_scan", n, from_before, to_own);
    // Columns whose elements are neighbours, because each row is one interval over and over.
    const int columns = 1 + n % 5, rows = n / columns;
    const repeated<Position> matrix{{}, in, columns};
    CUDA_OK(gpuprim::column_reduce(matrix, rows, columns, all.out, op, before));
    all.check("column_reduce", rows > 0 ? columns : 0, from_before, [&](int) { return first + rows; });
    CUDA_OK(gpuprim::column_inclusive_scan(matrix, rows, columns, all.out, op));
    all.check("column_inclusive_scan", rows * columns, from_first, [&](int i) { return first + i / columns + 1; });

    // Segments and runs begin at the first element of all.
    const int segments = all.end_segments(n);
    const gpuprim::segment_offsets where{all.device_offsets, n};
    const auto from_head = [&](int i) { return all.begin_of(i); };
    const auto itself_and_before = [&](int i) { return i + 1; };
    const auto from_segment = [&](int i) { return all.offsets[std::size_t(i)]; };
    const auto to_next = [&](int i) { return i + 1 < segments ? all.offsets[std::size_t(i + 1)] : n; };
    CUDA_OK(gpuprim::segmented_inclusive_scan(all.in, where, segments, all.out, op));
    all.check("segmented_inclusive_scan", n, from_head, itself_and_before);
    CUDA_OK(gpuprim::inclusive_scan_by_key(all.device_keys, all.in, n, all.out, op));
    all.check("inclusive_scan_by_key", n, from_head, itself_and_before);
    CUDA_OK(gpuprim::reduce_by_key(all.device_keys, all.in, n, all.unique, all.out, all.count, op));
    all.check("reduce_by_key", segments, from_segment, to_next);
    if constexpr (Known) {
      CUDA_OK(gpuprim::segmented_reduce(all.in, where, segments, all.out, op));
      all.check("segmented_reduce", segments, from_segment, to_next);
      CUDA_OK(gpuprim::segmented_reduce(in, gpuprim::fixed_length{columns}, rows, all.out, op));
      all.check(
          "segmented_reduce of rows", rows, [&](int i) { return first + i * columns; },
          [&](int i) { return first + (i + 1) * columns; });
    }
    all.restore_offset(segments);
  }
}

}  // namespace

TEST_CASE("Intervals of 8 bytes are joined in order", "[device][not_asan]") { check_intervals<int, true>(); }
TEST_CASE("Intervals of 8 bytes are joined in order without an identity", "[device][not_asan]") {
  check_intervals<int, false>();
}
TEST_CASE("Intervals of 16 bytes are joined in order", "[device][not_asan]") { check_intervals<std::int64_t, true>(); }
