// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores that are late, and loads that are stale, in the lane `weak`: see weak_memory.cpp. In the others all of it is
// empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <simt/device_interface.hpp>

namespace simt {

struct thread;
struct block;

namespace weak {

#if defined(SIMT_WEAK)

// Bytes of an aligned word that lie over memory for some threads. While one of those runs, memory has them, and `other`
// what lies beneath; else `other` has them.
struct patch {
  std::uint64_t* word;
  std::uint64_t mask;  // 0xff for each of its bytes
  std::uint64_t other;
  std::uint64_t stale;  // of a patch that shows what was there before: its bytes
};

struct thread_view {
  std::vector<patch> stores;  // that no other thread sees yet
  bool has_looked = false;    // by an atomic operation, since it acquired
};

struct block_view {
  std::vector<patch> stores;  // that no other block sees yet
  std::vector<patch> stale;   // what others have overwritten, and this block still sees
  struct range {
    std::uintptr_t begin, end;
  };
  std::vector<range> shared;  // its shared memory
};

void begin_grid();
void end_grid();  // or what a trap has left of it
void begin_block(block&);
void show_view_of(thread&);     // before it runs
void linger();                  // while the thread has nothing more to do and its stores are late
void end_view_of(thread&);      // the one that runs, before it ends
void arrive_at(barrier_scope);  // the thread that runs
void wait_at(barrier_scope);    // behind the barrier
void release_to_block();        // what the thread has stored is visible to its block
void release();                 // what the block has stored, as far as the thread knows, is visible to all
void acquire();                 // the block sees what is visible to all, if the thread has looked at anything
void settle_now_and_then();     // called where a thread polls: no store is late for ever
void let_others_see();          // called behind an atomic operation
void note_shared(block&, const void* object, std::size_t bytes);
void forget_stale(const void* address, std::size_t bytes);  // before the runtime writes in place of the thread

// What weak_hooks.cpp tells of the thread that runs. The runtime's own accesses are none of it.
bool is_watched(const void* address);
void before_store(const void* address, std::size_t bytes);
void before_atomic_load(const void* address, std::size_t bytes);
std::uint64_t before_atomic(const void* address, std::size_t bytes);  // what `after_atomic` is given
void after_atomic(const void* address, std::size_t bytes, std::uint64_t before);

#else

struct thread_view {};
struct block_view {};
inline void begin_grid() {}
inline void end_grid() {}
inline void begin_block(block&) {}
inline void show_view_of(thread&) {}
inline void linger() {}
inline void end_view_of(thread&) {}
inline void arrive_at(barrier_scope) {}
inline void wait_at(barrier_scope) {}
inline void release_to_block() {}
inline void release() {}
inline void acquire() {}
inline void settle_now_and_then() {}
inline void let_others_see() {}
inline void note_shared(block&, const void*, std::size_t) {}
inline void forget_stale(const void*, std::size_t) {}

#endif

}  // namespace weak
}  // namespace simt
