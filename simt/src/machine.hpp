// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the simulated machine while a grid runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include <simt/control.hpp>
#include <simt/device_interface.hpp>
#include <simt/launch.hpp>

#include "fiber.hpp"
#include "weak_memory.hpp"

namespace simt {

struct block;
struct warp;

enum class activity : std::uint8_t {
  ready,
  running,
  polling,
  at_block_barrier,
  at_cluster_barrier,
  at_grid_barrier,
  at_copy_round,
  in_warp_operation,
  converging,
  finished
};

// One lane's part of a warp operation; lives on the lane's stack while the lane waits. The first lane to
// arrive under a mask leads: its request also stands for the operation as a whole.
struct warp_request {
  std::uint32_t mask = 0;
  warp_operation operation = warp_operation::sync;
  const void* in = nullptr;
  void* out = nullptr;
  std::size_t bytes = 0;
  unsigned source_lane = 0;
  location here;

  std::uint32_t arrived = 0;
  unsigned order_slot = 0;
  warp_request* next = nullptr;  // of the warp's unfinished operations
};

// What the fence model remembers of a CUDA thread: see memory_model.cpp.
#if defined(SIMT_TSAN)
struct fence_state {
  bool releases = false;       // has fenced, so its atomics release
  const void* recent[8] = {};  // atomics that a later fence acquires from
  unsigned next = 0;
};
#else
struct fence_state {};
#endif

// A copy that nobody has waited for: see async_copy.cpp.
struct pending_copy {
  char* to;
  const char* from;
  std::size_t bytes;
  unsigned group;
  bool has_read;
  bool is_known_to_have_read;  // to the thread, which has waited for it
  location here;
};

struct copy_queue {
  std::vector<pending_copy> pending;  // in the order in which they began
  std::vector<char> taken;            // what they have read, one after the other
};

struct thread {
  fiber* stack = nullptr;  // none until it first runs, none after it has finished
  block* home = nullptr;
  warp* group = nullptr;
  uint3 index{};
  unsigned linear = 0;
  activity doing = activity::ready;
  bool arrived_at[3] = {};  // by barrier_scope: has arrived and not yet waited
  barrier_phase arrived_phase[3] = {};
  location here;
  unsigned points = 0;  // at which it has stopped, or might have been made to
  unsigned whole_block_calls = 0;
  void* race_fiber = nullptr;
  const void* sync_point = nullptr;
  [[no_unique_address]] fence_state fences;
  [[no_unique_address]] weak::thread_view view;
  copy_queue copies;
  unsigned copy_groups = 0;
  unsigned barriers = 0;      // at which it has arrived
  std::uint32_t ordered = 0;  // by order_before_bulk_copies: bit k says before its k-th last arrival
  copy_queue copies_out;
  void* race_fiber_out = nullptr;  // to which its copies out of shared memory belong
  char order_out[2] = {};          // that they have read, and that they are done
};

struct barrier_state {
  std::uint64_t expected = 0, arrived = 0;
  barrier_phase phase = 0;
  int count = 0, all = 1, any = 0;                 // of the phase that is filling
  int last_count = 0, last_all = 0, last_any = 0;  // of the last complete phase
  location first_arrival;
  std::vector<thread*> waiting;
  char order[2] = {};  // addresses that stand for the phases' happens-before edges
};

struct copy_round_state {
  const void* address = nullptr;
  unsigned phase = 0;      // rounds that are over
  bool has_ended = false;  // no copies come any more, and nobody has waited for those that there are
  copy_queue copies;
  std::vector<thread*> waiting;
  void* race_fiber = nullptr;
  char order[2] = {};
};

struct warp {
  std::uint32_t live = 0;
  std::uint32_t blocked = 0;     // in a barrier or warp operation
  std::uint32_t polling = 0;     // runnable, but may spin for ever: convergence does not wait for these
  std::uint32_t converging = 0;  // in __activemask or coalesced_threads
  thread* threads[32] = {};
  warp_request* requests[32] = {};     // of the lanes that wait in a warp operation
  warp_request* unfinished = nullptr;  // the leaders
  location converge_at[32];
  std::uint32_t converged[32] = {};
  unsigned next_order_slot = 0;
  char order[64] = {};
};

struct cluster {
  barrier_state barrier;
  std::vector<block*> blocks;
  unsigned live_blocks = 0;
};

struct block {
  uint3 index{};
  unsigned rank = 0;
  std::shared_ptr<simt::cluster> home;
  std::vector<thread> threads;
  std::vector<warp> warps;
  barrier_state barrier;
  unsigned live = 0;
  unsigned whole_block_calls = 0;  // the most that one of its threads has made
  location whole_block_call;       // where the last of them was made first
  bool exited = false;
  std::vector<char*> slots;  // static shared variables, by id; made at first use
  char* dynamic = nullptr;
  std::deque<copy_round_state> rounds;  // begun in this block; never move
  [[no_unique_address]] weak::block_view view;
  char exit_order = 0;
};

struct grid {
  dim3 shape, block_shape, cluster_shape;
  std::size_t dynamic_bytes = 0;
  bool cooperative = false;
  kernel_call call;

  unsigned blocks_per_cluster() const { return cluster_shape.x * cluster_shape.y * cluster_shape.z; }
  unsigned threads_per_block() const { return block_shape.x * block_shape.y * block_shape.z; }
};

struct machine {
  settings chosen;
  std::uint64_t random_state = 1;
  std::uint64_t schedule_state = 1;  // of its own, so that a schedule can be followed that was random
  statistics counters;

  grid running;
  std::thread::id host_thread;  // on which the grid runs
  thread* current = nullptr;    // none while the host runs
  thread* incoming = nullptr;   // to be started by the next fiber that begins
  std::deque<thread*> ready;
  std::vector<std::unique_ptr<block>> resident;
  std::vector<std::unique_ptr<block>> spare;
  std::vector<std::uint64_t> waiting_clusters;  // the next few, to choose the next one from
  std::uint64_t next_cluster = 0, clusters = 0;
  barrier_state grid_barrier;
  std::uint64_t polls = 0;       // since anything happened that a poller may wait for
  std::uint64_t busy_polls = 0;  // since a barrier completed or a block ended
  bool trapped = false;
  char started = 0, ended = 0;  // addresses that order the host before and after the grid
};

// Never destroyed: static destructors may still use the device.
extern machine* machine_instance;
machine& make_machine();
inline machine& the_machine() { return machine_instance ? *machine_instance : make_machine(); }
bool on_device_thread();  // this host thread is running a kernel

// ---- scheduler.cpp ----
void make_ready(thread&);
void suspend();                            // the current thread waits; returns when it runs again
void let_others_run();                     // the current thread stays ready
void may_let_others_run(unsigned one_in);  // under the random schedule one time in so many
bool random_schedule();
bool draws_at_random();  // also where a schedule is followed that was random
std::uint64_t random_bits();
unsigned random_below(unsigned limit);
unsigned schedule_below(unsigned limit);
void start_fibers_with_threads();
void run_until_idle();
void leave_grid();  // back to the host in the middle of a kernel; never returns

// ---- grid.cpp ----
void run_grid(const grid&);
void finish_thread(thread&);

// ---- barrier.cpp ----
barrier_state& barrier_of(thread&, barrier_scope);
void leave_barriers(thread&);

// ---- warp.cpp ----
void release_converged(warp&);
void leave_warp(thread&);

// ---- async_copy.cpp ----
void end_copies(thread&);  // before the thread ends
void forget_copies(block&);

// ---- shared_memory.cpp ----
void make_shared_memory(block&);
void announce_end_of_shared_memory(block&);  // to the race detector, by the block's last thread
void destroy_shared_memory(block&);          // when the block's last thread has ended
void release_shared_memory(block&);          // when its cluster has

// ---- memory_model.cpp ----
void* take_race_fiber();
void give_back_race_fiber(void*);

// ---- kernel_table.cpp ----
void note_static_shared(std::size_t bytes);

}  // namespace simt
