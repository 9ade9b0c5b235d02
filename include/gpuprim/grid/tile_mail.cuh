// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/grid/mailbox.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// What a row of tiles has behind its last boundary, joined, and how many boundaries it has.
template <class T>
struct open_part {
  maybe<T> value;
  unsigned boundaries;

  /// What a mailbox holds: the value, and the boundaries as its note.
  template <class Mail>
  static __device__ open_part from(const mailbox<Mail>& got) {
    return {maybe<T>(detail::convert<T>(got.value())), got.note()};
  }
};

/// Joins two neighbouring rows. Nothing goes across a boundary.
template <class T, class Op>
struct join_open_parts {
  using value_type = open_part<T>;
  Op op;

  static __device__ open_part<T> empty() { return {}; }
  __device__ open_part<T> operator()(const open_part<T>& a, const open_part<T>& b) const {
    const auto value = b.boundaries != 0 ? b.value : maybe_monoid<T, Op>{op}(a.value, b.value);
    return {value, a.boundaries + b.boundaries};
  }
};

/// What blocks share that take one tile each. A tile has a mailbox for each tile before it; one block writes it and
/// one reads and empties it. So one round trip is enough, where nodes of sums take two, nobody has to count who is
/// done, and no two blocks poll one line. It takes memory for the square of the number of tiles. All of it is zero
/// before a launch and after it. A tile waits only for tiles with smaller tickets, so that not all blocks need be
/// resident.
template <element Mail>
struct tile_mail {
  using box = mailbox<Mail>;
  /// With more tiles, all that they send each other takes longer than a second round trip.
  static constexpr std::int64_t most_tiles = 256;

  unsigned* next;  ///< the tile to be handed out
  box* boxes;

  static constexpr std::int64_t bytes(std::int64_t tiles) { return 64 + tiles * tiles * std::int64_t(sizeof(box)); }
  static tile_mail lay_over(void* buffer, std::int64_t) {
    auto* const head = static_cast<unsigned*>(buffer);
    return {head, reinterpret_cast<box*>(head + 16)};
  }

  /// Draws a ticket. One thread of each block of the grid calls it, once; the last one brings it back to 0.
  __device__ int take() const { return int(atomicInc(next, gridDim.x - 1)); }

  /// Publishes what a tile has behind its last boundary, and how many boundaries it has. Returns what lies between the
  /// last boundary before the tile and the tile, and how many boundaries all tiles before it have. A whole block calls
  /// it, once.
  template <int BlockSize, class T, class Op>
  __device__ open_part<T> meet(int tile, const Mail& value, unsigned count, const Op& op) const {
    return exchange<BlockSize>(tile, value, count, join_open_parts<T, Op>{op},
                               [](const box& got) { return open_part<T>::from(got); });
  }

  /// Sends a tile's value, and a note, to all tiles behind it. Returns what those before it have sent, opened and
  /// joined in their order. A whole block calls it, once.
  template <int BlockSize, class Join, class Open>
  __device__ auto exchange(int tile, const Mail& value, unsigned note, const Join& join, const Open& open) const {
    const int tiles = int(gridDim.x);
    for (int to = tile + 1 + int(this_block::thread_rank()); to < tiles; to += BlockSize) {
      boxes[to * tiles + tile].send(value, note);
    }
    return receive<BlockSize>(boxes + tile * tiles, tile, join, open);
  }

 private:
  /// Waits for `expected` mailboxes, empties them and joins their values.
  template <int BlockSize, class Join, class Open>
  static __device__ auto receive(box* from, int expected, const Join& join, const Open& open) {
    using part_type = typename Join::value_type;
    constexpr int share = (int(most_tiles) + BlockSize - 1) / BlockSize, warps = BlockSize / warp_size;
    GPUPRIM_SHARED(of_warps, shared_array<part_type, warps>);
    const int rank = int(this_block::thread_rank()), own = expected - rank * share;
    from += rank * share;
    box got[share] = {};
    box::look_at_all(got, [&](int i) -> const box& { return from[i]; }, [&](int i) { return i < own; });
    part_type part = Join::empty();
#pragma unroll
    for (int i = 0; i < share; ++i) {
      if (i >= own) continue;
      from[i].empty();
      part = join(part, open(got[i]));
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

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
