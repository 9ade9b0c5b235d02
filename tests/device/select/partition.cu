// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions, and the selects that write something else than the element itself.
#include "../../support/select_check.cuh"

#include <algorithm>
#include <string>

namespace {

namespace detail = gpuprim::detail;

constexpr auto few = test::select_one_tile(64, 16), many = test::select_many_tiles(64, 16);

struct is_below {
  int limit;
  template <class T> GPUPRIM_HOST_DEVICE bool operator()(const T& x) const { return x < T(limit); }
};
/// Half of an even number.
struct half_of_even {
  GPUPRIM_HOST_DEVICE gpuprim::maybe<int> operator()(int x) const {
    if (x % 2 != 0) return {};
    return x / 2;
  }
};

/// -50 to 49 in no order.
template <class T>
std::vector<T> some_values(std::int64_t n) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(T(int(test::scramble(std::uint64_t(i)) % 100) - 50));
  return values;
}

/// A partition into two or three parts with the shapes of `Policies`, each form against the loop.
template <gpuprim::select_policies Policies, class T>
void check_partitions(std::int64_t n, std::size_t misalignment = 0) {
  CAPTURE(n, misalignment);
  const auto values = some_values<T>(n);
  const auto room = values.size();
  std::vector<T> low, middle, high, rest;
  for (const T& x : values) {
    (x < T(-20) ? low : x < T(10) ? middle : high).push_back(x);
    if (!(x < T(-20))) rest.push_back(x);
  }
  const auto low_count = std::int64_t(low.size()), middle_count = std::int64_t(middle.size());
  const is_below first{-20}, second{10};
  test::device_array<T> in(values, misalignment);
  const detail::chosen_by<const T*, is_below> by_one{in.data(), first};
  const detail::chosen_by_two<const T*, is_below, is_below> by_two{in.data(), first, second};
  const int bytes = int(sizeof(T));
  gpuprim::workspace workspace(std::max(detail::select_launches<Policies, bytes, bytes, 1>::workspace_bytes(n),
                                        detail::select_launches<Policies, bytes, bytes, 2>::workspace_bytes(n)));
  const gpuprim::options how{nullptr, &workspace};
  const auto write = [](T* to) { return detail::write_element(to); };
  constexpr auto none = detail::publish_order::none;
  const auto reversed = [](std::vector<T> v) {
    std::reverse(v.begin(), v.end());
    return v;
  };
  {
    test::device_array<T> out(room, misalignment);
    test::device_array<std::int64_t> count(1);
    CUDA_OK(detail::run_select<detail::rest_place::reversed, Policies>(by_one, n, count.data(), none, how,
                                                                       write(out.data()), write(out.data()))
                .report());
    auto want = low;
    const auto behind = reversed(rest);
    want.insert(want.end(), behind.begin(), behind.end());
    CHECK(bool(out.download() == want));
    CHECK(count.download()[0] == low_count);
    out.check_guards();
  }
  {
    test::device_array<T> out(room, misalignment);
    test::device_array<std::int64_t> count(std::vector<std::int64_t>{low_count});
    CUDA_OK(detail::run_select<detail::rest_place::behind, Policies>(by_one, n, count.data(), none, how,
                                                                     write(out.data()), write(out.data()))
                .report());
    auto want = low;
    want.insert(want.end(), rest.begin(), rest.end());
    CHECK(bool(out.download() == want));
    count.check_unchanged();
    out.check_guards();
  }
  {
    test::device_array<T> a(low.size()), b(middle.size()), c(high.size(), misalignment);
    test::device_array<std::int64_t> counts(2);
    CUDA_OK(detail::run_select<detail::rest_place::own_output, Policies>(
                by_two, n, counts.data(), none, how, write(a.data()), write(b.data()), write(c.data()))
                .report());
    CHECK(bool(a.download() == low));
    CHECK(bool(b.download() == middle));
    CHECK(bool(c.download() == high));
    CHECK(counts.download() == std::vector<std::int64_t>{low_count, middle_count});
    a.check_guards();
    b.check_guards();
    c.check_guards();
  }
  in.check_unchanged();
  test::check_zero(workspace);
}

}  // namespace

TEST_CASE("Partitions in one tile a block and in many", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 33, 255, 257, 1000, 5003}) {
    check_partitions<few, int>(n);
    check_partitions<many, int>(n, 4);
  }
  check_partitions<many, int>(40000, 12);
  test::unless_sanitized([](auto) {
    check_partitions<few, signed char>(5003, 1);
    check_partitions<many, signed char>(9001, 3);
    check_partitions<many, double>(5003);
  });
}

TEST_CASE("Partitions of few elements under ThreadSanitizer", "[device][tsan]") {
  check_partitions<few, int>(1500, 4);
  check_partitions<many, int>(3000, 8);
}

TEST_CASE("Partitions by the public calls", "[device]") {
  for (int n : {0, 1, 1000, 40000}) {
    const auto values = some_values<int>(n);
    std::vector<unsigned char> flags;
    for (int x : values) flags.push_back(x < -20 ? 2 : 0);
    std::vector<int> want = values;
    const auto end = std::stable_partition(want.begin(), want.end(), is_below{-20});
    const auto low = end - want.begin();
    test::device_array<int> in(values), stable(values.size()), mixed(values.size()), flagged(values.size());
    test::device_array<int> first(values.size()), second(values.size()), third(values.size()), counts(6);
    test::device_array<unsigned char> in_flags(flags);
    int* const count = counts.data();
    CUDA_OK(gpuprim::stable_partition_if(in.data(), n, stable.data(), count, is_below{-20}));
    CHECK(stable.download() == want);
    CUDA_OK(
        gpuprim::partition_if(in.data(), n, gpuprim::outputs(first.data(), second.data()), count + 1, is_below{-20}));
    auto got = first.download();
    got.resize(std::size_t(low));
    const auto others = second.download();
    got.insert(got.end(), others.begin(), others.begin() + (n - low));
    CHECK(got == want);
    CUDA_OK(gpuprim::partition_if(in.data(), n, mixed.data(), count + 2, is_below{-20}));
    CUDA_OK(gpuprim::partition_flagged(in.data(), in_flags.data(), n, flagged.data(), count + 3));
    std::reverse(end, want.end());
    CHECK(mixed.download() == want);
    CHECK(flagged.download() == want);
    CUDA_OK(gpuprim::partition_if(in.data(), n, gpuprim::outputs(first.data(), second.data(), third.data()), count + 4,
                                  is_below{-20}, is_below{0}));
    const auto middle = std::count_if(values.begin(), values.end(), [](int x) { return x >= -20 && x < 0; });
    const auto at = int(low);
    CHECK(counts.download() == std::vector<int>{at, at, at, at, at, int(middle)});
    in.check_unchanged();
    for (const auto* out : {&stable, &mixed, &flagged, &first, &second, &third}) out->check_guards();
  }
}

TEST_CASE("Selects by flags, of positions, by key and through a projection", "[device][sanitizer]") {
  for (int n : {0, 1, 100, 3000, 40000}) {
    CAPTURE(n);
    const auto values = some_values<int>(n);
    std::vector<double> wide;
    std::vector<bool> is_chosen;
    std::vector<unsigned char> flags;
    std::vector<int> want_values, want_halves, want_keys;
    std::vector<std::int64_t> want_positions;
    std::vector<double> want_first;
    for (int i = 0; i < n; ++i) {
      const int x = values[std::size_t(i)];
      wide.push_back(double(i) / 4);
      flags.push_back(x % 3 == 0 ? std::uint8_t(1 << (i % 8)) : std::uint8_t(0));
      if (x % 3 == 0) want_values.push_back(x);
      if (x < -20) want_positions.push_back(i);
      if (x % 2 == 0) want_halves.push_back(x / 2);
      if (i > 0 && test::alike{}(values[std::size_t(i - 1)], x)) continue;
      want_keys.push_back(x);
      want_first.push_back(wide.back());
    }
    test::device_array<int> in(values), chosen(want_values.size(), 4), halves(want_halves.size());
    test::device_array<int> keys(want_keys.size()), counts(5), compacted(values);
    test::device_array<unsigned char> in_flags(flags, 1);
    test::device_array<double> in_wide(wide), first(want_first.size());
    test::device_array<std::int64_t> positions(want_positions.size());
    int* const count = counts.data();
    CUDA_OK(gpuprim::select_flagged(in.data(), in_flags.data(), n, chosen.data(), count));
    CUDA_OK(gpuprim::select_indices(in.data(), n, positions.data(), count + 1, is_below{-20}));
    CUDA_OK(gpuprim::transform_select(in.data(), n, halves.data(), count + 2, half_of_even{}));
    CUDA_OK(gpuprim::transform_select(compacted.data(), n, compacted.data(), count + 3, half_of_even{}));
    CUDA_OK(gpuprim::unique_by_key(in.data(), in_wide.data(), n, keys.data(), first.data(), count + 4, test::alike{}));
    CHECK(chosen.download() == want_values);
    CHECK(positions.download() == want_positions);
    CHECK(halves.download() == want_halves);
    auto front = compacted.download();
    front.resize(want_halves.size());
    CHECK(front == want_halves);
    CHECK(keys.download() == want_keys);
    CHECK(first.download() == want_first);
    CHECK(counts.download() == std::vector<int>{int(want_values.size()), int(want_positions.size()),
                                                int(want_halves.size()), int(want_halves.size()),
                                                int(want_keys.size())});
    chosen.check_guards();
    positions.check_guards();
    halves.check_guards();
    first.check_guards();
    in_wide.check_unchanged();
  }
}

TEST_CASE("Counts are returned to the host", "[device]") {
  const auto values = some_values<int>(5000);
  std::vector<unsigned char> flags;
  for (int x : values) flags.push_back(x < 7);
  auto heads = values, want_stable = values;
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  std::stable_partition(want_stable.begin(), want_stable.end(), is_below{7});
  const auto below = std::count_if(values.begin(), values.end(), is_below{7});
  const auto even = std::count_if(values.begin(), values.end(), [](int x) { return x % 2 == 0; });
  test::device_array<int> in(values), out(values.size()), others(values.size()), stable(values.size());
  test::device_array<unsigned char> in_flags(flags);
  const auto written = [&](std::int64_t count) {  // by the call that has just returned
    const auto all = out.download();
    return std::vector<int>(all.begin(), all.begin() + count);
  };
  std::vector<int> want, want_indices, want_halves;
  for (int i = 0; i < 5000; ++i) {
    const int x = values[std::size_t(i)];
    if (x < 7) want.push_back(x);
    if (x < 7) want_indices.push_back(i);
    if (x % 2 == 0) want_halves.push_back(x / 2);
  }
  CHECK(gpuprim::select_if_count(in.data(), 5000, out.data(), is_below{7}) == below);
  CHECK(written(below) == want);
  CHECK(gpuprim::select_flagged_count(in.data(), in_flags.data(), 5000, out.data()) == below);
  CHECK(gpuprim::select_indices_count(in.data(), 5000, out.data(), is_below{7}) == below);
  CHECK(written(below) == want_indices);
  CHECK(gpuprim::transform_select_count(in.data(), 5000, out.data(), half_of_even{}) == even);
  CHECK(written(even) == want_halves);
  const auto runs = std::int64_t(heads.size());
  CHECK(gpuprim::unique_count(in.data(), 5000, out.data()) == runs);
  CHECK(gpuprim::unique_count(in.data(), 5000) == runs);
  CHECK(gpuprim::unique_count(in.data(), 5000, {.stream = nullptr}) == runs);
  CHECK(gpuprim::unique_count(in.data(), 5000, gpuprim::discard_output{}, test::alike{}) > 1);
  CHECK(gpuprim::unique_count(in.data(), 5000, out.data(), test::alike{}) > 1);
  CHECK(gpuprim::unique_by_key_count(in.data(), in.data(), 5000, out.data(), others.data()) == runs);
  CHECK(written(runs) == heads);
  CHECK(gpuprim::unique_by_key_count(in.data(), in.data(), 5000, out.data(), others.data(), test::alike{}) > 1);
  CHECK(gpuprim::partition_if_count(in.data(), 5000, out.data(), is_below{7}) == below);
  CHECK(written(below) == want);
  const auto two = gpuprim::outputs(out.data(), others.data());
  CHECK(gpuprim::partition_if_count(in.data(), 5000, two, is_below{7}) == below);
  CHECK(gpuprim::partition_flagged_count(in.data(), in_flags.data(), 5000, out.data()) == below);
  CHECK(written(below) == want);
  gpuprim::workspace workspace(gpuprim::stable_partition_workspace_bytes<int>(5000));
  CHECK(gpuprim::stable_partition_if_count(in.data(), 5000, stable.data(), is_below{7}, {.workspace = &workspace}) ==
        below);
  CHECK(stable.download() == want_stable);
  CHECK(gpuprim::stable_partition_if_count(in.data(), 0, stable.data(), is_below{7}) == 0);
  gpuprim::workspace tiny(16);
  try {
    (void)gpuprim::stable_partition_if_count(in.data(), 5000, stable.data(), is_below{7}, {.workspace = &tiny});
    CHECK(false);
  } catch (const gpuprim::cuda_error& error) {
    CHECK(std::string(error.what()).starts_with("gpuprim::stable_partition_if_count: the workspace is too small"));
  }
  in.check_unchanged();
}
