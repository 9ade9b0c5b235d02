// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantises floats to bytes in parts of 4096, each by its own largest magnitude: a block of 1024 threads a part.
#include "../support/check.hpp"
#include "../support/timing.hpp"
#include "cases.hpp"

#include <gpuprim/reduce.cuh>

#include <cub/block/block_reduce.cuh>

#include <cstdlib>
#include <memory>

namespace bench {

namespace {

constexpr int parts = 1 << 13, block_size = 1024, values = parts * block_size * 4, passes = 10;

enum class way { gpuprim, cub };

struct largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <way Way>
__device__ float largest_of_block(float own) {
  if constexpr (Way == way::gpuprim) {
    return gpuprim::block_all_reduce<block_size>(gpuprim::this_block{}, own, gpuprim::maximum{});
  } else {
    using algorithm = cub::BlockReduce<float, block_size>;
    __shared__ typename algorithm::TempStorage storage;
    __shared__ float all;
    own = algorithm(storage).Reduce(own, largest{});
    if (threadIdx.x == 0) all = own;
    __syncthreads();
    return all;
  }
}

template <way Way>
__global__ void __launch_bounds__(block_size) quantise(const float4* in, char4* out, float* scales) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block_size + threadIdx.x;
  const float4 four = in[i];
  const float own = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  const float scale = largest_of_block<Way>(own);
  const auto to_byte = [factor = 127 / scale](float x) { return static_cast<signed char>(rintf(x * factor)); };
  out[i] = make_char4(to_byte(four.x), to_byte(four.y), to_byte(four.z), to_byte(four.w));
  if (threadIdx.x == 0) scales[blockIdx.x] = scale;
}

struct arrays {
  float4* in;
  char4* out;
  float* scales;
  arrays() {
    std::vector<float> host;
    for (int i = 0; i < values; ++i) host.push_back(float(i * 7LL % 13) - float(i / 4096 % 40));
    check(cudaMalloc(&in, host.size() * sizeof(float)), "allocate");
    check(cudaMalloc(&out, host.size()), "allocate");
    check(cudaMalloc(&scales, parts * sizeof(float)), "allocate");
    check(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice), "copy");
  }
};

template <way Way>
case_contender make_contender(const char* name, const arrays& a) {
  const enqueue_pass pass = [a](std::int64_t, cudaStream_t s) {
    quantise<Way><<<parts, block_size, 0, s>>>(a.in, a.out, a.scales);
    return cudaGetLastError();
  };
  check(cudaMemset(a.scales, 0, parts * sizeof(float)), "clear");
  check(pass(0, nullptr), name);
  std::vector<float> got(parts);
  check(cudaMemcpy(got.data(), a.scales, parts * sizeof(float), cudaMemcpyDeviceToHost), "copy");
  for (int part = 0; part < parts; ++part) {
    const float least = float(part % 40), greatest = 12 - least;
    if (got[std::size_t(part)] == (least > greatest ? least : greatest)) continue;
    std::fprintf(stderr, "block_quantiser: %s is wrong\n", name);
    std::exit(1);
  }
  const auto timer = std::make_shared<graph_timer>(passes, pass);
  return {name, [timer] { return timer->us_per_pass(); }};
}

}  // namespace

case_of_others block_quantiser() {
  const arrays a;
  return {"quantiser of 8192 parts of 4096",
          15,
          {make_contender<way::gpuprim>("gpuprim::block_all_reduce", a),
           make_contender<way::cub>("cub::BlockReduce, broadcast", a)}};
}

}  // namespace bench
