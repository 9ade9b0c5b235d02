// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compaction: a prefix sum over the votes tells each element that passes a test where it goes, and the order is kept.
// Each warp, or each block, compacts a segment of its own: a warp by hand, as gpuprim::warp_rank does it, a block by
// gpuprim::block_compact. Good for filters and for dropping finished work. gpuprim::select_if does it for whole arrays:
// 63_select.cu.
// Source: Billeter, Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core architectures", 2009.
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

constexpr int block_size = 128, warps = block_size / 32;
constexpr unsigned all_lanes = 0xffffffffu;

__host__ __device__ bool passes(int value) { return value % 3 == 0; }

// [warp]
__global__ void compact_by_warps(const int* in, int n, int segment, int* out, int* counts) {
  const int lane = int(threadIdx.x) % 32, warp = int(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int first = warp * segment, last = first + segment < n ? first + segment : n;
  int kept = 0;
  for (int start = first; start < last; start += 32) {  // the same bounds in all lanes: all of them vote
    const int i = start + lane;
    const int value = i < last ? in[i] : 0;
    const bool keep = i < last && passes(value);
    const unsigned votes = __ballot_sync(all_lanes, keep);
    const int before = __popc(votes & ((1u << lane) - 1));  // how many lower lanes keep theirs
    if (keep) out[first + kept + before] = value;
    kept += __popc(votes);
  }
  if (lane == 0) counts[warp] = kept;
}
// [warp]

// [block]
__global__ void compact_by_blocks(const int* in, int n, int segment, int* out, int* counts) {
  const gpuprim::this_block block;
  const int first = int(blockIdx.x) * segment, last = first + segment < n ? first + segment : n;
  int kept = 0;
  for (int start = first; start < last; start += block_size) {
    const int i = start + int(block.thread_rank());
    const int value = i < last ? in[i] : 0;
    kept += gpuprim::block_compact<block_size>(block, value, i < last && passes(value), out + first + kept);
  }
  if (block.thread_rank() == 0) counts[blockIdx.x] = kept;
}
// [block]

int main() {
  constexpr int n = 10007, segment = 701, segments = (n + segment - 1) / segment;
  constexpr int warp_blocks = (segments + warps - 1) / warps, most_segments = warp_blocks * warps;
  std::vector<int> values(n), got(n), counts(most_segments);
  for (int i = 0; i < n; ++i) values[i] = int(unsigned(i) * 7919u % 10009u);
  int *in = nullptr, *out = nullptr, *device_counts = nullptr;
  cudaError_t e = cudaMalloc(&in, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&out, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&device_counts, most_segments * sizeof(int));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  bool right = true;
  for (auto kernel : {compact_by_warps, compact_by_blocks}) {
    const int blocks = kernel == compact_by_warps ? warp_blocks : segments;
    if (e == cudaSuccess) e = gpuprim::launch(kernel, blocks, block_size, nullptr, in, n, segment, out, device_counts);
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    if (e == cudaSuccess) {
      e = cudaMemcpy(counts.data(), device_counts, segments * sizeof(int), cudaMemcpyDeviceToHost);
    }
    if (e != cudaSuccess) break;
    std::vector<int> joined, want;
    for (int s = 0; s < segments; ++s) std::copy_n(got.begin() + s * segment, counts[s], std::back_inserter(joined));
    std::copy_if(values.begin(), values.end(), std::back_inserter(want), passes);
    std::printf("%d of %d kept, %d segments\n", int(joined.size()), n, segments);
    right &= joined == want;
    if (e == cudaSuccess) e = cudaMemset(out, 0xff, n * sizeof(int));
  }
  for (int* p : {in, out, device_counts}) (void)cudaFree(p);
  std::printf("%s (%s)\n", right ? "right" : "wrong", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
