// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Top-k by a projection, of keys that are no numbers, against a stable sort.
#include "../../support/family_check.cuh"
#include "../../support/top_k_check.cuh"
#include "../../support/types.cuh"

namespace {

/// A key without an order of its own.
struct record {
  int number;
  float score;
  char name;
  friend bool operator==(const record&, const record&) = default;
};
struct score_of {
  GPUPRIM_HOST_DEVICE float operator()(const record& r) const { return r.score; }
};
struct last_bits {
  int bits;
  GPUPRIM_HOST_DEVICE std::uint64_t operator()(int x) const { return std::uint64_t(x) % (std::uint64_t{1} << bits); }
};

/// A number of the type that it is called with.
struct tenfold {
  template <class T>
  GPUPRIM_HOST_DEVICE T operator()(const T& x) const {
    return 10 * x;
  }
};

std::vector<record> make_records(std::int64_t n) {
  std::vector<record> all;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = test::scramble(std::uint64_t(i));
    all.push_back({int(i), float(int(bits % 997) - 500) / 8, char(bits % 100)});  // zeros of one sign
  }
  return all;
}

template <class Key, class Projection>
std::vector<std::int64_t> sorted_places(const std::vector<Key>& keys, Projection projection, bool are_largest,
                                        std::int64_t k) {
  std::vector<std::int64_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::int64_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) {
    const auto x = projection(keys[std::size_t(a)]), y = projection(keys[std::size_t(b)]);
    return are_largest ? x > y : x < y;
  });
  places.resize(std::size_t(std::min<std::int64_t>(k, std::int64_t(keys.size()))));
  return places;
}

/// Each of the three calls. `k` is far from most results of a row, so that all is in order or in any.
template <class Key, class Projection, gpuprim::top_k_form Form>
void check(const std::vector<Key>& keys, std::int64_t k, const gpuprim::top_k_order_by<Form, Projection>& order) {
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, k, sizeof(Key));
  auto places = sorted_places(keys, order.projection, order.order.end == gpuprim::top_k_end::largest, k);
  const test::device_array<Key> in(keys, alignof(Key));
  const std::size_t results = places.size();
  test::device_array<Key> out(results), by_position(results), by_value(results);
  test::device_array<std::int64_t> positions(results);
  test::device_array<int> values(results);
  const Key* const from = in.data();
  gpuprim::workspace ws(gpuprim::top_k_workspace_size<decltype(order.projection(keys[0]))>(n, k, order.order));
  const gpuprim::options how{.workspace = &ws};
  CUDA_OK(gpuprim::top_k(from, n, k, out.data(), order, how));
  CUDA_OK(gpuprim::top_k_positions(from, n, k, by_position.data(), positions.data(), order, how));
  CUDA_OK(gpuprim::top_k_pairs(from, gpuprim::positions<int>{}, n, k, by_value.data(), values.data(), order));
  const auto wanted_of = [&](const auto& at) {
    std::vector<Key> all;
    for (auto i : at) all.push_back(keys[std::size_t(i)]);
    return all;
  };
  const auto got_positions = positions.download();
  const auto got_values = values.download();
  CHECK(bool(by_position.download() == wanted_of(got_positions)));
  CHECK(bool(by_value.download() == wanted_of(got_values)));
  const auto in_order = [](auto all) {
    if (Form == gpuprim::top_k_form::unsorted) std::sort(all.begin(), all.end());
    return std::vector<std::int64_t>(all.begin(), all.end());
  };
  CHECK(in_order(got_positions) == in_order(places));
  CHECK(in_order(got_values) == in_order(places));
  if (Form == gpuprim::top_k_form::sorted) CHECK(bool(out.download() == wanted_of(places)));
  for (const auto* array : {&out, &by_position, &by_value}) array->check_guards();
  in.check_unchanged();
}

}  // namespace

TEST_CASE("top_k by a projection, of structs", "[device][sanitizer]") {
  for (std::int64_t n : {1, 2, 31, 700, 20000}) {
    const auto all = make_records(n);
    for (std::int64_t k : {std::int64_t{1}, std::int64_t{10}, n / 2 + 1, n + 5}) {
      check(all, k, gpuprim::largest.by(score_of{}));
      check(all, k, gpuprim::smallest.sorted().by(score_of{}));
    }
  }
}

TEST_CASE("top_k by a projection of numbers to wider ones, and of many results", "[device]") {
  std::vector<int> all;
  for (int i = 0; i < 9000; ++i) all.push_back(int(test::scramble(std::uint64_t(i)) % 100000));
  check(all, 3000, gpuprim::largest.by(last_bits{9}).sorted());
  check(all, 40, gpuprim::smallest.by(last_bits{9}));
}

TEST_CASE("top_k by a projection of as many keys as a number in device memory says", "[device]") {
  const auto all = make_records(5000);
  const test::device_array<record> in(all);
  test::device_array<int> number(1);
  for (int told : {-1, 0, 3, 4000, 6000}) {
    CAPTURE(told);
    number.upload({told});
    const auto n = std::size_t(std::clamp(told, 0, 5000));
    const auto places =
        sorted_places(std::vector<record>(all.begin(), all.begin() + std::ptrdiff_t(n)), score_of{}, true, 20);
    test::device_array<record> out(places.size());
    test::device_array<int> positions(places.size());
    CUDA_OK(gpuprim::top_k_positions(in.data(), {number.data(), 5000}, 20, out.data(), positions.data(),
                                     gpuprim::largest.by(score_of{}).sorted()));
    CHECK(positions.download() == std::vector<int>(places.begin(), places.end()));
    out.check_guards();
  }
}

TEST_CASE("top_k by a projection of values of the input's type, whatever its iterator returns", "[device]") {
  test::device_array<int> out(3), positions(3);
  CUDA_OK(gpuprim::top_k_positions(test::halves{}, 10, 3, out.data(), positions.data(),
                                   gpuprim::largest.by(tenfold{}).sorted()));
  CHECK(out.download() == std::vector<int>{4, 4, 3});
  CHECK(positions.download() == std::vector<int>{8, 9, 6});
}

TEST_CASE("top_k by a projection of as many keys as one of the values says", "[device]") {
  const auto all = make_records(100);
  const test::device_array<record> in(all);
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  values[1] = 80;
  const test::device_array<int> beside(values);
  test::device_array<record> out(5);
  test::device_array<int> values_out(5);
  CUDA_OK(gpuprim::top_k_pairs(in.data(), beside.data(), {beside.data() + 1, 100}, 5, out.data(), values_out.data(),
                               gpuprim::largest.by(score_of{}).sorted()));
  const auto places = sorted_places(std::vector<record>(all.begin(), all.begin() + 80), score_of{}, true, 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(bool(out.download()[i] == all[std::size_t(places[i])]));
    CHECK(values_out.download()[i] == values[std::size_t(places[i])]);
  }
}

TEST_CASE("top_k by a projection refuses what it would overwrite, and is measured", "[device]") {
  const test::device_array<record> in(make_records(100));
  const test::device_array<int> values(std::vector<int>(100, 1));
  test::device_array<record> out(100);
  test::device_array<int> beside(100);
  const auto order = gpuprim::largest.by(score_of{});
  const auto invalid = cudaErrorInvalidValue;
  const record* const nothing = nullptr;
  record* const no_output = nullptr;
  CHECK(gpuprim::top_k(nothing, 100, 3, out.data(), order) == invalid);
  CHECK(gpuprim::top_k(in.data(), 100, 3, no_output, order) == invalid);
  CHECK(gpuprim::top_k(in.data(), 100, 3, in.data() + 5, order) == invalid);
  CHECK(gpuprim::top_k(in.data(), -1, 3, out.data(), order) == invalid);
  CHECK(gpuprim::top_k(in.data(), 100, -3, out.data(), order) == invalid);
  CHECK(gpuprim::top_k_pairs(in.data(), values.data(), 100, 3, in.data(), beside.data(), order) == invalid);
  CHECK(gpuprim::top_k_pairs(in.data(), values.data(), 100, 3, out.data(), values.data(), order) == invalid);
  CHECK(gpuprim::top_k_pairs(in.data(), values.data(), 100, 3, out.data(), reinterpret_cast<int*>(out.data()), order) ==
        invalid);
  CHECK(gpuprim::top_k_positions(in.data(), {beside.data(), 100}, 3, out.data(), beside.data(), order) == invalid);
  CUDA_OK(gpuprim::top_k(nothing, 0, 3, no_output, order));
  CUDA_OK(gpuprim::top_k(nothing, 100, 0, no_output, order));
  gpuprim::workspace_size size;
  CUDA_OK(gpuprim::top_k(in.data(), 100, 3, out.data(), order, {.measured = &size}));
  CHECK(size.total_bytes() <= gpuprim::top_k_workspace_size<float>(100, 3).total_bytes());
  out.check_untouched();
  beside.check_untouched();
}
