// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/reduce_check.cuh"

#include <algorithm>

namespace {

template <int BlockSize, int LoadsPerThread>
void check_sizes() {
  const std::int64_t tile = std::int64_t(BlockSize) * LoadsPerThread * 4;
  for (std::int64_t n : {std::int64_t{1}, tile - 1, tile, tile + 1, 3 * tile + 5}) {
    test::check_policy<BlockSize, LoadsPerThread>(n, gpuprim::plus<int>{}, 3);
    test::check_policy<BlockSize, LoadsPerThread>(n, test::chain{}, test::span_of_positions(-2, -1));
  }
}

template <class T, class Op, class Acc>
void check_every_misalignment(Op op, Acc init) {
  for (std::size_t offset = 0; offset < 32; offset += alignof(T)) {
    for (std::int64_t n : {1, 3, 17, 1000, 4099}) test::check_tuned<T>(n, op, init, offset);
  }
  test::check_tuned<T>(70001, op, init, alignof(T));  // several blocks
}

/// How warps may be dealt units: in turn, the partial round over all blocks or not; or neighbours for each block, and
/// of those for each warp.
enum class deal { in_turn, in_turn_spread, neighbours };

/// Each warp counts the units of its share, and says whose block's they are.
template <deal Deal, int Warps>
__global__ void count_units(std::int64_t units, int* times, int* owners) {
  gpuprim::detail::unit_share share;
  if constexpr (Deal == deal::neighbours) {
    using gpuprim::detail::share_evenly;
    const auto of_block = share_evenly(0, units, int(gridDim.x), int(blockIdx.x));
    share = share_evenly(of_block.unit, of_block.end, Warps, int(threadIdx.x) / 32);
  } else {
    using gpuprim::detail::partial_round;
    constexpr partial_round partial = Deal == deal::in_turn ? partial_round::last : partial_round::spread_first;
    share = gpuprim::detail::deal_in_turn<partial>(units, Warps);
  }
  if (threadIdx.x % 32 != 0) return;
  for (; share.unit < share.end; share.advance()) {
    atomicAdd(times + share.unit, 1);
    owners[share.unit] = int(blockIdx.x);
  }
}

/// The block that has each unit, where each has one.
template <deal Deal>
std::vector<int> find_owners(int units, int blocks) {
  constexpr int warps = 4;
  test::device_array<int> times(std::vector<int>(std::size_t(units), 0)), owners(units);
  test::run(count_units<Deal, warps>, unsigned(blocks), 32 * warps, 0, std::int64_t{units}, times.data(),
            owners.data());
  CHECK(times.download() == std::vector<int>(std::size_t(units), 1));
  times.check_guards();
  return owners.download();
}

/// Units of 32 loads begin at a cache line wherever the input begins, unless more than a unit would then be left.
template <class T>
void check_units_at_line() {
  for (std::uintptr_t address = 4096; address < 4096 + 128; address += sizeof(T)) {
    for (std::int64_t bytes : {0, 15, 16, 100, 128, 512, 520, 608, 630, 5000, 5104}) {
      const std::int64_t n = bytes / std::int64_t(sizeof(T));
      CAPTURE(address, n);
      using gpuprim::detail::unit_start;
      const auto* in = reinterpret_cast<const T*>(address);
      const auto input = gpuprim::detail::make_reduce_input<1, unit_start::at_cache_line>(in, n);
      const auto begin = address + std::uintptr_t(input.head()) * sizeof(T);
      const auto to_line = int((128 - begin % 128) % 128 / 16);
      CHECK(std::int64_t{input.head()} + input.loads * input.load_items + input.tail() == n);
      CHECK(input.tail() < input.load_items);
      CHECK((begin % 16 == 0 || input.loads == 0));
      const std::int64_t left = input.loads - 32 * input.complete_units();
      CHECK((left >= input.lead() && left <= 32));
      if (input.lead() == to_line) continue;
      CHECK(input.lead() == 0);
      CHECK((to_line > input.loads || (input.loads - to_line) % 32 + to_line > 32));
    }
  }
}

}  // namespace

TEST_CASE("reduce under explicit policies, around their tiles", "[device]") {
  check_sizes<32, 1>();
  check_sizes<64, 2>();
  check_sizes<128, 4>();
  check_sizes<96, 8>();
  check_sizes<1024, 1>();
}

TEST_CASE("reduce of three words in the shapes for large inputs", "[device][sanitizer]") {
  constexpr std::int64_t tile = 512 * 16;  // four rows of three loads, which bring four
  for (std::int64_t n : {std::int64_t{1}, tile - 1, tile, tile + 1, 3 * tile + 700}) {
    test::check_policy<512, 16>(n, test::add_points{}, test::point3{1, 2, 3}, n % 3 * sizeof(float));
  }
}

TEST_CASE("reduce joins long values of a block in columns, which one or two warps take up", "[device][sanitizer]") {
  using gpuprim::detail::column_takers;
  using values = test::triple<std::uint64_t>;
  const auto check = [](auto block_size) {
    constexpr int threads = decltype(block_size)::value;
    CHECK(gpuprim::detail::joins_columns<threads, values, test::add_triples>);
    for (std::int64_t n : {1, threads - 1, threads, 5 * threads + 3}) {
      test::check_policy<threads, 1>(n, test::add_triples{}, values{{1, 2, 3}});
    }
    return column_takers<threads, values>;
  };
  CHECK(check(std::integral_constant<int, 64>{}) == 1);
  CHECK(check(std::integral_constant<int, 96>{}) == 1);
  CHECK(check(std::integral_constant<int, 128>{}) == 2);
  CHECK(check(std::integral_constant<int, 512>{}) == 2);
  using longer = test::triple<test::point3>;
  CHECK(gpuprim::detail::joins_columns<512, longer, test::add_triples>);
  CHECK(!gpuprim::detail::joins_columns<1024, longer, test::add_triples>);  // 45 KiB, but there are 35
  CHECK(!gpuprim::detail::joins_columns<128, test::span_of_positions, test::chain>);
}

TEST_CASE("warps have each unit once, in turn", "[device]") {
  for (int blocks : {3, 5}) {
    for (int units : {0, 7, 14 * 4 * blocks + 1, 999 * blocks}) {
      CAPTURE(blocks, units);
      std::vector<int> in_turn(static_cast<std::size_t>(units));
      for (int unit = 0; unit < units; ++unit) in_turn[std::size_t(unit)] = unit / 4 % blocks;
      CHECK(find_owners<deal::in_turn>(units, blocks) == in_turn);
    }
  }
}

TEST_CASE("a partial round of units is of all blocks", "[device]") {
  constexpr int blocks = 5, round = 4 * blocks;
  for (int units : {round + 1, round + 7, 2 * round - 1, 3 * round + 5}) {
    CAPTURE(units);
    for (const auto& owners :
         {find_owners<deal::in_turn_spread>(units, blocks), find_owners<deal::neighbours>(units, blocks)}) {
      for (int block = 0; block < blocks; ++block) {
        const auto own = std::count(owners.begin(), owners.end(), block);
        CHECK((own == units / blocks || own == (units + blocks - 1) / blocks));
      }
    }
  }
}

TEST_CASE("reduce takes the operator's identity", "[device][sanitizer]") {
  const std::vector<float> values = {4, 2, 8};
  test::device_array<float> input(values), output(1);
  CUDA_OK(gpuprim::reduce<gpuprim::plus<float>, 256, 8>(input.data(), 3, output.data()));
  CHECK(output.download()[0] == 14);
  CUDA_OK(gpuprim::reduce<gpuprim::minimum<float>, 64, 1>(input.data(), 3, output.data(), {.stream = nullptr}));
  CHECK(output.download()[0] == 2);
  CUDA_OK(gpuprim::reduce<gpuprim::plus<float>, 64, 1, 2>(input.data(), 3, output.data()));  // two blocks together
  CHECK(output.download()[0] == 14);
  CUDA_OK(gpuprim::reduce<gpuprim::maximum<float>, 64, 1>(input.data(), 0, output.data()));
  CHECK(output.download()[0] == -std::numeric_limits<float>::infinity());
}

TEST_CASE("one shape with different blocks a multiprocessor, in turns", "[device]") {
  const std::vector<float> values = {4, 2, 8};
  test::device_array<float> input(values), output(1);
  // The second turn finds what the first left set for the kernel, which no other test here runs.
  for (int turn = 0; turn < 2; ++turn) {
    CUDA_OK(gpuprim::reduce<gpuprim::plus<float>, 160, 2, 1>(input.data(), 3, output.data()));
    CUDA_OK(gpuprim::reduce<gpuprim::plus<float>, 160, 2, 2>(input.data(), 3, output.data()));
    CUDA_OK(gpuprim::reduce<gpuprim::plus<float>, 160, 2>(input.data(), 3, output.data()));
    CHECK(output.download()[0] == 14);
  }
}

TEST_CASE("units of a reduce begin at a cache line", "[device][sanitizer]") {
  check_units_at_line<unsigned char>();
  check_units_at_line<short>();
  check_units_at_line<float>();
  check_units_at_line<double>();
  check_units_at_line<uint4>();
  for (std::size_t offset : {0, 16, 20, 64, 124}) {
    for (std::int64_t n : {30, 131, 157, 256, 700, 1029}) {
      test::check_policy<64, 2>(n, gpuprim::plus<int>{}, 3, offset);
      test::check_policy<32, 1>(n, gpuprim::plus<int>{}, 3, offset);
    }
    test::check_tuned<float>(9001, gpuprim::plus{}, 0.0f, offset);
  }
}

TEST_CASE("reduce from every misaligned address", "[device][sanitizer]") {
  check_every_misalignment<unsigned char>(gpuprim::plus{}, 0u);
  check_every_misalignment<short>(gpuprim::maximum{}, short{-9});
  check_every_misalignment<float>(gpuprim::plus{}, 0.0f);
  check_every_misalignment<double>(gpuprim::plus{}, 0.0);
  check_every_misalignment<test::affine>(test::then{}, test::affine{1, 0});
  check_every_misalignment<test::complex_float>(test::add_complex{}, test::complex_float{0, 0});
  check_every_misalignment<test::affine_pair>(test::then_both{}, test::affine_pair{{1, 0}, {1, 0}});
  check_every_misalignment<test::point3>(test::add_points{}, test::point3{0, 0, 0});
  check_every_misalignment<test::triple<unsigned char>>(test::add_triples{}, test::triple<unsigned char>{});
  check_every_misalignment<test::triple<test::loose_word>>(test::add_triples{}, test::triple<test::loose_word>{});
}
