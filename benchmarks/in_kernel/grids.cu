// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three sums of one value a thread: grid_reduce in one launch, beside two plain kernels, of which the second joins what
// blocks have written. `grids` prints a Markdown table. Each takes the best of some graphs of 20 calls.
#include "../support/check.hpp"

#include <gpuprim/grid/grid_reduce.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

using bench::check;

namespace {

struct sums {
  float x, squares, magnitudes;
};

struct add_sums {
  __host__ __device__ sums operator()(const sums& a, const sums& b) const {
    return {a.x + b.x, a.squares + b.squares, a.magnitudes + b.magnitudes};
  }
};

__device__ sums own_sums(const float* in) {
  const float x = in[std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x];
  return {x, x * x, fabsf(x)};
}

template <int BlockSize>
__global__ void __launch_bounds__(BlockSize) reduce_blocks(const float* in, sums* parts) {
  const sums total = gpuprim::block_reduce<BlockSize>(gpuprim::this_block{}, own_sums(in), add_sums{});
  if (threadIdx.x == 0) parts[blockIdx.x] = total;
}

__global__ void __launch_bounds__(1024) reduce_parts(const sums* parts, int count, sums* out) {
  sums total{};
  for (int i = int(threadIdx.x); i < count; i += 1024) total = add_sums{}(total, parts[i]);
  total = gpuprim::block_reduce<1024>(gpuprim::this_block{}, total, add_sums{});
  if (threadIdx.x == 0) *out = total;
}

template <int BlockSize>
__global__ void __launch_bounds__(BlockSize)
    reduce_grid(const float* in, sums* out, gpuprim::grid_reduce_state<sums> state) {
  gpuprim::grid_arrival arrival;
  if (threadIdx.x == 0) arrival = gpuprim::arrive(state);
  const auto finish = [out](const sums& total) { *out = total; };
  gpuprim::grid_reduce<BlockSize>(gpuprim::this_block{}, own_sums(in), add_sums{}, state, finish, arrival);
}

/// Microseconds of what `call` puts into a stream.
template <class Call>
double time_us(const Call& call) {
  constexpr int calls = 20, graphs = 15;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamCreate(&stream), "stream");
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
  for (int i = 0; i < calls; ++i) call(stream);
  check(cudaStreamEndCapture(stream, &graph), "capture");
  check(cudaGraphInstantiate(&executable, graph, 0), "graph");
  float best = 1e9f;
  for (int i = 0; i < graphs; ++i) {
    float ms = 0;
    check(cudaEventRecord(begin, stream), "record");
    check(cudaGraphLaunch(executable, stream), "launch");
    check(cudaEventRecord(end, stream), "record");
    check(cudaEventSynchronize(end), "run");
    check(cudaEventElapsedTime(&ms, begin, end), "time");
    if (ms < best) best = ms;
  }
  check(cudaGraphExecDestroy(executable), "graph");
  check(cudaGraphDestroy(graph), "graph");
  check(cudaStreamDestroy(stream), "stream");
  return 1000.0 * best / calls;
}

template <class T>
T* allocate(std::int64_t bytes) {
  void* data = nullptr;
  check(cudaMalloc(&data, std::size_t(bytes)), "allocate");
  check(cudaMemset(data, 0, std::size_t(bytes)), "clear");
  return static_cast<T*>(data);
}

template <int BlockSize>
void measure(int blocks) {
  const std::int64_t n = std::int64_t(blocks) * BlockSize;
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i % 2);
  auto* const in = allocate<float>(n * std::int64_t(sizeof(float)));
  check(cudaMemcpy(in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "copy");
  auto* const parts = allocate<sums>(blocks * std::int64_t(sizeof(sums)));
  auto* const out = allocate<sums>(2 * std::int64_t(sizeof(sums)));
  auto* const buffer = allocate<char>(gpuprim::grid_reduce_bytes<sums>(blocks));
  const auto state = gpuprim::make_grid_reduce_state<sums>(buffer);
  const double two = time_us([&](cudaStream_t stream) {
    reduce_blocks<BlockSize><<<unsigned(blocks), BlockSize, 0, stream>>>(in, parts);
    reduce_parts<<<1, 1024, 0, stream>>>(parts, blocks, out);
  });
  const double one = time_us([&](cudaStream_t stream) {
    reduce_grid<BlockSize><<<unsigned(blocks), BlockSize, 0, stream>>>(in, out + 1, state);
  });
  sums got[2];
  check(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost), "copy");
  for (const sums& total : got) {
    if (total.x == float(n / 2) && total.squares == total.x && total.magnitudes == total.x) continue;
    std::fprintf(stderr, "%d blocks of %d: %g instead of %g\n", blocks, BlockSize, double(total.x), double(n / 2));
    std::exit(1);
  }
  std::printf("| %d | %d | %.2f | %.2f | %.2f |\n", BlockSize, blocks, one, two, two / one);
  for (void* data : {(void*)in, (void*)parts, (void*)out, (void*)buffer}) check(cudaFree(data), "free");
}

}  // namespace

int main() {
  std::printf("| block | blocks | grid_reduce, us | two kernels, us | two kernels over grid_reduce |\n");
  std::printf("|---|---|---|---|---|\n");
  for (int blocks : {132, 264, 528, 1024, 1025, 1584, 2112, 4000, 7813, 20000, 65000}) measure<256>(blocks);
  for (int blocks : {1024, 7813, 65000}) measure<64>(blocks);
  for (int blocks : {1024, 7813, 16000}) measure<1024>(blocks);
}
