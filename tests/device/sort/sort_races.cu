// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kernel of the sorts in a few small blocks, for ThreadSanitizer.
#include "../../support/segmented_sort_check.cuh"

TEST_CASE("A radix sort in a cluster", "[device][tsan]") {
  test::check_sort<test::sort_in_clusters, unsigned short>(700, test::key_kind::random);
}

TEST_CASE("A radix sort in passes over memory", "[device][tsan]") {
  test::check_sort<test::sort_in_memory, unsigned short>(2600, test::key_kind::few_distinct);  // two parts
}

TEST_CASE("A sort of segments of every class", "[device][tsan]") {
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>({3, 700, 8, 0, 15, 30, 60, 100, 200, 5, 600},
                                                                       test::key_kind::few_distinct);
}
