// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of cooperative groups' collectives, under their names there: less is the minimum, greater the
// maximum.
#pragma once

#include <utility>

namespace cooperative_groups {

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};

template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};

template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};

template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};

template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace cooperative_groups
