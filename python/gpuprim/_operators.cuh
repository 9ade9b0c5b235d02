// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels around an operator of the user's. _operators.py puts the operator and one kernel, which calls one of
// these functions, behind this text, and NVRTC compiles all of it, or a C++ compiler for the host SIMT device. The
// launch is in src/operator_calls.cu, which knows the block size, the elements of a tile and the states, too.
#include <gpuprim/block/block_compact.cuh>
#include <gpuprim/block/block_load_store.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/grid/tile_counts.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/grid/tile_rows.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

namespace gpuprim_operators {

using gpuprim::detail::maybe;
using gpuprim::detail::maybe_monoid;

constexpr int block_size = 256, warp_size = 32, warps = block_size / warp_size;

/// A value of T from the first of its bytes.
template <class T>
__device__ T from_bits(std::uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// A function of the elements at each place. A result may lie where one of its elements does: a thread loads all of
/// its elements before it stores.
template <class Result, class Function, class... Elements>
__device__ __forceinline__ void transform(std::int64_t n, const Function& function, Result* out,
                                          const Elements*... in) {
  constexpr int items = 8;
  const std::int64_t first = std::int64_t(blockIdx.x) * block_size * items + threadIdx.x;
  Result results[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (const std::int64_t at = first + i * block_size; at < n) results[i] = function(in[at]...);
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (const std::int64_t at = first + i * block_size; at < n) out[at] = results[i];
  }
}

/// Neighbouring elements in 16 bytes.
template <class T>
struct word_elements {
  static constexpr int count = 16 / int(sizeof(T));
  using words = gpuprim::detail::widest_words<16>;

  T of[count];

  __device__ __forceinline__ void load(const T* in) {
    if (reinterpret_cast<std::uintptr_t>(in) % sizeof(typename words::type) == 0) {
      const auto word = *reinterpret_cast<const typename words::type*>(in);
      static_assert(sizeof word == sizeof of);
      memcpy(of, &word, sizeof of);
    } else {
#pragma unroll
      for (int i = 0; i < count; ++i) of[i] = in[i];
    }
  }
};

/// Joins all elements, in their order. Each warp has a share of neighbours, and joins what its lanes have loaded step
/// by step, without a barrier.
template <class T, class Op>
__device__ __forceinline__ void reduce(const T* in, std::int64_t n, const Op& op, std::uint64_t initial, T* out,
                                       void* memory) {
  using part = maybe<T>;
  constexpr int loads = 4, load_items = warp_size * word_elements<T>::count, step = loads * load_items;
  const maybe_monoid<T, Op> join{op};
  const gpuprim::this_block block;
  const gpuprim::warp_tile<warp_size> warp;
  const int rank = int(threadIdx.x), lane = rank % warp_size;
  const auto state = gpuprim::make_grid_reduce_state<part>(memory);
  gpuprim::grid_arrival arrival;
  if (rank == 0) arrival = gpuprim::arrive(state);

  const std::int64_t all_warps = std::int64_t(gridDim.x) * warps, own = std::int64_t(blockIdx.x) * warps + rank / 32;
  const std::int64_t share = ((n + step - 1) / step + all_warps - 1) / all_warps * step;
  const std::int64_t end = (own + 1) * share < n ? (own + 1) * share : n;
  std::int64_t at = own * share;
  part sum;  // of the warp, in all lanes
#pragma unroll 1
  for (; at + step <= end; at += step) {
    word_elements<T> values[loads];
    T of_load[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) values[i].load(in + at + i * load_items + lane * values[i].count);
#pragma unroll
    for (int i = 0; i < loads; ++i) of_load[i] = gpuprim::warp_reduce(warp, values[i].of, op);
    sum = join(sum, part(gpuprim::thread_reduce(of_load, op)));
  }
#pragma unroll 1
  for (; at < end; at += warp_size) {
    part value;
    if (at + lane < end) value = part(in[at + lane]);
    sum = join(sum, gpuprim::warp_reduce(warp, value, join));
  }
  if (lane != 0) sum = {};  // the warp's results are lane 0's
  gpuprim::grid_reduce<block_size>(
      block, sum, join, state, [&](const part& total) { *out = *join(part(from_bits<T>(initial)), total); }, arrival);
}

/// A tile of a scan or a selection: neighbours in each thread.
template <class T>
struct tile {
  static constexpr int items = sizeof(T) == 8 ? 8 : 16, count = block_size * items;
  static constexpr auto way =
      items * sizeof(T) <= 16 ? gpuprim::tile_transfer::vectorised : gpuprim::tile_transfer::warp_transposed;

  T of[items];

  /// Values behind the last element are copies of an element, so that operators meet nothing else.
  __device__ __forceinline__ void load(const T* in, std::int64_t elements) {
    const gpuprim::this_block block;
    if (elements >= count) gpuprim::block_load<block_size, way>(block, in, of);
    else gpuprim::block_load<block_size, way>(block, in, of, int(elements), *in);
  }
  __device__ __forceinline__ void store(T* out, std::int64_t elements) const {
    const gpuprim::this_block block;
    if (elements >= count) gpuprim::block_store<block_size, way>(block, of, out);
    else gpuprim::block_store<block_size, way>(block, of, out, int(elements));
  }
};

enum class scan_kind { inclusive, inclusive_from_initial, exclusive };

/// Each place gets what the elements up to it, or before it, come to. A block publishes what its tile comes to before
/// it waits for the tiles before; which values are joined in what order depends on the places alone.
template <scan_kind Kind, class T, class Op>
__device__ __forceinline__ void scan(const T* in, std::int64_t n, const Op& op, std::uint64_t initial, T* out,
                                     void* memory) {
  using part = maybe<T>;
  using rows_type = gpuprim::detail::tile_rows<T>;
  using reader = gpuprim::detail::row_reader<block_size, T, Op>;
  const maybe_monoid<T, Op> join{op};
  const gpuprim::this_block block;
  const int rank = int(threadIdx.x), tiles = int((n + tile<T>::count - 1) / tile<T>::count);
  const auto shared_tiles = gpuprim::detail::tile_look_back<rows_type>::lay_over(memory, tiles);
  const auto rows_of_all = gpuprim::get<0>(shared_tiles.states);
  GPUPRIM_SHARED(drawn, int);
  GPUPRIM_SHARED(parts, typename reader::parts);
  reader rows(rows_of_all, op);
  int next = rank == 0 ? shared_tiles.order.take() : 0;
  part start;
  if constexpr (Kind != scan_kind::inclusive) start = part(from_bits<T>(initial));
  while (true) {
    if (rank == 0) drawn = next;
    block.sync();
    const int number = drawn;
    if (number >= tiles) break;
    const std::int64_t first = std::int64_t(number) * tile<T>::count;
    tile<T> values;
    values.load(in + first, n - first);
    const T own = gpuprim::thread_inclusive_scan(values.of, op);
    part total, before = gpuprim::block_exclusive_scan<block_size>(block, part(own), join, part(), total);
    if (rank == 0) rows_of_all.publish(number, *(number == 0 ? join(start, total) : total));
    part prefix = start;
    if (number > 0) {
      rows.gather(number, parts);
      block.sync();
      rows.pass(number, parts);
      prefix = rows.before_row;
      for (int i = 0; i < reader::count(number); ++i) prefix = join(prefix, part(parts.own[i]));
    }
    if (rank == 0) next = shared_tiles.order.take();
    before = join(prefix, before);
    if constexpr (Kind == scan_kind::exclusive) {
#pragma unroll
      for (int i = tile<T>::items - 1; i > 0; --i) values.of[i] = op(*before, values.of[i - 1]);
      values.of[0] = *before;
    } else if (before.has_value()) {
#pragma unroll
      for (int i = 0; i < tile<T>::items; ++i) values.of[i] = op(*before, values.of[i]);
    }
    values.store(out + first, n - first);
  }
  shared_tiles.leave();
}

/// The elements of which the condition holds, side by side and in their order, and how many there are.
template <class T, class Condition>
__device__ __forceinline__ void select(const T* in, std::int64_t n, const Condition& condition, T* out,
                                       std::int64_t* count, void* memory) {
  using counts_type = gpuprim::detail::tile_counts;
  const gpuprim::this_block block;
  const int rank = int(threadIdx.x), tiles = int((n + tile<T>::count - 1) / tile<T>::count);
  const auto shared_tiles = gpuprim::detail::tile_look_back<counts_type>::lay_over(memory, tiles);
  const auto counts = gpuprim::get<0>(shared_tiles.states);
  GPUPRIM_SHARED(drawn, int);
  GPUPRIM_SHARED(of_warps, std::uint64_t[warps]);
  using stage = gpuprim::shared_array<T, tile<T>::count>;
  GPUPRIM_SHARED(kept, stage);
  counts_type::reader<block_size> reader{counts.counts};
  int next = rank == 0 ? shared_tiles.order.take() : 0;
  while (true) {
    if (rank == 0) drawn = next;
    block.sync();
    const int number = drawn;
    if (number >= tiles) break;
    const std::int64_t first = std::int64_t(number) * tile<T>::count, behind = n - first;
    tile<T> values;
    values.load(in + first, behind);
    bool is_kept[tile<T>::items];
#pragma unroll
    for (int i = 0; i < tile<T>::items; ++i) {
      is_kept[i] = rank * tile<T>::items + i < behind && condition(values.of[i]);
    }
    const int found = gpuprim::block_compact<block_size>(block, values.of, is_kept, kept.data());
    if (rank == 0) counts.publish(number, unsigned(found));
    reader.advance(reader.ask(number), number, of_warps);  // its barrier is behind the writes to `kept`, too
    if (rank == 0) next = shared_tiles.order.take();
    for (int i = rank; i < found; i += block_size) out[reader.before + i] = kept[i];
    if (number == tiles - 1 && rank == 0) *count = reader.before + found;
  }
  shared_tiles.leave();
}

}  // namespace gpuprim_operators
