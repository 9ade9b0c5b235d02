// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../reduce/cub_passes.cuh"
#include "dot_types.cuh"

#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>

namespace {

struct dot {
  static constexpr const char* name = "DeviceReduce::TransformReduce of a zip_iterator, as thrust::inner_product";
  template <class T, class Acc>
  static cudaError_t run(void* storage, std::size_t& bytes, const T* in, Acc* out, std::int64_t n, cudaStream_t s) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, thrust::make_zip_iterator(in, in + n), out, n,
                                              cuda::std::plus<Acc>{},
                                              thrust::make_zip_function(bench::product_in<Acc>{}), Acc(0), s);
  }
};

struct squared_norm {
  static constexpr const char* name = "DeviceReduce::TransformReduce";
  template <class T, class Acc>
  static cudaError_t run(void* storage, std::size_t& bytes, const T* in, Acc* out, std::int64_t n, cudaStream_t s) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, in, out, n, cuda::std::plus<Acc>{},
                                              bench::square_in<Acc>{}, Acc(0), s);
  }
};

[[maybe_unused]] const bool added =
    bench::for_each_dot_type([]<class T, class Acc>(std::type_identity<T>, std::type_identity<Acc>, const char* type) {
      add_cub<dot, T, Acc>(type, "dot");
      add_cub<squared_norm, T, Acc>(type, "squared_norm");
    });

}  // namespace
