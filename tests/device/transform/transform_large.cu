// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts past 2^32, graphs, and Thrust as a further oracle. Needs a GPU with 24 GB of memory.
#include "../../support/transform_check.cuh"

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

namespace {

struct low_byte {
  __host__ __device__ unsigned char operator()(std::int64_t i) const { return static_cast<unsigned char>(i % 251); }
};
struct one_more {
  __host__ __device__ unsigned char operator()(unsigned char x) const { return static_cast<unsigned char>(x + 1); }
};
struct scale {
  __host__ __device__ float operator()(float x) const { return 3 * x; }
};

__global__ void count_wrong(const unsigned char* results, std::int64_t n, unsigned long long* wrong) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    if (results[i] != i % 251 + 1) atomicAdd(wrong, 1ull);
  }
}

}  // namespace

TEST_CASE("Streaming passes over more than 2^32 elements", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 32) + 7;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 2 * std::size_t(n) + (1u << 30)) SKIP("the GPU has too little memory");
  unsigned char *in = nullptr, *out = nullptr;
  CUDA_OK(cudaMalloc(&in, std::size_t(n)));
  CUDA_OK(cudaMalloc(&out, std::size_t(n) + 1));
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  CUDA_OK(gpuprim::generate(in, n, low_byte{}));
  for (int past : {0, 1}) {
    CUDA_OK(gpuprim::transform(in, n, out + past, one_more{}));
    count_wrong<<<1024, 256>>>(out + past, n, wrong.data());
    CUDA_OK(cudaGetLastError());
    CHECK(wrong.download()[0] == 0);
  }
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
}

TEST_CASE("A transposition of more than 2^32 elements", "[device][large][gpu]") {
  const std::int64_t rows = 65541, columns = 65543, n = rows * columns;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 2 * std::size_t(n) + (1u << 30)) SKIP("the GPU has too little memory");
  unsigned char *in = nullptr, *out = nullptr;
  CUDA_OK(cudaMalloc(&in, std::size_t(n)));
  CUDA_OK(cudaMalloc(&out, std::size_t(n)));
  CUDA_OK(gpuprim::generate(in, n, low_byte{}));
  CUDA_OK(gpuprim::transpose(in, rows, columns, out));
  CUDA_OK(cudaMemset(in, 0, std::size_t(n)));
  CUDA_OK(gpuprim::transpose(out, columns, rows, in));  // back
  CUDA_OK(gpuprim::transform(in, n, in, one_more{}));
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  count_wrong<<<1024, 256>>>(in, n, wrong.data());
  CUDA_OK(cudaGetLastError());
  CHECK(wrong.download()[0] == 0);
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
}

TEST_CASE("Streaming passes agree with Thrust, over its vectors too", "[device][gpu]") {
  for (int n : {1, 1000, 100003, 5000011}) {
    CAPTURE(n);
    const auto values = test::make_values<float>(n);
    const thrust::device_vector<float> in(values.begin(), values.end());
    thrust::device_vector<float> out(in.size()), want(in.size());
    thrust::transform(in.begin(), in.end(), want.begin(), scale{});
    CUDA_OK(gpuprim::transform(in.begin(), n, out.begin(), scale{}));
    CHECK(bool(out == want));
    thrust::transform(in.rbegin(), in.rend(), want.begin(), scale{});
    CUDA_OK(gpuprim::transform(in.rbegin(), n, out.begin(), scale{}));
    CHECK(bool(out == want));
    thrust::adjacent_difference(in.begin(), in.end(), want.begin());
    CUDA_OK(gpuprim::adjacent_difference(in.begin(), n, out.begin()));
    CHECK(bool(out == want));
    thrust::device_vector<float> sorted(in);
    thrust::sort(sorted.begin(), sorted.end());
    thrust::device_vector<std::int64_t> places(in.size()), wanted_places(in.size());
    thrust::lower_bound(sorted.begin(), sorted.end(), in.begin(), in.end(), wanted_places.begin());
    CUDA_OK(gpuprim::lower_bound(sorted.begin(), n, in.begin(), n, places.begin()));
    CHECK(bool(places == wanted_places));
  }
}

TEST_CASE("Streaming passes in a graph that is launched again", "[device][gpu]") {
  const int n = 100003;
  test::device_array<float> in(test::make_values<float>(n), 4), out(n);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const gpuprim::options how{.stream = stream};
  CUDA_OK(gpuprim::transform(in.data(), n, out.data(), scale{}, how));
  CUDA_OK(gpuprim::transform(out.data(), n, out.data(), scale{}, how));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  const auto got = out.download();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[std::size_t(i)] != 9 * test::make_value<float>(std::uint64_t(i));
  CHECK(wrong == 0);
  out.check_guards();
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}
