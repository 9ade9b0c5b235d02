// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/segmented_reduce.cuh>

namespace bench {

namespace {

template <class Where>
cudaError_t sum(const segmented_pass& p, Where where, cudaStream_t s) {
  static gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<float>());
  const gpuprim::options how{.stream = s, .workspace = &workspace};
  return gpuprim::segmented_reduce(p.in, where, p.segments, p.out, gpuprim::plus{}, 0.0f, how);
}

}  // namespace

cudaError_t gpuprim_offsets32(const segmented_pass& p, cudaStream_t s) {
  return sum(p, static_cast<const int*>(p.offsets), s);
}
cudaError_t gpuprim_offsets64(const segmented_pass& p, cudaStream_t s) {
  return sum(p, static_cast<const std::int64_t*>(p.offsets), s);
}
cudaError_t gpuprim_fixed(const segmented_pass& p, cudaStream_t s) {
  return sum(p, gpuprim::fixed_length{p.length}, s);
}

}  // namespace bench
