// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a load of an input brings, where loads begin, and how their elements are joined as accumulators.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/ptx/sm_61.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/load.cuh>
#include <gpuprim/thread/thread_reduce.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// True for an input that defines itself how it is loaded and how its elements become accumulators; see
/// device/input/projected_input.cuh. Pointers are read 16 bytes a load, other iterators element by element, and
/// elements are converted.
template <class In>
inline constexpr bool reads_itself = requires { In::load_items; };

/// True for an input that joins units to a lane's running value itself.
template <class In>
inline constexpr bool joins_units = requires { requires In::joins_units; };

/// Wide loads of a lane in a row.
template <class In>
inline constexpr int loads_in_row = 1;

template <class In>
constexpr int count_load_items() {
  if constexpr (reads_itself<In>) return In::load_items;
  else if constexpr (std::is_pointer_v<In>) return elements_per_load<std::remove_cv_t<std::remove_pointer_t<In>>>;
  else return 1;
}

/// Elements at each end of an input that must not be in its body, because a load reads beyond its own elements.
template <class In>
constexpr int count_margin_items() {
  if constexpr (requires { In::margin_items; }) return In::margin_items;
  else return 0;
}

/// True if a load brings at most 16 bytes, and elements that divide them.
template <class In>
constexpr bool fits_wide_load() {
  if constexpr (reads_itself<In>) return In::loads_fit;
  else return load_bytes % sizeof(typename std::iterator_traits<In>::value_type) == 0;
}

/// Rows of a lane that are about `loads` wide loads.
template <class In>
constexpr int count_rows(int loads) {
  if constexpr (loads_in_row<In> == 1) return loads;
  else return loads < 4 ? 1 : loads / 4;
}

/// Elements between the 16-byte boundary before the input and the input.
template <class In>
std::int64_t count_items_past_boundary(const In& in) {
  if constexpr (reads_itself<In>) return in.items_past_boundary();
  else return std::int64_t(reinterpret_cast<std::uintptr_t>(in) % load_bytes / sizeof(*in));
}

/// Elements from the input to the first 16-byte boundary.
template <class In>
std::int64_t count_items_to_boundary(const In& in) {
  const std::int64_t past = detail::count_items_past_boundary(in);
  return past == 0 ? 0 : count_load_items<In>() - past;
}

/// Loads of Parts times 16 bytes from the address, where one begins, to the first that begins at a cache line. 0 if
/// no load does.
template <int Parts = 1>
int count_loads_to_line(const void* address) {
  constexpr int line_parts = 128 / load_bytes;
  const int to_line = int(-reinterpret_cast<std::uintptr_t>(address) / load_bytes % line_parts);
  for (int loads = 0; loads < line_parts; ++loads) {
    if (loads * Parts % line_parts == to_line) return loads;
  }
  return 0;
}

/// Loads from an element to the first that begins at a cache line. 0 if the input does not say where its loads are.
template <class In>
int count_loads_to_line(const In& in, std::int64_t at) {
  if constexpr (std::is_pointer_v<In>) return fits_wide_load<In>() ? detail::count_loads_to_line(in + at) : 0;
  else if constexpr (requires { in.loads_to_line(at); }) return in.loads_to_line(at);
  else return 0;
}

/// 16 bytes that begin `shift` bytes behind a boundary of 16, from the two loads that contain them. The second of these
/// is also the next lane's first, so that device memory is read once.
__device__ __forceinline__ uint4 load_shifted(const void* from, int shift) {
  const auto* loads = reinterpret_cast<const uint4*>(static_cast<const char*>(from) - shift);
  return join_loads(ptx::keep_whole(loads[0]), ptx::keep_whole(loads[1]), shift);
}

/// One load of an input, still packed: as the input says if it reads itself, 16 bytes of an array, one element of
/// anything else.
template <class T, class In>
__device__ __forceinline__ auto load_input(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) {
    return in.load(at);
  } else if constexpr (std::is_pointer_v<In>) {
    return load_packed<T>(in + at);
  } else {
    uninitialized_array<T, 1> one;
    one[0] = in[at];
    return one;
  }
}

/// One load of an array, one element of anything else, also where the input reads itself.
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

/// Prefetches the cache lines of a load.
template <class In>
__device__ __forceinline__ void prefetch_load(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) in.prefetch(at);
  else ptx::prefetch_to_l2(in + at);
}

/// Every row is there.
struct every_row {
  __device__ constexpr bool operator()(int) const { return true; }
};

/// Makes a lane's loads of some rows. All are in flight before the caller uses the first. All kernels load through it.
/// The load of a row begins at `position(row)`. Missing rows stay unset. A function that returned the rows would take
/// more registers.
template <int Rows, class Packed, class In, class Position, class Present = every_row>
__device__ __forceinline__ void load_rows(Packed (&loads)[Rows], const In& in, const Position& position,
                                          const Present& is_there = {}) {
#pragma unroll
  for (int row = 0; row < Rows; ++row) {
    if (is_there(row)) loads[row] = detail::load_input<input_value<In>>(in, position(row));
  }
}

/// What holds the sum of a load's 8- or 16-bit integers.
template <class T>
using narrow_sum = std::conditional_t<std::is_signed_v<T>, int, unsigned>;

/// Count elements, joined in order as accumulators.
template <class Acc, int Count, class In, class Op>
__device__ __forceinline__ Acc fold_items(const In& in, std::int64_t first, const Op& op) {
  uninitialized_array<Acc, Count> wide;
#pragma unroll
  for (int i = 0; i < Count; ++i) wide[i] = detail::convert<Acc>(in[first + i]);
  return gpuprim::thread_reduce(wide, op);
}

/// The elements of one load, joined in order as accumulators.
template <class Acc, class T, class Packed, class Op>
__device__ __forceinline__ Acc fold_load(const Packed& packed, const Op& op) {
  if constexpr (!std::is_same_v<Packed, uint4>) {
    return detail::convert<Acc>(packed[0]);
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

/// The elements of a load that began at the position, joined in order as accumulators, or as the input says.
template <class Acc, class In, class Packed, class Op>
__device__ __forceinline__ Acc fold_input(const In& in, const Packed& packed, std::int64_t at, const Op& op) {
  if constexpr (reads_itself<In>) return in.template fold<Acc>(packed, at, op);
  else return fold_load<Acc, input_value<In>>(packed, op);
}

/// The loads of complete rows, each joined to one value.
template <class Acc, int Rows, class Packed, class In, class Position, class Op>
__device__ __forceinline__ uninitialized_array<Acc, Rows> fold_rows(const Packed (&loads)[Rows], const In& in,
                                                                    const Position& position, const Op& op) {
  uninitialized_array<Acc, Rows> values;
#pragma unroll
  for (int row = 0; row < Rows; ++row) {
    values[row] = detail::fold_input<Acc>(in, loads[row], position(row), op);
  }
  return values;
}

/// An element, which is that at the position, as an accumulator.
template <class Acc, class In, class T>
__device__ __forceinline__ Acc make_accumulator(const In& in, const T& item, std::int64_t at) {
  if constexpr (reads_itself<In>) return in.template item<Acc>(item, at);
  else return detail::convert<Acc>(item);
}
template <class Acc, class In>
__device__ __forceinline__ Acc load_item(const In& in, std::int64_t at) {
  return detail::make_accumulator<Acc>(in, in[at], at);
}

/// The elements at an edge of the body, one a lane; `none` where there is none.
template <class Acc, class In>
__device__ __forceinline__ Acc load_edge(const In& in, std::int64_t first, int count, const Acc& none) {
  const int lane = int(ptx::lane());
  return lane < count ? detail::load_item<Acc>(in, first + lane) : none;
}

}  // namespace gpuprim::detail
