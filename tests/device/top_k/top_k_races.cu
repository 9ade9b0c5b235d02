// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each step of a top-k in a few small blocks, for TSan.
#include "../../support/small_gpu.cuh"
#include "../../support/top_k_check.cuh"

namespace {

using gpuprim::largest, gpuprim::smallest;
using test::counted_top_k, test::key_shape, test::sampled_top_k;

/// The three largest keys of each row.
void check_rows(int rows, int length) {
  const auto keys = test::make_keys<int>(rows * length, key_shape::random);
  test::device_array<int> in(keys), out(std::size_t(rows * 3));
  const test::detail::even_rows all({length, rows});
  using launch = test::detail::top_k_launch<sampled_top_k>;
  gpuprim::workspace workspace(launch::find_workspace<std::uint32_t, test::top_k_form::sorted>(all, 3));
  const gpuprim::options how{nullptr, &workspace};
  CUDA_OK(test::detail::top_k_of<sampled_top_k>(in.data(), all, 3, out.data(), largest.sorted(),
                                                test::detail::launch_chosen{how})
              .report());
  const auto got = out.download();
  for (int row = 0; row < rows; ++row) {
    std::vector<int> want(keys.begin() + row * length, keys.begin() + (row + 1) * length);
    std::sort(want.rbegin(), want.rend());
    for (int i = 0; i < 3; ++i) CHECK(got[std::size_t(3 * row + i)] == want[std::size_t(i)]);
  }
  test::check_zero(workspace);
}

}  // namespace

TEST_CASE("The k largest of keys that are counted", "[device][tsan]") {
  test::check_top_k<counted_top_k>(test::make_keys<int>(100, key_shape::random), 9, smallest.sorted());
  test::check_top_k<counted_top_k>(test::make_keys<int>(900, key_shape::few), 300, largest, 4);
}

TEST_CASE("The k largest of keys that are sampled", "[device][tsan]") {
  test::check_top_k<sampled_top_k>(test::make_keys<int>(1500, key_shape::random), 5, largest.sorted());
  test::check_top_k<sampled_top_k>(test::make_keys<int>(3000, key_shape::few), 100, largest);  // many candidates
  test::check_top_k<test::reaching_top_k>(test::make_keys<int>(5000, key_shape::random), 170, largest.sorted());
  // Blocks count digits of the candidates without having reserved room for these first.
  test::check_top_k<test::reaching_top_k>(test::make_keys<int>(4200, key_shape::random), 120, largest);
}

TEST_CASE("More sorted results than a block sorts, in rounds", "[device][tsan]") {
  test::check_top_k<counted_top_k>(test::make_keys<unsigned short>(2500, key_shape::random), 2100, smallest.sorted());
}

TEST_CASE("The k largest of rows in teams and alone", "[device][tsan]") {
  check_rows(2, 600);
  check_rows(530, 9);  // more than there are blocks
}

TEST_CASE("The k largest of rows of which a block takes several", "[device][tsan]") {
  const test::small_gpu gpu(1);
  check_rows(35, 200);  // more than a block holds in its registers
  check_rows(35, 600);  // sampled
}

TEST_CASE("The k largest of rows by clusters", "[device][tsan]") {
  constexpr auto policy = test::clustered_top_k(4, 1);
  const auto random = test::make_keys<int>(1500, key_shape::random), few = test::make_keys<int>(1500, key_shape::few);
  test::check_top_k<policy>(random, 9, largest.sorted());
  test::check_top_k<policy>(random, 40, largest.sorted());  // more entries than a warp has lanes, in one bin
  test::check_top_k<policy>(random, 300, smallest);         // counted by digits
  test::check_top_k<policy>(few, 9, largest.sorted());      // as many are equal as one block ranks, which it merges
  const auto equal = test::make_keys<short>(3000, key_shape::equal);
  test::check_top_k<policy>(equal, 5, largest);      // more than that: places are counted
  test::check_top_k<policy>(equal, 2500, smallest);  // more results than one block ranks
}

TEST_CASE("The k largest of rows of which a cluster takes several", "[device][tsan]") {
  constexpr auto policy = test::clustered_top_k(1, 1);
  constexpr std::int64_t rows = 1030, length = 70, k = 3;
  const auto keys = test::make_keys<int>(rows * length, key_shape::few);
  std::vector<int> ks(rows, k);
  ks[1] = 0;  // before another row of the same cluster
  test::device_array<int> in(keys), counts(ks), out(std::size_t(rows * k));
  const test::detail::counted_rows<test::detail::even_rows, const int*> all({{length, rows}}, counts.data());
  CUDA_OK(test::detail::top_k_of<policy>(in.data(), all, k, out.data(), largest,
                                         test::detail::launch_chosen{gpuprim::options{}})
              .report());
  const auto results = out.download();
  for (std::int64_t i = 0; i < rows * k; ++i) CHECK((results[std::size_t(i)] == 2 || i / k == 1));
}
