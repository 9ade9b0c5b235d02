// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_parts.cuh>
#include <gpuprim/device/segmented/segmented_kernel.cuh>

namespace gpuprim::detail {

// Segments of one length, in the order of theirs: for a lane each, for some lanes, by way of shared memory, or for
// blocks, in parts where they are few. The operator commutes, but for those that one lane takes.

/// How a block takes neighbouring segments by way of shared memory.
struct segment_chunk {
  int size, lanes;    ///< segments; lanes of each
  bool is_staggered;  ///< lanes begin elsewhere in each segment, for they would meet in banks
};

/// A lane takes all of a segment, and of Rows such rows one each; Ahead values of each are under way at once.
template <int BlockSize, int Rows, int Ahead, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize)
    segment_lanes_kernel(In in, fixed_segments segments, put_segment<Acc, Out, Op> put) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  using T = input_value<In>;
  const monoid<Acc, Op> join{put.op};
  const std::int64_t first = std::int64_t(blockIdx.x) * (Rows * BlockSize) + int(this_block::thread_rank());
  const int length = int(segments.length);
  const auto place = [&](int row) { return first + row * BlockSize; };
  typename monoid<Acc, Op>::value_type totals[Rows];
#pragma unroll
  for (int row = 0; row < Rows; ++row) totals[row] = join.empty();
  for (int k = 0; k < length; k += Ahead) {
    uninitialized_array<T, Rows * Ahead> items;
    const auto is_there = [&](int i) { return k + i % Ahead < length && place(i / Ahead) < segments.count; };
#pragma unroll
    for (int i = 0; i < Rows * Ahead; ++i) {
      if (is_there(i)) items[i] = in[segments.begin(place(i / Ahead)) + k + i % Ahead];
    }
#pragma unroll
    for (int i = 0; i < Rows * Ahead; ++i) {
      if (is_there(i)) totals[i / Ahead] = join(totals[i / Ahead], static_cast<Acc>(items[i]));
    }
  }
#pragma unroll
  for (int row = 0; row < Rows; ++row) {
    if (place(row) < segments.count) put(place(row), length > 0, join.unwrap(totals[row]));
  }
}

/// Some lanes of a warp take one: 2 to the power of Log2Lanes, or, if that is negative, of what is said.
template <int MostThreads, int BlocksPerMultiprocessor, int Log2Lanes, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(MostThreads, BlocksPerMultiprocessor)
    segment_groups_kernel(In in, fixed_segments segments, int log2_lanes, put_segment<Acc, Out, Op> put) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  const int shift = Log2Lanes < 0 ? log2_lanes : Log2Lanes, lanes = 1 << shift;
  const int thread = int(threadIdx.x), rank = thread & (lanes - 1);
  const std::int64_t i = (std::int64_t(blockIdx.x) * blockDim.x + thread) >> shift;
  const bounded_input<In> input{in, segments.first(), segments.last()};
  const monoid<Acc, Op> join{put.op};
  const int length = i < segments.count ? int(segments.length) : 0;
  const auto part = group_part<Acc, segmented_policy::bundle_loads, (Log2Lanes < 0)>(
      rank, lanes, input, segments.begin(i), length, put.op, join);
  const auto total = join_neighbour_lanes(part, lanes, join);
  if (i < segments.count && rank == 0) put(i, length > 0, join.unwrap(total));
}

/// A block copies a chunk to shared memory, and some lanes take a segment each. Blocks that come and go read memory in
/// order, and all that they read is under way at once.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class T, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segment_chunks_kernel(const T* in, fixed_segments segments, segment_chunk chunk, put_segment<Acc, Out, Op> put) {
  check_segmented_operator<Acc, Op>();
  constexpr int items = elements_per_load<T>, most = segmented_policy::most_chunk_bytes / int(sizeof(T));
  GPUPRIM_SHARED(values, shared_array<uint4, most / items + 1>);
  ptx::begin_kernel();
  const this_block block;
  const monoid<Acc, Op> join{put.op};
  const int rank = int(block.thread_rank()), length = int(segments.length);
  const std::int64_t first = std::int64_t(blockIdx.x) * chunk.size, left = segments.count - first;
  const int n = left < chunk.size ? int(left) : chunk.size, count = n * length;
  const T* const from = in + segments.begin(first);
  const int past = int(reinterpret_cast<std::uintptr_t>(from) / sizeof(T) % items);
  T* const to = reinterpret_cast<T*>(&values[0]) + past;  // as far behind a boundary of 16 bytes
  const int to_boundary = (items - past) % items, edge = to_boundary < count ? to_boundary : count;
  const int loads = (count - edge) / items, behind = edge + loads * items;
  for (int i = rank; i < loads; i += BlockSize) {
    const int at = edge + i * items;
    ptx::copy_async(reinterpret_cast<uint4*>(to + at), reinterpret_cast<const uint4*>(from + at));
  }
  if (rank < edge) to[rank] = from[rank];
  if (behind + rank < count) to[behind + rank] = from[behind + rank];
  ptx::wait_for_copies();
  block.sync();
  const int lane = rank & (chunk.lanes - 1);
  for (int round = 0; in_all_lanes(round < n); round += BlockSize / chunk.lanes) {
    const int i = round + rank / chunk.lanes;
    const T* const own = to + i * length;
    const auto add = [&](auto total, int at) { return join(total, static_cast<Acc>(own[at])); };
    auto total = join.empty();
    if (i < n && chunk.is_staggered) {  // the first lane of a segment in the bank behind the last one's of another
      int at = (((chunk.lanes - length) * i & (warp_size - 1)) + lane) % length;
      for (int k = lane; k < length; k += chunk.lanes) {
        total = add(total, at);
        at += chunk.lanes;
        if (at >= length) at -= length;
      }
    } else if (i < n) {
#pragma unroll 4
      for (int k = lane; k < length; k += chunk.lanes) total = add(total, k);
    }
    total = join_neighbour_lanes(total, chunk.lanes, join);
    if (i < n && lane == 0) put(first + i, true, join.unwrap(total));
  }
}

/// A block takes one. Blocks that come and go fill their multiprocessor better than blocks that stay: 10000 values
/// 237 us, where those that stay take 244.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segment_blocks_kernel(In in, fixed_segments segments, put_segment<Acc, Out, Op> put) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  const bounded_input<In> input{in, segments.first(), segments.last()};
  const monoid<Acc, Op> join{put.op};
  const auto total = reduce_part<BlockSize, Acc, segmented_policy::unit_loads, true>(
      input, segments.begin(blockIdx.x), segments.end(blockIdx.x), put.op, join);
  if (threadIdx.x == 0) put(blockIdx.x, true, join.unwrap(total));
}

/// A block takes one of so many parts of a segment, which have `part_values` values, but for the last.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segment_parts_kernel(In in, fixed_segments segments, int parts, std::int64_t part_values,
                         put_segment<Acc, Out, Op> put, segment_parts_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  const bounded_input<In> input{in, segments.first(), segments.last()};
  const monoid<Acc, Op> join{put.op};
  const int segment = int(blockIdx.x) / parts, index = int(blockIdx.x) - segment * parts;
  const std::int64_t begin = segments.begin(segment) + index * part_values, end = segments.end(segment);
  const segment_part own{begin, begin + part_values < end ? begin + part_values : end, int(blockIdx.x), segment, index,
                         parts};
  const unsigned before = begin_part(own, state);
  const auto total =
      reduce_part<BlockSize, Acc, segmented_policy::unit_loads, true>(input, own.begin, own.end, put.op, join);
  detail::put_part<BlockSize>(own, before, join.unwrap(total), put, state);
}

}  // namespace gpuprim::detail
