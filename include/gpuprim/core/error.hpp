// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cstdio>
#include <exception>

namespace gpuprim::inline v0_2_0 {

/// Thrown by the calls that return a value to the host; in a program that is compiled without exceptions they print the
/// sentence and abort instead. `what()` is a sentence: the call, the fault, CUDA's name for it. The code is kept as an
/// int so that this header needs no CUDA; compare it with a `cudaError_t`.
class cuda_error : public std::exception {
 public:
  /// `code` is the `cudaError_t` whose name is `cuda_name`; `call` and `fault` are words of the sentence.
  cuda_error(int code, const char* call, const char* fault, const char* cuda_name) noexcept : code_(code) {
    std::snprintf(text_, sizeof text_, "%s: %s (%s)", call, fault, cuda_name);
  }
  /// The sentence.
  const char* what() const noexcept override { return text_; }
  /// The error code of CUDA.
  int code() const noexcept { return code_; }

 private:
  int code_;
  char text_[256];
};

}  // namespace gpuprim
