// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even elements take one formula, odd ones another: chosen by thread (every warp runs both paths), by warp (each warp
// runs one; its lanes take every second element) and by a predicate (no branch). Three kernels, one result.
//   15_divergence [N]
// Source: the warp-divergence chapter of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "measure.hpp"

#include <gpuprim/launch/launch.cuh>

__host__ __device__ inline unsigned even_formula(unsigned x) { return 3 * x + 1; }
__host__ __device__ inline unsigned odd_formula(unsigned x) { return x * x + 7; }

// [kernels]
__global__ void by_thread(const unsigned* in, int n, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  if (i % 2 == 0) out[i] = even_formula(in[i]);
  else out[i] = odd_formula(in[i]);
}

__global__ void by_warp(const unsigned* in, int n, unsigned* out) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int lane = thread % 32, odd = thread / 32 % 2;
  const int i = thread / 64 * 64 + 2 * lane + odd;  // two warps share 64 elements
  if (i >= n) return;
  if (odd == 0) out[i] = even_formula(in[i]);
  else out[i] = odd_formula(in[i]);
}

__global__ void by_predicate(const unsigned* in, int n, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const unsigned even = even_formula(in[i]), odd = odd_formula(in[i]);
  out[i] = i % 2 == 0 ? even : odd;
}
// [kernels]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 10007), block_size = 192;
  std::vector<unsigned> values(static_cast<std::size_t>(n)), want(values.size());
  for (unsigned i = 0; i < unsigned(n); ++i) {
    values[i] = i * 2654435761u;
    want[i] = i % 2 == 0 ? even_formula(values[i]) : odd_formula(values[i]);
  }
  const measure::device_array<unsigned> in(values), out(values.size());
  struct {
    const char* name;
    void (*kernel)(const unsigned*, int, unsigned*);
    double branch_efficiency;  // branches that a warp takes as one, of all that it takes; counted by hand
  } const forms[] = {{"by thread", by_thread, 0.5}, {"by warp", by_warp, 1}, {"by predicate", by_predicate, 1}};
  measure::event_timer timer;
  bool right = true;
  for (const auto& form : forms) {
    out.poison();
    const double us = timer.us([&](int) {
      return gpuprim::launch(form.kernel, (n + block_size - 1) / block_size, block_size, nullptr, in.data(), n,
                             out.data());
    });
    const bool same = out.on_host() == want;
    std::printf("%s: branch efficiency %.0f %%, %s: %s\n", form.name, 100 * form.branch_efficiency,
                measure::rate(8.0 * n, us).c_str(), same ? "right" : "WRONG");
    right &= same;
  }
  return right ? 0 : 1;
}
