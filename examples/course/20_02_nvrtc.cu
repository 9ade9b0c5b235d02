// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that is compiled while the program runs (NVRTC), with gpuprim's headers in it. NVRTC has no standard
// library: the folder gpuprim/nvrtc has the few standard headers that gpuprim includes, made from cuda::std of the
// toolkit. The option -default-device lets it pass over functions of the host.
//   20_02_nvrtc [FOLDER TO INCLUDE FROM ...]   gpuprim's, its folder nvrtc and the toolkit's, if not those of the build
// It needs a toolkit of 12.8 or newer (cudaLibraryLoadData), and to be linked to CUDA::nvrtc (-lnvrtc). The build
// defines GPUPRIM_INCLUDE and CUDA_INCLUDE, the folders with the headers of gpuprim and of the toolkit, as strings.
// Source: NVIDIA's NVRTC documentation.
// GPU only: the host SIMT device has no compiler.
#include "../measure.hpp"

#include <nvrtc.h>

#include <string>

// [source]
constexpr const char* kernel_source = R"(
#include <gpuprim/block/block_reduce.cuh>
#include <cooperative_groups.h>
extern "C" __global__ void sum(const int* in, int n, int* out) {
  auto block = cooperative_groups::this_thread_block();
  int mine = 0;
  for (int i = int(threadIdx.x); i < n; i += THREADS) mine += in[i];
  mine = gpuprim::block_reduce<THREADS>(block, mine, gpuprim::plus{});
  if (threadIdx.x == 0) *out = mine;
}
)";
// [source]

void check(nvrtcResult r, nvrtcProgram program) {
  if (r == NVRTC_SUCCESS) return;
  std::size_t size = 0;
  std::string log;
  if (nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS) log.resize(size);
  (void)nvrtcGetProgramLog(program, log.data());
  std::fprintf(stderr, "20_02_nvrtc: %s\n%s\n", nvrtcGetErrorString(r), log.c_str());
  std::exit(1);
}

/// Machine code for the GPU at hand, with a block size that is chosen now.
std::vector<char> compile(int threads, const std::vector<std::string>& folders) {
  int device = 0, major = 0, minor = 0;
  measure::check(cudaGetDevice(&device));
  measure::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  measure::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  std::vector<std::string> options = {"-std=c++20", "-default-device", "-arch=sm_" + std::to_string(10 * major + minor),
                                      "-DTHREADS=" + std::to_string(threads)};
  for (const std::string& folder : folders) options.push_back("-I" + folder);
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());
  nvrtcProgram program = nullptr;
  check(nvrtcCreateProgram(&program, kernel_source, "sum.cu", 0, nullptr, nullptr), program);
  check(nvrtcCompileProgram(program, int(arguments.size()), arguments.data()), program);
  std::size_t size = 0;
  check(nvrtcGetCUBINSize(program, &size), program);
  std::vector<char> code(size);
  check(nvrtcGetCUBIN(program, code.data()), program);
  check(nvrtcDestroyProgram(&program), program);
  return code;
}

int main(int count, char** arguments) {
  std::vector<std::string> folders(arguments + 1, arguments + count);
  if (folders.empty()) {
    folders = {GPUPRIM_INCLUDE, GPUPRIM_INCLUDE "/gpuprim/nvrtc", CUDA_INCLUDE, CUDA_INCLUDE "/cccl"};
  }
  int n = 10007, want = 0;
  std::vector<int> values;
  for (int i = 0; i < n; ++i) want += values.emplace_back(i % 1013);
  const measure::device_array<int> in(values), out(1);
  bool right = true;
  for (int threads : {64, 256}) {
    const std::vector<char> code = compile(threads, folders);
    // [launch]
    cudaLibrary_t library = nullptr;
    cudaKernel_t kernel = nullptr;
    measure::check(cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    measure::check(cudaLibraryGetKernel(&kernel, library, "sum"));
    const int *from = in.data(), *to = out.data();
    void* parameters[] = {&from, &n, &to};
    out.poison();
    measure::check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, threads, parameters, 0, nullptr));
    // [launch]
    const int got = out.on_host()[0];
    std::printf("%d threads: %d, want %d\n", threads, got, want);
    right &= got == want;
    measure::check(cudaLibraryUnload(library));
  }
  return right ? 0 : 1;
}
