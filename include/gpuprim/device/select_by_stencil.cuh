// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/projected_input.cuh>
#include <gpuprim/device/select.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Whether a predicate holds for the value beside an element.
template <class Predicate>
struct holds_beside {
  Predicate predicate;
  template <class T, class Value>
  __device__ bool operator()(const element_pair<T, Value>& both) const {
    return predicate(both.second);
  }
};
template <class Out>
struct write_first : write_defaults {
  Out out;
  explicit write_first(const Out& o) : out(o) {}
  template <class T, class Value>
  __device__ T fetch(const element_pair<T, Value>& both, std::int64_t) const {
    return both.first;
  }
  template <class T>
  __device__ void put(std::int64_t place, const T& element) const {
    detail::assign(out[place], element);
  }
};

/// Selects by a stencil in place: elements and values are read together, before others are written there.
template <class T, class Stencil, class Counts, class Predicate>
outcome select_in_place(T* array, const Stencil& given_stencil, const element_count& n, const Counts& given_count,
                        const Predicate& predicate, const options& how) {
  const auto stencil = detail::unwrap_contiguous(given_stencil);
  const auto count = detail::unwrap_contiguous(given_count);
  for (const outcome& bad : {detail::check_counts<1>(count, n, array), detail::check_input(stencil, n.most()),
                             detail::check_results(array, n.most())}) {
    if (bad.failed()) return bad;
  }
  if (n.most() > 0 && n.overlaps(array, 1)) return {cudaErrorInvalidValue, "the number of elements lies in the output"};
  if (detail::overlap(count, 1, stencil, n.most())) return {cudaErrorInvalidValue, "the count lies in the input"};
  if (!detail::is_same_array(array, stencil) && detail::overlap(array, n.most(), stencil, n.most())) {
    return {cudaErrorInvalidValue, "an output overlaps an input"};
  }
  const zipped_items both(static_cast<const T*>(array), stencil);
  using Both = std::remove_const_t<decltype(both)>;
  return detail::run_select<rest_place::none, tuned_select_policies>(
      chosen_by<Both, holds_beside<Predicate>>{both, {predicate}}, n, count, publish_order::after_all, how,
      write_first(array));
}

template <class In, class Stencil, class Out, class Counts, class Predicate>
outcome select_by_stencil(const In& in, const Stencil& stencil, const element_count& n, const Out& out,
                          const Counts& count, const Predicate& predicate, const options& how) {
  static_assert(selectable_input<In> && selectable_input<Stencil>,
                "gpuprim::select_if: the inputs must be pointers or random-access iterators to elements that are "
                "trivially copyable and assignable");
  static_assert(detail::takes_results<Out, input_value<In>> && detail::takes_result<Counts, std::int64_t>,
                "gpuprim::select_if: the outputs must take elements and their count");
  static_assert(is_predicate_on<Predicate, input_value<Stencil>>,
                "gpuprim::select_if: the predicate's const operator() must take a value of the stencil and return a "
                "bool");
  const auto go = [&](auto to) -> outcome {
    if constexpr (std::is_same_v<decltype(to), input_value<In>*>) {
      const auto where_it_begins = [](auto raw) -> const void* {
        if constexpr (std::is_pointer_v<decltype(raw)>) return raw;
        else return nullptr;
      };
      if (to != nullptr && detail::with_arrays(where_it_begins, in) == to) {
        return detail::select_in_place(to, stencil, n, count, predicate, how);
      }
    }
    return detail::select_beside(in, stencil, n, out, count, predicate, how);
  };
  return detail::with_arrays(go, out);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace detail

/// Bytes of workspace that a select of n elements of type T by a stencil of type Value needs, in place or not.
template <class T, class Value>
constexpr std::int64_t select_by_stencil_workspace_bytes(std::int64_t n) {
  const std::int64_t apart = gpuprim::select_workspace_bytes<Value, T>(n);
  const std::int64_t in_place = gpuprim::select_workspace_bytes<detail::element_pair<T, Value>>(n);
  return apart > in_place ? apart : in_place;
}

/// Writes those elements for which a predicate holds of the value that a stencil has at their position, in their order,
/// and how many there are.
///
/// @pre   as select_if; `stencil`: a pointer or a random-access iterator to n values. The output may be the array `in`
///        itself, and the stencil too then; it must not overlap them otherwise. `predicate(value)` returns a bool and
///        is a pure function.
/// @sync  as select_if. @order kept.
/// @cost  one launch; each value of the stencil is read once, and of the elements the lines of memory that hold
///        selected ones; in place all of them. `select_by_stencil_workspace_bytes<T, Value>(n)`.
/// @return as select_if.
/// @source thrust::copy_if and thrust::remove_if with a stencil; cub::DeviceSelect::FlaggedIf.
/// @example examples/library/63_select.cu
template <class In, class Stencil, class Out, class CountOut, class Predicate>
[[nodiscard]] cudaError_t select_if(In in, Stencil stencil, element_count n, Out out, CountOut count,
                                    Predicate predicate, const options& how = {}) {
  return detail::select_by_stencil(in, stencil, n, out, count, predicate, how).report();
}

/// Does what select_if by a stencil does, and returns the count to the host; all else as select_if_count.
template <class In, class Stencil, class Out, class Predicate>
[[nodiscard]] std::int64_t select_if_count(In in, Stencil stencil, element_count n, Out out, Predicate predicate,
                                           const options& how = {}) {
  return detail::count_to_host("gpuprim::select_if_count", how, [&](std::int64_t* count) {
    return detail::select_by_stencil(in, stencil, n, out, count, predicate, how);
  });
}

}  // namespace gpuprim
