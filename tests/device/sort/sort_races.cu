// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kernel of the sorts in a few small blocks, for ThreadSanitizer.
#include "../../support/radix_sort_check.cuh"

TEST_CASE("A radix sort in a cluster", "[device][tsan]") {
  test::check_sort<test::sort_in_clusters, unsigned short>(700, test::key_kind::random);
}

TEST_CASE("A radix sort in passes over memory", "[device][tsan]") {
  test::check_sort<test::sort_in_memory, unsigned short>(2600, test::key_kind::few_distinct);  // two parts
}
