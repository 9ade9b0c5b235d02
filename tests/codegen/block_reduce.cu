// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of whole warps is reduced by its first warp: 16-byte loads from shared memory, the shuffles of one warp and
// no code for a warp that splits. Where every thread gets the result, it goes through shared memory: a second store.
// expect: kernel sum<256, float>
// expect: ptx <= 5 \bshfl
// expect: sass >= 2 ^(@!?U?P\d )?LDS\S*\.128
// expect: sass <= 2 ^(@!?U?P\d )?LDS
// expect: kernel sum<1024, double>
// expect: ptx <= 10 \bshfl
// expect: registers <= 32
// expect: kernel sum_for_all<
// expect: registers <= 32
// expect: sass <= 2 ^(@!?U?P\d )?STS
// expect: kernel sum<|sum_for_all<
// expect: no-local-memory
// expect: sass <= 2 BAR\.SYNC
// expect: sass <= 0 ^(@!?U?P\d )?(WARPSYNC|BSSY|BSYNC|BRA\.DIV)
#include <gpuprim/reduce.cuh>

template <int BlockSize, class T>
__global__ void __launch_bounds__(BlockSize) sum(const T* in, T* out) {
  const T total = gpuprim::block_reduce<BlockSize>(gpuprim::this_block{}, in[threadIdx.x], gpuprim::plus{});
  if (threadIdx.x == 0) *out = total;
}

template __global__ void sum<256, int>(const int*, int*);
template __global__ void sum<256, float>(const float*, float*);
template __global__ void sum<1024, float>(const float*, float*);
template __global__ void sum<1024, double>(const double*, double*);

template <int BlockSize, class T>
__global__ void __launch_bounds__(BlockSize) sum_for_all(const T* in, T* out) {
  out[threadIdx.x] = gpuprim::block_all_reduce<BlockSize>(gpuprim::this_block{}, in[threadIdx.x], gpuprim::plus{});
}

template __global__ void sum_for_all<256, int>(const int*, int*);
template __global__ void sum_for_all<1024, float>(const float*, float*);
