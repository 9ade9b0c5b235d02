// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments that are not given by offsets, and columns.
#include "../../support/segmented_check.cuh"

TEST_CASE("a few segments of one length, by bounds, and columns", "[device][tsan]") {
  const test::small_gpu gpu(1);
  for (int length : {3, 4, 40}) test::check_fixed<float>(length, 50, gpuprim::plus{}, 0.0f);
  test::check_fixed<float>(8192, 2, gpuprim::plus{}, 0.0f);
  test::check_fixed<float>(70000, 1, gpuprim::plus{}, 0.0f);  // in parts
  test::check_fixed<test::affine>(3, 50, test::then{}, test::affine{1, 0});
  auto lengths = test::make_lengths(2100, [](int i) { return i % 4; });  // by lanes; a row by teams; a listed one
  lengths[40] = 60;
  lengths[290] = 8200;
  test::check_bounds<float>({3, 0, 40, 8200}, gpuprim::plus{}, 1.0f);
  test::check_bounds<float>(lengths, gpuprim::plus{}, 1.0f);
  test::check_bounds<float>({4000, 3600, 70000, 3600}, gpuprim::plus{},
                            1.0f);  // blocks draw, and one in parts
  test::check_bounds<test::affine>({3, 0, 40, 8200}, test::then{}, test::affine{1, 0});
  test::check_columns<float>(70, 5, gpuprim::plus{}, 1.0f);
  test::check_columns<float>(800, 5, gpuprim::plus{}, 1.0f);  // in two slices
}

TEST_CASE("segments by bounds of which a block takes several listed parts", "[device][tsan][few_schedules]") {
  const test::small_gpu gpu(1);
  auto lengths = test::make_lengths(2100, [](int i) { return i % 4; });
  for (std::size_t i = 0; i < 12; ++i) lengths[100 * i + 40] = 33000;
  test::check_bounds<float>(lengths, gpuprim::plus{}, 1.0f);
}

TEST_CASE("more long segments than the list has places, and more segments than a block has threads",
          "[device][tsan][few_schedules]") {
  const test::small_gpu gpu(1);
  // Accumulators are so long that the list has one place for each block. In its first round a block takes long segments
  // of its first warp and none of its last one, so that nothing but the barrier behind it keeps the next round apart.
  const int segments = test::on_simt ? 2100 : 270000;
  std::vector<std::int64_t> from, to;
  for (int i = 0; i < segments; ++i) {
    from.push_back(i % 64);
    to.push_back(i % 64 + (i < segments / 100 ? 8192 : 3));
  }
  test::check_bounds<test::triple<unsigned>>(from, to, test::add_triples{}, test::triple<unsigned>{});
}

TEST_CASE("segmented_reduce of one length", "[device][sanitizer][slow]") {
  const test::small_gpu gpu(1);
  for (std::int64_t length : {0, 1, 3, 4, 11, 12, 16, 31, 64, 79, 80, 640, 1024, 1792, 2048, 5000}) {
    const std::int64_t segments = length < 100 ? 333 : 20000 / length;
    test::check_fixed<float>(length, segments, gpuprim::plus{}, 1.0f);
    test::check_fixed<float>(length, segments, gpuprim::maximum{}, 1.0f, 4);
    test::check_fixed<test::affine>(length, segments, test::then{}, test::affine{1, 0});
    test::check_fixed<unsigned char>(length, segments, gpuprim::plus{}, 5u, std::size_t(length % 16));
  }
  for (std::int64_t length : {1, 2, 5, 28, 33, 127, 128, 129, 300, 1000}) {  // long values, in order
    test::check_fixed<test::matrix2>(length, 20, test::product{}, test::matrix2{{1, 0, 0, 1}});
    test::check_fixed<test::point3>(length, 20, test::add_points{}, test::point3{1, 2, 3});
  }
  test::check_fixed<test::matrix2>(33000, 2, test::product{}, test::matrix2{{1, 0, 0, 1}});  // in parts
  test::check_fixed<float>(4, 40000, gpuprim::plus{}, 5.0f);  // rows that are read together
  test::check_fixed<float>(64, 2500, gpuprim::plus{}, 5.0f);
  test::check_fixed<float>(70000, 3, gpuprim::plus{}, 5.0f, 4);  // in parts
  test::check_fixed<double>(70001, 1, gpuprim::plus{}, 5.0, 8);
  test::check_fixed<test::triple<unsigned>>(66000, 2, test::add_triples{}, test::triple<unsigned>{});
  test::check_fixed<test::triple<unsigned>>(70, 110, test::add_triples{}, test::triple<unsigned>{});
  test::check_fixed<__half>(48, 600, gpuprim::plus{}, 1.0f, 2);
}

TEST_CASE("segmented_reduce of one length by groups of lanes", "[device][sanitizer]") {
  for (std::size_t misalignment : {0, 4, 12}) {
    for (int length : {17, 24, 25, 63, 65, 129, 255, 256, 257, 513, 1100}) {
      for (int segments : {1, 2, 33}) {
        test::check_fixed<float>(length, segments, gpuprim::plus{}, 1.0f, misalignment);
      }
    }
  }
  for (std::size_t misalignment : {0, 1, 15}) {
    for (int length : {100, 384, 385, 3000}) {
      test::check_fixed<unsigned char>(length, 30, gpuprim::plus{}, 5u, misalignment);
    }
  }
  test::check_fixed<double>(33, 200, gpuprim::maximum{}, 1.0, 8);
  if (!test::on_simt) test::check_fixed<float>(300, 300000, gpuprim::plus{}, 1.0f);
}

TEST_CASE("segmented_reduce by begins and ends", "[device][sanitizer][slow]") {
  const test::small_gpu gpu(1);
  const auto neighbours = test::make_lengths(80, [](int i) {
    return i == 50 ? 9000 : i % 9 == 4 ? 0 : i % 11 == 3 ? 5 : 17 + i * i % 300;
  });
  const auto short_ones = test::make_lengths(2600, [](int i) { return i * 7 % 17; });
  for (const auto& lengths : {std::vector<int>{0}, std::vector<int>{20000, 0, 5, 17, 900, 8192, 8191, 30000},
                              std::vector<int>(9, 8200), std::vector<int>(3, 66000), neighbours, short_ones}) {
    test::check_bounds<float>(lengths, gpuprim::plus{}, 3.0f);
    test::check_bounds<test::affine>(lengths, test::then{}, test::affine{1, 0});
  }
  // Apart, over each other, and with an end before the begin; and one of those between neighbours.
  std::vector<std::int64_t> from, to;
  for (int i = 0; i < 32; ++i) {
    from.push_back(20 * i);
    to.push_back(i == 13 ? 3 : 20 * i + 20);
  }
  test::check_bounds<float>({10, 5, 90}, {40, 20, 80}, gpuprim::plus{}, 3.0f);
  test::check_bounds<float>({0, 90, 20000, 3}, {40000, 80, 3, 10}, gpuprim::plus{}, 3.0f);
  test::check_bounds<float>(from, to, gpuprim::plus{}, 3.0f);
  for (int i = 32; i < 600; ++i) {
    from.push_back(23 * i);
    to.push_back(i % 64 == 44 ? 23 * i + 9000 : i == 301 ? 7 : i == 333 ? 23 * i + 3000 : 23 * i + i % 50);
  }
  test::check_bounds<float>(from, to, gpuprim::plus{}, 3.0f);
  test::check_bounds<double>(from, to, gpuprim::maximum{}, -3.0);
  test::check_bounds<test::affine>({10, 5, 90}, {40, 20, 80}, test::then{}, test::affine{1, 0});
  test::check_bounds<test::affine>(from, to, test::then{}, test::affine{1, 0});
}

TEST_CASE("segmented_reduce by begins and ends: blocks draw what is long on average", "[device][sanitizer]") {
  const test::small_gpu gpu(1);
  for (int values : {4000, 10500}) {
    std::vector<int> lengths(34, values);
    lengths[0] = lengths[20] = 0;
    lengths[9] = 1;
    lengths[33] = 70000;  // for the second launch
    test::check_bounds<float>(lengths, gpuprim::plus{}, 3.0f);
    test::check_bounds<double>(lengths, gpuprim::plus{}, 3.0);
  }
}

TEST_CASE("segmented_reduce of more long segments than the list has places", "[device]") {
  const test::small_gpu gpu(1);
  std::vector<std::int64_t> from, to;  // that lie over each other, among short ones
  const int segments = test::on_simt ? 400 : 100000, sampled = segments / 32 | 1;
  for (int i = 0; i < segments; ++i) {
    from.push_back(i % 64);
    to.push_back(i % sampled != 0 && i % 3 != 1 ? i % 64 + 8192 : i % 64 + 3);  // samples see short ones alone
  }
  test::check_bounds<float>(from, to, gpuprim::plus{}, 3.0f);
  test::check_bounds<test::affine>(from, to, test::then{}, test::affine{1, 0});
}

TEST_CASE("sums of segments and columns are as wide as their initial value", "[device]") {
  constexpr std::int64_t rows = 6, columns = 8, large = std::int64_t{1} << 30;
  test::device_array<int> input(std::vector<int>(rows * columns, int(large)));
  test::device_array<std::int64_t> row_sums(rows), column_sums(columns);
  const gpuprim::plus<> plus;
  REQUIRE(gpuprim::segmented_reduce(input.data(), gpuprim::fixed_length{columns}, rows, row_sums.data(), plus,
                                    std::int64_t{5}) == cudaSuccess);
  REQUIRE(gpuprim::column_reduce(input.data(), rows, columns, column_sums.data(), plus, std::int64_t{5}) ==
          cudaSuccess);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(row_sums.download() == std::vector<std::int64_t>(rows, columns * large + 5));
  CHECK(column_sums.download() == std::vector<std::int64_t>(columns, rows * large + 5));
}

TEST_CASE("column_reduce", "[device][sanitizer]") {
  const test::small_gpu gpu(4);
  for (std::int64_t rows : {0, 1, 9, 200, 3000}) {
    for (std::int64_t columns : {1, 4, 33}) {
      test::check_columns<float>(rows, columns, gpuprim::plus{}, 1.0f);
      test::check_columns<test::affine>(rows, columns, test::then{}, test::affine{1, 0});
    }
  }
  test::check_columns<float>(50, 132, gpuprim::plus{}, 1.0f, 4);
  test::check_columns<unsigned char>(300, 48, gpuprim::plus{}, 0u);
  test::check_columns<test::point3>(70, 9, test::add_points{}, test::point3{1, 2, 3});
}
