// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram reads 16 bytes a load, all loads of a turn in flight, and counts a sample with one instruction that needs
// no answer: the one that lets lanes meet in a counter for free.
// expect: kernel detail::histogram_kernel<1024, 8, 1, float
// expect: wide-loads >= 8
// expect: together >= 8
// expect: sass >= 32 ATOMS\.POPC\.INC
// expect: kernel detail::histogram_kernel<1024, 4, [14], unsigned char
// expect: wide-loads >= 4
// expect: together >= 4
// expect: sass >= 64 ATOMS\.POPC\.INC
// expect: kernel detail::(cached_)?histogram_kernel<
// expect: registers <= 64
// expect: sm_80: no-local-memory
// expect: sm_90: no-local-memory
// expect: ptx <= 0 \bcall
#include <gpuprim/histogram.cuh>

cudaError_t floats(const float* in, std::int64_t n, unsigned* counts) {
  return gpuprim::histogram(in, n, counts, gpuprim::even_bins{256, 0.0f, 1.0f});
}

cudaError_t between(const float* in, std::int64_t n, unsigned* counts, const float* levels) {
  return gpuprim::histogram(in, n, counts, gpuprim::bin_ranges{levels, 256});
}

cudaError_t bytes(const unsigned char* in, std::int64_t n, unsigned* counts) {
  return gpuprim::histogram(in, n, counts, gpuprim::even_bins{256, 0, 256});
}

cudaError_t image(const unsigned char* in, std::int64_t pixels, unsigned* r, unsigned* g, unsigned* b) {
  return gpuprim::histogram<4>(in, pixels, std::array{r, g, b}, gpuprim::even_bins{256, 0, 256});
}
