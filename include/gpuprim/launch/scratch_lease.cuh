// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Device memory for what one call's kernels keep between each other, which holds anything before and after: the
/// scratch memory of the caller's workspace, or memory of the library's pool. It is used as a workspace_lease is.
class scratch_lease : public memory_lease {
 public:
  scratch_lease(std::int64_t bytes, const options& how) : memory_lease(how.stream) {
    if (bytes == 0) return;
    if (!how.workspace) {
      take_of_pool(bytes, fresh_memory::uninitialized);
      return;
    }
    take(bytes, {how.workspace->scratch(), how.workspace->scratch_bytes()});
  }
};

}  // namespace gpuprim::detail
