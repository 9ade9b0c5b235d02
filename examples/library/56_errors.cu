// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call does with an argument that it cannot take: it returns a code and keeps a sentence, or throws both.
#include <gpuprim/reduce.cuh>

#include "../measure.hpp"

int main() {
  const measure::device_array<int> array(std::vector<int>(1000, 3)), result(std::vector<int>{-7});
  const int *in = array.data(), *nothing = nullptr;
  int *out = result.data(), thrown = cudaSuccess;

  // [code]
  // An asynchronous call returns a code. It checks its arguments before it launches anything, and prints nothing.
  const cudaError_t e = gpuprim::reduce(in, -1, out, gpuprim::plus{});
  if (e != cudaSuccess) std::printf("%s: %s\n", cudaGetErrorName(e), gpuprim::last_fault());
  // [code]
  // [exception]
  // A call that returns its result to the host throws instead.
  try {
    std::printf("the sum is %d\n", gpuprim::reduce_value(nothing, 1000, gpuprim::plus{}));
  } catch (const gpuprim::cuda_error& error) {
    std::printf("%s\n", error.what());  // the call, the fault, and CUDA's name for it
    thrown = error.code();
  }
  // [exception]

  const bool out_is_as_it_was = result.on_host()[0] == -7;
  const bool refused = e == cudaErrorInvalidValue && thrown == cudaErrorInvalidValue;
  const bool nothing_is_left = cudaPeekAtLastError() == cudaSuccess;  // in CUDA's own error state
  const bool goes_on = gpuprim::reduce_value(in, 1000, gpuprim::plus{}) == 3000;
  const bool right = out_is_as_it_was && refused && nothing_is_left && goes_on;
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
