// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every group within a warp can do: tiles, coalesced groups, and groups split off from them.
#pragma once

#include <bit>
#include <type_traits>

#include <simt/device_interface.hpp>
#include <simt/warp.hpp>

namespace cooperative_groups {
namespace details {

// The warp lane of the rank-th member, and the members' bits of a warp-wide answer moved together.
inline unsigned lane_of_rank(unsigned mask, unsigned rank) {
  for (; rank > 0 && mask; --rank) mask &= mask - 1;
  return mask ? unsigned(std::countr_zero(mask)) : 32;
}

inline unsigned bits_by_rank(unsigned mask, unsigned bits) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask; mask &= mask - 1, ++rank) {
    packed |= (bits >> std::countr_zero(mask) & 1) << rank;
  }
  return packed;
}

inline unsigned rank_in_mask(unsigned mask) { return unsigned(std::popcount(mask & ((1u << simt::lane()) - 1))); }

template <class T>
constexpr void check_element() {
  static_assert(std::is_trivially_copyable_v<T>, "Type is not compatible with device shuffle");
  static_assert(sizeof(T) <= 32, "Cooperative groups collectives are limited to types smaller than 32B");
}

// Derived gives lane_mask(). Values move whole, whatever their size, as in cooperative groups.
template <class Derived>
class warp_scope {
 public:
  unsigned long long num_threads() const { return unsigned(std::popcount(mask())); }
  unsigned long long size() const { return num_threads(); }
  unsigned long long thread_rank() const { return rank_in_mask(mask()); }
  void sync(SIMT_HERE) const { simt::warp_sync(mask(), here); }

  template <class T>
  T shfl(T value, int source_rank, SIMT_HERE) const {
    return exchange(simt::warp_operation::shuffle, value, unsigned(source_rank) % count(), here);
  }

  template <class T>
  T shfl_down(T value, unsigned delta, SIMT_HERE) const {
    unsigned source = rank() + delta;
    return exchange(simt::warp_operation::shuffle_down, value, source < count() ? source : rank(), here);
  }

  template <class T>
  T shfl_up(T value, unsigned delta, SIMT_HERE) const {
    return exchange(simt::warp_operation::shuffle_up, value, rank() >= delta ? rank() - delta : rank(), here);
  }

  int any(int predicate, SIMT_HERE) const { return __any_sync(mask(), predicate, here); }
  int all(int predicate, SIMT_HERE) const { return __all_sync(mask(), predicate, here); }
  unsigned ballot(int predicate, SIMT_HERE) const {
    return bits_by_rank(mask(), __ballot_sync(mask(), predicate, here));
  }

  template <class T>
  unsigned match_any(T value, SIMT_HERE) const {
    return bits_by_rank(mask(), __match_any_sync(mask(), value, here));
  }

  template <class T>
  unsigned match_all(T value, int& all_equal, SIMT_HERE) const {
    return bits_by_rank(mask(), __match_all_sync(mask(), value, &all_equal, here));
  }

 protected:
  unsigned mask() const { return static_cast<const Derived&>(*this).lane_mask(); }
  unsigned rank() const { return unsigned(thread_rank()); }
  unsigned count() const { return unsigned(num_threads()); }

  template <class T>
  T exchange(simt::warp_operation operation, const T& value, unsigned source_rank, simt::location here) const {
    check_element<T>();
    return simt::shuffle(operation, mask(), value, lane_of_rank(mask(), source_rank), here);
  }
};

}  // namespace details
}  // namespace cooperative_groups
