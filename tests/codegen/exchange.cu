// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's own values go by vectors of 16 bytes and those of a stripe by one access each, whose addresses differ by
// constants, and there are two barriers. Values that a scatter drops take no branch, and the rank itself is what is
// compared. A vectorised load has its wide loads beside the narrow ones of tiles that are not aligned. Values that
// lanes exchange by shuffles stay in registers.
// expect: kernel to_striped
// expect: sass >= 2 STS\.128
// expect: sass <= 2 STS
// expect: sass <= 8 LDS
// expect: kernel to_blocked
// expect: sass >= 2 LDS\.128
// expect: sass <= 2 LDS
// expect: sass <= 8 STS
// expect: kernel to_striped|to_blocked
// expect: sass <= 2 BAR\.SYNC
// expect: kernel scatter
// expect: sass <= 8 STS
// expect: sass <= 0 P2R
// expect: sass <= 0 ^(@!?U?P\d )?(WARPSYNC|BSSY|BSYNC|BRA\.DIV)
// expect: kernel load_wide
// expect: sass >= 2 LDG\.E\.128
// expect: kernel by_shuffles
// expect: sass <= 8 SHFL
// expect: sass <= 0 (LDS|STS|BAR)
// expect: kernel flag
// expect: sass <= 1 LDS
// expect: sass <= 1 STS
// expect: sass <= 0 ^(@!?U?P\d )?(WARPSYNC|BSSY|BSYNC|BRA\.DIV)
// expect: kernel to_striped|to_blocked|scatter|load_wide|by_shuffles|flag
// expect: no-local-memory
#include <gpuprim/exchange.cuh>

using gpuprim::this_block;

__global__ void __launch_bounds__(256) to_striped(const int* in, int* out) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = in[i * 256 + int(threadIdx.x)];
  gpuprim::block_blocked_to_striped<256>(this_block{}, values);
  for (int i = 0; i < 8; ++i) out[i * 256 + int(threadIdx.x)] = values[i];
}

__global__ void __launch_bounds__(256) to_blocked(const int* in, int* out) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = in[i * 256 + int(threadIdx.x)];
  gpuprim::block_striped_to_blocked<256>(this_block{}, values);
  for (int i = 0; i < 8; ++i) out[i * 256 + int(threadIdx.x)] = values[i];
}

__global__ void __launch_bounds__(256) scatter(const int* in, const int* in_ranks, int* out) {
  int values[8], ranks[8];
  for (int i = 0; i < 8; ++i) {
    values[i] = in[i * 256 + int(threadIdx.x)];
    ranks[i] = in_ranks[i * 256 + int(threadIdx.x)];
  }
  gpuprim::block_scatter_to_blocked<256>(this_block{}, values, ranks);
  for (int i = 0; i < 8; ++i) out[i * 256 + int(threadIdx.x)] = values[i];
}

__global__ void __launch_bounds__(256) load_wide(const float* in, float* out) {
  float values[8];
  gpuprim::block_load<256, gpuprim::tile_transfer::vectorised>(this_block{}, in, values);
  for (int i = 0; i < 8; ++i) out[i * 256 + int(threadIdx.x)] = values[i];
}

__global__ void by_shuffles(const int* in, int* out) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = in[i * 256 + int(threadIdx.x)];
  gpuprim::warp_striped_to_blocked(gpuprim::warp_tile<32>{}, values);
  for (int i = 0; i < 8; ++i) out[i * 256 + int(threadIdx.x)] = values[i];
}

__global__ void __launch_bounds__(256) flag(const int* in, int* out) {
  int values[4], flags[4];
  for (int i = 0; i < 4; ++i) values[i] = in[int(threadIdx.x) * 4 + i];
  const auto differ = [](int a, int b) { return a != b; };
  gpuprim::block_flag_heads<256>(this_block{}, values, flags, differ);
  for (int i = 0; i < 4; ++i) out[i * 256 + int(threadIdx.x)] = flags[i];
}
