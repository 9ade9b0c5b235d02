// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp scans by one shuffle and one conditional operation a step, whose condition comes with the shuffle; sums of
// integers need no more for an exclusive result. A block adds a store, two barriers and wide loads, and no code for
// a warp that splits; the warps of integers are joined by one instruction.
// expect: kernel scan_warp<
// expect: sass <= 5 SHFL
// expect: sass <= 0 ISETP
// expect: sass <= 0 \bF?SEL\b
// expect: kernel exclude_warp<float>
// expect: sass <= 6 SHFL
// expect: kernel scan_block<256, float>
// expect: sass <= 2 ^(@!?U?P\d )?LDS
// expect: sass <= 5 SHFL
// expect: kernel scan_block<1024, int>
// expect: sass <= 1 REDUX
// expect: sass <= 5 SHFL
// expect: registers <= 16
// expect: kernel scan_block<1024, float>
// expect: sass <= 10 SHFL
// expect: registers <= 24
// expect: kernel scan_items<
// expect: registers <= 24
// expect: kernel scan_block<|scan_items<
// expect: sass <= 2 BAR\.SYNC
// expect: kernel scan_warp<|exclude_warp<|scan_block<|scan_items<
// expect: no-local-memory
// expect: sass <= 0 ^(@!?U?P\d )?(WARPSYNC|BSSY|BSYNC|BRA\.DIV)
#include <gpuprim/scan.cuh>

template <class T>
__global__ void scan_warp(const T* in, T* out) {
  out[threadIdx.x] = gpuprim::warp_inclusive_scan(gpuprim::warp_tile<32>{}, in[threadIdx.x], gpuprim::plus{});
}

template __global__ void scan_warp<int>(const int*, int*);
template __global__ void scan_warp<float>(const float*, float*);

template <class T>
__global__ void exclude_warp(const T* in, T* out) {
  out[threadIdx.x] = gpuprim::warp_exclusive_scan(gpuprim::warp_tile<32>{}, in[threadIdx.x], gpuprim::plus{});
}

template __global__ void exclude_warp<float>(const float*, float*);

template <int BlockSize, class T>
__global__ void __launch_bounds__(BlockSize) scan_block(const T* in, T* out) {
  out[threadIdx.x] = gpuprim::block_inclusive_scan<BlockSize>(gpuprim::this_block{}, in[threadIdx.x], gpuprim::plus{});
}

template __global__ void scan_block<256, float>(const float*, float*);
template __global__ void scan_block<1024, int>(const int*, int*);
template __global__ void scan_block<1024, float>(const float*, float*);

/// Four values a thread, with the total.
template <int BlockSize, class T>
__global__ void __launch_bounds__(BlockSize) scan_items(const T* in, T* out) {
  T values[4], total;
  for (unsigned i = 0; i < 4; ++i) values[i] = in[i * BlockSize + threadIdx.x];
  gpuprim::block_exclusive_scan<BlockSize>(gpuprim::this_block{}, values, gpuprim::plus{}, gpuprim::total_to{total});
  for (unsigned i = 0; i < 4; ++i) out[i * BlockSize + threadIdx.x] = values[i] + total;
}

template __global__ void scan_items<256, int>(const int*, int*);
template __global__ void scan_items<256, float>(const float*, float*);
