// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/thread/thread_sort.cuh>

#include "../support/sort_check.cuh"

#include <functional>
#include <string>

namespace {

template <int Items>
void check_all_sequences() {
  CAPTURE(Items);
  for (int bits = 0; bits < 1 << Items; ++bits) {
    std::vector<test::tagged> want;
    test::tagged keys[Items], alone[Items];
    int places[Items], rising[Items];
    for (int i = 0; i < Items; ++i) {
      keys[i] = alone[i] = {short(bits >> i & 1), static_cast<unsigned short>(i)};
      places[i] = i;
      want.push_back(keys[i]);
    }
    std::stable_sort(want.begin(), want.end(), test::by_part{});
    gpuprim::thread_sort(alone, test::by_part{});
    gpuprim::thread_sort(keys, places, test::by_part{});
    for (int i = 0; i < Items; ++i) {
      REQUIRE(keys[i] == want[std::size_t(i)]);
      REQUIRE(alone[i] == keys[i]);
      REQUIRE(places[i] == keys[i].tag);
    }
    if constexpr ((Items & (Items - 1)) == 0) {  // every bitonic sequence of zeros and ones
      for (int from = 0; from < Items; ++from) {
        const int ones = __builtin_popcount(unsigned(bits));
        for (int i = 0; i < Items; ++i) rising[(from + i) % Items] = i < ones;
        gpuprim::thread_bitonic_merge(rising, std::less<>{});
        for (int i = 0; i < Items; ++i) REQUIRE(rising[i] == (i >= Items - ones));
      }
    }
  }
}

constexpr bool sorts_in_constant_expressions() {
  int keys[] = {3, 1, 2};
  gpuprim::thread_sort(keys, std::greater<int>{});
  return keys[0] == 3 && keys[1] == 2 && keys[2] == 1;
}
static_assert(sorts_in_constant_expressions());

}  // namespace

TEST_CASE("thread sorts of every sequence of zeros and ones keep the order", "[thread]") {
  check_all_sequences<1>();
  check_all_sequences<2>();
  check_all_sequences<3>();
  check_all_sequences<4>();
  check_all_sequences<5>();
  check_all_sequences<7>();
  check_all_sequences<8>();
  check_all_sequences<11>();
}
