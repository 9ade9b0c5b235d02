// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts past 2^32, and CUB and Thrust as further oracles. Needs a GPU with 20 GB of memory.
#include "../../support/dot_check.cuh"

#include <cuda_fp8.h>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>
#include <cub/device/device_reduce.cuh>

namespace {

/// Both inputs are one array that holds 255 as far as it reaches.
void check_bytes(std::int64_t n) {
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < std::size_t(n) + (1u << 30)) SKIP("the GPU has too little memory");
  unsigned char* data = nullptr;
  CUDA_OK(cudaMalloc(&data, std::size_t(n)));
  CUDA_OK(cudaMemset(data, 255, std::size_t(n)));
  const std::uint64_t two = gpuprim::dot_value(data, data, n), one = gpuprim::squared_norm_value(data, n);
  CUDA_OK(cudaFree(data));
  CHECK(two == std::uint64_t(n) * 65025);
  CHECK(one == std::uint64_t(n) * 65025);
}

template <class Acc>
struct times {
  template <class A, class B>
  __host__ __device__ Acc operator()(const A& a, const B& b) const {
    if constexpr (std::is_arithmetic_v<A>) return Acc(a) * Acc(b);
    else return Acc(static_cast<float>(a)) * Acc(static_cast<float>(b));
  }
};

/// Sums of these are exact: all three libraries must agree.
template <class A, class B = A>
void compare(std::int64_t n) {
  using Acc = gpuprim::dot_accumulator<A, B>;
  CAPTURE(n);
  test::device_array<A> first(test::make_numbers<A>(n));
  test::device_array<B> second(test::make_numbers<B>(n, 3));
  test::device_array<Acc> theirs(1);
  const A* a = first.data();
  const B* b = second.data();
  const auto run = [&](void* storage, std::size_t& bytes) {
    const auto products =
        thrust::make_transform_iterator(thrust::make_zip_iterator(a, b), thrust::make_zip_function(times<Acc>{}));
    return cub::DeviceReduce::Reduce(storage, bytes, products, theirs.data(), n, cuda::std::plus<Acc>{}, Acc(0));
  };
  std::size_t bytes = 0;
  CUDA_OK(run(nullptr, bytes));
  test::device_array<char> storage(bytes);
  CUDA_OK(run(storage.data(), bytes));
  const Acc got = gpuprim::dot_value(a, b, n);
  CHECK(got == theirs.download()[0]);
  CHECK(got == thrust::inner_product(thrust::device, a, a + n, b, Acc(0), cuda::std::plus<Acc>{}, times<Acc>{}));
}

}  // namespace

TEST_CASE("dot of more than 2^32 elements", "[device][large][gpu]") {
  check_bytes(std::int64_t{1} << 33);
  check_bytes((std::int64_t{1} << 32) + 3);
}

TEST_CASE("dot agrees with CUB and Thrust", "[device][gpu]") {
  for (std::int64_t n : {1, 1000, 4097, 300001}) {
    compare<signed char>(n);
    compare<short>(n);
    compare<int>(n);
    compare<float>(n);
    compare<__half>(n);
    compare<__nv_fp8_e4m3>(n);
    compare<short, signed char>(n);
  }
}
