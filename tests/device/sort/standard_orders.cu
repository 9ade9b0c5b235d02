// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders, equalities and operators of std by name, over a type of the program's own whose operators both sides have.
#include <gpuprim/gpuprim.cuh>

#include "../../support/device.cuh"

#include <cuda_fp8.h>
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

using gpuprim::int128;
struct both_halves {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<std::int64_t, std::uint64_t> operator()(const int128& key) const {
    return {static_cast<std::int64_t>(key >> 64), static_cast<std::uint64_t>(key)};
  }
};
struct as_float {
  GPUPRIM_HOST_DEVICE float operator()(const __nv_fp8_e4m3& x) const { return static_cast<float>(x); }
};

}  // namespace

template <>
struct std::less<ranked> {
  GPUPRIM_HOST_DEVICE bool operator()(const ranked& a, const ranked& b) const { return b.key < a.key; }
};

TEST_CASE("orders of std by name mean the comparisons of the element", "[device][not_asan]") {
  const int n = 700;
  check_sorted<item>(n, std::less<>{},
                     [&](const item* in, item* out) { return gpuprim::sort(in, n, out, std::less<>{}); });
  check_sorted<item>(n, std::less<>{},
                     [&](const item* in, item* out) { return gpuprim::merge_sort(in, n, out, std::less<item>{}); });
  check_sorted<item>(n, std::greater<>{},
                     [&](const item* in, item* out) { return gpuprim::sort(in, n, out, std::greater<item>{}); });
  check_sorted<item>(128, std::greater<>{}, [&](const item* in, item* out) {
    return gpuprim::launch(sort_block<std::greater<>>, 1, 64, nullptr, in, out, std::greater<>{});
  });
  test::device_array<item> items(make_items<item>(n));
  test::device_array<gpuprim::extremum<item>> least(1);
  CUDA_OK(gpuprim::min_element.by(std::less<item>{})(items.data(), n, least.data()));
  const std::vector<item> all = make_items<item>(n);
  CHECK(least.download()[0].value == *std::min_element(all.begin(), all.end()));
}

TEST_CASE("a specialization of an order of std is the program's own", "[device][not_asan]") {
  const int n = 300;
  check_sorted<ranked>(n, std::less<ranked>{},
                       [&](const ranked* in, ranked* out) { return gpuprim::sort(in, n, out, std::less<ranked>{}); });
  static_assert(!gpuprim::detail::means_its_operator<std::less<ranked>>);
  static_assert(gpuprim::detail::means_its_operator<std::less<item>>);
}

TEST_CASE("operators of std by name mean the operator of the element", "[device][not_asan]") {
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

TEST_CASE("an equality of std by name means the == of the element", "[device][not_asan]") {
  std::vector<item> items, wanted;
  for (int i = 0; i < 400; ++i) items.push_back({i / 3, 0});
  for (int i = 0; i < 134; ++i) wanted.push_back({i, 0});
  test::device_array<item> in(items), out(wanted.size());
  test::device_array<int> count(1);
  CUDA_OK(gpuprim::unique(in.data(), 400, out.data(), count.data(), std::equal_to<item>{}));
  CHECK(count.download()[0] == 134);
  CHECK(out.download() == wanted);
}

TEST_CASE("integers of 128 bits and 8-bit floats are sorted by their digits", "[device][not_asan]") {
  const int n = 3000;
  std::vector<int128> wide;
  std::vector<__nv_fp8_e4m3> narrow;
  std::vector<float> floats;
  unsigned seed = 5;
  const auto next = [&] { return seed = seed * 1664525 + 1013904223; };
  for (int i = 0; i < n; ++i) {
    wide.push_back(static_cast<int128>(int(next()) % 3) * (int128(1) << 100) + int(next()));
    narrow.push_back(__nv_fp8_e4m3(float(int(next() >> 20) - 2048) / 16));
  }
  test::device_array<int128> in(wide), out(wide.size()), by_comparisons(wide.size());
  std::sort(wide.begin(), wide.end());
  CUDA_OK(gpuprim::sort(in.data(), n, out.data(), gpuprim::ascending.by(both_halves{})));
  CUDA_OK(gpuprim::sort(in.data(), n, by_comparisons.data()));
  CHECK(bool(out.download() == wide));
  CHECK(bool(by_comparisons.download() == wide));
  test::device_array<__nv_fp8_e4m3> in_short(narrow), out_short(narrow.size());
  CUDA_OK(gpuprim::sort(in_short.data(), n, out_short.data(), gpuprim::ascending.by(as_float{})));
  for (const __nv_fp8_e4m3& x : out_short.download()) floats.push_back(static_cast<float>(x));
  CHECK(std::is_sorted(floats.begin(), floats.end()));
}
