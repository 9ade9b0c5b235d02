// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges of a block and of a warp, loads and stores of tiles, neighbours, and runs that a block decodes.
#include "chain.cuh"

#include <gpuprim/exchange.cuh>

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>

namespace {

enum class library { gpuprim, cub };

using gpuprim::this_block;

/// What changes the values of a block: by gpuprim, by CUB with the barrier behind which its storage may be used again,
/// and on the host.
struct blocked_to_striped {
  static constexpr const char *gpuprim_name = "gpuprim::block_blocked_to_striped",
                              *cub_name = "cub::BlockExchange::BlockedToStriped";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_blocked_to_striped<Block>(this_block{}, v);
    } else {
      using exchange = cub::BlockExchange<V, Block, Items>;
      __shared__ typename exchange::TempStorage storage;
      exchange(storage).BlockedToStriped(v, v);
      __syncthreads();
    }
  }
  template <class V>
  static std::vector<V> on_host(const std::vector<V>& v, int threads, int items, const std::vector<int>&) {
    std::vector<V> moved(v.size());
    for (int i = 0; i < threads * items; ++i) moved[i] = v[i % items * threads + i / items];
    return moved;
  }
};

struct striped_to_blocked {
  static constexpr const char *gpuprim_name = "gpuprim::block_striped_to_blocked",
                              *cub_name = "cub::BlockExchange::StripedToBlocked";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_striped_to_blocked<Block>(this_block{}, v);
    } else {
      using exchange = cub::BlockExchange<V, Block, Items>;
      __shared__ typename exchange::TempStorage storage;
      exchange(storage).StripedToBlocked(v, v);
      __syncthreads();
    }
  }
  template <class V>
  static std::vector<V> on_host(const std::vector<V>& v, int threads, int items, const std::vector<int>&) {
    std::vector<V> moved(v.size());
    for (int i = 0; i < threads * items; ++i) moved[i % items * threads + i / items] = v[i];
    return moved;
  }
};

/// What an exchange of a block makes of each warp's values.
template <class Exchange, class V>
std::vector<V> each_warp_on_host(const std::vector<V>& v, int threads, int items) {
  std::vector<V> moved;
  for (int warp = 0; warp < threads / 32; ++warp) {
    const auto first = v.begin() + warp * 32 * items;
    const auto its = Exchange::on_host(std::vector<V>(first, first + 32 * items), 32, items, {});
    moved.insert(moved.end(), its.begin(), its.end());
  }
  return moved;
}

struct warp_striped_to_blocked {
  static constexpr const char *gpuprim_name = "gpuprim::block_warp_striped_to_blocked",
                              *cub_name = "cub::BlockExchange::WarpStripedToBlocked";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_warp_striped_to_blocked<Block>(this_block{}, v);
    } else {
      using exchange = cub::BlockExchange<V, Block, Items>;
      __shared__ typename exchange::TempStorage storage;
      exchange(storage).WarpStripedToBlocked(v, v);
      __syncwarp();
    }
  }
  template <class V>
  static std::vector<V> on_host(const std::vector<V>& v, int threads, int items, const std::vector<int>&) {
    return each_warp_on_host<striped_to_blocked>(v, threads, items);
  }
};

struct blocked_to_warp_striped {
  static constexpr const char *gpuprim_name = "gpuprim::block_blocked_to_warp_striped",
                              *cub_name = "cub::BlockExchange::BlockedToWarpStriped";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_blocked_to_warp_striped<Block>(this_block{}, v);
    } else {
      using exchange = cub::BlockExchange<V, Block, Items>;
      __shared__ typename exchange::TempStorage storage;
      exchange(storage).BlockedToWarpStriped(v, v);
      __syncwarp();
    }
  }
  template <class V>
  static std::vector<V> on_host(const std::vector<V>& v, int threads, int items, const std::vector<int>&) {
    return each_warp_on_host<blocked_to_striped>(v, threads, items);
  }
};

/// What warp_striped_to_blocked does by shuffles, beside CUB's through shared memory.
struct striped_to_blocked_by_warp : warp_striped_to_blocked {
  static constexpr const char *gpuprim_name = "gpuprim::warp_striped_to_blocked",
                              *cub_name = "cub::WarpExchange::StripedToBlocked";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    if constexpr (Of == library::gpuprim) {
      gpuprim::warp_striped_to_blocked(gpuprim::warp_tile<32>{}, v);
    } else {
      using exchange = cub::WarpExchange<V, Items, 32>;
      __shared__ typename exchange::TempStorage storage[Block / 32];
      exchange(storage[threadIdx.x / 32]).StripedToBlocked(v, v);
      __syncwarp();
    }
  }
};

struct scatter_to_blocked {
  static constexpr const char *gpuprim_name = "gpuprim::block_scatter_to_blocked",
                              *cub_name = "cub::BlockExchange::ScatterToBlocked";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&ranks)[Items]) {
    if constexpr (Of == library::gpuprim) {
      unsigned places[Items];  // CUB looks at no sign either
      for (int i = 0; i < Items; ++i) places[i] = unsigned(ranks[i]);
      gpuprim::block_scatter_to_blocked<Block>(this_block{}, v, places);
    } else {
      using exchange = cub::BlockExchange<V, Block, Items>;
      __shared__ typename exchange::TempStorage storage;
      exchange(storage).ScatterToBlocked(v, v, ranks);
      __syncthreads();
    }
  }
  template <class V>
  static std::vector<V> on_host(const std::vector<V>& v, int, int, const std::vector<int>& ranks) {
    std::vector<V> moved(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) moved[ranks[i]] = v[i];
    return moved;
  }
};

struct scatter_to_striped {
  static constexpr const char *gpuprim_name = "gpuprim::block_scatter_to_striped",
                              *cub_name = "cub::BlockExchange::ScatterToStripedGuarded";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&ranks)[Items]) {
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_scatter_to_striped<Block>(this_block{}, v, ranks);
    } else {
      using exchange = cub::BlockExchange<V, Block, Items>;
      __shared__ typename exchange::TempStorage storage;
      exchange(storage).ScatterToStripedGuarded(v, v, ranks);
      __syncthreads();
    }
  }
  template <class V>
  static std::vector<V> on_host(const std::vector<V>& v, int threads, int items, const std::vector<int>& ranks) {
    return blocked_to_striped::on_host(scatter_to_blocked::on_host(v, threads, items, ranks), threads, items, ranks);
  }
};

struct shift_up {
  static constexpr const char *gpuprim_name = "gpuprim::block_shift_up", *cub_name = "cub::BlockShuffle::Up";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_shift_up<Block>(this_block{}, v, V(3));
    } else {
      using shuffle = cub::BlockShuffle<V, Block>;
      __shared__ typename shuffle::TempStorage storage;
      V moved[Items];
      shuffle(storage).Up(v, moved);
      __syncthreads();
      for (int i = 0; i < Items; ++i) v[i] = moved[i];
      if (threadIdx.x == 0) v[0] = V(3);
    }
  }
  template <class V>
  static std::vector<V> on_host(std::vector<V> v, int, int, const std::vector<int>&) {
    v.insert(v.begin(), V(3));
    v.pop_back();
    return v;
  }
};

struct rotate {
  static constexpr const char *gpuprim_name = "gpuprim::block_rotate", *cub_name = "cub::BlockShuffle::Rotate";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    if constexpr (Of == library::gpuprim) {
      v[0] = gpuprim::block_rotate<Block>(this_block{}, v[0], 5);
    } else {
      using shuffle = cub::BlockShuffle<V, Block>;
      __shared__ typename shuffle::TempStorage storage;
      shuffle(storage).Rotate(v[0], v[0], 5);
      __syncthreads();
    }
  }
  template <class V>
  static std::vector<V> on_host(std::vector<V> v, int threads, int items, const std::vector<int>&) {
    const std::vector<V> before = v;
    for (int rank = 0; rank < threads; ++rank) v[rank * items] = before[(rank + 5) % threads * items];
    return v;
  }
};

struct subtract {
  template <class V> __host__ __device__ V operator()(V a, V b) const { return V(a - b); }
};
struct differ {
  template <class V> __host__ __device__ bool operator()(V a, V b) const { return a != b; }
};

struct adjacent_difference {
  static constexpr const char *gpuprim_name = "gpuprim::block_adjacent_difference",
                              *cub_name = "cub::BlockAdjacentDifference::SubtractLeft";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    V results[Items];
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_adjacent_difference<Block>(this_block{}, v, results, subtract{});
    } else {
      using difference = cub::BlockAdjacentDifference<V, Block>;
      __shared__ typename difference::TempStorage storage;
      difference(storage).SubtractLeft(v, results, subtract{});
      __syncthreads();
    }
    for (int i = 0; i < Items; ++i) v[i] = results[i];
  }
  template <class V>
  static std::vector<V> on_host(std::vector<V> v, int, int, const std::vector<int>&) {
    for (std::size_t i = v.size() - 1; i > 0; --i) v[i] = subtract{}(v[i], v[i - 1]);
    return v;
  }
};

/// What is flagged counts as 1 for the next flags.
struct flag_heads {
  static constexpr const char *gpuprim_name = "gpuprim::block_flag_heads",
                              *cub_name = "cub::BlockDiscontinuity::FlagHeads";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    int flags[Items];
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_flag_heads<Block>(this_block{}, v, flags, differ{});
    } else {
      using discontinuity = cub::BlockDiscontinuity<V, Block>;
      __shared__ typename discontinuity::TempStorage storage;
      discontinuity(storage).FlagHeads(flags, v, differ{});
      __syncthreads();
    }
    for (int i = 0; i < Items; ++i) v[i] = V(v[i] + V(flags[i]));
  }
  template <class V>
  static std::vector<V> on_host(std::vector<V> v, int, int, const std::vector<int>&) {
    const std::vector<V> before = v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = V(v[i] + V(i == 0 || differ{}(before[i - 1], before[i])));
    return v;
  }
};

struct flag_both {
  static constexpr const char *gpuprim_name = "gpuprim::block_flag_heads_and_tails",
                              *cub_name = "cub::BlockDiscontinuity::FlagHeadsAndTails";
  template <library Of, int Block, int Items, class V>
  __device__ static void apply(V (&v)[Items], const int (&)[Items]) {
    int heads[Items], tails[Items];
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_flag_heads_and_tails<Block>(this_block{}, v, heads, tails, differ{});
    } else {
      using discontinuity = cub::BlockDiscontinuity<V, Block>;
      __shared__ typename discontinuity::TempStorage storage;
      discontinuity(storage).FlagHeadsAndTails(heads, tails, v, differ{});
      __syncthreads();
    }
    for (int i = 0; i < Items; ++i) v[i] = V(v[i] + V(heads[i] + 2 * tails[i]));
  }
  template <class V>
  static std::vector<V> on_host(std::vector<V> v, int threads, int items, const std::vector<int>& ranks) {
    const std::vector<V> before = v;
    v = flag_heads::on_host(v, threads, items, ranks);
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = V(v[i] + V(2 * (i + 1 == v.size() || differ{}(before[i], before[i + 1]))));
    }
    return v;
  }
};

/// Each thread adds what it decodes to the value of its first run. Runs have 1 to 8 items.
struct decode {
  static constexpr const char *gpuprim_name = "gpuprim::block_run_length_decode",
                              *cub_name = "cub::BlockRunLengthDecode";
  static constexpr int items = 4;
  template <library Of, int Block, int Runs, class V>
  __device__ static void apply(V (&v)[Runs], const int (&ranks)[Runs]) {
    int lengths[Runs];
    for (int i = 0; i < Runs; ++i) lengths[i] = ranks[i] % 8 + 1;
    V sum = 0;
    if constexpr (Of == library::gpuprim) {
      gpuprim::block_run_length_decode<Block, items>(this_block{}, v, lengths, [&](const auto& decoded) {
        for (int i = 0; i < items; ++i) sum = V(sum + (i < decoded.count ? decoded.values[i] : V(0)));
      });
    } else {
      using decoder = cub::BlockRunLengthDecode<V, Block, Runs, items, int>;
      __shared__ typename decoder::TempStorage storage;
      int total = 0;
      decoder runs(storage, v, lengths, total);
      for (int window = 0; window < total; window += Block * items) {
        V decoded[items];
        runs.RunLengthDecode(decoded, window);
        const int left = total - window - int(threadIdx.x) * items;
        for (int i = 0; i < items; ++i) sum = V(sum + (i < left ? decoded[i] : V(0)));
      }
      __syncthreads();
    }
    v[0] = V(v[0] + sum);
  }
  template <class V>
  static std::vector<V> on_host(std::vector<V> v, int threads, int runs, const std::vector<int>& ranks) {
    std::vector<V> decoded, sums(static_cast<std::size_t>(threads));
    for (std::size_t i = 0; i < v.size(); ++i) decoded.insert(decoded.end(), std::size_t(ranks[i] % 8 + 1), v[i]);
    for (std::size_t i = 0; i < decoded.size(); ++i) {
      V& sum = sums[i / items % std::size_t(threads)];
      sum = V(sum + decoded[i]);
    }
    for (int rank = 0; rank < threads; ++rank) v[rank * runs] = V(v[rank * runs] + sums[rank]);
    return v;
  }
};

/// `in` has the values of a block, what they are in the end, and ranks. Writes how many differ from that.
template <class Operation, library Of, int Block, int Items, class V>
__global__ void __launch_bounds__(Block)
    exchange_chain(const unsigned* in, unsigned, unsigned* out, long long* cycles) {
  constexpr int n = Block * Items;
  const int first = int(threadIdx.x) * Items;
  V values[Items];
  int ranks[Items];
  for (int i = 0; i < Items; ++i) {
    values[i] = V(in[first + i]);
    ranks[i] = int(in[2 * n + first + i]);
  }
  time_chain(cycles, [&] { Operation::template apply<Of, Block>(values, ranks); });
  unsigned wrong = 0;
  // `in` has the lower 32 bits of long values.
  for (int i = 0; i < Items; ++i) wrong += unsigned(values[i]) != unsigned(V(in[n + first + i]));
  out[blockIdx.x * Block + threadIdx.x] = wrong;
}

/// Ranks in no order, but with one distance from each to the next: a permutation of each count here.
std::vector<int> spread_ranks(int count) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) ranks.push_back((i * 11 + 5) % count);
  return ranks;
}

/// Ranks of a partition: half of the values come first.
std::vector<int> part_ranks(int count) {
  const auto is_first = [](int i) { return unsigned(i) * 2654435769u >> 31 == 0; };
  std::vector<int> ranks(static_cast<std::size_t>(count));
  int next = 0;
  for (const bool first : {true, false}) {
    for (int i = 0; i < count; ++i) {
      if (is_first(i) == first) ranks[std::size_t(i)] = next++;
    }
  }
  return ranks;
}

template <class Operation, int Block, int Items, class V>
void add_line(table& t, const char* type, std::vector<int> (*find_ranks)(int) = spread_ranks) {
  std::vector<V> values;
  for (int i = 0; i < Block * Items; ++i) values.push_back(V(unsigned(i) * 2654435769u >> 28));
  const std::vector<int> ranks = find_ranks(Block * Items);
  std::vector<unsigned> in(values.begin(), values.end());
  for (int i = 0; i < reduces; ++i) values = Operation::on_host(values, Block, Items, ranks);
  in.insert(in.end(), values.begin(), values.end());
  in.insert(in.end(), ranks.begin(), ranks.end());
  t.push_back(
      {measure<unsigned>(type, {Operation::gpuprim_name, exchange_chain<Operation, library::gpuprim, Block, Items, V>,
                                in, 0, 0, Block, Block}),
       measure<unsigned>(type, {Operation::cub_name, exchange_chain<Operation, library::cub, Block, Items, V>, in, 0, 0,
                                Block, Block})});
}

template <class Operation>
table compare_exchange() {
  table t;
  add_line<Operation, 256, 4, unsigned>(t, "4 x u32");
  add_line<Operation, 256, 7, unsigned>(t, "7 x u32");
  add_line<Operation, 256, 8, unsigned>(t, "8 x u32");
  add_line<Operation, 256, 12, unsigned>(t, "12 x u32");
  add_line<Operation, 128, 16, unsigned>(t, "16 x u32");
  add_line<Operation, 256, 8, unsigned long long>(t, "8 x u64");
  add_line<Operation, 256, 16, unsigned char>(t, "16 x u8");
  return t;
}

template <class Operation>
table compare_scatter() {
  table t = compare_exchange<Operation>();
  add_line<Operation, 256, 4, unsigned>(t, "4 x u32, parted", part_ranks);
  add_line<Operation, 256, 8, unsigned>(t, "8 x u32, parted", part_ranks);
  add_line<Operation, 128, 16, unsigned>(t, "16 x u32, parted", part_ranks);
  return t;
}

template <class Operation>
table compare_neighbours() {
  table t;
  add_line<Operation, 256, 1, unsigned>(t, "1 x u32");
  add_line<Operation, 256, 4, unsigned>(t, "4 x u32");
  add_line<Operation, 1024, 4, unsigned>(t, "4 x u32");
  add_line<Operation, 256, 8, unsigned long long>(t, "8 x u64");
  return t;
}

constexpr unsigned everywhere = 7;  // the value of all elements of the tiles that are loaded and stored

/// Loads of a tile, each from an address that the one before has found.
template <class Load, int Block, int Items>
__global__ void __launch_bounds__(Block) load_chain(const unsigned* in, unsigned, unsigned* out, long long* cycles) {
  unsigned values[Items] = {everywhere};
  time_chain(cycles, [&] { Load::template apply<Block>(in + (values[0] - everywhere), values); });
  unsigned wrong = 0;
  for (int i = 0; i < Items; ++i) wrong += values[i] != everywhere;
  out[blockIdx.x * Block + threadIdx.x] = wrong;
}

/// Stores of a tile.
template <class Store, int Block, int Items>
__global__ void __launch_bounds__(Block) store_chain(const unsigned* in, unsigned, unsigned* out, long long* cycles) {
  unsigned values[Items];
  for (int i = 0; i < Items; ++i) values[i] = in[int(threadIdx.x) * Items + i];
  time_chain(cycles, [&] {
    Store::template apply<Block>(values, out + blockIdx.x * (Block * Items));
    asm volatile("" ::: "memory");  // a compiler would else leave out all stores but the last
  });
}

template <gpuprim::tile_transfer Way>
struct gpuprim_load {
  template <int Block, int Items>
  __device__ static void apply(const unsigned* in, unsigned (&v)[Items]) {
    gpuprim::block_load<Block, Way>(this_block{}, in, v);
  }
};
template <gpuprim::tile_transfer Way>
struct gpuprim_store {
  template <int Block, int Items>
  __device__ static void apply(const unsigned (&v)[Items], unsigned* out) {
    gpuprim::block_store<Block, Way>(this_block{}, v, out);
  }
};
template <cub::BlockLoadAlgorithm Way>
struct cub_load {
  template <int Block, int Items>
  __device__ static void apply(const unsigned* in, unsigned (&v)[Items]) {
    using load = cub::BlockLoad<unsigned, Block, Items, Way>;
    __shared__ typename load::TempStorage storage;
    load(storage).Load(in, v);
    if (Way == cub::BLOCK_LOAD_TRANSPOSE) __syncthreads();
    if (Way == cub::BLOCK_LOAD_WARP_TRANSPOSE) __syncwarp();
  }
};
template <cub::BlockStoreAlgorithm Way>
struct cub_store {
  template <int Block, int Items>
  __device__ static void apply(const unsigned (&v)[Items], unsigned* out) {
    using store = cub::BlockStore<unsigned, Block, Items, Way>;
    __shared__ typename store::TempStorage storage;
    unsigned moved[Items];
    for (int i = 0; i < Items; ++i) moved[i] = v[i];
    store(storage).Store(out, moved);
    if (Way == cub::BLOCK_STORE_TRANSPOSE) __syncthreads();
    if (Way == cub::BLOCK_STORE_WARP_TRANSPOSE) __syncwarp();
  }
};

template <gpuprim::tile_transfer Way, cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store, int Block,
          int Items>
void add_transfers(table& loads, table& stores, const char* type) {
  const std::vector<unsigned> in(Block * Items, everywhere);
  const auto measured = [&](const char* name, auto kernel, unsigned want, int results) {
    return measure<unsigned>(type, {name, kernel, in, 0, want, Block, results});
  };
  loads.push_back({measured("gpuprim::block_load", load_chain<gpuprim_load<Way>, Block, Items>, 0, Block),
                   measured("cub::BlockLoad", load_chain<cub_load<Load>, Block, Items>, 0, Block)});
  constexpr int n = Block * Items;
  stores.push_back({measured("gpuprim::block_store", store_chain<gpuprim_store<Way>, Block, Items>, everywhere, n),
                    measured("cub::BlockStore", store_chain<cub_store<Store>, Block, Items>, everywhere, n)});
}

void add_ways(std::vector<table>& tables) {
  using enum gpuprim::tile_transfer;
  table loads, stores;
  add_transfers<direct, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT, 256, 8>(loads, stores, "8 x u32, direct");
  add_transfers<striped, cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED, 256, 8>(loads, stores, "8 x u32, striped");
  add_transfers<vectorised, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE, 256, 8>(loads, stores,
                                                                                           "8 x u32, vectorised");
  add_transfers<transposed, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE, 256, 7>(loads, stores,
                                                                                           "7 x u32, transposed");
  add_transfers<transposed, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE, 256, 8>(loads, stores,
                                                                                           "8 x u32, transposed");
  add_transfers<warp_transposed, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE, 256, 8>(
      loads, stores, "8 x u32, warp_transposed");
  tables.push_back(loads);
  tables.push_back(stores);
}

}  // namespace

std::vector<table> measure_exchanges() {
  std::vector<table> tables = {compare_exchange<blocked_to_striped>(),
                               compare_exchange<striped_to_blocked>(),
                               compare_exchange<blocked_to_warp_striped>(),
                               compare_exchange<warp_striped_to_blocked>(),
                               compare_exchange<striped_to_blocked_by_warp>(),
                               compare_scatter<scatter_to_blocked>(),
                               compare_scatter<scatter_to_striped>(),
                               compare_neighbours<shift_up>(),
                               compare_neighbours<rotate>(),
                               compare_neighbours<adjacent_difference>(),
                               compare_neighbours<flag_heads>(),
                               compare_neighbours<flag_both>()};
  table decoded;
  add_line<decode, 128, 1, unsigned>(decoded, "1 run of u32");
  add_line<decode, 256, 2, unsigned>(decoded, "2 runs of u32");
  tables.push_back(decoded);
  add_ways(tables);
  return tables;
}
