// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// An operator that gpuprim and CUB both get.

namespace bench {

/// The value of larger magnitude, the first of two alike: an operator that no library has a shortcut for.
struct larger_magnitude {
  __host__ __device__ float operator()(float a, float b) const { return (b < 0 ? -b : b) > (a < 0 ? -a : a) ? b : a; }
};

}  // namespace bench
