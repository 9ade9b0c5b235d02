// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of three floats over two million elements, one element a thread: one launch of many blocks with grid_reduce, and
// two plain kernels.
#include "../support/check.hpp"
#include "../support/timing.hpp"
#include "cases.hpp"

#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

#include <cstdlib>
#include <memory>

namespace bench {

namespace {

constexpr int n = 2000000, block_size = 256, blocks = (n + block_size - 1) / block_size, passes = 10;

struct three {
  float x, y, z;
};
struct add_three {
  __host__ __device__ three operator()(const three& a, const three& b) const {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
};

__device__ three element_of(const three* in) {
  const int i = int(blockIdx.x) * block_size + int(threadIdx.x);
  return i < n ? in[i] : three{0, 0, 0};
}

__global__ void by_grid(const three* in, three* out, gpuprim::grid_reduce_state<three> state) {
  const auto block = cooperative_groups::this_thread_block();
  gpuprim::grid_reduce<block_size>(block, element_of(in), add_three{}, state, [&](const three& all) { *out = all; });
}

__global__ void of_blocks(const three* in, three* totals) {
  const auto block = cooperative_groups::this_thread_block();
  const three total = gpuprim::block_reduce<block_size>(block, element_of(in), add_three{});
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}
__global__ void of_all(const three* totals, three* out) {
  const auto block = cooperative_groups::this_thread_block();
  three own{0, 0, 0};
  for (int i = int(threadIdx.x); i < blocks; i += 1024) own = add_three{}(own, totals[i]);
  own = gpuprim::block_reduce<1024>(block, own, add_three{});
  if (threadIdx.x == 0) *out = own;
}

struct arrays {
  three *in, *totals, *out;
  arrays() {
    const std::vector<three> host(n, three{1, 2, 0.5f});
    check(cudaMalloc(&in, n * sizeof(three)), "allocate");
    check(cudaMalloc(&totals, blocks * sizeof(three)), "allocate");
    check(cudaMalloc(&out, sizeof(three)), "allocate");
    check(cudaMemcpy(in, host.data(), n * sizeof(three), cudaMemcpyHostToDevice), "copy");
  }
};

case_contender make_contender(const char* name, const arrays& a, const enqueue_pass& pass) {
  check(cudaMemset(a.out, 0xff, sizeof(three)), "poison");
  check(pass(0, nullptr), name);
  three got{};
  check(cudaMemcpy(&got, a.out, sizeof got, cudaMemcpyDeviceToHost), "copy");
  if (got.x != n || got.y != 2 * n || got.z != n / 2) {
    std::fprintf(stderr, "sums_of_a_block_each: %s is wrong\n", name);
    std::exit(1);
  }
  const auto timer = std::make_shared<graph_timer>(passes, pass);
  return {name, [timer] { return timer->us_per_pass(); }};
}

}  // namespace

case_of_others sums_of_a_block_each() {
  const arrays a;
  static gpuprim::workspace ws(gpuprim::grid_reduce_bytes<three>(blocks));
  return {"sums of three floats, 7813 blocks of 256", 15,
          {make_contender("gpuprim::grid_reduce", a,
                          [a](std::int64_t, cudaStream_t s) {
                            by_grid<<<blocks, block_size, 0, s>>>(
                                a.in, a.out, gpuprim::make_grid_reduce_state<three>(ws.data()));
                            return cudaGetLastError();
                          }),
           make_contender("two kernels", a, [a](std::int64_t, cudaStream_t s) {
             of_blocks<<<blocks, block_size, 0, s>>>(a.in, a.totals);
             of_all<<<1, 1024, 0, s>>>(a.totals, a.out);
             return cudaGetLastError();
           })}};
}

}  // namespace bench
