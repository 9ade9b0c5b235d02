// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/device/common/where_segments.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/segmented/segmented_launch.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Calls `go(raw input, raw output)` where the arguments that all forms have in common are right.
template <class In, class Out, class Go>
outcome with_segmented_arguments(const In& in, std::int64_t segments, const Out& out, const Go& go) {
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    const auto result = detail::unwrap_contiguous(out);
    if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
    if (segments > (std::numeric_limits<std::int64_t>::max)() / 32) {
      return {cudaErrorInvalidValue, "there are 2^58 segments or more"};
    }
    if (const outcome bad = detail::check_output(result); segments > 0 && bad.failed()) return bad;
    const outcome bad = segments > 0 && detail::is_host_memory(raw) ? host_input : detail::check_input(raw, 0);
    return bad.code != cudaSuccess || segments == 0 ? bad : go(raw, result);
  });
}

/// By offsets.
template <class Acc, class In, class Offsets, class Out, class Op>
outcome reduce_segments(In in, Offsets offsets, std::int64_t segments, Out out, Op op, Acc init, const options& how) {
  static_assert(offset_input<Offsets>,
                "gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access "
                "iterator over, integers of 32 or 64 bits");
  return detail::with_segmented_arguments(in, segments, out, [&](auto raw, auto result) -> outcome {
    const auto where = detail::unwrap_contiguous(offsets);
    if (detail::is_absent(where)) return {cudaErrorInvalidValue, "the offsets are a null pointer or in host memory"};
    if (!detail::is_aligned(where)) return {cudaErrorInvalidValue, "the offsets are not aligned to their type"};
    if (detail::overlap(result, segments, where, segments + 1)) {
      return {cudaErrorInvalidValue, "the output overlaps the offsets"};
    }
    using offsets_type = std::remove_const_t<decltype(where)>;
    if constexpr (is_commutative<Op, Acc>) {
      using few = offset_segments<offsets_type, block_end_items>;
      using launch_type = consecutive_launch<list_size::few, Acc, decltype(raw), few, decltype(result), Op>;
      const outcome done = launch_type::run(raw, few{where, segments}, result, op, init, how);
      if (done.code != does_not_fit) return done;
    }
    using many = offset_segments<offsets_type>;
    using launch_type = consecutive_launch<list_size::many, Acc, decltype(raw), many, decltype(result), Op>;
    return launch_type::run(raw, many{where, segments}, result, op, init, how);
  });
}

/// By one length.
template <class Acc, class In, class Out, class Op>
outcome reduce_segments(In in, fixed_length fixed, std::int64_t segments, Out out, Op op, Acc init,
                        const options& how) {
  return detail::with_segmented_arguments(in, segments, out, [&](auto raw, auto result) -> outcome {
    if (0 > fixed.length) return {cudaErrorInvalidValue, "the length is negative"};
    if (fixed.length >= (std::numeric_limits<std::int64_t>::max)() / 2 / segments) {
      return {cudaErrorInvalidValue, "the segments are too long: their values overflow 64 bits"};
    }
    const std::int64_t n = fixed.length * segments;
    if (outcome bad = detail::check_input(raw, n); bad.code != cudaSuccess) return bad;
    if (detail::overlap(result, segments, raw, n)) return {cudaErrorInvalidValue, "the output overlaps the input"};
    return fixed_launch<Acc, decltype(raw), decltype(result), Op>{
        raw, {0, fixed.length, segments}, {result, op, init}, how}
        .run();
  });
}

/// By begins and ends. Whether segments are consecutive is not looked at: the kernel for offsets would be compiled too.
template <class Acc, class In, class Begins, class Ends, class Out, class Op>
outcome reduce_segments(In in, segment_bounds<Begins, Ends> bounds, std::int64_t segments, Out out, Op op, Acc init,
                        const options& how) {
  static_assert(offset_input<Begins> && offset_input<Ends>,
                "gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access iterator over, "
                "integers of 32 or 64 bits");
  const auto begins = detail::unwrap_contiguous(bounds.begins);
  const auto ends = detail::unwrap_contiguous(bounds.ends);
  return detail::with_segmented_arguments(in, segments, out, [&](auto raw, auto result) -> outcome {
    if (detail::is_absent(begins) || detail::is_absent(ends)) {
      return {cudaErrorInvalidValue, "the begins or the ends are a null pointer or in host memory"};
    }
    if (!detail::is_aligned(begins) || !detail::is_aligned(ends)) {
      return {cudaErrorInvalidValue, "the begins or the ends are not aligned to their type"};
    }
    if (detail::overlap(result, segments, begins, segments) || detail::overlap(result, segments, ends, segments)) {
      return {cudaErrorInvalidValue, "the output overlaps the begins or the ends"};
    }
    using segments_type = bound_segments<std::remove_const_t<decltype(begins)>, std::remove_const_t<decltype(ends)>>;
    using launch_type = bounds_launch<Acc, decltype(raw), segments_type, decltype(result), Op>;
    return launch_type::run(raw, segments_type{begins, ends, segments}, result, op, init, how);
  });
}

}  // namespace detail

}  // namespace gpuprim
