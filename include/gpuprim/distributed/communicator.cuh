// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A rank of an NCCL communicator, and what NCCL reports in the library's terms.
#include <gpuprim/core/concepts.hpp>
#include <gpuprim/launch/outcome.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdint>
#include <ctime>
#include <type_traits>

static_assert(NCCL_VERSION_CODE >= NCCL_VERSION(2, 18, 0), "gpuprim::distributed needs NCCL 2.18 or newer");

namespace gpuprim::inline v0_2_0::detail {

/// What a call of NCCL came to. Its own words are in its log, which NCCL_DEBUG=WARN turns on.
inline outcome outcome_of(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return {};
    case ncclInvalidArgument:
      return {cudaErrorInvalidValue, "NCCL: an argument is invalid"};
    case ncclInvalidUsage:
      return {cudaErrorInvalidValue, "NCCL: the communicator is used in a way that is not allowed"};
    case ncclUnhandledCudaError:
      return {cudaErrorUnknown, "NCCL: a call of CUDA failed"};
    case ncclSystemError:
      return {cudaErrorUnknown, "NCCL: a call of the system failed"};
    case ncclRemoteError:
      return {cudaErrorUnknown, "NCCL: another rank failed, or its process has ended"};
    case ncclInProgress:
      return {cudaErrorNotReady, "NCCL: a call is still in progress"};
    default:
      return {cudaErrorUnknown, "NCCL: an internal check failed"};
  }
}

/// Whether NCCL has taken a call of a group. A communicator that does not block may say that it is in progress.
inline bool is_on_its_way(ncclResult_t result) { return result == ncclSuccess || result == ncclInProgress; }

/// What a call of one GPU came to.
inline outcome outcome_of(cudaError_t code) { return code == cudaSuccess ? outcome{} : outcome{code, last_fault()}; }

/// Seconds by a clock that only goes on.
inline double read_clock() {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

inline outcome check_seconds(double seconds) {
  return seconds != seconds ? outcome{cudaErrorInvalidValue, "the seconds are not a number"} : outcome{};
}

/// Waits until a communicator that does not block is there, or has enqueued what it was asked for since `begin`; for at
/// most so long.
inline outcome settle(ncclComm_t comm, ncclResult_t result, double begin, double seconds) {
  while (result == ncclInProgress) {
    if (detail::read_clock() - begin > seconds) return {cudaErrorTimeout, "NCCL: a call took too long"};
    if (const outcome bad = detail::outcome_of(ncclCommGetAsyncError(comm, &result)); bad.failed()) return bad;
  }
  return detail::outcome_of(result);
}

/// Where a rank stands in its communicator.
struct rank_place {
  int rank = 0, ranks = 0;
};

inline constexpr outcome other_device = {cudaErrorInvalidDevice, "the current device is not that of the communicator"};

/// Finds it, and refuses a communicator that has failed or is of another device than the current one. NCCL tells
/// nothing of a communicator that is in progress, which it waits for for at most so long.
inline outcome find_place(ncclComm_t comm, rank_place& place, double seconds) {
  if (comm == nullptr) return {cudaErrorInvalidValue, "the communicator is null"};
  if (const outcome bad = detail::check_seconds(seconds); bad.failed()) return bad;
  ncclResult_t state = ncclSuccess;
  if (const outcome bad = detail::outcome_of(ncclCommGetAsyncError(comm, &state)); bad.failed()) return bad;
  if (const outcome bad = detail::settle(comm, state, detail::read_clock(), seconds); bad.failed()) return bad;
  int device = 0, current = 0;
  if (const outcome bad = detail::outcome_of(ncclCommCuDevice(comm, &device)); bad.failed()) return bad;
  if (cudaError_t e = cudaGetDevice(&current)) return {e};
  if (device != current) return other_device;
  if (const outcome bad = detail::outcome_of(ncclCommCount(comm, &place.ranks)); bad.failed()) return bad;
  return detail::outcome_of(ncclCommUserRank(comm, &place.rank));
}

/// NCCL's name of a type, where it has one.
template <class T>
struct nccl_type {
  static constexpr bool is_known = false;
};
template <ncclDataType_t Type>
struct known_nccl_type {
  static constexpr bool is_known = true;
  static constexpr ncclDataType_t value = Type;
};
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) != 2 && sizeof(T) <= 8)
struct nccl_type<T> : known_nccl_type<sizeof(T) == 1   ? (std::is_signed_v<T> ? ncclInt8 : ncclUint8)
                                      : sizeof(T) == 4 ? (std::is_signed_v<T> ? ncclInt32 : ncclUint32)
                                                       : (std::is_signed_v<T> ? ncclInt64 : ncclUint64)> {};
template <>
struct nccl_type<float> : known_nccl_type<ncclFloat32> {};
template <>
struct nccl_type<double> : known_nccl_type<ncclFloat64> {};
template <>
struct nccl_type<__half> : known_nccl_type<ncclFloat16> {};
template <>
struct nccl_type<__nv_bfloat16> : known_nccl_type<ncclBfloat16> {};

}  // namespace gpuprim::detail
