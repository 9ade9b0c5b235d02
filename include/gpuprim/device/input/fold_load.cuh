// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How loads are made, and their elements joined as accumulators.
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/ptx/sm_61.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/load.cuh>
#include <gpuprim/thread/thread_reduce.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// 16 bytes that begin `shift` bytes behind a boundary of 16, out of the two loads that they lie in. The second of
/// them is also the next lane's first, so that device memory is read once.
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

/// Asks for the cache lines of a load.
template <class In>
__device__ __forceinline__ void prefetch_load(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) in.prefetch(at);
  else ptx::prefetch_to_l2(in + at);
}

/// Every row is there.
struct every_row {
  __device__ constexpr bool operator()(int) const { return true; }
};

/// Makes a lane's loads of some rows. All are in flight before the caller uses the first, which is what the loads of
/// all kernels have in common. The load of a row begins at `position(row)`. Rows that are not there stay unset. (A
/// function that returned the rows would have ptxas take more registers.)
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
  else return static_cast<Acc>(item);
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
