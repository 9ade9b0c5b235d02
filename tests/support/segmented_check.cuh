// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One segmented reduce against a sequential fold of each segment, with everything around it checked.
#include <gpuprim/segmented_reduce.cuh>

#include "reduce_check.cuh"

#include <algorithm>

namespace test {

/// The calls of the library. On the SIMT device with few blocks: the number of values is not known to the host, and a
/// grid for a whole GPU would be run for each of them.
template <class Acc, class... Arguments>
cudaError_t call_segmented_reduce(Arguments... arguments) {
  if (!on_simt) return gpuprim::segmented_reduce<Acc>(arguments...);
  return gpuprim::detail::reduce_segments<Acc>(arguments..., 5).code;
}

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

/// The kernels for segments by offsets: that which the library chooses, or one that it takes for longer lists.
enum class offsets_kernel { chosen, shares, turns };

/// Calls one of them with offsets of the given type, with so many blocks if not 0, and compares. Twice, since the
/// second call finds the workspace as the first one left it.
template <class Offset, class T, class Op, class Acc>
void check_offsets_kernel(offsets_kernel kernel, const std::vector<int>& lengths, Op op, Acc init,
                          std::size_t misalignment = 0, int first = 0, int blocks = 0) {
  const std::vector<Offset> offsets = make_offsets<Offset>(lengths, Offset(first));
  const auto segments = std::int64_t(lengths.size());
  CAPTURE(kernel, segments, offsets.back(), misalignment, first, blocks);
  const std::vector<T> values = make_values<T>(std::int64_t(offsets.back()));
  const std::vector<Acc> wanted = expected_segments(values, offsets, op, init);
  device_array<T> input(values, misalignment);
  device_array<Offset> where(offsets);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>());
  const gpuprim::options how{nullptr, &workspace};
  const T* const in = input.data();
  const gpuprim::detail::offset_segments<const Offset*> all{where.data(), segments};
  const int most_blocks = blocks > 0 ? blocks : on_simt ? 5 : gpuprim::max_reduce_blocks;
  for (int pass = 0; pass < 2; ++pass) {
    device_array<Acc> output(lengths.size());
    const auto launch_raw = [&](auto raw) {
      using namespace gpuprim::detail;
      if constexpr (segmented_shape<const T*, Acc>::is_small) {
        if (kernel == offsets_kernel::turns) {
          return launch_segment_turns(raw, all, most_blocks, output.data(), op, init, how);
        }
      }
      return launch_segmented(raw, all, most_blocks, output.data(), op, init, how);
    };
    if (kernel != offsets_kernel::chosen) {
      CUDA_OK(gpuprim::detail::with_raw_input(in, launch_raw).code);
    } else if (blocks == 0) {
      CUDA_OK(call_segmented_reduce<Acc>(in, where.data(), segments, output.data(), op, init, how));
    } else {
      CUDA_OK(gpuprim::detail::reduce_segments<Acc>(in, where.data(), segments, output.data(), op, init, how, blocks)
                  .code);
    }
    CHECK(output.download() == wanted);
    output.check_guards();
  }
  input.check_unchanged();
  where.check_unchanged();
}

/// The same for all of them.
template <class Offset, class T, class Op, class Acc>
void check_segments(const std::vector<int>& lengths, Op op, Acc init, std::size_t misalignment = 0, int first = 0,
                    int blocks = 0) {
  check_offsets_kernel<Offset, T>(offsets_kernel::chosen, lengths, op, init, misalignment, first, blocks);
  if (lengths.empty()) return;
  check_offsets_kernel<Offset, T>(offsets_kernel::shares, lengths, op, init, misalignment, first, blocks);
  if (!gpuprim::detail::segmented_shape<const T*, Acc>::is_small) return;
  check_offsets_kernel<Offset, T>(offsets_kernel::turns, lengths, op, init, misalignment, first, blocks);
}

/// Calls with begins and ends of segments that are the same, in their order and in reverse, and compares.
template <class T, class Op, class Acc>
void check_bounds(const std::vector<int>& lengths, Op op, Acc init) {
  std::vector<std::int64_t> begins = make_offsets<std::int64_t>(lengths), ends(begins.begin() + 1, begins.end());
  const std::vector<T> values = make_values<T>(begins.back());
  std::vector<Acc> wanted = expected_segments(values, begins, op, init);
  begins.pop_back();
  const auto segments = std::int64_t(lengths.size());
  CAPTURE(segments);
  device_array<T> input(values);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<Acc>(segments));
  for (int order = 0; order < 2; ++order) {  // later calls find the workspace as the ones before left it
    device_array<std::int64_t> from(begins), to(ends);
    device_array<Acc> output(lengths.size()), output_of_many(lengths.size());
    const gpuprim::options how{nullptr, &workspace};
    CUDA_OK(call_segmented_reduce<Acc>(input.data(), gpuprim::segment_bounds{from.data(), to.data()}, segments,
                                       output.data(), op, init, how));
    CHECK(output.download() == wanted);
    output.check_guards();
    // The kernels that longer lists get.
    CUDA_OK(gpuprim::detail::launch_segment_bounds(input.data(), from.data(), to.data(), segments,
                                                   output_of_many.data(), op, init, how,
                                                   on_simt ? 5 : gpuprim::max_reduce_blocks).code);
    CHECK(output_of_many.download() == wanted);
    output_of_many.check_guards();
    std::reverse(begins.begin(), begins.end());
    std::reverse(ends.begin(), ends.end());
    std::reverse(wanted.begin(), wanted.end());
  }
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
