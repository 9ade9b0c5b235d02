// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// As `digit_look_back`, for several passes over the tiles of many segments. The words of a tile lie in one of
/// `slot_count` slots, which tiles use one after the other, in the order in which they are taken. A word also says how
/// often its slot has been used, so that the words need not be cleared in between. The look-back ends at the first tile
/// of the segment.
template <int Bins>
struct segment_look_back {
  static constexpr int turn_shift = 48;  ///< behind 47 bits of a count, and one that says of what
  static constexpr std::uint64_t of_all = std::uint64_t{1} << (turn_shift - 1);

  std::uint64_t* words;  ///< Bins for each slot, 0 before the first use
  unsigned slot_count;
  unsigned slot, turn;  ///< of the tile: `turn` is 1 or more

  /// For the tile that is taken as number `taken`.
  __device__ segment_look_back(std::uint64_t* all_words, unsigned all_slots, unsigned taken)
      : words(all_words), slot_count(all_slots), slot(taken % all_slots), turn(taken / all_slots + 1) {}

  /// One thread of the block calls it for each digit, and later `sum_before`. Tiles before must have been taken.
  /// `index`: of the tile in its segment.
  __device__ void publish(int index, int digit, unsigned count) const {
    store(digit, index == 0 ? of_all | count : count);
  }
  __device__ std::uint64_t sum_before(int index, int digit, unsigned count) const {
    if (index == 0) return 0;
    std::uint64_t sum = 0;
    for (unsigned before = slot, of_turn = turn;;) {
      if (before == 0) {
        before = slot_count;
        --of_turn;
      }
      --before;
      std::uint64_t word;
      do {
        word = ptx::load_relaxed(word_of(before, digit));
      } while (word >> turn_shift != of_turn);
      sum += word & (of_all - 1);
      if ((word & of_all) != 0) break;
    }
    store(digit, of_all | (sum + count));
    return sum;
  }

 private:
  __device__ std::uint64_t* word_of(unsigned at, int digit) const { return words + std::int64_t(at) * Bins + digit; }
  __device__ void store(int digit, std::uint64_t count) const {
    ptx::store_relaxed(word_of(slot, digit), std::uint64_t(turn) << turn_shift | count);
  }
};

/// The slots of the look-back as tiles use them in turn. Where tiles have no slot each, a tile waits until the tiles of
/// the part two before its own, and of the part three before, are sorted. So its look-back ends three parts before its
/// own at the latest, and none that is left looks at the part four before, whose slots it uses.
struct look_back_turns {
  static constexpr int parts = 4, counters = 8;

  unsigned* sorted;  ///< tiles, in a counter for each of so many neighbouring parts
  unsigned slot_count;
  bool are_shared;

  __device__ look_back_turns(unsigned* counts, unsigned most_slots, unsigned tiles)
      : sorted(counts), slot_count(tiles < most_slots ? tiles : most_slots), are_shared(slot_count < tiles) {}
  __device__ unsigned part() const { return slot_count / parts; }
  __device__ void wait(unsigned taken) const {
    if (!are_shared) return;
    const unsigned own = taken / part();
    for (unsigned before = 2; before <= 3 && before <= own; ++before) {
      const unsigned other = own - before, turn = other / counters + 1;
      while (ptx::load_acquire(&sorted[other % counters]) < turn * part()) {
      }
    }
  }
  __device__ void finish(unsigned taken) const {
    if (are_shared) ptx::add_release(&sorted[taken / part() % counters], 1);
  }
};

}  // namespace gpuprim::detail
