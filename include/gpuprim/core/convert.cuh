// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/half_precision.hpp>

namespace gpuprim::inline v0_2_0::detail {

/// x as a To, by what the device can call. A function for both sides would only warn of a conversion of the host.
template <class To, class From>
__device__ __forceinline__ To convert(From&& x) {
  return static_cast<To>(detail::convertible<To>(static_cast<From&&>(x)));
}

/// Writes x to a place, converted as by an assignment.
template <class Place, class T>
__device__ __forceinline__ void assign(Place&& place, T&& x) {
  place = detail::convertible<Place>(static_cast<T&&>(x));
}

}  // namespace gpuprim::detail
