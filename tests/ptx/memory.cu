// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instructions on memory do, with addresses and operands that are constants and with those that the compiler
// does not know.
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_80.cuh>

#include "../support/device.cuh"

#include <gpuprim/core/shared.cuh>

#include <array>
#include <cstring>
#include <numeric>

namespace {

namespace ptx = gpuprim::ptx;

constexpr int results = 64;

/// Three bytes, which no instruction stores at once.
struct three {
  unsigned char bytes[3];
};

/// The words of one kind of operands: what instructions write, and what they return.
struct written {
  unsigned words[8];
  std::uint64_t longs[4];
};

/// Lane 0 changes one word after the other, and notes what each instruction returns.
template <class Value>
__device__ void change_words(written& to, std::uint64_t* got, const Value& of) {
  int count = 0;
  const auto note = [&](std::uint64_t value) { got[count++] = value; };
  ptx::store_relaxed(&to.words[of(0)], of(11));
  ptx::store_relaxed(&to.longs[of(0)], (std::uint64_t{of(3)} << 40) + of(12));
  ptx::store_system(&to.longs[of(1)], (std::uint64_t{of(5)} << 50) + of(13));
  ptx::store_release(&to.words[of(1)], of(14));
  note(ptx::load_relaxed(&to.words[of(0)]));
  note(ptx::load_relaxed(&to.longs[of(0)]));
  note(ptx::load_relaxed(&to.longs[of(1)]));
  note(ptx::load_acquire(&to.words[of(1)]));
  for (int i = 0; i < 3; ++i) note(ptx::arrive_in_order(&to.words[of(2)], of(1)));
  note(ptx::add_in_order(&to.words[of(3)], of(15)));
  note(ptx::add_in_order(&to.words[of(3)], of(0xffffffff)));
  ptx::add_release(&to.words[of(4)], of(16));
  ptx::add_release(&to.words[of(4)], of(17));
  note(ptx::count_one_relaxed(&to.words[of(5)]));
  note(ptx::count_one_relaxed(&to.words[of(5)]));
  const uint4 line = ptx::load_past_l1(&to.words[of(0)]);
  note(line.x + line.w);
  const uint4 kept = ptx::keep_whole(uint4{of(1), of(2), of(3), of(4)});
  note(kept.x * 1000 + kept.y * 100 + kept.z * 10 + kept.w);
}

/// Stores a value of a type where a sign allows it, and leaves what is there where not.
template <class T, class Value>
__device__ void store_if(std::uint64_t* got, const Value& of) {
  GPUPRIM_SHARED(box, uint4[2]);
  auto* const bytes = reinterpret_cast<unsigned char*>(box);
  for (unsigned i = 0; i < sizeof box; ++i) bytes[i] = 0xee;
  T value;
  for (unsigned i = 0; i < sizeof(T); ++i)
    reinterpret_cast<unsigned char*>(&value)[i] = static_cast<unsigned char>(of(i + 1));
  ptx::store_shared_unless_negative(-int(of(1)), reinterpret_cast<T*>(bytes), value);
  ptx::store_shared_if(of(0) != 0, reinterpret_cast<T*>(bytes), value);
  unsigned untouched = 0;
  for (unsigned i = 0; i < sizeof box; ++i) untouched += bytes[i] == 0xee;
  ptx::store_shared_unless_negative(int(of(0)), reinterpret_cast<T*>(bytes), value);
  unsigned right = 0;
  for (unsigned i = 0; i < sizeof box; ++i) right += bytes[i] == (i < sizeof(T) ? i + 1 : 0xee);
  got[0] = untouched;
  got[1] = right;
}

template <class Value>
__device__ void store_all(std::uint64_t* got, const Value& of) {
  store_if<unsigned char>(got, of);
  store_if<unsigned short>(got + 2, of);
  store_if<three>(got + 4, of);
  store_if<unsigned>(got + 6, of);
  store_if<uint2>(got + 8, of);
  store_if<uint4>(got + 10, of);
}

__global__ void change_memory(written* known, written* hidden, std::uint64_t* of_known, std::uint64_t* of_hidden,
                              const unsigned* zero) {
  if (threadIdx.x != 0) return;
  const unsigned unknown = *zero;
  const auto constant = [](unsigned v) { return v; };
  const auto value = [=](unsigned v) { return v ^ unknown; };
  change_words(*known, of_known, constant);
  change_words(*hidden, of_hidden, value);
  store_all(of_known + 32, constant);
  store_all(of_hidden + 32, value);
}

/// Copies lines into shared memory by words of T, in two groups of which the first is waited for alone.
template <class T>
__global__ void copy_to_shared(const T* in, T* out, unsigned* counted) {
  GPUPRIM_SHARED(lines, T[64]);
  GPUPRIM_SHARED(count, unsigned);
  const int lane = int(threadIdx.x);
  if (lane == 0) count = 0;
  ptx::copy_async(&lines[lane], &in[lane]);
  ptx::end_copy_group();
  ptx::copy_async(&lines[32 + lane], &in[32 + lane]);
  ptx::end_copy_group();
  ptx::wait_for_groups<1>();
  __syncthreads();
  out[lane] = lines[31 - lane];
  ptx::wait_for_copies();
  __syncthreads();
  out[32 + lane] = lines[63 - lane];
  ptx::count_one(ptx::find_shared_address(&count));
  __syncthreads();
  if (lane == 0) *counted = count;
}

template <class T>
void check_copies() {
  std::array<unsigned, 64 * sizeof(T) / 4> words;
  std::iota(words.begin(), words.end(), 1u);
  std::vector<T> from(64), expected(64);
  std::memcpy(from.data(), words.data(), sizeof words);
  for (int i = 0; i < 64; ++i) expected[std::size_t(i)] = from[std::size_t(i / 32 * 32 + 31 - i % 32)];
  test::device_array<T> in(from), out(64);
  test::device_array<unsigned> counted(1);
  test::run(copy_to_shared<T>, 1, 32, 0, in.data(), out.data(), counted.data());
  const auto got = out.download();
  CHECK(std::memcmp(got.data(), expected.data(), 64 * sizeof(T)) == 0);
  CHECK(counted.download()[0] == 32);
  out.check_guards();
}

}  // namespace

TEST_CASE("Instructions write, read and add at addresses that are constants or not", "[ptx][tsan]") {
  const std::vector<written> none(1, written{});
  test::device_array<written> known(none), hidden(none);
  test::device_array<std::uint64_t> of_known(std::vector<std::uint64_t>(results, 0)),
      of_hidden(std::vector<std::uint64_t>(results, 0));
  test::device_array<unsigned> zero(std::vector<unsigned>{0});
  test::run(change_memory, 1, 32, 0, known.data(), hidden.data(), of_known.data(), of_hidden.data(), zero.data());
  std::vector<std::uint64_t> expected{
      11, (std::uint64_t{3} << 40) + 12, (std::uint64_t{5} << 50) + 13, 14, 0, 1, 0, 0, 15, 0, 1, 11 + 14, 1234};
  expected.resize(32);
  expected.insert(expected.end(), 12, 32);  // all bytes of each box are as they should be, with and without the value
  expected.resize(results);
  CHECK(of_known.download() == expected);
  CHECK(of_hidden.download() == expected);
  for (const auto* array : {&known, &hidden}) {
    const written got = array->download()[0];
    CHECK(std::vector<unsigned>(got.words, got.words + 8) == std::vector<unsigned>{11, 14, 1, 14, 33, 2, 0, 0});
    array->check_guards();
  }
}

TEST_CASE("Copies to shared memory of 4, 8 and 16 bytes come in groups", "[ptx][tsan]") {
  check_copies<unsigned>();
  check_copies<uint2>();
  check_copies<uint4>();
}
