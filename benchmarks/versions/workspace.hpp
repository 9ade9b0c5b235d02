// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/workspace.cuh>

namespace bench {

/// Memory that is enough for every call, reserved by main before the first.
gpuprim::workspace& shared_workspace();

inline gpuprim::options how(cudaStream_t stream) { return {.stream = stream, .workspace = &shared_workspace()}; }

}  // namespace bench
