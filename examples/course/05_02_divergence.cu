// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even elements take one formula, odd ones another: chosen by thread (every warp runs both paths), by warp (each warp
// runs one; its lanes take every second element) and by a predicate (both are computed, none branched to). Three
// kernels, one result. Long paths show what it costs; of short ones the compiler makes predicates by itself.
//   05_02_divergence [N [ROUNDS]]   paths of 1 and of 100 rounds, or of so many
// Source: the warp-divergence chapter of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

__host__ __device__ inline unsigned even_path(unsigned x, int rounds) {
  for (int i = 0; i < rounds; ++i) x = 3 * x + 1;
  return x;
}
__host__ __device__ inline unsigned odd_path(unsigned x, int rounds) {
  for (int i = 0; i < rounds; ++i) x = x * x + 7;
  return x;
}

// [kernels]
__global__ void by_thread(const unsigned* in, int n, int rounds, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  if (i % 2 == 0) out[i] = even_path(in[i], rounds);
  else out[i] = odd_path(in[i], rounds);
}

__global__ void by_warp(const unsigned* in, int n, int rounds, unsigned* out) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int lane = thread % 32, odd = thread / 32 % 2;
  const int i = thread / 64 * 64 + 2 * lane + odd;  // two warps share 64 elements
  if (i >= n) return;
  if (odd == 0) out[i] = even_path(in[i], rounds);
  else out[i] = odd_path(in[i], rounds);
}

__global__ void by_predicate(const unsigned* in, int n, int rounds, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const unsigned even = even_path(in[i], rounds), odd = odd_path(in[i], rounds);
  out[i] = i % 2 == 0 ? even : odd;
}
// [kernels]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, measure::usual_size(10007, 1 << 25)), block_size = 256;
  std::vector<unsigned> values(static_cast<std::size_t>(n)), want(values.size());
  for (unsigned i = 0; i < unsigned(n); ++i) values[i] = i * 2654435761u;
  const measure::device_array<unsigned> in(values), out(values.size());
  struct {
    const char* name;
    void (*kernel)(const unsigned*, int, int, unsigned*);
  } const forms[] = {{"by thread", by_thread}, {"by warp", by_warp}, {"by predicate", by_predicate}};
  measure::event_timer timer;
  bool right = true;
  std::vector<int> lengths = {1, 100};
  if (count > 2) lengths = {measure::size_to_run(count - 1, arguments + 1, 1, 1000)};
  for (int rounds : lengths) {
    for (int i = 0; i < n; ++i) want[i] = i % 2 == 0 ? even_path(values[i], rounds) : odd_path(values[i], rounds);
    for (const auto& form : forms) {
      out.poison();
      const double us = timer.us([&](int) {
        return gpuprim::launch(form.kernel, (n + block_size - 1) / block_size, block_size, nullptr, in.data(), n,
                               rounds, out.data());
      });
      const bool same = out.on_host() == want;
      std::printf("%s, %d rounds: %s: %s\n", form.name, rounds, measure::figure(us, "us").c_str(),
                  same ? "right" : "WRONG");
      right &= same;
    }
  }
  return right ? 0 : 1;
}
