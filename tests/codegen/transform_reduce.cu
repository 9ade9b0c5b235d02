// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A projection changes nothing of how the input is read: 16 bytes a load, of two inputs each, all loads of a turn in
// flight, nothing in local memory. Several reductions of one input still read it once.
// expect: kernel reduce_kernel<512, 8, .*zipped_input
// expect: wide-loads >= 16
// expect: kernel reduce_kernel<512, 8, .*(fused_projection|transformed<\(anonymous namespace\)::square)
// expect: wide-loads >= 8
// expect: wide-loads <= 16
// expect: kernel reduce_kernel<256, 4, .*zipped_input
// expect: wide-loads >= 8
// expect: kernel reduce_kernel<
// expect: no-local-memory
// expect: ptx <= 0 \bcall
#include <gpuprim/transform_reduce.cuh>

namespace {

struct square {
  __host__ __device__ double operator()(float x) const { return double(x) * double(x); }
};

struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};

}  // namespace

cudaError_t squares(const float* in, std::int64_t n, double* out) {
  return gpuprim::transform_reduce(in, n, out, gpuprim::plus{}, square{}, 0.0);
}

cudaError_t product(const float* a, const float* b, std::int64_t n, float* out) {
  return gpuprim::transform_reduce(a, b, n, out, gpuprim::plus{}, gpuprim::multiplies{}, 0.0f);
}

cudaError_t four(const float* in, std::int64_t n, gpuprim::tuple<float, float, float, std::int64_t>* out) {
  return gpuprim::reduce_into(in, n, out,
                              gpuprim::fused(gpuprim::plus{}, gpuprim::minimum{}, gpuprim::maximum{},
                                             gpuprim::transformed<std::int64_t>(gpuprim::plus{}, is_negative{})));
}
