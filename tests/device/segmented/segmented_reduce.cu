// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Consecutive segments, by offsets. The kernels choose by the lengths who takes them: the cases follow the
// choices of docs/segmented_reduce.md.
#include "../../support/segmented_check.cuh"

namespace {

/// Sums, maxima and spans that are joined in order.
void check_offsets(const std::vector<int>& lengths, std::size_t misalignment = 0, int first = 0) {
  test::check_offsets<int, float>(lengths, gpuprim::plus{}, 3.0f, misalignment, first);
  test::check_offsets<std::int64_t, double>(lengths, gpuprim::maximum{}, -3.0, 0, first);
  test::check_offsets<std::uint64_t, test::affine>(lengths, test::then{}, test::affine{1, 0}, 0, first);
}

/// Segments of about `values` values, some of them empty.
std::vector<int> ragged(int segments, int values) {
  auto lengths =
      test::make_lengths(segments, [&](int i) { return int(test::scramble(std::uint64_t(i)) % unsigned(2 * values)); });
  for (int i = 3; i < segments; i += 40) lengths[std::size_t(i)] = 0;
  return lengths;
}

}  // namespace

TEST_CASE("segmented_reduce of mixes of lengths", "[device][sanitizer][slow]") {
  const test::small_gpu gpu(1);
  for (const auto& lengths : test::length_mixes()) {
    for (int first : {0, 5}) check_offsets(lengths, std::size_t(first % 4) * sizeof(float), first);
  }
}

TEST_CASE("segmented_reduce of few segments: a block for each, or a row for each warp", "[device][sanitizer]") {
  const test::small_gpu gpu(2);
  for (int segments : {1, 2, 3, 4, 5, 31, 32}) {
    check_offsets(ragged(segments, 40));
    test::check_offsets<int, unsigned char>(ragged(segments, 900), gpuprim::plus{}, 3u, 1, 2);
  }
  auto lengths = ragged(30, 8);
  lengths[7] = 4000;  // its warp leaves it to the block
  lengths[29] = 600;
  check_offsets(lengths);
  test::check_offsets<int, float>(std::vector<int>(9, 3000), gpuprim::plus{}, 3.0f, 4,
                                  1);  // blocks draw them
  auto whole = std::vector<int>(5, 5000);
  whole[1] = 0;
  whole[3] = 9001;
  test::check_offsets<int, float>(whole, gpuprim::plus{}, 3.0f, 8);
}

TEST_CASE("segmented_reduce of few segments, of which some are long: shares for blocks", "[device][sanitizer]") {
  const test::small_gpu gpu(2);
  for (const auto& lengths : {std::vector<int>{5, 60000, 3}, {70000}, {30000, 0, 0, 30000, 1, 40000}}) {
    test::check_offsets<int, float>(lengths, gpuprim::plus{}, 3.0f, 4, 2);
    test::check_offsets<std::int64_t, double>(lengths, gpuprim::plus{}, 3.0, 8, 1);
    test::check_offsets<int, test::triple<unsigned>>(lengths, test::add_triples{}, test::triple<unsigned>{});
  }
  auto lengths = ragged(30, 20);
  lengths[13] = 50000;
  test::check_offsets<int, float>(lengths, gpuprim::plus{}, 3.0f);
}

TEST_CASE("segmented_reduce of a long segment for each lane of a block's first warp, and of none for the others",
          "[device]") {
  // All lanes of that warp want shares, and all others whole segments: a warp goes by those of its lanes that want
  // whole ones. In a small grid a share is so large that there are no lists for which all lanes of a warp want shares.
  const test::small_gpu gpu(16);
  test::check_offsets<std::int64_t, double>(std::vector<int>(32, 20000), gpuprim::plus{}, 3.0);
}

TEST_CASE("segmented_reduce of short lists: a row of segments for each warp", "[device][sanitizer]") {
  const test::small_gpu gpu(1);
  for (int values : {1, 6, 90}) {
    check_offsets(ragged(300, values));
    test::check_offsets<int, unsigned char>(ragged(300, values), gpuprim::plus{}, 3u, 1, 1);
  }
  auto lengths = ragged(300, 6);
  lengths[9] = 700;  // of which some are for the whole block
  lengths[203] = 2500;
  lengths[204] = 2600;
  check_offsets(lengths);
}

TEST_CASE("segmented_reduce of long segments: blocks draw them", "[device][sanitizer]") {
  const test::small_gpu gpu(1);
  for (int values : {4000, 11000}) {
    std::vector<int> lengths(40, values);
    lengths[3] = 0;
    lengths[39] = 2 * values;
    test::check_offsets<int, float>(lengths, gpuprim::plus{}, 3.0f, 4);
    lengths[5] = 15 * values;  // and shares where one would be waited for
    test::check_offsets<int, float>(lengths, gpuprim::plus{}, 3.0f, 0, 1);
  }
  // So many that a block draws several at once.
  if (!test::on_simt) test::check_offsets<int, float>(std::vector<int>(70001, 3600), gpuprim::plus{}, 3.0f);
}

TEST_CASE("segmented_reduce of long lists: shares of values and ends for warps", "[device][sanitizer]") {
  const test::small_gpu gpu(1);
  check_offsets(ragged(1500, 5), 4, 3);
  check_offsets(ragged(200, 500), 8, 1);
  auto lengths = ragged(1100, 20);
  lengths[500] = 40000;  // in many shares
  lengths[1099] = 3000;
  check_offsets(lengths);
  check_offsets(test::make_lengths(1500, [](int i) { return i / 100 % 5 == 3 ? i % 2 : 10 + i % 29; }), 0, 3);
}

TEST_CASE("segmented_reduce of a few segments by offsets", "[device][tsan]") {
  const test::small_gpu gpu(1);
  const auto check = [](const std::vector<int>& lengths) {
    test::check_offsets<int, float>(lengths, gpuprim::plus{}, 1.0f, 4);
  };
  check({3, 0, 700, 1500, 2});
  check({5, 40000});                                                             // shares of few
  check(std::vector<int>(8, 9));                                                 // a row for each warp
  check(test::make_lengths(60, [](int i) { return i == 7 ? 900 : i % 5; }));     // one for the block
  check(std::vector<int>(20, 3600));                                             // blocks draw
  check(test::make_lengths(1100, [](int i) { return i == 7 ? 9000 : i % 3; }));  // shares of many
  test::check_offsets<std::uint64_t, test::affine>({1400, 0, 0, 5}, test::then{}, test::affine{1, 0});
}
