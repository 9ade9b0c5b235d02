// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders, equalities and operators of std by name, over a type of the program's own whose operators both sides have.
#include <gpuprim/gpuprim.cuh>

#include "../../support/device.cuh"

#include <functional>

namespace {

struct item {
  int key, tag;
  friend bool operator==(const item&, const item&) = default;
};
GPUPRIM_HOST_DEVICE bool operator<(const item& a, const item& b) { return a.key < b.key; }
GPUPRIM_HOST_DEVICE bool operator>(const item& a, const item& b) { return b < a; }
/// Joins strings of which only the first and the last character are kept: associative, and not commutative.
GPUPRIM_HOST_DEVICE item operator+(const item& a, const item& b) { return {a.key, b.tag}; }

/// An item of which a program has its own idea what comes first.
struct ranked {
  int key, tag;
  friend bool operator==(const ranked&, const ranked&) = default;
};
[[maybe_unused]] GPUPRIM_HOST_DEVICE bool operator<(const ranked& a, const ranked& b) { return a.key < b.key; }

template <class T>
std::vector<T> make_items(int n) {
  std::vector<T> items(static_cast<std::size_t>(n));
  unsigned seed = 3;
  for (int i = 0; i < n; ++i) items[std::size_t(i)] = {int((seed = seed * 1664525 + 1013904223) >> 24), i};
  return items;
}

template <class T, class Less, class Call>
void check_sorted(int n, const Less& less, const Call& call) {
  std::vector<T> wanted = make_items<T>(n);
  test::device_array<T> in(wanted), out(wanted.size());
  std::stable_sort(wanted.begin(), wanted.end(), less);
  CUDA_OK(call(in.data(), out.data()));
  CHECK(out.download() == wanted);
}

template <class Less>
__global__ void sort_block(const item* in, item* out, Less less) {
  const gpuprim::this_block block;
  item mine[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  gpuprim::block_sort<64>(block, mine, less);
  out[2 * threadIdx.x] = mine[0], out[2 * threadIdx.x + 1] = mine[1];
}

}  // namespace

template <>
struct std::less<ranked> {
  GPUPRIM_HOST_DEVICE bool operator()(const ranked& a, const ranked& b) const { return b.key < a.key; }
};

TEST_CASE("orders of std by name mean the comparisons of the element", "[device][few_schedules][not_asan]") {
  const int n = 700;
  check_sorted<item>(n, std::less<>{}, [&](const item* in, item* out) {
    return gpuprim::sort(in, n, out, std::less<>{});
  });
  check_sorted<item>(n, std::less<>{}, [&](const item* in, item* out) {
    return gpuprim::merge_sort(in, n, out, std::less<item>{});
  });
  check_sorted<item>(n, std::greater<>{}, [&](const item* in, item* out) {
    return gpuprim::sort(in, n, out, std::greater<item>{});
  });
  check_sorted<item>(128, std::greater<>{}, [&](const item* in, item* out) {
    return gpuprim::launch(sort_block<std::greater<>>, 1, 64, nullptr, in, out, std::greater<>{});
  });
  test::device_array<item> items(make_items<item>(n));
  test::device_array<gpuprim::extremum<item>> least(1);
  CUDA_OK(gpuprim::min_element.by(std::less<item>{})(items.data(), n, least.data()));
  const std::vector<item> all = make_items<item>(n);
  CHECK(least.download()[0].value == *std::min_element(all.begin(), all.end()));
}

TEST_CASE("a specialization of an order of std is the program's own", "[device][few_schedules][not_asan]") {
  const int n = 300;
  check_sorted<ranked>(n, std::less<ranked>{}, [&](const ranked* in, ranked* out) {
    return gpuprim::sort(in, n, out, std::less<ranked>{});
  });
  static_assert(!gpuprim::detail::means_its_operator<std::less<ranked>>);
  static_assert(gpuprim::detail::means_its_operator<std::less<item>>);
}

TEST_CASE("operators of std by name mean the operator of the element", "[device][few_schedules][not_asan]") {
  const int n = 500;
  const std::vector<item> items = make_items<item>(n);
  test::device_array<item> in(items), out(items.size()), total(1);
  CUDA_OK(gpuprim::reduce(in.data(), n - 1, total.data(), std::plus<>{}, items.back()));
  CHECK(total.download()[0] == item{items.back().key, items[std::size_t(n) - 2].tag});
  CUDA_OK(gpuprim::inclusive_scan(in.data(), n, out.data(), std::plus<item>{}));
  std::vector<item> wanted;
  for (const item& i : items) wanted.push_back({items[0].key, i.tag});
  CHECK(out.download() == wanted);
}

TEST_CASE("an equality of std by name means the == of the element", "[device][few_schedules][not_asan]") {
  std::vector<item> items, wanted;
  for (int i = 0; i < 400; ++i) items.push_back({i / 3, 0});
  for (int i = 0; i < 134; ++i) wanted.push_back({i, 0});
  test::device_array<item> in(items), out(wanted.size());
  test::device_array<int> count(1);
  CUDA_OK(gpuprim::unique(in.data(), 400, out.data(), count.data(), std::equal_to<item>{}));
  CHECK(count.download()[0] == 134);
  CHECK(out.download() == wanted);
}
