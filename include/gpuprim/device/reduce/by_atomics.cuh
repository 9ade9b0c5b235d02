// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/grid/unordered_reduce.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// Blocks that join their values by atomic operations, in whatever order they finish.
struct by_atomics {
  template <class Acc>
  static constexpr std::int64_t bytes(std::int64_t) { return 128; }
  template <class Acc>
  static unordered_reduce_state<Acc> state(void* buffer) { return make_unordered_reduce_state<Acc>(buffer); }
};

}  // namespace gpuprim::detail
