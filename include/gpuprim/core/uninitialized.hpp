// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>

namespace gpuprim {

/// Count values in registers, none constructed yet: `T` needs no default constructor.
template <class T, int Count>
union uninitialized_array {
  T items[Count];

  GPUPRIM_HOST_DEVICE constexpr uninitialized_array() {}
  GPUPRIM_HOST_DEVICE constexpr T& operator[](int i) { return items[i]; }
  GPUPRIM_HOST_DEVICE constexpr const T& operator[](int i) const { return items[i]; }
};

/// Bytes for Count values in shared memory, where nothing may have a constructor.
template <class T, int Count>
struct shared_array {
  alignas(T) unsigned char bytes[Count * sizeof(T)];

  GPUPRIM_HOST_DEVICE T* data() { return reinterpret_cast<T*>(bytes); }
  GPUPRIM_HOST_DEVICE T& operator[](int i) { return data()[i]; }
};

}  // namespace gpuprim
