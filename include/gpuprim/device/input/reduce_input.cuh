// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The input of a reduce as warps read it: in units of wide loads, and element by element at its edges.
#include <gpuprim/device/input/input_loads.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// An input as warps see it: a body of 16-byte loads, and the up to 31 elements before and behind it. The body is cut
/// into units of 32 lanes x LoadsPerThread loads, of which only the last may be incomplete. Before them it may have a
/// lead of up to 7 loads, so that they begin at a cache line.
template <class In, int LoadsPerThread>
struct reduce_input {
  using value_type = input_value<In>;
  static constexpr int load_items = count_load_items<In>(), margin_items = count_margin_items<In>();
  static constexpr bool has_edges = load_items > 1 || margin_items > 0;
  static constexpr std::int64_t unit_loads = std::int64_t(warp_size) * LoadsPerThread;

  In in;
  std::int64_t n;
  std::int64_t loads;      ///< 16-byte loads in the body
  unsigned head_and_lead;  ///< in one word, which a kernel gets at faster than two of 16 bits

  static unsigned pack(std::int64_t head, int lead) { return unsigned(head) | unsigned(lead) << 16; }
  /// Elements before the body, and loads of the body before the units.
  GPUPRIM_HOST_DEVICE int head() const { return int(head_and_lead & 0xffff); }
  GPUPRIM_HOST_DEVICE int lead() const { return int(head_and_lead >> 16); }

  GPUPRIM_HOST_DEVICE std::int64_t units() const { return (loads - lead() + unit_loads - 1) / unit_loads; }
  GPUPRIM_HOST_DEVICE std::int64_t complete_units() const { return (loads - lead()) / unit_loads; }
  GPUPRIM_HOST_DEVICE int tail() const { return int(n - head() - loads * load_items); }

  /// Leaves out the elements from number `count` on.
  __device__ __forceinline__ void cut(std::int64_t count) {
    if (count >= n) return;
    const std::int64_t first = head() < count ? head() : count, body = count - first - margin_items;
    n = count;
    loads = body > 0 ? body / load_items : 0;
    head_and_lead = unsigned(first) | unsigned(lead() < loads ? lead() : 0) << 16;
  }

  /// The load that the calling lane makes for a row of a unit.
  __device__ std::int64_t load_index(std::int64_t unit, int row) const {
    return lead() + unit * unit_loads + row * warp_size + ptx::lane();
  }
  __device__ std::int64_t position(std::int64_t load) const { return head() + load * load_items; }
};

/// Where units begin.
enum class unit_start {
  behind_head,    ///< with the first load of the body
  at_cache_line,  ///< behind a lead, unless the rest of the body would then be more than a unit
};

/// Cuts the input into head, body and tail. A row of loads that straddles cache lines touches one more than a row
/// that begins at one.
template <int LoadsPerThread, unit_start Start = unit_start::behind_head, class In>
reduce_input<In, LoadsPerThread> make_reduce_input(const In& in, std::int64_t n) {
  using input_type = reduce_input<In, LoadsPerThread>;
  std::int64_t head = 0;
  if constexpr (input_type::has_edges) {
    head = detail::count_items_to_boundary(in) + input_type::margin_items;
    if (head > n) head = n;
  }
  const std::int64_t body = n - head - input_type::margin_items, loads = body > 0 ? body / input_type::load_items : 0;
  int lead = Start == unit_start::at_cache_line ? detail::count_loads_to_line(in, head) : 0;
  if (lead > loads || (loads - lead) % input_type::unit_loads + lead > input_type::unit_loads) lead = 0;
  return {in, n, loads, input_type::pack(head, lead)};
}

/// Units a warp up to which its first is prefetched. In a longer pass the prefetch saves little, and takes bandwidth
/// from the previous kernel.
inline constexpr std::int64_t prefetched_units = 8;

/// Prefetches the cache lines of a complete unit while the previous kernel still runs.
template <int LoadsPerThread, class In>
__device__ __forceinline__ void prefetch_unit(const reduce_input<In, LoadsPerThread>& input, std::int64_t unit) {
  if constexpr (std::is_pointer_v<In> || reads_itself<In>) {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) {
      prefetch_load(input.in, input.position(input.load_index(unit, row)));
    }
  }
}

/// A complete unit in registers, one value a load.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ uninitialized_array<Acc, LoadsPerThread> load_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Op& op) {
  const auto position = [&](int row) { return input.position(input.load_index(unit, row)); };
  decltype(detail::load_input<input_value<In>>(input.in, 0)) loads[LoadsPerThread];
  detail::load_rows(loads, input.in, position);
  return detail::fold_rows<Acc>(loads, input.in, position, op);
}

/// The last unit, which may be incomplete: loads behind the body are replaced by `none`.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ uninitialized_array<Acc, LoadsPerThread> load_last_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Op& op, const Acc& none) {
  const auto position = [&](int row) { return input.position(input.load_index(unit, row)); };
  const auto is_there = [&](int row) { return input.load_index(unit, row) < input.loads; };
  decltype(detail::load_input<input_value<In>>(input.in, 0)) loads[LoadsPerThread];
  detail::load_rows(loads, input.in, position, is_there);
  uninitialized_array<Acc, LoadsPerThread> values;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    values[row] = none;
    const std::int64_t load = input.load_index(unit, row);
    if (load < input.loads) values[row] = detail::fold_input<Acc>(input.in, loads[row], input.position(load), op);
  }
  return values;
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
