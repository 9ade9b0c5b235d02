// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Hands out parts of a memory one after the other, or, if there is none, says how many bytes there are to be.
struct memory_parts {
  char* memory = nullptr;
  std::int64_t used = 0;

  template <class T>
  constexpr void take(T*& to, std::int64_t count) {
    if (memory) to = reinterpret_cast<T*>(memory + used);  // a constant expression makes no pointers of memory
    used += (count * std::int64_t(sizeof(T)) + 255) / 256 * 256;
  }
};

}  // namespace gpuprim::detail
