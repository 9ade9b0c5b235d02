// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace bench {

/// How keys lie before they are sorted.
enum class key_order { random, all_equal, few_distinct, sorted, reversed, zipf, normal };

/// What a sort or a top-k reads and writes.
struct key_pass {
  const void *keys, *values;
  std::int64_t n;
  void *keys_out, *values_out;
};

}  // namespace bench
