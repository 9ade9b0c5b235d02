// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's selects. Compiled once for each CUB; the version is a template argument, so that each has its own code.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include <cuda/std/functional>

namespace {

template <int Version>
cudaError_t enqueue(const bench::select_problem& problem, const bench::select_pass& p, cudaStream_t s) {
  return bench::with_element_type(problem, [&]<class T>() {
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      const auto* const in = static_cast<const T*>(p.in);
      auto* const out = static_cast<T*>(p.out);
      const bench::below predicate{problem.percent};
      const auto n = static_cast<long long>(p.n);
      switch (problem.call) {
        case bench::select_call::select_if:
          return cub::DeviceSelect::If(storage, bytes, in, out, p.count, n, predicate, s);
        case bench::select_call::partition_if:
          return cub::DevicePartition::If(storage, bytes, in, out, p.count, n, predicate, s);
        case bench::select_call::unique:
          return cub::DeviceSelect::Unique(storage, bytes, in, out, p.count, n, s);
        case bench::select_call::unique_by_key:
          return cub::DeviceSelect::UniqueByKey(storage, bytes, in, static_cast<const unsigned*>(p.values), out,
                                                static_cast<unsigned*>(p.values_out), p.count, n,
                                                cuda::std::equal_to<>{}, s);
        default:
          return cub::DeviceSelect::Flagged(storage, bytes, in, static_cast<const unsigned char*>(p.flags), out,
                                            p.count, n, s);
      }
    });
  });
}

const bench::enter_select_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue<CUB_VERSION>});

}  // namespace
