// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/segments.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/segmented/segmented_launch.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Launches what reduces segments by offsets: where there are few, blocks may take whole ones.
template <class Acc, class In, class Offsets, class Out, class Op>
outcome launch_segments(const In& in, const offset_segments<Offsets>& where, const Out& out, const Op& op,
                        const Acc& init, const options& how) {
  if constexpr (is_commutative<Op, Acc>) {
    using few = segment_items<offset_segments<Offsets>, block_end_items>;
    using launch_type = consecutive_launch<list_size::few, Acc, In, few, Out, Op>;
    const outcome done = launch_type::run(in, few(where), out, op, init, how);
    if (done.code != does_not_fit) return done;
  }
  using many = segment_items<offset_segments<Offsets>>;
  return consecutive_launch<list_size::many, Acc, In, many, Out, Op>::run(in, many(where), out, op, init, how);
}

/// Segments of one length.
template <class Acc, class In, class Out, class Op>
outcome launch_segments(const In& in, const fixed_segments& where, const Out& out, const Op& op, const Acc& init,
                        const options& how) {
  const std::int64_t n = where.items();
  if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
  if (detail::overlap(out, where.count, in, n)) return {cudaErrorInvalidValue, "the output overlaps the input"};
  return fixed_launch<Acc, In, Out, Op>{in, where, {out, op, init}, how}.run();
}

/// Segments by bounds. Whether they are consecutive is not looked at: the kernel for offsets would be compiled too.
template <class Acc, class In, class Begins, class Ends, class Out, class Op>
outcome launch_segments(const In& in, const bound_segments<Begins, Ends>& where, const Out& out, const Op& op,
                        const Acc& init, const options& how) {
  return bounds_launch<Acc, In, bound_segments<Begins, Ends>, Out, Op>::run(in, where, out, op, init, how);
}

/// Checks the arguments of a reduce of segments, and does it.
template <class Acc, class In, class Where, class Out, class Op>
outcome reduce_segments(const In& in, const Where& where, std::int64_t count, const Out& to, const Op& op,
                        const Acc& init, const options& how) {
  static_assert(has_integer_offsets<Where>,
                "gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access iterator over, "
                "integers of 32 or 64 bits");
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    const auto segments = detail::segments_of(where, count);
    const auto out = detail::unwrap_contiguous(to);
    if (const outcome bad = detail::check_segments(segments, count, out); bad.failed()) return bad;
    if (count == 0) return detail::check_input(raw, 0);
    if (const outcome bad = detail::check_output(out); bad.failed()) return bad;
    if (detail::is_host_memory(raw)) return host_input;
    if (const outcome bad = detail::check_input(raw, 0); bad.failed()) return bad;
    return detail::launch_segments<Acc>(raw, segments, out, op, init, how);
  });
}

}  // namespace detail

}  // namespace gpuprim
