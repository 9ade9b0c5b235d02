// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/device/sorted_search.cuh>
#include <gpuprim/merge.cuh>

namespace {

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(const bench::merge_problem& problem, const bench::merge_bench_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return bench::with_element_type(problem, [&]<class T>() {
    const std::int64_t n = p.a_count + p.b_count;
    if (cudaError_t e = workspace.reserve(gpuprim::set_operation_workspace_bytes<T>(n))) return e;
    if (cudaError_t e = workspace.reserve(gpuprim::merge_workspace_size<T, unsigned>(n))) return e;
    if (cudaError_t e = workspace.reserve(gpuprim::bounds_of_sorted_workspace_size<T>(n, n))) return e;
    const gpuprim::options how{.stream = s, .workspace = &workspace};
    const auto *const a = static_cast<const T*>(p.a), *const b = static_cast<const T*>(p.b);
    auto* const out = static_cast<T*>(p.out);
    switch (problem.call) {
      case bench::merge_call::merge:
        return gpuprim::merge(a, p.a_count, b, p.b_count, out, how);
      case bench::merge_call::merge_pairs:
        return gpuprim::merge_pairs(a, static_cast<const unsigned*>(p.a_values), p.a_count, b,
                                    static_cast<const unsigned*>(p.b_values), p.b_count, out,
                                    static_cast<unsigned*>(p.values_out), how);
      case bench::merge_call::set_union:
        return gpuprim::set_union(a, p.a_count, b, p.b_count, out, p.count, how);
      case bench::merge_call::set_intersection:
        return gpuprim::set_intersection(a, p.a_count, b, p.b_count, out, p.count, how);
      case bench::merge_call::set_difference:
        return gpuprim::set_difference(a, p.a_count, b, p.b_count, out, p.count, how);
      default: {
        auto* const positions = static_cast<unsigned*>(p.out);
        if (problem.is_unordered) return gpuprim::lower_bound(b, p.b_count, a, p.a_count, positions, how);
        return gpuprim::lower_bound_of_sorted(b, p.b_count, a, p.a_count, positions, how);
      }
    }
  });
}

const bench::enter_merge_contender entered({"gpuprim", enqueue});

}  // namespace
