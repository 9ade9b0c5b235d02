// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>

namespace gpuprim::inline v0_2_0 {

/// Reduces the values of all threads of a thread-block cluster through distributed shared memory; the first thread of
/// the cluster's block 0 gets the result.
///
/// @pre   sm_90 or newer; all threads of the cluster call it with `cooperative_groups::this_cluster()` and
///        `cooperative_groups::this_thread_block()`; every block has BlockSize threads.
/// @sync  block_reduce, then two cluster barriers: it may be called twice in a row, and a block may end after it.
/// @order kept: blocks in cluster rank order.
/// @cost  block_reduce, two cluster barriers, one remote read a block.
/// @return the thread with rank 0 in the cluster: op over the threads in rank order; others: unspecified.
/// @source CUDA C++ Programming Guide, "Distributed shared memory".
/// @example examples/library/02_cluster.cu
template <int BlockSize = runtime_block_size, class Cluster, class Block, class T, class Op>
__device__ __forceinline__ T cluster_reduce(const Cluster& cluster, const Block& block, T value, const Op& op,
                                            detail::call_site here = detail::call_site::current()) {
  static_assert(
      requires {
        cluster.block_rank();
        cluster.num_blocks();
      }, "gpuprim::cluster_reduce: the first group must be a cluster (cooperative_groups::this_cluster())");
  value = gpuprim::block_reduce<BlockSize>(block, value, op, here);
  GPUPRIM_SHARED(block_value, shared_array<T, 1>);
  if (block.thread_rank() == 0) block_value[0] = value;
  cluster.sync();
  if (cluster.block_rank() == 0 && block.thread_rank() == 0) {
    const int blocks = int(cluster.num_blocks());
    for (int i = 1; i < blocks; ++i) value = op(value, *cluster.map_shared_rank(block_value.data(), unsigned(i)));
  }
  cluster.sync();
  return value;
}

/// Reduces the values of all threads of a cluster; every thread gets the result. See cluster_reduce.
template <int BlockSize = runtime_block_size, class Cluster, class Block, class T, class Op>
__device__ __forceinline__ T cluster_all_reduce(const Cluster& cluster, const Block& block, T value, const Op& op,
                                                detail::call_site here = detail::call_site::current()) {
  value = gpuprim::cluster_reduce<BlockSize>(cluster, block, value, op, here);
  GPUPRIM_SHARED(cluster_value, shared_array<T, 1>);
  if (cluster.block_rank() == 0 && block.thread_rank() == 0) cluster_value[0] = value;
  cluster.sync();
  value = *cluster.map_shared_rank(cluster_value.data(), 0u);
  cluster.sync();
  return value;
}

}  // namespace gpuprim
