// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/core/shared.cuh>

#include "../support/device.cuh"

namespace {

/// Reverses one value a thread through dynamic and static shared memory, whose values differ by one.
template <class T>
__global__ void reverse(const T* in, T* out, T* misplaced) {
  T* stage = gpuprim::dynamic_shared<T>();
  GPUPRIM_SHARED(one_more, gpuprim::shared_array<T, 96>);
  stage[threadIdx.x] = in[threadIdx.x];
  one_more[threadIdx.x] = T(in[threadIdx.x] + 1);
  __syncthreads();
  const unsigned other = blockDim.x - 1 - threadIdx.x;
  out[threadIdx.x] = stage[other];
  misplaced[threadIdx.x] = T(one_more[other] - stage[other]);
  if (threadIdx.x == 0) misplaced[blockDim.x] = T(reinterpret_cast<std::uintptr_t>(stage) % 16);
}

template <class T>
void check_reverse() {
  constexpr int threads = 96;
  std::vector<T> in;
  for (int i = 0; i < threads; ++i) in.push_back(T(3 * i % 100));
  test::device_array<T> input(in), output(threads), apart(threads + 1);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = threads * sizeof(T);
  CUDA_OK(cudaLaunchKernelEx(&config, reverse<T>, static_cast<const T*>(input.data()), output.data(), apart.data()));
  CUDA_OK(cudaDeviceSynchronize());
  const auto got = output.download(), difference = apart.download();
  for (int i = 0; i < threads; ++i) {
    CHECK(got[i] == in[threads - 1 - i]);
    CHECK(difference[i] == T(1));
  }
  CHECK(difference[threads] == T(0));
  output.check_guards();
  apart.check_guards();
}

}  // namespace

TEST_CASE("dynamic and static shared memory of one block", "[core][sanitizer][tsan]") {
  check_reverse<unsigned char>();
  check_reverse<int>();
  check_reverse<double>();
}
