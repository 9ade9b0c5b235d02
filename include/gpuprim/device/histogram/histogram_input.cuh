// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The samples of a histogram as the threads of a grid read them.
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/load.cuh>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The samples as packets, the smallest number of 16-byte loads that contains whole pixels, with a few samples before
/// and behind the packets. A packet of an iterator is one pixel.
template <int Channels, class In>
struct histogram_input {
  using value_type = input_value<In>;
  static constexpr bool is_wide = std::is_pointer_v<In> && load_bytes % sizeof(value_type) == 0;
  static constexpr int packet_loads =
      is_wide ? int(std::lcm(load_bytes, int(sizeof(value_type)) * Channels)) / load_bytes : 1;
  static constexpr int packet_samples = is_wide ? packet_loads * load_bytes / int(sizeof(value_type)) : Channels;
  using samples = uninitialized_array<value_type, packet_samples>;

  In in;
  std::int64_t n;  ///< samples
  std::int64_t packets;
  int head;  ///< samples before the packets

  GPUPRIM_HOST_DEVICE int edges() const { return int(n - packets * packet_samples); }

  struct packed {
    uint4 loads[packet_loads];
  };
  __device__ __forceinline__ auto load(std::int64_t packet) const {
    const std::int64_t at = head + packet * packet_samples;
    if constexpr (is_wide) {
      packed result;
#pragma unroll
      for (int i = 0; i < packet_loads; ++i) result.loads[i] = reinterpret_cast<const uint4*>(in + at)[i];
      return result;
    } else {
      samples result;
#pragma unroll
      for (int i = 0; i < packet_samples; ++i) result[i] = in[at + i];
      return result;
    }
  }
  __device__ __forceinline__ void prefetch(std::int64_t packet) const {
    if constexpr (is_wide) ptx::prefetch_to_l2(in + head + packet * packet_samples);
  }
  template <class Packed>
  __device__ __forceinline__ static samples unpack(const Packed& packet) {
    samples result;
    std::memcpy(static_cast<void*>(&result), &packet, sizeof result);
    return result;
  }
};

/// Samples of as many pixels as a number in device memory says.
template <int Channels, class In>
struct counted_histogram_input : histogram_input<Channels, In> {
  element_count count;

  /// Leaves out what there is not. The head keeps its length, which says what channel a sample is of.
  __device__ __forceinline__ void cut() {
    this->n = count.read() * Channels;
    this->packets = this->n > this->head ? (this->n - this->head) / this->packet_samples : 0;
  }
};

/// The input that a kernel gets for an array, and the array itself.
template <int Channels, class In>
struct histogram_kernel_input {
  using array = In;
  using type = histogram_input<Channels, In>;
  static constexpr bool is_counted = false;
};
template <int Channels, class In>
struct histogram_kernel_input<Channels, counted_array<In>> {
  using array = In;
  using type = counted_histogram_input<Channels, In>;
  static constexpr bool is_counted = true;
};

/// Cuts the samples into head, packets and tail.
template <int Channels, class In>
histogram_input<Channels, In> make_histogram_input(const In& in, std::int64_t n) {
  using input_type = histogram_input<Channels, In>;
  std::int64_t head = 0;
  if constexpr (input_type::is_wide) head = (std::min)(detail::count_items_to_boundary(in), n);
  return {in, n, (n - head) / input_type::packet_samples, int(head)};
}

/// Packets that a thread has in flight.
template <int LoadsPerThread, class Input>
inline constexpr int packet_rows = LoadsPerThread > Input::packet_loads ? LoadsPerThread / Input::packet_loads : 1;

/// How the blocks go over the packets: in turns, in each of which a lane takes `rows` of them.
struct histogram_schedule {
  int threads;  ///< of a block that count; the others of a block have no samples
  int rows;
  std::int64_t turns;
};

/// Leaves out turns without packets.
template <class Input>
__device__ __forceinline__ void cut_turns(const Input& input, histogram_schedule& schedule) {
  const std::int64_t turn = std::int64_t{schedule.rows} * schedule.threads * gridDim.x;
  schedule.turns = (input.packets + turn - 1) / turn;
}

/// Asks for the block's first packets while the kernel still waits for the one before it.
template <int Channels, class In>
__device__ __forceinline__ void prefetch_samples(const histogram_input<Channels, In>& input,
                                                 const histogram_schedule& schedule) {
  if (int(threadIdx.x) >= schedule.threads) return;
  const int unit = schedule.rows * warp_size;
  std::int64_t packet =
      std::int64_t(blockIdx.x) * schedule.rows * schedule.threads + threadIdx.x / warp_size * unit + ptx::lane();
  for (int row = 0; row < schedule.rows; ++row, packet += warp_size) {
    if (packet < input.packets) input.prefetch(packet);
  }
}

/// Calls `count(slot, sample)` for the samples that the block has in its first `turns` turns. All loads of a turn are
/// in flight before the first sample is counted.
template <int MostRows, int Channels, class In, class Count>
__device__ __forceinline__ void for_samples(const histogram_input<Channels, In>& input,
                                            const histogram_schedule& schedule, std::int64_t turns,
                                            const Count& count) {
  using input_type = histogram_input<Channels, In>;
  const int rank = int(threadIdx.x), unit = schedule.rows * warp_size;
  if (rank >= schedule.threads) return;
  const std::int64_t block_packets = std::int64_t{schedule.rows} * schedule.threads, step = block_packets * gridDim.x;
  std::int64_t first = blockIdx.x * block_packets + rank / warp_size * unit + rank % warp_size;
  for (std::int64_t turn = 0; turn < turns; ++turn, first += step) {
    const std::int64_t behind = input.packets - first;
    const int left = int(behind < unit ? behind : unit - rank % warp_size);
    decltype(input.load(0)) loads[MostRows];
#pragma unroll
    for (int row = 0; row < MostRows; ++row) {
      if (row * warp_size < left) loads[row] = input.load(first + row * warp_size);
    }
#pragma unroll
    for (int row = 0; row < MostRows; ++row) {
      if (row * warp_size >= left) break;
      const auto items = input_type::unpack(loads[row]);
#pragma unroll
      for (int i = 0; i < input_type::packet_samples; ++i) count(i % Channels, items[i]);
    }
  }
}

/// Calls `count(slot, sample)` for the sample at the position.
template <int Channels, class In, class Count>
__device__ __forceinline__ void for_sample(const histogram_input<Channels, In>& input, std::int64_t at,
                                           const Count& count) {
  const int slot = int((at + Channels - input.head % Channels) % Channels);
#pragma unroll
  for (int j = 0; j < Channels; ++j) {
    if (j == slot) count(j, input.in[at]);
  }
}

/// Calls `count(slot, sample)` in the first block for the samples before and behind the packets.
template <int Channels, class In, class Count>
__device__ __forceinline__ void for_edges(const histogram_input<Channels, In>& input, const Count& count) {
  const int rank = int(threadIdx.x);
  if (blockIdx.x > 0 || rank >= input.edges()) return;
  detail::for_sample(input, rank < input.head ? rank : input.n - input.edges() + rank, count);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
