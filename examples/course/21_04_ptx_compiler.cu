// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX compiled by nvPTXCompiler, a static library of the toolkit, and not by the driver: the program does not depend on
// what PTX the driver knows, only on machine code that the GPU runs. The driver's cache does not know the result, so
// the program would keep it itself. Compiling needs no GPU, loading does.
// A package of its own, linked by nvcc -std=c++20 -arch=native 21_04_ptx_compiler.cu -lnvptxcompiler_static
// GPU only: the SIMT device runs no machine code of a GPU.
// Source: NVIDIA's "PTX Compiler APIs".
#include "driver_function.hpp"

#include <nvPTXCompiler.h>

#include <string>

using namespace course;

constexpr const char* ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 data) {
  .reg .u32 %t, %x;
  .reg .u64 %p, %o;
  ld.param.u64 %p, [data];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.u64 %p, %p, %o;
  ld.global.u32 %x, [%p];
  add.u32 %x, %x, %x;
  st.global.u32 [%p], %x;
  ret;
}
)";

void check(nvPTXCompileResult result) {
  if (result == NVPTXCOMPILE_SUCCESS) return;
  std::fprintf(stderr, "nvPTXCompiler: error %d\n", int(result));
  std::exit(1);
}

void check(CUresult result) { check(static_cast<cudaError_t>(result)); }  // the numbers are the same

// [compile]
std::vector<char> compile(const std::string& source, int capability) {
  nvPTXCompilerHandle compiler = nullptr;
  check(nvPTXCompilerCreate(&compiler, source.size(), source.c_str()));
  const std::string architecture = "--gpu-name=sm_" + std::to_string(capability);
  const char* options[] = {architecture.c_str()};
  const nvPTXCompileResult result = nvPTXCompilerCompile(compiler, 1, options);
  if (result != NVPTXCOMPILE_SUCCESS) {
    std::size_t size = 0;
    check(nvPTXCompilerGetErrorLogSize(compiler, &size));
    std::string log(size, ' ');
    check(nvPTXCompilerGetErrorLog(compiler, log.data()));
    std::fprintf(stderr, "%s\n", log.c_str());
  }
  check(result);
  std::size_t size = 0;
  check(nvPTXCompilerGetCompiledProgramSize(compiler, &size));
  std::vector<char> code(size);
  check(nvPTXCompilerGetCompiledProgram(compiler, code.data()));
  check(nvPTXCompilerDestroy(&compiler));
  return code;
}
// [compile]

int main() {
  constexpr int n = 64;
  std::vector<unsigned> values;
  for (unsigned i = 0; i < n; ++i) values.push_back(3 * i + 1);
  const device_array<unsigned> data(values);  // makes the primary context, in which the module is loaded
  const int major = attribute(cudaDevAttrComputeCapabilityMajor), minor = attribute(cudaDevAttrComputeCapabilityMinor);
  const double begin = host_us();
  const std::vector<char> code = compile(ptx, 10 * major + minor);
  std::printf("%d bytes of machine code for sm_%d%d in %s\n", int(code.size()), major, minor,
              figure(host_us() - begin, "us").c_str());
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  check(driver_function<decltype(cuModuleLoadData)>("cuModuleLoadData")(&module, code.data()));
  check(driver_function<decltype(cuModuleGetFunction)>("cuModuleGetFunction")(&kernel, module, "twice"));
  unsigned* argument = data.data();
  void* parameters[] = {&argument};
  const auto launch = driver_function<decltype(cuLaunchKernel)>("cuLaunchKernel");
  check(launch(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  check(cudaDeviceSynchronize());
  for (unsigned& x : values) x *= 2;
  const bool right = data.on_host() == values;
  check(driver_function<decltype(cuModuleUnload)>("cuModuleUnload")(module));
  return verdict(right);
}
