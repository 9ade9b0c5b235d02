// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/thread/thread_search.cuh>

#include "../support/reduce_check.cuh"

#include <algorithm>
#include <functional>

namespace {

constexpr int few[] = {1, 3, 3, 8};
static_assert(gpuprim::thread_lower_bound(few, 4, 3) == 1 && gpuprim::thread_upper_bound(few, 4, 3) == 3);
static_assert(gpuprim::thread_binary_search(few, 4, 8L) && !gpuprim::thread_binary_search(few, 4, 2.5));
static_assert(gpuprim::thread_lower_bound(few, 0, 3) == 0);

template <class Less>
__global__ void search_bounds(const int* sorted, std::int64_t n, int first, int* lower, int* upper, bool* is_there,
                              Less less) {
  const int i = int(threadIdx.x);
  lower[i] = int(gpuprim::thread_lower_bound(sorted, n, first + i, less));
  upper[i] = int(gpuprim::thread_upper_bound(sorted, n, first + i, less));
  is_there[i] = gpuprim::thread_binary_search(sorted, n, first + i, less);
}

template <class Less>
void check_bounds(int n, Less less) {
  CAPTURE(n);
  constexpr int values = 160, first = -30;
  std::vector<int> sorted;
  for (int i = 0; i < n; ++i) sorted.push_back(int(test::scramble(i) % 100));
  std::sort(sorted.begin(), sorted.end(), less);
  test::device_array<int> in(sorted), lower(values), upper(values);
  test::device_array<bool> is_there(values);
  CUDA_OK(gpuprim::launch(&search_bounds<Less>, 1, values, nullptr, in.data(), std::int64_t(n), first, lower.data(),
                          upper.data(), is_there.data(), less));
  const auto low = lower.download(), high = upper.download();
  const auto found = is_there.download();
  bool is_right = true;
  for (int i = 0; i < values; ++i) {
    const auto at = static_cast<std::size_t>(i);
    is_right &= low[at] == std::lower_bound(sorted.begin(), sorted.end(), first + i, less) - sorted.begin();
    is_right &= high[at] == std::upper_bound(sorted.begin(), sorted.end(), first + i, less) - sorted.begin();
    is_right &= found[at] == std::binary_search(sorted.begin(), sorted.end(), first + i, less);
  }
  CHECK(is_right);
}

}  // namespace

TEST_CASE("A thread searches in a sorted array", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 3, 64, 1001}) {
    check_bounds(n, std::less<>{});
    check_bounds(n, std::greater<int>{});
  }
}
