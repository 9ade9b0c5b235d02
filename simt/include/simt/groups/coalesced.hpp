// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of any lanes of one warp: those that are active together, and those that agree on a value.
#pragma once

#include <simt/groups/tile.hpp>
#include <simt/groups/warp_scope.hpp>

namespace cooperative_groups {

class coalesced_group : public details::warp_scope<coalesced_group> {
 public:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  unsigned lane_mask() const { return mask_; }
  unsigned long long meta_group_rank() const { return meta_rank_; }
  unsigned long long meta_group_size() const { return meta_size_; }

 private:
  unsigned mask_, meta_rank_, meta_size_;
};

// Which of the active lanes meet here is up to the schedule: a group of one is a legal answer.
inline coalesced_group coalesced_threads(SIMT_HERE) { return coalesced_group(simt::converged_lanes(here)); }

namespace details {

// The members of `bits`, which are given by rank within `mask`.
inline unsigned lanes_by_rank(unsigned mask, unsigned bits) {
  unsigned lanes = 0;
  for (unsigned rank = 0; mask; mask &= mask - 1, ++rank) {
    if (bits >> rank & 1) lanes |= mask & -mask;
  }
  return lanes;
}

template <class Group>
coalesced_group by_label(const Group& group, int label, simt::location here) {
  unsigned mask = group.lane_mask();
  unsigned same = __match_any_sync(mask, label, here);
  // The groups are numbered by their first lanes; every first lane announces itself.
  bool first = simt::lane() == unsigned(std::countr_zero(same));
  unsigned firsts = __ballot_sync(mask, first, here);
  unsigned before = firsts & ((same & -same) - 1);
  return coalesced_group(same, unsigned(std::popcount(before)), unsigned(std::popcount(firsts)));
}

}  // namespace details

inline coalesced_group labeled_partition(const coalesced_group& group, int label, SIMT_HERE) {
  return details::by_label(group, label, here);
}
template <unsigned int Size, class ParentT>
coalesced_group labeled_partition(const thread_block_tile<Size, ParentT>& tile, int label, SIMT_HERE) {
  return details::by_label(tile, label, here);
}

inline coalesced_group binary_partition(const coalesced_group& group, bool predicate, SIMT_HERE) {
  unsigned yes = __ballot_sync(group.lane_mask(), predicate, here);
  return coalesced_group(predicate ? yes : group.lane_mask() & ~yes, predicate, 2);
}
template <unsigned int Size, class ParentT>
coalesced_group binary_partition(const thread_block_tile<Size, ParentT>& tile, bool predicate, SIMT_HERE) {
  unsigned yes = __ballot_sync(tile.lane_mask(), predicate, here);
  return coalesced_group(predicate ? yes : tile.lane_mask() & ~yes, predicate, 2);
}

// Consecutive ranks of a coalesced group, a run-time number at a time.
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  unsigned rank = unsigned(parent.thread_rank()), total = unsigned(parent.size());
  unsigned first = rank / size * size;
  unsigned last = first + size < total ? first + size : total;
  unsigned ranks = (last >= 32 ? ~0u : (1u << last) - 1) & ~((1u << first) - 1);
  return coalesced_group(details::lanes_by_rank(parent.lane_mask(), ranks), rank / size, (total + size - 1) / size);
}

}  // namespace cooperative_groups
