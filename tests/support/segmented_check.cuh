// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One segmented reduce against a sequential fold of each segment, with everything around it checked. All
// calls are public. On the host SIMT device a test may ask for a GPU of few multiprocessors: then lists of some
// hundred segments are long ones.
#include <gpuprim/segmented_reduce.cuh>

#include "reduce_check.cuh"
#include "small_gpu.cuh"

#include <algorithm>

namespace test {

/// Offsets of segments of the given lengths; the first segment begins at `first`.
template <class Offset>
std::vector<Offset> make_offsets(const std::vector<int>& lengths, Offset first = 0) {
  std::vector<Offset> offsets{first};
  for (int length : lengths) offsets.push_back(Offset(offsets.back() + Offset(length)));
  return offsets;
}

template <class Acc, class T, class Offset, class Op>
std::vector<Acc> expected_segments(const std::vector<T>& values, const std::vector<Offset>& offsets, Op op, Acc init) {
  std::vector<Acc> results;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    results.push_back(expected(
        std::vector<T>(values.begin() + std::int64_t(offsets[i]), values.begin() + std::int64_t(offsets[i + 1])), op,
        init));
  }
  return results;
}

/// `segments` lengths, of which `length(i)` is the i-th.
template <class Length>
std::vector<int> make_lengths(int segments, const Length& length) {
  std::vector<int> lengths;
  for (int i = 0; i < segments; ++i) lengths.push_back(length(i));
  return lengths;
}

/// Mixes of lengths: none, one, empty ones, ends at and around the limits of a tile of 1024 floats, long ones
/// among short.
inline std::vector<std::vector<int>> length_mixes() {
  return {{},
          {0},
          {5000},
          {1, 0, 2, 0, 0, 3},
          {896, 1024, 895, 1, 1023, 0},
          {6000, 0, 3, 900},
          {9000, 20000},
          make_lengths(1500, [](int) { return 0; }),
          make_lengths(700, [](int i) { return int(scramble(std::uint64_t(i)) % 9); }),
          make_lengths(60, [](int i) { return int(scramble(std::uint64_t(i)) % 70); }),
          make_lengths(400, [](int i) { return i == 200 ? 9000 : i % 3; })};
}

/// A call with offsets of the given type, twice, since the second call finds the workspace as the first one
/// left it. In: what it reads from.
template <class Offset, class T, class In = const T*, class Op, class Acc>
void check_offsets(const std::vector<int>& lengths, Op op, Acc init, std::size_t misalignment = 0, int first = 0) {
  const std::vector<Offset> offsets = make_offsets<Offset>(lengths, Offset(first));
  const auto segments = std::int64_t(lengths.size());
  CAPTURE(segments, offsets.back(), misalignment, first);
  const std::vector<T> values = make_values<T>(std::int64_t(offsets.back()));
  const std::vector<Acc> wanted = expected_segments(values, offsets, op, init);
  device_array<T> input(values, misalignment);
  device_array<Offset> where(offsets);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  for (int pass = 0; pass < 2; ++pass) {
    device_array<Acc> output(lengths.size());
    CUDA_OK(gpuprim::segmented_reduce<Acc>(In(input.data()), static_cast<const Offset*>(where.data()), segments,
                                           output.data(), op, init, {.workspace = &workspace}));
    CHECK(output.download() == wanted);
    output.check_guards();
  }
  check_zero(workspace);
  input.check_unchanged();
  where.check_unchanged();
}

/// Calls with begins and ends of segments, in their order and in reverse.
template <class T, class Op, class Acc>
void check_bounds(std::vector<std::int64_t> begins, std::vector<std::int64_t> ends, Op op, Acc init) {
  const auto segments = std::int64_t(begins.size());
  CAPTURE(segments);
  const std::vector<T> values = make_values<T>(*std::max_element(ends.begin(), ends.end()));
  std::vector<Acc> wanted;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    wanted.push_back(begins[i] < ends[i]
                         ? expected(std::vector<T>(values.begin() + begins[i], values.begin() + ends[i]), op, init)
                         : init);
  }
  device_array<T> input(values);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  for (int order = 0; order < 2; ++order) {  // the second call finds the workspace as the first one left it
    device_array<std::int64_t> from(begins), to(ends);
    device_array<Acc> output(begins.size());
    const gpuprim::segment_bounds bounds{static_cast<const std::int64_t*>(from.data()),
                                         static_cast<const std::int64_t*>(to.data())};
    CUDA_OK(gpuprim::segmented_reduce<Acc>(static_cast<const T*>(input.data()), bounds, segments, output.data(), op,
                                           init, {.workspace = &workspace}));
    CHECK(output.download() == wanted);
    output.check_guards();
    std::reverse(begins.begin(), begins.end());
    std::reverse(ends.begin(), ends.end());
    std::reverse(wanted.begin(), wanted.end());
  }
  check_zero(workspace);
  input.check_unchanged();
}

/// The same for consecutive segments of the given lengths.
template <class T, class Op, class Acc>
void check_bounds(const std::vector<int>& lengths, Op op, Acc init) {
  const auto offsets = make_offsets<std::int64_t>(lengths);
  check_bounds<T>({offsets.begin(), offsets.end() - 1}, {offsets.begin() + 1, offsets.end()}, op, init);
}

template <class T, class Op, class Acc>
void check_columns(std::int64_t rows, std::int64_t columns, Op op, Acc init, std::size_t misalignment = 0) {
  CAPTURE(rows, columns, misalignment);
  const std::vector<T> values = make_values<T>(rows * columns);
  std::vector<Acc> wanted(std::size_t(columns), init);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Acc& column = wanted[i % std::size_t(columns)];
    column = op(column, static_cast<Acc>(values[i]));
  }
  device_array<T> input(values, misalignment);
  device_array<Acc> output(static_cast<std::size_t>(columns));
  gpuprim::workspace workspace(gpuprim::column_reduce_workspace_bytes<Acc>(columns));
  CUDA_OK(gpuprim::column_reduce<Acc>(input.data(), rows, columns, output.data(), op, init, {.workspace = &workspace}));
  CHECK(output.download() == wanted);
  output.check_guards();
  check_zero(workspace);
  input.check_unchanged();
}

template <class T, class In = const T*, class Op, class Acc>
void check_fixed(std::int64_t length, std::int64_t segments, Op op, Acc init, std::size_t misalignment = 0) {
  CAPTURE(length, segments, misalignment);
  const std::vector<T> values = make_values<T>(length * segments);
  const auto offsets = make_offsets<std::int64_t>(std::vector<int>(std::size_t(segments), int(length)));
  device_array<T> input(values, misalignment);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  for (int pass = 0; pass < 2; ++pass) {
    device_array<Acc> output(static_cast<std::size_t>(segments));
    CUDA_OK(gpuprim::segmented_reduce<Acc>(In(input.data()), gpuprim::fixed_length{length}, segments, output.data(), op,
                                           init, {.workspace = &workspace}));
    CHECK(output.download() == expected_segments(values, offsets, op, init));
    output.check_guards();
  }
  check_zero(workspace);
  input.check_unchanged();
}

}  // namespace test
