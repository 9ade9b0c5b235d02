// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code runs: this program holds machine code for several architectures, and PTX, which the driver compiles for
// GPUs that are newer. A feature that not all of them have is asked for of the kernel and not of the device: the
// driver may have picked older code. Without the feature the fallback gives the same result.
// Source: the compilation chapter of NVIDIA's "CUDA C++ Programming Guide".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

// [kernel]
/// The sum over a warp in the first lane: one instruction from sm_80 on, shuffles before that.
__global__ void warp_sum(const unsigned* in, unsigned* out, int* compiled_for) {
#if defined(__CUDA_ARCH__)
  *compiled_for = __CUDA_ARCH__ / 10;
#else  // the host SIMT device is none
  *compiled_for = 0;
#endif
  unsigned x = in[threadIdx.x];
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  x = __reduce_add_sync(0xffffffffu, x);
#else
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_down_sync(0xffffffffu, x, offset);
#endif
  if (threadIdx.x == 0) *out = x;
}
// [kernel]

int main() {
  std::vector<unsigned> values(32);
  unsigned want = 0;
  for (unsigned i = 0; i < 32; ++i) want += values[i] = i * 2654435761u;
  const measure::device_array<unsigned> in(values), out(1);
  const measure::device_array<int> compiled_for(1);
  out.poison();
  measure::check(gpuprim::launch(warp_sum, 1, 32, nullptr, in.data(), out.data(), compiled_for.data()));
  // [ask]
  cudaFuncAttributes code;
  measure::check(cudaFuncGetAttributes(&code, warp_sum));
  const bool one_instruction = code.ptxVersion >= 80;
  // [ask]
  int device = 0, major = 0, minor = 0;
  measure::check(cudaGetDevice(&device));
  measure::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  measure::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  const int capability = 10 * major + minor, version = compiled_for.on_host()[0];
  std::printf("device of compute capability %d, machine code for %d, made from PTX %d: the sum by %s\n", capability,
              code.binaryVersion, code.ptxVersion, one_instruction ? "one instruction" : "shuffles");
  bool right = out.on_host()[0] == want && code.binaryVersion / 10 == capability / 10 && code.ptxVersion <= capability;
  if (measure::on_gpu) right &= version == code.ptxVersion;
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
