// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/grid/open_part.cuh>

namespace gpuprim::detail {

/// What blocks share that take one tile each. A tile has a mailbox for what each tile before it in its group of 256
/// leaves open, and for each group before that: whoever it comes from writes it once, and it empties it. So nobody has
/// to count when all have looked, and none looks where others do. All of it is zero before a launch and after it. A
/// tile waits only for tiles that were handed out before it, so that a block may be alone on the GPU.
template <element Mail>
struct tile_mail {
  using box = mailbox<Mail>;
  static constexpr int group_size = 256;
  static constexpr std::int64_t most_tiles = group_size * group_size;

  unsigned* next;  ///< tile to be handed out
  box* boxes;

  static constexpr std::int64_t bytes(std::int64_t tiles) {
    return 64 + tiles * boxes_of_tile(tiles) * std::int64_t(sizeof(box));
  }
  static tile_mail lay_over(void* buffer, std::int64_t) {
    auto* const head = static_cast<unsigned*>(buffer);
    return {head, reinterpret_cast<box*>(head + 16)};
  }

  /// Called once by each block of the grid.
  __device__ int take_tile() const { return int(atomicInc(next, gridDim.x - 1)); }  // back to 0 with the last one

  /// Tells what a tile leaves open, and how many boundaries it has. Returns what all tiles before it leave open, and
  /// how many boundaries they have. A whole block calls it, once: one trip, or two if there are several groups, of
  /// which the last tile tells those behind what the group leaves.
  template <int BlockSize, class T, class Op>
  __device__ open_part<T> meet(int tile, const Mail& value, unsigned count, const Op& op) const {
    const join_open_parts<T, Op> join{op};
    const int rank = int(this_block::thread_rank()), tiles = int(gridDim.x);
    const int group = tile / group_size, place = tile % group_size, group_end = tile - place + group_size;
    for (int to = tile + 1 + rank; to < tiles && to < group_end; to += BlockSize) {
      box_of(to, place)->send(value, count);
    }
    open_part<T> before{};
#pragma unroll 1
    for (int level = 0; level < (group > 0 ? 2 : 1); ++level) {
      const bool in_group = level == 0;
      const auto part = receive<BlockSize, T>(box_of(tile, in_group ? 0 : group_size), in_group ? place : group, op);
      before = join(part, before);
      if (in_group && tile == group_end - 1) {
        const auto whole = join(before, open_part<T>{maybe<T>(static_cast<T>(value)), count});
        for (int to = group_end + rank; to < tiles; to += BlockSize) {
          box_of(to, group_size + group)->send(static_cast<Mail>(whole.value.value), whole.boundaries);
        }
      }
      this_block::sync();
    }
    return before;
  }

 private:
  GPUPRIM_HOST_DEVICE static constexpr std::int64_t boxes_of_tile(std::int64_t tiles) {
    return (tiles < group_size ? tiles : group_size) + (tiles - 1) / group_size;
  }
  __device__ box* box_of(int tile, int from) const { return boxes + tile * boxes_of_tile(gridDim.x) + from; }

  /// Waits for the first `expected` of 256 mailboxes, empties them and joins what was in them.
  template <int BlockSize, class T, class Op>
  static __device__ open_part<T> receive(box* from, int expected, const Op& op) {
    constexpr int share = (group_size + BlockSize - 1) / BlockSize, warps = BlockSize / warp_size;
    GPUPRIM_SHARED(of_warps, shared_array<open_part<T>, warps>);
    const join_open_parts<T, Op> join{op};
    const int rank = int(this_block::thread_rank()), own = expected - rank * share;
    from += rank * share;
    box got[share] = {};
    box::look_at_all(
        got, [&](int i) -> const box& { return from[i]; }, [&](int i) { return i < own; });
    open_part<T> part{};
#pragma unroll
    for (int i = 0; i < share; ++i) {
      if (i >= own) continue;
      from[i].empty();
      part = join(part, open_part<T>::from(got[i]));
    }
    part = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, part, join);
    if (rank % warp_size == 0) of_warps[rank / warp_size] = part;
    this_block::sync();
    part = of_warps[0];
#pragma unroll
    for (int i = 1; i < warps; ++i) part = join(part, of_warps[i]);
    return part;
  }
};

}  // namespace gpuprim::detail
