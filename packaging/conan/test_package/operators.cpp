// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/core/operators.hpp>
#include <gpuprim/version.hpp>

#include <cstdio>

int main() {
  std::printf("gpuprim %d.%d.%d\n", GPUPRIM_VERSION_MAJOR, GPUPRIM_VERSION_MINOR, GPUPRIM_VERSION_PATCH);
  return gpuprim::plus{}(2, 3) == 5 && gpuprim::maximum{}(2, 3) == 3 ? 0 : 1;
}
