// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts past 2^32, and Thrust and CUB as further oracles. Needs a GPU with 20 GB of memory.
#include "../../support/reduce_check.cuh"

#include <thrust/device_vector.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/reduce.h>
#include <cub/device/device_reduce.cuh>

#include <cooperative_groups.h>

namespace {

template <class T>
__global__ void fill(T* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = T(i % 5 == 0);
}

template <class T, class Acc>
void check_large(std::int64_t n, Acc init) {
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < std::size_t(n) * sizeof(T) + (1u << 30)) SKIP("the GPU has too little memory");
  T* data = nullptr;
  CUDA_OK(cudaMalloc(&data, std::size_t(n) * sizeof(T)));
  fill<<<1024, 256>>>(data, n);
  CUDA_OK(cudaGetLastError());
  const Acc got = gpuprim::reduce_value<Acc>(static_cast<const T*>(data), n, gpuprim::plus{}, init);
  CUDA_OK(cudaFree(data));
  CHECK(double(got) == double((n + 4) / 5) + double(init));
}

/// An extended lambda may not stand in a function with internal linkage as Catch2 makes them.
template <class T>
void check_device_lambda(const std::vector<T>& values) {
  test::device_array<T> input(values), output(1);
  auto larger = [] __device__(T a, T b) { return a < b ? b : a; };
  CUDA_OK(gpuprim::reduce(input.data(), std::int64_t(values.size()), output.data(), larger, values[0]));
  CHECK(output.download()[0] == test::fold(values, gpuprim::maximum{}, values[0]));
  // The host sees nothing of the lambda: the initial value makes it wide.
  test::device_array<signed char> bytes(std::vector<signed char>(300, 100));
  auto add = [] __device__(int a, int b) { return a + b; };
  CHECK(gpuprim::reduce_value(bytes.data(), 300, add, 0) == 30000);
}

template <class T>
void compare_with_cub(std::int64_t n) {
  const auto values = test::make_values<T>(n);
  test::device_array<T> input(values), ours(1), theirs(1);
  std::size_t bytes = 0;
  CUDA_OK(cub::DeviceReduce::Sum(nullptr, bytes, input.data(), theirs.data(), n));
  test::device_array<char> temporary(bytes);
  CUDA_OK(cub::DeviceReduce::Sum(temporary.data(), bytes, input.data(), theirs.data(), n));
  CUDA_OK(gpuprim::reduce(input.data(), n, ours.data(), gpuprim::plus{}, T{}));
  CHECK(ours.download()[0] == theirs.download()[0]);
}

}  // namespace

TEST_CASE("reduce of more than 2^32 elements", "[device][large][gpu]") {
  check_large<signed char, std::int64_t>(std::int64_t{1} << 33, 3);
  check_large<signed char, std::int64_t>((std::int64_t{1} << 32) + 3, 0);
  check_large<float, double>((std::int64_t{1} << 32) + 3, 0.0);
}

TEST_CASE("reduce agrees with CUB", "[device][gpu]") {
  for (std::int64_t n : {1, 1000, 4097, 100000, 3000001}) {
    compare_with_cub<int>(n);
    compare_with_cub<float>(n);
    compare_with_cub<double>(n);
    compare_with_cub<std::int64_t>(n);
  }
}

TEST_CASE("reduce reads Thrust's iterators, and agrees with Thrust", "[device][gpu]") {
  const auto values = test::make_values<int>(100003);
  thrust::device_vector<int> vector(values.begin(), values.end());
  const int want = thrust::reduce(vector.begin(), vector.end());
  CHECK(gpuprim::reduce_value(vector.begin(), 100003, gpuprim::plus{}) == want);
  CHECK(gpuprim::reduce_value(vector.cbegin(), 100003, gpuprim::plus{}) == want);
  CHECK(gpuprim::reduce_value(vector.data(), 100003, gpuprim::plus{}) == want);
  thrust::device_vector<test::affine> maps(5000);
  const auto steps = test::make_values<test::affine>(5000);
  maps.assign(steps.begin(), steps.end());
  const std::vector<test::affine> backwards(steps.rbegin(), steps.rend());
  CHECK(gpuprim::reduce_value(thrust::make_reverse_iterator(maps.end()), 5000, test::then{}, test::affine{1, 0}) ==
        test::fold(backwards, test::then{}, {1, 0}));
  CHECK(gpuprim::reduce_value(thrust::make_reverse_iterator(maps.data() + 5000), 5000, test::then{},
                              test::affine{1, 0}) == test::fold(backwards, test::then{}, {1, 0}));
}

TEST_CASE("reduce takes extended device lambdas and cuda::std operators", "[device][gpu]") {
  check_device_lambda(test::make_values<int>(5000));
  const auto values = test::make_values<int>(5000);
  test::device_array<int> input(values);
  CHECK(gpuprim::reduce_value(input.data(), 5000, cuda::std::plus<int>{}, 0) == test::fold(values, gpuprim::plus{}, 0));
}
