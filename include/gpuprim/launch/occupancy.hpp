// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/rounding.hpp>

namespace gpuprim::inline v0_2_0 {

/// What a multiprocessor can hold. The values here are those of compute capability 7.0 and 9.0, without shared
/// memory.
struct multiprocessor_limits {
  int threads = 2048,             ///< resident threads
      blocks = 32,                ///< resident blocks
      registers = 65536;          ///< of 32 bits
  int shared_bytes = 0,           ///< in all
      reserved_shared_bytes = 0;  ///< what every block takes besides its own
  int shared_unit = 128;          ///< shared memory is handed out in multiples of it
};

/// What keeps one more block from a multiprocessor.
enum class occupancy_limiter { threads, block_slots, registers, shared_memory };

/// The words that `launch_plan::print` writes.
constexpr const char* name_of(occupancy_limiter what) {
  constexpr const char* names[] = {"threads", "block slots", "registers", "shared memory"};
  return names[int(what)];
}

/// How many blocks of a kernel a multiprocessor holds, and why no more.
struct occupancy {
  /// Blocks on a multiprocessor; 0 if not even one fits.
  int blocks;
  /// The first limit that is reached.
  occupancy_limiter limiter;
  double of_threads;  ///< resident threads over the most that there can be, 0 to 1
};

/// Computes the theoretical occupancy of a kernel by hand: the least of what its threads, its block slots, its
/// registers and its shared memory allow.
///
/// @pre   `block_size` from 1 to 1024, `registers_per_thread` at least 1.
/// @sync  none.
/// @order none.
/// @cost  constexpr.
/// @return blocks on a multiprocessor, 0 if not even one fits, and the first limit that is reached.
/// @source the occupancy chapter of NVIDIA's "CUDA C++ Best Practices Guide".
/// @example examples/course/06_02_occupancy.cu
constexpr occupancy find_occupancy(const multiprocessor_limits& sm, int block_size, int registers_per_thread,
                                   int shared_bytes) {
  const int warps = detail::align_up(block_size, warp_size) / warp_size;
  occupancy found{sm.threads / warp_size / warps, occupancy_limiter::threads, 0};
  const auto limit = [&](int blocks, occupancy_limiter by) {
    if (blocks < found.blocks) found = {blocks, by, 0};
  };
  limit(sm.blocks, occupancy_limiter::block_slots);
  // Registers are handed out 256 at a time to a warp, and warps come in fours: one for each scheduler.
  const int registers_of_warp = detail::align_up(registers_per_thread * warp_size, 256);
  limit(sm.registers / registers_of_warp / 4 * 4 / warps, occupancy_limiter::registers);
  const int shared_of_block = detail::align_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared_of_block > 0) limit(sm.shared_bytes / shared_of_block, occupancy_limiter::shared_memory);
  found.of_threads = double(found.blocks) * warps * warp_size / sm.threads;
  return found;
}

namespace detail {

/// Dynamic shared memory with which a multiprocessor of `multiprocessor_bytes` holds at most `most_blocks` of a
/// kernel with `static_bytes` of its own, at least one. Both together are a little more than the part of each of one
/// block more. Shared memory is handed out in units of up to 256 bytes, on compute capability 7.5.
constexpr int find_reserved_bytes(int multiprocessor_bytes, int most_blocks, int static_bytes) {
  constexpr int unit = 256;
  const int part = (multiprocessor_bytes / (most_blocks + 1) + unit - 1) / unit * unit;
  const int own = (static_bytes - 1) / unit * unit;
  return own < part ? part - own : 0;
}

}  // namespace detail
}  // namespace gpuprim
