// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/error.hpp>

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace gpuprim::inline v0_2_0 {

namespace detail {

inline const char*& kept_fault() {
  static thread_local const char* fault = "no call has failed";
  return fault;
}

/// What a call came to: CUDA's code, and in words where the library found the fault.
struct outcome {
  cudaError_t code = cudaSuccess;
  const char* fault = "CUDA reported an error";

  constexpr bool failed() const { return code != cudaSuccess; }
  /// The code, for a call that returns nothing more; `last_fault` has the words.
  [[nodiscard]] cudaError_t report() const {
    if (failed()) kept_fault() = fault;
    return code;
  }
};

/// Throws if a call has failed. In a program without exceptions, the sentence goes to stderr and the program ends.
inline void throw_if_failed(const char* call, outcome o) {
  if (!o.failed()) return;
  const cuda_error error(o.code, call, o.fault, cudaGetErrorString(o.code));
#if defined(__cpp_exceptions)
  throw error;
#else
  std::fprintf(stderr, "%s\n", error.what());
  std::abort();
#endif
}

}  // namespace detail

/// In words, why an asynchronous call of the library last failed in this thread: what the calls that return a value say
/// in their exceptions. Later calls that succeed leave it as it is.
inline const char* last_fault() { return detail::kept_fault(); }

}  // namespace gpuprim
