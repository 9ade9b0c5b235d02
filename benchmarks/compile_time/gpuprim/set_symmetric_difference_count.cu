// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/merge.cuh>

std::int64_t call(const unsigned* a, long long a_count, const unsigned* b, long long b_count, unsigned* out) {
  return gpuprim::set_symmetric_difference_count(a, a_count, b, b_count, out);
}
