// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long accumulators (four sums of double, a compensated pair, three scaled sums) stay in registers beside the loads in
// flight, which are 16 bytes wide, as those of a search.
// expect: kernel reduce_kernel<512, 8,
// expect: wide-loads >= 8
// expect: kernel find_kernel<512, 8,
// expect: wide-loads >= 8
// expect: registers <= 64
// expect: kernel _kernel<
// expect: no-local-memory
// expect: ptx <= 0 \bcall
#include <gpuprim/search.cuh>
#include <gpuprim/statistics.cuh>

namespace {

struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};

}  // namespace

cudaError_t moments(const float* in, std::int64_t n, gpuprim::moments* out) { return gpuprim::all_moments(in, n, out); }
cudaError_t moments(const double* in, std::int64_t n, gpuprim::moments* out) {
  return gpuprim::all_moments(in, n, out);
}
cudaError_t sum(const float* in, std::int64_t n, float* out) { return gpuprim::accurate_sum(in, n, out); }
cudaError_t norm(const double* in, std::int64_t n, double* out) { return gpuprim::norm_2(in, n, out); }
cudaError_t find(const float* in, std::int64_t n, std::int64_t* out) {
  return gpuprim::find_if(in, n, out, is_negative{});
}
cudaError_t sorted(const float* in, std::int64_t n, bool* out) { return gpuprim::is_sorted(in, n, out); }
