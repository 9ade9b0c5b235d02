// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a running kernel may ask of the simulated machine. Implemented in src/.
#pragma once

#include <cstddef>
#include <cstdint>

#include <simt/location.hpp>
#include <simt/qualifiers.hpp>
#include <simt/vector_types.hpp>

// Real objects, rewritten whenever another CUDA thread runs: macros would break members that are called
// gridDim (cudaLaunchConfig_t), proxies would break `auto`. Constant for the program, as in CUDA.
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

namespace simt {

// ---- position ----
unsigned lane();            // 0..31 within the warp
unsigned linear_thread();   // within the block, x fastest
unsigned cluster_rank();    // of this block within its cluster
dim3 cluster_dimensions();  // in blocks
bool in_cooperative_launch();
bool in_device_code();  // false on the host side of the program

// ---- barriers ----
enum class vote_fold { count, all, any };
int block_barrier(location, vote_fold = vote_fold::count, int predicate = 0);

enum class barrier_scope { block, cluster, grid };
using barrier_phase = unsigned;
barrier_phase barrier_arrive(barrier_scope, location);  // the split form: arrive, work, wait
void barrier_wait(barrier_scope, barrier_phase, location);
void barrier_wait_for_own_arrival(barrier_scope, location);  // the phase of this thread's last arrival
void barrier(barrier_scope, location);                       // arrive and wait

// ---- warp operations ----
// An operation under a mask completes when every live lane of the mask has arrived with that mask.
enum class warp_operation : std::uint8_t {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  match_any,
  match_all,
  reduce_add,
  reduce_min_signed,
  reduce_max_signed,
  reduce_min_unsigned,
  reduce_max_unsigned,
  reduce_and,
  reduce_or,
  reduce_xor
};
void warp_sync(std::uint32_t mask, location);
void warp_shuffle(warp_operation, std::uint32_t mask, const void* in, void* out, std::size_t bytes,
                  unsigned source_lane, location);
std::uint32_t warp_ballot(warp_operation, std::uint32_t mask, bool predicate, location);
// Lanes of the mask that hold the same value; for match_all the whole mask or 0.
std::uint32_t warp_match(warp_operation, std::uint32_t mask, const void* in, std::size_t bytes, location);
std::uint32_t warp_reduce32(warp_operation, std::uint32_t mask, std::uint32_t value, location);
// Some subset of the warp's live lanes that stand here; which one is for the schedule to choose.
std::uint32_t converged_lanes(location);

// ---- scheduling and memory order ----
// Lets others run. A polling yield always does (so that a spin makes progress under every schedule) and
// counts towards the livelock limit; any other yields now and then under the random schedule only.
void yield_point(bool polling, location here = location::current());
void note_progress();  // something happened that a poller may have waited for
// Fences make a difference to the lanes `thread` and `weak` only.
void release_fence();
void acquire_fence();
void block_fence();                                        // __threadfence_block
void note_atomic(const void* address, std::size_t bytes);  // after each atomic: they are where fences take effect
[[noreturn]] void trap(location);  // __trap(): ends the grid with a sticky cudaErrorLaunchFailure
// A library's function was called as it must not be; the sentence is a format of printf.
[[noreturn]] void broken_promise(location, const char* format, ...);
// A library's function was called that all threads of the block have to call. A barrier alone is content without
// threads that have ended, as on a GPU; such a function is not.
void whole_block_calls(location);
std::int64_t device_clock();

// ---- shared memory ----
// One heap object per variable and block, so that overruns and other blocks' data are seen.
std::size_t register_shared(std::size_t bytes, std::size_t alignment);
void* shared_slot(std::size_t id);
void* dynamic_shared();
std::size_t dynamic_shared_bytes();
void* shared_of_rank(const void* mine, unsigned rank, location);  // distributed shared memory
unsigned rank_of_shared(const void* address, location);
bool is_shared(const void* address);

// ---- asynchronous copies ----
// What the library's functions of the same names call (ptx/sm_80.cuh, ptx/sm_90.cuh). Nothing lands before it is waited
// for.
void order_before_bulk_copies();
void begin_copy_rounds(std::uint64_t* round, location here = location::current());
void copy_bulk(void* to_shared, const void* from, std::size_t bytes, std::uint64_t* round,
               location here = location::current());
void end_copy_round(std::uint64_t* round, location here = location::current());
void wait_for_copy_round(std::uint64_t* round, unsigned parity, location here = location::current());
void copy_bulk_out(void* to, const void* from_shared, std::size_t bytes, location here = location::current());
void wait_for_bulk_reads(location here = location::current());
void wait_for_copies_out(location here = location::current());
void copy_async(void* to_shared, const void* from, std::size_t bytes, location here = location::current());
void end_copy_group();
void wait_for_groups(unsigned pending, location here = location::current());  // all but so many
void wait_for_copies(location here = location::current());

}  // namespace simt
