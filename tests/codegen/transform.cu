// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of a streaming pass makes one load and one store of 16 bytes, and of elements of 12 bytes three. A copy
// moves its packets as they are. Nothing lies in local memory.
// expect: kernel transform_kernel<
// expect: no-local-memory
// expect: ptx <= 0 \bcall
// expect: kernel transform_kernel<.*packet_form\)0, .*twice
// expect: wide-loads >= 1
// expect: wide-loads <= 1
// expect: sass >= 1 STG\.E\.128
// expect: registers <= 32
// expect: kernel transform_kernel<.*packet_form\)0, .*as_it_is
// expect: wide-loads >= 1
// expect: sass >= 1 STG\.E\.128
// expect: sass <= 0 PRMT
// expect: registers <= 32
// expect: kernel transform_kernel<.*packet_form\)0, .*turned
// expect: wide-loads >= 3
// expect: sass >= 3 STG\.E\.128
// expect: kernel transpose_packets_kernel<.*packet_tile<4,
// expect: no-local-memory
// expect: wide-loads >= 4
// expect: sass >= 4 STG\.E\.128
// expect: kernel transpose_packets_kernel<.*packet_tile<1,
// expect: no-local-memory
// expect: wide-loads >= 16
// expect: kernel transpose_shifted_kernel<.*packet_tile<2,
// expect: no-local-memory
// expect: wide-loads >= 16
// expect: kernel transpose_elements_kernel<.*element_tile<4, 1>
// expect: no-local-memory
// expect: kernel transpose_thin_kernel<.*thin_tile<1, 1>
// expect: sm_90: no-local-memory
// expect: sm_90: together >= 4
// expect: kernel transpose_thin_kernel<.*thin_tile<4, 1>
// expect: sm_90: no-local-memory
// expect: sm_90: together >= 4
#include <gpuprim/transform.cuh>

namespace {

struct point3 {
  float x, y, z;
};
struct twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
struct turned {
  __host__ __device__ point3 operator()(const point3& p) const { return {p.y, p.z, p.x}; }
};

}  // namespace

cudaError_t floats(const float* in, std::int64_t n, float* out) { return gpuprim::transform(in, n, out, twice{}); }
cudaError_t points(const point3* in, std::int64_t n, point3* out) { return gpuprim::transform(in, n, out, turned{}); }
cudaError_t copied(const point3* in, std::int64_t n, point3* out) { return gpuprim::copy(in, n, out); }
cudaError_t matrix(const float* in, std::int64_t n, float* out) { return gpuprim::transpose(in, n, n, out); }
cudaError_t image(const unsigned char* in, std::int64_t n, unsigned char* out) {
  return gpuprim::transpose(in, n, n, out);
}
cudaError_t wide_image(const short* in, std::int64_t n, short* out) { return gpuprim::transpose(in, n, n, out); }
