// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations under CUDA's names, for CUDA's types only. All are relaxed, as in CUDA.
#pragma once

#include <bit>

#include <simt/device_interface.hpp>
#include <simt/memory_order.hpp>

namespace simt {

// An atomic that changes nothing may be part of a spin loop (a failing atomicCAS, an atomicAdd of 0), so it
// yields as polling does; one that changes something may be what a spin waits for.
template <class T, class Function>
T read_modify_write(T* address, Function function, location here) {
  using bits = detail::integer_of_t<sizeof(T)>;
  yield_point(false, here);
  auto* words = reinterpret_cast<bits*>(address);
  bits old_bits = __atomic_load_n(words, __ATOMIC_RELAXED);
  bits new_bits;
  do {
    new_bits = std::bit_cast<bits>(T(function(std::bit_cast<T>(old_bits))));
  } while (!__atomic_compare_exchange_n(words, &old_bits, new_bits, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  note_atomic(address, sizeof(T));
  if (new_bits == old_bits) {
    yield_point(true, here);
  } else {
    note_progress();
  }
  return std::bit_cast<T>(old_bits);
}

}  // namespace simt

// Each operation in its three scopes; on one simulated device they are the same.
#define SIMT_ATOMIC_SCOPES(name, T, expression)                                                                \
  inline T atomic##name(T* address, T value, SIMT_HERE) {                                                      \
    return simt::read_modify_write(address, [&](T old) -> T { return expression; }, here);                     \
  }                                                                                                            \
  inline T atomic##name##_block(T* address, T value, SIMT_HERE) { return atomic##name(address, value, here); } \
  inline T atomic##name##_system(T* address, T value, SIMT_HERE) { return atomic##name(address, value, here); }

#define SIMT_ATOMIC_CAS(T)                                                                                   \
  inline T atomicCAS(T* address, T compare, T value, SIMT_HERE) {                                            \
    return simt::read_modify_write(address, [&](T old) -> T { return old == compare ? value : old; }, here); \
  }                                                                                                          \
  inline T atomicCAS_block(T* address, T compare, T value, SIMT_HERE) {                                      \
    return atomicCAS(address, compare, value, here);                                                         \
  }                                                                                                          \
  inline T atomicCAS_system(T* address, T compare, T value, SIMT_HERE) {                                     \
    return atomicCAS(address, compare, value, here);                                                         \
  }

// Signed sums wrap on a GPU, so they are formed in unsigned arithmetic.
SIMT_ATOMIC_SCOPES(Add, int, int(unsigned(old) + unsigned(value)))
SIMT_ATOMIC_SCOPES(Add, unsigned, old + value)
SIMT_ATOMIC_SCOPES(Add, unsigned long long, old + value)
SIMT_ATOMIC_SCOPES(Add, float, old + value)
SIMT_ATOMIC_SCOPES(Add, double, old + value)
SIMT_ATOMIC_SCOPES(Sub, int, int(unsigned(old) - unsigned(value)))
SIMT_ATOMIC_SCOPES(Sub, unsigned, old - value)

#define SIMT_ATOMIC_ORDERED(T)                          \
  SIMT_ATOMIC_SCOPES(Min, T, value < old ? value : old) \
  SIMT_ATOMIC_SCOPES(Max, T, old < value ? value : old)
SIMT_ATOMIC_ORDERED(int)
SIMT_ATOMIC_ORDERED(unsigned)
SIMT_ATOMIC_ORDERED(long long)
SIMT_ATOMIC_ORDERED(unsigned long long)
#undef SIMT_ATOMIC_ORDERED

#define SIMT_ATOMIC_BITWISE(T)                    \
  SIMT_ATOMIC_SCOPES(And, T, old& value)          \
  SIMT_ATOMIC_SCOPES(Or, T, old | value)          \
  SIMT_ATOMIC_SCOPES(Xor, T, old ^ value)         \
  SIMT_ATOMIC_SCOPES(Exch, T, (void(old), value)) \
  SIMT_ATOMIC_CAS(T)
SIMT_ATOMIC_BITWISE(int)
SIMT_ATOMIC_BITWISE(unsigned)
SIMT_ATOMIC_BITWISE(unsigned long long)
#undef SIMT_ATOMIC_BITWISE

SIMT_ATOMIC_SCOPES(Exch, float, (void(old), value))
SIMT_ATOMIC_CAS(unsigned short)
SIMT_ATOMIC_SCOPES(Inc, unsigned, old >= value ? 0u : old + 1u)
SIMT_ATOMIC_SCOPES(Dec, unsigned, old == 0u || old > value ? value : old - 1u)
#undef SIMT_ATOMIC_CAS

// Vector sums are atomic for each element, as in CUDA.
inline float2 atomicAdd(float2* address, float2 value, SIMT_HERE) {
  return {atomicAdd(&address->x, value.x, here), atomicAdd(&address->y, value.y, here)};
}
inline float4 atomicAdd(float4* address, float4 value, SIMT_HERE) {
  return {atomicAdd(&address->x, value.x, here), atomicAdd(&address->y, value.y, here),
          atomicAdd(&address->z, value.z, here), atomicAdd(&address->w, value.w, here)};
}
