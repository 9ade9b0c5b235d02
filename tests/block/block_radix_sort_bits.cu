// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GPU makes of sorts whose range of bits is a constant: the compiler knows most votes of a digit of few bits.
// The host branch of a vote proves nothing about it. So every size of a block meets every kind of range here.
#include <gpuprim/block/block_radix_sort.cuh>
#include <gpuprim/ptx/sm_70_match.cuh>

#include "../support/device.cuh"

#include <cuda_fp16.h>

#include <algorithm>

namespace {

/// A key in a vector, also a bool.
template <class Key>
struct held {
  Key key;
};

template <class Key>
std::vector<held<Key>> make_keys(int n) {
  std::vector<held<Key>> keys(static_cast<std::size_t>(n));
  unsigned seed = 7;
  for (held<Key>& made : keys) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 3; ++i) bits = bits << 31 ^ ((seed = seed * 1664525 + 1013904223) >> 1);
    if constexpr (std::is_same_v<Key, bool>) made.key = (bits >> 40 & 1) != 0;
    else if constexpr (std::is_same_v<Key, __half>) made.key = __float2half(float(int(bits >> 20 & 1023) - 512));
    else if constexpr (std::is_same_v<Key, float>) made.key = float(int(bits >> 20 & 65535) - 32768);
    else made.key = Key(bits >> 10);
  }
  return keys;
}

template <int BlockSize, int First, int End, class Key>
__global__ void sort_by_bits(const held<Key>* in, held<Key>* out) {
  const gpuprim::this_block block;
  Key keys[2] = {in[2 * threadIdx.x].key, in[2 * threadIdx.x + 1].key};
  if constexpr (End < 0) gpuprim::block_radix_sort<BlockSize>(block, keys);
  else gpuprim::block_radix_sort<BlockSize>(block, keys, gpuprim::ascending.bits(First, End));
  out[2 * threadIdx.x].key = keys[0], out[2 * threadIdx.x + 1].key = keys[1];
}

/// Compares the bits from First on that lie before End, all where that is negative, of the number in the key's order.
template <int BlockSize, int First, int End, class Key>
void check_bits() {
  CAPTURE(BlockSize, First, End, sizeof(Key));
  std::vector<held<Key>> keys = make_keys<Key>(2 * BlockSize);
  test::device_array<held<Key>> in(keys), out(keys.size());
  test::run(sort_by_bits<BlockSize, First, End, Key>, 1, BlockSize, 0, static_cast<const held<Key>*>(in.data()),
            out.data());
  using radix = gpuprim::detail::radix_key<Key>;
  const auto digit = [](const held<Key>& h) {
    const std::uint64_t word = std::uint64_t(radix::order(radix::to_word(h.key)));
    if constexpr (End < 0) return word;
    else return word >> First & ((std::uint64_t{1} << (End - First)) - 1);
  };
  std::stable_sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) { return digit(a) < digit(b); });
  const std::vector<held<Key>> got = out.download();
  CHECK(std::memcmp(got.data(), keys.data(), keys.size() * sizeof(Key)) == 0);
}

/// Each range of few bits, and some longer ones.
template <int BlockSize>
void check_ranges() {
  using byte = unsigned char;
  check_bits<BlockSize, 0, 1, byte>(), check_bits<BlockSize, 0, 2, byte>(), check_bits<BlockSize, 0, 3, byte>();
  check_bits<BlockSize, 0, 4, byte>(), check_bits<BlockSize, 0, 5, byte>(), check_bits<BlockSize, 0, 6, byte>();
  check_bits<BlockSize, 0, 7, byte>(), check_bits<BlockSize, 0, 8, byte>(), check_bits<BlockSize, 4, 8, byte>();
  check_bits<BlockSize, 1, 7, byte>(), check_bits<BlockSize, 7, 8, byte>(), check_bits<BlockSize, 3, 5, byte>();
}

/// Keys of every kind, by all bits and by a range of few.
template <int BlockSize>
void check_types() {
  check_bits<BlockSize, 0, -1, bool>();
  check_bits<BlockSize, 0, -1, signed char>(), check_bits<BlockSize, 5, 8, signed char>();
  check_bits<BlockSize, 0, -1, __half>(), check_bits<BlockSize, 13, 16, __half>();
  check_bits<BlockSize, 0, -1, std::uint32_t>(), check_bits<BlockSize, 31, 32, std::uint32_t>();
  check_bits<BlockSize, 0, -1, float>(), check_bits<BlockSize, 14, 17, float>();
  check_bits<BlockSize, 0, -1, std::int64_t>(), check_bits<BlockSize, 61, 64, std::int64_t>();
}

/// Which lanes have the low bits of the caller's word, where the compiler knows some bits of all words.
template <int Bits, unsigned Kept, unsigned Set>
__global__ void match_known(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = gpuprim::ptx::match_low_bits<Bits>((in[threadIdx.x] & Kept) | Set);
}

template <int Bits, unsigned Kept, unsigned Set>
void check_match() {
  CAPTURE(Bits, Kept, Set);
  std::vector<unsigned> words, wanted(32);
  for (const auto& made : make_keys<unsigned>(32)) words.push_back(made.key);
  const auto low = [&](unsigned word) { return ((word & Kept) | Set) & ((1u << Bits) - 1); };
  for (int i = 0; i < 32; ++i) {
    for (int other = 0; other < 32; ++other) {
      wanted[std::size_t(i)] |= unsigned(low(words[std::size_t(i)]) == low(words[std::size_t(other)])) << other;
    }
  }
  test::device_array<unsigned> in(words), out(32);
  test::run(match_known<Bits, Kept, Set>, 1, 32, 0, static_cast<const unsigned*>(in.data()), out.data());
  CHECK(out.download() == wanted);
}

template <int Bits>
void check_matches() {
  check_match<Bits, ~0u, 0>(), check_match<Bits, 0, 0>(), check_match<Bits, 0, ~0u>(), check_match<Bits, 1, 0>();
  check_match<Bits, 3, 0>(), check_match<Bits, 7, 0>(), check_match<Bits, 15, 0>(), check_match<Bits, 31, 0>();
  check_match<Bits, 1, 2>(), check_match<Bits, 3, 4>(), check_match<Bits, 2, 0>(), check_match<Bits, 6, 1>();
  check_match<Bits, 1u << (Bits - 1), 0>(), check_match<Bits, ~(1u << (Bits - 1)), 0>();
  check_match<Bits, ~0u, 1u << (Bits - 1)>();
}

template <class Key>
__global__ void sort_by_no_bits(const Key* in, Key* out) {
  const gpuprim::this_block block;
  Key keys[1] = {in[threadIdx.x]};
  constexpr int end = 8 * int(sizeof(Key));
  gpuprim::block_radix_sort<64>(block, keys, gpuprim::ascending.bits(end, end));
  out[threadIdx.x] = keys[0];
}

/// A sort by no bits, which lie behind the last one, leaves keys where they are.
template <class Key>
void check_no_bits() {
  std::vector<Key> keys;
  for (const auto& made : make_keys<Key>(64)) keys.push_back(made.key);
  test::device_array<Key> in(keys), out(64);
  test::run(sort_by_no_bits<Key>, 1, 64, 0, static_cast<const Key*>(in.data()), out.data());
  CHECK(out.download() == keys);
}

}  // namespace

TEST_CASE("block_radix_sort by no bits", "[block][not_asan]") {
  check_no_bits<std::uint32_t>();
  check_no_bits<std::uint64_t>();
}

TEST_CASE("block_radix_sort by constant ranges of bits in blocks of every size", "[block][not_asan]") {
  check_ranges<32>(), check_ranges<64>(), check_ranges<96>(), check_ranges<128>(), check_ranges<160>();
  check_ranges<192>(), check_ranges<224>(), check_ranges<256>(), check_ranges<512>(), check_ranges<1024>();
}

TEST_CASE("block_radix_sort of keys of every kind by few bits and by all", "[block][not_asan]") {
  check_types<32>(), check_types<64>(), check_types<128>(), check_types<256>(), check_types<512>();
}

TEST_CASE("lanes that agree in low bits, of which the compiler knows some", "[block][not_asan]") {
  check_matches<1>(), check_matches<2>(), check_matches<3>(), check_matches<4>(), check_matches<5>();
  check_matches<6>(), check_matches<7>(), check_matches<8>();
}
