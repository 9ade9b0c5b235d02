// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace bench {

/// How keys lie before they are sorted.
enum class key_order {
  random,
  all_equal,
  few_distinct,
  sorted,
  nearly_sorted,
  reversed,
  below_2_20,
  upper_shared,
  exponential,
  zipf,
  reciprocal,
  with_outliers,
  normal
};

/// What a sort or a top-k reads and writes.
struct key_pass {
  const void *keys, *values;
  std::int64_t n;
  void *keys_out, *values_out;
};

}  // namespace bench
