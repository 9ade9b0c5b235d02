// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Zeroed device memory that one call's kernels share, and leave zeroed.
///
///   workspace_lease lease(bytes, how);
///   if (lease.error()) return lease.refusal();
///   return lease.finish(launch(..., lease.data()));
class workspace_lease : public memory_lease {
 public:
  workspace_lease(std::int64_t bytes, const options& how) : memory_lease(how.stream) {
    if (bytes == 0) return;
    if (!how.workspace) {
      take_of_pool(bytes, fresh_memory::zeroed);
      return;
    }
    take(bytes, {how.workspace->data(), how.workspace->bytes()});
  }
};

}  // namespace gpuprim::detail
