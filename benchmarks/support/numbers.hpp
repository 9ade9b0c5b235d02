// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

namespace bench {

/// So many numbers, added one by one: an element as long as one likes, aligned as one of them is.
template <class T, int Count>
struct numbers {
  T x[Count];
};

struct add_numbers {
  template <class T, int Count>
  __host__ __device__ numbers<T, Count> operator()(numbers<T, Count> a, const numbers<T, Count>& b) const {
    for (int i = 0; i < Count; ++i) a.x[i] += b.x[i];
    return a;
  }
};

}  // namespace bench
