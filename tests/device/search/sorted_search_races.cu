// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small grid of the kernels of searches for sorted values, for ThreadSanitizer.
#include "../../support/search_check.cuh"

TEST_CASE("Bounds of few values", "[device][tsan]") {
  test::check_bounds<test::merge_tiles(32, 1)>(test::make_numbers<int>(3001, 2500),
                                               test::make_numbers<int>(1400, 2600));
  test::check_bounds<test::merge_tiles(64, 1)>(test::make_numbers<test::long_number>(7001, 2500),
                                               test::make_numbers<test::long_number>(1400, 2600));
}
