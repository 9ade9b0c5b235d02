// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compaction, partition and appends to a queue, beside the same by scans of CUB and by coalesced groups.
#include "chain.cuh"

#include <gpuprim/compact.cuh>

#include <cooperative_groups.h>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>

namespace {

namespace cg = cooperative_groups;

constexpr unsigned queue_capacity = 1u << 20;
__device__ unsigned queue_items[queue_capacity], short_count;
__device__ unsigned long long long_count;
/// Zero, which the compiler does not know: so the counters of 32 bits may wrap around.
__constant__ unsigned no_bits;

__host__ __device__ bool is_kept(unsigned value) { return value % 2 == 1; }
__host__ __device__ bool is_second(unsigned value) { return value % 4 == 2; }

template <cub::BlockScanAlgorithm Algorithm>
constexpr const char* cub_name(const char* raking, const char* memoize, const char* warps) {
  return Algorithm == cub::BLOCK_SCAN_RAKING ? raking : Algorithm == cub::BLOCK_SCAN_RAKING_MEMOIZE ? memoize : warps;
}

struct gpuprim_block {
  static constexpr const char *compacts = "gpuprim::block_compact", *parts = "gpuprim::block_partition, two parts",
                              *thirds = "gpuprim::block_partition, three parts", *appends = "gpuprim::block_append";
  template <int Block, int Items>
  __device__ static unsigned compact(const unsigned (&values)[Items], unsigned* kept) {
    return unsigned(gpuprim::block_compact<Block>(gpuprim::this_block{}, values, is_odd{}, kept));
  }
  template <int Block, int Items>
  __device__ static void part(const unsigned (&values)[Items], int (&places)[Items]) {
    bool first[Items];
    for (int i = 0; i < Items; ++i) first[i] = is_kept(values[i]);
    put(gpuprim::block_partition<Block>(gpuprim::this_block{}, first).places, places);
  }
  template <int Block, int Items>
  __device__ static void part_in_three(const unsigned (&values)[Items], int (&places)[Items]) {
    bool first[Items], second[Items];
    for (int i = 0; i < Items; ++i) first[i] = is_kept(values[i]);
    for (int i = 0; i < Items; ++i) second[i] = is_second(values[i]);
    put(gpuprim::block_partition<Block>(gpuprim::this_block{}, first, second).places, places);
  }
  template <int Block>
  __device__ static bool append(unsigned value) {
    const gpuprim::append_queue<unsigned> queue{queue_items, queue_capacity, &long_count};
    return gpuprim::block_append<Block>(gpuprim::this_block{}, queue, value, is_kept(value)).place >= 0;
  }

 private:
  struct is_odd {
    __device__ bool operator()(unsigned value) const { return is_kept(value); }
  };
  template <int Items>
  __device__ static void put(const int (&from)[Items], int (&to)[Items]) {
    for (int i = 0; i < Items; ++i) to[i] = from[i];
  }
};

/// The storage of a scan may be used again after one more barrier: that of `compact` is the one behind the values.
template <cub::BlockScanAlgorithm Algorithm>
struct cub_block {
  static constexpr const char* compacts =
      cub_name<Algorithm>("cub::BlockScan raking, scatter", "cub::BlockScan raking, memoize, scatter",
                          "cub::BlockScan warp scans, scatter");
  static constexpr const char* parts =
      cub_name<Algorithm>("cub::BlockScan raking, two parts", "cub::BlockScan raking, memoize, two parts",
                          "cub::BlockScan warp scans, two parts");
  static constexpr const char* thirds =
      cub_name<Algorithm>("cub::BlockScan raking, three parts", "cub::BlockScan raking, memoize, three parts",
                          "cub::BlockScan warp scans, three parts");
  static constexpr const char* appends = cub_name<Algorithm>(
      "cub::BlockScan raking, atomic", "cub::BlockScan raking, memoize, atomic", "cub::BlockScan warp scans, atomic");
  template <int Block>
  using scan = cub::BlockScan<unsigned, Block, Algorithm>;

  template <int Block, int Items>
  __device__ static unsigned compact(const unsigned (&values)[Items], unsigned* kept) {
    __shared__ typename scan<Block>::TempStorage storage;
    unsigned places[Items], count;
    for (int i = 0; i < Items; ++i) places[i] = is_kept(values[i]);
    scan<Block>(storage).ExclusiveSum(places, places, count);
    for (int i = 0; i < Items; ++i) {
      if (is_kept(values[i])) kept[places[i]] = values[i];
    }
    return count;
  }
  template <int Block, int Items>
  __device__ static void part(const unsigned (&values)[Items], int (&places)[Items]) {
    __shared__ typename scan<Block>::TempStorage storage;
    unsigned before[Items], count;
    for (int i = 0; i < Items; ++i) before[i] = is_kept(values[i]);
    scan<Block>(storage).ExclusiveSum(before, before, count);
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      const unsigned index = threadIdx.x * Items + unsigned(i);
      places[i] = int(is_kept(values[i]) ? before[i] : count + index - before[i]);
    }
  }
  template <int Block, int Items>
  __device__ static void part_in_three(const unsigned (&values)[Items], int (&places)[Items]) {
    __shared__ typename scan<Block>::TempStorage storage;
    unsigned before[Items], count;
    for (int i = 0; i < Items; ++i) before[i] = is_kept(values[i]) | unsigned(is_second(values[i])) << 16;
    scan<Block>(storage).ExclusiveSum(before, before, count);
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      const unsigned index = threadIdx.x * Items + unsigned(i);
      const unsigned firsts = before[i] & 0xffff, seconds = before[i] >> 16;
      const unsigned end = (count & 0xffff) + (count >> 16);
      places[i] = int(is_kept(values[i])     ? firsts
                      : is_second(values[i]) ? (count & 0xffff) + seconds
                                             : end + index - firsts - seconds);
    }
  }
  template <int Block>
  __device__ static bool append(unsigned value) {
    __shared__ typename scan<Block>::TempStorage storage;
    __shared__ unsigned first;
    unsigned place, count;
    scan<Block>(storage).ExclusiveSum(unsigned(is_kept(value)), place, count);
    if (threadIdx.x == 0) first = atomicAdd(&short_count, count);
    __syncthreads();
    place += first;
    if (is_kept(value) && place < queue_capacity) queue_items[place] = value;
    return (place & no_bits) == 0;
  }
};

struct gpuprim_warp {
  static constexpr const char *compacts = "gpuprim::warp_compact", *appends = "gpuprim::warp_append";
  template <int Block>
  __device__ static unsigned compact(unsigned value) {
    return gpuprim::warp_compact(gpuprim::warp_tile<32>{}, value, is_kept(value)).value;
  }
  __device__ static bool append(unsigned value) {
    const gpuprim::append_queue<unsigned> queue{queue_items, queue_capacity, &long_count};
    return gpuprim::warp_append(gpuprim::warp_tile<32>{}, queue, value, is_kept(value)).place >= 0;
  }
};

struct gpuprim_coalesced {
  static constexpr const char* appends = "gpuprim::warp_append, coalesced group";
  __device__ static bool append(unsigned value) {
    const gpuprim::append_queue<unsigned> queue{queue_items, queue_capacity, &long_count};
    return !is_kept(value) || gpuprim::warp_append(cg::coalesced_threads(), queue, value).place >= 0;
  }
};

struct cub_warp {
  static constexpr const char* compacts = "cub::WarpScan, through shared memory";
  template <int Block>
  __device__ static unsigned compact(unsigned value) {
    using scan = cub::WarpScan<unsigned>;
    __shared__ typename scan::TempStorage storage[Block / 32];
    __shared__ unsigned kept[Block];
    unsigned place, count;
    scan(storage[threadIdx.x / 32]).ExclusiveSum(unsigned(is_kept(value)), place, count);
    unsigned* const mine = kept + threadIdx.x / 32 * 32;
    if (is_kept(value)) mine[place] = value;
    __syncwarp();
    const unsigned result = threadIdx.x % 32 < count ? mine[threadIdx.x % 32] : value;
    __syncwarp();
    return result;
  }
};

struct coalesced_atomics {
  static constexpr const char* appends = "cg::coalesced_threads, atomicAdd";
  __device__ static bool append(unsigned value) {
    if (!is_kept(value)) return true;
    const auto group = cg::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(&short_count, unsigned(group.size()));
    const unsigned place = group.shfl(first, 0) + unsigned(group.thread_rank());
    if (place < queue_capacity) queue_items[place] = value;
    return (place & no_bits) == 0;
  }
};

struct plain_atomics {
  static constexpr const char* appends = "an atomicAdd in each lane";
  __device__ static bool append(unsigned value) {
    if (!is_kept(value)) return true;
    const unsigned place = atomicAdd(&short_count, 1u);
    if (place < queue_capacity) queue_items[place] = value;
    return (place & no_bits) == 0;
  }
};

/// `in` has the values, then what they are once compacted. A wrong count changes the values.
template <class Contender, int Block, int Items>
__global__ void __launch_bounds__(Block)
    compact_chain(const unsigned* in, unsigned rest, unsigned* out, long long* cycles) {
  __shared__ unsigned kept[Block * Items];
  unsigned values[Items], count = 0;
  for (int i = 0; i < Items; ++i) values[i] = in[threadIdx.x * Items + unsigned(i)];
  time_chain(cycles, [&] {
    count = Contender::template compact<Block>(values, kept);
    __syncthreads();
    values[0] += count - rest;
  });
  unsigned wrong = count != rest;
  for (unsigned i = threadIdx.x; i < rest; i += Block) wrong += kept[i] != in[Block * Items + i];
  out[blockIdx.x * Block + threadIdx.x] = wrong;
}

/// `in` has the values, then their places. A wrong place changes the value.
template <class Contender, int Block, int Items, int Parts>
__global__ void __launch_bounds__(Block)
    partition_chain(const unsigned* in, unsigned, unsigned* out, long long* cycles) {
  unsigned values[Items], wrong = 0;
  int places[Items], want[Items];
  for (int i = 0; i < Items; ++i) {
    values[i] = in[threadIdx.x * Items + unsigned(i)];
    want[i] = int(in[(Block + threadIdx.x) * Items + unsigned(i)]);
  }
  time_chain(cycles, [&] {
    if constexpr (Parts == 2) Contender::template part<Block>(values, places);
    else Contender::template part_in_three<Block>(values, places);
    for (int i = 0; i < Items; ++i) values[i] += unsigned(places[i] - want[i]);
  });
  for (int i = 0; i < Items; ++i) wrong += places[i] != want[i];
  out[blockIdx.x * Block + threadIdx.x] = wrong;
}

/// `in` has the values of a warp, then those that its lanes have afterwards.
template <class Contender, int Block>
__global__ void __launch_bounds__(Block) warp_chain(const unsigned* in, unsigned, unsigned* out, long long* cycles) {
  const unsigned lane = threadIdx.x % 32, want = in[32 + lane];
  unsigned value = in[lane], result = 0;
  time_chain(cycles, [&] {
    result = Contender::template compact<Block>(value);
    value += result - want;
  });
  out[blockIdx.x * Block + threadIdx.x] = result != want;
}

/// An append waits for the place that the one before it has given, which is there.
template <class Contender, int Block>
__global__ void __launch_bounds__(Block) append_chain(const unsigned* in, unsigned, unsigned* out, long long* cycles) {
  unsigned value = in[threadIdx.x];
  time_chain(cycles, [&] {
    bool is_there;
    if constexpr (requires { Contender::append(value); }) is_there = Contender::append(value);
    else is_there = Contender::template append<Block>(value);
    value += !is_there;
  });
  out[blockIdx.x * Block + threadIdx.x] = value != in[threadIdx.x];
}

std::vector<unsigned> make_values(int count) {
  std::vector<unsigned> values;
  for (unsigned i = 0; i < unsigned(count); ++i) values.push_back(i * 2654435769u >> 9);
  return values;
}

template <int Block, int Items>
void add_compact(table& t, const char* type) {
  auto in = make_values(Block * Items);
  for (int i = 0; i < Block * Items; ++i) {
    if (is_kept(in[std::size_t(i)])) in.push_back(in[std::size_t(i)]);
  }
  const auto count = unsigned(in.size()) - Block * Items;
  const auto measured = [&]<class Contender>(Contender) {
    return measure<unsigned>(type,
                             {Contender::compacts, compact_chain<Contender, Block, Items>, in, count, 0, Block, Block});
  };
  t.push_back({measured(gpuprim_block{}), measured(cub_block<cub::BLOCK_SCAN_RAKING>{}),
               measured(cub_block<cub::BLOCK_SCAN_RAKING_MEMOIZE>{}),
               measured(cub_block<cub::BLOCK_SCAN_WARP_SCANS>{})});
}

template <int Parts, int Block, int Items>
void add_partition(table& t, const char* type) {
  auto in = make_values(Block * Items);
  std::vector<unsigned> places(in.size());
  unsigned next = 0;
  for (int part = 0; part < 3; ++part) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const int of = is_kept(in[i]) ? 0 : Parts == 3 && is_second(in[i]) ? 1 : 2;
      if (of == part) places[i] = next++;
    }
  }
  in.insert(in.end(), places.begin(), places.end());
  const auto measured = [&]<class Contender>(Contender) {
    return measure<unsigned>(type, {Parts == 2 ? Contender::parts : Contender::thirds,
                                    partition_chain<Contender, Block, Items, Parts>, in, 0, 0, Block, Block});
  };
  t.push_back({measured(gpuprim_block{}), measured(cub_block<cub::BLOCK_SCAN_RAKING>{}),
               measured(cub_block<cub::BLOCK_SCAN_RAKING_MEMOIZE>{}),
               measured(cub_block<cub::BLOCK_SCAN_WARP_SCANS>{})});
}

template <int Block>
void add_warp(table& t) {
  auto in = make_values(32);
  std::vector<unsigned> after(in);
  std::copy_if(in.begin(), in.end(), after.begin(), is_kept);
  in.insert(in.end(), after.begin(), after.end());
  const auto measured = [&]<class Contender>(Contender) {
    return measure<unsigned>("i32", {Contender::compacts, warp_chain<Contender, Block>, in, 0, 0, Block, Block});
  };
  t.push_back({measured(gpuprim_warp{}), measured(cub_warp{})});
}

template <int Block, class... Contenders>
void add_append(table& t, Contenders...) {
  const auto in = make_values(Block);
  t.push_back(
      {measure<unsigned>("i32", {Contenders::appends, append_chain<Contenders, Block>, in, 0, 0, Block, Block})...});
}

template <int Parts>
table measure_partitions() {
  table t;
  add_partition<Parts, 256, 1>(t, "i32");
  add_partition<Parts, 1024, 1>(t, "i32");
  add_partition<Parts, 256, 4>(t, "4 x i32");
  return t;
}

}  // namespace

std::vector<table> measure_compacts() {
  table warps, blocks, warp_appends, coalesced_appends, block_appends;
  add_warp<256>(warps);
  add_warp<1024>(warps);
  add_compact<256, 1>(blocks, "i32");
  add_compact<1024, 1>(blocks, "i32");
  add_compact<256, 4>(blocks, "4 x i32");
  add_compact<256, 8>(blocks, "8 x i32");
  add_append<256>(warp_appends, gpuprim_warp{}, coalesced_atomics{}, plain_atomics{});
  add_append<1024>(warp_appends, gpuprim_warp{}, coalesced_atomics{}, plain_atomics{});
  add_append<256>(coalesced_appends, gpuprim_coalesced{}, coalesced_atomics{}, plain_atomics{});
  add_append<256>(block_appends, gpuprim_block{}, cub_block<cub::BLOCK_SCAN_RAKING>{},
                  cub_block<cub::BLOCK_SCAN_RAKING_MEMOIZE>{}, cub_block<cub::BLOCK_SCAN_WARP_SCANS>{});
  add_append<1024>(block_appends, gpuprim_block{}, cub_block<cub::BLOCK_SCAN_RAKING>{},
                   cub_block<cub::BLOCK_SCAN_RAKING_MEMOIZE>{}, cub_block<cub::BLOCK_SCAN_WARP_SCANS>{});
  return {warps,        blocks, measure_partitions<2>(), measure_partitions<3>(), warp_appends, coalesced_appends,
          block_appends};
}
