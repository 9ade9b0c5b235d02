// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The statistics of an online softmax of rows of 64 floats, a warp a row: an operator with work in it, in every lane.
#include "../support/check.hpp"
#include "../support/timing.hpp"
#include "cases.hpp"

#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cmath>
#include <cstdlib>
#include <memory>

namespace bench {

namespace {

constexpr int rows = 1 << 17, columns = 64, block_size = 256, passes = 10;

struct statistics {
  float largest, sum;
};
struct join_statistics {
  __device__ statistics operator()(const statistics& a, const statistics& b) const {
    const bool is_larger = a.largest > b.largest;
    const statistics &large = is_larger ? a : b, &small = is_larger ? b : a;
    return {large.largest, large.sum + small.sum * __expf(small.largest - large.largest)};
  }
};

enum class way { gpuprim, cooperative_groups };

template <way Way>
__global__ void softmax(const float* in, float* out) {
  const auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  const int row = int(blockIdx.x) * (block_size / 32) + int(threadIdx.x) / 32;
  const float2 two = reinterpret_cast<const float2*>(in + std::int64_t(row) * columns)[tile.thread_rank()];
  const statistics own = join_statistics{}({two.x, 1}, {two.y, 1});
  statistics all;
  if constexpr (Way == way::gpuprim) all = gpuprim::warp_all_reduce(tile, own, join_statistics{});
  else all = cooperative_groups::reduce(tile, own, join_statistics{});
  const float2 result{__expf(two.x - all.largest) / all.sum, __expf(two.y - all.largest) / all.sum};
  reinterpret_cast<float2*>(out + std::int64_t(row) * columns)[tile.thread_rank()] = result;
}

struct arrays {
  float *in, *out;
  arrays() {
    std::vector<float> host;
    for (int i = 0; i < rows * columns; ++i) host.push_back(float(i * 7 % 13) * 0.25f);
    check(cudaMalloc(&in, host.size() * sizeof(float)), "allocate");
    check(cudaMalloc(&out, host.size() * sizeof(float)), "allocate");
    check(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice), "copy");
  }
};

template <way Way>
case_contender make_contender(const char* name, const arrays& a) {
  const enqueue_pass pass = [a](std::int64_t, cudaStream_t s) {
    softmax<Way><<<rows / (block_size / 32), block_size, 0, s>>>(a.in, a.out);
    return cudaGetLastError();
  };
  check(pass(0, nullptr), name);
  std::vector<float> got(columns);
  check(cudaMemcpy(got.data(), a.out, columns * sizeof(float), cudaMemcpyDeviceToHost), "copy");
  float sum = 0;
  for (float x : got) sum += x;
  if (!(std::fabs(sum - 1) < 1e-4f)) {
    std::fprintf(stderr, "softmax_rows: %s is wrong\n", name);
    std::exit(1);
  }
  const auto timer = std::make_shared<graph_timer>(passes, pass);
  return {name, [timer] { return timer->us_per_pass(); }};
}

}  // namespace

case_of_others softmax_rows() {
  const arrays a;
  return {"softmax of 131072 rows of 64",
          15,
          {make_contender<way::gpuprim>("gpuprim::warp_all_reduce", a),
           make_contender<way::cooperative_groups>("cooperative_groups::reduce", a)}};
}

}  // namespace bench
