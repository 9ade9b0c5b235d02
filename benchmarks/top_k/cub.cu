// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's top-k, which is in no order, or its sort where it has no top-k yet. Its top-k of rows, where it has one, writes
// positions too and sorts as gpuprim does, but takes any of equal keys.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_radix_sort.cuh>
#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>

#include <cuda/__execution/determinism.h>
#include <cuda/__execution/output_ordering.h>
#include <cuda/stream_ref>
#endif
#if __has_include(<cub/device/device_batched_topk.cuh>)
#include <cub/device/device_batched_topk.cuh>

#include <cuda/argument>
#include <cuda/iterator>
#endif

namespace {

#if __has_include(<cub/device/device_batched_topk.cuh>)
/// Where row i begins.
template <class T>
struct row_begins {
  T* first;
  std::int64_t stride;
  __host__ __device__ T* operator()(std::int64_t i) const { return first + i * stride; }
};
template <class T>
auto rows_of(T* first, std::int64_t stride) {
  return cuda::make_transform_iterator(cuda::make_counting_iterator(std::int64_t{0}), row_begins<T>{first, stride});
}
/// The positions in each row.
struct row_positions {
  __host__ __device__ auto operator()(std::int64_t) const { return cuda::make_counting_iterator(0); }
};

/// k is known to the compiler, and how long a row may be, which CUB asks for.
template <int K>
cudaError_t enqueue_rows(const bench::top_k_problem& problem, const bench::key_pass& p, cudaStream_t s) {
  namespace how = cuda::execution;
  const auto environment = cuda::std::execution::env{
      cuda::stream_ref{s},
      how::require(how::determinism::not_guaranteed, how::tie_break::unspecified, how::output_ordering::sorted)};
  const cuda::args::immediate length{int(problem.length), cuda::args::bounds<1, (1 << 18)>()};
  return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceBatchedTopK::MaxPairs(
        storage, bytes, rows_of(static_cast<const float*>(p.keys), problem.length),
        rows_of(static_cast<float*>(p.keys_out), K),
        cuda::make_transform_iterator(cuda::make_counting_iterator(std::int64_t{0}), row_positions{}),
        rows_of(static_cast<int*>(p.values_out), K), length, cuda::args::constant<K>{}, problem.rows, environment);
  });
}
#endif

cudaError_t enqueue_rows(const bench::top_k_problem& problem, const bench::key_pass& p, cudaStream_t s) {
#if __has_include(<cub/device/device_batched_topk.cuh>)
  if (problem.type == 'f' && (1 << 18) >= problem.length) {
    switch (problem.k) {
      case 1:
        return enqueue_rows<1>(problem, p, s);
      case 20:
        return enqueue_rows<20>(problem, p, s);
      case 40:
        return enqueue_rows<40>(problem, p, s);
      case 50:
        return enqueue_rows<50>(problem, p, s);
      case 100:
        return enqueue_rows<100>(problem, p, s);
      case 1000:
        return enqueue_rows<1000>(problem, p, s);
      default:
        break;
    }
  }
#endif
  return cudaErrorNotSupported;
}

cudaError_t enqueue(const bench::top_k_problem& problem, const bench::key_pass& p, cudaStream_t s) {
  if (problem.rows > 0) return enqueue_rows(problem, p, s);
  if (problem.has_positions) return cudaErrorNotSupported;
  return bench::with_key_type(problem, [&]<class T>() {
    const auto* const in = static_cast<const T*>(p.keys);
    auto* const out = static_cast<T*>(p.keys_out);
#if __has_include(<cub/device/device_topk.cuh>)
    namespace how = cuda::execution;
    const auto environment = cuda::std::execution::env{
        cuda::stream_ref{s}, how::require(how::determinism::not_guaranteed, how::output_ordering::unsorted)};
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceTopK::MaxKeys(storage, bytes, in, out, p.n, problem.k, environment);
    });
#else
    static T* sorted = nullptr;
    static std::int64_t room = 0;
    if (room < p.n) {
      bench::check(cudaFree(sorted), "free");
      bench::check(cudaMalloc(&sorted, std::size_t(p.n) * sizeof(T)), "allocate");
      room = p.n;
    }
    const cudaError_t e = bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in, sorted, p.n, 0, int(sizeof(T)) * 8, s);
    });
    if (e != cudaSuccess) return e;
    return cudaMemcpyAsync(out, sorted, std::size_t(problem.k) * sizeof(T), cudaMemcpyDeviceToDevice, s);
#endif
  });
}

const bench::enter_top_k_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue});

}  // namespace
