// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kernel of the sorts in a few small blocks, for ThreadSanitizer.
#include "../../support/bucket_sort_check.cuh"
#include "../../support/counting_sort_check.cuh"
#include "../../support/segmented_sort_check.cuh"
#include "../../support/small_gpu.cuh"

TEST_CASE("A radix sort in a cluster", "[device][tsan]") {
  test::check_sort<test::sort_in_clusters, unsigned short>(700, test::key_kind::random);
  test::check_sort<test::sort_in_clusters, unsigned short>(600, test::key_kind::random, {.is_in_place = true});
}

TEST_CASE("A radix sort in passes over memory", "[device][tsan]") {
  test::check_sort<test::sort_in_memory, unsigned short>(2600, test::key_kind::few_distinct);  // two parts
}

TEST_CASE("A sort of keys by buckets", "[device][tsan]") {
  using digits = gpuprim::detail::whole_digits<unsigned, gpuprim::sort_direction::ascending>;
  const auto keys = test::make_spread<unsigned>(2100, test::spread::with_cluster);
  test::check_bucket_sort<test::sort_few_in_two_passes, digits, gpuprim::detail::no_values>(keys, false);
}

TEST_CASE("A sort of pairs by buckets, of which one is large", "[device][tsan]") {
  using digits = gpuprim::detail::all_digits<unsigned, gpuprim::sort_direction::descending>;
  std::vector<unsigned> keys = test::make_spread<unsigned>(4200, test::spread::evenly);
  for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] = 1000 + unsigned(i % 3);
  const auto found = test::check_bucket_sort<test::sort_few_in_one_pass, digits, int>(keys, true);
  CHECK(found.large == 1);
}

TEST_CASE("A sort by counting", "[device][tsan]") {
  using digits = gpuprim::detail::whole_digits<unsigned char, gpuprim::sort_direction::ascending>;
  test::check_counting<digits>(test::make_keys<unsigned char>(5003, test::key_kind::few_distinct), 1, false);
}

TEST_CASE("A sort of segments of every class", "[device][tsan]") {
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>({3, 700, 8, 0, 15, 30, 60, 100, 200, 5, 600},
                                                                       test::key_kind::few_distinct);
}

TEST_CASE("A sort of segments of every class in place", "[device][tsan]") {
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>({3, 8, 4, 15, 30, 60, 100, 200, 600},
                                                                       test::key_kind::random, {.is_in_place = true});
  // Zeros of both signs, which lanes write where others have read.
  test::check_segmented_sort<test::sort_tiny_segments, float>({3, 8, 15, 30, 40}, test::key_kind::extreme,
                                                              {.is_in_place = true});
}

TEST_CASE("A sort of more segments than all blocks look at together", "[device][tsan]") {
  const test::small_gpu gpu(1);
  std::vector<int> lengths(2200, 1);
  for (std::size_t i = 0; i < lengths.size(); i += 7) lengths[i] = 2 + int(i % 5);
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>(lengths, test::key_kind::random);
}

TEST_CASE("A sort of more long rows than there are blocks", "[device][tsan]") {
  const test::small_gpu gpu(1);
  constexpr int length = 193, rows = 33, n = rows * length;
  const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
  const auto digits = gpuprim::detail::digits_of<unsigned>(gpuprim::ascending);
  using sorter = gpuprim::detail::segmented_sorter<test::sort_tiny_segments, std::remove_const_t<decltype(digits)>,
                                                   unsigned, gpuprim::detail::no_values>;
  test::device_array<unsigned> in(keys), out(n);
  gpuprim::workspace workspace(sorter::find_workspace_size(n, rows));
  const auto done = gpuprim::detail::run_segmented_sort(
      sorter{digits, n, 0, 32}, gpuprim::detail::spans_of_length{length, rows},
      static_cast<const unsigned*>(in.data()), gpuprim::detail::no_values{}, {out.data(), nullptr},
      {.workspace = &workspace});
  REQUIRE(done.code == cudaSuccess);
  auto want = keys;
  for (int row = 0; row < rows; ++row) std::sort(want.begin() + row * length, want.begin() + (row + 1) * length);
  CHECK(out.download() == want);
  out.check_guards();
}
