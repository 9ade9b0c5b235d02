// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/sort_call.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Values of more bytes are not moved in every pass: their positions are sorted, and then each is moved once.
inline constexpr int most_moved_bytes = 16;

/// Elements whose positions have 32 bits.
inline constexpr std::int64_t most_short_positions = std::int64_t{1} << 32;

/// A radix sort of keys and of positions, which are of type Position, and the memory for it and for the values.
template <class Sort, class Value>
struct long_values_sort;

template <sort_policies Policies, class Digits, class Key, class Position, class Value>
struct long_values_sort<radix_sort<Policies, Digits, Key, Position>, Value> {
  using radix = radix_sort<Policies, Digits, Key, Position>;

  static constexpr std::int64_t position_bytes(std::int64_t n) {
    return detail::align_up(n * std::int64_t(sizeof(Position)));
  }
  /// Behind what the sort of positions takes: the sorted positions, and the values if they are sorted in place.
  static constexpr workspace_size find_workspace_size(std::int64_t n) {
    if (n <= 0) return {};
    workspace_size size = radix::find_workspace_size(n);
    size.scratch_bytes += position_bytes(n) + n * std::int64_t(sizeof(Value));
    return size;
  }

  /// Calls `gather(values, sorted_positions)` once the positions are sorted.
  template <class KeysIn, class ValuesIn, class Gather>
  static outcome run(const radix& sort, const KeysIn& keys, ValuesIn values, const sort_buffers<Key, Value>& out,
                     const options& how, const Gather& gather) {
    const std::int64_t n = sort.n;
    if (n == 0) return {};
    memory_lease lease(find_workspace_size(n), how);
    if (lease.error()) return lease.refusal();
    char* const memory = lease.scratch() + radix::state_bytes(n);
    char* const behind = memory + radix::buffer_bytes(n);
    auto* const sorted = reinterpret_cast<Position*>(behind);
    const gpuprim::positions<Position> positions;
    const sort_buffers<Key, Position> to{out.keys, sorted};
    outcome done;
    if (!sort.run_in_one_launch(keys, positions, to, how, done)) {
      const auto state = radix::lay_over_state(lease.zeroed(), lease.scratch(), n);
      done = sort.run_passes(keys, positions, to, radix::lay_over(memory, n), state, how);
    }
    auto* const copy = reinterpret_cast<Value*>(behind + position_bytes(n));
    if (!done.failed()) done = detail::copy_if_in_place(values, out.values, copy, n, how);
    return lease.finish(done.failed() ? done : gather(values, sorted));
  }
};

/// Sorts as `sort` would if it moved the values along; `gather` as above.
template <sort_policies Policies, class Digits, class KeysIn, class ValuesIn, class Key, class Value, class Gather>
outcome sort_long_values(const radix_sort<Policies, Digits, Key, Value>& sort, const KeysIn& keys,
                         const ValuesIn& values, const sort_buffers<Key, Value>& out, const options& how,
                         const Gather& gather) {
  const auto with = [&]<class Position>(Position) {
    using of_positions = radix_sort<Policies, Digits, Key, Position>;
    return long_values_sort<of_positions, Value>::run({sort.order, sort.n, sort.first_bit, sort.end_bit}, keys, values,
                                                      out, how, gather);
  };
  return sort.n <= most_short_positions ? with(std::uint32_t{}) : with(std::int64_t{});
}

/// The workspace for it.
template <class Key, class Value, class Order>
constexpr workspace_size find_long_values_size(std::int64_t n) {
  using with_short = radix_sort_of<Key, std::uint32_t, Order>;
  using with_long = radix_sort_of<Key, std::int64_t, Order>;
  return n <= most_short_positions ? long_values_sort<with_short, Value>::find_workspace_size(n)
                                   : long_values_sort<with_long, Value>::find_workspace_size(n);
}

}  // namespace gpuprim::detail
