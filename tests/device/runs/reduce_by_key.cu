// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/run_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

/// Two keys are one run if their tens are the same.
struct same_tens {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

/// Key i is i / 3; as a value, 2 i.
struct thirds : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(i / 3); }
};
struct doubled : thirds {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(2 * i); }
};

/// So long that wider sums beside it make tiles smaller.
struct long_key {
  char bytes[124];
};

/// In one tile a block, and in many.
template <class Acc, class Key, class Value, class Op>
void check_both_ways(const std::vector<int>& lengths, Op op) {
  test::check_runs<Acc, Key, Value>(lengths, op);
  test::check_runs_in<test::many_tiles_of(128, 28), Acc, Key, Value>(lengths, op);
}

}  // namespace

TEST_CASE("reduce_by_key over every mix of runs", "[device][sanitizer][slow]") {
  for (const auto& lengths : test::run_mixes()) {
    check_both_ways<float, int, float>(lengths, gpuprim::plus{});
    test::check_runs<test::point3, int, test::point3>(lengths, test::add_points{});  // values too wide for mail
  }
}

TEST_CASE("reduce_by_key keeps the order", "[device]") {
  for (const auto& lengths : test::run_mixes()) {
    test::check_runs<test::affine, int, test::affine>(lengths, test::then{});
  }
  test::unless_sanitized([](auto) {
    test::check_runs_in<test::many_tiles_of(64, 32), test::span_of_positions, int, test::span_of_positions>(
        {700, 1, 1, 40, 3000}, test::chain{});
  });
}

TEST_CASE("reduce_by_key in tiles of every shape", "[device]") {
  const std::vector<int> lengths{1, 3, 700, 30, 1, 1, 1, 300, 64, 33};
  test::check_runs_in<test::many_tiles_of(64, 12), int, int, int>(lengths, gpuprim::plus{});
  test::unless_sanitized([&](auto) {
    test::check_runs_in<test::many_tiles_of(32, 4), test::affine, int, test::affine>(lengths, test::then{});
    test::check_runs_in<test::many_tiles_of(128, 112), int, std::int64_t, int>(lengths, gpuprim::plus{});
    test::check_runs_in<test::many_tiles_of(512, 128), int, char, int>(lengths, gpuprim::plus{});
  });
}

TEST_CASE("reduce_by_key in many tiles a block", "[device][sanitizer]") {
  // Tiles with few results, which are kept, among others with many, which are written at once.
  std::vector<int> lengths{5, 900, 1, 1, 2, 7000, 64, 33};
  for (int i = 0; i < 300; ++i) lengths.push_back(i / 20 % 2 == 0 ? 1 : 1 + i % 19);
  test::check_runs_in<test::many_tiles_of(64, 12), test::affine, int, test::affine>(lengths, test::then{});
  test::check_runs_in<test::many_tiles_of(64, 52), int, int, int>(lengths, gpuprim::plus{});
  test::check_runs_in<test::many_tiles_of(32, 16), double, std::int64_t, float>(lengths, gpuprim::plus{});
  test::check_runs_in<test::many_tiles_of(64, 4), test::affine, char, test::affine>({1, 3, 2500, 1, 1, 90},
                                                                                    test::then{});
}

TEST_CASE("reduce_by_key of keys that no copy of 16 bytes ends with, in many tiles", "[device]") {
  const std::vector<int> lengths{5, 900, 1, 1, 2, 3000, 64, 33};
  test::check_runs_in<test::many_tiles_of(64, 24), int, test::point3, int>(lengths, gpuprim::plus{});
  test::check_runs<int, test::point3, int>({5, 30000, 1, 2, 7000}, gpuprim::plus{});
}

TEST_CASE("reduce_by_key of wide values in many tiles", "[device]") {
  std::vector<int> lengths{5, 30000, 1, 1, 2, 40000};
  for (int i = 0; i < 4000; ++i) lengths.push_back(i / 500 % 2 == 0 ? 1 : 1 + i % 23);
  test::check_runs<test::matrix2, int, test::matrix2>(lengths, test::product{});
}

TEST_CASE("reduce_by_key in one tile a block", "[device][sanitizer]") {
  // Some 200 tiles, and runs over many of them.
  std::vector<int> lengths{5, 4000, 3, 5000, 1, 1};
  for (int i = 0; i < 300; ++i) lengths.push_back(1 + i % 19);
  test::check_runs_in<test::one_tile_of(32, 16), test::affine, int, test::affine>(lengths, test::then{});
  test::check_runs_in<test::one_tile_of(64, 20), double, std::int64_t, float>(lengths, gpuprim::plus{});
}

TEST_CASE("reduce_by_key at the limits of each launch", "[device]") {
  const auto plan_of = [](std::int64_t n) {
    return gpuprim::reduce_by_key_plan(test::somewhere<int>(1), test::somewhere<int>(2), n, test::somewhere<int>(3),
                                       test::somewhere<int>(4), test::somewhere<int>(5), gpuprim::plus{});
  };
  const auto limits = test::launch_limits(2000000, plan_of);
  REQUIRE(limits.size() >= 3);
  for (std::int64_t n : limits) {
    for (int past : {0, 1}) test::check_runs<int, int, int>({1, 30, int(n) - 34 + past, 3}, gpuprim::plus{});
  }
}

TEST_CASE("The plan of reduce_by_key is its launch", "[device]") {
  const auto plan_of = [](std::int64_t n) {
    return gpuprim::reduce_by_key_plan(test::somewhere<int>(1), test::somewhere<float>(2), n, test::somewhere<int>(3),
                                       test::somewhere<float>(4), test::somewhere<int>(5), gpuprim::plus{});
  };
  const auto one = plan_of(1000), some = plan_of(100000), many = plan_of(std::int64_t{1} << 28);
  CHECK(one.grid_size == 1);
  CHECK(some.grid_size > 1);
  CHECK(some.grid_size <= some.multiprocessors);  // so that the tiles are spread
  CHECK(many.grid_size == many.multiprocessors * many.blocks_per_multiprocessor);
  CHECK(many.bytes_in_flight > 0);
  CHECK_THROWS_WITH(plan_of(-1), Catch::Matchers::StartsWith("gpuprim::reduce_by_key_plan: the count is negative"));
}

TEST_CASE("reduce_by_key of runs that go over hundreds of tiles", "[device]") {
  // Over more tiles than one look at neighbours and one at sums of 32 tiles reach.
  test::check_runs_in<test::many_tiles_of(32, 4), test::affine, int, test::affine>({5, 2000, 3, 36000, 1},
                                                                                   test::then{});
  test::check_runs_in<test::many_tiles_of(32, 32), test::matrix2, int, test::matrix2>({5, 40000, 1}, test::product{});
}

TEST_CASE("reduce_by_key of every type", "[device]") {
  const std::vector<int> lengths{1, 2, 700, 3, 300, 20};
  test::check_runs<double, double, float>(lengths, gpuprim::plus{});
  test::check_runs<test::point3, test::point3, test::point3>(lengths, test::add_points{});
  test::unless_sanitized([&](auto) {
    check_both_ways<int, signed char, signed char>(lengths, gpuprim::plus{});
    check_both_ways<unsigned, short, unsigned short>(lengths, gpuprim::plus{});
    check_both_ways<int, int, int>(lengths, gpuprim::maximum{});
    check_both_ways<test::complex_float, int, test::complex_float>(lengths, test::add_complex{});
    test::check_runs<std::int64_t, std::int64_t, std::int64_t>(lengths, gpuprim::bit_xor{});
    check_both_ways<float, float, __half>(lengths, gpuprim::plus{});
    test::check_runs<test::matrix2, std::int64_t, test::matrix2>(lengths, test::product{});
  });
}

TEST_CASE("reduce_by_key at every misalignment", "[device][sanitizer]") {
  const std::vector<int> lengths{1, 2000, 3, 5, 4000, 20};
  for (std::size_t bytes = 4; bytes < 16; bytes += 4) {
    test::check_runs<int, int, int>(lengths, gpuprim::plus{}, {bytes, 0});
    test::check_runs<int, int, int>(lengths, gpuprim::plus{}, {16 - bytes, bytes});
  }
  test::check_runs<int, char, char>(lengths, gpuprim::plus{}, {1, 3});
}

TEST_CASE("reduce_by_key takes an equality and computed keys and values", "[device]") {
  const auto bytes = gpuprim::reduce_by_key_workspace_bytes<int, int>(3000);
  std::vector<int> keys;
  for (int i = 0; i < 3000; ++i) keys.push_back(i / 4);
  test::check_reduce_by_key<int>(keys, test::make_values<int>(3000), gpuprim::plus{}, same_tens{}, bytes, {},
                                 [](auto k, auto v, auto n, auto u, auto a, auto r, const gpuprim::options& how) {
                                   return gpuprim::reduce_by_key(k, v, n, u, a, r, gpuprim::plus{}, same_tens{}, how);
                                 });
  test::device_array<int> unique(1000), sums(1000), runs(1);
  CUDA_OK(gpuprim::reduce_by_key(thirds{}, doubled{}, 2999, unique.data(), sums.data(), runs.data(), gpuprim::plus{}));
  CHECK(runs.download()[0] == 1000);
  std::vector<int> want_keys, want_sums;
  for (int i = 0; i < 1000; ++i) {
    want_keys.push_back(i);
    want_sums.push_back(i < 999 ? 18 * i + 6 : 2 * (2997 + 2998));
  }
  CHECK(unique.download() == want_keys);
  CHECK(sums.download() == want_sums);
}

TEST_CASE("sums of small integers and of half are wide where no accumulator is named", "[device]") {
  const std::vector<signed char> keys(3000, 1), values(3000, 100);
  test::device_array<signed char> in(keys), in_values(values), unique(1);
  test::device_array<int> sum(1), runs(1);
  CUDA_OK(gpuprim::reduce_by_key(in.data(), in_values.data(), 3000, unique.data(), sum.data(), runs.data(),
                                 gpuprim::plus{}));
  CHECK(sum.download()[0] == 300000);
  STATIC_REQUIRE(gpuprim::reduce_by_key_workspace_bytes<long_key, signed char>(9999) ==
                 gpuprim::reduce_by_key_workspace_bytes<long_key, signed char, int>(9999));
}

TEST_CASE("reduce_by_key of floats gives the same bits in every run", "[device]") {
  // Sums that are not exact, so that another order of the additions would show; runs over parts of tiles and over many.
  const std::int64_t n = test::on_simt ? 30000 : 3000000;
  std::vector<int> keys;
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) {
    keys.push_back(i < n / 2 ? int(i / 700) : i < n - 1000 ? -1 : int(i));
    values.push_back(float(test::scramble(std::uint64_t(i))) * 1e-9f);
  }
  test::device_array<int> in(keys), unique(static_cast<std::size_t>(n)), runs(1);
  test::device_array<float> in_values(values), sums(static_cast<std::size_t>(n));
  std::vector<unsigned char> first;
  const auto run_with = [&](auto reduce_runs) {
    first.clear();
    for (int repeat = 0; repeat < (test::on_simt ? 2 : 50); ++repeat) {
      CUDA_OK(reduce_runs());
      const auto got = sums.download();
      std::vector<unsigned char> bytes(got.size() * 4);
      std::memcpy(bytes.data(), got.data(), bytes.size());
      if (repeat == 0) first = bytes;
      CHECK(bytes == first);
    }
  };
  run_with([&] {
    return gpuprim::reduce_by_key(in.data(), in_values.data(), n, unique.data(), sums.data(), runs.data(),
                                  gpuprim::plus{});
  });
  run_with([&] {
    return gpuprim::detail::reduce_runs<float, test::many_tiles_of(32, 16)>(
               in.data(), in_values.data(), n, unique.data(), sums.data(), runs.data(), gpuprim::plus{}, test::equals{},
               gpuprim::options{})
        .code;
  });
}
