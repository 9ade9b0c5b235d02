// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

namespace gpuprim::detail {

#if defined(SIMT_DEVICE)
inline constexpr bool checks_promises = true;
#else
inline constexpr bool checks_promises = false;
#endif

/// Checks a precondition of a function in a kernel that no type can express. On the host SIMT device a violation ends
/// the program with `sentence` and the thread. A GPU does not check it, so that it costs nothing there.
__device__ __forceinline__ void expects([[maybe_unused]] bool holds, [[maybe_unused]] const char* sentence) {
#if defined(SIMT_DEVICE)
  if (!holds) ::simt::broken_promise(sentence);
#endif
}

}  // namespace gpuprim::detail
