// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dot products of 16- and 8-bit floats: kept in few bits to save bandwidth, multiplied and added in float. Beside it,
// the same sum in the type itself, which stops growing: 2048 + 1 is 2048 in half, 256 + 1 is 256 in bfloat16. The
// kernel is written out to show how; gpuprim::dot is the same in one call, and faster: see 39_dot.cu.
// Source: the mixed-precision chapter of "Learn CUDA Programming" (Han, Sharma).
#include "../measure.hpp"

#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

constexpr int blocks = 8, block_size = 128;

// [kernel]
template <class T>
__global__ void dot(const T* a, const T* b, int n, float* out, gpuprim::grid_reduce_state<float> state) {
  auto block = cooperative_groups::this_thread_block();
  float mine = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x)) {
    mine += static_cast<float>(a[i]) * static_cast<float>(b[i]);
  }
  gpuprim::grid_reduce<block_size>(block, mine, gpuprim::plus{}, state, [&](float total) { *out = total; });
}
// [kernel]

/// The same by one thread, with every sum rounded to T.
template <class T>
__global__ void narrow_dot(const T* a, const T* b, int n, float* out) {
  T sum(0.0f);
  for (int i = 0; i < n; ++i) {
    sum = T(static_cast<float>(sum) + static_cast<float>(a[i]) * static_cast<float>(b[i]));
  }
  *out = static_cast<float>(sum);
}

template <class T>
bool check(const char* name, float narrow_limit) {
  constexpr int n = 5003;
  std::vector<T> a, b;
  double want = 0;  // small integers: every product and every sum in float is exact
  for (int i = 0; i < n; ++i) {
    a.push_back(T(float(1 + i % 7)));
    b.push_back(T(float(1 + i % 5)));
    want += double(static_cast<float>(a.back())) * double(static_cast<float>(b.back()));
  }
  const std::vector<T> ones(n, T(1.0f));
  const measure::device_array<T> device_a(a), device_b(b), device_ones(ones);
  const measure::device_array<float> out(2);
  out.poison();
  gpuprim::workspace ws(gpuprim::grid_reduce_bytes<float>(blocks));
  measure::check(gpuprim::launch(dot<T>, blocks, block_size, nullptr, device_a.data(), device_b.data(), n, out.data(),
                                 gpuprim::make_grid_reduce_state<float>(ws.data())));
  measure::check(
      gpuprim::launch(narrow_dot<T>, 1, 1, nullptr, device_ones.data(), device_ones.data(), n, out.data() + 1));
  const std::vector<float> got = out.on_host();
  const bool right = got[0] == float(want) && got[1] == narrow_limit;
  std::printf("%s: %.0f in float, want %.0f; %d ones added up in the type itself are %.0f: %s\n", name, double(got[0]),
              want, n, double(got[1]), right ? "right" : "WRONG");
  return right;
}

int main() {
  bool right = check<half>("half", 2048);
  right &= check<nv_bfloat16>("bfloat16", 256);
  right &= check<__nv_fp8_e4m3>("fp8 e4m3", 16);
  right &= check<__nv_fp8_e5m2>("fp8 e5m2", 8);
  return right ? 0 : 1;
}
