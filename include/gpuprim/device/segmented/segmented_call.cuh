// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/fixed_segments_launch.cuh>
#include <gpuprim/device/segmented/segmented_arguments.cuh>

namespace gpuprim {

/// Says that segments have one length and follow each other: the rows of a matrix.
struct fixed_length {
  std::int64_t length;
};

/// Says where each segment begins and ends: two pointers or random-access iterators to integers of 32 or 64 bits. The
/// segments may lie anywhere, in any order, apart or over each other; one whose end is not after its begin is empty.
template <class Begins, class Ends>
struct segment_bounds {
  Begins begins;
  Ends ends;
};
template <class Begins, class Ends>
segment_bounds(Begins, Ends) -> segment_bounds<Begins, Ends>;

namespace detail {

/// What all forms have in common: `go(raw input, raw output)` with arguments that have been looked at.
template <class In, class Out, class Go>
outcome with_segmented_arguments(const In& in, std::int64_t segments, const Out& out, const Go& go) {
  return detail::with_raw_input(in, [&](auto raw) -> outcome {
    auto result = detail::unwrap_contiguous(out);
    const outcome bad = detail::check_segmented_arguments(raw, segments, result);
    return bad.code != cudaSuccess || segments == 0 ? bad : go(raw, result);
  });
}

/// By offsets. The number of values is known to the device alone, so the grid is as large as it can be; `most_blocks`
/// bounds it: for tests.
template <class Acc, class In, class Offsets, class Out, class Op>
outcome reduce_segments(In in, Offsets offsets, std::int64_t segments, Out out, Op op, Acc init, const options& how,
                        int most_blocks = max_grid_blocks) {
  static_assert(offset_input<Offsets>,
                "gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access "
                "iterator over, integers of 32 or 64 bits");
  return detail::with_segmented_arguments(in, segments, out, [&](auto raw, auto result) -> outcome {
    auto where = detail::unwrap_contiguous(offsets);
    if (detail::is_null(where)) return {cudaErrorInvalidValue, "the offsets are a null pointer"};
    if (detail::overlap(result, segments, where, segments + 1)) {
      return {cudaErrorInvalidValue, "the output overlaps the offsets"};
    }
    const offset_segments<decltype(where)> all{where, segments};
    if constexpr (is_commutative<Op, Acc>) {
      if (segments <= segmented_policy::few_segments) {
        return launch_few_segments(raw, all, most_blocks, result, op, init, how);
      }
    }
    if constexpr (segmented_shape<decltype(raw), Acc>::is_small) {
      if (segments >= segmented_policy::least_counted) {
        return detail::launch_segment_turns(raw, all, most_blocks, result, op, init, how);
      }
    }
    return detail::launch_segmented(raw, all, most_blocks, result, op, init, how);
  });
}

/// By one length.
template <class Acc, class In, class Out, class Op>
outcome reduce_segments(In in, fixed_length fixed, std::int64_t segments, Out out, Op op, Acc init,
                        const options& how) {
  return detail::with_segmented_arguments(in, segments, out, [&](auto raw, auto result) -> outcome {
    if (fixed.length < 0) return {cudaErrorInvalidValue, "the length is negative"};
    if (fixed.length >= (std::numeric_limits<std::int64_t>::max)() / 2 / segments) {
      return {cudaErrorInvalidValue, "the segments are too long: their values overflow 64 bits"};
    }
    const std::int64_t n = fixed.length * segments;
    if (outcome bad = detail::check_input(raw, n); bad.code != cudaSuccess) return bad;
    if (detail::overlap(result, segments, raw, n)) return {cudaErrorInvalidValue, "the output overlaps the input"};
    const fixed_segments all{0, fixed.length, segments};
    return launch_fixed_segments(raw, all, result, op, init, how);
  });
}

/// By begins and ends. Whether segments follow each other is not asked: the kernels by offsets would be compiled too.
template <class Acc, class In, class Begins, class Ends, class Out, class Op>
outcome reduce_segments(In in, segment_bounds<Begins, Ends> bounds, std::int64_t segments, Out out, Op op, Acc init,
                        const options& how, int most_blocks = max_grid_blocks) {
  static_assert(
      offset_input<Begins> && offset_input<Ends>,
      "gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access iterator over, integers of "
      "32 or 64 bits");
  auto begins = detail::unwrap_contiguous(bounds.begins);
  auto ends = detail::unwrap_contiguous(bounds.ends);
  return detail::with_segmented_arguments(in, segments, out, [&](auto raw, auto result) -> outcome {
    if (detail::is_null(begins) || detail::is_null(ends)) {
      return {cudaErrorInvalidValue, "the begins or the ends are a null pointer"};
    }
    if (detail::overlap(result, segments, begins, segments) || detail::overlap(result, segments, ends, segments)) {
      return {cudaErrorInvalidValue, "the output overlaps the begins or the ends"};
    }
    const bound_segments<decltype(begins), decltype(ends)> all{begins, ends, segments};
    if constexpr (is_commutative<Op, Acc>) {
      if (segments <= segmented_policy::few_segments) {
        return launch_few_segments(raw, all, most_blocks, result, op, init, how);
      }
    }
    return launch_segment_bounds(raw, all, result, op, init, how, most_blocks);
  });
}

}  // namespace detail

}  // namespace gpuprim
