// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that read one array and write another: after each step the arrays exchange their roles. Two pointers do that
// for nothing; a copy back moves the whole array once more. The same holds in a block, where two rows of shared memory
// that take turns need one barrier a step, and one row with a copy in a register needs two.
// Source: the stencil of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, steps = 8, block_steps = 64;

__host__ __device__ inline unsigned step(unsigned left, unsigned mine, unsigned right) {
  return 5 * left + 3 * mine + right;
}

// [kernels]
__global__ void one_step(const unsigned* in, int n, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = step(in[i == 0 ? n - 1 : i - 1], in[i], in[i == n - 1 ? 0 : i + 1]);
}

enum class rows { taking_turns, one };

/// Many steps of a ring of block_size elements in each block.
template <rows Rows>
__global__ void ring_steps(unsigned* data) {
  __shared__ unsigned row[2][block_size];
  const int t = int(threadIdx.x), left = (t + block_size - 1) % block_size, right = (t + 1) % block_size;
  unsigned mine = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (int k = 0; k < block_steps; ++k) {
    unsigned* const now = row[Rows == rows::taking_turns ? k % 2 : 0];
    now[t] = mine;
    __syncthreads();
    mine = step(now[left], mine, now[right]);
    if constexpr (Rows == rows::one) __syncthreads();  // before it is written again; the other row needs none
  }
  data[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}
// [kernels]

/// `count` steps of rings of `length` elements, on the host.
std::vector<unsigned> expected(std::vector<unsigned> x, std::size_t length, int count) {
  std::vector<unsigned> y = x;
  for (int k = 0; k < count; ++k, std::swap(x, y)) {
    for (std::size_t ring = 0; ring < x.size(); ring += length) {
      for (std::size_t at = 0; at < length; ++at) {
        const std::size_t left = at == 0 ? length - 1 : at - 1, right = at + 1 == length ? 0 : at + 1;
        y[ring + at] = step(x[ring + left], x[ring + at], x[ring + right]);
      }
    }
  }
  return x;
}

int main(int count, char** arguments) {
  const int n = block_size * size_to_run(count, arguments, usual_size(7, 1 << 15), 1 << 20), blocks = n / block_size;
  std::vector<unsigned> values;
  for (int i = 0; i < n; ++i) values.push_back(unsigned(i) * 40503u);
  const std::size_t bytes = values.size() * sizeof(unsigned);
  bool right = true;
  for (const bool by_pointers : {true, false}) {
    const device_array<unsigned> a(values), b(values.size());
    unsigned *in = a.data(), *out = b.data();
    const auto run = [&] {
      for (int k = 0; k < steps; ++k) {
        one_step<<<blocks, block_size>>>(in, n, out);
        if (by_pointers) std::swap(in, out);
        else check(cudaMemcpyAsync(in, out, bytes, cudaMemcpyDeviceToDevice));
      }
    };
    run();
    std::vector<unsigned> got(values.size());
    check(cudaMemcpy(got.data(), in, bytes, cudaMemcpyDeviceToHost));
    right &= got == expected(values, values.size(), steps);
    std::printf("%d steps, roles exchanged by %s: %s\n", steps, by_pointers ? "pointers" : "a copy",
                figure(time_us(run), "us").c_str());
  }
  for (void (*kernel)(unsigned*) : {ring_steps<rows::taking_turns>, ring_steps<rows::one>}) {
    const device_array<unsigned> data(values);
    kernel<<<blocks, block_size>>>(data.data());
    check(cudaGetLastError());
    right &= data.on_host() == expected(values, block_size, block_steps);
    std::printf("%d steps in shared memory, %s: %s\n", block_steps,
                kernel == ring_steps<rows::taking_turns> ? "two rows in turn" : "one row and two barriers",
                figure(time_us([&] { kernel<<<blocks, block_size>>>(data.data()); }), "us").c_str());
  }
  return verdict(right);
}
