// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_shares.cuh>

namespace gpuprim::detail {

// Segments that are cut into parts, for operators that commute: a segment has a mailbox for each, and the block that
// begins its last part joins them. That one need not wait for a part that nobody has begun.

/// Where parts meet, in a zeroed buffer that is zero again after the launch.
template <class Acc>
struct segment_parts_state {
  mailbox<Acc>* mailboxes;  ///< of parts
  unsigned* arrivals;       ///< of segments
  unsigned* drawn;          ///< segments, or parts

  /// Parts that a block takes, about: fewer where mail is large.
  static constexpr bool is_small = sizeof(Acc) <= 8;
  static constexpr int few_per_block = is_small ? segmented_policy::few_parts_per_block : 1;
  static constexpr int most_per_block = is_small ? segmented_policy::most_parts_per_block : 1;
  static constexpr std::int64_t most_parts(std::int64_t segments, std::int64_t blocks) {
    return segments + blocks * most_per_block;
  }
  static constexpr std::int64_t bytes(std::int64_t segments, std::int64_t blocks) {
    return 64 + most_parts(segments, blocks) * std::int64_t(sizeof(mailbox<Acc>)) + segments * 4;
  }
  static segment_parts_state lay_over(void* buffer, std::int64_t segments, std::int64_t blocks) {
    auto* const boxes = reinterpret_cast<mailbox<Acc>*>(static_cast<char*>(buffer) + 64);
    return {boxes, reinterpret_cast<unsigned*>(boxes + most_parts(segments, blocks)), static_cast<unsigned*>(buffer)};
  }
};

/// A part of a segment: its values, its number among the parts of all, and where it stands in its own.
struct segment_part {
  std::int64_t begin, end;
  int number, segment, index, count;
};

/// How many parts of the segment have been begun before this one; known to rank 0.
template <class Acc>
__device__ __forceinline__ unsigned begin_part(const segment_part& own, const segment_parts_state<Acc>& state) {
  if (own.count == 1 || this_block::thread_rank() != 0) return 0;
  return atomicInc(&state.arrivals[own.segment], unsigned(own.count - 1));
}

/// Writes a segment that is one part, or mails what comes of a part, `total` of rank 0. Where it was begun last, a warp
/// joins all while the others go on, or the block where they are many.
template <int BlockSize, class Acc, class Put>
__device__ __forceinline__ void put_part(const segment_part& own, unsigned before, const Acc& total,
                                         const Put& put, const segment_parts_state<Acc>& state) {
  constexpr int most_by_warp = 8 * warp_size;
  GPUPRIM_SHARED(joins, bool);
  const this_block block;
  const monoid<Acc, std::remove_cv_t<decltype(put.op)>> join{put.op};
  const int rank = int(block.thread_rank());
  if (own.count == 1) {
    if (rank == 0) put(own.segment, own.begin < own.end, total);
    return;
  }
  if (rank == 0) state.mailboxes[own.number].send(total);
  mailbox<Acc>* const boxes = state.mailboxes + (own.number - own.index);
  const unsigned last = unsigned(own.count - 1);
  auto all = join.empty();
  if (own.count <= most_by_warp) {
    if (rank >= warp_size || detail::shuffle(warp_tile<warp_size>{}, before, 0) != last) return;
    all = join_mail<warp_size, 8>(boxes, own.count, join);
  } else {
    if (rank == 0) joins = before == last;
    block.sync();
    if (!joins) return;
    all = join_mail<BlockSize, 8>(boxes, own.count, join);
  }
  if (rank == 0) put(own.segment, true, join.unwrap(all));
}

}  // namespace gpuprim::detail
