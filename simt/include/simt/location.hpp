// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in the kernel an operation stands, for diagnostics.
#pragma once

namespace simt {

// Not std::source_location: clang 14 with libstdc++ 12 has none.
struct location {
  const char* file = "?";
  unsigned line = 0;

  static constexpr location current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

bool same_place(location, location);

}  // namespace simt

// Last parameter of every operation that a diagnosis may have to name.
#define SIMT_HERE ::simt::location here = ::simt::location::current()
