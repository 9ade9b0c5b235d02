// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0::detail {

/// Shared memory, in bytes, that a block may have on every GPU. What a kernel has besides its tiles comes off it.
inline constexpr int shared_bytes_of_every_gpu = 64 * 1024;

}  // namespace gpuprim::detail
