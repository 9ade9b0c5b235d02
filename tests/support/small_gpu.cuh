// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// On the host SIMT device a test may ask for a GPU of few multiprocessors: then whole grids stay small.
#if defined(SIMT_DEVICE)
#include <simt/control.hpp>
#endif

namespace test {

/// While it lives, the SIMT device has so many multiprocessors. A GPU stays as it is. Arrays must not outlive
/// it.
class small_gpu {
 public:
#if defined(SIMT_DEVICE)
  explicit small_gpu(int multiprocessors) { simt::set_multiprocessors(multiprocessors); }
  ~small_gpu() { simt::set_multiprocessors(0); }
#else
  explicit small_gpu(int) {}
  ~small_gpu() {}
#endif
  small_gpu(const small_gpu&) = delete;
  small_gpu& operator=(const small_gpu&) = delete;
};

}  // namespace test
