// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// Selects the same bits on every GPU.
struct reproducible_t {};
/// The argument that selects them.
inline constexpr reproducible_t reproducible{};

}  // namespace gpuprim
