// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with one bug each. `planted <name>` runs the kernel with its bug, `planted <name> correct` without.
// Ends with 0 when the answer is right, 1 when it is wrong; a line that a report must name carries [name].
#include <cstdio>
#include <cstring>
#include <numeric>

#include "support.hpp"

namespace cg = cooperative_groups;
using test::buffer;
using test::launch;

// A report takes stack for each letter of the name of a function that other files could call.
template <int Depth, class Inner>
struct of_a_type_with_a_rather_long_name {};
template <int Depth>
auto nest() {
  if constexpr (Depth == 0) return 0;
  else return of_a_type_with_a_rather_long_name<Depth, decltype(nest<Depth - 1>())>{};
}
template <class T>
__global__ void race_in_long_name(int* out, T, bool plant) {
  out[plant ? threadIdx.x : blockIdx.x * 64 + threadIdx.x] = 0;  // [race_in_long_name]
}

namespace {

constexpr unsigned block_threads = 64;

bool equal_to_all(const std::vector<int>& got, int wanted) {
  for (int value : got) {
    if (value != wanted) return false;
  }
  return true;
}

// ---- barriers ----
__global__ void missing_block_barrier(int* out, bool plant) {
  auto* stage = static_cast<int*>(simt::dynamic_shared());
  unsigned other = block_threads - 1 - threadIdx.x;
  stage[threadIdx.x] = int(threadIdx.x);
  if (!plant) __syncthreads();
  out[threadIdx.x] = stage[other] - int(other);  // [missing_block_barrier]
}

__global__ void missing_syncwarp(int* out, bool plant) {
  TEST_SHARED(stage, int[32]);
  unsigned other = 31 - threadIdx.x;
  stage[threadIdx.x] = int(threadIdx.x);
  if (!plant) __syncwarp();
  out[threadIdx.x] = stage[other] - int(other);  // [missing_syncwarp]
}

// A shuffle synchronises lanes but orders no memory.
__global__ void shuffle_as_barrier(int* out, bool plant) {
  TEST_SHARED(stage, int[32]);
  unsigned other = 31 - threadIdx.x;
  stage[threadIdx.x] = int(threadIdx.x);
  __shfl_sync(~0u, 0, 0);
  if (!plant) __syncwarp();
  out[threadIdx.x] = stage[other] - int(other);  // [shuffle_as_barrier]
}

__device__ int block_sum(int value, bool trailing_barrier) {
  TEST_SHARED(partial, int[block_threads / 32]);
  int sum = __reduce_add_sync(~0u, value);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;  // [racing_reuse]
  __syncthreads();
  int total = 0;
  for (int part : partial) total += part;  // [racing_reuse]
  if (trailing_barrier) __syncthreads();
  return total;
}

__global__ void racing_reuse(int* out, bool plant) {
  int ones = block_sum(1, !plant);
  int twos = block_sum(2, !plant);
  out[threadIdx.x] = ones + twos - 3 * int(block_threads);
}

__global__ void divergent_barrier(int* out, bool plant) {
  if (plant && threadIdx.x >= 32) {
    __syncthreads();  // [divergent_barrier]
  } else {
    __syncthreads();  // [divergent_barrier]
  }
  out[threadIdx.x] = 0;
}

// In the loop of a reduction, a group's sync() is the barrier of the whole block, also where only a part of it comes.
__global__ void group_barrier_in_branch(int* out, bool plant) {
  TEST_SHARED(partial, int[block_threads]);
  auto block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  partial[rank] = 1;
  block.sync();
  for (unsigned stride = block_threads / 2; stride > 0; stride /= 2) {
    if (rank < stride) {
      partial[rank] += partial[rank + stride];
      if (plant) block.sync();  // [group_barrier_in_branch]
    }
    if (!plant) block.sync();
  }
  block.sync();  // [group_barrier_in_branch]
  out[rank] = partial[0] - int(block_threads);
}

__global__ void deadlock(int* out, bool plant) {
  if (threadIdx.x % 32 < 16 || !plant) {
    out[threadIdx.x] = __shfl_sync(~0u, 0, 0);  // [deadlock]
  } else {
    __syncthreads();  // [deadlock]
  }
}

__global__ void double_arrival(int* out, bool plant) {
  auto cluster = cg::this_cluster();
  cluster.barrier_arrive();
  if (plant && threadIdx.x == 0) cluster.barrier_arrive();  // [double_arrival]
  cluster.barrier_wait();
  out[threadIdx.x] = 0;
}

__global__ void missing_grid_sync(int* out, int* partial, bool plant) {
  auto grid = cg::this_grid();
  partial[grid.thread_rank()] = 1;
  if (!plant) grid.sync();
  int sum = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (unsigned i = 0; i < grid.size(); ++i) sum += partial[i];  // [missing_grid_sync]
    out[0] = sum - int(grid.size());
  }
}

__global__ void grid_sync_not_cooperative(int* out, bool plant) {
  if (plant) cg::this_grid().sync();  // [grid_sync_not_cooperative]
  out[threadIdx.x] = 0;
}

// A barrier alone does not wait for threads that have ended.
__global__ void half_a_block(int* out, bool plant) {
  out[threadIdx.x] = 0;
  if (plant && threadIdx.x >= block_threads / 2) return;
  simt::whole_block_calls(simt::location::current());  // [half_a_block]
  __syncthreads();
}

__global__ void exit_before_barrier(int* out, bool plant) {
  simt::whole_block_calls(simt::location::current());
  out[threadIdx.x] = 0;
  if (threadIdx.x < 32) return;
  if (plant) simt::whole_block_calls(simt::location::current());  // [exit_before_barrier]
  __syncthreads();
}

// ---- masks ----
__global__ void overlapping_masks(int* out, bool plant) {
  unsigned lane = threadIdx.x % 32;
  unsigned low = plant ? 0x0001ffffu : 0x0000ffffu;
  unsigned high = plant ? 0xffff8000u : 0xffff0000u;
  if (lane < 16) {
    out[threadIdx.x] = __shfl_sync(low, 0, 0);  // [overlapping_masks]
  } else {
    out[threadIdx.x] = __shfl_sync(high, 0, 31);  // [overlapping_masks]
  }
}

__global__ void outside_own_mask(int* out, bool plant) {
  unsigned lane = threadIdx.x % 32;
  out[threadIdx.x] = 0;
  if (lane < 4) out[threadIdx.x] = __shfl_sync(plant ? 0xf0u : 0x0fu, 0, 0);  // [outside_own_mask]
}

__global__ void mixed_operations(int* out, bool plant) {
  out[threadIdx.x] = 0;
  if (plant && threadIdx.x % 2) {
    __any_sync(~0u, 0);  // [mixed_operations]
  } else {
    __syncwarp();  // [mixed_operations]
  }
}

__global__ void shuffle_from_absent_lane(int* out, bool plant) {
  out[threadIdx.x] = 0;
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffffu, 0, plant ? 16 : 15);
}

__global__ void assumes_whole_warp_converges(int* out, bool plant) {
  auto active = cg::coalesced_threads();
  out[threadIdx.x] = (plant ? 32 : int(active.size())) - __popc(active.ballot(1));
}

// ---- clusters ----
__global__ void missing_cluster_sync(int* out, bool plant) {
  TEST_SHARED(box, int[block_threads]);
  auto cluster = cg::this_cluster();
  box[threadIdx.x] = int(cluster.block_rank());
  if (!plant) cluster.sync();
  unsigned peer = (cluster.block_rank() + 1) % cluster.num_blocks();
  int value = *cluster.map_shared_rank(&box[block_threads - 1 - threadIdx.x], peer);  // [missing_cluster_sync]
  cluster.sync();
  out[blockIdx.x * block_threads + threadIdx.x] = value - int(peer);
}

__global__ void leaves_before_read(int* out, bool plant) {
  TEST_SHARED(box, int[block_threads]);
  auto cluster = cg::this_cluster();
  box[threadIdx.x] = 7;
  cluster.sync();
  unsigned peer = (cluster.block_rank() + 1) % cluster.num_blocks();
  auto* mapped = cluster.map_shared_rank(&box[threadIdx.x], peer);  // [leaves_before_read]
  __syncwarp();
  int value = *mapped;  // [leaves_before_read]
  out[blockIdx.x * block_threads + threadIdx.x] = value - 7;
  if (!plant) cluster.sync();
}

__global__ void maps_global_memory(int* out, bool plant) {
  TEST_SHARED(box, int);
  auto* local = plant ? out : &box;
  auto* mapped = cg::this_cluster().map_shared_rank(local, 0);  // [maps_global_memory]
  out[threadIdx.x] = mapped == nullptr;
}

// ---- memory order between blocks ----
enum class fault { none, release_fence, acquire_fence, is_last_barrier };

__global__ void last_block(int* out, int* partial, unsigned* ticket, fault f) {
  TEST_SHARED(is_last, bool);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 1;  // [missing_release_fence]
    if (f != fault::release_fence) __threadfence();
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    if (f != fault::acquire_fence) __threadfence();
  }
  if (f != fault::is_last_barrier) __syncthreads();
  if (!is_last) return;  // [missing_is_last_barrier]
  if (threadIdx.x == block_threads - 1) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];  // [missing_acquire_fence]
    out[0] = sum - int(gridDim.x);                               // [missing_is_last_barrier]
  }
}

__global__ void look_back(int* out, unsigned* next_tile, unsigned* prefixes, bool plant) {
  TEST_SHARED(tile, unsigned);
  if (threadIdx.x == 0) tile = plant ? blockIdx.x : atomicAdd(next_tile, 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned before = 0;
    // A predecessor that has not been admitted never answers.
    while (tile > 0 && (before = simt::load_acquire(&prefixes[tile - 1])) == 0) {  // [look_back_without_ticket]
    }
    simt::store_release(&prefixes[tile], before + 1);
    out[tile] = int(before + 1) - int(tile) - 1;
  }
}

__global__ void non_atomic_counter(int* out, int* counter, bool plant) {
  if (plant) {
    *counter = *counter + 1;  // [non_atomic_counter]
  } else {
    atomicAdd(counter, 1);
  }
  if (blockIdx.x == 0) out[threadIdx.x] = 0;
}

__global__ void plain_flag(int* out, int* flag, int* data, bool plant) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 42;
    if (plant) {
      simt::store_relaxed(flag, 1);
    } else {
      simt::store_release(flag, 1);
    }
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (simt::load_acquire(flag) == 0) {
    }
    out[0] = *data - 42;  // [relaxed_flag]
  }
}

// The flag is read as it should not be.
__global__ void relaxed_look(int* out, int* flag, int* data, bool plant) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 42;
    simt::store_release(flag, 1);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while ((plant ? simt::load_relaxed(flag) : simt::load_acquire(flag)) == 0) {
    }
    out[0] = *data - 42;  // [relaxed_look]
  }
}

// Each tile waits for the sum of those before it, which one thread stores and the whole block has made.
__global__ void sums_of_tiles(int* out, unsigned* next_tile, unsigned* states, int* sums, bool plant) {
  TEST_SHARED(tile, unsigned);
  if (threadIdx.x == 0) tile = atomicAdd(next_tile, 1u);
  __syncthreads();
  int* const own = sums + tile * blockDim.x;
  own[threadIdx.x] = int(tile);  // [missing_look_back_fence]
  __syncthreads();
  if (threadIdx.x == 0) {
    if (!plant) __threadfence();
    simt::store_relaxed(&states[tile], 1u);
  }
  if (tile == 0) {
    if (threadIdx.x == 0) out[0] = 0;
    return;
  }
  if (threadIdx.x == 0) {
    while (simt::load_acquire(&states[tile - 1]) == 0) {
    }
  }
  __syncthreads();
  const bool is_wrong = (own - blockDim.x)[threadIdx.x] != int(tile) - 1;  // [missing_look_back_fence]
  const bool any_wrong = __syncthreads_or(is_wrong) != 0;
  if (threadIdx.x == 0) out[tile] = any_wrong;
}

// Two threads of a block that do not meet need a fence for the block, which is enough for them.
__global__ void missing_block_fence(int* out, bool plant) {
  TEST_SHARED(data, int);
  TEST_SHARED(flag, int);
  if (threadIdx.x == 0) flag = data = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data = 42;  // [missing_block_fence]
    if (!plant) __threadfence_block();
    simt::store_relaxed(&flag, 1);
  }
  if (threadIdx.x == 0) {
    while (simt::load_acquire(&flag) == 0) {
    }
    out[0] = data - 42;  // [missing_block_fence]
  }
  if (threadIdx.x > 0) out[threadIdx.x] = 0;
}

// A barrier orders what a block has stored for its own threads alone.
__global__ void barrier_as_fence(int* out, int* flag, int* data, bool plant) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 1) *data = 42;  // [barrier_as_fence]
    __syncthreads();
    if (threadIdx.x == 0) {
      if (!plant) __threadfence();
      simt::store_relaxed(flag, 1);
    }
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (simt::load_acquire(flag) == 0) {
    }
    out[0] = *data - 42;  // [barrier_as_fence]
  }
}

__global__ void assumes_block_order(int* out, int* running, bool plant) {
  if (threadIdx.x == 0) {
    int before = atomicAdd(running, 1);
    out[blockIdx.x] = plant ? before - int(blockIdx.x) : 0;
  }
}

__global__ void livelock(int* out, int* flag, bool plant) {
  if (plant) {
    while (simt::load_acquire(flag) == 0) {  // [livelock]
    }
  }
  if (blockIdx.x == 0) out[threadIdx.x] = 0;
}

__global__ void failing_lock(int* out, int* lock, bool plant) {
  while (atomicCAS(lock, 0, 1) != 0) {  // [lock_never_released]
  }
  __threadfence();
  out[threadIdx.x] = 0;
  __threadfence();
  if (!plant) atomicExch(lock, 0);
}

// ---- addresses ----
__global__ void static_shared_overrun(int* out, bool plant) {
  TEST_SHARED(stage, int[block_threads]);
  int* first = &stage[0];
  first[threadIdx.x + (plant ? 1 : 0)] = 0;  // [static_shared_overrun]
  out[threadIdx.x] = 0;
}

__global__ void dynamic_shared_overrun(int* out, bool plant) {
  auto* stage = static_cast<int*>(simt::dynamic_shared());
  stage[threadIdx.x + (plant ? 1 : 0)] = 0;  // [dynamic_shared_overrun]
  out[threadIdx.x] = 0;
}

__global__ void global_overrun(int* out, bool plant) {
  out[threadIdx.x + (plant ? 1 : 0)] = 0;  // [global_overrun]
  if (threadIdx.x == 0) out[0] = 0;
}

__global__ void local_overrun(int* out, bool plant) {
  int stack[8] = {};
  volatile int* first = stack;
  out[threadIdx.x] = first[plant ? 8 + threadIdx.x % 2 : 0];  // [local_overrun]
  out[threadIdx.x] = 0;
}

__global__ void misaligned_vector(int* out, const int* in, bool plant) {
  auto v = *reinterpret_cast<const int4*>(in + (plant ? 1 : 0));  // [misaligned_vector]
  out[threadIdx.x] = v.x - v.x;
}

__global__ void fill(int* out) { out[threadIdx.x] = 0; }  // [use_after_free]

__global__ void uninitialised_shared(int* out, bool plant) {
  TEST_SHARED(sum, int);
  if (threadIdx.x == 0 && !plant) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncthreads();
  out[threadIdx.x] = sum - int(block_threads);
}

__global__ void add_one(int* out) { out[threadIdx.x] += 1; }

__global__ void racing_writes(int* out, bool plant) {
  out[plant ? threadIdx.x : blockIdx.x * block_threads + threadIdx.x] = 0;  // [racing_writes]
}

// ---- the host's side ----
__global__ void launches(int* out, bool plant) {
  if (plant && threadIdx.x == 0) cudaDeviceSynchronize();
  out[threadIdx.x] = 0;
}

__global__ void traps(int* out, bool plant) {
  out[threadIdx.x] = 0;
  __syncthreads();
  if (plant && threadIdx.x == 5) __trap();  // [traps]
  __syncthreads();
}

// ---- asynchronous copies ----
constexpr unsigned row_bytes = block_threads * sizeof(int);

// One thread starts to copy 64 numbers to shared memory.
__device__ void ask_for_row(int* stage, const int* in, std::uint64_t* round) {
  if (threadIdx.x != 0) return;
  simt::order_before_bulk_copies();
  simt::copy_bulk(stage, in, row_bytes, round);
  simt::end_copy_round(round);
}

__device__ void begin_rounds(std::uint64_t* round) {
  if (threadIdx.x == 0) simt::begin_copy_rounds(round);
  __syncthreads();
}

__global__ void read_before_wait(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  ask_for_row(stage, in, &round);
  int early = 7;
  if (plant) early = stage[threadIdx.x];  // [read_before_wait]
  simt::wait_for_copy_round(&round, 0);
  out[threadIdx.x] = stage[threadIdx.x] + early - 14;
}

// A thread that has not waited may read behind a barrier that one which has waited arrives at.
__global__ void reads_without_barrier(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  ask_for_row(stage, in, &round);
  if (threadIdx.x == 0) simt::wait_for_copy_round(&round, 0);
  if (!plant) __syncthreads();
  out[threadIdx.x] = stage[threadIdx.x] - 7;  // [reads_without_barrier]
}

__global__ void wrong_parity(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  ask_for_row(stage, in, &round);
  simt::wait_for_copy_round(&round, plant ? 1 : 0);
  out[threadIdx.x] = stage[threadIdx.x] - 7;  // [wrong_parity]
  __syncthreads();
  simt::wait_for_copy_round(&round, 0);
}

__global__ void wrong_parity_hangs(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  ask_for_row(stage, in, &round);
  simt::wait_for_copy_round(&round, 0);
  __syncthreads();
  if (plant) simt::wait_for_copy_round(&round, 1);  // [wrong_parity_hangs]
  out[threadIdx.x] = stage[threadIdx.x] - 7;
}

__global__ void round_without_end(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  if (threadIdx.x == 0) {
    simt::order_before_bulk_copies();
    simt::copy_bulk(stage, in, row_bytes, &round);
    if (!plant) simt::end_copy_round(&round);
  }
  simt::wait_for_copy_round(&round, 0);  // [round_without_end]
  out[threadIdx.x] = stage[threadIdx.x] - 7;
}

__global__ void round_not_waited_for(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[2][block_threads]);
  begin_rounds(&round);
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) {
      simt::order_before_bulk_copies();
      simt::copy_bulk(stage[i], in, row_bytes, &round);  // [round_not_waited_for]
      simt::end_copy_round(&round);
    }
    if (!plant || i > 0) simt::wait_for_copy_round(&round, i);
    __syncthreads();
  }
  out[threadIdx.x] = stage[0][threadIdx.x] - 7;
}

// The next copy goes where others may still read.
__global__ void copies_over_readers(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  ask_for_row(stage, in, &round);
  simt::wait_for_copy_round(&round, 0);
  __syncwarp();
  int first = stage[block_threads - 1 - threadIdx.x];  // [copies_over_readers]
  if (!plant) __syncthreads();
  ask_for_row(stage, in, &round);
  if (threadIdx.x == 0) simt::wait_for_copy_round(&round, 1);
  __syncthreads();
  out[threadIdx.x] = first + stage[threadIdx.x] - 14;
}

__global__ void rounds_without_barrier(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  if (threadIdx.x == 0) simt::begin_copy_rounds(&round);  // [rounds_without_barrier]
  if (!plant) __syncthreads();
  ask_for_row(stage, in, &round);
  simt::wait_for_copy_round(&round, 0);  // [rounds_without_barrier]
  out[threadIdx.x] = stage[threadIdx.x] - 7;
}

__global__ void copy_in_at_exit(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  if (threadIdx.x == 0) {
    simt::order_before_bulk_copies();
    simt::copy_bulk(stage, in, row_bytes, &round);  // [copy_in_at_exit]
    simt::end_copy_round(&round);
  }
  if (!plant) simt::wait_for_copy_round(&round, 0);
  out[threadIdx.x] = 0;
}

__global__ void missing_fence_in(int* out, const int* in, bool plant) {
  TEST_SHARED(round, std::uint64_t);
  TEST_SHARED(stage, int[block_threads]);
  begin_rounds(&round);
  stage[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    if (!plant) simt::order_before_bulk_copies();
    simt::copy_bulk(stage, in, row_bytes, &round);  // [missing_fence_in]
    simt::end_copy_round(&round);
  }
  simt::wait_for_copy_round(&round, 0);
  out[threadIdx.x] = stage[threadIdx.x] - 7;
}

enum class out_fault { none, fence, barrier, reads, wait, end };

__global__ void copy_out(int* out, int* copied, out_fault f) {
  TEST_SHARED(stage, int[block_threads]);
  stage[threadIdx.x] = 7;  // [missing_barrier_out]
  // One warp that has called it is not enough.
  if (f != out_fault::fence || threadIdx.x < 32) simt::order_before_bulk_copies();
  __syncthreads();
  if (f == out_fault::barrier) stage[threadIdx.x] = 7;  // [missing_barrier_out]
  if (threadIdx.x == 0) {
    simt::copy_bulk_out(copied, stage, row_bytes);  // [missing_fence_out] [copy_out_at_exit]
    if (f != out_fault::reads && f != out_fault::end) simt::wait_for_bulk_reads();
  }
  __syncthreads();
  if (f != out_fault::end) stage[threadIdx.x] = 8;  // [overwritten_before_read]
  if (threadIdx.x != 0) return;
  if (f == out_fault::wait) {
    out[0] = copied[0] - 7;  // [missing_wait_out]
    simt::wait_for_copies_out();
  } else if (f != out_fault::end) {
    simt::wait_for_copies_out();
    out[0] = 0;
    for (unsigned i = 0; i < block_threads; ++i) out[0] += copied[i] - 7;
  }
}

// Two groups of a copy of 16 bytes each; the second is not there before the last wait.
__global__ void copy_groups(int* out, const int* in, bool plant) {
  TEST_SHARED(stage, int[2][4 * 32]);
  for (int i = 0; i < 2; ++i) {
    simt::copy_async(&stage[i][4 * threadIdx.x], in, 16);
    simt::end_copy_group();
  }
  simt::wait_for_groups(1);
  int sum = stage[0][4 * threadIdx.x];
  simt::wait_for_groups(plant ? 1 : 0);
  sum += stage[1][4 * threadIdx.x];  // [one_group_too_few]
  out[threadIdx.x] = sum - 14;
}

// Waiting for groups does not wait for copies that are in none.
__global__ void copy_without_group(int* out, const int* in, bool plant) {
  TEST_SHARED(stage, int[4 * 32]);
  simt::copy_async(&stage[4 * threadIdx.x], in, 16);
  if (plant) simt::wait_for_groups(0);
  else simt::wait_for_copies();
  out[threadIdx.x] = stage[4 * threadIdx.x] - 7;  // [copy_without_group]
}

__global__ void copies_without_barrier(int* out, const int* in, bool plant) {
  TEST_SHARED(stage, int[4 * 32]);
  simt::copy_async(&stage[4 * threadIdx.x], in, 16);  // [copies_without_barrier]
  simt::wait_for_copies();
  if (!plant) __syncwarp();
  out[threadIdx.x] = stage[4 * (31 - threadIdx.x)] - 7;  // [copies_without_barrier]
}

__global__ void misaligned_copy(int* out, const int* in, bool plant) {
  TEST_SHARED(stage, int[4 * 32]);
  simt::copy_async(&stage[4 * threadIdx.x], in + (plant ? 1 : 0), 16);  // [misaligned_copy]
  simt::wait_for_copies();
  out[threadIdx.x] = stage[4 * threadIdx.x] - 7;
}

// ---- one run of each ----
using kernel = void (*)(int*, bool);

bool one_block(kernel k, bool plant, unsigned threads = block_threads, std::size_t dynamic_bytes = 0) {
  buffer<int> out(threads);
  launch({.grid = 1, .block = threads, .dynamic_bytes = dynamic_bytes}, k, out.data(), plant);
  return equal_to_all(out.get(), 0);
}

bool one_cluster(kernel k, bool plant) {
  buffer<int> out(2 * block_threads);
  launch({.grid = 2, .block = block_threads, .cluster = 2}, k, out.data(), plant);
  return equal_to_all(out.get(), 0);
}

bool run_last_block(fault f) {
  constexpr unsigned blocks = 6;
  buffer<int> out(1), partial(blocks);
  buffer<unsigned> ticket(1, 0u);
  launch({.grid = blocks, .block = block_threads}, last_block, out.data(), partial.data(), ticket.data(), f);
  return out.get()[0] == 0;
}

bool run_look_back(bool plant) {
  constexpr unsigned tiles = 12;
  buffer<int> out(tiles);
  buffer<unsigned> next(1, 0u), prefixes(tiles, 0u);
  launch({.grid = tiles, .block = 32}, look_back, out.data(), next.data(), prefixes.data(), plant);
  return equal_to_all(out.get(), 0);
}

bool run_with_word(void (*k)(int*, int*, bool), bool plant, unsigned blocks = 2, unsigned threads = 32) {
  buffer<int> out(threads > blocks ? threads : blocks, 0), word(1, 0);
  launch({.grid = blocks, .block = threads}, k, out.data(), word.data(), plant);
  return equal_to_all(out.get(), 0);
}

bool run_grid_sync(bool plant) {
  buffer<int> out(1), partial(4 * block_threads, 0);
  launch({.grid = 4, .block = block_threads, .cooperative = true}, missing_grid_sync, out.data(), partial.data(),
         plant);
  return out.get()[0] == 0;
}

// Of a kernel that copies sevens.
bool run_copy(void (*k)(int*, const int*, bool), bool plant, unsigned threads = block_threads) {
  buffer<int> out(threads), in(block_threads, 7);
  launch({.grid = 1, .block = threads}, k, out.data(), in.data(), plant);
  return equal_to_all(out.get(), 0);
}

bool run_copy_out(out_fault f) {
  buffer<int> out(1, 0), copied(block_threads);
  launch({.grid = 1, .block = block_threads}, copy_out, out.data(), copied.data(), f);
  return equal_to_all(out.get(), 0);
}

bool run_flag(void (*k)(int*, int*, int*, bool), bool plant) {
  buffer<int> out(1), flag(1, 0), data(1, 0);
  launch({.grid = 2, .block = 32}, k, out.data(), flag.data(), data.data(), plant);
  return out.get()[0] == 0;
}

bool run_sums_of_tiles(bool plant) {
  constexpr unsigned tiles = 12, threads = 64;
  buffer<int> out(tiles), sums(tiles * threads, 0);
  buffer<unsigned> next(1, 0u), states(tiles, 0u);
  launch({.grid = tiles, .block = threads}, sums_of_tiles, out.data(), next.data(), states.data(), sums.data(), plant);
  return equal_to_all(out.get(), 0);
}

bool run_misaligned(bool plant) {
  buffer<int> out(1), in(8, 1);
  launch({}, misaligned_vector, out.data(), in.data(), plant);
  return out.get()[0] == 0;
}

bool run_use_after_free(bool plant) {
  int* out = nullptr;
  test::check(cudaMalloc(&out, 32 * sizeof(int)));
  if (plant) test::check(cudaFree(out));
  launch({.block = 32}, fill, out);
  if (!plant) test::check(cudaFree(out));
  return true;
}

bool run_host_memory(bool plant) {
  buffer<int> out(32);
  std::vector<int> host(32);
  launch({.block = 32}, fill, plant ? host.data() : out.data());
  return true;
}

bool run_double_free(bool plant) {
  int* out = nullptr;
  test::check(cudaMalloc(&out, 32 * sizeof(int)));
  test::check(cudaFree(out));
  if (plant) test::check(cudaFree(out));
  return true;
}

bool run_copy_past_end(bool plant) {
  buffer<int> in(32, 0);
  std::vector<int> host(64);
  test::check(cudaMemcpy(host.data(), in.data(), (plant ? 33 : 32) * sizeof(int), cudaMemcpyDeviceToHost));
  return true;
}

bool run_wrong_direction(bool plant) {
  buffer<int> in(32, 0);
  std::vector<int> host(32);
  test::check(cudaMemcpy(host.data(), in.data(), sizeof(int), plant ? cudaMemcpyHostToDevice : cudaMemcpyDefault));
  return true;
}

bool run_uninitialised_global(bool plant) {
  buffer<int> out(32);
  if (!plant) test::check(cudaMemset(out.data(), 0, 32 * sizeof(int)));
  launch({.block = 32}, add_one, out.data());
  return equal_to_all(out.get(), 1);
}

bool run_racing_writes(bool plant) {
  buffer<int> out(4 * block_threads, 0);
  launch({.grid = 4, .block = block_threads}, racing_writes, out.data(), plant);
  return equal_to_all(out.get(), 0);
}

bool run_race_in_long_name(bool plant) {
  buffer<int> out(4 * block_threads, 0);
  const auto argument = nest<50>();
  launch({.grid = 4, .block = block_threads}, race_in_long_name<std::remove_const_t<decltype(argument)>>, out.data(),
         argument, plant);
  return equal_to_all(out.get(), 0);
}

bool run(const std::string& name, bool plant) {
  if (name == "missing_block_barrier") return one_block(missing_block_barrier, plant, block_threads, 4 * block_threads);
  if (name == "missing_syncwarp") return one_block(missing_syncwarp, plant, 32);
  if (name == "shuffle_as_barrier") return one_block(shuffle_as_barrier, plant, 32);
  if (name == "racing_reuse") return one_block(racing_reuse, plant);
  if (name == "divergent_barrier") return one_block(divergent_barrier, plant);
  if (name == "group_barrier_in_branch") return one_block(group_barrier_in_branch, plant);
  if (name == "deadlock") return one_block(deadlock, plant);
  if (name == "half_a_block") return one_block(half_a_block, plant);
  if (name == "exit_before_barrier") return one_block(exit_before_barrier, plant);
  if (name == "double_arrival") return one_block(double_arrival, plant);
  if (name == "missing_grid_sync") return run_grid_sync(plant);
  if (name == "grid_sync_not_cooperative") return one_block(grid_sync_not_cooperative, plant);
  if (name == "overlapping_masks") return one_block(overlapping_masks, plant);
  if (name == "outside_own_mask") return one_block(outside_own_mask, plant);
  if (name == "mixed_operations") return one_block(mixed_operations, plant);
  if (name == "shuffle_from_absent_lane") return one_block(shuffle_from_absent_lane, plant, 32);
  if (name == "assumes_whole_warp_converges") return one_block(assumes_whole_warp_converges, plant, 32);
  if (name == "missing_cluster_sync") return one_cluster(missing_cluster_sync, plant);
  if (name == "leaves_before_read") return one_cluster(leaves_before_read, plant);
  if (name == "maps_global_memory") return one_block(maps_global_memory, plant);
  if (name == "missing_release_fence") return run_last_block(plant ? fault::release_fence : fault::none);
  if (name == "missing_acquire_fence") return run_last_block(plant ? fault::acquire_fence : fault::none);
  if (name == "missing_is_last_barrier") return run_last_block(plant ? fault::is_last_barrier : fault::none);
  if (name == "look_back_without_ticket") return run_look_back(plant);
  if (name == "non_atomic_counter") return run_with_word(non_atomic_counter, plant);
  if (name == "relaxed_flag") return run_flag(plain_flag, plant);
  if (name == "relaxed_look") return run_flag(relaxed_look, plant);
  if (name == "barrier_as_fence") return run_flag(barrier_as_fence, plant);
  if (name == "missing_block_fence") return one_block(missing_block_fence, plant);
  if (name == "missing_look_back_fence") return run_sums_of_tiles(plant);
  if (name == "assumes_block_order") return run_with_word(assumes_block_order, plant, 16);
  if (name == "livelock") return run_with_word(livelock, plant);
  if (name == "lock_never_released") return run_with_word(failing_lock, plant, 4, 1);
  if (name == "static_shared_overrun") return one_block(static_shared_overrun, plant);
  if (name == "dynamic_shared_overrun") {
    return one_block(dynamic_shared_overrun, plant, block_threads, 4 * block_threads);
  }
  if (name == "global_overrun") return one_block(global_overrun, plant);
  if (name == "local_overrun") return one_block(local_overrun, plant);
  if (name == "misaligned_vector") return run_misaligned(plant);
  if (name == "use_after_free") return run_use_after_free(plant);
  if (name == "host_memory") return run_host_memory(plant);
  if (name == "double_free") return run_double_free(plant);
  if (name == "copy_past_end") return run_copy_past_end(plant);
  if (name == "wrong_direction") return run_wrong_direction(plant);
  if (name == "uninitialised_shared") return one_block(uninitialised_shared, plant);
  if (name == "uninitialised_global") return run_uninitialised_global(plant);
  if (name == "racing_writes") return run_racing_writes(plant);
  if (name == "race_in_long_name") return run_race_in_long_name(plant);
  if (name == "host_call_in_kernel") return one_block(launches, plant);
  if (name == "traps") return one_block(traps, plant);
  if (name == "read_before_wait") return run_copy(read_before_wait, plant);
  if (name == "reads_without_barrier") return run_copy(reads_without_barrier, plant);
  if (name == "wrong_parity") return run_copy(wrong_parity, plant);
  if (name == "wrong_parity_hangs") return run_copy(wrong_parity_hangs, plant);
  if (name == "round_without_end") return run_copy(round_without_end, plant);
  if (name == "round_not_waited_for") return run_copy(round_not_waited_for, plant);
  if (name == "copies_over_readers") return run_copy(copies_over_readers, plant);
  if (name == "rounds_without_barrier") return run_copy(rounds_without_barrier, plant);
  if (name == "copy_in_at_exit") return run_copy(copy_in_at_exit, plant);
  if (name == "missing_fence_in") return run_copy(missing_fence_in, plant);
  if (name == "missing_fence_out") return run_copy_out(plant ? out_fault::fence : out_fault::none);
  if (name == "missing_barrier_out") return run_copy_out(plant ? out_fault::barrier : out_fault::none);
  if (name == "overwritten_before_read") return run_copy_out(plant ? out_fault::reads : out_fault::none);
  if (name == "missing_wait_out") return run_copy_out(plant ? out_fault::wait : out_fault::none);
  if (name == "copy_out_at_exit") return run_copy_out(plant ? out_fault::end : out_fault::none);
  if (name == "one_group_too_few") return run_copy(copy_groups, plant, 32);
  if (name == "copy_without_group") return run_copy(copy_without_group, plant, 32);
  if (name == "copies_without_barrier") return run_copy(copies_without_barrier, plant, 32);
  if (name == "misaligned_copy") return run_copy(misaligned_copy, plant, 32);
  throw std::runtime_error("no such plant: " + name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 3;
  try {
    bool plant = argc < 3 || std::strcmp(argv[2], "correct") != 0;
    bool right = run(argv[1], plant);
    std::puts(right ? "right" : "wrong");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
}
