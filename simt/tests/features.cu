// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device language: indices, barriers, warp operations, atomics, groups, clusters, grids.
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <set>
#include <tuple>

#include <catch2/catch_test_macros.hpp>
#include <simt/control.hpp>

#include "support.hpp"

namespace cg = cooperative_groups;
using test::buffer;
using test::launch;

namespace {

// Small enough for the race detector's lane.
constexpr unsigned threads = 64;

constexpr unsigned row = 64, rounds = 5;

// Doubles rows, two of which are in shared memory at once; each block takes some. The first block sums them too, by
// copies of single numbers, of which one group is on its way while the one before it is read.
__global__ void copy_rows(const int* in, int* out, int* sums) {
  TEST_SHARED(round, std::uint64_t[2]);
  TEST_SHARED(stage, int[2][row]);
  TEST_SHARED(results, int[row]);
  TEST_SHARED(single, int[2][threads]);
  const unsigned i = threadIdx.x;
  auto load = [&](unsigned k) {
    if (k >= rounds || i != 0) return;
    std::uint64_t* const at = &round[k / gridDim.x % 2];
    simt::order_before_bulk_copies();
    simt::copy_bulk(stage[k / gridDim.x % 2], in + k * row, row * sizeof(int) / 2, at);
    simt::copy_bulk(stage[k / gridDim.x % 2] + row / 2, in + k * row + row / 2, row * sizeof(int) / 2, at);
    simt::end_copy_round(at);
  };
  if (i < 2) simt::begin_copy_rounds(&round[i]);
  __syncthreads();
  load(blockIdx.x);
  for (unsigned k = blockIdx.x, turn = 0; k < rounds; k += gridDim.x, ++turn) {
    load(k + gridDim.x);
    simt::wait_for_copy_round(&round[turn % 2], turn / 2 % 2);
    if (i == 0) simt::wait_for_bulk_reads();
    __syncthreads();
    results[i] = 2 * stage[turn % 2][i];
    simt::order_before_bulk_copies();
    __syncthreads();
    if (i == 0) simt::copy_bulk_out(out + k * row, results, row * sizeof(int));
  }
  if (i == 0) simt::wait_for_copies_out();
  if (blockIdx.x != 0) return;
  int sum = 0;
  for (unsigned k = 0; k <= rounds; ++k) {
    if (k < rounds) simt::copy_async(&single[k % 2][i], in + k * row + i, sizeof(int));
    simt::end_copy_group();
    simt::wait_for_groups(1);
    if (k > 0) sum += single[(k - 1) % 2][i];
  }
  sums[i] = sum;
}

__global__ void write_position(uint3* where, unsigned* rank) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  auto b = cg::this_thread_block();
  unsigned i = block * b.size() + b.thread_rank();
  where[i] = threadIdx;
  rank[i] = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__global__ void votes_of_block(int* out) {
  int odd = threadIdx.x % 2;
  out[3 * threadIdx.x] = __syncthreads_count(odd);
  out[3 * threadIdx.x + 1] = __syncthreads_and(odd);
  out[3 * threadIdx.x + 2] = __syncthreads_or(odd);
}

__global__ void early_exit(int* out) {
  TEST_SHARED(sum, int);
  if (threadIdx.x >= 40) return;  // the rest of the block and of the second warp goes on
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncwarp();
  __syncthreads();
  out[threadIdx.x] = sum;
}

__global__ void shuffles(int* out) {
  int lane = int(threadIdx.x % 32), *mine = out + 6 * threadIdx.x;
  mine[0] = __shfl_sync(~0u, lane, 5);
  mine[1] = __shfl_sync(~0u, lane, 9, 8);  // segments of 8
  mine[2] = __shfl_up_sync(~0u, lane, 3, 16);
  mine[3] = __shfl_down_sync(~0u, lane, 3, 16);
  mine[4] = __shfl_xor_sync(~0u, lane, 17);
  mine[5] = int(__shfl_sync(~0u, double(lane) + 0.5, 31) * 2);
}

__global__ void ballots(unsigned* out) {
  unsigned lane = threadIdx.x % 32, *mine = out + 8 * threadIdx.x;
  mine[0] = __ballot_sync(~0u, lane % 3 == 0);
  mine[1] = unsigned(__any_sync(~0u, lane == 31));
  mine[2] = unsigned(__all_sync(~0u, lane < 31));
  mine[3] = __match_any_sync(~0u, lane % 4);
  int same = 7;
  mine[4] = __match_all_sync(~0u, lane / 32, &same);
  mine[5] = unsigned(same);
  mine[6] = __match_all_sync(~0u, static_cast<unsigned long long>(lane), &same);
  mine[7] = unsigned(same);
}

__global__ void reductions(int* out) {
  int lane = int(threadIdx.x % 32), *mine = out + 7 * threadIdx.x;
  mine[0] = __reduce_add_sync(~0u, lane);
  mine[1] = __reduce_min_sync(~0u, lane - 16);
  mine[2] = __reduce_max_sync(~0u, lane - 16);
  mine[3] = int(__reduce_min_sync(~0u, unsigned(lane - 16)));
  mine[4] = int(__reduce_and_sync(~0u, unsigned(lane) | 32u));
  mine[5] = int(__reduce_or_sync(~0u, unsigned(lane)));
  mine[6] = int(__reduce_xor_sync(~0u, unsigned(lane) + 1));
}

// Two parts of a warp use different masks at the same time, and a third does nothing.
__global__ void disjoint_masks(int* out) {
  int lane = int(threadIdx.x % 32);
  int result = -1;
  if (lane < 8) {
    for (int i = 0; i < 5; ++i) result = __shfl_xor_sync(0xffu, lane + i, 1);
  } else if (lane < 24) {
    result = __reduce_add_sync(0xffff00u, 1);
  }
  out[threadIdx.x] = result;
}

struct big {
  double a;
  long b, c;
};

__global__ void tiles(big* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(warp);
  unsigned rank = unsigned(tile.thread_rank());
  big value{double(threadIdx.x), long(tile.meta_group_rank()), long(tile.ballot(rank % 2))};
  if (warp.thread_rank() < 16) {
    value = tile.shfl(value, 7 - int(rank));  // 24 bytes, in half of the warp
  } else {
    value.a = tile.shfl_xor(value.a, 1);
  }
  value.b += 100 * long(tile.meta_group_size()) + 1000 * long(tile.any(rank == 3)) + 10000 * long(tile.all(rank < 7));
  out[threadIdx.x] = value;
}

__global__ void run_time_tiles(int* out) {
  cg::thread_group tile = cg::tiled_partition(cg::thread_group(cg::this_thread_block()), 4);
  tile.sync();
  cg::sync(tile);
  out[2 * threadIdx.x] = int(tile.thread_rank());
  out[2 * threadIdx.x + 1] = int(tile.size()) + int(cg::this_thread().size());
}

__global__ void append(unsigned* counter, unsigned* seen, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 == 0) {
    auto active = cg::coalesced_threads();
    unsigned base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(counter, unsigned(active.size()));
    seen[active.shfl(base, 0) + active.thread_rank()] = i;
  }
}

__global__ void partitions(int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto odd = cg::binary_partition(warp, threadIdx.x % 2);
  auto third = cg::labeled_partition(warp, int(threadIdx.x % 3));
  auto pair = cg::tiled_partition(third, 2);
  int* mine = out + 5 * threadIdx.x;
  mine[0] = cg::reduce(odd, int(threadIdx.x), cg::plus<int>());
  mine[1] = cg::reduce(third, 1, cg::plus<int>());
  mine[2] = int(third.thread_rank());
  mine[3] = int(pair.size());
  mine[4] = cg::reduce(warp, int(threadIdx.x), cg::greater<int>());
}

__global__ void scans(int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int* mine = out + 3 * threadIdx.x;
  mine[0] = cg::inclusive_scan(tile, 1);
  mine[1] = cg::exclusive_scan(tile, int(tile.thread_rank()));
  mine[2] = cg::inclusive_scan(tile, int(tile.thread_rank() % 5), cg::greater<int>());
}

__global__ void staged_copy(const int* in, int* out) {
  TEST_SHARED(stage, int[threads]);
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage, in, sizeof(int) * threads);
  cg::wait(block);
  out[threadIdx.x] = stage[threads - 1 - threadIdx.x];
}

template <class T>
__global__ void atomics(T* words) {
  T mine = T(threadIdx.x);
  atomicAdd(&words[0], T(2));
  atomicMin(&words[1], mine);
  atomicMax(&words[2], mine);
  if constexpr (!std::is_same_v<T, long long>) {
    atomicOr(&words[3], mine);
    atomicXor(&words[4], T(1) << threadIdx.x % 8);
    atomicAnd(&words[5], ~(T(1) << threadIdx.x % 8));
    atomicExch(&words[6], T(9));
    T old = simt::load_relaxed(&words[7]);
    while (true) {
      T seen = atomicCAS(&words[7], old, old + 3);
      if (seen == old) break;
      old = seen;
    }
  }
}

__global__ void wrapping_atomics(unsigned* words) {
  atomicInc(&words[0], 9u);
  atomicDec(&words[1], 9u);
  atomicSub(&words[2], 1u);
}

__global__ void float_atomics(float* f, double* d, float4* v) {
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicAdd(v, float4{1, 2, 3, 4});
}

__global__ void ring_of_cluster(int* out) {
  TEST_SHARED(box, int[4]);
  auto cluster = cg::this_cluster();
  auto* dynamic = static_cast<int*>(simt::dynamic_shared());
  if (threadIdx.x < 4) box[threadIdx.x] = int(100 * blockIdx.x + threadIdx.x);
  if (threadIdx.x == 0) dynamic[3] = int(blockIdx.x);
  cluster.sync();
  unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int* peer = cluster.map_shared_rank(&box[0], next);
  int value = peer[threadIdx.x % 4] + *cluster.map_shared_rank(dynamic + 3, next);
  bool found = cluster.query_shared_rank(peer) == next;
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
  if (threadIdx.x == 1) out[blockIdx.x] = found ? value : -1;
}

__global__ void rounds_of_grid(unsigned* a, unsigned* b, int rounds) {
  auto grid = cg::this_grid();
  unsigned i = unsigned(grid.thread_rank()), n = unsigned(grid.size());
  for (int r = 0; r < rounds; ++r) {
    b[i] = a[(i + 1) % n] + 1;
    grid.sync();
    a[i] = b[(i + 1) % n] + 1;
    grid.sync();
  }
}

__global__ void shape_of_cluster(unsigned* out) {
  auto cluster = cg::this_cluster();
  auto grid = cg::this_grid();
  unsigned* mine = out + 5 * grid.block_rank();
  if (threadIdx.x != 0) return;
  mine[0] = cluster.block_rank();
  mine[1] = cluster.block_index().x + 10 * cluster.block_index().y;
  mine[2] = unsigned(grid.cluster_rank());
  mine[3] = cluster.num_threads();
  mine[4] = unsigned(grid.num_clusters());
}

// Lane 0 waits for a lane of its own warp: fine where lanes are scheduled independently.
__global__ void spin_within_warp(int* out, int* flag) {
  if (threadIdx.x == 0) {
    while (simt::load_acquire(flag) == 0) {
    }
    out[0] = 1;
  } else if (threadIdx.x == 31) {
    auto active = cg::coalesced_threads();  // must not wait for the one that spins
    if (active.thread_rank() == 0) simt::store_release(flag, 1);
  }
}

__global__ void spin_lock(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicExch(lock, 0);
}

struct sixteen {
  std::uint64_t low, high;
};

__global__ void wide_message(sixteen* mail, std::uint64_t* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) simt::store_release(mail, sixteen{7, 1});
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    sixteen seen;
    do {
      seen = simt::load_acquire(mail);
    } while (seen.high == 0);
    out[0] = seen.low;
  }
}

struct counted {
  int value;
  __host__ __device__ int next() { return ++value; }
};

__global__ void own_parameters(counted c, int* out) { out[threadIdx.x] = c.next(); }

__global__ void bits(int* out) {
  int i = 0;
  out[i++] = __popc(0xf0f0u);
  out[i++] = __popcll(~0ull);
  out[i++] = __clz(1);
  out[i++] = __clz(0);
  out[i++] = __clzll(1ll << 40);
  out[i++] = __ffs(8);
  out[i++] = __ffs(0);
  out[i++] = __brev(1u) == 0x80000000u;
  out[i++] = __brevll(2ull) == 0x4000000000000000ull;
  out[i++] = int(__byte_perm(0x33221100u, 0x77665544u, 0x7410u));
  out[i++] = int(__funnelshift_l(0x80000000u, 1u, 1));
  out[i++] = int(__umulhi(0x80000000u, 6u));
  out[i++] = __dp4a(0x01ff0203, 0x01010101, 10);
  out[i++] = int(__fns(0b101101u, 0u, 3));
  out[i++] = __isShared(out);
  out[i++] = __float2int_rz(-1.9f);
  out[i++] = __float2int_rz(3e9f) == INT_MAX;
  out[i++] = __float2int_rz(-INFINITY) == INT_MIN;
  out[i++] = __float2int_rz(NAN);
  out[i++] = __double2int_rz(2147483646.9) == INT_MAX - 1;
  out[i++] = __double2int_rz(NAN) == INT_MIN;
}

std::uint64_t hash_of_run(void (*kernel)(unsigned*, unsigned*, unsigned)) {
  buffer<unsigned> counter(1, 0u), seen(100, 0u);
  launch({.grid = 3, .block = 64}, kernel, counter.data(), seen.data(), 150u);
  std::uint64_t hash = 0;
  for (unsigned value : seen.get()) hash = hash * 31 + value;
  return hash;
}

}  // namespace

TEST_CASE("every thread knows its place") {
  constexpr unsigned blocks = 2 * 3 * 2, block = 4 * 3 * 2;
  buffer<uint3> where(blocks * block);
  buffer<unsigned> rank(blocks * block);
  launch({.grid = {2, 3, 2}, .block = {4, 3, 2}}, write_position, where.data(), rank.data());
  auto w = where.get();
  auto r = rank.get();
  for (unsigned i = 0; i < blocks * block; ++i) {
    REQUIRE(r[i] == i % block);
    REQUIRE(w[i].x == i % 4);
    REQUIRE(w[i].y == i / 4 % 3);
    REQUIRE(w[i].z == i / 12 % 2);
  }
}

TEST_CASE("block barriers vote, and do not wait for threads that have ended") {
  buffer<int> out(3 * threads);
  launch({.block = threads}, votes_of_block, out.data());
  auto got = out.get();
  for (unsigned i = 0; i < threads; ++i) {
    REQUIRE(got[3 * i] == int(threads / 2));
    REQUIRE(got[3 * i + 1] == 0);
    REQUIRE(got[3 * i + 2] == 1);
  }
  launch({.block = threads}, early_exit, out.data());
  got = out.get();
  for (unsigned i = 0; i < 40; ++i) REQUIRE(got[i] == 40);
}

TEST_CASE("shuffles") {
  buffer<int> out(6 * threads);
  launch({.block = threads}, shuffles, out.data());
  auto got = out.get();
  for (unsigned i = 0; i < threads; ++i) {
    int lane = int(i % 32);
    const int* mine = &got[6 * i];
    REQUIRE(mine[0] == 5);
    REQUIRE(mine[1] == lane / 8 * 8 + 1);
    REQUIRE(mine[2] == (lane % 16 < 3 ? lane : lane - 3));
    REQUIRE(mine[3] == (lane % 16 + 3 >= 16 ? lane : lane + 3));
    REQUIRE(mine[4] == (lane ^ 17));
    REQUIRE(mine[5] == 63);
  }
}

TEST_CASE("votes, matches and reductions") {
  buffer<unsigned> out(8 * threads);
  launch({.block = threads}, ballots, out.data());
  auto got = out.get();
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned* mine = &got[8 * i];
    REQUIRE(mine[0] == 0x49249249u);
    REQUIRE(mine[1] == 1);
    REQUIRE(mine[2] == 0);
    REQUIRE(mine[3] == 0x11111111u << i % 4);
    REQUIRE(mine[4] == ~0u);
    REQUIRE(mine[5] == 1);
    REQUIRE(mine[6] == 0);
    REQUIRE(mine[7] == 0);
  }
  buffer<int> sums(7 * threads);
  launch({.block = threads}, reductions, sums.data());
  auto s = sums.get();
  for (unsigned i = 0; i < threads; ++i) {
    REQUIRE(std::vector<int>(&s[7 * i], &s[7 * i] + 7) == std::vector<int>{496, -16, 15, 0, 32, 31, 32});
  }
  launch({.block = threads}, disjoint_masks, sums.data());
  s = sums.get();
  for (unsigned i = 0; i < threads; ++i) {
    int lane = int(i % 32);
    REQUIRE(s[i] == (lane < 8 ? (lane ^ 1) + 4 : lane < 24 ? 16 : -1));
  }
}

TEST_CASE("tiles") {
  buffer<big> out(threads);
  launch({.block = threads}, tiles, out.data());
  auto got = out.get();
  for (unsigned i = 0; i < threads; ++i) {
    unsigned lane = i % 32, from = lane < 16 ? i / 8 * 8 + 7 - i % 8 : i ^ 1;
    REQUIRE(got[i].a == from);
    REQUIRE(got[i].b == long(lane / 8 + 400 + 1000));
    REQUIRE(got[i].c == 0xaa);
  }
  buffer<int> dynamic(2 * threads);
  launch({.block = threads}, run_time_tiles, dynamic.data());
  auto d = dynamic.get();
  for (unsigned i = 0; i < threads; ++i) {
    REQUIRE(d[2 * i] == int(i % 4));
    REQUIRE(d[2 * i + 1] == 5);
  }
}

TEST_CASE("coalesced groups and partitions") {
  buffer<unsigned> counter(1, 0u), seen(100);
  launch({.grid = 5, .block = threads}, append, counter.data(), seen.data(), 290u);
  REQUIRE(counter.get()[0] == 97);
  auto s = seen.get();
  std::set<unsigned> once(s.begin(), s.begin() + 97);
  REQUIRE(once.size() == 97);
  REQUIRE(*once.rbegin() == 288);

  buffer<int> out(5 * 32);
  launch({.block = 32}, partitions, out.data());
  auto got = out.get();
  for (int i = 0; i < 32; ++i) {
    int in_third = i % 3 == 2 ? 10 : 11;
    CHECK(got[std::size_t(5 * i)] == (i % 2 ? 256 : 240));
    CHECK(got[std::size_t(5 * i + 1)] == in_third);
    CHECK(got[std::size_t(5 * i + 2)] == i / 3);
    CHECK(got[std::size_t(5 * i + 3)] == (i / 3 == 10 ? 1 : 2));
    CHECK(got[std::size_t(5 * i + 4)] == 31);
  }
}

TEST_CASE("scans and staged copies") {
  buffer<int> out(3 * threads);
  launch({.block = threads}, scans, out.data());
  auto got = out.get();
  for (unsigned i = 0; i < threads; ++i) {
    int rank = int(i % 16);
    REQUIRE(got[3 * i] == rank + 1);
    REQUIRE(got[3 * i + 1] == rank * (rank - 1) / 2);
    REQUIRE(got[3 * i + 2] == std::min(rank, 4));
  }
  std::vector<int> numbers(threads);
  for (unsigned i = 0; i < threads; ++i) numbers[i] = int(i);
  buffer<int> in(numbers);
  launch({.block = threads}, staged_copy, static_cast<const int*>(in.data()), out.data());
  got = out.get();
  for (unsigned i = 0; i < threads; ++i) REQUIRE(got[i] == int(threads - 1 - i));
}

TEST_CASE("asynchronous copies in rounds and in groups, and out again") {
  std::vector<int> numbers(rounds * row);
  for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = int(i);
  buffer<int> in(numbers), out(numbers.size()), sums(threads);
  launch({.grid = 3, .block = threads}, copy_rows, static_cast<const int*>(in.data()), out.data(), sums.data());
  auto got = out.get();
  for (unsigned i = 0; i < got.size(); ++i) REQUIRE(got[i] == 2 * int(i));
  const auto got_sums = sums.get();
  for (unsigned i = 0; i < threads; ++i) {
    int sum = 0;
    for (unsigned k = 0; k < rounds; ++k) sum += int(k * row + i);
    REQUIRE(got_sums[i] == sum);
  }
}

TEST_CASE("atomics") {
  auto run = [](auto zero) {
    using T = decltype(zero);
    buffer<T> words(std::vector<T>{5, 1000, 0, 0, 0, T(255), 0, 0});
    launch({.grid = 2, .block = threads}, atomics<T>, words.data());
    auto got = words.get();
    CHECK(got[0] == T(5 + 2 * 2 * threads));
    CHECK(got[1] == 0);
    CHECK(got[2] == T(threads - 1));
    if constexpr (!std::is_same_v<T, long long>) {
      CHECK(got[3] == T(63));
      CHECK(got[4] == 0);
      CHECK(got[5] == 0);
      CHECK(got[6] == T(9));
      CHECK(got[7] == T(3 * 2 * threads));
    }
  };
  run(0);
  run(0u);
  run(0ull);

  buffer<unsigned> wrapping(std::vector<unsigned>{0, 0, 7});
  launch({.block = 24}, wrapping_atomics, wrapping.data());
  CHECK(wrapping.get() == std::vector<unsigned>{4, 6, 7u - 24u});

  buffer<float> f(1, 0.0f);
  buffer<double> d(1, 0.0);
  buffer<float4> v(1, float4{});
  launch({.grid = 2, .block = 32}, float_atomics, f.data(), d.data(), v.data());
  CHECK(f.get()[0] == 32.0f);
  CHECK(d.get()[0] == 16.0);
  CHECK(v.get()[0].w == 256.0f);
}

TEST_CASE("clusters share memory") {
  buffer<int> out(8);
  launch({.grid = 8, .block = 32, .dynamic_bytes = 16, .cluster = 4}, ring_of_cluster, out.data());
  auto got = out.get();
  for (int i = 0; i < 8; ++i) {
    int next = i / 4 * 4 + (i + 1) % 4;
    CHECK(got[std::size_t(i)] == 100 * next + 1 + next);
  }
}

TEST_CASE("clusters have a shape") {
  cudaLaunchAttribute attribute{cudaLaunchAttributeClusterDimension, {}};
  attribute.val.clusterDim = {2, 2, 1};
  buffer<unsigned> out(5 * 16);
  cudaLaunchConfig_t config{dim3(4, 4), dim3(32), 0, nullptr, &attribute, 1};
  test::check(cudaLaunchKernelEx(&config, shape_of_cluster, out.data()));
  auto got = out.get();
  for (unsigned i = 0; i < 16; ++i) {
    unsigned x = i % 4, y = i / 4;
    CHECK(got[5 * i] == x % 2 + 2 * (y % 2));
    CHECK(got[5 * i + 1] == x % 2 + 10 * (y % 2));
    CHECK(got[5 * i + 2] == x / 2 + 2 * (y / 2));
    CHECK(got[5 * i + 3] == 128);
    CHECK(got[5 * i + 4] == 4);
  }
}

TEST_CASE("grids synchronise") {
  buffer<unsigned> a(4 * threads, 0u), b(4 * threads, 0u);
  launch({.grid = 4, .block = threads, .cooperative = true}, rounds_of_grid, a.data(), b.data(), 3);
  for (unsigned value : a.get()) REQUIRE(value == 6);
}

TEST_CASE("spins make progress") {
  buffer<int> out(1, 0), flag(1, 0), counter(1, 0);
  launch({.block = 32}, spin_within_warp, out.data(), flag.data());
  CHECK(out.get()[0] == 1);
  flag.get();
  test::check(cudaMemset(flag.data(), 0, sizeof(int)));
  launch({.grid = 3, .block = 32}, spin_lock, flag.data(), counter.data());
  CHECK(counter.get()[0] == 96);
  buffer<sixteen> mail(1, sixteen{0, 0});
  buffer<std::uint64_t> got(1);
  // Block 1 needs block 0, so both have to be resident, as on any GPU.
  auto before = simt::current_settings();
  auto both = before;
  both.resident_blocks = 2;
  simt::change_settings(both);
  launch({.grid = 2, .block = 32}, wide_message, mail.data(), got.data());
  simt::change_settings(before);
  CHECK(got.get()[0] == 7);
}

TEST_CASE("parameters belong to each thread") {
  buffer<int> out(threads);
  launch({.block = threads}, own_parameters, counted{41}, out.data());
  for (int value : out.get()) REQUIRE(value == 42);
}

TEST_CASE("bit and conversion intrinsics") {
  buffer<int> out(21);
  launch({}, bits, out.data());
  CHECK(out.get() == std::vector<int>{8, 64, 31, 32, 23, 4, 0, 1, 1, 0x77441100, 3, 3, 15, 3, 0, -1, 1, 1, 0, 1, 1});
}

TEST_CASE("a seed replays a schedule") {
  auto before = simt::current_settings();
  auto run = [&](simt::settings s) {
    simt::change_settings(s);
    return hash_of_run(append);
  };
  std::set<std::uint64_t> different;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    simt::settings s{simt::schedule::random, seed, 4};
    auto once = run(s), again = run(s);
    CHECK(once == again);
    different.insert(once);
  }
  CHECK(different.size() > 1);
  simt::change_settings(before);
}
