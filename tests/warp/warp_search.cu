// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_search.cuh>

#include "../support/reduce_check.cuh"

#include <algorithm>

namespace {

struct falls {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a > b; }
};

/// Each tile of a block searches for one value; lanes write what they found.
template <int Size, class Less>
__global__ void search_together(const int* sorted, std::int64_t n, int first, int* lower, int* upper, bool* is_there,
                                Less less) {
  const gpuprim::warp_tile<Size> tile;
  const int i = int(threadIdx.x), value = first + i / Size;
  lower[i] = int(gpuprim::warp_lower_bound(tile, sorted, n, value, less));
  upper[i] = gpuprim::warp_upper_bound(tile, sorted, int(n), value, less);
  is_there[i] = gpuprim::warp_binary_search(tile, sorted, n, value, less);
}

template <int Size, class Less>
void check_together(int n, Less less) {
  CAPTURE(Size, n);
  constexpr int lanes = 128;
  std::vector<int> sorted;
  for (int i = 0; i < n; ++i) sorted.push_back(int(test::scramble(i) % 25));
  std::sort(sorted.begin(), sorted.end(), less);
  test::device_array<int> in(sorted), lower(lanes), upper(lanes);
  test::device_array<bool> is_there(lanes);
  for (int first : {-1, 8, 22}) {
    CUDA_OK(gpuprim::launch(&search_together<Size, Less>, 1, lanes, nullptr, in.data(), std::int64_t(n), first,
                            lower.data(), upper.data(), is_there.data(), less));
    const auto low = lower.download(), high = upper.download();
    const auto found = is_there.download();
    bool is_right = true;
    for (int i = 0; i < lanes; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int value = first + i / Size;
      is_right &= low[at] == std::lower_bound(sorted.begin(), sorted.end(), value, less) - sorted.begin();
      is_right &= high[at] == std::upper_bound(sorted.begin(), sorted.end(), value, less) - sorted.begin();
      is_right &= found[at] == std::binary_search(sorted.begin(), sorted.end(), value, less);
    }
    CHECK(is_right);
  }
}

/// Says how often a lane compares.
struct counting_order {
  int* count;
  __device__ bool operator()(int a, int b) const {
    ++*count;
    return a < b;
  }
};

template <int Size>
__global__ void count_comparisons(const int* sorted, int n, int value, int* counts, int* found) {
  const unsigned i = threadIdx.x;
  counts[i] = 0;
  found[i] = gpuprim::warp_lower_bound(gpuprim::warp_tile<Size>{}, sorted, n, value, counting_order{counts + i});
}

template <int Size>
void check_comparisons(int most) {
  constexpr int n = 1000, value = 777;
  std::vector<int> sorted;
  for (int i = 0; i < n; ++i) sorted.push_back(i);
  test::device_array<int> in(sorted), counts(32), found(32);
  test::run(count_comparisons<Size>, 1, 32, 0, in.data(), n, value, counts.data(), found.data());
  CHECK(found.download() == std::vector<int>(32, value));
  for (int count : counts.download()) CHECK(count <= most);
}

}  // namespace

TEST_CASE("A tile of one lane compares no more often than a thread", "[device]") {
  check_comparisons<1>(10);
  check_comparisons<31>(10);  // whose last tile has one lane
  check_comparisons<32>(3);
}

TEST_CASE("The lanes of a tile search together in a sorted array", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 31, 32, 33, 1000, 1025}) {
    check_together<32>(n, std::less<>{});
    check_together<8>(n, falls{});
    test::unless_sanitized([&](auto) {
      check_together<1>(n, std::less<>{});
      check_together<16>(n, std::less<>{});
    });
  }
}
