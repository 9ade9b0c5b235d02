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

/// Tells where dynamic memory begins behind 16 bytes of static memory, for a type aligned to a line of 128 bytes.
__global__ void find_line(int* out) {
  GPUPRIM_SHARED(ahead, gpuprim::shared_array<int, 4>);
  auto* line = gpuprim::dynamic_shared<gpuprim::detail::shared_line>();
  ahead[threadIdx.x] = int(threadIdx.x);
  line->bytes[threadIdx.x] = 7;
  __syncthreads();
  out[threadIdx.x] = ahead[3 - threadIdx.x] + line->bytes[3 - threadIdx.x];
  if (threadIdx.x == 0) out[4] = int(reinterpret_cast<std::uintptr_t>(line) % 128);
}

}  // namespace

TEST_CASE("dynamic shared memory of a type that asks for a line begins with one", "[core][sanitizer]") {
  test::device_array<int> out(5);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(4);
  config.dynamicSmemBytes = 128;
  CUDA_OK(cudaLaunchKernelEx(&config, find_line, out.data()));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(out.download() == std::vector<int>{10, 9, 8, 7, 0});
}

TEST_CASE("dynamic and static shared memory of one block", "[core][sanitizer][tsan]") {
  check_reverse<unsigned char>();
  check_reverse<int>();
  check_reverse<double>();
}
