// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes are counted by votes, one for each bit of the number of items, and warps by the instruction that joins
// integers, without shuffles. An append is one atomic operation, without code for several lanes, and two shuffles of
// the place that all lanes get.
// expect: kernel compact_block<1>|part_block<
// expect: sass <= 1 \bVOTE
// expect: kernel compact_block<4>
// expect: sass <= 3 \bVOTE
// expect: kernel compact_block<|part_block<
// expect: sass <= 2 REDUX
// expect: sass <= 0 SHFL
// expect: sass <= 2 BAR\.SYNC
// expect: registers <= 24
// expect: kernel append_warp
// expect: sass <= 1 \bVOTE
// expect: sm_90: sass <= 2 SHFL
// expect: sass <= 1 ATOM
// expect: kernel compact_warp
// expect: sass <= 1 SHFL
// expect: kernel compact_block<|part_block<|append_warp|compact_warp
// expect: no-local-memory
// expect: sass <= 0 ^(@!?U?P\d )?(WARPSYNC|BRA\.DIV)
#include <gpuprim/compact.cuh>

template <int Items>
__global__ void compact_block(const int* in, int* out, int* count) {
  int values[Items];
  bool keep[Items];
  for (int i = 0; i < Items; ++i) {
    values[i] = in[threadIdx.x * Items + i];
    keep[i] = values[i] > 0;
  }
  *count = gpuprim::block_compact<256>(gpuprim::this_block{}, values, keep, out);
}

template __global__ void compact_block<1>(const int*, int*, int*);
template __global__ void compact_block<4>(const int*, int*, int*);

template <int BlockSize>
__global__ void part_block(const int* in, int* out) {
  const int value = in[threadIdx.x];
  out[gpuprim::block_partition<BlockSize>(gpuprim::this_block{}, value > 0).place] = value;
}

template __global__ void part_block<256>(const int*, int*);
template __global__ void part_block<1024>(const int*, int*);

__global__ void append_warp(const int* in, gpuprim::append_queue<int> queue) {
  const int value = in[threadIdx.x];
  gpuprim::warp_append(gpuprim::warp_tile<32>{}, queue, value, value > 0);
}

__global__ void compact_warp(const int* in, int* out) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = gpuprim::warp_compact(gpuprim::warp_tile<32>{}, value, value > 0).value;
}
