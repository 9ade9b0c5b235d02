// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/bounds_scan_kernel.cuh>
#include <gpuprim/device/scan/scan_call.cuh>
#include <gpuprim/device/scan/segment_source.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Checks the arguments of a scan of n values in segments, and uses the launch for them.
template <scan_kind Kind, class T, scan_policies Policies, class In, class Where, class Out, class Op, class Init,
          class How>
outcome run_segment_scan(const In& in, std::int64_t n, const Where& where, const Out& to, const Op& op,
                         const Init& init, const How& how) {
  static_assert(is_operator_on<Op, T>,
                "gpuprim::segmented_scan: the operator's const operator() must take two values of the accumulator type "
                "and return one");
  [[maybe_unused]] const refuse_total<Out> checked{};
  const auto out = detail::unwrap_contiguous(to);
  const auto given = detail::unwrap_contiguous(in);
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    if (const outcome bad = detail::check_input(raw, n); bad.failed()) return bad;
    if (!detail::may_write_to(out, given, n)) {
      return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same array"};
    }
    const auto join = detail::joining<T>(op);
    using Join = std::remove_const_t<decltype(join)>;
    maybe<scan_part<T>> start;
    if constexpr (!std::is_same_v<Init, nothing>) start = scan_part<T>{init, 0};
    return detail::run_scan_of<Kind, scan_part<T>, Policies>(
        segment_source<decltype(raw), T, Where>(raw, where), n, out, nothing{}, join_scan_parts<T, Join>{join},
        segment_steps<Kind, T, Init>{init}, start, how);
  });
}

/// By one length.
template <scan_kind Kind, class T, scan_policies Policies, class In, class Out, class Op,
          class Init, class How>
outcome run_segmented_scan(const In& in, fixed_length fixed, std::int64_t segments, const Out& out, const Op& op,
                           const Init& init, const How& how) {
  if (const outcome bad = detail::check_segments(fixed, segments); bad.failed()) return bad;
  return detail::run_segment_scan<Kind, T, Policies>(in, fixed.length * segments, segments_of_length(fixed.length), out,
                                                     op, init, how);
}

/// By offsets.
template <scan_kind Kind, class T, scan_policies Policies, class In, class Offsets,
          class Out, class Op, class Init, class How>
outcome run_segmented_scan(const In& in, const segment_offsets<Offsets>& by, std::int64_t segments, const Out& out,
                           const Op& op, const Init& init, const How& how) {
  static_assert(offset_input<Offsets>,
                "gpuprim::segmented_scan: the offsets must be a pointer to, or a random-access iterator over, integers "
                "of 32 or 64 bits");
  if (const outcome bad = detail::check_segments(by, segments); bad.failed() || segments == 0) return bad;
  const auto offsets = detail::unwrap_contiguous(by.offsets);
  if (detail::overlap(detail::unwrap_contiguous(out), by.n, offsets, segments + 1)) {
    return {cudaErrorInvalidValue, "the output overlaps the offsets"};
  }
  using where = segments_by_offsets<std::remove_const_t<decltype(offsets)>>;
  return detail::run_segment_scan<Kind, T, Policies>(in, by.n, where{offsets, segments}, out, op, init, how);
}

/// By begins and ends.
template <scan_kind Kind, class T, scan_policies Policies, class In, class Begins, class Ends, class Out, class Op,
          class Init, class How>
outcome run_segmented_scan(const In& in, const segment_bounds<Begins, Ends>& by, std::int64_t segments, const Out& to,
                           const Op& op, const Init& init, const How& how) {
  static_assert(offset_input<Begins> && offset_input<Ends>,
                "gpuprim::segmented_scan: the begins and ends must be pointers to, or random-access iterators over, "
                "integers of 32 or 64 bits");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::segmented_scan: the operator's const operator() must take two values of the accumulator type "
                "and return one");
  static_assert(detail::takes_results<Out, T>,
                "gpuprim::segmented_scan: the output must take values of the accumulator type");
  [[maybe_unused]] const refuse_total<Out> checked{};
  if (const outcome bad = detail::check_segments(by, segments); bad.failed() || segments == 0) return bad;
  const auto begins = detail::unwrap_contiguous(by.begins);
  const auto ends = detail::unwrap_contiguous(by.ends);
  const auto out = detail::unwrap_contiguous(to);
  if (detail::overlap(out, by.n, begins, segments) || detail::overlap(out, by.n, ends, segments)) {
    return {cudaErrorInvalidValue, "the output overlaps the begins or ends"};
  }
  if (const outcome bad = detail::check_results(out, by.n); bad.failed()) return bad;
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    if (const outcome bad = detail::check_input(raw, by.n); bad.failed()) return bad;
    if (!detail::may_write_to(out, detail::unwrap_contiguous(in), by.n)) {
      return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same array"};
    }
    const auto join = detail::joining<T>(op);
    const bounds_scan_pass<Kind, T, decltype(raw), std::remove_const_t<decltype(begins)>,
                           std::remove_const_t<decltype(ends)>, std::remove_const_t<decltype(out)>,
                           std::remove_const_t<decltype(join)>, Init>
        pass{raw, begins, ends, segments, by.n, out, join, init};
    constexpr auto kernel = &bounds_scan_kernel<std::remove_const_t<decltype(pass)>>;
    // A step is read when the one before is scanned.
    return detail::use_kernel(kernel, detail::find_shape<kernel>(segments, pass.block_size), 0, pass, how);
  });
}

/// What `segmented_reduce` takes: without the number of values nobody knows how much workspace a scan needs.
template <scan_kind Kind, class T, scan_policies Policies, class In, class Where, class... Rest>
outcome run_segmented_scan(const In&, const Where&, std::int64_t, const Rest&...) {
  static_assert(std::is_void_v<Where>,
                "gpuprim::segmented_scan: say where segments are by segment_offsets, segment_bounds or fixed_length");
  return {};
}

}  // namespace gpuprim::detail
