// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/gpuprim.cuh>

#include "../../support/family_check.cuh"

#include <algorithm>

// Every call of the device over elements that several wide loads bring where the first begins at a 16-byte boundary,
// and that are read as they are aligned elsewhere.
namespace {

struct item {
  std::uint64_t parts[4];
  friend bool operator==(const item&, const item&) = default;
};

/// With nothing known of it, so that the order is kept.
struct add_in_order {
  GPUPRIM_HOST_DEVICE item operator()(const item& a, const item& b) const {
    item sum{};
    for (int i = 0; i < 4; ++i) sum.parts[i] = a.parts[i] + b.parts[i];
    return sum;
  }
};
struct add : add_in_order {};

struct less_by_last {
  GPUPRIM_HOST_DEVICE bool operator()(const item& a, const item& b) const { return a.parts[3] < b.parts[3]; }
};
struct is_fifth {
  GPUPRIM_HOST_DEVICE bool operator()(const item& v) const { return v.parts[2] % 5 == 3; }
};
struct weigh {
  GPUPRIM_HOST_DEVICE std::uint64_t operator()(const item& v) const { return v.parts[0] + 3 * v.parts[3]; }
  GPUPRIM_HOST_DEVICE std::uint64_t operator()(const item& a, const item& b) const { return a.parts[0] * b.parts[3]; }
};

constexpr add_in_order in_order;
constexpr item zero{};

/// Some runs of up to three that are alike.
std::vector<item> make_items(std::int64_t n) {
  std::vector<item> items;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t r = test::scramble(std::uint64_t(i / 3));
    items.push_back({{r, r >> 3, r % 100, r % 777}});
  }
  return items;
}

item sum_of(const std::vector<item>& items, std::int64_t begin, std::int64_t end) {
  item sum{};
  for (std::int64_t i = begin; i < end; ++i) sum = in_order(sum, items[std::size_t(i)]);
  return sum;
}

struct items_on_device {
  std::vector<item> items;
  test::device_array<item> array;
  std::int64_t n;

  items_on_device(std::int64_t count, std::size_t misalignment)
      : items(make_items(count)), array(items, misalignment), n(count) {}
  const item* in() const { return array.data(); }
};

template <class Check>
void at_boundary_and_not(std::initializer_list<std::int64_t> sizes, const Check& check) {
  for (std::int64_t n : sizes) {
    for (std::size_t misalignment : {0, 8}) {
      CAPTURE(n, misalignment);
      items_on_device given(n, misalignment);
      check(given);
      given.array.check_unchanged();
    }
  }
}

}  // namespace

template <>
inline constexpr bool gpuprim::is_commutative<add, item> = true;
template <>
struct gpuprim::identity_element<add, item> {
  GPUPRIM_HOST_DEVICE static constexpr item value() { return {}; }
};

TEST_CASE("reduces of long elements", "[device][sanitizer][not_asan]") {
  at_boundary_and_not({1, 700, 2003}, [](const items_on_device& given) {
    const item want = sum_of(given.items, 0, given.n);
    std::uint64_t weight = 0, product = 0;
    for (const item& v : given.items) weight += weigh{}(v), product += weigh{}(v, v);
    const auto* in = given.in();
    const std::int64_t n = given.n;
    const gpuprim::plus<> plus;
    CHECK(bool(gpuprim::reduce_value(in, n, in_order, zero) == want));
    CHECK(bool(gpuprim::reduce_value(in, n, add{}) == want));
    const auto again = test::result_of<item>(
        [&](auto out) { return gpuprim::reduce(gpuprim::reproducible, in, n, out, in_order, zero); });
    CHECK(bool(again == want));
    CHECK(gpuprim::transform_reduce_value(in, n, plus, weigh{}, std::uint64_t{1}) == weight + 1);
    CHECK(gpuprim::transform_reduce_value(in, in, n, plus, weigh{}, std::uint64_t{1}) == product + 1);
    const auto [sum, some] = gpuprim::reduce_into_value(in, n, gpuprim::fused(add{}, gpuprim::counted(is_fifth{})));
    CHECK(bool(sum == want));
    CHECK(some == std::count_if(given.items.begin(), given.items.end(), is_fifth{}));
  });
}

TEST_CASE("extrema and searches of long elements", "[device][sanitizer][not_asan]") {
  at_boundary_and_not({1, 700, 2003}, [](const items_on_device& given) {
    const auto* in = given.in();
    const std::int64_t n = given.n;
    const auto begin = given.items.begin(), end = given.items.end();
    const auto least = gpuprim::min_element.by(less_by_last{});
    const auto most = gpuprim::max_element.by(less_by_last{});
    const auto both = gpuprim::reduce_into_value(in, n, gpuprim::fused(least, most));
    CHECK(both.first.position == std::min_element(begin, end, less_by_last{}) - begin);
    CHECK(both.rest.first.position == std::max_element(begin, end, less_by_last{}) - begin);
    CHECK(gpuprim::find_if_value(in, n, is_fifth{}) == std::find_if(begin, end, is_fifth{}) - begin);
    CHECK(gpuprim::equal_value(in, in, n));
    CHECK(gpuprim::is_sorted_value(in, n, less_by_last{}) == std::is_sorted(begin, end, less_by_last{}));
  });
}

TEST_CASE("segments and columns of long elements", "[device][sanitizer][not_asan]") {
  at_boundary_and_not({700, 2003}, [](const items_on_device& given) {
    std::vector<int> offsets{0};
    while (offsets.back() < given.n) {
      offsets.push_back(std::min(int(given.n), offsets.back() + int(offsets.size() % 7) * 5));
    }
    const auto segments = std::int64_t(offsets.size()) - 1;
    std::vector<item> want;
    for (std::int64_t i = 0; i < segments; ++i) {
      want.push_back(sum_of(given.items, offsets[std::size_t(i)], offsets[std::size_t(i) + 1]));
    }
    test::device_array<int> where(offsets);
    const auto check = [&](const std::vector<item>& sums, const auto& call) {
      test::device_array<item> output(std::int64_t(sums.size()));
      CUDA_OK(call(output.data()));
      CHECK(bool(output.download() == sums));
      output.check_guards();
    };
    const gpuprim::segment_bounds bounds{where.data(), where.data() + 1};
    const auto* in = given.in();
    check(want, [&](item* out) { return gpuprim::segmented_reduce(in, where.data(), segments, out, in_order, zero); });
    check(want, [&](item* out) { return gpuprim::segmented_reduce(in, where.data(), segments, out, add{}); });
    check(want, [&](item* out) { return gpuprim::segmented_reduce(in, bounds, segments, out, in_order, zero); });
    check(want, [&](item* out) { return gpuprim::segmented_reduce(in, bounds, segments, out, add{}); });
    const int columns = 11;
    const std::int64_t rows = given.n / columns;
    std::vector<item> of_rows, of_columns(std::size_t(columns), zero);
    for (std::int64_t row = 0; row < rows; ++row) {
      of_rows.push_back(sum_of(given.items, row * columns, (row + 1) * columns));
      for (int i = 0; i < columns; ++i) {
        item& sum = of_columns[std::size_t(i)];
        sum = in_order(sum, given.items[std::size_t(row * columns + i)]);
      }
    }
    const gpuprim::fixed_length fixed{columns};
    check(of_rows, [&](item* out) { return gpuprim::segmented_reduce(in, fixed, rows, out, in_order, zero); });
    check(of_rows, [&](item* out) { return gpuprim::segmented_reduce(in, fixed, rows, out, add{}); });
    check(of_columns, [&](item* out) { return gpuprim::column_reduce(in, rows, columns, out, add{}); });
  });
}

TEST_CASE("runs of long elements", "[device][sanitizer][not_asan]") {
  at_boundary_and_not({1, 700, 2003}, [](const items_on_device& given) {
    std::vector<item> keys, sums;
    std::vector<int> lengths;
    for (const item& v : given.items) {
      if (keys.empty() || !(keys.back() == v)) {
        keys.push_back(v);
        sums.push_back(zero);
        lengths.push_back(0);
      }
      sums.back() = in_order(sums.back(), v);
      ++lengths.back();
    }
    const auto runs = std::int64_t(keys.size());
    const auto* in = given.in();
    test::device_array<item> keys_out(runs), sums_out(runs);
    test::device_array<int> lengths_out(runs), count(1);
    CUDA_OK(gpuprim::run_length_encode(in, given.n, keys_out.data(), lengths_out.data(), count.data()));
    CHECK(count.download()[0] == runs);
    CHECK(bool(keys_out.download() == keys));
    CHECK(lengths_out.download() == lengths);
    CUDA_OK(gpuprim::reduce_by_key(in, in, given.n, keys_out.data(), sums_out.data(), count.data(), in_order));
    CHECK(bool(sums_out.download() == sums));
    keys_out.check_guards();
    sums_out.check_guards();
  });
}

namespace {

/// Of more bytes than kernels unroll.
struct page {
  int parts[256];
  friend bool operator==(const page&, const page&) = default;
};

/// The first part is that of the first page, the last one that of the last page: it does not commute.
struct follow {
  GPUPRIM_HOST_DEVICE page operator()(const page& a, const page& b) const {
    page both = a;
    for (int i = 1; i < 255; ++i) both.parts[i] += b.parts[i];
    both.parts[255] = b.parts[255];
    return both;
  }
};
struct add_pages {
  GPUPRIM_HOST_DEVICE page operator()(const page& a, const page& b) const {
    page sum = a;
    for (int i = 0; i < 256; ++i) sum.parts[i] += b.parts[i];
    return sum;
  }
};

}  // namespace

template <>
inline constexpr bool gpuprim::is_commutative<add_pages, page> = true;
template <>
struct gpuprim::identity_element<add_pages, page> {
  GPUPRIM_HOST_DEVICE static constexpr page value() { return {}; }
};

TEST_CASE("reduces of elements of 1 KiB", "[device][sanitizer][not_asan]") {
  for (int n : {1, 33, 700}) {
    std::vector<page> pages(static_cast<std::size_t>(n));
    page sum{}, cut{};
    for (int k = 0; k < n; ++k) {
      page& own = pages[std::size_t(k)];
      for (int i = 0; i < 256; ++i) own.parts[i] = k * 31 + i;
      sum = add_pages{}(sum, own);
      cut = k == 0 ? own : follow{}(cut, own);
    }
    test::device_array<page> input(pages);
    CHECK(bool(gpuprim::reduce_value(input.data() + 1, n - 1, follow{}, pages[0]) == cut));
    CHECK(bool(gpuprim::reduce_value(input.data(), n, add_pages{}) == sum));
    input.check_unchanged();
  }
}
