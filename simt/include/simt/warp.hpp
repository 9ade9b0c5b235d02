// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp intrinsics under CUDA's names, with CUDA's overloads: a type that nvcc refuses is refused here too
// (no overload takes a struct), and a short or a char is promoted to int as nvcc does.
#pragma once

#include <bit>

#include <simt/device_interface.hpp>

inline void __syncwarp(unsigned mask = 0xffffffffu, SIMT_HERE) { simt::warp_sync(mask, here); }
inline unsigned __activemask(SIMT_HERE) { return simt::converged_lanes(here); }

namespace simt {

template <class T>
T shuffle(warp_operation operation, std::uint32_t mask, const T& value, unsigned source_lane, location here) {
  alignas(T) unsigned char result[sizeof(T)];
  warp_shuffle(operation, mask, &value, result, sizeof(T), source_lane, here);
  return *reinterpret_cast<T*>(result);
}

// The lane that each form of shuffle reads, within a segment of `width` lanes.
constexpr unsigned shuffle_source(unsigned lane, int source, int width) {
  unsigned segment = unsigned(width) - 1;
  return (lane & ~segment) | (unsigned(source) & segment);
}
constexpr unsigned shuffle_up_source(unsigned lane, unsigned delta, int width) {
  return (lane & (unsigned(width) - 1)) < delta ? lane : lane - delta;
}
constexpr unsigned shuffle_down_source(unsigned lane, unsigned delta, int width) {
  return (lane & (unsigned(width) - 1)) + delta >= unsigned(width) ? lane : lane + delta;
}
constexpr unsigned shuffle_xor_source(unsigned lane, int lane_mask, int width) {
  unsigned source = lane ^ unsigned(lane_mask);
  return source / unsigned(width) > lane / unsigned(width) || source > 31 ? lane : source;
}

}  // namespace simt

#define SIMT_SHUFFLES(T)                                                                         \
  inline T __shfl_sync(unsigned mask, T value, int source_lane, int width = 32, SIMT_HERE) {     \
    return simt::shuffle(simt::warp_operation::shuffle, mask, value,                             \
                         simt::shuffle_source(simt::lane(), source_lane, width), here);          \
  }                                                                                              \
  inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE) {   \
    return simt::shuffle(simt::warp_operation::shuffle_up, mask, value,                          \
                         simt::shuffle_up_source(simt::lane(), delta, width), here);             \
  }                                                                                              \
  inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE) { \
    return simt::shuffle(simt::warp_operation::shuffle_down, mask, value,                        \
                         simt::shuffle_down_source(simt::lane(), delta, width), here);           \
  }                                                                                              \
  inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, SIMT_HERE) {   \
    return simt::shuffle(simt::warp_operation::shuffle_xor, mask, value,                         \
                         simt::shuffle_xor_source(simt::lane(), lane_mask, width), here);        \
  }
SIMT_SHUFFLES(int)
SIMT_SHUFFLES(unsigned)
SIMT_SHUFFLES(long)
SIMT_SHUFFLES(unsigned long)
SIMT_SHUFFLES(long long)
SIMT_SHUFFLES(unsigned long long)
SIMT_SHUFFLES(float)
SIMT_SHUFFLES(double)

inline unsigned __ballot_sync(unsigned mask, int predicate, SIMT_HERE) {
  return simt::warp_ballot(simt::warp_operation::ballot, mask, predicate != 0, here);
}
inline int __any_sync(unsigned mask, int predicate, SIMT_HERE) {
  return simt::warp_ballot(simt::warp_operation::any, mask, predicate != 0, here) != 0;
}
inline int __all_sync(unsigned mask, int predicate, SIMT_HERE) {
  return simt::warp_ballot(simt::warp_operation::all, mask, predicate == 0, here) == 0;
}

#define SIMT_MATCHES(T)                                                                               \
  inline unsigned __match_any_sync(unsigned mask, T value, SIMT_HERE) {                               \
    return simt::warp_match(simt::warp_operation::match_any, mask, &value, sizeof(T), here);          \
  }                                                                                                   \
  inline unsigned __match_all_sync(unsigned mask, T value, int* all_equal, SIMT_HERE) {               \
    unsigned same = simt::warp_match(simt::warp_operation::match_all, mask, &value, sizeof(T), here); \
    *all_equal = same != 0;                                                                           \
    return same;                                                                                      \
  }
SIMT_MATCHES(int)
SIMT_MATCHES(unsigned)
SIMT_MATCHES(long)
SIMT_MATCHES(unsigned long)
SIMT_MATCHES(long long)
SIMT_MATCHES(unsigned long long)
SIMT_MATCHES(float)
SIMT_MATCHES(double)
#undef SIMT_MATCHES

#define SIMT_WARP_REDUCE(name, T, operation)                                                          \
  inline T __reduce_##name##_sync(unsigned mask, T value, SIMT_HERE) {                                \
    return T(simt::warp_reduce32(simt::warp_operation::operation, mask, std::uint32_t(value), here)); \
  }
SIMT_WARP_REDUCE(add, unsigned, reduce_add)
SIMT_WARP_REDUCE(add, int, reduce_add)
SIMT_WARP_REDUCE(min, unsigned, reduce_min_unsigned)
SIMT_WARP_REDUCE(min, int, reduce_min_signed)
SIMT_WARP_REDUCE(max, unsigned, reduce_max_unsigned)
SIMT_WARP_REDUCE(max, int, reduce_max_signed)
SIMT_WARP_REDUCE(and, unsigned, reduce_and)
SIMT_WARP_REDUCE(or, unsigned, reduce_or)
SIMT_WARP_REDUCE(xor, unsigned, reduce_xor)
#undef SIMT_WARP_REDUCE
