// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// A launch shape of a radix sort.
struct sort_policy {
  int block_size = 0;                 ///< 0: there is no such shape
  int blocks_per_multiprocessor = 1;  ///< that registers must leave room for
  int lane_bytes = 0;                 ///< of keys and their values that a thread takes of a tile
  int digit_bits = 8;                 ///< by which a pass sorts; at most one digit for each thread
  int most_items = 16;                ///< of short ones

  friend constexpr bool operator==(const sort_policy&, const sort_policy&) = default;
};

/// The shapes of a radix sort. With `few` one block holds the keys while they are sorted, or one cluster of at most
/// `cluster_blocks` blocks, a power of two; there are more of them as long as each has `cluster_items` keys, and keys
/// and the places of their values take at most `cluster_bytes`. Else each pass over memory sorts the keys by one digit,
/// in tiles of `several` if there are at most `several_tiles`, and of `many` for more keys; `counts` counts the digits
/// before. A launch of a pass takes at most `part_bytes` of keys: what its tiles tell each other takes memory.
struct sort_policies {
  sort_policy few{}, several{}, many{}, counts{};
  int cluster_blocks = 1, cluster_items = 0, cluster_bytes = 0, several_tiles = 0;
  long long part_bytes = 0;

  friend constexpr bool operator==(const sort_policies&, const sort_policies&) = default;
};

// All members are named: nvcc with clang behind it makes zeros of what stands between others and is left out.
// The small tiles of several leave no multiprocessor without one.
inline constexpr sort_policies tuned_sort_policies{
    .few = {.block_size = 512, .blocks_per_multiprocessor = 1, .lane_bytes = 32, .digit_bits = 8, .most_items = 8},
    .several = {.block_size = 256, .blocks_per_multiprocessor = 4, .lane_bytes = 72, .digit_bits = 8, .most_items = 15},
    .many = {.block_size = 512, .blocks_per_multiprocessor = 2, .lane_bytes = 108, .digit_bits = 8, .most_items = 15},
    .counts = {.block_size = 512, .blocks_per_multiprocessor = 4, .lane_bytes = 32, .digit_bits = 8, .most_items = 8},
    .cluster_blocks = 16,
    .cluster_items = 1024,
    .cluster_bytes = 256 << 10,
    .several_tiles = 176,
    .part_bytes = 256LL << 20,
};

/// So many keys of so many bytes, 1 or 2, are sorted by counting.
template <int KeyBytes>
inline constexpr long long tuned_counting_keys = KeyBytes == 1 ? 1LL << 20 : 24LL << 20;

/// The shapes of a sort of keys by buckets. Keys that are spread evenly have buckets of `even_keys`, and others of
/// `uneven_keys` as far as a sample shows, unless these are more than `most_buckets`. More keys than `one_look_keys`
/// have a sample of twice the size. Up to `one_pass_keys` one pass parts the keys, in at most 1024 buckets, and else
/// two. A pass takes `pass_bytes` of keys for each thread, and an only pass `only_pass_bytes`. A block that sorts a
/// bucket, or some neighbours, takes `end_bytes`.
struct bucket_policy {
  long long most_keys = 0, one_pass_keys = 0, one_look_keys = 0;
  int even_keys = 0, uneven_keys = 0, most_buckets = 0;
  int pass_bytes = 0, pass_blocks_per_multiprocessor = 1;
  int only_pass_bytes = 0, only_pass_blocks_per_multiprocessor = 1;
  int end_bytes = 0, end_blocks_per_multiprocessor = 1;

  friend constexpr bool operator==(const bucket_policy&, const bucket_policy&) = default;
};

/// For keys of so many bytes, and values if there are any.
constexpr bucket_policy choose_bucket_policy(int key_bytes, int value_bytes = 0) {
  const bool are_pairs = value_bytes > 0;
  return {
      .most_keys = 0xffffffffLL,
      .one_pass_keys = are_pairs ? 1LL << 20 : 4LL << 20,
      .one_look_keys = 2LL << 20,
      .even_keys = are_pairs ? 4096 : 8192,
      .uneven_keys = are_pairs ? 2048 : 1536,
      .most_buckets = 48 << 10,
      .pass_bytes = key_bytes > 4 ? 128 : 88,
      .pass_blocks_per_multiprocessor = 2,
      .only_pass_bytes = key_bytes > 4 ? 64 : 48,
      .only_pass_blocks_per_multiprocessor = 2,
      .end_bytes = are_pairs       ? (key_bytes > 4 || value_bytes > 4 ? 128 : 80)
                   : key_bytes > 4 ? 160
                                   : 80,
      .end_blocks_per_multiprocessor = 2,
  };
}

/// Lanes of a warp that sort a segment, each with as many keys; of keys or values of more than 8 bytes fewer.
struct segment_tile_policy {
  int lanes = 1;  ///< a power of two
  int items = 1;  ///< from 1 to 8

  friend constexpr bool operator==(const segment_tile_policy&, const segment_tile_policy&) = default;
};

/// The shapes of a sort of segments, from the shortest ones to the longest. A segment is sorted by the first of the
/// tiles `tiny` to `wide` that holds it, or else by a block, `few` or `some`. Longer ones are sorted together by passes
/// over memory, in tiles of `many`. `tiles_block_size` is that of the four tiles, and registers leave room for
/// `tiles_blocks_per_multiprocessor`. Of at most `most_small_items` keys one launch sorts all segments but the longest,
/// with blocks of `some`; of more keys each class has its launch. Longer segments of one length are sorted by a block
/// of `wide_rows` if it holds them, of pairs half as many, and if the GPU has the memory. What the longest ones tell
/// each other is kept for `look_back_tiles` tiles, a multiple of four: a quarter should be more than there are blocks.
struct segmented_sort_policies {
  segment_tile_policy tiny{}, narrow{}, middle{}, wide{};
  int tiles_block_size = 256, tiles_blocks_per_multiprocessor = 1;
  sort_policy few{}, some{}, many{}, wide_rows{};
  long long most_small_items = 0;
  int look_back_tiles = 0;

  friend constexpr bool operator==(const segmented_sort_policies&, const segmented_sort_policies&) = default;
};

inline constexpr segmented_sort_policies tuned_segmented_sort_policies{
    .tiny = {.lanes = 4, .items = 4},
    .narrow = {.lanes = 8, .items = 8},
    .middle = {.lanes = 16, .items = 8},
    .wide = {.lanes = 32, .items = 8},
    .tiles_block_size = 256,
    .tiles_blocks_per_multiprocessor = 4,
    .few = {.block_size = 256, .blocks_per_multiprocessor = 4, .lane_bytes = 16, .digit_bits = 8},
    .some = {.block_size = 512, .blocks_per_multiprocessor = 2, .lane_bytes = 80, .digit_bits = 8},
    .many = {.block_size = 512, .blocks_per_multiprocessor = 2, .lane_bytes = 64, .digit_bits = 8},
    .wide_rows = {.block_size = 1024, .blocks_per_multiprocessor = 1, .lane_bytes = 128, .digit_bits = 8},
    .most_small_items = 4LL << 20,
    .look_back_tiles = 4 * 512,
};

}  // namespace gpuprim
