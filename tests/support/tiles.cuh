// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace test {

/// Calls `go.template operator()<Cooperative, Size>()` for tiles of cooperative groups of every size, and for some of
/// gpuprim::warp_tile.
template <class Go>
void for_every_tile(const Go& go) {
  go.template operator()<true, 1>();
  go.template operator()<true, 2>();
  go.template operator()<true, 4>();
  go.template operator()<true, 8>();
  go.template operator()<true, 16>();
  go.template operator()<true, 32>();
  go.template operator()<false, 1>();
  go.template operator()<false, 8>();
  go.template operator()<false, 32>();
}

}  // namespace test
