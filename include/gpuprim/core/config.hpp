// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if __cplusplus < 202002L
#error "gpuprim needs C++20: pass -std=c++20 (CMake: link the target gpuprim::gpuprim)."
#endif

#if defined(__CUDACC__) && defined(__CUDACC_VER_MAJOR__) && \
    (__CUDACC_VER_MAJOR__ < 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 4))
#error "gpuprim needs the CUDA toolkit 12.4 or newer."
#endif

/// Functions that run on both sides. Plain g++ and the host SIMT device need no marking.
#if defined(__CUDACC__)
#define GPUPRIM_HOST_DEVICE __host__ __device__
#else
#define GPUPRIM_HOST_DEVICE
#endif

/// Between the two, nvcc refuses functions for both sides that call a function of the host alone. Elsewhere it only
/// warns of them, and drops the call from device code.
#if defined(__NVCC__) || defined(__CUDACC_RTC__)
#define GPUPRIM_REFUSE_HOST_CALLS                                                             \
  _Pragma("nv_diagnostic push") _Pragma("nv_diag_error 20011") _Pragma("nv_diag_error 20013") \
      _Pragma("nv_diag_error 20014") _Pragma("nv_diag_error 20015")
/// Ends what GPUPRIM_REFUSE_HOST_CALLS begins.
#define GPUPRIM_END_REFUSE_HOST_CALLS _Pragma("nv_diagnostic pop")
#elif defined(__clang__) && defined(__CUDA__)
/// Clang asks whether a function object can be called as the host would: functions of the device alone are for both
/// sides there, and a call of the host is refused where the device calls it.
#define GPUPRIM_REFUSE_HOST_CALLS _Pragma("clang force_cuda_host_device begin")
/// Ends what GPUPRIM_REFUSE_HOST_CALLS begins.
#define GPUPRIM_END_REFUSE_HOST_CALLS _Pragma("clang force_cuda_host_device end")
#else
#define GPUPRIM_REFUSE_HOST_CALLS
/// Ends what GPUPRIM_REFUSE_HOST_CALLS begins.
#define GPUPRIM_END_REFUSE_HOST_CALLS
#endif

/// Before a constexpr function for both sides that a kernel may give a function of the device alone. The host's pass
/// does not know which side will call it.
#if defined(__NVCC__) && !defined(__CUDA_ARCH__)
#define GPUPRIM_ALLOW_DEVICE_CALLS _Pragma("nv_exec_check_disable")
#else
#define GPUPRIM_ALLOW_DEVICE_CALLS
#endif

namespace gpuprim::inline v0_2_0 {

/// Lanes in a warp, on every GPU so far.
inline constexpr int warp_size = 32;

/// Threads in the largest block that any GPU launches.
inline constexpr int max_block_size = 1024;

namespace detail {

/// The address of an object whose type may have a `&` of its own: std::addressof, without its header.
template <class T>
GPUPRIM_HOST_DEVICE constexpr T* pointer_to(T& object) {
  return __builtin_addressof(object);
}

template <class... More>
GPUPRIM_HOST_DEVICE constexpr int larger(int a, int b, More... more) {
  const int most = a < b ? b : a;
  if constexpr (sizeof...(More) == 0) return most;
  else return larger(most, more...);
}

}  // namespace detail

}  // namespace gpuprim
