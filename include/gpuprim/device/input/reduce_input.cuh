// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The input of a reduce as warps read it: in units of wide loads, and element by element at its edges.
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/ptx/sm_61.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/load.cuh>
#include <gpuprim/thread/thread_reduce.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::detail {

/// The input as warps see it: a body of 16-byte loads, and the up to 31 elements before and behind it. The body is cut
/// into units of 32 lanes x LoadsPerThread loads, of which only the last may be incomplete. Before them it may have a
/// lead of up to 7 loads, so that they begin at a cache line.
template <class In, int LoadsPerThread>
struct reduce_input {
  using value_type = std::remove_cv_t<typename std::iterator_traits<In>::value_type>;
  static constexpr int load_items = count_load_items<In>(), margin_items = count_margin_items<In>();
  static constexpr bool has_edges = load_items > 1 || margin_items > 0;
  static constexpr std::int64_t unit_loads = std::int64_t(warp_size) * LoadsPerThread;

  In in;
  std::int64_t n;
  std::int64_t loads;         ///< 16-byte loads in the body
  unsigned head_and_lead;     ///< in one word: two of 16 bits take a kernel longer to get at (128 KiB 1.60 us for 1.57)

  static unsigned pack(std::int64_t head, int lead) { return unsigned(head) | unsigned(lead) << 16; }
  /// Elements before the body, and loads of the body before the units.
  GPUPRIM_HOST_DEVICE int head() const { return int(head_and_lead & 0xffff); }
  GPUPRIM_HOST_DEVICE int lead() const { return int(head_and_lead >> 16); }

  GPUPRIM_HOST_DEVICE std::int64_t units() const { return (loads - lead() + unit_loads - 1) / unit_loads; }
  GPUPRIM_HOST_DEVICE std::int64_t complete_units() const { return (loads - lead()) / unit_loads; }
  GPUPRIM_HOST_DEVICE int tail() const { return int(n - head() - loads * load_items); }

  /// The load that the calling lane makes for a row of a unit.
  __device__ std::int64_t load_index(std::int64_t unit, int row) const {
    return lead() + unit * unit_loads + row * warp_size + ptx::lane();
  }
  __device__ std::int64_t position(std::int64_t load) const { return head() + load * load_items; }
};

/// Cuts the input into head, body and tail. AtLine: its units begin at a cache line, unless what is then left of the
/// body would be more than a unit. A row of loads that straddles lines takes one more: 64 KiB of float from an address
/// that is not aligned 1.35 us instead of 1.28, 16 MiB 5.74 instead of 5.64.
template <int LoadsPerThread, bool AtLine = false, class In>
reduce_input<In, LoadsPerThread> make_reduce_input(const In& in, std::int64_t n) {
  using input_type = reduce_input<In, LoadsPerThread>;
  std::int64_t head = 0;
  if constexpr (input_type::has_edges) {
    head = detail::count_items_to_boundary(in) + input_type::margin_items;
    if (head > n) head = n;
  }
  const std::int64_t body = n - head - input_type::margin_items, loads = body > 0 ? body / input_type::load_items : 0;
  int lead = AtLine ? detail::count_loads_to_line(in, head) : 0;
  if (lead > loads || (loads - lead) % input_type::unit_loads + lead > input_type::unit_loads) lead = 0;
  return {in, n, loads, input_type::pack(head, lead)};
}

template <class In>
__device__ __forceinline__ void prefetch_load(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) in.prefetch(at);
  else ptx::prefetch_to_l2(in + at);
}

/// Units a warp up to which the first is prefetched. For longer inputs it only takes bandwidth from the kernel ahead: a
/// pass over 2^30 bytes gained 0.45 % without (H200), and one over 2^26 bytes lost 3 %.
inline constexpr std::int64_t prefetched_units = 8;

/// Asks for a complete unit's cache lines while the kernel still waits for the one before it.
template <int LoadsPerThread, class In>
__device__ __forceinline__ void prefetch_unit(const reduce_input<In, LoadsPerThread>& input, std::int64_t unit) {
  if constexpr (std::is_pointer_v<In> || reads_itself<In>) {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) {
      prefetch_load(input.in, input.position(input.load_index(unit, row)));
    }
  }
}

/// 16 bytes that begin `shift` bytes behind a boundary of 16, out of the two loads that they lie in. The next lane
/// needs the second of them too, so that memory is read once.
__device__ __forceinline__ uint4 load_shifted(const void* from, int shift) {
  const auto* loads = reinterpret_cast<const uint4*>(static_cast<const char*>(from) - shift);
  return join_loads(ptx::keep_whole(loads[0]), ptx::keep_whole(loads[1]), shift);
}

/// One load of an array, still packed; of anything else one element, also where the input reads itself.
template <class T, class In>
__device__ __forceinline__ auto load_as_is(const In& in, std::int64_t at) {
  if constexpr (std::is_pointer_v<In>) {
    return load_packed<T>(in + at);
  } else {
    uninitialized_array<T, 1> one;
    one[0] = in[at];
    return one;
  }
}
/// One load of an input, in the way that it says if it reads itself.
template <class T, class In>
__device__ __forceinline__ auto load_input(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) return in.load(at);
  else return load_as_is<T>(in, at);
}

/// A load that is joined where this stands. ptxas would join one of doubles as soon as it could, and so wait for
/// what had been asked for before it.
template <class Packed>
__device__ __forceinline__ Packed keep_load(const Packed& packed) { return packed; }
__device__ __forceinline__ uint4 keep_load(const uint4& packed) { return ptx::keep_whole(packed); }

/// Something to overwrite, of a type that may have no default constructor.
template <class Bytes>
__device__ __forceinline__ Bytes zero_bytes() {
  Bytes zero;
  std::memset(static_cast<void*>(&zero), 0, sizeof zero);
  return zero;
}

/// What holds the sum of a load's 8- or 16-bit integers.
template <class T>
using narrow_sum = std::conditional_t<std::is_signed_v<T>, int, unsigned>;

/// Count elements, joined in order as accumulators.
template <class Acc, int Count, class In, class Op>
__device__ __forceinline__ Acc fold_items(const In& in, std::int64_t first, const Op& op) {
  uninitialized_array<Acc, Count> wide;
#pragma unroll
  for (int i = 0; i < Count; ++i) wide[i] = static_cast<Acc>(in[first + i]);
  return gpuprim::thread_reduce(wide, op);
}

/// The elements of one load, joined in order as accumulators.
template <class Acc, class T, class Packed, class Op>
__device__ __forceinline__ Acc fold_load(const Packed& packed, const Op& op) {
  if constexpr (!std::is_same_v<Packed, uint4>) {
    return static_cast<Acc>(packed[0]);
  } else if constexpr (ptx::has_packed_sum<Op, T, Acc>) {
    Acc sum = ptx::add_packed<T>(packed.x, Acc{0});
    sum = ptx::add_packed<T>(packed.y, sum);
    sum = ptx::add_packed<T>(packed.z, sum);
    return ptx::add_packed<T>(packed.w, sum);
  } else if constexpr (ptx::has_packed_sum<Op, T, narrow_sum<T>> && std::is_integral_v<Acc> && sizeof(Acc) == 8) {
    return static_cast<Acc>(fold_load<narrow_sum<T>, T>(packed, op));
  } else {
    return fold_items<Acc, elements_per_load<T>>(unpack<T>(packed), 0, op);
  }
}

/// The elements of such a load, which began at the position, joined in order as accumulators: as the input says too.
template <class Acc, class In, class Packed, class Op>
__device__ __forceinline__ Acc fold_input(const In& in, const Packed& packed, std::int64_t at, const Op& op) {
  if constexpr (reads_itself<In>) return in.template fold<Acc>(packed, at, op);
  else return fold_load<Acc, std::remove_cv_t<typename std::iterator_traits<In>::value_type>>(packed, op);
}

/// An element, which is that at the position, as an accumulator.
template <class Acc, class In, class T>
__device__ __forceinline__ Acc make_accumulator(const In& in, const T& item, std::int64_t at) {
  if constexpr (reads_itself<In>) return in.template item<Acc>(item, at);
  else return static_cast<Acc>(item);
}
template <class Acc, class In>
__device__ __forceinline__ Acc load_item(const In& in, std::int64_t at) {
  return detail::make_accumulator<Acc>(in, in[at], at);
}

/// A complete unit in registers, one value a load. All loads are under way before the first is used.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ uninitialized_array<Acc, LoadsPerThread> load_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Op& op) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  decltype(detail::load_input<T>(input.in, 0)) loads[LoadsPerThread];
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    loads[row] = detail::load_input<T>(input.in, input.position(input.load_index(unit, row)));
  }
  uninitialized_array<Acc, LoadsPerThread> rows;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    rows[row] = detail::fold_input<Acc>(input.in, loads[row], input.position(input.load_index(unit, row)), op);
  }
  return rows;
}

/// The same for the last unit, which may be incomplete: in place of loads behind the body stands `none`.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ uninitialized_array<Acc, LoadsPerThread> load_last_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Op& op, const Acc& none) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  decltype(detail::load_input<T>(input.in, 0)) loads[LoadsPerThread];
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    const std::int64_t load = input.load_index(unit, row);
    if (load < input.loads) loads[row] = detail::load_input<T>(input.in, input.position(load));
  }
  uninitialized_array<Acc, LoadsPerThread> rows;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    rows[row] = none;
    const std::int64_t load = input.load_index(unit, row);
    if (load < input.loads) rows[row] = detail::fold_input<Acc>(input.in, loads[row], input.position(load), op);
  }
  return rows;
}

/// True for an input that joins units to a lane's running value itself.
template <class In>
inline constexpr bool joins_units = requires { requires In::joins_units; };

/// Joins a complete unit to the running value of a lane.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ void join_unit(Acc& total, const reduce_input<In, LoadsPerThread>& input, std::int64_t unit,
                                          const Op& op) {
  using T = typename reduce_input<In, LoadsPerThread>::value_type;
  auto position = [&](int row) { return input.position(input.load_index(unit, row)); };
  decltype(detail::load_input<T>(input.in, 0)) loads[LoadsPerThread];
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) loads[row] = detail::load_input<T>(input.in, position(row));
  input.in.join_unit(total, loads, position, op);
}

/// The same for any unit. In place of loads behind the body the last one comes again: for joins that do not mind.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ void join_any_unit(Acc& total, const reduce_input<In, LoadsPerThread>& input,
                                              std::int64_t unit, const Op& op) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  const bool is_whole = (unit + 1) * input_type::unit_loads <= input.loads;
  auto is_present = [&](int row) { return is_whole || input.load_index(unit, row) < input.loads; };
  auto position = [&](int row) {
    return input.position(is_present(row) ? input.load_index(unit, row) : input.loads - 1);
  };
  decltype(detail::load_input<T>(input.in, 0)) loads[LoadsPerThread];
  if (is_whole) {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) {
      loads[row] = detail::load_input<T>(input.in, input.position(input.load_index(unit, row)));
    }
  } else {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) loads[row] = detail::load_input<T>(input.in, position(row));
  }
  input.in.join_unit(total, loads, position, op);
}

/// The elements at an edge of the body, one a lane; `none` where there is none.
template <class Acc, class In>
__device__ __forceinline__ Acc load_edge(const In& in, std::int64_t first, int count, const Acc& none) {
  const int lane = int(ptx::lane());
  return lane < count ? detail::load_item<Acc>(in, first + lane) : none;
}

}  // namespace gpuprim::detail
