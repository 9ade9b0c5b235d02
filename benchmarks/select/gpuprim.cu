// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/select.cuh>

namespace {

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(const bench::select_problem& problem, const bench::select_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return bench::with_element_type(problem, [&]<class T>() {
    const bool has_flags = problem.call == bench::select_call::select_flagged;
    const std::int64_t bytes =
        has_flags ? gpuprim::select_workspace_bytes<unsigned char, T>(p.n) : gpuprim::select_workspace_bytes<T>(p.n);
    if (cudaError_t e = workspace.reserve(bytes)) return e;
    const gpuprim::options how{.stream = s, .workspace = &workspace};
    const auto* const in = static_cast<const T*>(p.in);
    auto* const out = static_cast<T*>(p.out);
    const bench::below predicate{problem.percent};
    switch (problem.call) {
      case bench::select_call::select_if:
        return gpuprim::select_if(in, p.n, out, p.count, predicate, how);
      case bench::select_call::partition_if:
        return gpuprim::partition_if(in, p.n, out, p.count, predicate, how);
      case bench::select_call::unique:
        return gpuprim::unique(in, p.n, out, p.count, how);
      case bench::select_call::unique_by_key:
        return gpuprim::unique_by_key(in, static_cast<const unsigned*>(p.values), p.n, out,
                                      static_cast<unsigned*>(p.values_out), p.count, how);
      default:
        return gpuprim::select_flagged(in, static_cast<const unsigned char*>(p.flags), p.n, out, p.count, how);
    }
  });
}

const bench::enter_select_contender entered({"gpuprim", enqueue});

}  // namespace
