// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a function runs and who may call it. A __global__ function is a kernel: the host launches it, it runs on the
// device, and it returns void. A __device__ function runs on the device and is called there. A __host__ function, which
// is one without a qualifier, runs on the host. With __host__ and __device__ a function is compiled for both, and
// __CUDA_ARCH__ says which of them is compiled. What a kernel may not do: return a value, take a parameter by
// reference, or a variable number of them, be a member of a class, throw, call a function of the host, or reach memory
// of the host that is not mapped. Recursion, pointers to __device__ functions and virtual calls of objects that the
// device made are allowed.
// Source: "Function Execution Space Specifiers" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int threads = 64;

// [functions]
__device__ int calls_of_device = 7;  // a variable of the device: the host reaches it by cudaMemcpyFromSymbol

__host__ __device__ int triple(int x) { return 3 * x; }  // compiled twice

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__device__ int add_one(int x) { return x + 1; }
__device__ int negate(int x) { return -x; }

struct shape {
  __device__ virtual int corners() const = 0;
};
struct triangle : shape {
  __device__ int corners() const override { return 3; }
};
struct square : shape {
  __device__ int corners() const override { return 4; }
};

struct result {
  int tripled, factorial, by_pointer, corners, on_device;
};

__global__ void call_all(result* results) {
  const int t = int(threadIdx.x);
  int (*const function)(int) = t % 2 == 0 ? add_one : negate;  // its address is one of the device
  triangle three;
  square four;
  const shape* const mine = t % 3 == 0 ? static_cast<shape*>(&three) : &four;  // made here, so its table is here
#if defined(__CUDA_ARCH__)
  const int on_device = 1;
#else  // the host, or the host SIMT device
  const int on_device = 0;
#endif
  results[t] = {triple(t), factorial(t % 8), function(t), mine->corners(), on_device};
  if (t == 0) calls_of_device += 1;
}
// [functions]

int main() {
  const device_array<result> results(threads);
  results.poison();
  call_all<<<1, threads>>>(results.data());
  check(cudaGetLastError());
  const std::vector<result> got = results.on_host();
  bool right = true;
  for (int t = 0; t < threads; ++t) {
    int factorial_of_t = 1;
    for (int k = 2; k <= t % 8; ++k) factorial_of_t *= k;
    right &= got[t].tripled == triple(t) && got[t].factorial == factorial_of_t;
    right &= got[t].by_pointer == (t % 2 == 0 ? t + 1 : -t) && got[t].corners == (t % 3 == 0 ? 3 : 4);
    right &= got[t].on_device == on_gpu;
  }
  int calls = 0;
  check(cudaMemcpyFromSymbol(&calls, calls_of_device, sizeof(int)));
  right &= calls == 8;
  std::printf("__CUDA_ARCH__ was defined %s; the variable of the device is %d\n",
              got[0].on_device ? "in the kernel and not here" : "nowhere", calls);
  return verdict(right);
}
