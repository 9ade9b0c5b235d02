// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// r17, nested launches: each level of the tree is a launch made by the level before it, on the GPU. Three forms:
//   per block, in order      one child a block and level, after its whole parent grid (tail launch); this is what is
//                            left of the sources' wait for the child, which CUDA 12 took from device code
//   per block, at once       the same children, but none waits for its parent's grid (fire and forget)
//   per level                one child for all blocks, after its whole parent grid
// Limited by launches: the per-block forms start 8 grids for every 512 values. Slow by design.
// Needs relocatable device code (-rdc=true) and cudadevrt. It destroys its input.
// Source: Cheng, Grossman and McKercher, as r02. There the per-level child could start before the other blocks were
// done, and without the wait a child could start before the other warps were.
#include "passes.cuh"

namespace ladder {

namespace {

enum class nesting { block_in_order, block_at_once, level };

constexpr int segment_size = 512;  // as in the source: the tree has 9 levels, launches nest up to 24 deep
constexpr int most_segments = most_nested / segment_size;

/// Halves segments of at most 512 values, `stride` threads each, and launches the next halving.
template <nesting How, class T>
__global__ void halve(T* data, int n, int stride, T* out) {
  T* mine = data + blockIdx.x * segment_size;
  const int count = min(segment_size, n - int(blockIdx.x) * segment_size), t = thread_in_block();
  if (t + stride < count) add_to(mine[t], mine[t + stride]);
  __syncthreads();  // a launch shows its child what the launching thread can see: by this barrier, the block's work
  if (t > 0) return;
  if (stride == 1) {
    out[blockIdx.x] = mine[0];
  } else if constexpr (How == nesting::block_in_order) {
    halve<How><<<1, stride / 2, 0, cudaStreamTailLaunch>>>(mine, count, stride / 2, out + blockIdx.x);
  } else if constexpr (How == nesting::block_at_once) {
    halve<How><<<1, stride / 2, 0, cudaStreamFireAndForget>>>(mine, count, stride / 2, out + blockIdx.x);
  } else if (blockIdx.x == 0) {
    halve<How><<<gridDim.x, stride / 2, 0, cudaStreamTailLaunch>>>(data, n, stride / 2, out);
  }
  if (stride > 1 && cudaGetLastError() != cudaSuccess) __trap();  // a level that did not start must not go unnoticed
}

/// Joins the segments' sums. A stream goes on only when a kernel and all that it launched have ended.
template <class T>
__global__ void join(const T* sums, int count, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  const int t = thread_in_block();
  T sum{};
  for (int i = t; i < count; i += usual_block) add_to(sum, sums[i]);
  shared[t] = sum;
  __syncthreads();
  for (int stride = usual_block / 2; stride > 0; stride /= 2) {
    if (t < stride) add_to(shared[t], shared[t + stride]);
    __syncthreads();
  }
  if (t == 0) *out = shared[0];
}

template <class T, nesting How>
rung<T> r17(const char* name) {
  const auto run = [](const task<T>& t) {
    const int segments = divide_up(t.n, segment_size), stride = segment_size / 2;
    cudaError_t e = gpuprim::launch(halve<How, T>, segments, stride, t.stream, t.in, t.n, stride, t.scratch);
    if (e == cudaSuccess) e = gpuprim::launch(join<T>, 1, usual_block, t.stream, t.scratch, segments, t.out);
    return e;
  };
  return {.name = name,
          .run = run,
          .look = look_at<halve<How, T>, segment_size / 2>,
          .destroys_input = true,
          .largest_input = most_nested};
}

}  // namespace

template <class T>
cudaError_t add_nested(table<T>& to) {
  to.push_back(r17<T, nesting::block_in_order>("r17 nested, per block, in order"));
  to.push_back(r17<T, nesting::block_at_once>("r17 nested, per block, at once"));
  to.push_back(r17<T, nesting::level>("r17 nested, per level"));
  // Launches that wait take slots, and a launch that finds none fails: one for each level of every segment is enough.
  return cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10 * most_segments);
}

template cudaError_t add_nested(table<float>&);
template cudaError_t add_nested(table<int>&);

}  // namespace ladder
