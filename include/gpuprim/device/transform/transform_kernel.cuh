// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/arguments/inputs.cuh>
#include <gpuprim/device/common/packets.cuh>
#include <gpuprim/device/transform/functions.cuh>
#include <gpuprim/policy/transform_policy.hpp>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Bytes of a packet that are requested from memory, as far as can be seen.
template <class It, int Items>
constexpr int count_packet_bytes() {
  if constexpr (std::is_same_v<It, positions<>>) return 0;
  else if constexpr (requires { typename std::iterator_traits<It>::value_type; }) {
    if constexpr (!std::is_void_v<typename std::iterator_traits<It>::value_type>) {
      return Items * int(sizeof(input_value<It>));
    }
  }
  return 0;
}

/// The arguments of a streaming pass, which calls a function of an element of each input and writes what it returns to
/// the outputs: nothing, a value, or a tuple of values. Packet p begins at element `head` + p * `items`; the elements
/// before the first packet and behind the last, the edges, are taken one by one.
template <packet_form Form, transform_policy Policy, class Ins, class Outs, class Fn>
struct transform_pass;

template <packet_form Form, transform_policy Policy, std::size_t... In, class... Ins, std::size_t... Out, class... Outs,
          class Fn>
struct transform_pass<Form, Policy, bundle_of<std::index_sequence<In...>, Ins...>,
                      bundle_of<std::index_sequence<Out...>, Outs...>, Fn> {
  static constexpr int items = Form == packet_form::elements ? 1 : find_packet_items<Ins..., Outs...>();
  /// Blocks of a multiprocessor that registers must leave room for, where the compiler would else leave room for more
  /// and keep words of shifted inputs in local memory. 0: as many as it chooses.
  static constexpr int least_blocks = Form == packet_form::shifted ? 1024 / Policy.block_size : 0;
  static constexpr int block_size = Policy.block_size, spread_blocks = Policy.spread_blocks;
  static constexpr int in_bytes = (count_packet_bytes<Ins, items>() + ... + 0);
  static constexpr int packet_bytes = in_bytes > 0 ? in_bytes : (count_packet_bytes<Outs, items>() + ... + 0);
  static constexpr int most_rounds = 8, unseen_rounds = 4;  ///< the latter where only the function knows of memory
  static constexpr int find_rounds() {
    const int bytes = in_bytes > 0 ? Policy.thread_bytes : Policy.written_bytes;
    int rounds = packet_bytes > 0 ? bytes / packet_bytes : unseen_rounds;
    if (rounds > most_rounds) rounds = most_rounds;
    if (rounds * items > Policy.most_items) rounds = Policy.most_items / items;
    return rounds > 1 ? rounds : 1;
  }
  /// Packets of a thread at the most.
  static constexpr int rounds = find_rounds();
  static constexpr bool copies_first = requires { requires Fn::copies_first; };
  static constexpr bool copies_last = requires { requires Fn::copies_last; };
  /// Shared memory of a lane: see store_traded.
  static constexpr int traded_bytes = [] {
    int most = 0;
    ((most = traded_bytes_of<Outs, items, Form> > most ? traded_bytes_of<Outs, items, Form> : most), ...);
    return most;
  }();

  using row = bundle<input_packet<Ins, items, Form>...>;
  struct unpacked {};  ///< stands for the results of an output that is written element by element
  template <class O>
  static constexpr auto find_results() {
    if constexpr (moves_words<O, items, Form>) return std::type_identity<uninitialized_array<input_value<O>, items>>{};
    else return std::type_identity<unpacked>{};
  }
  using results = bundle<typename decltype(find_results<Outs>())::type...>;

  bundle<Ins...> ins;
  bundle<Outs...> outs;
  Fn fn;
  std::int64_t n, packets;
  int head, tile_packets;          ///< elements before the first packet; packets of a block, a multiple of its threads
  int tiles;                       ///< blocks that have packets; one more has the edges, if there are any
  int shifts[sizeof...(Ins) + 1];  ///< bytes from a boundary of words to the packets of each input

  /// Takes a tile of packets. `room`: shared memory of the warp for packets that are traded.
  __device__ __forceinline__ void take_tile(int tile, [[maybe_unused]] void* room) const {
    const int rank = int(threadIdx.x);
    const std::int64_t begin = std::int64_t(tile) * tile_packets, rest = packets - begin;
    const int count = rest < tile_packets ? int(rest) : tile_packets;
    row rows[rounds];
    ptx::wait_for_previous_grid();
#pragma unroll
    for (int k = 0; k < rounds; ++k) {
      const int at = k * block_size + rank;
      if (at < count) load(rows[k], first_of(begin + at));
    }
#pragma unroll
    for (int k = 0; k < rounds; ++k) {
      const int at = k * block_size + rank;
      if constexpr (traded_bytes == 0) {
        if (at < count) {
          results all;
          compute(rows[k], first_of(begin + at), all);
          (store(detail::member<Out>(outs), detail::member<Out>(all), first_of(begin + at)), ...);
        }
      } else {
        const int of_warp = at - rank % warp_size, lanes = count - of_warp < warp_size ? count - of_warp : warp_size;
        if (lanes > 0) {
          results all;
          if (at < count) compute(rows[k], first_of(begin + at), all);
          const std::int64_t first = first_of(begin + of_warp);
          (store_by_warp(detail::member<Out>(outs), detail::member<Out>(all), first, lanes, room), ...);
        }
      }
    }
  }

  /// Takes the edges. A block calls it.
  __device__ __forceinline__ void take_edges() const {
    const std::int64_t inside = packets * items;
    ptx::wait_for_previous_grid();
#pragma unroll 1
    for (int edge = int(threadIdx.x); edge < int(n - inside); edge += block_size) {
      const std::int64_t i = edge < head ? edge : inside + edge;
      if constexpr (sizeof...(Outs) == 0) {
        fn(detail::convert<input_value<Ins>>(detail::member<In>(ins)[i])...);
      } else {
        const auto made = fn(detail::convert<input_value<Ins>>(detail::member<In>(ins)[i])...);
        (detail::put_at(detail::member<Out>(outs), i, part<Out>(made)), ...);
      }
    }
    if constexpr (copies_first || copies_last) {
      using input = std::remove_cvref_t<decltype(detail::member<0>(ins))>;
      if (threadIdx.x == 0) {
        const std::int64_t at = copies_first ? -1 : n;
        detail::put_at(detail::member<0>(outs), at, static_cast<input_value<input>>(detail::member<0>(ins)[at]));
      }
    }
  }

 private:
  __device__ __forceinline__ std::int64_t first_of(std::int64_t packet) const { return head + packet * items; }

  /// What the function returned for an output.
  template <std::size_t Index, class Made>
  __device__ static __forceinline__ decltype(auto) part(const Made& made) {
    if constexpr (sizeof...(Outs) > 1) return gpuprim::get<Index>(made);
    else return (made);
  }
  template <class O, class Results, class T>
  __device__ static __forceinline__ void keep(const O& out, Results& all, std::int64_t first, int i, const T& value) {
    if constexpr (moves_words<O, items, Form>) all[i] = detail::convert<input_value<O>>(value);
    else detail::put_at(out, first + i, value);
  }

  __device__ __forceinline__ void load([[maybe_unused]] row& to, [[maybe_unused]] std::int64_t first) const {
    (detail::member<In>(to).load(detail::member<In>(ins), first, shifts[In]), ...);
  }
  /// Calls the function of each element of a packet.
  __device__ __forceinline__ void compute(const row& loaded, std::int64_t first, results& all) const {
    const bundle<std::remove_cvref_t<decltype(detail::member<In>(loaded).open(0))>...> opened{
        {detail::member<In>(loaded).open(shifts[In])}...};
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if constexpr (sizeof...(Outs) == 0) {
        fn(detail::member<In>(opened)[i]...);
      } else {
        const auto& made = fn(detail::member<In>(opened)[i]...);
        (keep(detail::member<Out>(outs), detail::member<Out>(all), first, i, part<Out>(made)), ...);
      }
    }
  }
  template <class O, class Results>
  __device__ static __forceinline__ void store(const O& out, const Results& all, std::int64_t first) {
    if constexpr (moves_words<O, items, Form>) {
      using packed = packet_words<input_value<O>, items>;
      static_assert(packed::count == 1);
      packed own;
      own.pack(all);
      *reinterpret_cast<typename packed::type*>(out + first) = own.words[0];
    }
  }
  /// Stores the packets of the first lanes of a warp, of which that of lane 0 begins at `first`.
  template <class O, class Results>
  __device__ static __forceinline__ void store_by_warp(const O& out, const Results& all, std::int64_t first, int lanes,
                                                       void* room) {
    if constexpr (traded_bytes_of<O, items, Form> > 0) {
      packet_words<input_value<O>, items> own;
      own.pack(all);
      detail::store_traded(own, out, first, lanes, room);
    } else {
      const int lane = int(threadIdx.x) % warp_size;
      if (lane < lanes) store(out, all, first + lane * items);
    }
  }
};

/// A pass over a number of elements that lies in device memory. Its arrays have room for the most.
template <class Pass>
struct counted_pass : Pass {
  element_count count;

  /// Leaves out what there is not.
  __device__ __forceinline__ void cut() {
    ptx::wait_for_previous_grid();
    const std::int64_t there = count.read(), behind = there > this->head ? there - this->head : 0;
    this->n = there;
    if (behind / Pass::items < this->packets) this->packets = behind / Pass::items;
  }
};

/// Each block takes one tile of packets, and one more block the edges.
template <class Pass>
__global__ void __launch_bounds__(Pass::block_size, Pass::least_blocks) transform_kernel(Pass pass) {
  ptx::let_next_grid_start();
  const int tile = int(blockIdx.x);
  if constexpr (requires { pass.cut(); }) {
    pass.cut();
    if (tile < pass.tiles && std::int64_t(tile) * pass.tile_packets >= pass.packets) return;
  }
  if (tile == pass.tiles) {
    pass.take_edges();
  } else if constexpr (Pass::traded_bytes > 0) {
    using room = shared_array<uint4, warp_size * Pass::traded_bytes / int(sizeof(uint4))>;
    GPUPRIM_SHARED(rooms, room[Pass::block_size / warp_size]);
    pass.take_tile(tile, rooms[threadIdx.x / warp_size].data());
  } else {
    pass.take_tile(tile, nullptr);
  }
}

}  // namespace gpuprim::detail
