// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/grid/mailbox.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Whether a tile needs its prefix, or only has to publish the sums that end with it.
enum class prefix_use { wanted, unwanted };

/// What tiles have behind their last boundary, and the prefix of any tile: what lies between the last boundary before
/// it and the tile, that of the tile with the boundary included. Over the tiles stands a tree of nodes, each of which
/// sums up 32 below it; the prefix of a tile is made of at most 31 nodes of each level, one a lane. No sum goes from
/// tile to tile, nobody carries one, and which values are joined in what order depends on the tile's number alone: the
/// result is the same bits in every run. The tile that a node ends with publishes it. A tile waits only for tiles
/// before it.
///
/// @pre Every tile is published, and `before` is called at least for those for which `ends_node` holds. A tile that
///      wants its prefix has a boundary itself, or is the last one. Op is associative; it need not commute.
template <element T>
struct tile_prefix {
  using box = mailbox<T>;
  static constexpr int level_bits = 5;

  template <class Op>
  using join = maybe_monoid<T, Op>;
  template <class Op>
  using prefix = typename join<Op>::value_type;

  box* nodes;  ///< level after level, each as many as are complete; the note says whether there is a boundary
  int tiles;

  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_nodes(std::int64_t tiles) {
    std::int64_t count = 0;
    for (; tiles > 0; tiles >>= level_bits) count += tiles;
    return count;
  }
  static constexpr std::int64_t bytes(std::int64_t tiles) { return count_nodes(tiles) * std::int64_t(sizeof(box)); }
  static tile_prefix lay_over(void* buffer, std::int64_t tiles) { return {static_cast<box*>(buffer), int(tiles)}; }

  /// Whether a node ends with the tile, which has to call `before` then.
  GPUPRIM_HOST_DEVICE static constexpr bool ends_node(int tile) { return (tile + 1) % warp_size == 0; }

  /// Publishes what a tile has behind its last boundary, or all of it if it has none. One thread calls it.
  __device__ void publish(int tile, const T& aggregate, int boundaries) const {
    level_nodes at = bottom(tile);
    at.own().send(aggregate, boundaries > 0 ? 1 : 0);
    // With a boundary, what lies before makes no difference to the nodes that end with the tile.
    for (bool ends = boundaries > 0 && at.ends_parent(); ends; ends = at.ends_parent()) {
      at = at.parents();
      at.own().send(aggregate, 1);
    }
  }

  /// What a lane has seen of nodes, and of the tile just before.
  struct asked {
    box got, just_before;
  };
  /// Asks for the nodes that `before` needs first. A whole warp calls it, and `before` later, for the same tile.
  __device__ asked ask(int tile) const {
    asked a{};
    if (tile > 0) a.just_before = nodes[tile - 1].look();
    a.got = look(bottom(tile));
    return a;
  }

  /// Waits for the nodes before a tile that has been published, and publishes those that end with it. Returns the
  /// tile's exclusive prefix in all lanes: nothing where no tile is before it; unspecified where it is unwanted.
  template <class Op>
  __device__ prefix<Op> before(asked a, int tile, prefix_use use, const Op& op) const {
    if (use == prefix_use::wanted && tile > 0) {  // with short runs the tile just before is enough
      while (!__all_sync(0xffffffffu, a.just_before.is_complete())) a.just_before = nodes[tile - 1].look();
      if (a.just_before.note() != 0) return prefix<Op>(a.just_before.value());
    }
    sum<Op> all = {join<Op>::empty(), false}, own = all;
    bool ends = false;
#pragma unroll 1
    for (level_nodes at = bottom(tile); at.index > 0; at = at.parents()) {
      if (!at.is_bottom) a.got = look(at);
      if (at.is_bottom && at.ends_parent()) {
        own = read_own<Op>(a.got, at);
        ends = !own.has_boundary;  // `publish` has published the nodes else
      }
      const bool needs_all = use == prefix_use::wanted && !all.has_boundary, needs_own = ends && !own.has_boundary;
      const sum<Op> level = needs_all || needs_own ? join_level(a.got, at, op) : all;
      if (needs_all) all = join_sums(level, all, op);
      if (needs_own) own = join_sums(level, own, op);
      if (ends && ptx::lane() == 0) at.parents().own().send(join<Op>::unwrap(own.value), own.has_boundary ? 1 : 0);
      ends = ends && at.parents().ends_parent();
      if (!ends && (all.has_boundary || use == prefix_use::unwanted)) return all.value;
    }
    return all.value;
  }

  /// Clears all nodes. A whole block calls it when nobody reads them any more.
  __device__ void clear(int all_tiles) const {
    const int threads = int(this_block::size());
    for (box* at = nodes + this_block::thread_rank(); at < nodes + count_nodes(all_tiles); at += threads) {
#pragma unroll
      for (int i = 0; i < box::words; ++i) at->packets[i] = 0;
    }
  }

 private:
  /// The nodes of a level, as a tile sees them: `index` is the one that it lies in, or is.
  struct level_nodes {
    box* first;
    int count;
    int index;
    bool is_bottom;

    __device__ box& own() const { return first[index]; }
    __device__ int before() const { return index % warp_size; }  ///< nodes of the same parent
    __device__ bool ends_parent() const { return before() == warp_size - 1; }
    __device__ level_nodes parents() const { return {first + count, count >> level_bits, index >> level_bits, false}; }
    /// Whether the lane has a node to look at: one before, or the tile itself, if a node ends with it.
    __device__ bool has_lane() const { return int(ptx::lane()) < before() + (is_bottom && ends_parent() ? 1 : 0); }
    __device__ const box& of_lane() const { return first[index - before() + int(ptx::lane())]; }
  };
  __device__ level_nodes bottom(int tile) const { return {nodes, tiles, tile, true}; }

  static __device__ box look(const level_nodes& at) { return at.has_lane() ? at.of_lane().look() : box{}; }

  template <class Op>
  struct sum {
    prefix<Op> value;
    bool has_boundary;
  };
  /// `b` has no boundary.
  template <class Op>
  static __device__ sum<Op> join_sums(const sum<Op>& a, const sum<Op>& b, const Op& op) {
    return {join<Op>{op}(a.value, b.value), a.has_boundary};
  }

  /// What the tile itself has published, which ends a node.
  template <class Op>
  static __device__ sum<Op> read_own(box& got, const level_nodes& at) {
    const bool is_own = ptx::lane() == warp_size - 1;
    while (__any_sync(0xffffffffu, is_own && !got.is_complete())) {
      if (is_own) got = at.of_lane().look();
    }
    const warp_tile<warp_size> warp;
    const T value = detail::shuffle(warp, got.value(), warp_size - 1);
    return {prefix<Op>(value), __any_sync(0xffffffffu, is_own && got.note() != 0) != 0};
  }

  /// Joins the nodes of a level before the tile's own, back to the last boundary. It does not wait for those before
  /// that.
  template <class Op>
  static __device__ sum<Op> join_level(box got, const level_nodes& at, const Op& op) {
    const int lane = int(ptx::lane()), before = at.before();
    if (before == 0) return {join<Op>::empty(), false};
    const unsigned existing = 0xffffffffu >> (warp_size - before);
    unsigned boundaries, needed;
    while (true) {
      const bool is_complete = got.is_complete();
      const unsigned arrived = __ballot_sync(0xffffffffu, is_complete);
      boundaries = __ballot_sync(0xffffffffu, is_complete && got.note() != 0) & existing;
      needed = existing;
      if (boundaries != 0) needed &= 0xffffffffu << (warp_size - 1 - __clz(int(boundaries)));
      if ((arrived & needed) == needed) break;
      if (lane < before && !is_complete) got = at.of_lane().look();
    }
    const warp_tile<warp_size> warp;
    prefix<Op> value = join<Op>::empty();
    if (needed >> lane & 1) value = prefix<Op>(got.value());
    value = gpuprim::warp_all_reduce(warp, value, join<Op>{op});
    return {value, boundaries != 0};
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
