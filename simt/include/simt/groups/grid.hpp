// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid as a group; its barrier needs a cooperative launch.
#pragma once

#include <simt/groups/cluster.hpp>

namespace cooperative_groups {

class grid_group : public details::split_barrier<simt::barrier_scope::grid> {
 public:
  static constexpr auto scope = simt::barrier_scope::grid;

  static bool is_valid() { return simt::in_cooperative_launch(); }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
  static unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static dim3 block_index() { return dim3(blockIdx); }
  static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }

  static dim3 dim_clusters() {
    dim3 c = simt::cluster_dimensions();
    return dim3(gridDim.x / c.x, gridDim.y / c.y, gridDim.z / c.z);
  }
  static unsigned long long num_clusters() {
    dim3 d = dim_clusters();
    return static_cast<unsigned long long>(d.x) * d.y * d.z;
  }
  static dim3 cluster_index() {
    dim3 c = simt::cluster_dimensions();
    return dim3(blockIdx.x / c.x, blockIdx.y / c.y, blockIdx.z / c.z);
  }
  static unsigned long long cluster_rank() {
    dim3 d = dim_clusters(), i = cluster_index();
    return (static_cast<unsigned long long>(i.z) * d.y + i.y) * d.x + i.x;
  }
};

inline grid_group this_grid() { return {}; }

}  // namespace cooperative_groups
