// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What main.cu knows of the libraries. Each is compiled in a file of its own, which enters its passes here while the
// program starts, so that two versions of CUB can be in one program.
#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Even bins of floats from 0 to 1, of non-negative ints, of all 16-bit integers or bytes; bins between levels; three
/// of four channels.
enum class kind { f32, i32, u16, u8, i8, ranges, rgba };

struct histogram_pass {
  const void* in;
  std::int64_t n;  ///< samples; of rgba, all four channels
  int bins;
  const float* levels;  ///< of `ranges`
  unsigned* counts;     ///< bins of them, or three times as many

  template <class T>
  const T* samples() const {
    return static_cast<const T*>(in);
  }
};

struct contender {
  std::string library;
  cudaError_t (*run)(kind, const histogram_pass&, cudaStream_t);
};

/// In a function, so that it exists before the first file enters something.
inline std::vector<contender>& contenders() {
  static std::vector<contender> all;
  return all;
}

}  // namespace bench
