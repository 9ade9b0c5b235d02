// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics on the four unsigned bytes of a word. Each stands for itself: no byte carries into the next.
#pragma once

namespace simt::detail {

template <class Operation>
unsigned for_each_byte(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
  for (int bit = 0; bit < 32; bit += 8) result |= (operation(a >> bit & 255, b >> bit & 255) & 255) << bit;
  return result;
}

}  // namespace simt::detail

#define SIMT_ON_BYTES(name, result)                                                          \
  inline unsigned name(unsigned x, unsigned y) {                                             \
    return simt::detail::for_each_byte(x, y, [](unsigned a, unsigned b) { return result; }); \
  }
SIMT_ON_BYTES(__vadd4, a + b)
SIMT_ON_BYTES(__vsub4, a - b)
SIMT_ON_BYTES(__vaddus4, a + b > 255 ? 255 : a + b)
SIMT_ON_BYTES(__vsubus4, a < b ? 0 : a - b)
SIMT_ON_BYTES(__vavgu4, (a + b + 1) / 2)
SIMT_ON_BYTES(__vhaddu4, (a + b) / 2)
SIMT_ON_BYTES(__vmaxu4, a < b ? b : a)
SIMT_ON_BYTES(__vminu4, b < a ? b : a)
SIMT_ON_BYTES(__vabsdiffu4, a < b ? b - a : a - b)
SIMT_ON_BYTES(__vcmpeq4, a == b ? 255u : 0u)
SIMT_ON_BYTES(__vcmpgtu4, a > b ? 255u : 0u)
#undef SIMT_ON_BYTES
