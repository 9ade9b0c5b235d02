// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

namespace gpuprim::inline v0_2_0 {

/// Blocks on a multiprocessor: as many as its registers and threads allow.
inline constexpr int as_many_as_fit = 0;

/// The shape of a reduce kernel. `loads_per_thread` wide loads of a thread are in flight at once. No more than
/// `blocks_per_multiprocessor` blocks share a multiprocessor, those of a next kernel that starts early included.
struct reduce_policy {
  int block_size;
  int loads_per_thread;
  int blocks_per_multiprocessor = as_many_as_fit;

  friend constexpr bool operator==(const reduce_policy&, const reduce_policy&) = default;

  /// Bytes that a block reads at once.
  constexpr long long block_bytes(int bytes_per_load) const {
    return static_cast<long long>(block_size) * loads_per_thread * bytes_per_load;
  }
  /// The kernel of this shape with its multiprocessors full.
  constexpr reduce_policy filling() const { return {.block_size = block_size, .loads_per_thread = loads_per_thread}; }
};

// A program holds the kernel of every shape that a call may choose, so shapes are few: see docs/lab/reduce.md, Figures
// that stood in the code. A block is alone on its multiprocessor, because early blocks of the next kernel would
// otherwise fill some multiprocessors and leave others empty.

/// Starts fastest.
inline constexpr reduce_policy small_reduce_policy{
    .block_size = 256, .loads_per_thread = 4, .blocks_per_multiprocessor = 1};
/// Has more loads in flight, and still small units, which spread evenly over the blocks.
inline constexpr reduce_policy middle_reduce_policy{
    .block_size = 256, .loads_per_thread = 8, .blocks_per_multiprocessor = 1};
/// Has enough in flight for the bandwidth of device memory.
inline constexpr reduce_policy medium_reduce_policy{
    .block_size = 512, .loads_per_thread = 8, .blocks_per_multiprocessor = 1};
/// Reads as much as the medium shape with half the threads, because values of several words take long to join.
inline constexpr reduce_policy wide_reduce_policy{
    .block_size = 256, .loads_per_thread = 16, .blocks_per_multiprocessor = 1};

/// What a kernel does with what it loads, as far as its shape depends on it.
enum class reduce_work {
  plain,          ///< joins short elements as they are
  grouped,        ///< three loads bring several elements
  costly,         ///< takes long for a load or many registers
  long_elements,  ///< an element takes two loads or more
};

/// Elements of as many bytes are long.
inline constexpr int least_long_element_bytes = 32;

/// Few long elements: small blocks with a fixed number of bytes for each thread leave few values to join.
constexpr reduce_policy few_long_reduce_policy(int element_bytes) {
  return {.block_size = 128,
          .loads_per_thread = element_bytes < 64    ? 4
                              : element_bytes < 128 ? 2
                                                    : 1,
          .blocks_per_multiprocessor = 1};
}
/// Many long elements: as many bytes in flight as there are registers for them.
constexpr reduce_policy many_long_reduce_policy(int element_bytes) {
  return {.block_size = 256,
          .loads_per_thread = element_bytes <= 32   ? 8
                              : element_bytes < 128 ? 4
                              : element_bytes < 256 ? 2
                                                    : 1,
          .blocks_per_multiprocessor = 1};
}

/// Small blocks, up to about one for each multiprocessor: with more of them a block would have a second round of
/// loads.
inline constexpr long long most_small_blocks = 128;
/// Middle blocks, about three for each multiprocessor: then loads in flight count for more than an even last round.
inline constexpr long long most_middle_blocks = 416;
/// Medium or wide blocks, about 32 for each multiprocessor, from which on multiprocessors are filled: passes are so
/// long that the start of the next one does not matter.
inline constexpr long long least_filling_blocks = 4096;
/// Bytes of long elements up to which they are few: then fewer values to join save more than bytes in flight.
inline constexpr long long most_few_long_bytes = 3 << 19;

/// The shapes for one type of input, by size, of which some may be equal.
struct reduce_shapes {
  reduce_policy least, middle, medium, large;
  int bytes_per_load;
  reduce_work work;

  constexpr reduce_policy choose(long long input_bytes) const {
    if (work == reduce_work::long_elements) return input_bytes <= most_few_long_bytes ? least : large;
    const auto bytes = [this](const reduce_policy& shape) { return shape.block_bytes(bytes_per_load); };
    // One block, the smallest that reads all at once.
    if (input_bytes <= bytes(least)) return least;
    if (input_bytes <= bytes(middle)) return middle;
    if (input_bytes <= bytes(medium)) return medium;
    if (input_bytes <= most_small_blocks * bytes(least)) return least;
    if (input_bytes <= most_middle_blocks * bytes(middle_reduce_policy)) return middle;
    return input_bytes < least_filling_blocks * bytes(medium) ? medium : large;
  }
};

constexpr reduce_shapes find_reduce_shapes(reduce_work work, int element_bytes) {
  if (work == reduce_work::long_elements) {
    const reduce_policy few = few_long_reduce_policy(element_bytes), many = many_long_reduce_policy(element_bytes);
    return {.least = few, .middle = many, .medium = many, .large = many, .bytes_per_load = element_bytes, .work = work};
  }
  const reduce_policy medium = work == reduce_work::grouped ? wide_reduce_policy : medium_reduce_policy;
  return {.least = small_reduce_policy,
          .middle = work == reduce_work::plain ? middle_reduce_policy : medium,
          .medium = medium,
          .large = medium.filling(),
          .bytes_per_load = work == reduce_work::grouped ? 12 : 16,
          .work = work};
}

}  // namespace gpuprim
