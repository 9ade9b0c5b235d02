// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's scans. Compiled once for each CUB; the version is a template argument, so that each has its own code.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_scan.cuh>

#include <cuda/std/functional>

namespace {

template <int Version>
cudaError_t enqueue(bench::scan_problem problem, const bench::scan_pass& p, cudaStream_t s) {
  return bench::with_types(problem, [&]<class T, class Result, bool HasKeys>() {
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      const auto* const in = static_cast<const T*>(p.in);
      auto* const out = static_cast<Result*>(p.out);
      if constexpr (HasKeys) {
        return cub::DeviceScan::ExclusiveSumByKey(storage, bytes, static_cast<const int*>(p.keys), in, out, p.n,
                                                  cuda::std::equal_to<>{}, s);
      } else {
        return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, cuda::std::plus<>{}, Result{}, p.n, s);
      }
    });
  });
}

const bench::enter_scan_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue<CUB_VERSION>});

}  // namespace
