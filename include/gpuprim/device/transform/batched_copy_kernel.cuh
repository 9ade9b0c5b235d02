// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A copy of many ranges, long and short ones. They are cut into packets, and all threads take as many of these.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/common/packets.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The sizes of ranges, of which negative ones count as 0.
template <class Sizes>
struct range_sizes {
  Sizes sizes;
  __device__ std::int64_t size(std::int64_t range) const {
    const auto size = static_cast<std::int64_t>(sizes[range]);
    return size > 0 ? size : 0;
  }
};

/// Ranges of elements behind iterators: a packet is one element.
template <class Inputs, class Outputs, class Sizes>
struct element_ranges : range_sizes<Sizes> {
  static constexpr int packet_bytes = int(sizeof(input_value<input_value<Inputs>>));
  Inputs inputs;
  Outputs outputs;

  __device__ std::int64_t packets(std::int64_t range) const { return this->size(range); }
  __device__ void copy(std::int64_t range, std::int64_t packet) const {
    const auto from = inputs[range];
    const auto to = outputs[range];
    detail::assign(to[packet], from[packet]);
  }
};

/// Ranges of bytes in memory, of which an element has `ElementBytes`, and addresses are multiples of `WordBytes`. A
/// packet is what a range has of a word of 16 bytes that is aligned in the output.
template <int ElementBytes, int WordBytes, class Inputs, class Outputs, class Sizes>
struct byte_ranges : range_sizes<Sizes> {
  static constexpr int packet_bytes = load_bytes;
  Inputs inputs;
  Outputs outputs;

  __device__ std::int64_t packets(std::int64_t range) const {
    const std::int64_t bytes = this->size(range) * ElementBytes;
    return bytes == 0 ? 0 : (bytes_before(outputs[range]) + bytes + load_bytes - 1) / load_bytes;
  }
  __device__ void copy(std::int64_t range, std::int64_t packet) const {
    const char* const from = static_cast<const char*>(static_cast<const void*>(inputs[range]));
    char* const to = static_cast<char*>(static_cast<void*>(outputs[range]));
    const std::int64_t bytes = this->size(range) * ElementBytes, first = packet * load_bytes - bytes_before(to);
    const std::int64_t behind = first + load_bytes;
    if (first >= 0 && behind <= bytes) {
      const int shift = bytes_before(from + first);
      // No word that is read leaves the range.
      if (shift == 0 || (first >= shift && behind - shift + load_bytes <= bytes)) {
        const auto* const words = reinterpret_cast<const uint4*>(from + first - shift);
        uint4 moved = words[0];
        if (shift > 0) moved = detail::join_words(moved, words[1], shift);
        *reinterpret_cast<uint4*>(to + first) = moved;
        return;
      }
    }
    const std::int64_t end = behind < bytes ? behind : bytes;
    for (std::int64_t at = first > 0 ? first : 0; at < end; at += WordBytes) {
      using word_type = word<WordBytes>;
      *reinterpret_cast<word_type*>(to + at) = *reinterpret_cast<const word_type*>(from + at);
    }
  }

 private:
  __device__ static int bytes_before(const void* at) { return int(reinterpret_cast<std::uintptr_t>(at) % load_bytes); }
};

/// The numbers of the packets of ranges.
template <class Ranges>
struct packets_of_ranges : input_iterator_types<std::int64_t> {
  Ranges ranges;
  explicit packets_of_ranges(const Ranges& all) : ranges(all) {}
  __device__ std::int64_t operator[](std::int64_t range) const { return ranges.packets(range); }
};

/// Copies ranges. `ends`: of each range the number of packets up to its end. Blocks take tiles of packets in turn, and
/// two warps search the first and the last range of a tile; each thread then searches its own among these.
template <int BlockSize, int MostRounds, class Ranges>
__global__ void __launch_bounds__(BlockSize)
    batched_copy_kernel(Ranges ranges, element_count count, const std::int64_t* ends) {
  static_assert(BlockSize >= 2 * warp_size);
  using two = std::int64_t[2];
  GPUPRIM_SHARED(found, two);
  ptx::begin_kernel();
  const this_block block;
  const int rank = int(block.thread_rank()), warp = rank / warp_size;
  const std::int64_t n = count.read(), packets = n > 0 ? ends[n - 1] : 0;
  const std::int64_t share = packets / (std::int64_t(gridDim.x) * BlockSize);
  const std::int64_t rounds = share < 1 ? 1 : share < MostRounds ? share : MostRounds;
  const std::int64_t tile_packets = rounds * BlockSize;
  for (std::int64_t begin = blockIdx.x * tile_packets; begin < packets; begin += gridDim.x * tile_packets) {
    const std::int64_t end = begin + tile_packets < packets ? begin + tile_packets : packets;
    if (warp < 2) {
      const std::int64_t packet = warp == 0 ? begin : end - 1;
      const auto range = detail::find_in_order(n, 0, [&](std::int64_t i) { return ends[i] <= packet; }, [](int) {});
      if (rank % warp_size == 0) found[warp] = range;
    }
    block.sync();
    for (std::int64_t packet = begin + rank; packet < end; packet += BlockSize) {
      std::int64_t low = found[0], high = found[1];
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (ends[middle] <= packet) low = middle + 1;
        else high = middle;
      }
      ranges.copy(low, packet - (low > 0 ? ends[low - 1] : 0));
    }
    block.sync();
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
