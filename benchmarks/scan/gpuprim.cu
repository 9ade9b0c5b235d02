// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/scan.cuh>

namespace {

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(bench::scan_problem problem, const bench::scan_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return bench::with_types(problem, [&]<class T, class Result, bool HasKeys>() {
    const gpuprim::options how{.stream = s, .workspace = &workspace};
    const auto* const in = static_cast<const T*>(p.in);
    auto* const out = static_cast<Result*>(p.out);
    if constexpr (HasKeys) {
      if (cudaError_t e = workspace.reserve(gpuprim::scan_by_key_workspace_bytes<int, T>(p.n))) return e;
      return gpuprim::exclusive_scan_by_key(static_cast<const int*>(p.keys), in, p.n, out, gpuprim::plus{}, T{}, how);
    } else {
      if (cudaError_t e = workspace.reserve(gpuprim::scan_workspace_bytes<T, Result>(p.n))) return e;
      return gpuprim::exclusive_scan(in, p.n, out, gpuprim::plus{}, Result{}, how);
    }
  });
}

const bench::enter_scan_contender entered({"gpuprim", enqueue});

}  // namespace
