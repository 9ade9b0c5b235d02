// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gpuprim::inline v0_2_0::ptx {

/// Waits until the kernels that this launch depends on have ended and their writes are visible. A kernel that is
/// launched early (programmatic dependent launch) must call it before it touches global memory; otherwise it returns at
/// once.
__device__ __forceinline__ void wait_for_previous_grid() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Lets the next launch in the stream start before this grid has ended, if it was launched to do so.
__device__ __forceinline__ void let_next_grid_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// The first statement of a kernel that has nothing to do before the previous grid has ended.
__device__ __forceinline__ void begin_kernel() {
  let_next_grid_start();
  wait_for_previous_grid();
}

/// Prefetches the cache line of an address to the L2 cache. All writes go through the L2 cache and no value is read, so
/// that it may be called before `wait_for_previous_grid()`.
__device__ __forceinline__ void prefetch_to_l2(const void* address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
  (void)address;
#endif
}

/// Prefetches a row to the L2 cache. Its address and its size in bytes are multiples of 16.
__device__ __forceinline__ void prefetch_row_to_l2(const void* from, unsigned bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#else
  (void)from, (void)bytes;
#endif
}

/// True if one instruction of one thread copies a whole row to shared memory on the GPU compiled for.
inline constexpr bool has_bulk_copies =
#if defined(SIMT_DEVICE) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900)
    true;
#else
    false;
#endif

/// A barrier in shared memory that copies to shared memory arrive at, in rounds, one after the other.
using copy_round = std::uint64_t;

/// Called by the thread that copies next, after a block barrier: the copies are asynchronous, and would not be ordered
/// after earlier accesses of threads to the same shared memory.
__device__ __forceinline__ void order_before_bulk_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#elif defined(SIMT_DEVICE)
  ::simt::order_before_bulk_copies();
#endif
}

/// Called by one thread. A block barrier follows before the first round.
__device__ __forceinline__ void begin_copy_rounds([[maybe_unused]] copy_round* round) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(round));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
#elif defined(SIMT_DEVICE)
  ::simt::begin_copy_rounds(round);
#endif
  order_before_bulk_copies();
}

/// Starts to copy from global to shared memory, in a round. Addresses and bytes are multiples of 16. One thread calls
/// it, and the same one `end_copy_round` once in each round.
__device__ __forceinline__ void copy_bulk(void* to_shared, const void* from, unsigned bytes,
                                          [[maybe_unused]] copy_round* round) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(round));
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(at)
               : "memory");
#elif defined(SIMT_DEVICE)
  ::simt::copy_bulk(to_shared, from, bytes, round);
#else
  std::memcpy(to_shared, from, bytes);
#endif
}
__device__ __forceinline__ void end_copy_round([[maybe_unused]] copy_round* round) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(round));
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
#elif defined(SIMT_DEVICE)
  ::simt::end_copy_round(round);
#endif
}

/// Waits for the copies of a round. `parity` is that of the round's number, from 0. A block barrier follows before the
/// copies are read.
__device__ __forceinline__ void wait_for_copy_round([[maybe_unused]] copy_round* round,
                                                    [[maybe_unused]] unsigned parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(round));
  unsigned done;
  do {
    asm volatile(
        "{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
        : "=r"(done)
        : "r"(at), "r"(parity)
        : "memory");
  } while (done == 0);
#elif defined(SIMT_DEVICE)
  ::simt::wait_for_copy_round(round, parity);
#endif
}

/// Starts to copy from shared to global memory. Addresses and bytes are multiples of 16. One thread calls it, behind a
/// block barrier ahead of which all threads have called `order_before_bulk_copies`, and waits for it later.
__device__ __forceinline__ void copy_bulk_out(void* to, const void* from_shared, unsigned bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(from_shared));
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#elif defined(SIMT_DEVICE)
  ::simt::copy_bulk_out(to, from_shared, bytes);
#else
  std::memcpy(to, from_shared, bytes);
#endif
}
/// Waits until the copies out that the calling thread has begun have read shared memory.
__device__ __forceinline__ void wait_for_bulk_reads() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#elif defined(SIMT_DEVICE)
  ::simt::wait_for_bulk_reads();
#endif
}
/// Waits until they are done.
__device__ __forceinline__ void wait_for_copies_out() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#elif defined(SIMT_DEVICE)
  ::simt::wait_for_copies_out();
#endif
}

/// True if one instruction compares two 16-bit integers at once on the GPU compiled for, and T fits one.
template <class T>
inline constexpr bool has_packed_extrema =
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    std::is_integral_v<T> && sizeof(T) <= 2;
#else
    false;
#endif

/// True if blocks can form clusters on the GPU compiled for. Elsewhere each block is a cluster of its own.
inline constexpr bool has_clusters = has_bulk_copies;

/// The block's rank in its cluster.
__device__ __forceinline__ unsigned cluster_rank() {
#if defined(SIMT_DEVICE)
  return ::simt::cluster_rank();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#else
  return 0;
#endif
}

/// The number of blocks of the cluster.
__device__ __forceinline__ unsigned cluster_size() {
#if defined(SIMT_DEVICE)
  const dim3 blocks = ::simt::cluster_dimensions();
  return blocks.x * blocks.y * blocks.z;
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned blocks;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  return blocks;
#else
  return 1;
#endif
}

/// The barrier of the cluster, behind which every thread sees what the others have written to shared memory.
__device__ __forceinline__ void sync_cluster() {
#if defined(SIMT_DEVICE)
  ::simt::barrier(::simt::barrier_scope::cluster, ::simt::location::current());
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
  __syncthreads();
#endif
}

/// A barrier of the cluster behind which every thread sees what blocks have written to shared memory of their own, and
/// nothing else: it does not wait until writes to global memory are done.
__device__ __forceinline__ void sync_cluster_shared() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && defined(__CUDACC_VER_MAJOR__) && \
    __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
  sync_cluster();
#endif
}

/// What lies at an address of the block's shared memory in another block of its cluster.
template <class T>
__device__ __forceinline__ T* shared_of_block(T* own, unsigned rank) {
#if defined(SIMT_DEVICE)
  return static_cast<T*>(::simt::shared_of_rank(own, rank, ::simt::location::current()));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  std::uint64_t there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(rank));
  return reinterpret_cast<T*>(there);
#else
  (void)rank;
  return own;
#endif
}

/// The greater of the unsigned 16-bit integers in each half.
__device__ __forceinline__ std::uint32_t find_greater_halves(std::uint32_t a, std::uint32_t b) {
#if defined(SIMT_DEVICE)
  const std::uint32_t low = (a & 0xffff) > (b & 0xffff) ? a : b, high = a >> 16 > b >> 16 ? a : b;
  return (high & 0xffff0000) | (low & 0xffff);
#else
  return __vmaxu2(a, b);
#endif
}

enum class extreme { least, greatest };

/// The least of the 8- or 16-bit integers in 16 bytes, or the greatest.
template <extreme Which, class T>
__device__ __forceinline__ T find_packed_extreme(const uint4& packed) {
  constexpr bool is_least = Which == extreme::least;
#if defined(SIMT_DEVICE)
  T parts[16 / sizeof(T)];
  std::memcpy(parts, &packed, sizeof packed);
  T best = parts[0];
  for (T part : parts) best = is_least == (part < best) ? part : best;
  return best;
#else
  auto join = [](unsigned a, unsigned b) {
    if constexpr (std::is_signed_v<T>) return is_least ? __vmins2(a, b) : __vmaxs2(a, b);
    else return is_least ? __vminu2(a, b) : __vmaxu2(a, b);
  };
  unsigned best = join(join(packed.x, packed.y), join(packed.z, packed.w));
  if constexpr (sizeof(T) == 1) {
    // The upper byte of each half decides, whatever the lower one is; a shift moves the lower bytes up.
    best = join(best, join(join(packed.x << 8, packed.y << 8), join(packed.z << 8, packed.w << 8)));
  }
  best = join(best, best << 16) >> (sizeof(T) == 1 ? 24 : 16);
  T value;
  std::memcpy(&value, &best, sizeof value);
  return value;
#endif
}

}  // namespace gpuprim::ptx
