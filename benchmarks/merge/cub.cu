// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's merges and searches, and Thrust's set operations: the step that its calls launch, without their allocations
// and without their wait for the count. Compiled once for each CUB; the version is a template argument, so that each
// has its own code.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_merge.cuh>
#if CUB_VERSION >= 300600
#include <cub/device/device_find.cuh>
#endif

#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>

#include <cuda/std/functional>

namespace {

using cuda::std::less;

template <class T, class SetOp>
cudaError_t run_set_operation(void* storage, std::size_t& bytes, const bench::merge_bench_pass& p, const SetOp& op,
                              cudaStream_t s) {
  const auto *const a = static_cast<const T*>(p.a), *const b = static_cast<const T*>(p.b);
  auto* const out = static_cast<T*>(p.out);
  return thrust::cuda_cub::__set_operations::doit_step<thrust::detail::false_type>(
      storage, bytes, a, b, static_cast<const T*>(nullptr), static_cast<const T*>(nullptr),
      static_cast<std::int32_t>(p.a_count), static_cast<std::int32_t>(p.b_count), out, static_cast<T*>(nullptr),
      p.count, less<T>{}, op, s);
}

template <int Version>
cudaError_t find([[maybe_unused]] void* storage, [[maybe_unused]] std::size_t& bytes,
                 [[maybe_unused]] const bench::merge_problem& problem,
                 [[maybe_unused]] const bench::merge_bench_pass& p, [[maybe_unused]] cudaStream_t s) {
#if CUB_VERSION >= 300600
  const auto *const a = static_cast<const unsigned*>(p.a), *const b = static_cast<const unsigned*>(p.b);
  auto* const out = static_cast<unsigned*>(p.out);
  return problem.is_unordered
             ? cub::DeviceFind::LowerBound(storage, bytes, b, p.b_count, a, p.a_count, out, less<unsigned>{}, s)
             : cub::DeviceFind::LowerBoundSortedValues(storage, bytes, b, p.b_count, a, p.a_count, out,
                                                       less<unsigned>{}, s);
#else
  return cudaErrorNotSupported;
#endif
}

template <int Version>
cudaError_t enqueue(const bench::merge_problem& problem, const bench::merge_bench_pass& p, cudaStream_t s) {
  namespace sets = thrust::cuda_cub::__set_operations;
  return bench::with_element_type(problem, [&]<class T>() {
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      const auto *const a = static_cast<const T*>(p.a), *const b = static_cast<const T*>(p.b);
      auto* const out = static_cast<T*>(p.out);
      switch (problem.call) {
        case bench::merge_call::merge:
          return cub::DeviceMerge::MergeKeys(storage, bytes, a, p.a_count, b, p.b_count, out, less<T>{}, s);
        case bench::merge_call::merge_pairs:
          return cub::DeviceMerge::MergePairs(storage, bytes, a, static_cast<const unsigned*>(p.a_values), p.a_count, b,
                                              static_cast<const unsigned*>(p.b_values), p.b_count, out,
                                              static_cast<unsigned*>(p.values_out), less<T>{}, s);
        case bench::merge_call::set_union:
          return run_set_operation<T>(storage, bytes, p, sets::serial_set_union{}, s);
        case bench::merge_call::set_intersection:
          return run_set_operation<T>(storage, bytes, p, sets::serial_set_intersection{}, s);
        case bench::merge_call::set_difference:
          return run_set_operation<T>(storage, bytes, p, sets::serial_set_difference{}, s);
        default:
          return find<Version>(storage, bytes, problem, p, s);
      }
    });
  });
}

const bench::enter_merge_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue<CUB_VERSION>});

}  // namespace
