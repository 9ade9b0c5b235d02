// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/scratch_lease.cuh>
#include <gpuprim/launch/workspace_lease.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go(zeroed, scratch)` with the memory that a call takes, and gives it back.
template <class Go>
outcome with_leased_memory(const workspace_size& size, const options& how, const Go& go) {
  workspace_lease zeroed(size.zeroed_bytes, how);
  if (zeroed.error()) return zeroed.refusal();
  scratch_lease scratch(size.scratch_bytes, how);
  if (scratch.error()) {
    (void)zeroed.finish(cudaSuccess);
    return scratch.refusal();
  }
  const outcome done = go(zeroed.data(), static_cast<char*>(scratch.data()));
  const outcome freed = scratch.finish(done.code), also_freed = zeroed.finish(freed.code);
  return done.failed() ? done : also_freed;
}

}  // namespace gpuprim::detail
