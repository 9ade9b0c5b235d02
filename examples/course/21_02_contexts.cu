// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime works in the primary context of a device. A program that uses the driver's interface beside it retains
// that context, pushes it, and pops it again: what was current before is current afterwards, and memory of both
// interfaces is one. A context of one's own would be another address space, and take turns on the GPU.
// GPU only: the SIMT device has one context and no calls for it.
// The driver's functions are asked for at run time, so the program starts without a driver, too.
// Source: "CUDA Contexts" in NVIDIA's "CUDA C++ Best Practices Guide"; "Driver API" in its "Programming Guide".
#include "driver_function.hpp"

using namespace course;

void check(CUresult result) { check(static_cast<cudaError_t>(result)); }  // the numbers are the same

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }

int main() {
  constexpr int n = 64;
  check(cudaSetDevice(0));
  const auto get_current = driver_function<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent");
  const auto set_current = driver_function<decltype(cuCtxSetCurrent)>("cuCtxSetCurrent");
  const auto retain = driver_function<decltype(cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain");
  const auto release = driver_function<decltype(cuDevicePrimaryCtxRelease)>("cuDevicePrimaryCtxRelease");
  const auto push = driver_function<decltype(cuCtxPushCurrent)>("cuCtxPushCurrent");
  const auto pop = driver_function<decltype(cuCtxPopCurrent)>("cuCtxPopCurrent");
  const auto fill = driver_function<decltype(cuMemsetD32)>("cuMemsetD32");

  const device_array<int> data(n);  // the runtime has made the primary context, and it is current
  CUcontext of_runtime = nullptr, primary = nullptr, popped = nullptr, now = nullptr;
  check(get_current(&of_runtime));
  check(set_current(nullptr));  // as a thread finds it that has used the driver only
  // [contexts]
  check(retain(&primary, 0));
  check(push(primary));
  check(fill(reinterpret_cast<CUdeviceptr>(data.data()), 41, n));  // memory of the runtime, by the driver
  add_one<<<1, n>>>(data.data());                                  // and a kernel of the runtime, in the same context
  check(cudaGetLastError());
  check(pop(&popped));
  check(get_current(&now));
  check(release(0));
  // [contexts]
  bool right = primary == of_runtime && popped == primary && now == nullptr;
  std::printf("the primary context is %s that the runtime uses; after the pop %s is current\n",
              primary == of_runtime ? "the one" : "NOT the one", now == nullptr ? "none, as before," : "ANOTHER one");
  check(set_current(of_runtime));
  for (int x : data.on_host()) right &= x == 42;
  return verdict(right);
}
