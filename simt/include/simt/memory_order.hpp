// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Acquire, release and relaxed accesses, and polling. The simulation runs on one host thread, so plain copies
// are atomic already; the orders matter to the race detector, for which compiler builtins are used up to 8
// bytes.
#pragma once

#include <cstring>
#include <type_traits>

#include <simt/device_interface.hpp>

#if defined(SIMT_TSAN)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif

namespace simt {

template <class T>
concept word = std::is_trivially_copyable_v<T> &&
               (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

namespace detail {

template <std::size_t Bytes>
struct integer_of;
template <>
struct integer_of<1> {
  using type = std::uint8_t;
};
template <>
struct integer_of<2> {
  using type = std::uint16_t;
};
template <>
struct integer_of<4> {
  using type = std::uint32_t;
};
template <>
struct integer_of<8> {
  using type = std::uint64_t;
};
template <std::size_t Bytes>
using integer_of_t [[gnu::may_alias]] = typename integer_of<Bytes>::type;

// Byte for byte and unseen by the race detector: stands for one indivisible access of 16 bytes. Through a
// type of 16-byte alignment so that a misaligned address is still found by UBSan.
struct alignas(16) sixteen_bytes {
  std::uint64_t low, high;
};
SIMT_NOT_RACE_CHECKED inline void copy16(void* to, const void* from) {
  *static_cast<sixteen_bytes*>(to) = *static_cast<const sixteen_bytes*>(from);
}

template <word T>
T load(const T* address, int order) {
  alignas(16) unsigned char result[sizeof(T)];
  if constexpr (sizeof(T) == 16) {
#if defined(SIMT_TSAN)
    if (order == __ATOMIC_ACQUIRE) __tsan_acquire(const_cast<T*>(address));
#endif
    copy16(result, address);
  } else {
    auto* words = reinterpret_cast<const integer_of_t<sizeof(T)>*>(address);
    auto bits =
        order == __ATOMIC_ACQUIRE ? __atomic_load_n(words, __ATOMIC_ACQUIRE) : __atomic_load_n(words, __ATOMIC_RELAXED);
    std::memcpy(result, &bits, sizeof(T));
  }
  return *reinterpret_cast<T*>(result);
}

template <word T>
void store(T* address, const T& value, int order) {
  if constexpr (sizeof(T) == 16) {
    alignas(16) T aligned = value;
#if defined(SIMT_TSAN)
    if (order == __ATOMIC_RELEASE) __tsan_release(address);
#endif
    copy16(address, &aligned);
  } else {
    auto* words = reinterpret_cast<integer_of_t<sizeof(T)>*>(address);
    integer_of_t<sizeof(T)> bits;
    std::memcpy(&bits, &value, sizeof(T));
    if (order == __ATOMIC_RELEASE) {
      __atomic_store_n(words, bits, __ATOMIC_RELEASE);
    } else {
      __atomic_store_n(words, bits, __ATOMIC_RELAXED);
    }
  }
}

}  // namespace detail

template <word T>
T load_acquire(const T* address, SIMT_HERE) {
  yield_point(true, here);
  T value = detail::load(address, __ATOMIC_ACQUIRE);
  note_atomic(address, sizeof(T));
  return value;
}

template <word T>
T load_relaxed(const T* address, SIMT_HERE) {
  yield_point(true, here);
  T value = detail::load(address, __ATOMIC_RELAXED);
  note_atomic(address, sizeof(T));
  return value;
}

template <word T>
void store_release(T* address, std::type_identity_t<T> value, SIMT_HERE) {
  yield_point(false, here);
  detail::store(address, value, __ATOMIC_RELEASE);
  note_atomic(address, sizeof(T));
  note_progress();
  yield_point(false, here);
}

template <word T>
void store_relaxed(T* address, std::type_identity_t<T> value, SIMT_HERE) {
  yield_point(false, here);
  detail::store(address, value, __ATOMIC_RELAXED);
  note_atomic(address, sizeof(T));
  note_progress();
  yield_point(false, here);
}

}  // namespace simt

inline void __nanosleep(unsigned, SIMT_HERE) { simt::yield_point(true, here); }
