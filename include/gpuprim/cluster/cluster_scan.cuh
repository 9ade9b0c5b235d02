// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <scan_kind Kind, int BlockSize, class Cluster, class Block, class T, class Op>
__device__ __forceinline__ T cluster_scan(const Cluster& cluster, const Block& block, const T& value, const Op& op,
                                          const scan_ends<T>& ends, call_site here) {
  static_assert(
      requires {
        cluster.block_rank();
        cluster.num_blocks();
      }, "gpuprim::cluster_scan: the first group must be a cluster (cooperative_groups::this_cluster())");
  const int own = int(cluster.block_rank()), blocks = int(cluster.num_blocks());
  T total = value;
  const scan_ends<T> of_block{ends.start, ends.has_start && own == 0, &total};
  T prefix = detail::block_scan<Kind, BlockSize>(block, value, op, of_block, here);
  GPUPRIM_SHARED(block_total, shared_array<T, 1>);
  if (block.thread_rank() == 0) block_total[0] = total;
  cluster.sync();
  const auto total_of = [&](int i) { return *cluster.map_shared_rank(block_total.data(), unsigned(i)); };
  T before = total_of(0);
  for (int i = 1; i < own; ++i) before = op(before, total_of(i));
  if (ends.total != nullptr) {
    if (own > 0) total = op(before, total);
    for (int i = own + 1; i < blocks; ++i) total = op(total, total_of(i));
    *ends.total = total;
  }
  cluster.sync();
  if (own == 0) return prefix;
  return Kind == scan_kind::exclusive && block.thread_rank() == 0 ? before : op(before, prefix);
}

}  // namespace detail

/// Scans the values of a thread-block cluster through distributed shared memory: each thread gets op over the threads
/// up to its own, blocks in cluster rank order.
///
/// @pre   sm_90 or newer; all threads of the cluster call it with `cooperative_groups::this_cluster()` and
///        `cooperative_groups::this_thread_block()`; every block has BlockSize threads.
/// @sync  a block scan, then two cluster barriers: it may be called twice in a row, and a block may end after it.
/// @order kept: blocks in cluster rank order.
/// @cost  a block scan, two cluster barriers, one remote read of each block before.
/// @return op over the threads up to the calling one; `last` is as in block_inclusive_scan.
/// @source CUDA C++ Programming Guide, "Distributed shared memory".
/// @example examples/library/49_scan_levels.cu
template <int BlockSize = runtime_block_size, class Cluster, class Block, class T, class Op,
          class Last = detail::no_end>
__device__ __forceinline__ T cluster_inclusive_scan(const Cluster& cluster, const Block& block, T value, const Op& op,
                                                    Last&& last = {},
                                                    detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_ends<detail::scan_kind::inclusive, Op, Last>(value, last);
  return detail::cluster_scan<detail::scan_kind::inclusive, BlockSize>(cluster, block, value, op, ends, here);
}

/// Scans the values of a cluster: each thread gets op over the threads before its own, and the first of block 0 the
/// initial value or, without one, the identity. `last` is as in block_exclusive_scan.
template <int BlockSize = runtime_block_size, class Cluster, class Block, class T, class Op,
          class Last = detail::no_end>
__device__ __forceinline__ T cluster_exclusive_scan(const Cluster& cluster, const Block& block, T value, const Op& op,
                                                    Last&& last = {},
                                                    detail::call_site here = detail::call_site::current()) {
  static_assert(has_identity<Op, T> || detail::gives_start<Last>,
                "gpuprim::cluster_exclusive_scan: the operator has no identity for this type; pass an initial value");
  const auto ends = detail::find_ends<detail::scan_kind::exclusive, Op, Last>(value, last);
  return detail::cluster_scan<detail::scan_kind::exclusive, BlockSize>(cluster, block, value, op, ends, here);
}

/// Scans from an initial value, which the total that every thread gets contains.
template <int BlockSize = runtime_block_size, class Cluster, class Block, class T, class Op, class Init>
  requires(!detail::is_scan_end<Init>)
__device__ __forceinline__ T cluster_exclusive_scan(const Cluster& cluster, const Block& block, T value, const Op& op,
                                                    Init init, std::type_identity_t<T>& total,
                                                    detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_ends_with_total<Op>(value, init, total);
  return detail::cluster_scan<detail::scan_kind::exclusive, BlockSize>(cluster, block, value, op, ends, here);
}

}  // namespace gpuprim
