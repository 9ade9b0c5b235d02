// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting, finding and comparing: what can stop at the first hit does.
#include <gpuprim/search.cuh>

#include "../measure.hpp"

struct is_above {
  int limit;
  __host__ __device__ bool operator()(int x) const { return x > limit; }
};

int main() {
  std::vector<int> values;
  for (int i = 0; i < 70000; ++i) values.push_back(i / 2);
  const auto n = std::int64_t(values.size());
  const measure::device_array<int> array(values), equal_array(values);
  const int *in = array.data(), *copy = equal_array.data();
  // [search]
  const std::int64_t many = gpuprim::count_if_value(in, n, is_above{1000});
  const std::int64_t first = gpuprim::find_if_value(in, n, is_above{1000});
  const bool some = gpuprim::any_of_value(in, n, is_above{34999}), all = gpuprim::all_of_value(in, n, is_above{-1});
  const bool sorted = gpuprim::is_sorted_value(in, n), same = gpuprim::equal_value(in, copy, n);
  const std::int64_t differs = gpuprim::mismatch_value(in, copy, n);  // the first place at which they do, or n
  // [search]
  std::printf("%lld above 1000, the first at %lld; any above 34999: %d, all above -1: %d, sorted: %d, equal: %d\n",
              static_cast<long long>(many), static_cast<long long>(first), some, all, sorted, same);
  return many == n - 2002 && first == 2002 && !some && all && sorted && same && differs == n ? 0 : 1;
}
