// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operator of the user's, which has two exponentials and branches around them, is computed once a step: its operands
// are chosen before, where a call in both arms of a condition would be two.
// expect: kernel all_lanes
// expect: ptx <= 10 ex2\.
// expect: kernel ^rows
// expect: ptx <= 24 ex2\.
// expect: kernel rows_kernel
// expect: ptx <= 84 ex2\.
// expect: kernel all_lanes|^rows
// expect: ptx >= 10 ex2\.
// expect: no-local-memory
#include <gpuprim/device/segmented_reduce.cuh>
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>

namespace {

/// What an online softmax keeps of some numbers: the largest, and the sum of the powers of e relative to it.
struct softmax_sum {
  float largest, sum;
};

struct join_softmax {
  __device__ static float weigh(const softmax_sum& part, float largest) {
    return part.sum == 0 ? 0 : part.sum * __expf(part.largest - largest);
  }
  __host__ __device__ softmax_sum operator()(const softmax_sum& a, const softmax_sum& b) const {
#if defined(__CUDA_ARCH__)
    const float largest = fmaxf(a.largest, b.largest);
    return {largest, weigh(a, largest) + weigh(b, largest)};
#else
    return a.sum > b.sum ? a : b;
#endif
  }
};

}  // namespace

__global__ void all_lanes(const softmax_sum* in, softmax_sum* out) {
  out[threadIdx.x] = gpuprim::warp_all_reduce(gpuprim::warp_tile<32>{}, in[threadIdx.x], join_softmax{});
}

__global__ void rows(const softmax_sum* in, softmax_sum* out) {
  gpuprim::uninitialized_array<softmax_sum, 8> values;
  for (int i = 0; i < 8; ++i) values[i] = in[i * 32 + int(threadIdx.x)];
  out[threadIdx.x] = gpuprim::warp_all_reduce_rows(values, join_softmax{});
}

cudaError_t equal_segments(const softmax_sum* in, softmax_sum* out) {
  return gpuprim::segmented_reduce(in, gpuprim::fixed_length{8}, 1000, out, join_softmax{}, softmax_sum{0, 0});
}
