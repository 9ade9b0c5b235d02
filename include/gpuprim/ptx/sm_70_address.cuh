// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::ptx {

/// The address `by` elements behind one in global memory, or before it. Unlike `p + by`, it may lie outside of the
/// array.
template <class T>
__device__ __forceinline__ T* move_global(T* p, std::int64_t by) {
  const std::int64_t bytes = by * std::int64_t(sizeof(T));
#if defined(SIMT_DEVICE)
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(p) + std::uintptr_t(bytes));
#else
  return static_cast<T*>(__cvta_global_to_generic(__cvta_generic_to_global(p) + std::size_t(bytes)));
#endif
}

}  // namespace gpuprim::ptx
