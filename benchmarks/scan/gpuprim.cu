// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/scan.cuh>

namespace {

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(bench::scan_problem problem, const bench::scan_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return bench::with_types(problem, [&]<class T, class Result, bench::scan_parts Parts>() {
    const gpuprim::options how{.stream = s, .workspace = &workspace};
    const auto* const in = static_cast<const T*>(p.in);
    auto* const out = static_cast<Result*>(p.out);
    if constexpr (Parts == bench::scan_parts::keys) {
      if (cudaError_t e = workspace.reserve(gpuprim::scan_by_key_workspace_bytes<int, T>(p.n))) return e;
      return gpuprim::exclusive_scan_by_key(static_cast<const int*>(p.keys), in, p.n, out, gpuprim::plus{}, T{}, how);
    } else if constexpr (Parts != bench::scan_parts::none) {
      if (cudaError_t e = workspace.reserve(gpuprim::segmented_scan_workspace_bytes<T>(p.n))) return e;
      const bench::scan_sizes sizes = bench::sizes_of(problem);
      const auto scan = [&](auto where) {
        return gpuprim::segmented_exclusive_scan(in, where, sizes.segments(p.n), out, gpuprim::plus{}, T{}, how);
      };
      if constexpr (Parts == bench::scan_parts::rows) return scan(gpuprim::fixed_length{sizes.length_for(p.n)});
      else return scan(gpuprim::segment_offsets{p.offsets, p.n});
    } else {
      if (cudaError_t e = workspace.reserve(gpuprim::scan_workspace_bytes<T, Result>(p.n))) return e;
      return gpuprim::exclusive_scan(in, p.n, out, gpuprim::plus{}, Result{}, how);
    }
  });
}

const bench::enter_scan_contender entered({"gpuprim", enqueue});

}  // namespace
