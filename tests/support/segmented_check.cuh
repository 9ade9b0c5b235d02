// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One segmented reduce against a sequential fold of each segment, with everything around it checked.
#include <gpuprim/segmented_reduce.cuh>

#include "reduce_check.cuh"

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
    results.push_back(expected(std::vector<T>(values.begin() + std::int64_t(offsets[i]),
                                              values.begin() + std::int64_t(offsets[i + 1])), op, init));
  }
  return results;
}

/// Mixes of lengths: none, one, empty ones, ends at and around every limit of a tile, long ones among short ones.
inline std::vector<std::vector<int>> length_mixes() {
  std::vector<std::vector<int>> mixes = {{}, {0}, {1}, {5000}, {0, 0, 0}, {1, 0, 2, 0, 0, 3}, {640, 640}, {639, 1, 641, 0},
                                         {12000, 0, 3, 9000}};
  auto add = [&](int segments, auto length) {
    mixes.emplace_back();
    for (int i = 0; i < segments; ++i) mixes.back().push_back(length(i));
  };
  add(3000, [](int) { return 0; });
  add(2000, [](int) { return 1; });
  add(700, [](int i) { return int(scramble(std::uint64_t(i)) % 9); });
  add(300, [](int i) { return int(scramble(std::uint64_t(i)) % 70); });
  add(9, [](int i) { return 1000 + int(scramble(std::uint64_t(i)) % 2000); });
  add(400, [](int i) { return i == 200 ? 15000 : i % 3; });
  return mixes;
}

/// Calls with offsets of the given type, and compares.
template <class Offset, class T, class Op, class Acc>
void check_segments(const std::vector<int>& lengths, Op op, Acc init, std::size_t misalignment = 0, int first = 0) {
  const std::vector<Offset> offsets = make_offsets<Offset>(lengths, Offset(first));
  const auto segments = std::int64_t(lengths.size());
  CAPTURE(segments, offsets.back(), misalignment, first);
  const std::vector<T> values = make_values<T>(std::int64_t(offsets.back()));
  device_array<T> input(values, misalignment);
  device_array<Offset> where(offsets);
  device_array<Acc> output(lengths.size());
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  CUDA_OK(gpuprim::segmented_reduce<Acc>(static_cast<const T*>(input.data()), where.data(), segments, output.data(), op,
                                         init, {.workspace = &workspace}));
  CHECK(output.download() == expected_segments(values, offsets, op, init));
  output.check_guards();
  input.check_unchanged();
  where.check_unchanged();
}

/// The same with one length for all.
template <class T, class Op, class Acc>
void check_fixed(std::int64_t length, std::int64_t segments, Op op, Acc init, std::size_t misalignment = 0) {
  CAPTURE(length, segments, misalignment);
  const std::vector<T> values = make_values<T>(length * segments);
  const auto offsets = make_offsets<std::int64_t>(std::vector<int>(std::size_t(segments), int(length)));
  device_array<T> input(values, misalignment);
  device_array<Acc> output(static_cast<std::size_t>(segments));
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  CUDA_OK(gpuprim::segmented_reduce<Acc>(static_cast<const T*>(input.data()), gpuprim::fixed_length{length}, segments,
                                         output.data(), op, init, {.workspace = &workspace}));
  CHECK(output.download() == expected_segments(values, offsets, op, init));
  output.check_guards();
  input.check_unchanged();
}

}  // namespace test
