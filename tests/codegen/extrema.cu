// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extrema with positions are read 16 bytes a load, all loads of a turn in flight, and nothing goes to local memory.
// expect: kernel reduce_kernel<512, 8, .*first_of
// expect: wide-loads >= 8
// expect: kernel reduce_kernel<
// expect: no-local-memory
// expect: ptx <= 0 \bcall
#include <gpuprim/extrema.cuh>

cudaError_t least(const float* in, std::int64_t n, gpuprim::extremum<float>* out) {
  return gpuprim::min_element(in, n, out);
}
cudaError_t least(const double* in, std::int64_t n, gpuprim::extremum<double>* out) {
  return gpuprim::min_element(in, n, out);
}
cudaError_t least(const signed char* in, std::int64_t n, gpuprim::extremum<signed char>* out) {
  return gpuprim::min_element(in, n, out);
}
cudaError_t both(const float* in, std::int64_t n,
                 gpuprim::tuple<gpuprim::extremum<float>, gpuprim::extremum<float>>* out) {
  return gpuprim::minmax_element(in, n, out);
}
