// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass of the library and a kernel of one's own, captured into a CUDA graph once and replayed over new data. The
// workspace is made before the capture, so that the graph holds kernels only.
#include <gpuprim/reduce.cuh>

#include <gpuprim/launch/launch.cuh>

#include "../measure.hpp"

__global__ void divide(float* values, int n, const float* divisor) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] /= *divisor;
}

int main() {
  using measure::check;
  constexpr int n = 10000, block_size = 256, blocks = (n + block_size - 1) / block_size;
  constexpr std::size_t bytes = n * sizeof(float);
  const measure::device_array<float> values(n), largest(1);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));

  // [capture]
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<float>(n));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  check(gpuprim::reduce(values.data(), n, largest.data(), gpuprim::maximum{}, {.stream = stream, .workspace = &ws}));
  check(gpuprim::launch(divide, blocks, block_size, stream, values.data(), n, largest.data()));
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  // [capture]

  bool right = true;
  for (int round = 1; round <= 3; ++round) {
    std::vector<float> data, want;
    for (int i = 0; i < n; ++i) data.push_back(float(round * (i * 37 % n + 1)));
    for (const float x : data) want.push_back(x / float(round * n));
    // [replay]
    check(cudaMemcpyAsync(values.data(), data.data(), bytes, cudaMemcpyHostToDevice, stream));
    check(cudaGraphLaunch(executable, stream));
    check(cudaStreamSynchronize(stream));
    // [replay]
    right &= values.on_host() == want;
  }
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  std::printf("3 replays: %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
