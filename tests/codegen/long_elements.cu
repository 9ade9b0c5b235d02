// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of more than 256 bytes: neither the words of a value nor the joins of a warp are unrolled, which would be
// more than a thousand shuffles in each kernel.
// expect: kernel reduce_kernel<
// expect: ptx <= 48 \bshfl
// expect: ptx >= 1 \bshfl
// expect: kernel scan_kernel<
// expect: ptx <= 16 \bshfl
// expect: ptx >= 1 \bshfl
// expect: kernel sort_warp
// expect: ptx <= 4 \bshfl
// expect: ptx >= 1 \bshfl
#include <gpuprim/reduce.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/warp/warp_sort.cuh>

namespace {

struct long_element {
  float items[65];
};

struct add {
  __host__ __device__ long_element operator()(const long_element& a, const long_element& b) const {
    long_element sum;
    for (int i = 0; i < 65; ++i) sum.items[i] = a.items[i] + b.items[i];
    return sum;
  }
};

/// As above, known to commute and with an identity.
struct add_in_any_order : add {};

}  // namespace

template <>
inline constexpr bool gpuprim::is_commutative<add_in_any_order, long_element> = true;
template <>
struct gpuprim::identity_element<add_in_any_order, long_element> {
  GPUPRIM_HOST_DEVICE static constexpr long_element value() { return {}; }
};

__global__ void sort_warp(long_element* items) {
  long_element own[1] = {items[threadIdx.x]};
  gpuprim::warp_sort(gpuprim::warp_tile<32>{}, own,
                     [](const long_element& a, const long_element& b) { return a.items[0] < b.items[0]; });
  items[threadIdx.x] = own[0];
}

cudaError_t scan(const long_element* in, long long n, long_element* out) {
  return gpuprim::inclusive_scan(in, n, out, add{});
}

cudaError_t call(const long_element* in, long long n, long_element* out) {
  const cudaError_t e = gpuprim::reduce(in, n, out, add{}, long_element{});
  return e != cudaSuccess ? e : gpuprim::reduce(in, n, out, add_in_any_order{});
}
