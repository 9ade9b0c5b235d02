// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_radix_rank.cuh>

#include <gpuprim/block/block_exchange.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <numeric>

namespace {

/// Digits as they come, then the ranks as digits anew: a missing barrier between two calls mixes them. The last call
/// has the ranks written over the digits.
template <int BlockSize, int DigitBits, int Items, class Block, class Digit>
__device__ void rank_all(const Block& block, const Digit* in, int* ranks_out, int* begins, int* again_out,
                         int* sorted) {
  const int thread = int(block.thread_rank()), warp = thread / 32, lane = thread % 32;
  Digit digits[Items];
  int ranks[Items], again[Items], in_order[Items];
  unsigned in_place[Items];
  const auto number = [&](int i) { return (warp * Items + i) * 32 + lane; };
  for (int i = 0; i < Items; ++i) digits[i] = in[number(i)];
  begins[thread] = gpuprim::block_radix_rank<BlockSize, DigitBits>(block, digits, ranks);
  for (int i = 0; i < Items; ++i) in_place[i] = unsigned(ranks[i]) % 2;
  for (int i = 0; i < Items; ++i) in_order[i] = digits[i];
  begins[BlockSize + thread] = gpuprim::block_radix_rank<BlockSize, 1>(block, in_place, again);
  begins[2 * BlockSize + thread] = gpuprim::block_radix_rank<BlockSize, 1>(block, in_place, in_place);
  for (int i = 0; i < Items; ++i) {
    ranks_out[number(i)] = ranks[i];
    again_out[number(i)] = again[i] == int(in_place[i]) ? again[i] : -1;
  }
  gpuprim::block_scatter_to_blocked<BlockSize>(block, in_order, ranks);
  for (int i = 0; i < Items; ++i) sorted[thread * Items + i] = in_order[i];
}

template <int BlockSize, int DigitBits, int Items, class Digit>
__global__ void __launch_bounds__(BlockSize)
    rank_block(const Digit* in, int* ranks, int* begins, int* again, int* sorted) {
  rank_all<BlockSize, DigitBits, Items>(gpuprim::this_block{}, in, ranks, begins, again, sorted);
}

/// Through memory of the caller's.
template <int BlockSize, int DigitBits, int Items, class Digit>
__global__ void __launch_bounds__(BlockSize)
    rank_in_memory(const Digit* in, int* ranks, int* begins, int* again, int* sorted) {
  GPUPRIM_SHARED(memory, gpuprim::block_storage<gpuprim::block_radix_rank_bytes<BlockSize, DigitBits>,
                                                gpuprim::block_exchange_bytes<BlockSize, Items, int>>);
  const gpuprim::block_with_memory block(memory);
  rank_all<BlockSize, DigitBits, Items>(block, in, ranks, begins, again, sorted);
}

/// The ranks by a stable order of what has a digit each.
std::vector<int> find_ranks(const std::vector<int>& digits) {
  std::vector<int> order(digits.size()), ranks(digits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return digits[std::size_t(a)] < digits[std::size_t(b)]; });
  for (std::size_t i = 0; i < order.size(); ++i) ranks[std::size_t(order[i])] = int(i);
  return ranks;
}

int count_below(const std::vector<int>& digits, int digit) {
  return int(std::count_if(digits.begin(), digits.end(), [&](int each) { return each < digit; }));
}

enum class spread { random, ends, least, greatest, rising, falling };

template <int BlockSize, int DigitBits, int Items, class Digit = unsigned>
void check(dim3 shape = BlockSize) {
  constexpr int n = BlockSize * Items, bins = 1 << DigitBits;
  for (const spread kind :
       {spread::random, spread::ends, spread::least, spread::greatest, spread::rising, spread::falling}) {
    std::vector<int> digits, odd;
    for (int i = 0; i < n; ++i) {
      const int some = int(test::scramble(std::uint32_t(i)) % unsigned(bins));
      digits.push_back(kind == spread::random     ? some
                       : kind == spread::ends     ? some % 2 * (bins - 1)
                       : kind == spread::least    ? 0
                       : kind == spread::greatest ? bins - 1
                       : kind == spread::rising   ? i * bins / n
                                                  : bins - 1 - i * bins / n);
    }
    const auto want = find_ranks(digits);
    for (int rank : want) odd.push_back(rank % 2);
    auto in_order = digits;
    std::sort(in_order.begin(), in_order.end());
    test::device_array<Digit> input(std::vector<Digit>(digits.begin(), digits.end()));
    for (const auto kernel :
         {rank_block<BlockSize, DigitBits, Items, Digit>, rank_in_memory<BlockSize, DigitBits, Items, Digit>}) {
      CAPTURE(BlockSize, DigitBits, Items, int(kind));
      test::device_array<int> ranks(n), begins(3 * BlockSize), again(n), sorted(n);
      test::run(kernel, 1, shape, 0, input.data(), ranks.data(), begins.data(), again.data(), sorted.data());
      CHECK(ranks.download() == want);
      CHECK(again.download() == find_ranks(odd));
      CHECK(sorted.download() == in_order);
      std::vector<int> want_begins;
      for (const auto* each : {&digits, &odd, &odd}) {
        for (int d = 0; d < BlockSize; ++d) want_begins.push_back(count_below(*each, d));
      }
      CHECK(begins.download() == want_begins);
      for (const auto* array : {&ranks, &begins, &again, &sorted}) array->check_guards();
    }
    input.check_unchanged();
  }
}

/// Digits that the compiler knows.
template <int BlockSize>
__global__ void rank_constants(int* out) {
  const unsigned digits[2] = {3, 1};
  int ranks[2];
  const int begin = gpuprim::block_radix_rank<BlockSize, 2>(gpuprim::this_block{}, digits, ranks);
  for (int i = 0; i < 2; ++i) out[i * BlockSize + int(threadIdx.x)] = ranks[i];
  out[2 * BlockSize + int(threadIdx.x)] = begin;
}

/// Digits of one bit, and ranks of another type.
template <int BlockSize, class Rank>
__global__ void rank_flags(int* out) {
  const int thread = int(threadIdx.x);
  const bool flags[1] = {thread % 3 == 0};
  Rank ranks[1];
  const int begin = gpuprim::block_radix_rank<BlockSize, 1>(gpuprim::this_block{}, flags, ranks);
  out[thread] = int(ranks[0]);
  out[BlockSize + thread] = begin;
}

template <int BlockSize, class Rank>
void check_flags() {
  test::device_array<int> output(2 * BlockSize);
  test::run(rank_flags<BlockSize, Rank>, 1, BlockSize, 0, output.data());
  std::vector<int> flags;
  for (int t = 0; t < BlockSize; ++t) flags.push_back(t % 3 == 0);
  auto want = find_ranks(flags);
  for (int d = 0; d < BlockSize; ++d) want.push_back(count_below(flags, d));
  CHECK(output.download() == want);
}

template <int BlockSize>
void check_constants() {
  test::device_array<int> output(3 * BlockSize);
  test::run(rank_constants<BlockSize>, 1, BlockSize, 0, output.data());
  const auto got = output.download();
  for (int t = 0; t < BlockSize; ++t) {
    CHECK(got[std::size_t(t)] == BlockSize + t);  // behind all items of the digit 1
    CHECK(got[std::size_t(BlockSize + t)] == t);
    CHECK(got[std::size_t(2 * BlockSize + t)] == (t < 2 ? 0 : t < 4 ? BlockSize : 2 * BlockSize));
  }
}

}  // namespace

TEST_CASE("a block ranks its items by a digit", "[block][sanitizer]") {
  check<32, 5, 1>();
  check<32, 1, 4>();
  check<64, 6, 3>();
  check<96, 6, 5, std::uint8_t>();
  check<128, 7, 4, std::uint16_t>();
  check<256, 8, 8>();
  check<256, 3, 1>();
  check<512, 8, 2>();
  check<1024, 8, 3, std::uint8_t>();
}

TEST_CASE("a block ranks its items under the race checker", "[block][tsan]") { check<64, 4, 2>(); }

TEST_CASE("blocks of two and three dimensions rank their items by a digit", "[block]") {
  check<96, 4, 2>(dim3(8, 12));
  check<128, 5, 3>(dim3(4, 4, 8));
}

TEST_CASE("a block ranks flags, into the shortest type that holds the ranks", "[block]") {
  check_flags<128, signed char>();
  check_flags<256, std::uint8_t>();
  check_flags<1024, short>();
}

TEST_CASE("a block ranks digits that are constants", "[block]") {
  check_constants<32>();
  check_constants<256>();
}
