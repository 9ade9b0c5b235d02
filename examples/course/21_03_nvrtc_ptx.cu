// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel from text: NVRTC compiles it to PTX while the program runs, and the driver makes machine code of that for
// the GPU at hand. The driver keeps the code in its cache on disk (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE=1), so the
// second start is faster. What the host knows only now, a polynomial here, becomes constants of the code.
// Link it to NVRTC: -lnvrtc.
// GPU only: the SIMT device has no compiler.
// Source: NVIDIA's NVRTC documentation; "Just-in-Time Compilation" in its "CUDA C++ Programming Guide".
#include "driver_function.hpp"

#include <nvrtc.h>

#include <string>

using namespace course;

void check(nvrtcResult result) {
  if (result == NVRTC_SUCCESS) return;
  std::fprintf(stderr, "%s\n", nvrtcGetErrorString(result));
  std::exit(1);
}

void check(CUresult result) { check(static_cast<cudaError_t>(result)); }  // the numbers are the same

// [compile]
std::string compile_to_ptx(const std::string& source, int capability) {
  nvrtcProgram program = nullptr;
  check(nvrtcCreateProgram(&program, source.c_str(), "polynomial.cu", 0, nullptr, nullptr));
  const std::string architecture = "-arch=compute_" + std::to_string(capability);
  const char* options[] = {architecture.c_str()};
  const nvrtcResult result = nvrtcCompileProgram(program, 1, options);
  std::size_t size = 0;
  check(nvrtcGetProgramLogSize(program, &size));
  std::string log(size, ' ');
  check(nvrtcGetProgramLog(program, log.data()));
  if (result != NVRTC_SUCCESS) std::fprintf(stderr, "%s\n", log.c_str());
  check(result);
  check(nvrtcGetPTXSize(program, &size));
  std::string ptx(size, ' ');
  check(nvrtcGetPTX(program, ptx.data()));
  check(nvrtcDestroyProgram(&program));
  return ptx;
}
// [compile]

int main() {
  const std::vector<int> coefficients = {3, -2, 0, 5};
  std::string value = "0";
  for (int c : coefficients) value = "(" + value + ") * x + " + std::to_string(c);
  const std::string source =
      "extern \"C\" __global__ void evaluate(int* data) {\n"
      "  const int x = data[threadIdx.x];\n"
      "  data[threadIdx.x] = " +
      value + ";\n}\n";
  constexpr int n = 64;
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(i - 20);
  const device_array<int> data(values);  // makes the primary context, in which the module is loaded
  const int major = attribute(cudaDevAttrComputeCapabilityMajor), minor = attribute(cudaDevAttrComputeCapabilityMinor);
  const double begin = host_us();
  const std::string ptx = compile_to_ptx(source, 10 * major + minor);
  const double compiled = host_us();
  // [load]
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  check(driver_function<decltype(cuModuleLoadData)>("cuModuleLoadData")(&module, ptx.c_str()));
  check(driver_function<decltype(cuModuleGetFunction)>("cuModuleGetFunction")(&kernel, module, "evaluate"));
  int* argument = data.data();
  void* parameters[] = {&argument};
  const auto launch = driver_function<decltype(cuLaunchKernel)>("cuLaunchKernel");
  check(launch(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  // [load]
  check(cudaDeviceSynchronize());
  std::printf("%sto PTX in %s, to machine code and run in %s\n", source.c_str(), figure(compiled - begin, "us").c_str(),
              figure(host_us() - compiled, "us").c_str());
  const std::vector<int> got = data.on_host();
  bool right = true;
  for (int i = 0; i < n; ++i) {
    int want = 0;
    for (int c : coefficients) want = want * values[i] + c;
    right &= got[i] == want;
  }
  check(driver_function<decltype(cuModuleUnload)>("cuModuleUnload")(module));
  return verdict(right);
}
