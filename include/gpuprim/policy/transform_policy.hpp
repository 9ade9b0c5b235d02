// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// The launch shape of a streaming pass. Each thread takes packets of elements, one in each round, and has requested
/// all of them before it computes the first.
struct transform_policy {
  int block_size;
  int thread_bytes;   ///< of input that a thread requests at once
  int written_bytes;  ///< of output that it writes where there is no input
  int most_items;     ///< elements of a thread, each of which is a call of the function in the code
  int spread_blocks;  ///< of one round, that each multiprocessor has before blocks take more rounds

  friend constexpr bool operator==(const transform_policy&, const transform_policy&) = default;
};

// One load a thread is enough where all threads of a multiprocessor have one: memory then sees requests of neighbouring
// blocks side by side. See docs/lab/transform.md.
inline constexpr transform_policy tuned_transform_policy{
    .block_size = 256, .thread_bytes = 16, .written_bytes = 16, .most_items = 32, .spread_blocks = 4};

/// For passes that write nothing: a block of them would read too little for the time that it takes to start.
inline constexpr transform_policy tuned_read_policy{
    .block_size = 256, .thread_bytes = 32, .written_bytes = 16, .most_items = 32, .spread_blocks = 4};

/// For passes without an input. They need fewer and larger blocks, of which only so many start in a time.
inline constexpr transform_policy tuned_fill_policy{
    .block_size = 512, .thread_bytes = 16, .written_bytes = 16, .most_items = 32, .spread_blocks = 4};

/// For functions that access memory where their elements say: neighbouring lanes take neighbouring elements.
inline constexpr transform_policy tuned_gather_policy{
    .block_size = 256, .thread_bytes = 64, .written_bytes = 64, .most_items = 3, .spread_blocks = 8};

/// For functions that wait for memory many times over, as a search does: more threads wait at the same time.
inline constexpr transform_policy tuned_search_policy{
    .block_size = 128, .thread_bytes = 1, .written_bytes = 1, .most_items = 1, .spread_blocks = 16};

/// The launch shape of a copy of many ranges. Each thread takes packets of up to 16 bytes.
struct batch_policy {
  int block_size;
  int most_packets;  ///< of a thread in a tile, for which a block searches its ranges once

  friend constexpr bool operator==(const batch_policy&, const batch_policy&) = default;
};

inline constexpr batch_policy tuned_batch_policy{.block_size = 256, .most_packets = 8};

/// The order of the tiles of a transposition. Tiles that are under way at the same time should lie side by side in the
/// input and in the output alike: blocks go along bands of so many rows of tiles.
struct transpose_policy {
  int band_tiles;
  int most_thin;  ///< rows or columns up to which tiles have all of them

  friend constexpr bool operator==(const transpose_policy&, const transpose_policy&) = default;
};

inline constexpr transpose_policy tuned_transpose_policy{.band_tiles = 16, .most_thin = 32};

}  // namespace gpuprim
