// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan (prefix sum) of a block: each warp scans by shuffles, the first warp scans the warps' totals. One block goes
// over a whole array with a carry. Good for offsets: where each thread's output begins. Beside it the library's way, in
// a block and over the whole array, with the same results.
// Source: Hillis and Steele, "Data parallel algorithms"; Harris, Sengupta and Owens, GPU Gems 3.
#include "course.hpp"

#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

#include <numeric>

using namespace course;

constexpr unsigned all_lanes = 0xffffffffu;

// [scan]
__device__ int scan_warp(int value) {  // inclusive
  const unsigned lane = threadIdx.x % 32;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const int earlier = __shfl_up_sync(all_lanes, value, delta);
    if (lane >= delta) value += earlier;
  }
  return value;
}

/// The inclusive scan of a block of whole warps; `total` is the sum of all values, in every thread.
template <int BlockSize>
__device__ int scan_block(int value, int& total) {
  static_assert(BlockSize % 32 == 0 && BlockSize <= 1024);
  constexpr unsigned warps = BlockSize / 32;
  GPUPRIM_SHARED(warp_totals, int[warps]);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = scan_warp(value);
  if (lane == 31) warp_totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int scanned = scan_warp(lane < warps ? warp_totals[lane] : 0);  // all 32 lanes shuffle
    if (lane < warps) warp_totals[lane] = scanned;
  }
  __syncthreads();
  if (warp > 0) value += warp_totals[warp - 1];
  total = warp_totals[warps - 1];
  __syncthreads();  // so that it may be called again at once
  return value;
}
// [scan]

template <int BlockSize>
__global__ void scan_array(const int* in, int n, int* inclusive, int* exclusive) {
  int carry = 0;
  for (int start = 0; start < n; start += BlockSize) {
    const int i = start + int(threadIdx.x);
    const int value = i < n ? in[i] : 0;
    int total = 0;
    const int scanned = carry + scan_block<BlockSize>(value, total);
    if (i < n) {
      inclusive[i] = scanned;
      exclusive[i] = scanned - value;
    }
    carry += total;
  }
}

// [library]
template <int BlockSize>
__global__ void scan_array_by_library(const int* in, int n, int* inclusive, int* exclusive) {
  gpuprim::running_prefix carry{0};  // joins before the first value of a tile, and then takes the total
  for (int start = 0; start < n; start += BlockSize) {
    const int i = start + int(threadIdx.x);
    const int value = i < n ? in[i] : 0;
    const int scanned = gpuprim::block_inclusive_scan<BlockSize>(gpuprim::this_block{}, value, gpuprim::plus{}, carry);
    if (i < n) {
      inclusive[i] = scanned;
      exclusive[i] = scanned - value;
    }
  }
}

/// Both scans of the whole array, by as many blocks as the GPU takes.
cudaError_t scan_by_library(const int* in, int n, int* inclusive, int* exclusive) {
  const cudaError_t e = gpuprim::inclusive_scan(in, n, inclusive, gpuprim::plus{});
  return e == cudaSuccess ? gpuprim::exclusive_scan(in, n, exclusive, gpuprim::plus{}) : e;
}
// [library]

int main() {
  constexpr int n = 10007, block_size = 256;
  std::vector<int> values(n), want(2 * n);
  for (int i = 0; i < n; ++i) values[std::size_t(i)] = int(unsigned(i) * 7919u % 2003u) - 1000;
  std::inclusive_scan(values.begin(), values.end(), want.begin());
  std::exclusive_scan(values.begin(), values.end(), want.begin() + n, 0);
  const device_array<int> in(values), by_hand(want.size()), by_library(want.size()), by_call(want.size());
  int *const first = by_hand.data(), *const second = by_library.data(), *const third = by_call.data();
  check(gpuprim::launch(scan_array<block_size>, 1, block_size, nullptr, in.data(), n, first, first + n));
  check(gpuprim::launch(scan_array_by_library<block_size>, 1, block_size, nullptr, in.data(), n, second, second + n));
  check(scan_by_library(in.data(), n, third, third + n));
  return verdict(by_hand.on_host() == want && by_library.on_host() == want && by_call.on_host() == want);
}
