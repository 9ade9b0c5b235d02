// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A policy spelled out, an operator of your own that does not commute, and the launch that a reduce makes.
#include <gpuprim/reduce.cuh>

#include <cstdio>
#include <vector>

// [operator]
struct step {  // x -> scale * x + offset
  unsigned scale, offset;
};

struct then {  // first one step, then the other: associative, but the order matters
  __host__ __device__ step operator()(step a, step b) const {
    return {a.scale * b.scale, a.offset * b.scale + b.offset};
  }
};
// [operator]

int main() {
  std::vector<step> steps;
  step want{1, 0};
  for (unsigned i = 0; i < 5000; ++i) {
    steps.push_back({2 * i + 1, i});
    want = then{}(want, steps.back());
  }
  const auto n = std::int64_t(steps.size());
  step *in = nullptr, *out = nullptr, got{};
  cudaError_t e = cudaMalloc(&in, n * sizeof(step));
  if (e == cudaSuccess) e = cudaMalloc(&out, sizeof(step));
  if (e == cudaSuccess) e = cudaMemcpy(in, steps.data(), n * sizeof(step), cudaMemcpyHostToDevice);
  // [policy]
  if (e == cudaSuccess) e = gpuprim::reduce<then, 256, 8>(in, n, out, then{}, step{1, 0});
  gpuprim::reduce_plan<then, 256, 8>(in, n, out, then{}, step{1, 0}).print();  // what that launches
  gpuprim::reduce_plan(in, n, out, then{}, step{1, 0}).print();                // what reduce without a policy launches
  // [policy]
  if (e == cudaSuccess) e = cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  (void)cudaFree(in);
  (void)cudaFree(out);
  std::printf("x -> %u x + %u (%s)\n", got.scale, got.offset, cudaGetErrorString(e));
  return e == cudaSuccess && got.scale == want.scale && got.offset == want.offset ? 0 : 1;
}
