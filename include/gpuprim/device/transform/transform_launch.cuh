// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/transform/transform_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>

#include <limits>

namespace gpuprim::inline v0_2_0::detail {

/// What decides where the packets of an array may begin.
struct packet_array {
  std::uintptr_t address;
  int element_bytes, word_bytes;  ///< 0: it is not moved in words

  int shift_of(int element) const {
    if (word_bytes == 0) return 0;
    return int((address + std::uintptr_t(element) * unsigned(element_bytes)) % unsigned(word_bytes));
  }
};

template <int Items, class It>
packet_array make_packet_array(const It& it) {
  if constexpr (moves_words<It, Items, packet_form::aligned>) {
    constexpr int bytes = int(sizeof(input_value<It>));
    return {reinterpret_cast<std::uintptr_t>(it), bytes, find_word_bytes(std::size_t(Items * bytes))};
  } else {
    return {0, 0, 0};
  }
}

struct packet_place {
  packet_form form;
  int head;
  std::int64_t packets;
};

/// Finds the first element at which packets of all arrays begin with a word, or else of all outputs. `shifts` gets the
/// bytes that those of each input lie behind one. No word of a packet leaves its array.
[[gnu::noinline]] inline packet_place find_packet_place(int items, std::int64_t n, const packet_array* ins,
                                                        int in_count, const packet_array* outs, int out_count,
                                                        int* shifts) {
  const auto fit = [](const packet_array* arrays, int count, int element) {
    bool all = true;
    for (int i = 0; i < count; ++i) all &= arrays[i].shift_of(element) == 0;
    return all;
  };
  int head = 0;
  while (head < items && !(fit(outs, out_count, head) && fit(ins, in_count, head))) ++head;
  packet_place place{packet_form::aligned, head, 0};
  if (head == items) {
    for (head = 0; head < items && !fit(outs, out_count, head);) ++head;
    place = {head == items ? packet_form::elements : packet_form::shifted, head, 0};
  }
  if (place.form == packet_form::elements) return place;
  for (int i = 0; i < in_count; ++i) {
    shifts[i] = ins[i].shift_of(place.head);
    // A packet more before the first changes no shift.
    if (shifts[i] > place.head * ins[i].element_bytes) place.head += items;
  }
  place.packets = n > place.head ? (n - place.head) / items : 0;
  for (int i = 0; i < in_count; ++i) {
    const std::int64_t behind = (n - place.head - place.packets * items) * ins[i].element_bytes;
    if (place.packets > 0 && shifts[i] > 0 && behind < ins[i].word_bytes - shifts[i]) --place.packets;
  }
  if (place.packets == 0) place.head = 0;
  return place;
}

/// Launches a pass whose packets have been found.
template <class Pass>
outcome launch_transform(Pass pass, const options& how) {
  constexpr auto kernel = &transform_kernel<Pass>;
  const found_shape found = detail::find_shape<kernel>(1, Pass::block_size);
  if (found.error != cudaSuccess) return {found.error};
  const std::int64_t blocks = detail::ceil_div(pass.packets, Pass::block_size);
  const std::int64_t spread = std::int64_t(found.multiprocessors) * Pass::spread_blocks;
  std::int64_t rounds = detail::ceil_div(blocks, spread);
  if (rounds > Pass::rounds) rounds = Pass::rounds;
  if (rounds < 1) rounds = 1;
  const std::int64_t tiles = detail::ceil_div(blocks, rounds);
  if (tiles >= (std::numeric_limits<int>::max)()) return {cudaErrorInvalidValue, "the count is too large"};
  pass.tile_packets = int(rounds) * Pass::block_size;
  pass.tiles = int(tiles);
  constexpr bool is_cut = requires { pass.cut(); };
  const bool has_edges = Pass::copies_first || Pass::copies_last || is_cut || pass.packets * Pass::items < pass.n;
  constexpr int thread_bytes = Pass::rounds * Pass::packet_bytes;
  return detail::launch_main(found.with_blocks(tiles + has_edges), kernel, thread_bytes, how, pass);
}

/// Whether some element of an array begins with a word of its packets, wherever the array is. An array that is the only
/// output is then never written in the form `elements`.
template <class Out>
inline constexpr bool always_has_words = true;
template <class T>
inline constexpr bool always_has_words<T*> = int(alignof(T)) >= find_word_bytes(sizeof(T));

/// Packets that lanes would trade are taken element by element where there are so few bytes that they lie in the L2
/// cache.
inline constexpr std::int64_t most_untraded_bytes = 8 << 20;

/// Chooses the form of a pass over n > 0 elements, or over none whose function copies a first or last one.
template <transform_policy Policy, class Count, class Fn, std::size_t... In, class... Ins, std::size_t... Out,
          class... Outs>
outcome choose_transform(const bundle_of<std::index_sequence<In...>, Ins...>& ins, const Count& count,
                         const bundle_of<std::index_sequence<Out...>, Outs...>& outs, const Fn& fn,
                         const options& how) {
  const std::int64_t n = detail::most_of(count);
  constexpr int items = find_packet_items<Ins..., Outs...>();
  constexpr bool takes_elements = requires { requires Fn::takes_elements; };
  constexpr bool has_words =
      !takes_elements && items <= Policy.most_items &&
      (moves_words<Ins, items, packet_form::aligned> || ... || (moves_words<Outs, items, packet_form::aligned> || ...));
  const auto start = [&]<packet_form Form>(const packet_place& at, const int* shifts) {
    using pass_type = transform_pass<Form, Policy, bundle<Ins...>, bundle<Outs...>, Fn>;
    pass_type pass{ins, outs, fn, n, at.packets, at.head, 0, 0, {}};
    for (int i = 0; i < int(sizeof...(Ins)); ++i) pass.shifts[i] = shifts[i];
    if constexpr (!std::is_same_v<Count, element_count>) return detail::launch_transform(pass, how);
    else return detail::launch_transform(counted_pass<pass_type>{pass, count}, how);
  };
  int shifts[sizeof...(Ins) + 1] = {};
  if constexpr (has_words) {
    const packet_array in_arrays[] = {detail::make_packet_array<items>(detail::member<In>(ins))..., packet_array{}};
    const packet_array out_arrays[] = {detail::make_packet_array<items>(detail::member<Out>(outs))..., packet_array{}};
    const packet_place place =
        detail::find_packet_place(items, n, in_arrays, int(sizeof...(Ins)), out_arrays, int(sizeof...(Outs)), shifts);
    using aligned_pass = transform_pass<packet_form::aligned, Policy, bundle<Ins...>, bundle<Outs...>, Fn>;
    if constexpr (aligned_pass::traded_bytes > 0) {  // to trade packets takes longer than a short pass
      if (n / items < most_untraded_bytes / aligned_pass::packet_bytes) {
        return start.template operator()<packet_form::elements>({packet_form::elements, 0, n}, shifts);
      }
    }
    constexpr bool in_words = (moves_words<Ins, items, packet_form::aligned> || ...);
    // The two elements of a difference are aligned alike only if they are as long as a word.
    constexpr bool is_difference = requires { Fn::copies_first; };
    if constexpr (sizeof...(Outs) > 1 || !(always_has_words<Outs> && ...)) {
      if (place.form == packet_form::elements) {
        return start.template operator()<packet_form::elements>({packet_form::elements, 0, n}, shifts);
      }
    }
    if constexpr (in_words && is_difference) {
      return start.template operator()<packet_form::shifted>(place, shifts);
    } else {
      if constexpr (in_words) {
        if (place.form == packet_form::shifted) return start.template operator()<packet_form::shifted>(place, shifts);
      }
      return start.template operator()<packet_form::aligned>(place, shifts);
    }
  } else {
    return start.template operator()<packet_form::elements>({packet_form::elements, 0, n}, shifts);
  }
}

}  // namespace gpuprim::detail
