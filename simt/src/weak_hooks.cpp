// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the compiler calls before each access, in the lane `weak`: programs are compiled for
// ThreadSanitizer, and linked without it.
#include "weak_memory.hpp"

#if defined(SIMT_WEAK)

namespace {

using namespace simt;

void store(const void* address, std::size_t bytes) {
  if (weak::is_watched(address)) weak::before_store(address, bytes);
}

bool releases(int order) { return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST; }
bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }

// Around an atomic operation that reads and writes.
class indivisible {
 public:
  indivisible(const volatile void* address, std::size_t bytes, int order)
      : address_(const_cast<const void*>(address)), bytes_(bytes), order_(order), watched_(weak::is_watched(address_)) {
    if (!watched_) return;
    if (releases(order_)) weak::release();
    before_ = weak::before_atomic(address_, bytes_);
  }
  ~indivisible() {
    if (!watched_) return;
    weak::after_atomic(address_, bytes_, before_);
    if (acquires(order_)) weak::acquire();
  }
  indivisible(const indivisible&) = delete;
  indivisible& operator=(const indivisible&) = delete;

 private:
  const void* address_;
  std::size_t bytes_;
  int order_;
  bool watched_;
  std::uint64_t before_ = 0;
};

}  // namespace

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** at, void*) { store(at, sizeof *at); }
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void*, unsigned long) {}
void __tsan_write_range(void* address, unsigned long bytes) { store(address, bytes); }
void __tsan_acquire(void* address) {
  if (weak::is_watched(address)) weak::acquire();
}
void __tsan_release(void* address) {
  if (weak::is_watched(address)) weak::release();
}
void __tsan_atomic_thread_fence(int order) {
  if (!in_device_code()) return;
  if (releases(order)) weak::release();
  if (acquires(order)) weak::acquire();
}
void __tsan_atomic_signal_fence(int) {}

#define SIMT_PLAIN_ACCESS(bytes)                                     \
  void __tsan_read##bytes(void*) {}                                  \
  void __tsan_unaligned_read##bytes(void*) {}                        \
  void __tsan_write##bytes(void* address) { store(address, bytes); } \
  void __tsan_unaligned_write##bytes(void* address) { store(address, bytes); }
SIMT_PLAIN_ACCESS(1)
SIMT_PLAIN_ACCESS(2)
SIMT_PLAIN_ACCESS(4)
SIMT_PLAIN_ACCESS(8)
SIMT_PLAIN_ACCESS(16)

#define SIMT_READ_MODIFY_WRITE(bits, name, builtin)                                                             \
  std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* at, std::uint##bits##_t value, \
                                                   int order) {                                                 \
    const indivisible operation(at, sizeof value, order);                                                       \
    return builtin(at, value, __ATOMIC_SEQ_CST);                                                                \
  }

#define SIMT_ATOMIC_ACCESS(bits)                                                                                     \
  std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* at, int order) {                \
    const void* address = const_cast<const std::uint##bits##_t*>(at);                                                \
    const bool watched = weak::is_watched(address);                                                                  \
    if (watched) weak::before_atomic_load(address, sizeof *at);                                                      \
    const auto value = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                        \
    if (watched && acquires(order)) weak::acquire();                                                                 \
    return value;                                                                                                    \
  }                                                                                                                  \
  void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* at, std::uint##bits##_t value, int order) {         \
    const void* address = const_cast<const std::uint##bits##_t*>(at);                                                \
    if (releases(order) && weak::is_watched(address)) weak::release();                                               \
    store(address, sizeof value);                                                                                    \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                   \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                                    \
      volatile std::uint##bits##_t* at, std::uint##bits##_t expected, std::uint##bits##_t value, int order, int) {   \
    const indivisible operation(at, sizeof value, order);                                                            \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
    return expected;                                                                                                 \
  }                                                                                                                  \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile std::uint##bits##_t* at, std::uint##bits##_t* expected, \
                                                    std::uint##bits##_t value, int order, int on_failure) {          \
    const auto wanted = *expected;                                                                                   \
    *expected = __tsan_atomic##bits##_compare_exchange_val(at, wanted, value, order, on_failure);                    \
    return *expected == wanted;                                                                                      \
  }                                                                                                                  \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile std::uint##bits##_t* at, std::uint##bits##_t* expected,   \
                                                  std::uint##bits##_t value, int order, int on_failure) {            \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, order, on_failure);                    \
  }                                                                                                                  \
  SIMT_READ_MODIFY_WRITE(bits, exchange, __atomic_exchange_n)                                                        \
  SIMT_READ_MODIFY_WRITE(bits, fetch_add, __atomic_fetch_add)                                                        \
  SIMT_READ_MODIFY_WRITE(bits, fetch_sub, __atomic_fetch_sub)                                                        \
  SIMT_READ_MODIFY_WRITE(bits, fetch_and, __atomic_fetch_and)                                                        \
  SIMT_READ_MODIFY_WRITE(bits, fetch_or, __atomic_fetch_or)                                                          \
  SIMT_READ_MODIFY_WRITE(bits, fetch_xor, __atomic_fetch_xor)                                                        \
  SIMT_READ_MODIFY_WRITE(bits, fetch_nand, __atomic_fetch_nand)
SIMT_ATOMIC_ACCESS(8)
SIMT_ATOMIC_ACCESS(16)
SIMT_ATOMIC_ACCESS(32)
SIMT_ATOMIC_ACCESS(64)

}  // extern "C"

#endif
