// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for few segments by offsets, in each of the ways in which its blocks meet.
#include "../../support/segmented_check.cuh"

TEST_CASE("few segments: blocks draw whole ones, or warps leave some to the block, or shares", "[device][tsan]") {
  const test::small_gpu gpu(3);
  const auto check = [](const std::vector<int>& lengths) {
    test::check_offsets<int, float>(lengths, gpuprim::plus{}, 1.0f, 4);
  };
  check(std::vector<int>(16, 3600));                                                // blocks draw
  check(test::make_lengths(40, [](int i) { return i == 17 ? 2500 : 1 + i % 4; }));  // one for the block
  check({5, 40000});                                                                // shares
}
