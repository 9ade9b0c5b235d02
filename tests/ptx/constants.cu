// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instructions give for arguments that are constants, or of which some bits are, is what they give for values
// that the compiler does not know.
#include <gpuprim/ptx/sm_61.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_70_lanes.cuh>
#include <gpuprim/ptx/sm_70_match.cuh>
#include <gpuprim/ptx/sm_89.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include "../support/device.cuh"

#include <utility>

namespace {

namespace ptx = gpuprim::ptx;

constexpr int most_results = 256;

/// Notes one word after the other of each thread.
struct notes {
  std::uint64_t* to;
  int count = 0;

  template <class T>
  __device__ void add(T value) {
    to[count++ * 32 + int(threadIdx.x)] = std::uint64_t(value);
  }
};

/// Results for a word of which the bits of `mask` alone vary. The masks are constants or not.
template <class Mask>
__device__ void match(notes& to, unsigned word, const Mask& mask) {
  [&]<int... Bits>(std::integer_sequence<int, Bits...>) {
    (to.add(ptx::match_low_bits<Bits + 1>(word & mask(0))), ...);
    (to.add(ptx::match_low_bits<Bits + 1>(word & mask(1))), ...);
    (to.add(ptx::match_low_bits<Bits + 1>(word & mask(3))), ...);
    (to.add(ptx::match_low_bits<Bits + 1>(word & mask(0x15))), ...);
    (to.add(ptx::match_low_bits<Bits + 1>(word & mask(0x38))), ...);
    (to.add(ptx::match_low_bits<Bits + 1>((word & mask(3)) | mask(0x70))), ...);
  }(std::make_integer_sequence<int, 8>{});
  to.add(ptx::ballot_bits(~0u, word & mask(1), mask(2)));
  to.add(ptx::ballot_bits(~0u, word | mask(2), mask(2)));
}

/// Results for words that are all constants or not.
template <class Value>
__device__ void compute(notes& to, const Value& of) {
  const unsigned a = of(0x81ff7f03), b = of(0x0380ff7e);
  to.add(ptx::add_packed<signed char>(a, int(of(5))));
  to.add(ptx::add_packed<unsigned char>(a, of(5)));
  to.add(ptx::add_packed<short>(a, int(of(5))));
  to.add(ptx::add_packed<unsigned short>(a, of(5)));
  to.add(ptx::multiply_add_bytes<signed char, signed char>(a, b, of(7)));
  to.add(ptx::multiply_add_bytes<signed char, unsigned char>(a, b, of(7)));
  to.add(ptx::multiply_add_bytes<unsigned char, signed char>(a, b, of(7)));
  to.add(ptx::multiply_add_bytes<unsigned char, unsigned char>(a, b, of(7)));
  const auto halves = ptx::multiply_add_halfwords<short, short>(a, b, {int(of(1)), int(of(2))});
  to.add(halves.low);
  to.add(halves.high);
  to.add(ptx::multiply_wide(int(a), int(b)));
  to.add(ptx::multiply_wide(a, b));
  to.add(ptx::keep_conditional(a));
  bool is_there = false;
  to.add(ptx::shuffle_up<32>(~0u, a, of(1), is_there));
  to.add(is_there);
  to.add(ptx::shuffle_down<32>(~0u, a, of(2), of(20), is_there));
  to.add(is_there);
  to.add(ptx::truncate(float(int(a))));
  to.add(ptx::find_greater_halves(a, b));
  const uint4 packed{a, b, of(0x12345678), of(0x9abcdef0)};
  to.add(ptx::find_packed_extreme<ptx::extreme::least, signed char>(packed));
  to.add(ptx::find_packed_extreme<ptx::extreme::greatest, unsigned char>(packed));
  to.add(ptx::find_packed_extreme<ptx::extreme::least, unsigned short>(packed));
  to.add(ptx::find_packed_extreme<ptx::extreme::greatest, short>(packed));
  to.add(__float_as_uint(ptx::widen_pair<__nv_fp8_e4m3>(a).x));
  to.add(__float_as_uint(ptx::widen_pair<__nv_fp8_e5m2>(b).y));
}

__global__ void note_all(std::uint64_t* constants, std::uint64_t* values, const unsigned* words, const unsigned* zero) {
  const unsigned word = words[threadIdx.x], unknown = *zero;
  const auto known = [](unsigned v) { return v; };
  const auto hidden = [=](unsigned v) { return v ^ unknown; };
  notes of_constants{constants}, of_values{values};
  match(of_constants, word, known);
  match(of_values, word, hidden);
  compute(of_constants, known);
  compute(of_values, hidden);
}

}  // namespace

TEST_CASE("Instructions give the same for constants and for values", "[ptx]") {
  std::vector<unsigned> words(32);
  for (unsigned i = 0; i < 32; ++i) words[i] = i * 2654435761u >> 7;
  test::device_array<unsigned> in(words), zero(std::vector<unsigned>{0});
  const std::vector<std::uint64_t> none(most_results * 32, 0);
  test::device_array<std::uint64_t> constants(none), values(none);
  test::run(note_all, 1, 32, 0, constants.data(), values.data(), in.data(), zero.data());
  CHECK(constants.download() == values.download());
  constants.check_guards();
  values.check_guards();
}
