// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/bounds_scan_kernel.cuh>
#include <gpuprim/device/scan/scan_call.cuh>
#include <gpuprim/device/scan/segment_source.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Checks the arguments of a scan of segments, and uses the launch for them. Offsets alone do not say the number of
/// values: nobody knows how much workspace a scan of them needs.
template <scan_kind Kind, class T, scan_policies Policies, class In, class Where, class Out, class Op, class Init>
outcome run_segmented_scan(const In& in, const Where& where, std::int64_t count, const Out& to, const Op& op,
                           const Init& init, const options& how) {
  static_assert(is_where<Where>,
                "gpuprim::segmented_scan: say where segments are by segment_offsets, segment_bounds or fixed_length");
  static_assert(!is_where<Where> || has_integer_offsets<Where>,
                "gpuprim::segmented_scan: the offsets must be a pointer to, or a random-access iterator over, integers "
                "of 32 or 64 bits");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::segmented_scan: the operator's const operator() must take two values of the accumulator type "
                "and return one");
  [[maybe_unused]] const refuse_total<Out> checked{};
  if constexpr (is_where<Where> && has_integer_offsets<Where>) {
    const auto segments = detail::segments_of(where, count);
    using Segments = std::remove_const_t<decltype(segments)>;
    const auto out = detail::unwrap_contiguous(to);
    if (const outcome bad = detail::check_segments_of_items(segments, out); bad.failed()) return bad;
    if (count == 0) return {};
    return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
      const std::int64_t n = segments.items();
      if (const outcome bad = detail::check_input(raw, n); bad.failed()) return bad;
      if (!detail::may_replace(out, detail::unwrap_contiguous(in), n)) {
        return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same array"};
      }
      if (const outcome bad = detail::check_start(init, out, n); bad.failed()) return bad;
      const auto join = detail::joining<T>(op);
      using Join = std::remove_const_t<decltype(join)>;
      if constexpr (are_fixed<Segments> || are_by_offsets<Segments>) {
        const auto heads = detail::heads_of(segments);
        return detail::run_scan_of<Kind, scan_part<T>, Policies>(
            segment_source<decltype(raw), T, std::remove_const_t<decltype(heads)>>{raw, heads}, n, out, nothing{},
            join_scan_parts<T, Join>{join}, segment_steps<Kind, T, Init>{init}, detail::start_of_parts<T>(init), how);
      } else {
        using Result = std::remove_const_t<decltype(out)>;
        static_assert(detail::takes_results<Result, T>,
                      "gpuprim::segmented_scan: the output must take values of the accumulator type");
        if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
        using Pass = bounds_scan_pass<Kind, T, decltype(raw), Segments, Result, Join, Init>;
        const Pass pass{raw, segments, out, join, init};
        constexpr auto kernel = &bounds_scan_kernel<Pass>;
        // A step is read when the one before is scanned.
        const found_shape found = detail::find_shape<kernel>(segments.count, pass.block_size);
        return detail::launch_main(found, kernel, sizeof(T), how, pass);
      }
    });
  }
  return {};
}

}  // namespace gpuprim::detail
