// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce/by_atomics.cuh>
#include <gpuprim/device/reduce/reduce_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Selects blocks that join their values by atomic operations, in the order in which they finish.
struct unordered_t {};
/// The argument that selects them.
inline constexpr unordered_t unordered{};

/// Reduces `n` elements into `*out` in no order: sums of float and double may differ in the last bits from run to
/// run, and of float what a block adds, or the total, counts as 0 where it is less than 1.2e-38. Integers give the
/// same value as `reduce`. It is slower than `reduce` where several blocks have little to read; see
/// docs/benchmarks.md.
///
/// @pre   as reduce; the accumulator is a 32- or 64-bit integer under plus, minimum, maximum, bit_and, bit_or or
///        bit_xor, or float or double under plus.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order none.
/// @cost  one launch, each element read once; two fences and two atomic operations a block.
/// @return as reduce.
/// @source CUDA samples, reductionMultiBlockCG and threadFenceReduction.
/// @example examples/library/05_determinism.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t reduce(unordered_t, In in, std::int64_t n, Out out, Op op, Init init,
                                 const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  static_assert(detail::has_atomic_key<Op, A> || detail::has_atomic_sum<Op, A>,
                "gpuprim::reduce: unordered needs an operator with an atomic operation for the accumulator type");
  return detail::reduce_tuned<detail::by_atomics, A>(in, n, out, op, init, how).report();
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t reduce(unordered_t, In in, std::int64_t n, Out out, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::reduce<A>(unordered, in, n, out, op, detail::reduce_identity<Op, A>(), how);
}

}  // namespace gpuprim
