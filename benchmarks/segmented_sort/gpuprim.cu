// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/sort.cuh>

namespace {

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(const bench::segmented_sort_problem& problem, const bench::segmented_sort_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return bench::with_key_type(problem, [&]<class Key>() {
    const auto* const keys = static_cast<const Key*>(p.keys);
    auto* const keys_out = static_cast<Key*>(p.keys_out);
    const gpuprim::options how{.stream = s, .workspace = &workspace};
    const gpuprim::segment_offsets by_offsets{p.offsets, p.n};
    if (problem.has_values) {
      const auto size = gpuprim::segmented_sort_workspace_size<Key, unsigned>(p.n, p.segments);
      if (cudaError_t e = workspace.reserve(size)) return e;
      return gpuprim::segmented_sort_pairs(keys, static_cast<const unsigned*>(p.values), by_offsets, p.segments,
                                           keys_out, static_cast<unsigned*>(p.values_out), how);
    }
    if (cudaError_t e = workspace.reserve(gpuprim::segmented_sort_workspace_size<Key>(p.n, p.segments))) return e;
    if (problem.is_fixed) {
      return gpuprim::segmented_sort(keys, gpuprim::fixed_length{problem.length}, p.segments, keys_out, how);
    }
    return gpuprim::segmented_sort(keys, by_offsets, p.segments, keys_out, how);
  });
}

const bench::enter_segmented_sort_contender entered({"gpuprim", enqueue});

}  // namespace
