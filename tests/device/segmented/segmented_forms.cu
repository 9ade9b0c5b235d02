// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments that are not given by offsets, and columns.
#include "../../support/segmented_check.cuh"

namespace {

template <class In, class Segments>
__global__ void find_lengths(Segments segments, gpuprim::detail::sampled_lengths<In, float>* found) {
  const auto lengths = gpuprim::detail::sampled_lengths<In, float>::look(segments);
  if (threadIdx.x == 0) *found = lengths;
}

/// What samples of segments of elements of type T show.
template <class T>
auto lengths_of(const std::vector<int>& lengths) {
  test::device_array<int> where(test::make_offsets<int>(lengths));
  test::device_array<gpuprim::detail::sampled_lengths<const T*, float>> found(1);
  const int* const at = where.data();
  using segments_type = gpuprim::detail::bound_segments<const int*, const int*>;
  CUDA_OK(gpuprim::launch(&find_lengths<const T*, segments_type>, 1, gpuprim::warp_size, nullptr,
                          segments_type{at, at + 1, std::int64_t(lengths.size())}, found.data()));
  return found.download()[0];
}

/// Adds to the place of each number 1000 and the index of the block that takes it.
__global__ void draw_all(gpuprim::detail::spread_draws draws, unsigned count, int* takers) {
  for (unsigned own = draws.first(); own < count; own = draws.next(own, count)) {
    atomicAdd(takers + own, 1000 + int(blockIdx.x));
  }
}

}  // namespace

TEST_CASE("a few segments of one length, by bounds, and columns", "[device][tsan]") {
  for (int length : {3, 4}) test::check_fixed<float>(length, 50, gpuprim::plus{}, 0.0f);
  test::check_fixed<float>(8192, 2, gpuprim::plus{}, 0.0f);
  test::check_fixed<float>(20000, 1, gpuprim::plus{}, 0.0f);
  test::check_fixed<float>(70000, 1, gpuprim::plus{}, 0.0f);
  test::check_fixed<test::affine>(3, 50, test::then{}, test::affine{1, 0});
  std::vector<int> lengths(300, 3);  // of two blocks, rows for lanes, a bundle, and a long one for all blocks
  lengths[40] = 60;
  lengths[290] = 8200;
  test::check_bounds<float>({3, 0, 40, 8200}, gpuprim::plus{}, 1.0f);
  test::check_bounds<float>(lengths, gpuprim::plus{}, 1.0f);
  test::check_columns<float>(70, 5, gpuprim::plus{}, 1.0f);
}

TEST_CASE("segmented_reduce of fixed lengths", "[device][sanitizer]") {
  for (std::int64_t length : {0, 1, 3, 4, 16, 31, 64, 640, 1024, 2048, 5000, 20000}) {
    const std::int64_t segments = length < 100 ? 333 : 40000 / length;
    test::check_fixed<float>(length, segments, gpuprim::plus{}, 1.0f);
    test::check_fixed<test::affine>(length, segments, test::then{}, test::affine{1, 0});
  }
  test::check_fixed<float>(3, 2500, gpuprim::plus{}, 5.0f, 4);
  test::check_fixed<signed char>(15, 700, gpuprim::plus{}, 5, 1);
  test::check_fixed<float>(100, 5000, gpuprim::plus{}, 5.0f, 4);
  test::check_fixed<float>(70000, 3, gpuprim::plus{}, 5.0f, 4);  // in parts
  test::check_fixed<double>(70001, 1, gpuprim::plus{}, 5.0, 8);
  test::check_fixed<test::triple<unsigned>>(66000, 2, test::add_triples{}, test::triple<unsigned>{});
  test::check_fixed<test::triple<unsigned>>(70, 1100, test::add_triples{}, test::triple<unsigned>{});
  test::check_fixed<test::affine, test::fixed_kernel::shares>(7, 5000, test::then{}, test::affine{1, 0});
  if (!test::on_simt) test::check_fixed<float>(12, gpuprim::segmented_policy::many_segments + 1, gpuprim::plus{}, 1.0f);
  // Bytes of which no chunk holds whole lines, for as many lanes as if they were long.
  test::check_fixed<unsigned char>(303, test::on_simt ? 300 : 300000, gpuprim::plus{}, 5u);
  const int segments = test::on_simt ? 130 : 20000;  // for whole blocks
  test::check_fixed<unsigned char, test::fixed_kernel::blocks>(8192, segments, gpuprim::plus{}, 5u);
}

TEST_CASE("segmented_reduce of one length by some lanes each", "[device][sanitizer]") {
  using kernel = test::fixed_kernel;
  for (std::size_t misalignment : {0, 4, 12}) {
    for (int length : {0, 1, 3, 8, 17, 24, 25, 63, 64, 65, 129, 255, 256, 257, 513, 1100}) {
      for (int segments : {1, 2, 33, 70}) {
        test::check_fixed<float, kernel::groups>(length, segments, gpuprim::plus{}, 1.0f, misalignment);
      }
    }
  }
  for (std::size_t misalignment : {0, 1, 15}) {
    for (int length : {5, 100, 384, 385, 3000}) {
      test::check_fixed<unsigned char, kernel::groups>(length, 30, gpuprim::plus{}, 5u, misalignment);
    }
  }
  test::check_fixed<double, kernel::groups>(33, 200, gpuprim::maximum{}, 1.0, 8);
  test::check_fixed<test::triple<unsigned>, kernel::groups>(70, 11, test::add_triples{}, test::triple<unsigned>{});
  // So many that blocks do not fit at once, and are the larger ones.
  const int segments = test::on_simt ? 3000 : 300000;
  test::check_fixed<float, kernel::groups>(5, segments, gpuprim::plus{}, 1.0f, 4);
  test::check_fixed<float, kernel::groups>(300, segments / 10, gpuprim::plus{}, 1.0f);
}

TEST_CASE("segmented_reduce of one length by way of shared memory", "[device][sanitizer]") {
  using kernel = test::fixed_kernel;
  for (std::size_t misalignment : {0, 4, 12}) {
    for (int length : {1, 3, 24, 31, 96, 300, 768}) {  // those of 24 and 96 staggered
      test::check_fixed<float, kernel::chunks>(length, 9000 / length, gpuprim::plus{}, 1.0f, misalignment);
    }
  }
  test::check_fixed<float, kernel::chunks>(5, 1, gpuprim::plus{}, 1.0f, 4);  // no whole load
  for (std::size_t misalignment : {0, 1}) {
    test::check_fixed<unsigned char, kernel::chunks>(100, 400, gpuprim::plus{}, 5u, misalignment);
  }
  test::check_fixed<__half, kernel::chunks>(48, 600, gpuprim::plus{}, 1.0f, 2);
  test::check_fixed<double, kernel::chunks>(33, 200, gpuprim::maximum{}, 1.0, 8);
}

TEST_CASE("segmented_reduce by begins and ends", "[device][sanitizer]") {
  std::vector<int> neighbours;  // that a warp takes together, with short and empty ones between them
  for (int i = 0; i < 80; ++i) neighbours.push_back(i % 9 == 4 ? 0 : i % 11 == 3 ? 5 : 17 + i * i % 300);
  neighbours[50] = 9000;
  std::vector<int> short_ones;  // of which lanes take several
  for (int i = 0; i < 1700; ++i) short_ones.push_back(i * 7 % 17);
  for (const auto& lengths : {std::vector<int>{0}, std::vector<int>{20000, 0, 5, 17, 900, 8192, 8191, 30000},
                              std::vector<int>(9, 8200), std::vector<int>(3, 33000), neighbours, short_ones}) {
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
  test::check_bounds<float>({0, 90, 20000, 3}, {40000, 80, 3, 10}, gpuprim::plus{}, 3.0f);  // beside one that is cut
  test::check_bounds<float>(from, to, gpuprim::plus{}, 3.0f);
  // So many that a warp looks at 32: apart, with some that are listed, one that is empty, and a long one among them.
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
  using policy = gpuprim::segmented_policy;
  for (int values : {4000, 10500}) {  // with many loads at once, and with few
    std::vector<int> lengths(34, values);
    lengths[0] = lengths[20] = 0;
    lengths[9] = 1;
    lengths[33] = 5 * values;  // for the second launch, if it is more than blocks draw
    const auto seen = lengths_of<float>(lengths);
    CHECK(4 * seen.average >= policy::words.least_whole_bytes);
    CHECK(seen.are_for_blocks());
    CHECK(seen.may_be_uneven() == (values > 4000));
    test::check_bounds<float>(lengths, gpuprim::plus{}, 3.0f);
    test::check_bounds<double>(lengths, gpuprim::plus{}, 3.0);
  }
  // Apart, with an end before the begin.
  std::vector<std::int64_t> from, to;
  for (int i = 0; i < 40; ++i) {
    from.push_back(4103 * i);
    to.push_back(i == 13 ? 3 : 4103 * i + 4096);
  }
  test::check_bounds<float>(from, to, gpuprim::plus{}, 3.0f);
  CHECK(lengths_of<float>(std::vector<int>(2049, 30)).average == 30);
  const auto capped = lengths_of<float>(std::vector<int>(33, 1 << 20));
  CHECK(capped.average == 16 * policy::words.least_whole_bytes / 4);
  CHECK(capped.longest == capped.average);
}

TEST_CASE("segmented_reduce by begins and ends: blocks draw what is shorter, where some are long", "[device]") {
  std::vector<int> lengths(32, 1400);
  CHECK(!lengths_of<float>(lengths).are_for_blocks());
  lengths[7] = 3999;
  CHECK(!lengths_of<float>(lengths).are_for_blocks());
  lengths[7] = 4000;
  CHECK(lengths_of<float>(lengths).are_for_blocks());
  lengths[2] = 0;
  test::check_bounds<float>(lengths, gpuprim::plus{}, 3.0f);
  std::fill(lengths.begin(), lengths.begin() + 7, 0);
  CHECK(!lengths_of<float>(lengths).are_for_blocks());  // too short on average
}

TEST_CASE("blocks that draw often ask several counters", "[device][sanitizer]") {
  using gpuprim::detail::spread_draws;
  test::device_array<unsigned char> counters(std::vector<unsigned char>(spread_draws::bytes, 0));
  constexpr int ways = int(spread_draws::ways);
  for (const auto& [blocks, count] :
       {std::pair{3, 100}, {ways - 1, 1000}, {ways, 16 * ways + 1}, {ways + 1, 16 * ways + 12},
        {ways + 1, 16 * ways + 17}, {ways + 3, 125 * ways}, {8 * ways, 150 * ways}, {ways, 33 * ways}, {ways + 1, 400},
        {9, 9}, {9, 5}}) {
    CAPTURE(blocks, count);
    for (unsigned shift : {0u, 1u}) {
      CAPTURE(shift);
      test::device_array<int> takers(std::vector<int>(std::size_t(count), 0));
      test::run(draw_all, unsigned(blocks), 1, 0, spread_draws{reinterpret_cast<unsigned*>(counters.data()), shift},
                unsigned(count), takers.data());
      const auto got = takers.download();
      // Each number once; but for the last ones, those of each way are for its blocks. The same of pairs.
      const int draws = ((count - 1) >> shift) + 1;
      const bool is_spread = blocks >= ways && draws > 16 * blocks;
      for (int i = 0; i < count; ++i) {
        const int taker = got[std::size_t(i)] - 1000, drawn = i >> shift;
        REQUIRE((0 <= taker && taker < blocks));
        if (drawn < blocks) CHECK(taker == drawn);
        else if (is_spread && drawn < (draws - 4 * blocks) / ways * ways) CHECK(taker % ways == drawn % ways);
        if (i % (1 << shift) != 0) CHECK(taker == got[std::size_t(i - 1)] - 1000);
      }
      CHECK(counters.download() == std::vector<unsigned char>(spread_draws::bytes, 0));
    }
  }
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
