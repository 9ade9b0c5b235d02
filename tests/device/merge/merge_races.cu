// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small grids of the kernels of merges and set operations, for ThreadSanitizer.
#include "../../support/merge_check.cuh"

namespace {

constexpr auto few = test::merge_tiles(64, 3);

}  // namespace

TEST_CASE("A merge of few elements", "[device][tsan]") { test::check_merge<test::tagged, few>(300, 330); }

TEST_CASE("Set operations of few elements", "[device][tsan]") { test::check_sets<test::tagged, few>(500, 530, 3); }
