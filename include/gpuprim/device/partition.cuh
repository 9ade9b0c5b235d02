// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/outputs.cuh>
#include <gpuprim/device/select/select_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Checks the arguments of a partition of `in` to `outs`, and calls `go(raw, counts, outs...)` with arrays as pointers.
/// With `own_output` there is one for each part, and else one of n elements for all.
template <rest_place Rest, class In, class Counts, class Go, class... Outs>
outcome with_partition(const In& in, const element_count& n, const Counts& counts, const Go& go, const Outs&... outs) {
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    const auto total = detail::unwrap_contiguous(counts);
    constexpr int counted = Rest == rest_place::own_output ? int(sizeof...(Outs)) - 1 : 1;
    if (const outcome bad = detail::check_counts<counted>(total, n, raw); bad.failed()) return bad;
    outcome bad;
    const auto check_one = [&](const auto& out) {
      if (bad.failed()) return;
      bad = detail::check_apart(out, n.most(), raw);
      if (bad.failed() || n.most() == 0) return;
      if (n.overlaps(out, n.most())) bad = {cudaErrorInvalidValue, "the number of elements lies in an output"};
      if constexpr (Rest != rest_place::own_output) {
        if (detail::overlap(out, n.most(), raw, n.most())) {
          bad = {cudaErrorInvalidValue, "an output overlaps an input"};
        } else if (detail::overlap(total, 1, out, n.most())) {
          bad = {cudaErrorInvalidValue, "the count lies in the output"};
        }
      } else if ((int(detail::overlap(out, 1, detail::unwrap_contiguous(outs), 1)) + ...) > 1) {
        bad = {cudaErrorInvalidValue, "two outputs are the same array"};
      }
    };
    (check_one(detail::unwrap_contiguous(outs)), ...);
    if (bad.failed()) return bad;
    return go(raw, total, detail::unwrap_contiguous(outs)...);
  });
}

/// Partitions by a predicate; the types are checked.
template <rest_place Rest, class In, class Counts, class Predicate, class Out, class Others>
outcome partition_chosen(const In& in, const element_count& n, const Counts& count, const Predicate& predicate,
                         const options& how, const Out& out, const Others& others) {
  const auto go = [&](auto raw, auto total, auto first, auto rest) {
    const chosen_by<decltype(raw), Predicate> source{raw, predicate};
    return detail::run_select<Rest, tuned_select_policies>(source, n, total, publish_order::none, how,
                                                           write_element(first), write_element(rest));
  };
  return detail::with_partition<Rest>(in, n, count, go, out, others);
}

template <rest_place Rest, class In, class Counts, class Predicate, class Out, class Others>
outcome partition_by(const In& in, const element_count& n, const Counts& count, const Predicate& predicate,
                     const options& how, const Out& out, const Others& others) {
  static_assert(selectable_input<In>,
                "gpuprim::partition_if: the input must be a pointer or a random-access iterator "
                "to elements that are trivially copyable and assignable");
  static_assert(detail::takes_results<Out, input_value<In>> && detail::takes_results<Others, input_value<In>> &&
                    detail::takes_result<Counts, std::int64_t>,
                "gpuprim::partition_if: the outputs must take elements and the count of those in front");
  static_assert(is_predicate_on<Predicate, input_value<In>>,
                "gpuprim::partition_if: the predicate's const operator() must take an element and return a bool");
  return detail::partition_chosen<Rest>(in, n, count, predicate, how, out, others);
}

template <class In, class Counts, class First, class Second, class... Outs>
outcome partition_by_two(const In& in, const element_count& n, const Counts& counts, const First& first,
                         const Second& second, const options& how, const Outs&... outs) {
  static_assert(selectable_input<In>,
                "gpuprim::partition_if: the input must be a pointer or a random-access iterator "
                "to elements that are trivially copyable and assignable");
  static_assert((detail::takes_results<Outs, input_value<In>> && ...) && detail::takes_results<Counts, std::int64_t>,
                "gpuprim::partition_if: the outputs must take elements and two counts");
  static_assert(is_predicate_on<First, input_value<In>> && is_predicate_on<Second, input_value<In>>,
                "gpuprim::partition_if: each predicate's const operator() must take an element and return a bool");
  const auto go = [&](auto raw, auto totals, auto... to) {
    const chosen_by_two<decltype(raw), First, Second> source{raw, first, second};
    return detail::run_select<rest_place::own_output, tuned_select_policies>(source, n, totals, publish_order::none,
                                                                             how, write_element(to)...);
  };
  return detail::with_partition<rest_place::own_output>(in, n, counts, go, outs...);
}

template <class In, class Flags, class Out, class Counts>
outcome partition_by_flags(const In& in, const Flags& flags, const element_count& n, const Out& out,
                           const Counts& count, const options& how) {
  static_assert(selectable_input<In> && selectable_input<Flags>,
                "gpuprim::partition_flagged: the inputs must be pointers or random-access iterators to elements that "
                "are trivially copyable and assignable");
  static_assert(initial_value_for<input_value<Flags>, bool>,
                "gpuprim::partition_flagged: the flags must convert to bool");
  static_assert(detail::takes_results<Out, input_value<In>> && detail::takes_result<Counts, std::int64_t>,
                "gpuprim::partition_flagged: the outputs must take elements and the count of those in front");
  const auto go = [&](auto raw, auto total, auto to) {
    return detail::with_input<array_form::pointer>(flags, [&](auto raw_flags) -> outcome {
      if (const outcome bad = detail::check_input(raw_flags, n.most()); bad.failed()) return bad;
      if (const outcome bad = detail::check_disjoint(to, n.most(), raw_flags, n.most()); bad.failed()) return bad;
      if (detail::overlap(total, 1, raw_flags, n.most())) return {cudaErrorInvalidValue, "the count lies in the input"};
      const chosen_by<decltype(raw_flags), is_set> source{raw_flags, {}};
      const write_value<decltype(raw), decltype(to)> write{raw, to};
      return detail::run_select<rest_place::reversed, tuned_select_policies>(source, n, total, publish_order::none, how,
                                                                             write, write);
    });
  };
  return detail::with_partition<rest_place::reversed>(in, n, count, go, out);
}

}  // namespace detail

/// Writes the elements for which a predicate holds to the front of the output, in their order, and the others behind
/// them, in the reverse of their order; and how many are in front.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read, where n is a number or
///        `element_count{pointer, most}`. `out`: room for n elements apart from the input. `count`: one integer.
///        `predicate(element)` returns a bool and is a pure function.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept in front, reversed behind; `outputs(...)` and stable_partition_if keep it in both parts.
/// @cost  one launch; each element is read once and written once.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/65_partition.cu
template <class In, class Out, class CountOut, class Predicate>
[[nodiscard]] cudaError_t partition_if(In in, element_count n, Out out, CountOut count, Predicate predicate,
                                       const options& how = {}) {
  return detail::partition_by<detail::rest_place::reversed>(in, n, count, predicate, how, out, out).report();
}
/// As above, with an output for each part, `outputs(chosen, others)`; the order is kept in both.
template <class In, class Chosen, class Others, class CountOut, class Predicate>
[[nodiscard]] cudaError_t partition_if(In in, element_count n, detail::split_output<Chosen, Others> out, CountOut count,
                                       Predicate predicate, const options& how = {}) {
  return detail::partition_by<detail::rest_place::own_output>(in, n, count, predicate, how, gpuprim::get<0>(out.outs),
                                                              gpuprim::get<1>(out.outs))
      .report();
}
/// As above, into three parts: elements for which `first` holds; of the others those for which `second` holds; and the
/// rest. `counts[0]` and `counts[1]` get how many are in the first two. The order is kept in all.
template <class In, class A, class B, class C, class CountsOut, class First, class Second>
[[nodiscard]] cudaError_t partition_if(In in, element_count n, detail::split_output<A, B, C> out, CountsOut counts,
                                       First first, Second second, const options& how = {}) {
  return detail::partition_by_two(in, n, counts, first, second, how, gpuprim::get<0>(out.outs),
                                  gpuprim::get<1>(out.outs), gpuprim::get<2>(out.outs))
      .report();
}

/// Partitions by flags: elements whose flags are set to the front of the output, in their order, and the others behind
/// them, in the reverse of their order.
///
/// @pre   as partition_if; `flags`: a pointer or a random-access iterator to n values that convert to bool.
/// @sync  as partition_if. @order as partition_if.
/// @cost  one launch; each flag and element is read once and each element written once.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/65_partition.cu
template <class In, class Flags, class Out, class CountOut>
[[nodiscard]] cudaError_t partition_flagged(In in, Flags flags, element_count n, Out out, CountOut count,
                                            const options& how = {}) {
  return detail::partition_by_flags(in, flags, n, out, count, how).report();
}

/// Does what partition_if does, and returns the count to the host.
///
/// @pre   as partition_if.
/// @sync  waits until all is written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order as partition_if.
/// @cost  partition_if and the wait; the kernel writes the count to host memory that the calling thread keeps.
/// @return how many are in front. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as select_if.
/// @example examples/library/65_partition.cu
template <class In, class Out, class Predicate>
[[nodiscard]] std::int64_t partition_if_count(In in, element_count n, Out out, Predicate predicate,
                                              const options& how = {}) {
  return detail::count_to_host("gpuprim::partition_if_count", how, [&](std::int64_t* count) {
    return detail::partition_by<detail::rest_place::reversed>(in, n, count, predicate, how, out, out);
  });
}
/// As above, with an output for each part.
template <class In, class Chosen, class Others, class Predicate>
[[nodiscard]] std::int64_t partition_if_count(In in, element_count n, detail::split_output<Chosen, Others> out,
                                              Predicate predicate, const options& how = {}) {
  return detail::count_to_host("gpuprim::partition_if_count", how, [&](std::int64_t* count) {
    return detail::partition_by<detail::rest_place::own_output>(in, n, count, predicate, how, gpuprim::get<0>(out.outs),
                                                                gpuprim::get<1>(out.outs));
  });
}

/// Does what partition_flagged does, and returns the count to the host; all else as partition_if_count.
template <class In, class Flags, class Out>
[[nodiscard]] std::int64_t partition_flagged_count(In in, Flags flags, element_count n, Out out,
                                                   const options& how = {}) {
  return detail::count_to_host("gpuprim::partition_flagged_count", how, [&](std::int64_t* count) {
    return detail::partition_by_flags(in, flags, n, out, count, how);
  });
}

/// The launch that `partition_if` makes for these arguments, to look at. @throws gpuprim::cuda_error.
template <class In, class Out, class CountOut, class Predicate>
[[nodiscard]] launch_plan partition_if_plan(In in, element_count n, Out out, CountOut count, Predicate predicate) {
  return detail::plan_call("gpuprim::partition_if_plan", [&](const options& how) {
    return gpuprim::partition_if(in, n, out, count, predicate, how);
  });
}

}  // namespace gpuprim
