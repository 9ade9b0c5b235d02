// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/grid/unordered_reduce.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Blocks that join their values by atomic operations, in whatever order they finish.
struct by_atomics {
  template <class Acc>
  static constexpr std::int64_t bytes(std::int64_t) { return 128; }
  template <class Acc>
  static unordered_reduce_state<Acc> make_state(void* buffer) { return make_unordered_reduce_state<Acc>(buffer); }

  template <class Acc>
  using state = unordered_reduce_state<Acc>;
  using arrival = grid_arrival;

  template <class Acc>
  __device__ __forceinline__ static grid_arrival arrive(const unordered_reduce_state<Acc>& state) {
    return gpuprim::arrive(state);
  }
  template <int BlockSize, class Block, class Acc, class Op, class Finish>
  __device__ __forceinline__ static void join_blocks(const Block& block, const Acc& own, const Op& op,
                                                     const unordered_reduce_state<Acc>& state, const Finish& finish,
                                                     grid_arrival arrival) {
    detail::grid_join_blocks<BlockSize>(block, own, op, state, finish, arrival);
  }
};

}  // namespace gpuprim::detail
