// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the blocks of a reduce meet.
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/grid/unordered_reduce.cuh>
#include <gpuprim/launch/found_shape.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// Blocks that meet in order, through mailboxes.
struct by_mail {
  template <class Acc>
  static constexpr std::int64_t bytes(std::int64_t blocks) { return grid_reduce_bytes<Acc>(blocks); }
  /// Enough for n elements, on any GPU and policy.
  template <class Acc>
  static constexpr std::int64_t most_bytes(std::int64_t n) { return bytes<Acc>(n < max_grid_blocks ? n : max_grid_blocks); }
  template <class Acc>
  static grid_reduce_state<Acc> state(void* buffer) { return make_grid_reduce_state<Acc>(buffer); }
};

/// Blocks that join their values by atomic operations, in whatever order they finish.
struct by_atomics {
  template <class Acc>
  static constexpr std::int64_t bytes(std::int64_t) { return 128; }
  template <class Acc>
  static unordered_reduce_state<Acc> state(void* buffer) { return make_unordered_reduce_state<Acc>(buffer); }
};

}  // namespace gpuprim::detail
