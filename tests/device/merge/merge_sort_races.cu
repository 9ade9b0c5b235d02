// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small grids of the kernels of merge sorts, for ThreadSanitizer.
#include "../../support/merge_sort_check.cuh"

TEST_CASE("A merge sort of three passes", "[device][tsan]") {
  constexpr auto little = test::sort_tiles(64, 3);
  test::check_merge_sort<test::tagged, little>(test::make_keys<test::tagged>(900), test::place::in_place);
}
