// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/segmented_check.cuh"

namespace {

/// Joins spans that follow each other; `nothing` is its unit, so that any segment may start from it.
struct chain_from_nothing {
  static constexpr test::span_of_positions nothing() { return {-1, -2}; }
  GPUPRIM_HOST_DEVICE test::span_of_positions operator()(const test::span_of_positions& a,
                                                         const test::span_of_positions& b) const {
    if (a.first == -1) return b;
    return b.first == -1 ? a : test::chain{}(a, b);
  }
};

}  // namespace

TEST_CASE("segmented_reduce over every mix of lengths", "[device][sanitizer]") {
  for (const auto& lengths : test::length_mixes()) test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f);
}

TEST_CASE("segmented_reduce keeps the order", "[device]") {
  for (const auto& lengths : test::length_mixes()) {
    test::check_segments<std::int64_t, test::affine>(lengths, test::then{}, test::affine{1, 0});
  }
  test::check_segments<unsigned, test::span_of_positions>({700, 0, 1, 40, 3000}, chain_from_nothing{},
                                                          chain_from_nothing::nothing());
}

TEST_CASE("segmented_reduce writes each result that it holds back", "[device][sanitizer]") {
  std::vector<int> lengths, blocks_lengths(40, 3);
  for (int i = 0; i < 1500; ++i) lengths.push_back(i / 100 % 5 == 3 ? i % 2 : 10 + i % 29);  // tiles of few and of many
  for (int first : {0, 3}) {
    test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f, 0, first, 1);
    test::check_segments<int, test::affine>(lengths, test::then{}, test::affine{1, 0}, 0, first, 1);
  }
  blocks_lengths[37] = 41 * 8192;  // long on average: whole blocks
  test::check_segments<int, unsigned char>(blocks_lengths, gpuprim::plus{}, 3u);
}

TEST_CASE("segmented_reduce of few segments: by warps, by blocks, in parts", "[device][sanitizer]") {
  const auto check = [](const std::vector<int>& lengths, int blocks) {
    test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f, 4, 2, blocks);
  };
  std::vector<int> many(3000, 2);
  for (int i = 0; i < 3000; i += 7) many[std::size_t(i)] = i % 5 * 3;
  check(many, 3);
  many[1500] = 3500;  // more than a warp takes of less segments
  check(many, 3);
  many[2990] = 9000;
  check(many, 3);
  check(std::vector<int>(13, 8200), 2);  // long and alike
  many[17] = 40000;                      // long beside what each block has to read
  many[18] = 30000;
  check(many, 8);
  check({0, 40000, 0, 0, 17000}, 4);
  // So many parts that a block joins them.
  test::check_offsets_kernel<std::int64_t, double>(test::offsets_kernel::chosen, {5, 1060000, 3}, gpuprim::plus{}, 1.0,
                                                   0, 1, 70);
}

TEST_CASE("segmented_reduce by equal numbers of segments cuts what is long", "[device][sanitizer]") {
  // One in the middle, two of which nothing lies between, the last; of many segments and of few.
  std::vector<int> many(3000), few(20, 9);
  for (int i = 0; i < 3000; ++i) many[std::size_t(i)] = i % 9;
  for (int at : {1500, 2999}) many[std::size_t(at)] = 30000;
  for (int at : {3, 4, 19}) few[std::size_t(at)] = 70000;
  for (const auto& lengths : {many, few}) {
    test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f, 0, 0, 2);
    test::check_segments<int, test::affine>(lengths, test::then{}, test::affine{1, 0}, 0, 0, 2);
  }
}

TEST_CASE("segmented_reduce of a few segments of any kind", "[device][tsan]") {
  test::check_segments<int, float>({3, 0, 700, 1500, 2}, gpuprim::plus{}, 1.0f, 0, 7);
  test::check_segments<unsigned long long, test::affine>({1400, 0, 0, 5}, test::then{}, test::affine{1, 0});
  test::check_fixed<float>(4, 100, gpuprim::plus{}, 0.0f);
  test::check_bounds<float>({3, 0, 40, 9000}, gpuprim::plus{}, 1.0f);
  test::check_columns<float>(70, 5, gpuprim::plus{}, 1.0f);
}

TEST_CASE("segmented_reduce of fixed lengths", "[device][sanitizer]") {
  for (std::int64_t length : {0, 1, 3, 4, 16, 31, 64, 640, 1024, 20000}) {
    const std::int64_t segments = length < 100 ? 333 : 40000 / length;
    test::check_fixed<float>(length, segments, gpuprim::plus{}, 1.0f);
    test::check_fixed<test::affine>(length, segments, test::then{}, test::affine{1, 0});
  }
  test::check_fixed<unsigned char>(8192, test::on_simt ? 130 : 20000, gpuprim::plus{}, 5u);  // whole blocks
}

TEST_CASE("segmented_reduce by begins and ends", "[device][sanitizer]") {
  std::vector<int> neighbours;  // that a warp takes together, with short and empty ones between them
  for (int i = 0; i < 80; ++i) neighbours.push_back(i % 9 == 4 ? 0 : i % 11 == 3 ? 5 : 17 + i * i % 300);
  neighbours[50] = 9000;
  std::vector<int> short_ones;  // of which lanes take several
  for (int i = 0; i < 1700; ++i) short_ones.push_back(i * 7 % 17);
  for (const auto& lengths : {std::vector<int>{0}, std::vector<int>{20000, 0, 5, 17, 900, 8192, 8191, 30000},
                              std::vector<int>(9, 8200), neighbours, short_ones}) {
    test::check_bounds<float>(lengths, gpuprim::plus{}, 3.0f);
    test::check_bounds<test::affine>(lengths, test::then{}, test::affine{1, 0});
  }
  // Apart, over each other, and with an end before the begin.
  test::device_array<int> input(test::make_values<int>(100)), output(3);
  test::device_array<int> begins(std::vector<int>{10, 5, 90}), ends(std::vector<int>{40, 20, 80});
  CUDA_OK(gpuprim::segmented_reduce(input.data(), gpuprim::segment_bounds{begins.data(), ends.data()}, 3, output.data(),
                                    gpuprim::maximum{}, -7));
  const auto values = test::make_values<int>(100);
  const auto largest = [&](int from, int to) {
    return test::fold(std::vector<int>(values.begin() + from, values.begin() + to), gpuprim::maximum{}, -7);
  };
  CHECK(output.download() == std::vector<int>{largest(10, 40), largest(5, 20), -7});
  // One that ends before it begins, where its neighbour ends.
  const auto more = test::make_values<int>(640);
  test::device_array<int> long_input(more), many(32);
  std::vector<int> from, to, wanted;
  for (int i = 0; i < 32; ++i) {
    from.push_back(20 * i);
    to.push_back(i == 13 ? 3 : 20 * i + 20);
    const auto begin = more.begin() + 20 * i;
    wanted.push_back(i == 13 ? -7 : test::fold(std::vector<int>(begin, begin + 20), gpuprim::maximum{}, -7));
  }
  test::device_array<int> many_begins(from), many_ends(to);
  CUDA_OK(gpuprim::segmented_reduce(long_input.data(), gpuprim::segment_bounds{many_begins.data(), many_ends.data()},
                                    32, many.data(), gpuprim::maximum{}, -7));
  CHECK(many.download() == wanted);
}

TEST_CASE("column_reduce", "[device][sanitizer]") {
  for (std::int64_t rows : {0, 1, 9, 200, 3000}) {
    for (std::int64_t columns : {1, 4, 33}) {
      test::check_columns<float>(rows, columns, gpuprim::plus{}, 1.0f);
      test::check_columns<test::affine>(rows, columns, test::then{}, test::affine{1, 0});
    }
  }
  test::check_columns<float>(50, 132, gpuprim::maximum{}, -100.0f, 4);
  test::check_columns<unsigned char>(300, 48, gpuprim::plus{}, 0u);
  test::check_columns<test::point3>(70, 9, test::add_points{}, test::point3{1, 2, 3});
}
