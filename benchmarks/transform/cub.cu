// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's streaming passes. Compiled once for each CUB; the version is a template argument, so that each has its own
// code.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_for.cuh>
#include <cub/device/device_transform.cuh>
#if CUB_VERSION >= 300600
#include <cub/device/device_find.cuh>
#endif

#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <cuda/std/functional>
#include <cuda/std/tuple>

namespace {

using bench::stream_task;

struct same_value {
  template <class T> __host__ __device__ T operator()(const T& x) const { return x; }
};
template <class T>
struct constant {
  T value;
  __host__ __device__ T operator()() const { return value; }
};

template <int Version>
cudaError_t enqueue(const bench::stream_problem& problem, const bench::stream_pass& p, cudaStream_t s) {
  return bench::with_type(problem.type, [&]<class T>() -> cudaError_t {
    using cub::DeviceTransform;
    const auto* const in = static_cast<const T*>(p.in);
    auto* const out = static_cast<T*>(p.out);
    constexpr bool is_float = std::is_same_v<T, float>, is_number = std::is_arithmetic_v<T>;
    switch (problem.task) {
      case stream_task::copy:
        return DeviceTransform::Transform(cuda::std::make_tuple(in), out, p.n, same_value{}, s);
      case stream_task::transform:
        return DeviceTransform::Transform(cuda::std::make_tuple(in), out, p.n, bench::scale_it{}, s);
      case stream_task::fill:
#if CUB_VERSION >= 300600
        return DeviceTransform::Fill(out, p.n, bench::filling<T>(), s);
#else
        return DeviceTransform::Transform(cuda::std::tuple<>{}, out, p.n, constant<T>{bench::filling<T>()}, s);
#endif
      case stream_task::reverse:
        return DeviceTransform::Transform(cuda::std::make_tuple(thrust::make_reverse_iterator(in + p.n)), out, p.n,
                                          same_value{}, s);
      case stream_task::difference:
        if constexpr (is_number) {
          return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
            return cub::DeviceAdjacentDifference::SubtractLeftCopy(storage, bytes, in, out, p.n, bench::subtract_them{},
                                                                   s);
          });
        }
        break;
      default:
        if constexpr (is_float) {
          const auto* const second = static_cast<const float*>(p.second);
          const auto* const index = static_cast<const int*>(p.second);
          if (problem.task == stream_task::add) {
            return DeviceTransform::Transform(cuda::std::make_tuple(in, second), out, p.n, bench::add_them{}, s);
          }
          if (problem.task == stream_task::gather) {
            return DeviceTransform::Transform(cuda::std::make_tuple(thrust::make_permutation_iterator(in, index)), out,
                                              p.n, same_value{}, s);
          }
          if (problem.task == stream_task::for_each) return cub::DeviceFor::Bulk(p.n, bench::write_index{out}, s);
#if CUB_VERSION >= 300600
          if (problem.task == stream_task::transform_if) {
            return DeviceTransform::TransformIf(in, out, p.n, bench::is_small{}, bench::scale_it{}, s);
          }
          return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
            return cub::DeviceFind::LowerBound(storage, bytes, in, p.n, second, p.n, static_cast<int*>(p.out),
                                               cuda::std::less{}, s);
          });
#endif
        }
    }
    return cudaErrorNotSupported;
  });
}

const bench::enter_stream_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue<CUB_VERSION>});

}  // namespace
