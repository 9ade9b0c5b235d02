// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_group: a group whose kind is known only at run time.
#pragma once

#include <simt/groups/coalesced.hpp>
#include <simt/groups/grid.hpp>

namespace cooperative_groups {

class thread_group {
 public:
  thread_group(const thread_block&) : block_(true), lanes_(0, 0, 1) {}
  thread_group(const coalesced_group& group) : block_(false), lanes_(group) {}
  template <unsigned int Size, class ParentT>
  thread_group(const thread_block_tile<Size, ParentT>& tile)
      : block_(false), lanes_(tile.lane_mask(), unsigned(tile.meta_group_rank()), unsigned(tile.meta_group_size())) {}

  unsigned long long num_threads() const { return block_ ? thread_block::num_threads() : lanes_.num_threads(); }
  unsigned long long size() const { return num_threads(); }
  unsigned long long thread_rank() const { return block_ ? thread_block::thread_rank() : lanes_.thread_rank(); }
  void sync(SIMT_HERE) const { block_ ? thread_block::sync(here) : lanes_.sync(here); }

 private:
  friend thread_group tiled_partition(const thread_group& parent, unsigned int size);
  bool block_;
  coalesced_group lanes_;
};

inline thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  if (!parent.block_) return tiled_partition(parent.lanes_, size);
  unsigned lane = simt::lane();
  unsigned mask = (size >= 32 ? ~0u : (1u << size) - 1) << lane / size * size;
  // The last warp of a block may not be full.
  unsigned live = thread_block::num_threads() - thread_block::thread_rank() / 32 * 32;
  if (live < 32) mask &= (1u << live) - 1;
  return coalesced_group(mask, thread_block::thread_rank() / size, (thread_block::num_threads() + size - 1) / size);
}

// One thread by itself.
inline thread_group this_thread() { return coalesced_group(1u << simt::lane()); }

template <class Group>
void sync(const Group& group, SIMT_HERE) {
  group.sync(here);
}

}  // namespace cooperative_groups
