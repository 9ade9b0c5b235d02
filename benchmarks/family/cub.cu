// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../reduce/cub_passes.cuh"
#include "../support/check.hpp"
#include "types.cuh"

#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>

namespace {

struct squares {
  static constexpr const char* name = "DeviceReduce::TransformReduce";
  template <class T>
  static cudaError_t run(void* storage, std::size_t& bytes, const T* in, float* out, std::int64_t n, cudaStream_t s) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, in, out, n, cuda::std::plus<float>{}, bench::square{},
                                              0.0f, s);
  }
};

struct inner_product {
  static constexpr const char* name = "DeviceReduce::TransformReduce of a zip_iterator, as thrust::inner_product";
  static cudaError_t run(void* storage, std::size_t& bytes, const float* in, float* out, std::int64_t n,
                         cudaStream_t s) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, thrust::make_zip_iterator(in, in + n), out, n,
                                              cuda::std::plus<float>{},
                                              thrust::make_zip_function(cuda::std::multiplies<float>{}), 0.0f, s);
  }
};

struct min_element {
  static constexpr const char* name = "DeviceReduce::ArgMin";
  template <class T>
  static cudaError_t run(void* storage, std::size_t& bytes, const T* in, T* out, std::int64_t n, cudaStream_t s) {
    auto* position = reinterpret_cast<std::int64_t*>(reinterpret_cast<char*>(out) + 8);
    return cub::DeviceReduce::ArgMin(storage, bytes, in, out, position, n, s);
  }
};

[[maybe_unused]] const bool added[] = {
    add_cub<calls::sum, float>("f32", "plus"),
    add_cub<squares, float>("f32", "squares"),
    add_cub<squares, bench::numbers<float, 8>, float>("f32x8", "squares"),
    add_cub<squares, bench::numbers<float, 16>, float>("f32x16", "squares"),
    add_cub<squares, bench::numbers<float, 32>, float>("f32x32", "squares"),
    add_cub<inner_product, float>("f32", "inner_product"),
    add_cub<min_element, float>("f32", "min_element"),
    add_cub<min_element, double>("f64", "min_element"),
    add_cub<min_element, int>("i32", "min_element"),
    add_cub<min_element, signed char>("i8", "min_element"),
};

}  // namespace
