// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of a block by few bits: the votes for the others are known when the kernel is compiled. A word that is joined
// with 0 makes lanes lose sight of each other.
// expect: kernel sort_keys
// expect: no-local-memory
// expect: sass >= 1 \bVOTE
// expect: sass <= 0 \bLOP3\.LUT R\d+, (RZ, R\d+, R\d+|R\d+, RZ, R\d+|R\d+, R\d+, RZ), 0x80\b
#include <gpuprim/sort.cuh>

namespace {

template <int BlockSize, int End>
__global__ void sort_keys(const unsigned char* in, unsigned char* out) {
  const gpuprim::this_block block;
  unsigned char keys[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
  gpuprim::block_radix_sort<BlockSize>(block, keys, gpuprim::ascending.bits(0, End));
  out[threadIdx.x * 2] = keys[0];
  out[threadIdx.x * 2 + 1] = keys[1];
}

template __global__ void sort_keys<32, 1>(const unsigned char*, unsigned char*);
template __global__ void sort_keys<32, 2>(const unsigned char*, unsigned char*);
template __global__ void sort_keys<64, 3>(const unsigned char*, unsigned char*);
template __global__ void sort_keys<128, 1>(const unsigned char*, unsigned char*);
template __global__ void sort_keys<128, 4>(const unsigned char*, unsigned char*);
template __global__ void sort_keys<256, 3>(const unsigned char*, unsigned char*);

}  // namespace
