// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIMT beside SIMD. Flynn's classes are by the streams of instructions and of data: one of each (SISD), one instruction
// for many data (SIMD), many of each (MIMD), and many instructions for one datum (MISD), which hardly any machine is. A
// SIMD unit has one program counter and vectors as registers: the program is written for vectors, and a branch becomes
// a mask that the program keeps. On a GPU the program is that of one thread. Each thread has a program counter and
// registers of its own and takes its own path; the hardware issues one instruction for those threads of a warp that are
// at it, and makes the mask. Both forms count Collatz steps here: an even number is halved, an odd x becomes 3x + 1,
// until 1 is reached. From 100,000 and less no sequence exceeds 32 bits.
// Source: "Professional CUDA C Programming" (Cheng, Grossman, McKercher), and Flynn, "Some computer organizations".
#include "course.hpp"

using namespace course;

constexpr int width = 8, block_size = 256;

// [simd]
/// The steps from x to 1 of `width` values at once, as a SIMD unit of the host does it.
void count_by_vectors(const unsigned* values, int* steps) {
  unsigned x[width];
  bool active[width];
  for (int k = 0; k < width; ++k) x[k] = values[k], steps[k] = 0, active[k] = x[k] != 1;
  for (bool any = true; any;) {
    any = false;
    for (int k = 0; k < width; ++k) {  // each operation, of both sides of the branch, is one for all elements
      const unsigned even = x[k] / 2, odd = 3 * x[k] + 1;
      x[k] = active[k] ? (x[k] % 2 == 0 ? even : odd) : x[k];
      steps[k] += active[k];
      active[k] = active[k] && x[k] != 1;
      any |= active[k];
    }
  }
}
// [simd]

// [simt]
/// The steps from one value to 1, as a thread counts them: no vector and no mask is in the program.
__global__ void count_by_threads(const unsigned* values, int n, int* steps) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  int count = 0;
  for (unsigned x = values[i]; x != 1; ++count) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  steps[i] = count;
}
// [simt]

int main(int count, char** arguments) {
  const int n = width * blocks_for(size_to_run(count, arguments, usual_size(5003, 100000), 100000), width);
  std::vector<unsigned> values;
  for (int i = 0; i < n; ++i) values.push_back(unsigned(i) + 1);
  std::vector<int> by_vectors(values.size());
  double useful = 0, by_simd = 0, by_warps = 0;
  for (int i = 0; i < n; i += width) {
    count_by_vectors(&values[i], &by_vectors[i]);
    by_simd += width * *std::max_element(&by_vectors[i], &by_vectors[i] + width);
  }
  for (int i = 0; i < n; ++i) useful += by_vectors[i];
  for (int i = 0; i < n; i += 32) {
    by_warps += 32.0 * *std::max_element(&by_vectors[i], &by_vectors[i] + std::min(32, n - i));
  }
  const device_array<unsigned> in(values);
  const device_array<int> steps(values.size());
  steps.poison();
  count_by_threads<<<blocks_for(n, block_size), block_size>>>(in.data(), n, steps.data());
  check(cudaGetLastError());
  std::printf("%d sequences: %.1f %% of the elements of vectors of %d do something, %.1f %% of the lanes of warps\n", n,
              100 * useful / by_simd, width, 100 * useful / by_warps);
  return verdict(steps.on_host() == by_vectors);
}
