// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a multiprocessor: four schedulers, each of which issues an instruction of one warp in a cycle; and the
// units that execute them, of which there are not equally many of each kind. An instruction whose units are few takes
// several cycles for a warp. One block of 32 warps repeats one operation, and the results of a cycle show how many
// units there are: for float and integer arithmetic, for double, the special function units (SFU), the units of
// conversions, and those that load, store and shuffle.
// GPU only: the SIMT device has no units.
// Source: "Professional CUDA C Programming" (Cheng, Grossman, McKercher); the table "Arithmetic Instructions" of
// NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int threads = 1024, chains = 4, rounds = 512;

// Each operation done twice gives its argument again, or about that.
// [operations]
template <class T>
struct multiply_add {
  static __device__ T value(T x, T factor) { return x * factor + T(3); }  // 3 - x
};
struct inverse_root {  // of 1
  static __device__ float value(float x, float) {
    float y;
    asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
};
struct conversion {
  static __device__ float value(float x, float) { return __int2float_rn(__float2int_rn(x)); }
};
struct shuffle {
  static __device__ unsigned value(unsigned x, unsigned) { return __shfl_xor_sync(0xffffffffu, x, 1); }
};
__shared__ unsigned neighbours[threads];
struct load {
  static __device__ unsigned value(unsigned x, unsigned) { return neighbours[x]; }
};
// [operations]

template <class Operation, class T>
__global__ void repeat(const T* in, T factor, T* out, long long* cycles) {
  neighbours[threadIdx.x] = threadIdx.x ^ 1;
  T x[chains];
  for (int k = 0; k < chains; ++k) x[k] = in[(int(threadIdx.x) + 32 * k) % threads];
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 16
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < chains; ++k) x[k] = Operation::value(x[k], factor);
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  for (int k = 0; k < chains; ++k) out[k * threads + int(threadIdx.x)] = x[k];
}

template <class Operation, class T>
bool show(const char* name, int results, T (*first)(int thread)) {
  std::vector<T> values;
  for (int t = 0; t < threads; ++t) values.push_back(first(t));
  const device_array<T> in(values), out(threads * chains);
  const device_array<long long> cycles(1);
  double best = 1e30;
  for (int sample = 0; sample < 3; ++sample) {
    out.poison();
    repeat<Operation, T><<<1, threads>>>(in.data(), T(-1), out.data(), cycles.data());
    check(cudaGetLastError());
    best = std::min(best, double(cycles.on_host()[0]));
  }
  bool right = true;
  const std::vector<T> got = out.on_host();
  for (int i = 0; i < threads * chains; ++i) {
    right &= std::fabs(double(got[i]) - double(values[(i % threads + 32 * (i / threads)) % threads])) < 1e-5;
  }
  std::printf("%-28s %6.1f results a cycle%s\n", name, double(results) * threads * chains * rounds / best,
              right ? "" : ": WRONG");
  return right;
}

template <class T> T small(int thread) { return T(thread % 5); }

int main() {
  std::printf("%d threads may be resident on a multiprocessor, and %d registers of 32 bits are divided among them\n",
              attribute(cudaDevAttrMaxThreadsPerMultiProcessor), attribute(cudaDevAttrMaxRegistersPerMultiprocessor));
  bool right = show<multiply_add<float>, float>("float multiply-add", 1, small<float>);
  right &= show<multiply_add<unsigned>, unsigned>("integer multiply-add", 1, small<unsigned>);
  right &= show<multiply_add<double>, double>("double multiply-add", 1, small<double>);
  right &= show<inverse_root, float>("inverse root (SFU)", 1, [](int) { return 1.0f; });
  right &= show<conversion, float>("conversion, float and int", 2, small<float>);
  right &= show<shuffle, unsigned>("shuffle", 1, small<unsigned>);
  right &= show<load, unsigned>("load from shared memory", 1, [](int t) { return unsigned(t); });
  return verdict(right);
}
