// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstring>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Passes a value from one block to another through global memory, or to the host through memory that both can access.
/// Each 32-bit word is written in 8 bytes together with a flag of its arrival, so that neither side needs a fence and a
/// value may have any size. An empty mailbox is all zero, and receiving from one empties it.
template <element T>
struct mailbox {
  static constexpr int words = (sizeof(T) + 3) / 4;
  static constexpr std::uint64_t arrived = std::uint64_t{1} << 32;

  std::uint64_t packets[words];

  /// 31 bits of the caller's go with the value, for readers that leave it in place.
  __device__ void send(const T& value, unsigned note = 0) {
    const std::uint64_t noted = arrived * 2 * note;
    store(value, [noted](std::uint64_t* to, std::uint64_t packet) { ptx::store_relaxed(to, packet | noted); });
  }
  /// Sends to a mailbox in host memory. What the block has written before it is visible first.
  __device__ void send_to_host(const T& value) {
    __threadfence_system();
    store(value, [](std::uint64_t* to, std::uint64_t packet) { ptx::store_system(to, packet); });
  }

  /// Waits for the value; a lane that expects none gets an unspecified one. All 32 lanes call it, each on a mailbox of
  /// its own, and leave together: lanes that left one by one would have to reconverge in every later shuffle, which
  /// costs more than the waiting. All senders must be running or done: a block that has not started may never start.
  __device__ T receive(bool expected) {
    return receive<1>([&](int) -> mailbox& { return *this; }, expected ? 1 : 0)[0];
  }
  /// Waits for the values of the first `expected` of the mailboxes `box_at(0)`, `box_at(1)` and so on, at most Count.
  /// All words of all values are loaded before one is looked at, so that they cost one trip to the L2 cache together.
  template <int Count, class BoxAt>
  static __device__ uninitialized_array<T, Count> receive(const BoxAt& box_at, int expected) {
    mailbox got[Count] = {};
    look_at_all(got, box_at, [expected](int k) { return k < expected; });
    uninitialized_array<T, Count> values;
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      if (k < expected) box_at(k).empty();
      values[k] = got[k].value();
    }
    return values;
  }

  /// A mailbox whose value has arrived.
  static __device__ mailbox with(const T& value) {
    mailbox own;
    own.store(value, [](std::uint64_t* to, std::uint64_t packet) { *to = packet; });
    return own;
  }
  /// A copy of what is there so far, which leaves it for others; whether that is all; the note.
  __device__ mailbox look() const {
    mailbox copy;
#pragma unroll(unroll_factor<T>)
    for (int i = 0; i < words; ++i) copy.packets[i] = ptx::load_relaxed(&packets[i]);
    return copy;
  }
  /// Copies of `box_at(0)` to `box_at(Count - 1)`, so far as `exists(i)`, when all of them are complete. All are loaded
  /// before one is tested. All lanes of a warp call it, and leave together.
  template <int Count, class BoxAt, class Exists>
  static __device__ __forceinline__ void look_at_all(mailbox (&got)[Count], const BoxAt& box_at, const Exists& exists) {
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int i = 0; i < Count; ++i) {
        if (exists(i) && !got[i].is_complete()) got[i] = box_at(i).look();
      }
#pragma unroll
      for (int i = 0; i < Count; ++i) missing |= exists(i) && !got[i].is_complete();
    } while (__any_sync(0xffffffffu, missing));
  }
  __device__ bool is_complete() const {
    bool all = true;
#pragma unroll(unroll_factor<T>)
    for (int i = 0; i < words; ++i) all &= (packets[i] & arrived) != 0;
    return all;
  }
  /// Of one of that lane alone, which has looked at it.
  __device__ void empty() {
#pragma unroll(unroll_factor<T>)
    for (int i = 0; i < words; ++i) ptx::store_relaxed(&packets[i], 0);
  }
  __device__ unsigned note() const { return unsigned(packets[0] >> 33); }
  /// The part of it that one word of the value travels in, for threads that take it word by word.
  using word_box = mailbox<std::uint32_t>;
  __device__ word_box& of_word(unsigned i) { return reinterpret_cast<word_box&>(packets[i]); }

  /// Called by the host, with the compiler's own atomics (decision 9): empties the mailbox; says whether all of a value
  /// is there; takes it apart.
  void clear() {
    for (std::uint64_t& packet : packets) __atomic_store_n(&packet, 0, __ATOMIC_RELAXED);
  }
  bool has_arrived() const {
    bool all = true;
    for (const std::uint64_t& packet : packets) all &= (__atomic_load_n(&packet, __ATOMIC_ACQUIRE) & arrived) != 0;
    return all;
  }
  GPUPRIM_HOST_DEVICE T value() const { return open(packets); }

 private:
  template <class Store>
  __device__ void store(const T& value, Store store_packet) {
    std::uint32_t buffer[words];
    buffer[words - 1] = 0;
    std::memcpy(buffer, detail::pointer_to(value), sizeof(T));
#pragma unroll(unroll_factor<T>)
    for (int i = 0; i < words; ++i) store_packet(&packets[i], arrived | buffer[i]);
  }
  GPUPRIM_HOST_DEVICE static T open(const std::uint64_t (&got)[words]) {
    std::uint32_t buffer[words];
    for (int i = 0; i < words; ++i) buffer[i] = std::uint32_t(got[i]);
    uninitialized_array<T, 1> value;
    std::memcpy(static_cast<void*>(detail::pointer_to(value)), buffer, sizeof(T));
    return value[0];
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
