// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/ptx/sm_70_lanes.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gpuprim::inline v0_2_0::ptx {

/// The lanes of the mask whose word has a bit of `bits`: a vote, for which the compiler would shift the bit to the end
/// first.
__device__ __forceinline__ unsigned ballot_bits(unsigned mask, unsigned word, unsigned bits) {
#if defined(SIMT_DEVICE)
  return __ballot_sync(mask, (word & bits) != 0);
#else
  unsigned votes;
  asm volatile(
      "{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
      " vote.sync.ballot.b32 %0, p, %3;\n}"
      : "=r"(votes)
      : "r"(word), "r"(bits), "r"(mask));
  return votes;
#endif
}

/// Returns the value unchanged. A 32-bit integer that some lanes compute stays an operation of those lanes alone: the
/// compiler would make all lanes do it on a selected operand, which takes one instruction more.
template <class T>
__device__ __forceinline__ T keep_conditional(T value) {
#if !defined(SIMT_DEVICE)
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) asm volatile("" : "+r"(value));
#endif
  return value;
}

/// Returns the words unchanged, and makes the compiler take all of them for needed. Where some are selected at run
/// time, it would otherwise replace one wide load by narrower ones at the selected addresses.
__device__ __forceinline__ uint4 keep_whole(uint4 words) {
#if !defined(SIMT_DEVICE)
  asm("" : "+r"(words.x), "+r"(words.y), "+r"(words.z), "+r"(words.w));
#endif
  return words;
}

/// Any value of up to 8 bytes, for threads whose result is unspecified: a copy of `value` would take an instruction.
template <class T>
__device__ __forceinline__ T unspecified(T value) {
#if !defined(SIMT_DEVICE)
  std::conditional_t<(sizeof(T) <= 4), std::uint32_t, std::uint64_t> bits;
  if constexpr (sizeof(T) <= 4) asm("" : "=r"(bits));
  else asm("" : "=l"(bits));
  std::memcpy(static_cast<void*>(detail::pointer_to(value)), &bits, sizeof value);
#endif
  return value;
}

/// Suppresses the host compiler's warning about an object of which only written parts are read. It makes no
/// instruction.
template <class T>
__device__ __forceinline__ void leave_unspecified([[maybe_unused]] T& object) {
#if defined(SIMT_DEVICE)
  std::memset(static_cast<void*>(detail::pointer_to(object)), 0, sizeof object);
#endif
}

/// Writes 4 or 8 bytes at once, visible to the whole GPU; orders nothing else.
template <class Word>
__device__ __forceinline__ void store_relaxed(Word* to, std::type_identity_t<Word> value) {
  static_assert(std::is_integral_v<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8));
#if defined(SIMT_DEVICE)
  ::simt::store_relaxed(to, value);
#else
  if constexpr (sizeof(Word) == 4) asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
  else asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#endif
}

/// Writes 8 bytes at once, visible to the host and other devices too; orders nothing else.
__device__ __forceinline__ void store_system(std::uint64_t* to, std::uint64_t value) {
#if defined(SIMT_DEVICE)
  ::simt::store_relaxed(to, value);
#else
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#endif
}

/// Reads 4 or 8 bytes at once, as written by any block; orders nothing else. What polls must read through it.
template <class Word>
__device__ __forceinline__ Word load_relaxed(const Word* from) {
  static_assert(std::is_integral_v<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8));
#if defined(SIMT_DEVICE)
  return ::simt::load_relaxed(from);
#else
  Word value;
  if constexpr (sizeof(Word) == 4) {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  } else {
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  }
  return value;
#endif
}

/// Writes 4 bytes at once, visible to the whole GPU, after what the thread and those that it has met wrote before.
__device__ __forceinline__ void store_release(unsigned* to, unsigned value) {
#if defined(SIMT_DEVICE)
  ::simt::release_fence();
  ::simt::store_relaxed(to, value);
#else
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
#endif
}

/// Reads 4 bytes at once, as written by any block, before what the thread and those that it meets later do.
__device__ __forceinline__ unsigned load_acquire(const unsigned* from) {
#if defined(SIMT_DEVICE)
  const unsigned value = ::simt::load_relaxed(from);
  ::simt::acquire_fence();
#else
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
#endif
  return value;
}

/// Adds 1 to a word, or makes it 0 where it is `last`, and returns what was there. Writes of the thread, and of those
/// it has synchronised with, are visible to threads that add later, and to those that synchronise with them. Fences
/// before and after the addition would order more than is needed, and take longer: see docs/lab/reduce.md, "Figures
/// that stood in the code".
__device__ __forceinline__ unsigned arrive_in_order(unsigned* word, unsigned last) {
#if defined(SIMT_DEVICE)
  ::simt::release_fence();
  const unsigned before = atomicInc(word, last);
  ::simt::acquire_fence();
#else
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(last) : "memory");
#endif
  return before;
}

/// Adds to a word, and returns what was there; as `arrive_in_order`.
__device__ __forceinline__ unsigned add_in_order(unsigned* word, unsigned amount) {
#if defined(SIMT_DEVICE)
  ::simt::release_fence();
  const unsigned before = atomicAdd(word, amount);
  ::simt::acquire_fence();
#else
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(amount) : "memory");
#endif
  return before;
}

/// Adds to a word, after what the thread and those that it has met wrote before.
__device__ __forceinline__ void add_release(unsigned* word, unsigned amount) {
#if defined(SIMT_DEVICE)
  ::simt::release_fence();
  atomicAdd(word, amount);
#else
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(word), "r"(amount) : "memory");
#endif
}

/// Adds 1 atomically to a word that other blocks add to, and returns what was there. It orders nothing else, and only a
/// use of the result waits for it. The compiler would combine plain additions by several lanes of a warp and wait for
/// the sum; it does not combine this instruction, which wraps to 0 after 2^31 - 1.
__device__ __forceinline__ unsigned count_one_relaxed(unsigned* word) {
#if defined(SIMT_DEVICE)
  return atomicAdd(word, 1u);
#else
  unsigned before;
  asm volatile("atom.relaxed.gpu.global.inc.u32 %0, [%1], 0x7fffffff;" : "=r"(before) : "l"(word) : "memory");
  return before;
#endif
}

/// A number truncated to an int; the nearest int if it is out of range, 0 or the least int for a NaN.
__device__ __forceinline__ int truncate(float x) { return __float2int_rz(x); }
__device__ __forceinline__ int truncate(double x) { return __double2int_rz(x); }

/// A shared-memory address in as few bits as the device has for it: arithmetic on generic pointers costs more.
#if defined(SIMT_DEVICE)
using shared_address = std::uintptr_t;
#else
using shared_address = std::uint32_t;
#endif
__device__ __forceinline__ shared_address find_shared_address(const void* p) {
  return shared_address(__cvta_generic_to_shared(p));
}

/// Stores a value of 1, 2, 4, 8 or 16 bytes in shared memory, aligned to as many bytes, unless `sign` is negative;
/// other values behind a branch. Behind it the compiler would compute the address anew in each round of a loop.
template <class T>
__device__ __forceinline__ void store_shared_unless_negative(int sign, T* to, const T& value) {
#if !defined(SIMT_DEVICE)
  constexpr int bytes = sizeof(T), last = bytes > 4 ? bytes / 4 - 1 : 0;
  constexpr bool is_word = bytes == 1 || (bytes == 2 && alignof(T) == 2) || (bytes == 4 && alignof(T) == 4);
  constexpr bool is_vector = (bytes == 8 && alignof(T) >= 4) || (bytes == 16 && alignof(T) == 16);
  if constexpr (is_word || is_vector) {
    unsigned words[last + 1];
    if constexpr (bytes < 4) words[0] = 0;
    std::memcpy(words, detail::pointer_to(value), sizeof value);
    const unsigned address = find_shared_address(to);
    if constexpr (bytes == 1) {
      asm volatile("{\n .reg .pred p;\n setp.ge.s32 p, %2, 0;\n @p st.shared.u8 [%0], %1;\n}" ::"r"(address),
                   "r"(words[0]), "r"(sign)
                   : "memory");
    } else if constexpr (bytes == 2) {
      asm volatile("{\n .reg .pred p;\n setp.ge.s32 p, %2, 0;\n @p st.shared.u16 [%0], %1;\n}" ::"r"(address),
                   "r"(words[0]), "r"(sign)
                   : "memory");
    } else if constexpr (bytes == 4) {
      asm volatile("{\n .reg .pred p;\n setp.ge.s32 p, %2, 0;\n @p st.shared.b32 [%0], %1;\n}" ::"r"(address),
                   "r"(words[0]), "r"(sign)
                   : "memory");
    } else if constexpr (bytes == 8) {
      asm volatile("{\n .reg .pred p;\n setp.ge.s32 p, %3, 0;\n @p st.shared.v2.b32 [%0], {%1, %2};\n}" ::"r"(address),
                   "r"(words[0]), "r"(words[last]), "r"(sign)
                   : "memory");
    } else {
      asm volatile(
          "{\n .reg .pred p;\n setp.ge.s32 p, %5, 0;\n @p st.shared.v4.b32 [%0], {%1, %2, %3, %4};\n}" ::"r"(address),
          "r"(words[0]), "r"(words[last / 3]), "r"(words[last - 1]), "r"(words[last]), "r"(sign)
          : "memory");
    }
    return;
  }
#endif
  if (sign >= 0) *to = value;
}

/// Stores a value as store_shared_unless_negative, where `condition` holds.
template <class T>
__device__ __forceinline__ void store_shared_if(bool condition, T* to, const T& value) {
  ptx::store_shared_unless_negative(condition ? 0 : -1, to, value);
}

/// Adds 1 atomically to a word of shared memory.
__device__ __forceinline__ void count_one(shared_address word) {
#if defined(SIMT_DEVICE)
  atomicAdd(reinterpret_cast<unsigned*>(word), 1u);
#else
  asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(word) : "memory");
#endif
}

/// Loads 16 bytes of global memory that are read once, without allocating a line of the L1 cache.
__device__ __forceinline__ uint4 load_past_l1(const void* from) {
#if defined(__CUDA_ARCH__)
  uint4 loaded;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(loaded.x), "=r"(loaded.y), "=r"(loaded.z), "=r"(loaded.w)
               : "l"(from));
  return loaded;
#else
  return *static_cast<const uint4*>(from);
#endif
}

}  // namespace gpuprim::ptx
