// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/merge/set_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a set operation needs of two arrays that have n elements of type T together.
template <class T>
constexpr std::int64_t set_operation_workspace_bytes(std::int64_t n) {
  return detail::set_workspace_bytes<tuned_set_policy, T>(n);
}

namespace detail {

template <set_operation Operation, class A, class B, class Out, class Less>
std::int64_t count_set(const char* call, const A& a, std::int64_t a_count, const B& b, std::int64_t b_count,
                       const Out& out, const Less& less, const options& how) {
  [[maybe_unused]] const refuse_stream<Less> checked{};
  return detail::count_to_host(call, how, [&](std::int64_t* count) {
    return detail::run_set_operation<tuned_set_policy, Operation>(a, a_count, b, b_count, out, count, less, how);
  });
}

}  // namespace detail

/// Writes the union of two sorted arrays, in order, and how many elements it has. Of elements that are equal, m of a
/// and k of b, it has max(m, k): all of a, and then the last ones of b.
///
/// @pre   `a` and `b`: pointers or random-access iterators to a_count and b_count elements of one type, sorted by
///        `less`, by default `<`, a strict weak order. `out`: room for all of the result, a_count + b_count elements at
///        most, apart from the inputs. `count`: one integer of any type that holds the result, apart from all others.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept among equal elements; those of a come before those of b.
/// @cost  two launches; each element is read once, and each result is written once. More elements are read where long
///        runs of equal ones lie in several tiles. A `workspace` of `set_operation_workspace_bytes<T>(a_count +
///        b_count)`, or more stream operations.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer with a
///         count > 0, misaligned arrays, negative or overflowing count, an output that is seen to lie in an input,
///         workspace too small.
/// @source Green, McColl and Bader, "GPU merge path: a GPU merging algorithm", 2012; std::set_union.
/// @example examples/library/67_merge.cu
template <class A, class B, class Out, class CountOut, class Less = detail::comes_before>
[[nodiscard]] cudaError_t set_union(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out, CountOut count,
                                    Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::run_set_operation<tuned_set_policy, detail::set_operation::make_union>(a, a_count, b, b_count, out,
                                                                                        count, less, how)
      .report();
}
/// As above, in the order of `<`.
template <class A, class B, class Out, class CountOut>
[[nodiscard]] cudaError_t set_union(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out, CountOut count,
                                    const options& how) {
  return gpuprim::set_union(a, a_count, b, b_count, out, count, detail::comes_before{}, how);
}

/// Writes the intersection of two sorted arrays, in order, and how many elements it has. Of elements that are equal, m
/// of a and k of b, it has the first min(m, k) of a.
///
/// @pre   as set_union; the result has at most as many elements as the shorter array.
/// @sync  as set_union.
/// @order kept among equal elements.
/// @cost  as set_union.
/// @return as set_union.
/// @source as set_union; std::set_intersection.
/// @example examples/library/67_merge.cu
template <class A, class B, class Out, class CountOut, class Less = detail::comes_before>
[[nodiscard]] cudaError_t set_intersection(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                           CountOut count, Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::run_set_operation<tuned_set_policy, detail::set_operation::make_intersection>(a, a_count, b, b_count,
                                                                                               out, count, less, how)
      .report();
}
/// As above, in the order of `<`.
template <class A, class B, class Out, class CountOut>
[[nodiscard]] cudaError_t set_intersection(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                           CountOut count, const options& how) {
  return gpuprim::set_intersection(a, a_count, b, b_count, out, count, detail::comes_before{}, how);
}

/// Writes the elements of a sorted array that another one lacks, in order, and how many there are. Of elements that are
/// equal, m of a and k of b, they are the last max(m - k, 0) of a.
///
/// @pre   as set_union; the result has at most a_count elements.
/// @sync  as set_union.
/// @order kept among equal elements.
/// @cost  as set_union.
/// @return as set_union.
/// @source as set_union; std::set_difference.
/// @example examples/library/67_merge.cu
template <class A, class B, class Out, class CountOut, class Less = detail::comes_before>
[[nodiscard]] cudaError_t set_difference(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out, CountOut count,
                                         Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::run_set_operation<tuned_set_policy, detail::set_operation::make_difference>(a, a_count, b, b_count,
                                                                                             out, count, less, how)
      .report();
}
/// As above, in the order of `<`.
template <class A, class B, class Out, class CountOut>
[[nodiscard]] cudaError_t set_difference(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out, CountOut count,
                                         const options& how) {
  return gpuprim::set_difference(a, a_count, b, b_count, out, count, detail::comes_before{}, how);
}

/// Does what set_union does, and returns the count to the host.
///
/// @pre   as set_union.
/// @sync  waits until all is written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order as set_union.
/// @cost  set_union and the wait; the kernel writes the count to host memory that the calling thread keeps.
/// @return the count. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as set_union.
/// @example examples/library/67_merge.cu
template <class A, class B, class Out, class Less = detail::comes_before>
[[nodiscard]] std::int64_t set_union_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                           Less less = {}, const options& how = {}) {
  return detail::count_set<detail::set_operation::make_union>("gpuprim::set_union_count", a, a_count, b, b_count, out,
                                                              less, how);
}
/// As above, in the order of `<`.
template <class A, class B, class Out>
[[nodiscard]] std::int64_t set_union_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                           const options& how) {
  return gpuprim::set_union_count(a, a_count, b, b_count, out, detail::comes_before{}, how);
}

/// Does what set_intersection does, and returns the count to the host; all else as set_union_count.
template <class A, class B, class Out, class Less = detail::comes_before>
[[nodiscard]] std::int64_t set_intersection_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                  Less less = {}, const options& how = {}) {
  return detail::count_set<detail::set_operation::make_intersection>("gpuprim::set_intersection_count", a, a_count, b,
                                                                     b_count, out, less, how);
}
/// As above, in the order of `<`.
template <class A, class B, class Out>
[[nodiscard]] std::int64_t set_intersection_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                  const options& how) {
  return gpuprim::set_intersection_count(a, a_count, b, b_count, out, detail::comes_before{}, how);
}

/// Does what set_difference does, and returns the count to the host; all else as set_union_count.
template <class A, class B, class Out, class Less = detail::comes_before>
[[nodiscard]] std::int64_t set_difference_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                Less less = {}, const options& how = {}) {
  return detail::count_set<detail::set_operation::make_difference>("gpuprim::set_difference_count", a, a_count, b,
                                                                   b_count, out, less, how);
}
/// As above, in the order of `<`.
template <class A, class B, class Out>
[[nodiscard]] std::int64_t set_difference_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                const options& how) {
  return gpuprim::set_difference_count(a, a_count, b, b_count, out, detail::comes_before{}, how);
}

}  // namespace gpuprim
