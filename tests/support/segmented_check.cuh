// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One segmented reduce against a sequential fold of each segment, with everything around it checked.
#include <gpuprim/segmented_reduce.cuh>

#include "reduce_check.cuh"

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
    results.push_back(expected(std::vector<T>(values.begin() + std::int64_t(offsets[i]),
                                              values.begin() + std::int64_t(offsets[i + 1])), op, init));
  }
  return results;
}

/// Mixes of lengths: none, one, empty ones, ends at and around the limits of a tile of 896 floats, long ones among
/// short.
inline std::vector<std::vector<int>> length_mixes() {
  std::vector<std::vector<int>> mixes = {{}, {0}, {5000}, {1, 0, 2, 0, 0, 3}, {896, 896, 895, 1, 897, 0},
                                         {6000, 0, 3, 900}, {9000, 20000}};
  auto add = [&](int segments, auto length) {
    mixes.emplace_back();
    for (int i = 0; i < segments; ++i) mixes.back().push_back(length(i));
  };
  add(1500, [](int) { return 0; });
  add(700, [](int i) { return int(scramble(std::uint64_t(i)) % 9); });
  add(60, [](int i) { return int(scramble(std::uint64_t(i)) % 70); });
  add(400, [](int i) { return i == 200 ? 9000 : i % 3; });
  return mixes;
}

/// The kernels for segments by offsets: that which the library chooses, or a given one.
enum class offsets_kernel { chosen, few, shares, turns };

/// Calls one of them with offsets of the given type, with so many blocks if not 0, and compares. Twice, since the
/// second call finds the workspace as the first one left it. In: what it reads from.
template <offsets_kernel Kernel, class Offset, class T, class In = const T*, class Op, class Acc>
void check_offsets(const std::vector<int>& lengths, Op op, Acc init, std::size_t misalignment = 0, int first = 0,
                   int blocks = 0) {
  const std::vector<Offset> offsets = make_offsets<Offset>(lengths, Offset(first));
  const auto segments = std::int64_t(lengths.size());
  CAPTURE(Kernel, segments, offsets.back(), misalignment, first, blocks);
  const std::vector<T> values = make_values<T>(std::int64_t(offsets.back()));
  const std::vector<Acc> wanted = expected_segments(values, offsets, op, init);
  device_array<T> input(values, misalignment);
  device_array<Offset> where(offsets);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  const gpuprim::options how{nullptr, &workspace};
  const In in(input.data());
  const Offset* const at = where.data();
  const int most_blocks = blocks > 0 ? blocks : on_simt ? 5 : gpuprim::max_grid_blocks;
  for (int pass = 0; pass < 2; ++pass) {
    device_array<Acc> output(lengths.size());
    const auto call = [&] {
      using namespace gpuprim::detail;
      const offset_segments<const Offset*> all{at, segments};
      if constexpr (Kernel == offsets_kernel::chosen) {
        return reduce_segments<Acc>(in, at, segments, output.data(), op, init, how, most_blocks);
      } else if constexpr (Kernel == offsets_kernel::few) {
        return launch_few_segments(in, all, most_blocks, output.data(), op, init, how);
      } else if constexpr (Kernel == offsets_kernel::shares) {
        return launch_segmented(in, all, most_blocks, output.data(), op, init, how);
      } else {
        return launch_segment_turns(in, all, most_blocks, output.data(), op, init, how);
      }
    };
    CUDA_OK(call().code);
    CHECK(output.download() == wanted);
    output.check_guards();
  }
  input.check_unchanged();
  where.check_unchanged();
}

/// The same for the two kernels that longer lists get.
template <class Offset, class T, class Op, class Acc>
void check_long_lists(const std::vector<int>& lengths, Op op, Acc init, int first = 0, int blocks = 0,
                      std::size_t misalignment = 0) {
  if (lengths.empty()) return;
  check_offsets<offsets_kernel::shares, Offset, T>(lengths, op, init, misalignment, first, blocks);
  check_offsets<offsets_kernel::turns, Offset, T>(lengths, op, init, misalignment, first, blocks);
}

/// The same for these and for what the library chooses.
template <class Offset, class T, class Op, class Acc>
void check_segments(const std::vector<int>& lengths, Op op, Acc init, int first = 0, int blocks = 0,
                    std::size_t misalignment = 0) {
  check_offsets<offsets_kernel::chosen, Offset, T>(lengths, op, init, misalignment, first, blocks);
  check_long_lists<Offset, T>(lengths, op, init, first, blocks, misalignment);
}

/// Calls with begins and ends of segments, in their order and in reverse, and compares: what the library chooses if the
/// operator commutes, and the kernels that longer lists get.
template <class T, class Op, class Acc>
void check_bounds(std::vector<std::int64_t> begins, std::vector<std::int64_t> ends, Op op, Acc init) {
  const auto segments = std::int64_t(begins.size());
  const std::vector<T> values = make_values<T>(*std::max_element(ends.begin(), ends.end()));
  std::vector<Acc> wanted;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    wanted.push_back(begins[i] < ends[i] ? expected(std::vector<T>(values.begin() + begins[i],
                                                                   values.begin() + ends[i]), op, init)
                                         : init);
  }
  CAPTURE(segments);
  device_array<T> input(values);
  const T* const in = input.data();
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>(segments));
  const gpuprim::options how{nullptr, &workspace};
  const auto compare = [&](const auto& call) {
    device_array<Acc> output(begins.size());
    CUDA_OK(call(output.data()).code);
    CHECK(output.download() == wanted);
    output.check_guards();
  };
  for (int order = 0; order < 2; ++order) {  // later calls find the workspace as the ones before left it
    const int most_blocks = order == 0 ? 2 : on_simt ? 5 : gpuprim::max_grid_blocks;  // of wide warps; of narrow ones
    device_array<std::int64_t> from(begins), to(ends);
    using namespace gpuprim::detail;
    // Of two types, so that they cannot be offsets, for which more kernels would be compiled.
    std::int64_t* const first = from.data();
    const std::int64_t* const last = to.data();
    const bound_segments<std::int64_t*, const std::int64_t*> all{first, last, segments};
    if constexpr (gpuprim::is_commutative<Op, Acc>) {
      const gpuprim::segment_bounds bounds{first, last};
      compare([&](Acc* out) { return reduce_segments<Acc>(in, bounds, segments, out, op, init, how, most_blocks); });
    }
    compare([&](Acc* out) { return launch_segment_bounds(in, all, out, op, init, how, most_blocks); });
    std::reverse(begins.begin(), begins.end());
    std::reverse(ends.begin(), ends.end());
    std::reverse(wanted.begin(), wanted.end());
  }
}

/// The same for segments of the given lengths that follow each other.
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
  input.check_unchanged();
}

/// The kernels for segments of one length: that which the library chooses, or a given one.
enum class fixed_kernel { chosen, groups, rows, blocks, chunks, shares };

template <class T, fixed_kernel Kernel = fixed_kernel::chosen, class Op, class Acc>
void check_fixed(std::int64_t length, std::int64_t segments, Op op, Acc init, std::size_t misalignment = 0) {
  CAPTURE(length, segments, misalignment);
  const std::vector<T> values = make_values<T>(length * segments);
  const auto offsets = make_offsets<std::int64_t>(std::vector<int>(std::size_t(segments), int(length)));
  device_array<T> input(values, misalignment);
  const T* const in = input.data();
  device_array<Acc> output(static_cast<std::size_t>(segments));
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  const gpuprim::options how{nullptr, &workspace};
  if constexpr (Kernel == fixed_kernel::chosen) {
    const gpuprim::fixed_length fixed{length};
    CUDA_OK(gpuprim::segmented_reduce<Acc>(in, fixed, segments, output.data(), op, init, how));
  } else if constexpr (Kernel == fixed_kernel::groups) {
    using namespace gpuprim::detail;
    const fixed_segments all{0, length, segments};
    const auto done = launch_segment_groups(in, all, any_bytes, output.data(), op, init, how);
    REQUIRE(done.has_value());
    CUDA_OK(done->code);
    if (length > 0) CHECK(!launch_segment_groups(in, all, 0, output.data(), op, init, how).has_value());
  } else if constexpr (Kernel == fixed_kernel::rows) {
    using namespace gpuprim::detail;
    const int loads = row_loads(in, length);
    REQUIRE(loads > 0);
    CUDA_OK(launch_segment_rows(in, length * segments, loads, output.data(), op, init, how).code);
  } else if constexpr (Kernel == fixed_kernel::chunks) {
    using namespace gpuprim::detail;
    const auto done = launch_segment_chunks(in, fixed_segments{0, length, segments}, output.data(), op, init, how);
    REQUIRE(done.has_value());
    CUDA_OK(done->code);
  } else if constexpr (Kernel == fixed_kernel::shares) {
    using namespace gpuprim::detail;
    CUDA_OK(launch_segmented(in, fixed_segments{0, length, segments}, 5, output.data(), op, init, how).code);
  } else {
    using namespace gpuprim::detail;
    const fixed_segments all{0, length, segments};
    REQUIRE(are_for_blocks<const T*>(all));
    CUDA_OK(launch_segment_blocks(in, all, output.data(), op, init, how).code);
  }
  CHECK(output.download() == expected_segments(values, offsets, op, init));
  output.check_guards();
  input.check_unchanged();
}

}  // namespace test
