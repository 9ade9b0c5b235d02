// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/sort.cuh>

namespace {

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(const bench::sort_problem& problem, const bench::key_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return bench::with_key_type(problem, [&]<class Key>() {
    const auto* const keys = static_cast<const Key*>(p.keys);
    const auto* const values = static_cast<const unsigned*>(p.values);
    auto* const keys_out = static_cast<Key*>(p.keys_out);
    const gpuprim::options how{.stream = s, .workspace = &workspace};
    if (problem.call == bench::sort_call::pairs) {
      if (cudaError_t e = workspace.reserve(gpuprim::sort_workspace_size<Key, unsigned>(p.n))) return e;
      return gpuprim::sort_pairs(keys, values, p.n, keys_out, static_cast<unsigned*>(p.values_out), how);
    }
    if (problem.call == bench::sort_call::merge_sort) {
      if (cudaError_t e = workspace.reserve(gpuprim::merge_sort_workspace_size<Key>(p.n))) return e;
      return gpuprim::merge_sort(keys, p.n, keys_out, bench::comes_first{}, how);
    }
    if (cudaError_t e = workspace.reserve(gpuprim::sort_workspace_size<Key>(p.n))) return e;
    return gpuprim::sort(keys, p.n, keys_out, how);
  });
}

const bench::enter_sort_contender entered({"gpuprim", enqueue});

}  // namespace
