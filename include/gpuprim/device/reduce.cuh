// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce/reduce_call.cuh>
#include <gpuprim/device/reduce/reduce_to_host.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a reduce of `n` elements with accumulators of type `Acc` needs, on any GPU and policy.
template <class Acc>
constexpr std::int64_t reduce_workspace_bytes(std::int64_t n) {
  return detail::most_reduce_bytes<Acc>(n);
}

/// Reduces `n` elements into `*out` with a policy spelled out, starting from the operator's identity.
///
/// @pre   `in`: n elements that the device can read, aligned to their type; `out`: one element that it can write, which
///        may lie in the input; the result is converted to its type as by assignment. BlockSize: a multiple of 32 from
///        32 to 1024; LoadsPerThread: 1, 2, 4, 8 or 16 loads of 16 bytes in flight (elements of 3, 6, 12 or 24 bytes:
///        three for four of them);
///        BlocksPerMultiprocessor: as many may share one (by shared memory that is reserved), or 0 for all that fit.
///        Op is associative and default constructible, and has an identity. It is a pure function: it may be called
///        with values that are no neighbours, for a result that is thrown away.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU.
/// @cost  one launch, each element read once; three more stream operations where no workspace is given.
/// @return cudaSuccess, or what went wrong; `*out` is untouched then. cudaErrorInvalidValue: null pointer with n > 0,
///        misaligned input, negative or overflowing count, workspace too small, an initial value that an integer
///        accumulator does not hold. n = 0 writes the identity.
/// @source Harris, "Optimizing parallel reduction in CUDA", 2007; CUDA samples, threadFenceReduction.
/// @example examples/library/04_policy.cu
template <class Op, int BlockSize, int LoadsPerThread, int BlocksPerMultiprocessor = 0, class In, class Out>
[[nodiscard]] cudaError_t reduce(In in, std::int64_t n, Out out, const options& how = {}) {
  using Acc = detail::accumulator_for<void, Op, In>;
  constexpr reduce_policy policy{BlockSize, LoadsPerThread, BlocksPerMultiprocessor};
  const detail::reduce_start<Acc> from{detail::reduce_identity<Op, Acc>(), how};
  return detail::reduce_with<policy, Acc>(in, n, out, Op{}, from).report();
}

/// Takes an operator object and an initial value, which counts as the first element.
template <class Op, int BlockSize, int LoadsPerThread, int BlocksPerMultiprocessor = 0, class In, class Out, class Init>
[[nodiscard]] cudaError_t reduce(In in, std::int64_t n, Out out, Op op, Init init, const options& how = {}) {
  using Acc = detail::accumulator_for<void, Op, In, Init>;
  constexpr reduce_policy policy{BlockSize, LoadsPerThread, BlocksPerMultiprocessor};
  if (const detail::outcome bad = detail::check_initial_value<Acc>(init); bad.failed()) return bad.report();
  const detail::reduce_start<Acc> from{static_cast<Acc>(detail::convertible<Acc>(init)), how};
  return detail::reduce_with<policy, Acc>(in, n, out, op, from).report();
}

/// Reduces `n` elements into `*out`, starting from `init`, with the policy for this type and size. Everything that
/// the form with a policy says holds here; `reduce<Acc>(...)` names the type that the values are joined in, which is
/// `default_accumulator<Op, element, Init>` otherwise, whatever type the output has: a sum of ints that goes to 64 bits
/// wraps at 32.
///
/// @pre   as above; `in` is a pointer, a contiguous iterator (of `thrust::device_vector` too), which is read 16 bytes
///        at a time, or any random-access iterator that the device can index. n is a number or
///        `element_count{pointer, most}`, one that lies in device memory: the operator has an identity then.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU.
/// @cost  one launch, each element read once.
/// @return as above; n = 0 writes `init`.
/// @source as above.
/// @example examples/library/00_reduce.cu
template <class Acc = void, class In, detail::number_of_elements Count = element_count, class Out, class Op, class Init>
[[nodiscard]] cudaError_t reduce(In in, Count n, Out out, Op op, Init init, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  return detail::reduce_tuned<A>(in, detail::as_count(n), out, op, init, how).report();
}

/// Refuses a stream in place of the options, where so many forms are near it that they hide what is wrong.
template <class In, class Out, class Op, class Init, class Stream>
  requires std::is_same_v<Stream, cudaStream_t>
[[nodiscard]] cudaError_t reduce(In, std::int64_t, Out, Op, Init, Stream) {
  [[maybe_unused]] const detail::refuse_stream<Stream> checked{};
  return cudaErrorInvalidValue;
}

/// Starts from the operator's identity.
template <class Acc = void, class In, detail::number_of_elements Count = element_count, class Out, class Op>
[[nodiscard]] cudaError_t reduce(In in, Count n, Out out, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return detail::reduce_tuned<A>(in, detail::as_count(n), out, op, detail::reduce_identity<Op, A>(), how).report();
}

/// Reduces `n` elements and returns the result to the host.
///
/// @pre   as reduce.
/// @sync  waits for the result, and so for all earlier work in `how.stream`; cannot be captured.
/// @order kept; the result is the same bits in every run on one GPU.
/// @cost  reduce; the kernel mails the result to host memory that the calling thread keeps and looks at.
/// @return the result. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as reduce.
/// @example examples/library/00_reduce.cu
template <class Acc = void, class In, class Op, class Init>
[[nodiscard]] auto reduce_value(In in, std::int64_t n, Op op, Init init, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  const std::int64_t bytes = reduce_workspace_bytes<A>(n < 0 ? 0 : n);
  return detail::reduce_to_host<A>(
      in, n, how, bytes, [&](auto out, const options& o) { return detail::reduce_tuned<A>(in, n, out, op, init, o); });
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Op>
[[nodiscard]] auto reduce_value(In in, std::int64_t n, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::reduce_value<A>(in, n, op, detail::reduce_identity<Op, A>(), how);
}

/// The launch that `reduce` makes for the same arguments, to look at. @throws gpuprim::cuda_error.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] launch_plan reduce_plan(In in, std::int64_t n, Out out, Op op, Init init) {
  return detail::plan_call("gpuprim::reduce_plan",
                           [&](const options& how) { return gpuprim::reduce<Acc>(in, n, out, op, init, how); });
}

/// The launch where no initial value is given.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] launch_plan reduce_plan(In in, std::int64_t n, Out out, Op op) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::reduce_plan<A>(in, n, out, op, detail::reduce_identity<Op, A>());
}

/// The launch of a policy that is spelled out.
template <class Op, int BlockSize, int LoadsPerThread, int BlocksPerMultiprocessor = 0, class In, class Out, class Init>
[[nodiscard]] launch_plan reduce_plan(In in, std::int64_t n, Out out, Op op, Init init) {
  return detail::plan_call("gpuprim::reduce_plan", [&](const options& how) {
    return gpuprim::reduce<Op, BlockSize, LoadsPerThread, BlocksPerMultiprocessor>(in, n, out, op, init, how);
  });
}

}  // namespace gpuprim
