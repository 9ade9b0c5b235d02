// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's scans. Compiled once for each CUB; the version is a template argument, so that each has its own code.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_scan.cuh>
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#include <cuda/iterator>
#define HAS_SEGMENTED_SCAN 1
#else
#define HAS_SEGMENTED_SCAN 0
#endif

#include <cuda/std/functional>

namespace {

template <int Version>
cudaError_t enqueue(bench::scan_problem problem, const bench::scan_pass& p, cudaStream_t s) {
  return bench::with_types(problem, [&]<class T, class Result, bench::scan_parts Parts>() {
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      const auto* const in = static_cast<const T*>(p.in);
      auto* const out = static_cast<Result*>(p.out);
      if constexpr (Parts == bench::scan_parts::keys) {
        return cub::DeviceScan::ExclusiveSumByKey(storage, bytes, static_cast<const int*>(p.keys), in, out, p.n,
                                                  cuda::std::equal_to<>{}, s);
      } else if constexpr (Parts != bench::scan_parts::none) {
#if HAS_SEGMENTED_SCAN
        const bench::scan_sizes sizes = bench::sizes_of(problem);
        const auto scan = [&](auto begins, auto ends) {
          return cub::DeviceSegmentedScan::ExclusiveSegmentedScan(storage, bytes, in, out, begins, ends,
                                                                  sizes.segments(p.n), cuda::std::plus<>{}, T{}, s);
        };
        if constexpr (Parts == bench::scan_parts::offsets) return scan(p.offsets, p.offsets + 1);
        const auto begins =
            cuda::make_strided_iterator(cuda::counting_iterator<std::int64_t>(0), sizes.length_for(p.n));
        return scan(begins, begins + 1);
#else
        return cudaErrorNotSupported;
#endif
      } else {
        return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, cuda::std::plus<>{}, Result{}, p.n, s);
      }
    });
  });
}

const bench::enter_scan_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue<CUB_VERSION>,
                                           HAS_SEGMENTED_SCAN == 1});

}  // namespace
