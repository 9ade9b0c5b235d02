// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small grids of the kernels of merges and set operations, for ThreadSanitizer.
#include "../../support/merge_check.cuh"
#include "../../support/small_gpu.cuh"

#include <functional>

namespace {

constexpr auto few = test::merge_tiles(64, 3);

}  // namespace

TEST_CASE("A merge of few elements", "[device][tsan]") { test::check_merge<test::tagged, few>(300, 330); }

TEST_CASE("Set operations of few elements", "[device][tsan]") { test::check_sets<test::tagged, few>(500, 530, 3); }

TEST_CASE("A merge and set operations of tiles that bulk copies bring", "[device][tsan]") {
  constexpr auto many = test::merge_tiles(64, 1), several = test::merge_tiles(32, 3);
  const test::small_gpu gpu(1);
  const std::less<> less;
  test::check_merge<int, many>(3302, 3133, less, 4);  // arrays that end within a word
  test::check_sets<int, many>(1900, 1730, 3, less, 4);
  test::check_merge<int, several>(4102, 4033, less, 4);
  test::check_merge<test::tagged, several>(4300, 3930);
  test::check_sets<test::tagged, several>(1900, 1730, 3);
}
