// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread block clusters and distributed shared memory.
#pragma once

#include <simt/groups/block.hpp>

namespace cooperative_groups {

class cluster_group : public details::split_barrier<simt::barrier_scope::cluster> {
 public:
  static constexpr auto scope = simt::barrier_scope::cluster;

  static dim3 dim_blocks() { return simt::cluster_dimensions(); }
  static unsigned num_blocks() {
    dim3 d = dim_blocks();
    return d.x * d.y * d.z;
  }
  static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned size() { return num_threads(); }
  static dim3 dim_threads() {
    dim3 d = dim_blocks();
    return dim3(d.x * blockDim.x, d.y * blockDim.y, d.z * blockDim.z);
  }

  static unsigned block_rank() { return simt::cluster_rank(); }
  static unsigned thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
  static dim3 block_index() {
    dim3 d = dim_blocks();
    unsigned rank = block_rank();
    return dim3(rank % d.x, rank / d.x % d.y, rank / d.x / d.y);
  }
  static dim3 thread_index() {
    dim3 b = block_index();
    return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z);
  }

  // A barrier of the cluster's hardware form needs no token: there is one phase at a time.
  using details::split_barrier<simt::barrier_scope::cluster>::barrier_wait;
  static void barrier_wait(SIMT_HERE) { simt::barrier_wait_for_own_arrival(scope, here); }

  template <class T>
  static T* map_shared_rank(T* address, unsigned rank, SIMT_HERE) {
    return static_cast<T*>(simt::shared_of_rank(address, rank, here));
  }
  static unsigned query_shared_rank(const void* address, SIMT_HERE) { return simt::rank_of_shared(address, here); }
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
