// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two contexts of one device stand for two devices: to the library both are contexts with numbers of their own.
#include "../support/device.cuh"

#include <gpuprim/reduce.cuh>

#include <cuda.h>
#include <dlfcn.h>

#include <thread>

namespace {

constexpr int n = 1 << 19;

/// Calls a function of the driver, by the name of one version of it. The tests do not link the driver.
template <class... Arguments>
void call_driver(const char* name, Arguments... arguments) {
  void* found = dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
  REQUIRE(found);
  REQUIRE(reinterpret_cast<CUresult (*)(Arguments...)>(found)(arguments...) == CUDA_SUCCESS);
}

/// Makes a second context and sums in both by turns, last in the second. `kept`: the memory that results come to.
void call_in_turns(CUcontext (&contexts)[2], void* (&kept)[2]) {
  CUDA_OK(cudaFree(nullptr));
  call_driver("cuCtxGetCurrent", &contexts[0]);
  call_driver("cuCtxCreate_v2", &contexts[1], 0u, CUdevice{0});
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i) {
      call_driver("cuCtxSetCurrent", contexts[i]);
      test::device_array<int> in(std::vector<int>(n, 1));
      CHECK(gpuprim::reduce_value(in.data(), n, gpuprim::plus{}) == n);
      gpuprim::detail::host_result* found = nullptr;
      CUDA_OK(gpuprim::detail::host_result::find(1, 1, found));
      if (round == 0) kept[i] = found->memory();
      CHECK(found->memory() == kept[i]);
    }
  }
  CHECK(kept[0] != kept[1]);
}

void check_freed(void* memory) {
  CHECK(cudaFreeHost(memory) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

}  // namespace

TEST_CASE("a thread that takes turns between contexts keeps memory in each until it ends", "[launch][gpu]") {
  CUcontext contexts[2] = {};
  void* kept[2] = {};
  std::thread([&] { call_in_turns(contexts, kept); }).join();
  CUDA_OK(cudaFree(nullptr));
  check_freed(kept[0]);
  check_freed(kept[1]);
  call_driver("cuCtxDestroy_v2", contexts[1]);
}

TEST_CASE("what others have got since a context ended is not freed with what lay there", "[launch][gpu]") {
  constexpr std::size_t bytes = 40 << 20;  // of which the system's allocator gives the same address again
  void *kept[2] = {}, *large = nullptr, *other = nullptr;
  std::thread([&] {
    CUcontext contexts[2] = {};
    call_in_turns(contexts, kept);
    gpuprim::detail::host_result* found = nullptr;
    CUDA_OK(gpuprim::detail::host_result::find(bytes, 1, found));
    large = found->memory();
    call_driver("cuCtxSetCurrent", contexts[0]);
    call_driver("cuCtxDestroy_v2", contexts[1]);
    CUDA_OK(cudaMallocHost(&other, bytes));
  }).join();
  check_freed(kept[0]);
  CHECK(cudaFreeHost(other) == cudaSuccess);
  if (other != large) SKIP("the address was not given again");
}
