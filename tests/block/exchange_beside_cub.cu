// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges and what looks at neighbours, beside CUB on the same values.
#include <gpuprim/exchange.cuh>

#include "../support/scan_check.cuh"

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>

#include <numeric>

namespace {

struct subtract {
  template <class T> __device__ T operator()(const T& a, const T& b) const { return T(a - b); }
};
struct differ {
  template <class T> __device__ bool operator()(const T& a, const T& b) const { return a != b; }
};

/// Writes what gpuprim makes of a thread's values and what CUB makes of them, one form after the other.
template <int BlockSize, int Items, class T>
struct comparison {
  T *mine, *cubs;
  int written = 0;

  /// Each of the two functions changes the values that it is given.
  template <class Mine, class Cubs>
  __device__ void operator()(const T (&values)[Items], const Mine& of_gpuprim, const Cubs& of_cub) {
    T a[Items], b[Items];
    for (int i = 0; i < Items; ++i) a[i] = b[i] = values[i];
    of_gpuprim(a);
    of_cub(b);
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      mine[written + int(threadIdx.x) * Items + i] = a[i];
      cubs[written + int(threadIdx.x) * Items + i] = b[i];
    }
    written += BlockSize * Items;
  }
};

constexpr int exchange_forms = 9;

template <int BlockSize, int Items, class T>
__global__ void exchange(const T* in, const int* in_ranks, T* mine, T* cubs) {
  using of_block = cub::BlockExchange<T, BlockSize, Items>;
  using of_warp = cub::WarpExchange<T, Items, 32>;
  __shared__ typename of_block::TempStorage storage;
  __shared__ typename of_warp::TempStorage warps[BlockSize / 32];
  const gpuprim::this_block block;
  const gpuprim::warp_tile<32> warp;
  of_block blocks(storage);
  of_warp lanes(warps[threadIdx.x / 32]);
  T values[Items];
  int ranks[Items];
  gpuprim::block_load<BlockSize>(block, in, values);
  gpuprim::block_load<BlockSize>(block, in_ranks, ranks);
  comparison<BlockSize, Items, T> compare{mine, cubs};
  using array = T(&)[Items];
  compare(
      values, [&](array v) { gpuprim::block_blocked_to_striped<BlockSize>(block, v); },
      [&](array v) { blocks.BlockedToStriped(v, v); });
  compare(
      values, [&](array v) { gpuprim::block_striped_to_blocked<BlockSize>(block, v); },
      [&](array v) { blocks.StripedToBlocked(v, v); });
  compare(
      values, [&](array v) { gpuprim::block_blocked_to_warp_striped<BlockSize>(block, v); },
      [&](array v) { blocks.BlockedToWarpStriped(v, v); });
  compare(
      values, [&](array v) { gpuprim::block_warp_striped_to_blocked<BlockSize>(block, v); },
      [&](array v) { blocks.WarpStripedToBlocked(v, v); });
  compare(
      values, [&](array v) { gpuprim::block_scatter_to_blocked<BlockSize>(block, v, ranks); },
      [&](array v) { blocks.ScatterToBlocked(v, v, ranks); });
  compare(
      values, [&](array v) { gpuprim::block_scatter_to_striped<BlockSize>(block, v, ranks); },
      [&](array v) { blocks.ScatterToStriped(v, v, ranks); });
  compare(
      values, [&](array v) { gpuprim::warp_blocked_to_striped(warp, v); },
      [&](array v) { lanes.BlockedToStriped(v, v); });
  compare(
      values, [&](array v) { gpuprim::warp_striped_to_blocked(warp, v); },
      [&](array v) { lanes.StripedToBlocked(v, v); });
  using load = cub::BlockLoad<T, BlockSize, Items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  __shared__ typename load::TempStorage load_storage;
  compare(
      values,
      [&](array v) {
        using enum gpuprim::tile_transfer;
        gpuprim::block_load<BlockSize, warp_transposed>(block, in, v, BlockSize + 1, in[0]);
      },
      [&](array v) { load(load_storage).Load(in, v, BlockSize + 1, in[0]); });
}

template <int BlockSize, int Items, class T>
void check_exchange() {
  constexpr int n = BlockSize * Items;
  const auto values = test::make_values<T>(n);
  int factor = 7;
  while (std::gcd(factor, n) != 1) ++factor;
  std::vector<int> places;
  for (int i = 0; i < n; ++i) places.push_back((i * factor + 5) % n);
  test::device_array<T> input(values), mine(exchange_forms * values.size()), cubs(exchange_forms * values.size());
  test::device_array<int> ranks(places);
  test::run(exchange<BlockSize, Items, T>, 1, BlockSize, 0, input.data(), ranks.data(), mine.data(), cubs.data());
  CHECK(bool(mine.download() == cubs.download()));
  mine.check_guards();
}

constexpr int neighbour_forms = 12;

template <int BlockSize, int Items, class T>
__global__ void look_around(const T* in, const T outer, int valid, T* mine, T* cubs) {
  using shuffle = cub::BlockShuffle<T, BlockSize>;
  using difference = cub::BlockAdjacentDifference<T, BlockSize>;
  using discontinuity = cub::BlockDiscontinuity<T, BlockSize>;
  __shared__ typename shuffle::TempStorage shuffle_storage;
  __shared__ typename difference::TempStorage difference_storage;
  __shared__ typename discontinuity::TempStorage flag_storage;
  const gpuprim::this_block block;
  const bool is_first = threadIdx.x == 0, is_last = threadIdx.x == BlockSize - 1;
  T values[Items];
  gpuprim::block_load<BlockSize>(block, in, values);
  comparison<BlockSize, Items, T> compare{mine, cubs};
  using array = T(&)[Items];
  compare(
      values, [&](array v) { gpuprim::block_shift_up<BlockSize>(block, v, outer); },
      [&](array v) {
        T moved[Items];
        shuffle(shuffle_storage).Up(v, moved);
        for (int i = 0; i < Items; ++i) v[i] = is_first && i == 0 ? outer : moved[i];
      });
  compare(
      values, [&](array v) { gpuprim::block_shift_down<BlockSize>(block, v, outer); },
      [&](array v) {
        T moved[Items];
        shuffle(shuffle_storage).Down(v, moved);
        for (int i = 0; i < Items; ++i) v[i] = is_last && i == Items - 1 ? outer : moved[i];
      });
  compare(
      values, [&](array v) { v[0] = gpuprim::block_rotate<BlockSize>(block, v[0], 5); },
      [&](array v) { shuffle(shuffle_storage).Rotate(v[0], v[0], 5); });
  const subtract op;
  const differ inequality;
  const auto compare_results = [&](const auto& of_gpuprim, const auto& of_cub) {
    const auto replace = [](const auto& find) {
      return [&](array v) {
        T results[Items];
        for (int i = 0; i < Items; ++i) results[i] = v[i];
        find(v, results);
        for (int i = 0; i < Items; ++i) v[i] = results[i];
      };
    };
    compare(values, replace(of_gpuprim), replace(of_cub));
  };
  compare_results([&](array v, array r) { gpuprim::block_adjacent_difference<BlockSize>(block, v, r, op); },
                  [&](array v, array r) { difference(difference_storage).SubtractLeft(v, r, op); });
  compare_results([&](array v, array r) { gpuprim::block_adjacent_difference<BlockSize>(block, v, r, op, outer); },
                  [&](array v, array r) { difference(difference_storage).SubtractLeft(v, r, op, outer); });
  compare_results([&](array v, array r) { gpuprim::block_adjacent_difference<BlockSize>(block, v, r, op, {}, valid); },
                  [&](array v, array r) { difference(difference_storage).SubtractLeftPartialTile(v, r, op, valid); });
  compare_results(
      [&](array v, array r) { gpuprim::block_adjacent_difference_right<BlockSize>(block, v, r, op, outer); },
      [&](array v, array r) { difference(difference_storage).SubtractRight(v, r, op, outer); });
  compare_results(
      [&](array v, array r) { gpuprim::block_adjacent_difference_right<BlockSize>(block, v, r, op, {}, valid); },
      [&](array v, array r) { difference(difference_storage).SubtractRightPartialTile(v, r, op, valid); });
  compare_results([&](array v, array f) { gpuprim::block_flag_heads<BlockSize>(block, v, f, inequality, outer); },
                  [&](array v, array f) { discontinuity(flag_storage).FlagHeads(f, v, inequality, outer); });
  compare_results([&](array v, array f) { gpuprim::block_flag_tails<BlockSize>(block, v, f, inequality); },
                  [&](array v, array f) { discontinuity(flag_storage).FlagTails(f, v, inequality); });
  T more[Items];
  compare_results(
      [&](array v, array f) { gpuprim::block_flag_heads_and_tails<BlockSize>(block, v, more, f, inequality); },
      [&](array v, array f) { discontinuity(flag_storage).FlagHeadsAndTails(more, f, v, inequality); });
  compare_results(
      [&](array v, array f) { gpuprim::block_flag_heads_and_tails<BlockSize>(block, v, f, more, inequality); },
      [&](array v, array f) { discontinuity(flag_storage).FlagHeadsAndTails(f, more, v, inequality); });
}

template <int BlockSize, int Items, class T>
void check_neighbours() {
  std::vector<T> values;
  for (int i = 0; i < BlockSize * Items; ++i) values.push_back(T(test::scramble(std::uint64_t(i)) % 3));
  test::device_array<T> input(values), mine(neighbour_forms * values.size()), cubs(neighbour_forms * values.size());
  test::run(look_around<BlockSize, Items, T>, 1, BlockSize, 0, input.data(), T(2), BlockSize * Items / 2 + 1,
            mine.data(), cubs.data());
  CHECK(bool(mine.download() == cubs.download()));
  mine.check_guards();
}

template <int BlockSize, int Runs, int Items, class T>
__global__ void decode(const T* in, const unsigned* in_lengths, T* mine, T* cubs, unsigned* my_offsets,
                       unsigned* cub_offsets) {
  using decoder = cub::BlockRunLengthDecode<T, BlockSize, Runs, Items>;
  __shared__ typename decoder::TempStorage storage;
  T values[Runs];
  unsigned lengths[Runs], total = 0;
  const gpuprim::this_block block;
  gpuprim::block_load<BlockSize>(block, in, values);
  gpuprim::block_load<BlockSize>(block, in_lengths, lengths);
  gpuprim::block_run_length_decode<BlockSize, Items>(block, values, lengths,
                                                     [&](const gpuprim::decoded_items<T, unsigned, Items>& items) {
                                                       for (int i = 0; i < items.count; ++i) {
                                                         mine[items.first + unsigned(i)] = items.values[i];
                                                         my_offsets[items.first + unsigned(i)] = items.offsets[i];
                                                       }
                                                     });
  decoder decode_runs(storage, values, lengths, total);
  for (unsigned window = 0; window < total; window += BlockSize * Items) {
    T items[Items];
    unsigned offsets[Items];
    decode_runs.RunLengthDecode(items, offsets, window);
    for (unsigned i = 0; i < Items; ++i) {
      const unsigned at = window + threadIdx.x * Items + i;
      if (at >= total) continue;
      cubs[at] = items[i];
      cub_offsets[at] = offsets[i];
    }
  }
}

template <int BlockSize, int Runs, int Items, class T>
void check_decode() {
  const auto values = test::make_values<T>(BlockSize * Runs);
  std::vector<unsigned> lengths;
  for (int i = 0; i < BlockSize * Runs; ++i) lengths.push_back(1 + test::scramble(std::uint64_t(i)) % 9);
  const auto total = std::accumulate(lengths.begin(), lengths.end(), std::size_t(0));
  test::device_array<T> input(values), mine(total), cubs(total);
  test::device_array<unsigned> in_lengths(lengths), my_offsets(total), cub_offsets(total);
  test::run(decode<BlockSize, Runs, Items, T>, 1, BlockSize, 0, input.data(), in_lengths.data(), mine.data(),
            cubs.data(), my_offsets.data(), cub_offsets.data());
  CHECK(bool(mine.download() == cubs.download()));
  CHECK(bool(my_offsets.download() == cub_offsets.download()));
  mine.check_guards();
}

}  // namespace

TEST_CASE("exchanges find what cub::BlockExchange, cub::WarpExchange and cub::BlockLoad find", "[block][gpu]") {
  check_exchange<128, 4, int>();
  check_exchange<256, 8, int>();
  check_exchange<64, 12, double>();
  check_exchange<128, 16, unsigned char>();
  check_exchange<96, 7, short>();
  check_exchange<64, 6, float>();
}

TEST_CASE("neighbours of a block are those that CUB finds", "[block][gpu]") {
  check_neighbours<128, 4, int>();
  check_neighbours<256, 1, float>();
  check_neighbours<96, 3, short>();
}

TEST_CASE("decoded runs of a block are those that cub::BlockRunLengthDecode finds", "[block][gpu]") {
  check_decode<128, 1, 8, int>();
  check_decode<256, 2, 4, float>();
  check_decode<64, 3, 5, short>();
}
