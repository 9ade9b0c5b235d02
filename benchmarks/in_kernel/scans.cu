// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive and exclusive scans of a warp and of a block.
#include "chain.cuh"

#include <gpuprim/block/block_scan.cuh>

#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>

#include <cstring>

namespace {

struct affine {  // x -> scale * x + offset
  unsigned scale, offset;
};
struct then {
  __host__ __device__ affine operator()(const affine& a, const affine& b) const {
    return {a.scale * b.scale, a.offset * b.scale + b.offset};
  }
};

struct sum {
  template <class T> __host__ __device__ static T none() { return T(0); }
  template <class T> __host__ __device__ static T subtract(T a, T b) { return a - b; }
  using of_gpuprim = gpuprim::plus<>;
  using of_cub = cuda::std::plus<>;
};

struct composition {
  template <class T> __host__ __device__ static T none() { return {1, 0}; }
  template <class T>
  __host__ __device__ static T subtract(T a, T b) {
    return {a.scale - b.scale, a.offset - b.offset};
  }
  using of_gpuprim = then;
  using of_cub = then;
};

struct gpuprim_warp {
  static constexpr const char *inclusive = "gpuprim::warp_inclusive_scan", *exclusive = "gpuprim::warp_exclusive_scan";
  template <int, class Kind, class T>
  __device__ static T scan(T v, gpuprim::detail::scan_kind kind) {
    const gpuprim::warp_tile<32> tile;
    const typename Kind::of_gpuprim op;
    if (kind == gpuprim::detail::scan_kind::inclusive) return gpuprim::warp_inclusive_scan(tile, v, op);
    else return gpuprim::warp_exclusive_scan(tile, v, op, Kind::template none<T>());
  }
};

struct cub_warp {
  static constexpr const char *inclusive = "cub::WarpScan::InclusiveScan", *exclusive = "cub::WarpScan::ExclusiveScan";
  template <int Block, class Kind, class T>
  __device__ static T scan(T v, gpuprim::detail::scan_kind kind) {
    using algorithm = cub::WarpScan<T>;
    __shared__ typename algorithm::TempStorage storage[Block / 32];  // empty: no barrier is counted for it
    algorithm warp(storage[threadIdx.x / 32]);
    const typename Kind::of_cub op;
    if (kind == gpuprim::detail::scan_kind::inclusive) warp.InclusiveScan(v, v, op);
    else warp.ExclusiveScan(v, v, Kind::template none<T>(), op);
    return v;
  }
};

struct gpuprim_block {
  static constexpr const char *inclusive = "gpuprim::block_inclusive_scan",
                              *exclusive = "gpuprim::block_exclusive_scan";
  template <int Block, class Kind, class T>
  __device__ static T scan(T v, gpuprim::detail::scan_kind kind) {
    const gpuprim::this_block block;
    const typename Kind::of_gpuprim op;
    if (kind == gpuprim::detail::scan_kind::inclusive) return gpuprim::block_inclusive_scan<Block>(block, v, op);
    else return gpuprim::block_exclusive_scan<Block>(block, v, op, Kind::template none<T>());
  }
};

template <cub::BlockScanAlgorithm Algorithm>
struct cub_block {
  static constexpr const char* inclusive = Algorithm == cub::BLOCK_SCAN_RAKING ? "cub::BlockScan raking, inclusive"
                                           : Algorithm == cub::BLOCK_SCAN_RAKING_MEMOIZE
                                               ? "cub::BlockScan raking, memoize, inclusive"
                                               : "cub::BlockScan warp scans, inclusive";
  static constexpr const char* exclusive = Algorithm == cub::BLOCK_SCAN_RAKING ? "cub::BlockScan raking, exclusive"
                                           : Algorithm == cub::BLOCK_SCAN_RAKING_MEMOIZE
                                               ? "cub::BlockScan raking, memoize, exclusive"
                                               : "cub::BlockScan warp scans, exclusive";
  template <int Block, class Kind, class T>
  __device__ static T scan(T v, gpuprim::detail::scan_kind kind) {
    using algorithm = cub::BlockScan<T, Block, Algorithm>;
    __shared__ typename algorithm::TempStorage storage;
    const typename Kind::of_cub op;
    if (kind == gpuprim::detail::scan_kind::inclusive) algorithm(storage).InclusiveScan(v, v, op);
    else algorithm(storage).ExclusiveScan(v, v, Kind::template none<T>(), op);
    __syncthreads();
    return v;
  }
};

template <class T>
__host__ __device__ T from_words(const unsigned* words) {
  T value;
  memcpy(&value, words, sizeof value);
  return value;
}

/// `in` has the values of a group, then what each differs by from its result. A result less that difference is the next
/// value, which stays as it was unless a result is wrong. Writes how many words differ in the end.
template <class Contender, gpuprim::detail::scan_kind Of, int Group, int Block, class Kind, class T>
__global__ void __launch_bounds__(Block) scan_chain(const unsigned* in, unsigned, unsigned* out, long long* cycles) {
  constexpr int words = sizeof(T) / 4;
  const int rank = int(threadIdx.x) % Group;
  T value = from_words<T>(in + rank * words);
  const T difference = from_words<T>(in + (Group + rank) * words);
  time_chain(cycles, [&] { value = Kind::subtract(Contender::template scan<Block, Kind>(value, Of), difference); });
  unsigned got[words], wrong = 0;
  memcpy(got, &value, sizeof got);
  for (int i = 0; i < words; ++i) wrong += got[i] != in[rank * words + i];
  out[blockIdx.x * Block + threadIdx.x] = wrong;
}

template <class Contender, gpuprim::detail::scan_kind Of, int Group, int Block, class Kind, class T>
row measure_scan(const char* type) {
  constexpr bool is_inclusive = Of == gpuprim::detail::scan_kind::inclusive;
  std::vector<T> values, differences;
  T prefix = Kind::template none<T>();
  for (int i = 0; i < Group; ++i) {
    T value;
    if constexpr (std::is_class_v<T>) value = {unsigned(2 * i + 3), unsigned(i)};
    else value = T(i % 5 + 1);
    const T next = typename Kind::of_gpuprim{}(prefix, value);
    values.push_back(value);
    differences.push_back(Kind::subtract(is_inclusive ? next : prefix, value));
    prefix = next;
  }
  values.insert(values.end(), differences.begin(), differences.end());
  std::vector<unsigned> words(values.size() * sizeof(T) / 4);
  memcpy(words.data(), values.data(), words.size() * 4);
  return measure<unsigned>(type, {is_inclusive ? Contender::inclusive : Contender::exclusive,
                                  scan_chain<Contender, Of, Group, Block, Kind, T>, words, 0, 0, Block, Block});
}

template <gpuprim::detail::scan_kind Of, int Block, class Kind, class T>
void add_lines(table& warps, table& blocks, const char* type) {
  warps.push_back(
      {measure_scan<gpuprim_warp, Of, 32, Block, Kind, T>(type), measure_scan<cub_warp, Of, 32, Block, Kind, T>(type)});
  blocks.push_back({measure_scan<gpuprim_block, Of, Block, Block, Kind, T>(type),
                    measure_scan<cub_block<cub::BLOCK_SCAN_RAKING>, Of, Block, Block, Kind, T>(type),
                    measure_scan<cub_block<cub::BLOCK_SCAN_RAKING_MEMOIZE>, Of, Block, Block, Kind, T>(type),
                    measure_scan<cub_block<cub::BLOCK_SCAN_WARP_SCANS>, Of, Block, Block, Kind, T>(type)});
}

template <gpuprim::detail::scan_kind Of>
void add_tables(std::vector<table>& tables) {
  table warps, blocks;
  add_lines<Of, 256, sum, int>(warps, blocks, "i32");
  add_lines<Of, 1024, sum, int>(warps, blocks, "i32");
  add_lines<Of, 256, sum, float>(warps, blocks, "f32");
  add_lines<Of, 1024, sum, float>(warps, blocks, "f32");
  add_lines<Of, 256, composition, affine>(warps, blocks, "affine map, 8 bytes");
  add_lines<Of, 1024, composition, affine>(warps, blocks, "affine map, 8 bytes");
  tables.push_back(warps);
  tables.push_back(blocks);
}

}  // namespace

std::vector<table> measure_scans() {
  std::vector<table> tables;
  add_tables<gpuprim::detail::scan_kind::inclusive>(tables);
  add_tables<gpuprim::detail::scan_kind::exclusive>(tables);
  return tables;
}
