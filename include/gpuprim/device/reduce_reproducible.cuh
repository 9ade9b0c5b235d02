// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce/reproducible_kernel.cuh>
#include <gpuprim/device/reduce.cuh>

namespace gpuprim {

/// Asks for the same bits on every GPU, with every policy and alignment.
struct reproducible_t {};
inline constexpr reproducible_t reproducible{};

namespace detail {

/// The shape that reads fastest: 132 blocks of 1024 threads evaluate a full set of leaves.
inline constexpr int reproducible_block_size = 1024;

/// Everything of a call that depends on the block size. `most_blocks` bounds the grid: for tests.
template <int BlockSize, class Acc, class In, class Out, class Op>
struct reproducible_launch : private reduce_types<input_value<In>, Acc, Out, Op> {
  static_assert(BlockSize >= 128 && BlockSize <= max_block_size && (BlockSize & (BlockSize - 1)) == 0,
                "gpuprim::reduce: reproducible needs a BlockSize of 128, 256, 512 or 1024");

  static constexpr auto kernel = &reproducible_kernel<BlockSize, Acc, In, Out, Op>;

  static outcome run(In in, std::int64_t n, Out out, Op op, Acc init, const options& how, int most_blocks) {
    const auto input = reproducible_input<In>::template make<is_commutative<Op, Acc>>(in, n);
    constexpr int warps = BlockSize / warp_size;
    const int groups = (input.leaves + warps - 1) / warps;
    const found_shape found = find_shape<kernel>(groups < most_blocks ? groups : most_blocks, BlockSize);
    if (found.error != cudaSuccess) return {found.error};
    auto launch_with = [&](void* buffer) {
      return launch(found.when, kernel, found.grid, how.stream, input, out, op, init,
                    buffer ? make_grid_reduce_state<Acc>(buffer) : grid_reduce_state<Acc>{});
    };
    if (groups <= 1) return {launch_with(nullptr)};
    workspace_lease lease(grid_reduce_bytes<Acc>(groups), how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(lease.data()));
  }
};

/// A pointer that is aligned for wide loads stays one.
template <int BlockSize, class Acc, class In, class Out, class Op>
outcome reduce_reproducibly(In in, std::int64_t n, Out out, Op op, Acc init, const options& how,
                            int most_blocks = reproducible_leaves) {
  return detail::with_raw_input(in, [&]<class Raw>(Raw raw) -> outcome {
    const outcome bad = detail::check_arguments(raw, n, out);
    if (bad.code != cudaSuccess) return bad;
    auto result = detail::unwrap_contiguous(out);
    auto run = [&]<class Input>(Input input) {
      using launch_type = reproducible_launch<BlockSize, Acc, Input, decltype(result), Op>;
      return launch_type::run(input, n, result, op, init, how, most_blocks);
    };
    if constexpr (std::is_pointer_v<Raw> && elements_per_load<input_value<Raw>> > 1) {
      if (reinterpret_cast<std::uintptr_t>(raw) % load_bytes != 0) return run(shifted_array<input_value<Raw>>{raw});
    }
    return run(raw);
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
/// @example examples/05_determinism.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t reduce(reproducible_t, In in, std::int64_t n, Out out, Op op, Init init,
                                 const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  return detail::with_initial_value<A>(init, [&](const A& first) {
    return detail::reduce_reproducibly<detail::reproducible_block_size, A>(in, n, out, op, first, how);
  }).code;
}

/// The same from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t reduce(reproducible_t, In in, std::int64_t n, Out out, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::reduce<A>(reproducible, in, n, out, op, detail::reduce_identity<Op, A>(), how);
}

/// The same with the block size spelled out: 128, 256, 512 or 1024. It gives the same bits.
template <class Op, int BlockSize, class In, class Out, class Init>
[[nodiscard]] cudaError_t reduce(reproducible_t, In in, std::int64_t n, Out out, Op op, Init init,
                                 const options& how = {}) {
  using A = detail::accumulator_for<void, Op, In, Init>;
  return detail::with_initial_value<A>(init, [&](const A& first) {
    return detail::reduce_reproducibly<BlockSize, A>(in, n, out, op, first, how);
  }).code;
}

/// The same bits returned to the host; see reduce_value. @throws gpuprim::cuda_error.
template <class Acc = void, class In, class Op, class Init>
[[nodiscard]] auto reduce_value(reproducible_t, In in, std::int64_t n, Op op, Init init, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  const std::int64_t bytes = reduce_workspace_bytes<A>(n < 0 ? 0 : n);
  return detail::reduce_to_host<A>(in, n, how, bytes, [&](auto out, const options& o) {
    return detail::with_initial_value<A>(init, [&](const A& first) {
      return detail::reduce_reproducibly<detail::reproducible_block_size, A>(in, n, out, op, first, o);
    });
  });
}

template <class Acc = void, class In, class Op>
[[nodiscard]] auto reduce_value(reproducible_t, In in, std::int64_t n, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::reduce_value<A>(reproducible, in, n, op, detail::reduce_identity<Op, A>(), how);
}

}  // namespace gpuprim
