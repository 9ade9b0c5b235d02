// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/reproducible.hpp>
#include <gpuprim/device/reduce/reduce_call.cuh>
#include <gpuprim/device/reduce/reduce_to_host.cuh>
#include <gpuprim/device/reduce/reproducible_kernel.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// The largest block, of which one on each multiprocessor evaluates the most leaves at once.
inline constexpr int reproducible_block_size = 1024;

/// Launches the kernel over an input that is as it reads it. `most_blocks` bounds the grid: for tests.
template <int BlockSize, class Acc, class In, class Out, class Op>
outcome run_reproducibly(const In& in, std::int64_t n, const Out& out, const Op& op, const reduce_start<Acc>& from,
                         int most_blocks) {
  static_assert(BlockSize >= 128 && BlockSize <= max_block_size && (BlockSize & (BlockSize - 1)) == 0,
                "gpuprim::reduce: reproducible needs a BlockSize of 128, 256, 512 or 1024");
  [[maybe_unused]] const reduce_types<input_value<In>, Acc, Out, Op> checked{};
  constexpr auto kernel = &reproducible_kernel<BlockSize, Acc, In, Out, Op>;
  constexpr int warps = BlockSize / warp_size;
  const auto input = reproducible_input<In>::template make<leaf_order_of<Op, Acc>>(in, n);
  const int groups = (input.leaves + warps - 1) / warps;
  const auto found = detail::find_shape<kernel>(groups < most_blocks ? groups : most_blocks, BlockSize);
  if (found.error != cudaSuccess) return {found.error};
  const bool is_alone = groups <= 1;
  memory_lease lease(is_alone ? 0 : grid_reduce_bytes<Acc>(groups), from.how);
  if (lease.error()) return lease.refusal();
  const auto state = is_alone ? grid_reduce_state<Acc>{} : make_grid_reduce_state<Acc>(lease.zeroed());
  return lease.finish(detail::launch_main(found, kernel, load_bytes, from.how, input, out, op, from.init, state));
}

/// A reproducible reduce of what a caller passed. A pointer that is aligned for wide loads stays one.
template <int BlockSize, class Acc, class In, class Out, class Op, class Init>
outcome reduce_reproducibly(const In& in, std::int64_t n, const Out& out, const Op& op, const Init& init,
                            const options& how, int most_blocks = reproducible_leaves) {
  if (const outcome bad = detail::check_initial_value<Acc>(init); bad.failed()) return bad;
  const reduce_start<Acc> from{static_cast<Acc>(detail::convertible<Acc>(init)), how};
  return detail::with_input<array_form::pointer>(in, [&]<class Array>(const Array& array) -> outcome {
    if (const outcome bad = detail::check_arguments(array, n, out); bad.failed()) return bad;
    const auto result = detail::unwrap_contiguous(out);
    const auto join = detail::joining<Acc>(op);
    if constexpr (std::is_pointer_v<Array> && elements_per_load < input_value < Array >>> 1) {
      if (reinterpret_cast<std::uintptr_t>(array) % load_bytes != 0) {
        const shifted_array<input_value<Array>> shifted{array};
        return run_reproducibly<BlockSize>(shifted, n, result, join, from, most_blocks);
      }
    }
    return run_reproducibly<BlockSize>(array, n, result, join, from, most_blocks);
  });
}

}  // namespace detail

/// Reduces `n` elements into `*out` by one fixed tree: the result has the same bits on every GPU, with every policy,
/// grid and alignment of the input, for any operator and type. It depends on the number of elements, their type and
/// that of the accumulator, and on whether the operator commutes.
///
/// @pre   as reduce. The operator's own arithmetic must be the same everywhere: a compiler may fuse a multiplication
///        and an addition in it (nvcc --fmad=false forbids that).
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept.
/// @cost  one launch of up to 132 blocks, each element read once.
/// @return as reduce.
/// @source Demmel and Nguyen, "Parallel reproducible summation", 2015, for the problem; the fixed tree is the plain
///         answer.
/// @example examples/library/05_determinism.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t reduce(reproducible_t, In in, std::int64_t n, Out out, Op op, Init init,
                                 const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  return detail::reduce_reproducibly<detail::reproducible_block_size, A>(in, n, out, op, init, how).report();
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t reduce(reproducible_t, In in, std::int64_t n, Out out, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::reduce<A>(reproducible, in, n, out, op, detail::reduce_identity<Op, A>(), how);
}

/// Takes the block size: 128, 256, 512 or 1024. Each gives the same bits.
template <class Op, int BlockSize, class In, class Out, class Init>
[[nodiscard]] cudaError_t reduce(reproducible_t, In in, std::int64_t n, Out out, Op op, Init init,
                                 const options& how = {}) {
  using A = detail::accumulator_for<void, Op, In, Init>;
  return detail::reduce_reproducibly<BlockSize, A>(in, n, out, op, init, how).report();
}

/// Starts from the operator's identity.
template <class Op, int BlockSize, class In, class Out>
[[nodiscard]] cudaError_t reduce(reproducible_t, In in, std::int64_t n, Out out, Op op, const options& how = {}) {
  using A = detail::accumulator_for<void, Op, In>;
  return gpuprim::reduce<Op, BlockSize>(reproducible, in, n, out, op, detail::reduce_identity<Op, A>(), how);
}

/// Returns these bits to the host; see reduce_value. @throws gpuprim::cuda_error.
template <class Acc = void, class In, class Op, class Init>
[[nodiscard]] auto reduce_value(reproducible_t, In in, std::int64_t n, Op op, Init init, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  const std::int64_t bytes = detail::most_reduce_bytes<A>(n < 0 ? 0 : n);
  return detail::reduce_to_host<A>(in, n, how, bytes, [&](auto out, const options& o) {
    return detail::reduce_reproducibly<detail::reproducible_block_size, A>(in, n, out, op, init, o);
  });
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Op>
[[nodiscard]] auto reduce_value(reproducible_t, In in, std::int64_t n, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::reduce_value<A>(reproducible, in, n, op, detail::reduce_identity<Op, A>(), how);
}

}  // namespace gpuprim
