// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/select/select_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a select of `n` elements of type T needs: `select_if`, `select_indices`, `transform_select`,
/// `unique`, `partition_if` and their kind. For a call with flags, T is their type, and Value that of the elements; for
/// unique_by_key, T is the key's type. `Parts`: those that are counted, which are two in a partition into three.
template <class T, class Value = T, int Parts = 1>
constexpr std::int64_t select_workspace_bytes(std::int64_t n) {
  constexpr int bytes = int(sizeof(T)), item_bytes = detail::larger(bytes, int(sizeof(Value)));
  return detail::select_launches<tuned_select_policies, bytes, item_bytes, Parts>::workspace_bytes(n);
}

/// A value or nothing: what a projection returns that may refuse an element.
template <class T>
using maybe = detail::maybe<T>;

namespace detail {

template <class In, class Out, class Counts, class Predicate>
outcome select_by(const In& in, const element_count& n, const Out& out, const Counts& count, const Predicate& predicate,
                  const options& how) {
  static_assert(selectable_input<In>,
                "gpuprim::select_if: the input must be a pointer or a random-access iterator to "
                "elements that are trivially copyable and assignable");
  static_assert(detail::takes_results<Out, input_value<In>> && detail::takes_result<Counts, std::int64_t>,
                "gpuprim::select_if: the outputs must take elements and their count");
  static_assert(is_predicate_on<Predicate, input_value<In>>,
                "gpuprim::select_if: the predicate's const operator() must take an element and return a bool");
  return detail::select_elements<tuned_select_policies, chosen_by>(in, n, count, predicate, write_element(out), how);
}

/// Selects the elements beside which a predicate holds for the value of a stencil.
template <class In, class Stencil, class Out, class Counts, class Predicate>
outcome select_beside(const In& in, const Stencil& stencil, const element_count& n, const Out& out, const Counts& count,
                      const Predicate& predicate, const options& how) {
  return detail::with_input<array_form::pointer>(in, [&](auto values) {
    const auto go = [&](auto to) -> outcome {
      const auto total = detail::unwrap_contiguous(count);
      if (const outcome bad = detail::check_input(values, n.most()); bad.failed()) return bad;
      if (const outcome bad = detail::check_apart(to, n.most(), values); bad.failed()) return bad;
      if (const outcome bad = detail::check_apart(to, n.most(), detail::unwrap_contiguous(stencil)); bad.failed()) {
        return bad;
      }
      if (detail::overlap(total, 1, values, n.most())) {
        return {cudaErrorInvalidValue, "the count lies in the input"};
      }
      return detail::select_elements<tuned_select_policies, chosen_by>(
          stencil, n, count, predicate, write_value<decltype(values), decltype(to)>{values, to}, how);
    };
    return detail::with_arrays(go, out);
  });
}

template <class In, class Flags, class Out, class Counts>
outcome select_by_flags(const In& in, const Flags& flags, const element_count& n, const Out& out, const Counts& count,
                        const options& how) {
  static_assert(selectable_input<In> && selectable_input<Flags>,
                "gpuprim::select_flagged: the inputs must be pointers or random-access iterators to elements that are "
                "trivially copyable and assignable");
  static_assert(initial_value_for<input_value<Flags>, bool>, "gpuprim::select_flagged: the flags must convert to bool");
  static_assert(detail::takes_results<Out, input_value<In>> && detail::takes_result<Counts, std::int64_t>,
                "gpuprim::select_flagged: the outputs must take elements and their count");
  return detail::select_beside(in, flags, n, out, count, is_set{}, how);
}

template <class In, class Out, class Counts, class Predicate>
outcome select_positions(const In& in, const element_count& n, const Out& out, const Counts& count,
                         const Predicate& predicate, const options& how) {
  static_assert(selectable_input<In>,
                "gpuprim::select_indices: the input must be a pointer or a random-access "
                "iterator to elements that are trivially copyable and assignable");
  static_assert(detail::takes_results<Out, std::int64_t> && detail::takes_result<Counts, std::int64_t>,
                "gpuprim::select_indices: the outputs must take integers");
  static_assert(is_predicate_on<Predicate, input_value<In>>,
                "gpuprim::select_indices: the predicate's const operator() must take an element and return a bool");
  const outcome bad = detail::check_apart(detail::unwrap_contiguous(out), n.most(), detail::unwrap_contiguous(in));
  if (bad.failed()) return bad;
  return detail::select_elements<tuned_select_policies, chosen_by>(in, n, count, predicate, write_position(out), how);
}

template <class In, class Out, class Counts, class Projection>
outcome select_projected(const In& in, const element_count& n, const Out& out, const Counts& count,
                         const Projection& projection, const options& how) {
  static_assert(selectable_input<In>,
                "gpuprim::transform_select: the input must be a pointer or a random-access "
                "iterator to elements that are trivially copyable and assignable");
  static_assert(is_function_object<Projection>);
  static_assert(
      is_device_lambda<Projection> ||
          requires(const Projection& p, const input_value<In>& x, Out to) {
            static_cast<bool>(p(x).has_value());
            to[0] = *p(x);
          },
      "gpuprim::transform_select: the projection's const operator() must take an element and return what has "
      "has_value() and, behind *, a value that the output takes");
  static_assert(detail::takes_result<Counts, std::int64_t>,
                "gpuprim::transform_select: the output of the count must take an integer");
  return detail::select_elements<tuned_select_policies, chosen_by>(in, n, count, is_accepted<Projection>{projection},
                                                                   write_projected(projection, out), how);
}

}  // namespace detail

/// Writes those elements for which a predicate holds, in their order, and how many there are.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read, where n is a number or
///        `element_count{pointer, most}`, one that lies in device memory. `out`: room for those that are selected; it
///        may be the input itself, whose elements then move to the front, and must not overlap it otherwise. `count`:
///        one integer. `predicate(element)` returns a bool and is a pure function.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept.
/// @cost  one launch; each element is read once and each result written once.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer with n
///        > 0, misaligned arrays, negative or overflowing count, an output that is seen to lie in the input, workspace
///        too small. n = 0 writes 0 to `*count`.
/// @source Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016.
/// @example examples/library/63_select.cu
template <class In, class Out, class CountOut, class Predicate>
[[nodiscard]] cudaError_t select_if(In in, element_count n, Out out, CountOut count, Predicate predicate,
                                    const options& how = {}) {
  return detail::select_by(in, n, out, count, predicate, how).report();
}

/// Writes those elements whose flags are set, in their order, and how many there are. Of the elements only those are
/// read.
///
/// @pre   as select_if; `flags`: a pointer or a random-access iterator to n values that convert to bool. The output
///        must not overlap the inputs, not even be one of them: a block reads its elements when it knows their places,
///        while later ones write theirs.
/// @sync  as select_if. @order kept.
/// @cost  one launch; each flag is read once, and of the elements the lines of memory that hold selected ones.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/63_select.cu
template <class In, class Flags, class Out, class CountOut>
[[nodiscard]] cudaError_t select_flagged(In in, Flags flags, element_count n, Out out, CountOut count,
                                         const options& how = {}) {
  return detail::select_by_flags(in, flags, n, out, count, how).report();
}

/// Writes the positions of those elements for which a predicate holds, in ascending order, and how many there are.
///
/// @pre   as select_if; `out` takes 64-bit integers, which are converted to its type as by assignment, and must not
///        overlap the input.
/// @sync  as select_if. @order ascending.
/// @cost  as select_if.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/63_select.cu
template <class In, class Out, class CountOut, class Predicate>
[[nodiscard]] cudaError_t select_indices(In in, element_count n, Out out, CountOut count, Predicate predicate,
                                         const options& how = {}) {
  return detail::select_positions(in, n, out, count, predicate, how).report();
}

/// Writes `*projection(element)` for those elements that the projection does not refuse, in their order, and how many
/// there are. It refuses an element by a result whose `has_value()` is false, such as `gpuprim::maybe<T>{}`.
///
/// @pre   as select_if, but for the predicate. `projection(element)` is a pure function, which is called twice for an
///        element that is selected. The output may be the input where both have elements of one size.
/// @sync  as select_if. @order kept.
/// @cost  as select_if.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/63_select.cu
template <class In, class Out, class CountOut, class Projection>
[[nodiscard]] cudaError_t transform_select(In in, element_count n, Out out, CountOut count, Projection projection,
                                           const options& how = {}) {
  return detail::select_projected(in, n, out, count, projection, how).report();
}

/// Does what select_if does, and returns the count to the host.
///
/// @pre   as select_if.
/// @sync  waits until all is written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order kept.
/// @cost  select_if and the wait; the kernel writes the count to host memory that the calling thread keeps.
/// @return the count. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as select_if.
/// @example examples/library/63_select.cu
template <class In, class Out, class Predicate>
[[nodiscard]] std::int64_t select_if_count(In in, element_count n, Out out, Predicate predicate,
                                           const options& how = {}) {
  return detail::count_to_host("gpuprim::select_if_count", how, [&](std::int64_t* count) {
    return detail::select_by(in, n, out, count, predicate, how);
  });
}

/// Does what select_flagged does, and returns the count to the host; all else as select_if_count.
template <class In, class Flags, class Out>
[[nodiscard]] std::int64_t select_flagged_count(In in, Flags flags, element_count n, Out out, const options& how = {}) {
  return detail::count_to_host("gpuprim::select_flagged_count", how, [&](std::int64_t* count) {
    return detail::select_by_flags(in, flags, n, out, count, how);
  });
}

/// Does what select_indices does, and returns the count to the host; all else as select_if_count.
template <class In, class Out, class Predicate>
[[nodiscard]] std::int64_t select_indices_count(In in, element_count n, Out out, Predicate predicate,
                                                const options& how = {}) {
  return detail::count_to_host("gpuprim::select_indices_count", how, [&](std::int64_t* count) {
    return detail::select_positions(in, n, out, count, predicate, how);
  });
}

/// Does what transform_select does, and returns the count to the host; all else as select_if_count.
template <class In, class Out, class Projection>
[[nodiscard]] std::int64_t transform_select_count(In in, element_count n, Out out, Projection projection,
                                                  const options& how = {}) {
  return detail::count_to_host("gpuprim::transform_select_count", how, [&](std::int64_t* count) {
    return detail::select_projected(in, n, out, count, projection, how);
  });
}

/// The launch that `select_if` makes for these arguments, to look at. @throws gpuprim::cuda_error.
template <class In, class Out, class CountOut, class Predicate>
[[nodiscard]] launch_plan select_if_plan(In in, element_count n, Out out, CountOut count, Predicate predicate) {
  return detail::plan_call("gpuprim::select_if_plan",
                           [&](const options& how) { return gpuprim::select_if(in, n, out, count, predicate, how); });
}

}  // namespace gpuprim
