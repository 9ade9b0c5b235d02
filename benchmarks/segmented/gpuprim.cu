// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/check.hpp"
#include "contenders.hpp"

#include <gpuprim/segmented_reduce.cuh>

namespace bench {

namespace {

/// Memory that grows. Each form has its own, and calls it with an input outside of a capture first: none that a graph
/// uses is given back.
gpuprim::options on(cudaStream_t s, gpuprim::workspace& workspace, std::int64_t bytes) {
  if (workspace.bytes() < bytes) check(workspace.reserve(bytes), "reserve the workspace");
  return {.stream = s, .workspace = &workspace};
}

template <class Where>
cudaError_t sum(const segmented_pass& p, Where where, cudaStream_t s, std::int64_t listed = 0) {
  static gpuprim::workspace workspace;
  return gpuprim::segmented_reduce(p.in, where, p.segments, p.out, gpuprim::plus{}, 0.0f,
                                   on(s, workspace, gpuprim::segmented_reduce_workspace_bytes<float>(listed)));
}

/// Divides what is assigned by the number of values.
struct means {
  float* out;
  float count;

  struct place {
    float& mean;
    float count;
    __device__ void operator=(float sum) const { mean = sum / count; }
  };
  __device__ place operator[](std::int64_t i) const { return {out[i], count}; }
};

}  // namespace

cudaError_t gpuprim_offsets32(const segmented_pass& p, cudaStream_t s) {
  return sum(p, static_cast<const int*>(p.begins), s);
}
cudaError_t gpuprim_offsets64(const segmented_pass& p, cudaStream_t s) {
  return sum(p, static_cast<const std::int64_t*>(p.begins), s);
}
cudaError_t gpuprim_bounds(const segmented_pass& p, cudaStream_t s) {
  const gpuprim::segment_bounds where{static_cast<const int*>(p.begins), static_cast<const int*>(p.ends)};
  return sum(p, where, s, p.segments);
}
cudaError_t gpuprim_fixed(const segmented_pass& p, cudaStream_t s) {
  return sum(p, gpuprim::fixed_length{p.length}, s);
}
cudaError_t gpuprim_row_means(const segmented_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return gpuprim::segmented_reduce(p.in, gpuprim::fixed_length{p.length}, p.segments, means{p.out, float(p.length)},
                                   gpuprim::plus{}, 0.0f,
                                   on(s, workspace, gpuprim::segmented_reduce_workspace_bytes<float>()));
}
cudaError_t gpuprim_column_maxima(const segmented_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return gpuprim::column_reduce(p.in, p.segments, p.length, p.out, gpuprim::maximum{},
                                on(s, workspace, gpuprim::column_reduce_workspace_bytes<float>(p.length)));
}

}  // namespace bench
