// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's top-k, which is in no order, or its sort where it has no top-k yet. Compiled once for each CUB; the version is
// a template argument, so that each has its own code.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_radix_sort.cuh>
#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>

#include <cuda/__execution/determinism.h>
#include <cuda/__execution/output_ordering.h>
#include <cuda/stream_ref>
#endif

namespace {

template <int Version>
cudaError_t enqueue(const bench::top_k_problem& problem, const bench::top_k_pass& p, cudaStream_t s) {
  if (problem.rows > 0 || problem.has_positions) return cudaErrorNotSupported;
  return bench::with_key_type(problem, [&]<class T>() {
    const auto* const in = static_cast<const T*>(p.in);
    auto* const out = static_cast<T*>(p.out);
#if __has_include(<cub/device/device_topk.cuh>)
    namespace how = cuda::execution;
    const auto environment = cuda::std::execution::env{
        cuda::stream_ref{s},
        how::require(how::determinism::not_guaranteed, how::output_ordering::unsorted)};
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

const bench::enter_top_k_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue<CUB_VERSION>});

}  // namespace
