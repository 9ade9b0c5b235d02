// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/uninitialized.hpp>

#include <cuda_runtime.h>

namespace gpuprim {

/// Reduces values in registers by a balanced tree, so that independent operations overlap.
///
/// @pre   Count >= 1.
/// @sync  none.
/// @order kept: a left operand holds earlier values. The same tree for every call.
/// @cost  Count - 1 operations, depth log2(Count); the loops unroll and the array stays in registers.
/// @return op(values[0], ..., values[Count - 1]).
/// @source Blelloch, "Prefix sums and their applications", 1990.
/// @example examples/01_levels.cu
template <int Count, class Op, class T>
GPUPRIM_HOST_DEVICE constexpr T thread_reduce(uninitialized_array<T, Count> values, const Op& op) {
  static_assert(Count >= 1, "gpuprim::thread_reduce: there must be at least one value");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::thread_reduce: the operator's const operator() must take two values of the type and return "
                "one");
  for (int stride = 1; stride < Count; stride *= 2) {
    for (int i = 0; i < Count; i += 2 * stride) {
      if (i + stride < Count) values[i] = op(values[i], values[i + stride]);
    }
  }
  return values[0];
}

/// Reduces the values of a built-in array.
template <class T, int Count, class Op>
GPUPRIM_HOST_DEVICE constexpr T thread_reduce(const T (&values)[Count], const Op& op) {
  uninitialized_array<T, Count> copy;
  for (int i = 0; i < Count; ++i) copy[i] = values[i];
  return gpuprim::thread_reduce(copy, op);
}

}  // namespace gpuprim
