// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of 1 to 32 threads whose size is known when compiling.
#pragma once

#include <simt/groups/block.hpp>
#include <simt/groups/warp_scope.hpp>

namespace cooperative_groups {

template <unsigned int Size, class ParentT = void>
class thread_block_tile;

namespace details {

template <unsigned int Size>
class tile_scope : public warp_scope<tile_scope<Size>> {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "simt: a tile has 1, 2, 4, 8, 16 or 32 threads; larger tiles are not simulated");

 public:
  static constexpr unsigned long long num_threads() { return Size; }
  static constexpr unsigned long long size() { return Size; }
  static unsigned long long thread_rank() { return simt::lane() % Size; }
  static unsigned lane_mask() { return (Size == 32 ? ~0u : (1u << Size % 32) - 1) << base(); }

  template <class T>
  T shfl_xor(T value, unsigned lane_mask, SIMT_HERE) const {
    unsigned rank = unsigned(thread_rank());
    unsigned source = rank ^ lane_mask;
    return this->exchange(simt::warp_operation::shuffle_xor, value, source < Size ? source : rank, here);
  }

 private:
  static unsigned base() { return simt::lane() / Size * Size; }
};

}  // namespace details

// Made from a block or from a larger tile, with its index among the parent's tiles.
template <unsigned int Size, class ParentT>
class thread_block_tile : public details::tile_scope<Size> {
 public:
  thread_block_tile() = default;
  static unsigned long long meta_group_rank() { return ParentT::thread_rank() / Size; }
  static unsigned long long meta_group_size() { return (ParentT::num_threads() + Size - 1) / Size; }
  // A tile can be passed on without its parent's type.
  operator thread_block_tile<Size, void>() const;
};

template <unsigned int Size>
class thread_block_tile<Size, void> : public details::tile_scope<Size> {
 public:
  thread_block_tile(unsigned long long rank, unsigned long long size) : rank_(rank), size_(size) {}
  unsigned long long meta_group_rank() const { return rank_; }
  unsigned long long meta_group_size() const { return size_; }

 private:
  unsigned long long rank_, size_;
};

template <unsigned int Size, class ParentT>
thread_block_tile<Size, ParentT>::operator thread_block_tile<Size, void>() const {
  return {meta_group_rank(), meta_group_size()};
}

template <unsigned int Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {};
}

template <unsigned int Size, unsigned int ParentSize, class GrandParent>
thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>> tiled_partition(
    const thread_block_tile<ParentSize, GrandParent>&) {
  static_assert(Size <= ParentSize, "Tile size needs to be less or equal than parent size");
  return {};
}

}  // namespace cooperative_groups
