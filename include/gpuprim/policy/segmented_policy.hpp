// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gpuprim {

/// The shapes of a segmented reduce. Figures: one H200, toolkit 13.0, sums of 2^28 floats in segments of 64 by 32-bit
/// offsets in a CUDA graph, microseconds, CUB 3.6 4709; docs/lab/segmented_reduce.md has the rest.
struct segmented_policy {
  /// 128 threads: 279 with all values through the L1 cache and 6 blocks a multiprocessor.
  static constexpr int block_size = 128;
  /// What depends on the accumulator's size.
  struct accumulator_shape {
    int blocks_per_multiprocessor, stream_rows, least_whole_bytes;
  };
  /// Of up to 4 bytes.
  ///
  /// 6 blocks (80 registers). 5: 282, and 300 instead of 295 at 16 values, though 408 instead of 413 at 4. 7, of
  /// version 11: 298 instead of 286.
  ///
  /// Rows of loads that a warp has under way in a stream: with 6, 256 values 244.6 and 1000 240.4; with 7, 246.9 and
  /// 239.1. For sm_80 the compiler has registers for fewer.
  ///
  /// Bytes from which on, on average, blocks draw segments whole, if they are alike. On an H100, 4096 values 337
  /// instead of 346 by a warp each (CUB 338), 8192 340 instead of 347 (341), 0 to 8192 338 instead of 352 (352), spread
  /// exponentially, 4096 341 instead of 365 (362).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  static constexpr accumulator_shape words{6, 4, 14000};
#else
  static constexpr accumulator_shape words{6, 8, 14000};
#endif
  /// Of more, which need more registers: on an H100, sums of 2^27 doubles, 64 of each 390 instead of 416 with 6 blocks,
  /// 1000 exponential ones 393 instead of 411; 256 of each 350, with 6 rows 358, with 8 388. Accumulators had 8 bytes.
  static constexpr accumulator_shape wide{5, 4, 16000};
  template <class Acc>
  static constexpr accumulator_shape shape_of = sizeof(Acc) <= 4 ? words : wide;
  /// Bytes of accumulators in a tile. With half as many and 8 blocks: 309.
  static constexpr int tile_bytes = 4096;
  /// Rows of 32 segments that a tile takes: as many as there are in a tile of segments of 4 floats.
  static constexpr int rows = 8;
  /// Rows of 32 segments up to which a tile's values pass the L1 cache by, so that it keeps the ends of the next tiles:
  /// 273 instead of 278. Always: 277, and 422 instead of 413 at 4 values.
  static constexpr int past_l1_rows = 2;
  /// Bytes of results that a warp holds back, to write whole lines and several at once: 278, with none held back 285.
  /// 256: 284; 1024: 272, but 289 instead of 267 where lengths are Zipf 1.5.
  static constexpr int held_bytes = 512;
  /// Threads of the kernel for short segments of one length: 250.9. 128: 251.0, 512: 252.1.
  static constexpr int row_block_size = 256;
  /// Wide loads that a lane has under way within a long segment; 16 are no faster.
  static constexpr int unit_loads = 8;
  /// The same where segments of several lengths are drawn: a block's warps come out more evenly. 246 for lengths of 0
  /// to 40000 (CUB 246), with 8 loads 252, with 2 245.
  static constexpr int uneven_unit_loads = 4;
  /// Segments that are few: all are taken at once if none is long, whatever their lengths. 1000 of 64 values 2.7 us
  /// instead of 7.2 (CUB 2.9). Up to 4096 by offsets, 4000 of 64 4.3 instead of 4.1 (5.6), of 20000 80 instead of 74
  /// (75), but of 1000 5.5 instead of 6.6 (8.3); by bounds, one of 20000 among 4000 12.3 instead of 6.2 (7.1), 3000 of
  /// 2000 on average, spread exponentially, 21.7 instead of 13.4 (12.9), but of 0 to 5000 11.4 instead of 11.9 (11.8).
  static constexpr int few_segments = 2048;
  /// More than that are taken in bundles where one of at most so many units is enough for each warp. 5000 of 100 values
  /// 3.6 us instead of 6.5 (CUB 6.4), 5000 of 1000 6.6 instead of 11.1 (10.5).
  static constexpr int bundle_units = 4;
  /// Wide loads that a lane has under way there; with 8, 10000 of 64 values 3.8 us instead of 3.6, 100000 of 100 14.4
  /// instead of 12.3 (shares 17.4).
  static constexpr int bundle_loads = 4;
  /// How much longer than the average a segment of a bundle may be, as far as samples show, and what some lanes take:
  /// 10000 of 100 on average, spread exponentially, 5.2 us, with 4 for the latter 6.6.
  static constexpr int most_bundle_ratio = 4, most_lanes_ratio = 16;
  /// How much longer they may be where there are so few values: what blocks take of them then costs less than shares.
  /// 3000 of which one has 9000 5.2 us instead of 7.3 (CUB 4.6), exponential ones as before 5.2 instead of 8.3 (10.6),
  /// but 10000 of 1000 on average 20.2 instead of 17.8.
  static constexpr int most_bundle_extra = 16384, few_bundle_values = 1 << 23;
  /// Rounds of loads of a segment's lanes up to which bundles are as large as fill a warp. If samples show longer ones,
  /// no warp has more than it must: 2200 of 1, one of 100 of 820 3.3 us instead of 5.1 (CUB 3.3), 8000 4.9 instead of
  /// 6.2 (8.3), exponential ones of 100 3.5 instead of 3.8 (3.4), 5000 3.8 instead of 4.4 (5.9). Always: 2200 of 3
  /// values 3.0 instead of 2.7 (3.2), of 40 3.25 instead of 2.7.
  static constexpr int most_lane_rounds = 2;
  /// Values above which a warp leaves a segment of a bundle to its block, if it has more than twice the average too:
  /// exponential ones of 1000 on average, 3000 7.1 us instead of 7.8 (CUB 6.4), 5000 10.5 instead of 11.6
  /// (10.2); with 2048 8.2 and 11.8.
  static constexpr int most_bundle_warp_values = 4096;
  /// Rounds of loads that a warp makes for each of its long ones rather than leave them to its block: 62681 of 1 and 76
  /// values in stretches 4.8 us instead of 72 (CUB 49); 28075 of 1, one of 100 of 80, 3.7 instead of 6.1 (23), with 2
  /// 5.5.
  static constexpr int bundle_rounds = 4;
  /// Rounds of all lanes up to which a warp then takes a long one by itself: 1, one of 100 of 820, where no sample
  /// shows it, 2700 3.9 us instead of 5.2 (CUB 4.0), 16,000 4.8 instead of 6.6 (15.1). With 2 rounds, one of 100 of
  /// 2000, 3500 4.9 instead of 4.5 (5.0); with 8, of 3000, 16,000 7.95 instead of 6.8.
  static constexpr int most_alone_rounds = 4;
  /// Threads of the blocks that take few segments, and how many a multiprocessor has (128 registers), for few start
  /// sooner: one segment of one value 1.2 us, with 3 and 4 blocks 1.35 and 1.5 (CUB 1.25), 2000 of 64 2.3, 2.4 and 2.6
  /// (2.9). With 128 threads and 4 blocks 1.3 and 2.9; with 512 threads and one block 1.25 and 1.9, but 16 of 2^24 241
  /// instead of 234.
  ///
  /// Where there are no more than multiprocessors, each of these has one block: 100 of 100 1.49 us instead of 1.53 (CUB
  /// 1.57), of 10000 2.4 instead of 2.7 (3.1), of 30000 3.8 instead of 4.6 (4.1), one 1.13 instead of 1.23 (1.29); but
  /// 100 of 100000 12.0 instead of 11.0 (9.1), 80 of 130000 15 instead of 12 (10.9), 100 of 300000, in parts, 39
  /// instead of 32 (48).
  static constexpr int few_block_size = 256, few_blocks_per_multiprocessor = 2;
  /// Wide loads that a lane has under way there within a long segment: 256 of 2^20 values 240, with 8 247; 2000 of 2000
  /// on average, spread exponentially, 5.6 us, with 8 6.5 (CUB 5.2), but 10 of 10 1.36, without such loads for what is
  /// taken at once 1.30 (1.30).
  static constexpr int few_unit_loads = 16;
  /// The same where it has less left, with those of its edges: 300 of 2000 values 2.0 us, with 8 2.2 (CUB 2.3).
  static constexpr int short_loads = 4;
  /// Values up to which a segment is taken at once: with 16384 2000 of 2000 exponential ones 8.2 us instead of 5.6.
  static constexpr int most_team_values = 32768;
  /// Values up to which a segment is not cut though blocks would have nothing left to take in the end.
  static constexpr int most_even_values = 131072;
  /// Values up to which one is taken at once where most blocks have one, and none has two: 64 of 50000 4.7 us instead
  /// of 6.1 (CUB 5.2), 130 of 40000 4.3 instead of 5.8 (4.8), of 0 to 60000 4.2 instead of 7.3 (11.1), 264 of 40000 8.0
  /// instead of 9.6 (7.1), one of 40000 among 140 2.8 instead of 4.8 (7.6); but exponential ones, 140 of 30000 8.5
  /// instead of 7.4 (25.6).
  static constexpr int most_team_values_of_one = most_even_values;
  /// Values up to which parts are so large that there is one for each block: 50 of 92000 6.6 us instead of 8.8 (7.2).
  static constexpr int most_single_part_values = 32768;
  /// Parts that each takes, about: few where they come out even, else more. 0 to 1000000 values 247 instead of 323.
  static constexpr int few_parts_per_block = 4, most_parts_per_block = 8;
  /// Values up to which a lane takes a segment of one length alone, and up to which where they are many: 2^28 values,
  /// 7 of each, 276 us instead of 328 in shares (CUB 361), 1000000 of 10 8.1 instead of 17 by two lanes (13); 100000 of
  /// 12 3.05 instead of 2.3 (2.35), but 270000 3.5 instead of 4.3 (4.0).
  static constexpr int most_lane_values = 11, most_lane_values_of_many = 12;
  /// The same by an iterator, which is read value by value: 20000 of 20 1.84 us instead of 2.26 by some lanes each (CUB
  /// 2.88), but 100000 of 30 8.7 instead of 5.4; 2^28 values, 33 of each, 413 instead of 866, but 64 1046 instead of
  /// 471.
  static constexpr int most_lane_items = 24, most_lane_items_of_many = 50;
  /// More than that are many.
  static constexpr int many_segments = 7 << 15;
  /// The same if they are whole loads, and up to how many: 40000 of 4 values 1.14 us instead of 1.52 in rows (CUB
  /// 1.28), 300000 2.43 instead of 2.86 (2.16), but 500000 3.43 instead of 2.92 (2.77).
  static constexpr int most_row_lane_values = 4, most_lane_rows = 393216;
  /// Values up to which a lane takes a segment by bounds, if all of some rows have less than so many on average; those
  /// of an operator that does not commute have no more than that. Up to 12 values alone: lengths of 0 to 20 719 us
  /// instead of 356, of 0 to 30 522 instead of 395.
  static constexpr int most_bound_lane_values = 48, most_average_bound_lane_values = 16;
  /// Values from which on the second launch by bounds takes a segment, and from which on that of a short list, of which
  /// blocks take the shorter ones: one of 9000 among 5000 6.0 us instead of 8.2 (CUB 6.5), exponential ones, 5000 of
  /// 1000 on average, 13.2 instead of 17.6 (10.2).
  static constexpr int least_listed_values = 8192, least_listed_of_short_list = 32768;
  /// Threads of the blocks of that launch, and how many fit a multiprocessor at least (79 registers: 3 do). Zipf 1.5 to
  /// 1000000 values 314 us, with 128 threads and 4 blocks 352, with 8 blocks 389; 120000 values 237, 242 and 251.
  static constexpr int listed_block_size = 256, listed_blocks_per_multiprocessor = 2;
  /// Values that a part has there at least. 2048 and 8192: level.
  static constexpr int least_listed_part = 4096;
  /// Threads of blocks that take segments by bounds, and how many fit a multiprocessor: 64 registers, and 96 for short
  /// lists. 64 values that lie apart with 8, 7 and 6 blocks: 320, 341 and 366 us; 4 values 421, 398 and 423. 5000 of
  /// 1000 on average, spread exponentially, with 5, 6 and 8 blocks: 9.4, 11.4 and 12.8.
  static constexpr int bound_block_size = 128, bound_blocks_per_multiprocessor = 8;
  static constexpr int short_list_blocks_per_multiprocessor = 5;
  /// Threads of the blocks of which a lane takes each.
  static constexpr int lane_block_size = 256;
  /// Bytes of a chunk that goes through shared memory, and the most, where less are no whole lines. 70 values 254 us
  /// instead of 260 by some lanes each; with half as many bytes and threads 300 took 242 instead of 240.
  static constexpr int chunk_bytes = 16384, most_chunk_bytes = 24576;
  /// Threads of its block, and how many fit a multiprocessor.
  static constexpr int chunk_block_size = 256, chunk_blocks_per_multiprocessor = 8;
  /// Threads of blocks of which some lanes take each: the lesser number where all blocks then fit at once, for 3000 of
  /// 200 values 1.58 us instead of 1.79 (CUB 2.02), but 10000 2.62 instead of 2.32 (3.3).
  static constexpr int least_group_block_size = 128, group_block_size = 256;
  /// How many of the larger ones fit a multiprocessor (44 registers, and 38 where a warp takes each). Fewer registers,
  /// for the next kernel's blocks start beside them; but with 40 and no warps loads would wait for each other: 100 of
  /// 64 values 1.08 us instead of 1.52 (CUB 1.25), and 1.17 with 53 registers.
  static constexpr int group_blocks_per_multiprocessor = 5, warp_blocks_per_multiprocessor = 6;
  /// Wide loads that lanes have at most where these are only half as many as a load has values: 100000 of 24 values
  /// 2.74 us instead of 3.18, but of 32 4.19 instead of 3.27.
  static constexpr int most_half_loads = 3;
  /// Bytes from which on they take segments however many these are: 2^28 values, 80 of each, 248.5 us instead of 253.9
  /// by way of shared memory, 300 238.3 instead of 244.3 (CUB 248), 1500 237.1 instead of 247.3 in shares; but 70 260
  /// instead of 254, and 64 280 instead of 255 in rows.
  static constexpr int least_group_bytes = 320;
  /// Bytes for each thread that fits up to which they take shorter ones: 300000 of 24 values 6.0 us instead of 7.7 by
  /// way of shared memory, but 1000000 26.3 instead of 25.6.
  static constexpr int most_group_thread_bytes = 256;
  /// Segments of two wide loads up to which they are not for rows; of more loads, twice as many: 40000 of 8 values
  /// 1.57 us instead of 1.67, but 300000 4.5 instead of 3.0 (CUB 4.1); 100000 of 16 2.25 instead of 2.86 (2.2), but
  /// 300000 4.6 instead of 3.95 (3.95).
  static constexpr int few_rows = 65536;
  /// Threads of blocks that take one segment of one length each, and how many fit a multiprocessor (64 registers): 4096
  /// values 235.7 instead of 245 (CUB 238), 10000 237 instead of 253 (239).
  static constexpr int single_block_size = 128, single_blocks_per_multiprocessor = 8;
  /// Bytes from which on a block takes a segment of one length: 1000 of 2000 values 2.2 us instead of 2.9 (CUB 2.9),
  /// 5000 7.5 instead of 10 (11), but of 1500 6.6 instead of 5.4 (7.5).
  static constexpr int least_single_bytes = 7168;
  /// The same where they are few, and where most multiprocessors have one: 500 of 1000 values 1.50 us instead of 1.55,
  /// but 600 1.85 instead of 1.58; 100 of 700 1.03 instead of 1.26 (CUB 1.64), but 200 of 300 1.20 instead of 1.07.
  static constexpr int few_single_segments = 512, least_bytes_of_few_single = 4096;
  static constexpr int fewest_single_segments = 128, least_bytes_of_fewest_single = 2048;
  /// Values up to which blocks take one of one length each, and no parts, though fewer than fit are at work; and where
  /// they are less than an eighth of what fits: 20 of 30000 in parts 3.2 us instead of 3.6 (CUB 3.8), but 100 of 20000
  /// 3.6 instead of 3.3.
  static constexpr int most_single_values = 65536, most_few_single_values = 24576;
  /// Segments of one length up to which longer ones are taken in parts: 2684 of 100000 values 233 us instead of 239,
  /// 3834 of 70000 234 instead of 237 (CUB 234).
  static constexpr int most_segments_in_parts = 4096;
  /// Values that a part has at least, and how many parts a segment has at most, which one block joins. 20 of 200000 4.7
  /// us, with 4096 values 5.0; 100 of 100000 12.0, with 16384 14.4; one of 2^28 242, with 1024 parts 255, with 4096
  /// 244.
  static constexpr int least_part_values = 8192, most_parts = 2048;
  /// Segments by offsets from which on warps take equal numbers of them: 4 values 388 instead of 411, 64 values 260
  /// instead of 272. From 2^20 on, 256 values 248 instead of 255, but Zipf 1.0 to 1024 278 instead of 264.
  static constexpr std::int64_t least_counted = std::int64_t{1} << 22;
  /// Threads of blocks that take turns, of which so many fit a multiprocessor (72 registers).
  static constexpr int turn_block_size = 128, turn_blocks_per_multiprocessor = 7;
  /// Values of a warp's unit on average; twice as many where segments have less than 32, and less of short lists.
  static constexpr int unit_values = 4096, least_unit_values = 1024;
  /// Cuts of what has too many values for a warp.
  static constexpr int most_cuts = 16384;
  /// Bytes from which on, on average, segments by offsets are drawn as streams, if they are alike: 160 values 256
  /// instead of 261 in shares, 256 244 instead of 255, 1000 240 instead of 248, 0 to 1000 246 instead of 255, but 128
  /// 274 instead of 262.
  static constexpr int least_stream_bytes = 600;
  /// Bytes, on average, and segments of a stream, at most: with twice the bytes 1000 values 240.9 instead of 239.7,
  /// with 16 segments 160 values 261.4 instead of 258.2.
  static constexpr int stream_bytes = 32768, most_stream_segments = 32;
  /// Chunks that a block takes on average, at least, and at least where the last ones are smaller: without smaller ones
  /// 256 values 252.0 instead of 247.1, 1000 241.5 instead of 239.9, 0 to 3000 250.5 instead of 246.2.
  static constexpr int least_chunks = 2, least_cut_chunks = 4;
  /// Values above which a stream is no more: the block takes its segments.
  static constexpr int most_stream_values = 1 << 17;
  /// By how many standard deviations of a part, where lengths deviate by as much as they are long, a part may be longer
  /// than others where segments are alike: Zipf 1.0 to 65536, of 5600 on average, takes 253 to 295 if it is drawn, in
  /// shares 243. To ask for lengths as well takes 1.4 us.
  static constexpr float most_deviations = 3.8f;
  /// Bytes from which on they need not be alike, and lanes have less loads under way: 0 to 20000 values 239 instead of
  /// 249 by a warp each.
  static constexpr int least_uneven_bytes = 36000;
  /// Bytes that the longest of some samples has at least, and all on average, where blocks draw the segments of a short
  /// list by bounds that are shorter than that, for a warp would take too long for the longest. On an H100, 3000 of 0
  /// to 6000 values 10.3 us instead of 11.6 (CUB 9.2), 8000 of 0 to 5000 29.1 instead of 32.3 (30.3), exponential ones,
  /// 3000 of 2000 8.3 instead of 9.7 (7.7), 16000 of 1500 38.2 instead of 41.8 (41.4); but 2200 of 0 to 6000 8.2 and
  /// 7.9 (6.7). With 12000 bytes for the longest, 5000 of 0 to 4000 would take 14.8 instead of 12.5.
  ///
  /// By offsets, where bundles would take them: 2200 of 0 to 6000 values 6.3 us instead of 8.7 (CUB 6.0), 3000 8.3
  /// instead of 9.6 (8.0), 4000 13.9 instead of 17.7 (13.7), exponential ones, 2200 of 2000 5.8 instead of 10.6 (5.9),
  /// of 3000 6.7 instead of 12.0 (7.6), 5000 of 1500 9.7 instead of 10.6 (9.0). With 3000 bytes on average 2200
  /// exponential ones of 1000 5.3 instead of 5.9, but 8000 13.4 instead of 11.9.
  static constexpr int least_longest_bytes = 16000, least_uneven_whole_bytes = 5000;
  /// Segments by offsets that are too many values for bundles, up to which blocks draw them too, if parts deviate by so
  /// much and they have so many bytes on average; else streams are as fast. Exponential ones, 8000 of 3000 28.5 us
  /// instead of 44.3 (CUB 32.6), 16,000 of 2000 37.4 instead of 46.0 (42.7), 32,000 of 3000 92 instead of 108 (104); 0
  /// to 6000, 16,000 47.9 instead of 53.9 (51.9). Of 1500 on average 8000 17.1 instead of 16.6, of 0 to 3000 16.8
  /// instead of 14.6.
  static constexpr int most_uneven_segments = 32768, least_uneven_part_bytes = 7000;
  static constexpr float most_even_deviations = 1.1f;
  /// Bytes up to which, on average, segments are drawn: 32768 values 233 instead of 240 (CUB 232), 4752 of 56000 231
  /// instead of 240 (232).
  static constexpr int most_drawn_bytes = 524288;
  /// Bytes up to which, on average, blocks draw two neighbours where all are even, and how many segments each then has
  /// at least: 4096 values 232.7 us instead of 236.0 (CUB 232.2), 3600 236.5 instead of 238.0 (258), but 4500 235.6
  /// instead of 233.7 (250), and 0 to 8000 235.5 instead of 233.9.
  static constexpr int most_pair_bytes = 17000, least_pairs_per_block = 32;
  /// By how much of what each block has to read a part of the list may have more than others. There are as many as a
  /// block has threads: to look at twice as many takes up to 0.8 us more, of 232.
  static constexpr int most_extra_shares = 3;
};

}  // namespace gpuprim
