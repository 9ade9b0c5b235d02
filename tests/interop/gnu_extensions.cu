// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled with the extensions of GNU C++ in a SIMT tree: the standard library then counts 128-bit integers as
// integers.
#include "../support/joined_types.cuh"

TEST_CASE("128-bit integers with the extensions of GNU C++", "[device][not_asan]") { test::check_wide_integers(); }
