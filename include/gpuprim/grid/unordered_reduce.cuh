// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>
#include <gpuprim/grid/grid_arrival.cuh>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstring>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// What the blocks of a grid share that join their values by atomic operations, in no order. As for
/// `grid_reduce_state`, all of it must be zero before the first use and is zero again after each.
template <class T>
struct unordered_reduce_state {
  /// The counter of blocks that have arrived.
  unsigned* arrivals;
  /// What they have joined.
  unsigned long long* total;
};

/// The state in a buffer of device memory.
template <class T>
GPUPRIM_HOST_DEVICE unordered_reduce_state<T> make_unordered_reduce_state(void* buffer) {
  return {static_cast<unsigned*>(buffer), reinterpret_cast<unsigned long long*>(static_cast<char*>(buffer) + 64)};
}

/// The blocks are counted when they have finished, not when they start.
template <class T>
__device__ __forceinline__ grid_arrival arrive(const unordered_reduce_state<T>&) {
  return {};
}

namespace detail {

/// Integers as unsigned keys in which the identity of an operator is 0, so that a zeroed buffer is an empty total.
template <class Op, class T>
struct atomic_key {
  using word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  static constexpr word sign = std::is_signed_v<T> ? word{1} << (sizeof(T) * 8 - 1) : word{0};
  static constexpr bool inverts = is_from<Op, minimum> || is_from<Op, bit_and>;
  static constexpr bool compares = is_from<Op, minimum> || is_from<Op, maximum>;

  __device__ static word encode(T v) {
    const word key = static_cast<word>(v) ^ (compares ? sign : word{0});
    return inverts ? ~key : key;
  }
  __device__ static T decode(word key) {
    if (inverts) key = ~key;
    return static_cast<T>(key ^ (compares ? sign : word{0}));
  }
  __device__ static void join(word* total, T v) {
    if constexpr (is_from<Op, plus>) atomicAdd(total, encode(v));
    else if constexpr (compares) atomicMax(total, encode(v));
    else if constexpr (is_from<Op, bit_xor>) atomicXor(total, encode(v));
    else atomicOr(total, encode(v));
  }
};

/// Sums of float and double: their zero is all zero bits.
template <class T>
struct atomic_sum {
  using word = T;
  __device__ static T decode(T total) { return total; }
  __device__ static void join(T* total, T v) { atomicAdd(total, v); }
};

template <class Op, class T>
inline constexpr bool has_atomic_key =
    is_library_operator_on<Op, T> && std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    (is_from<Op, plus> || is_from<Op, minimum> || is_from<Op, maximum> || is_from<Op, bit_and> || is_from<Op, bit_or> ||
     is_from<Op, bit_xor>);
template <class Op, class T>
inline constexpr bool has_atomic_sum =
    is_library_operator_on<Op, T> && is_from<Op, plus> && (std::is_same_v<T, float> || std::is_same_v<T, double>);

/// Joins the values that the blocks' rank 0 bring by atomic operations; the last block to finish takes the total.
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_join_blocks(const Block& block, const T& value, const Op&,
                                                 const unordered_reduce_state<T>& state, Finish finish, grid_arrival) {
  using atomics = std::conditional_t<has_atomic_sum<Op, T>, atomic_sum<T>, atomic_key<Op, T>>;
  using word = typename atomics::word;
  if (block.thread_rank() > 0) return;
  if (gridDim.x == 1) {
    finish(value);
    return;
  }
  auto* total = reinterpret_cast<word*>(state.total);
  atomics::join(total, value);
  if (ptx::arrive_in_order(state.arrivals, gridDim.x - 1) != gridDim.x - 1) return;
  const unsigned long long bits = atomicExch(state.total, 0ull);
  word sum;
  std::memcpy(&sum, &bits, sizeof sum);
  finish(atomics::decode(sum));
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
