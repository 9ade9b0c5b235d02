// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events that the runtime reports to ThreadSanitizer. The runtime itself is not instrumented: it is the model,
// not the program. Without SIMT_TSAN every call is empty.
#pragma once

#include <cstddef>

#if defined(SIMT_TSAN)
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
void __tsan_func_entry(void* caller);
void __tsan_func_exit();
void __tsan_read_range(void* address, unsigned long bytes);
void __tsan_write_range(void* address, unsigned long bytes);
}
#endif

namespace simt::race {

#if defined(SIMT_TSAN)

// Allocation, containers and memcpy are intercepted even in uninstrumented code: keep them out of the
// program's history.
struct quiet {
  quiet() {
    AnnotateIgnoreReadsBegin("", 0);
    AnnotateIgnoreWritesBegin("", 0);
  }
  ~quiet() {
    AnnotateIgnoreWritesEnd("", 0);
    AnnotateIgnoreReadsEnd("", 0);
  }
  quiet(const quiet&) = delete;
  quiet& operator=(const quiet&) = delete;
};

inline constexpr bool enabled = true;
inline void acquire(const void* object) { __tsan_acquire(const_cast<void*>(object)); }
inline void release(const void* object) { __tsan_release(const_cast<void*>(object)); }
inline void* current() { return __tsan_get_current_fiber(); }
inline void* create() { return __tsan_create_fiber(0); }
inline void destroy(void* fiber) { __tsan_destroy_fiber(fiber); }
// A switch is the scheduler's doing and orders nothing.
inline void switch_to(void* fiber) { __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync); }
// The other fiber goes on from here.
inline void fork_to(void* fiber) { __tsan_switch_to_fiber(fiber, 0); }
// Until it is destroyed, accesses are reported with this place in the program: a return address.
struct on_behalf {
  explicit on_behalf(void* place) { __tsan_func_entry(place); }
  ~on_behalf() { __tsan_func_exit(); }
  on_behalf(const on_behalf&) = delete;
  on_behalf& operator=(const on_behalf&) = delete;
};
inline void read(const void* address, std::size_t bytes) { __tsan_read_range(const_cast<void*>(address), bytes); }
inline void written(void* address, std::size_t bytes) { __tsan_write_range(address, bytes); }

#else

struct quiet {
  ~quiet() {}
};
inline constexpr bool enabled = false;
inline void acquire(const void*) {}
inline void release(const void*) {}
inline void* current() { return nullptr; }
inline void* create() { return nullptr; }
inline void destroy(void*) {}
inline void switch_to(void*) {}
inline void fork_to(void*) {}
struct on_behalf {
  explicit on_behalf(void*) {}
  ~on_behalf() {}
};
inline void read(const void*, std::size_t) {}
inline void written(void*, std::size_t) {}

#endif

}  // namespace simt::race
