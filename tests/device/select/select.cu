// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/schedules.cuh"
#include "../../support/select_check.cuh"

namespace {

constexpr auto few_short = test::select_one_tile(64, 16), many_short = test::select_many_tiles(64, 16);
constexpr auto few_long = test::select_one_tile(64, 48), many_long = test::select_many_tiles(64, 48);

struct halved {
  GPUPRIM_HOST_DEVICE gpuprim::maybe<int> operator()(int x) const { return x / 2; }
};

struct is_third {
  GPUPRIM_HOST_DEVICE bool operator()(short x) const { return x % 3 == 0; }
};

/// Selects by a stencil, apart and in place.
template <class T>
void check_by_stencil(std::int64_t n) {
  CAPTURE(n);
  const auto values = test::make_values<T>(n);
  std::vector<short> stencil;
  std::vector<T> want;
  for (std::int64_t i = 0; i < n; ++i) {
    stencil.push_back(short(test::scramble(i) % 100));
    if (is_third{}(stencil.back())) want.push_back(values[std::size_t(i)]);
  }
  test::device_array<short> beside(stencil, 2);
  const std::int64_t bytes = gpuprim::select_by_stencil_workspace_bytes<T, short>(n);
  for (bool in_place : {false, true}) {
    test::check_selected(values, want, {4, 4, in_place}, bytes,
                         [&](auto in, auto count, auto out, auto total, const auto& how) {
                           return gpuprim::select_if(in, beside.data(), count, out, total, is_third{}, how);
                         });
  }
  beside.check_unchanged();
}

}  // namespace

TEST_CASE("Selects by a stencil, in place too", "[device][sanitizer]") {
  for (int n : {0, 1, 33, 1000, 30001}) check_by_stencil<int>(n);
  test::unless_sanitized([](auto) { check_by_stencil<test::point3>(9001); });
  // By the elements themselves, whose place the results take; and refused.
  std::vector<short> values, want;
  for (int i = 0; i < 5000; ++i) values.push_back(short(i));
  for (short x : values)
    if (is_third{}(x)) want.push_back(x);
  test::device_array<short> in(values), other(values);
  CHECK(gpuprim::select_if_count(in.data(), in.data(), 5000, in.data(), is_third{}) == std::int64_t(want.size()));
  auto got = in.download();
  got.resize(want.size());
  CHECK(got == want);
  test::device_array<int> count(1);
  CHECK(gpuprim::select_if(other.data(), other.data() + 1, 4999, other.data(), count.data(), is_third{}) ==
        cudaErrorInvalidValue);
  CHECK(std::string(gpuprim::last_fault()) == "an output overlaps an input");
  CHECK(gpuprim::select_if(other.data(), in.data(), 4999, other.data() + 1, count.data(), is_third{}) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::select_if(other.data(), static_cast<short*>(nullptr), 9, other.data(), count.data(), is_third{}) ==
        cudaErrorInvalidValue);
  other.check_unchanged();
}

TEST_CASE("Selects in one tile a block", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 31, 33, 255, 256, 257, 1000, 5003}) {
    for (int percent : {0, 1, 50, 100}) test::check_selects<int, few_short>(n, percent);
  }
}

TEST_CASE("Selects in many tiles a block", "[device][sanitizer][slow]") {
  for (int n : {0, 1, 256, 257, 1000, 5003, 40000}) {
    for (int percent : {0, 1, 50, 100}) test::check_selects<int, many_short>(n, percent);
  }
}

TEST_CASE("Selects of every type", "[device]") {
  const auto check = [&]<class T>() {
    for (int n : {40, 3000, 9001}) {
      test::check_selects<T, few_long>(n, 40);
      test::check_selects<T, many_long>(n, 40);
    }
  };
  check.operator()<signed char>();
  check.operator()<short>();
  check.operator()<std::int64_t>();
  check.operator()<test::point3>();
  test::unless_sanitized([&](auto) {
    check.operator()<float>();
    check.operator()<double>();
    check.operator()<test::matrix2>();
  });
}

TEST_CASE("Selects at every misalignment, and in place", "[device][sanitizer]") {
  for (std::size_t bytes = 0; bytes < 128; bytes += 20) {
    test::check_selects<int, few_short>(3000, 60, {bytes, 4});
    test::check_selects<int, many_short>(3000, 60, {bytes, bytes});
    test::check_selects<int, few_short>(3001, 60, {bytes, 0, true});
    test::check_selects<int, many_short>(20, 60, {bytes, 0, true});
    test::check_selects<int, many_short>(9001, 90, {bytes, 0, true});
    test::check_selects<int, many_short>(9001, 100, {bytes, 0, true});
  }
  for (std::size_t bytes : {1, 15, 17, 127}) test::check_selects<char, many_short>(9000, 50, {bytes, 3});
}

#if defined(SIMT_DEVICE)
TEST_CASE("Selects under 1,000 schedules at 1 to 7 resident blocks", "[device][not_asan]") {
  test::under_many_schedules([](unsigned seed) {
    const std::int64_t n = 700 + seed;
    const bool in_place = seed % 3 == 0;
    if (seed % 2 == 0) {
      test::check_selects<int, test::select_many_tiles(32, 16)>(n, 60, {seed % 32 * 4, 0, in_place});
    } else {
      test::check_selects<int, test::select_one_tile(32, 16)>(n, 60, {seed % 32 * 4, 0, in_place});
    }
  });
}

TEST_CASE("Selects under all schedules of a delay", "[device][not_asan]") {
  const int many =
      test::under_all_delays(1, [] { test::check_selects<int, test::select_many_tiles(32, 16)>(400, 60); });
  const int few = test::under_all_delays(1, [] { test::check_selects<int, test::select_one_tile(32, 16)>(400, 60); });
  CHECK(many > 50);
  CHECK(few > 50);
}
#endif

TEST_CASE("Selects with the library's shapes", "[device]") {
  for (int n : {0, 1, 1535, 1536, 1537, 50001}) test::check_selects<int>(n, 30);
  test::check_selects<test::matrix2>(30000, 30);
}

TEST_CASE("Selects in large tiles", "[device][not_asan]") {
  constexpr gpuprim::select_policies shape{.medium = gpuprim::tuned_select_policies.medium,
                                           .large = gpuprim::tuned_select_policies.large};
  test::check_selects<int, shape>(14336 * 5 + 17, 70, {4, 4});
}

TEST_CASE("Selects at the limits of each launch", "[device][not_asan]") {
  auto* const far_in = reinterpret_cast<const int*>(std::uintptr_t{1} << 40);
  auto* const far_out = reinterpret_cast<int*>(std::uintptr_t{1} << 41);
  const auto shape_of = [&](std::int64_t n) {
    const auto plan = gpuprim::select_if_plan(far_in, n, far_out, far_out - 1, test::in_percent{50});
    return std::pair(plan.block_size, plan.shared_bytes);
  };
  int limits = 0;
  for (std::int64_t n = 1 << 10; n < 1 << 21; n *= 2) {
    if (shape_of(n) == shape_of(2 * n)) continue;
    std::int64_t low = n, high = 2 * n;
    while (high - low > 1) (shape_of(low) == shape_of((low + high) / 2) ? low : high) = (low + high) / 2;
    for (int past : {0, 1}) test::check_selects<int>(low + past, 50);
    ++limits;
  }
  CHECK(limits > 0);
}

TEST_CASE("Selects in place write what they select", "[device]") {
  for (int n : {5, 300, 9001}) {
    std::vector<int> values, halves;
    for (int i = 0; i < n; ++i) values.push_back(2 * i + 100);
    for (int x : values) halves.push_back(x / 2);
    test::device_array<int> in(values), count(1);
    CUDA_OK(gpuprim::transform_select(in.data(), n, in.data(), count.data(), halved{}));
    CHECK(in.download() == halves);
    CUDA_OK(gpuprim::select_if(in.data(), n, reinterpret_cast<float*>(in.data()), count.data(), test::in_percent{100}));
    const auto bits = in.download();
    float first;
    std::memcpy(&first, bits.data(), sizeof first);
    CHECK(first == 50);
  }
}

TEST_CASE("Selects of few elements under ThreadSanitizer", "[device][tsan]") {
  test::check_selects<int, test::select_one_tile(64, 16)>(1500, 60, {4, 4});
  test::check_selects<int, test::select_one_tile(64, 16)>(1500, 60, {4, 0, true});
  test::check_selects<int, test::select_many_tiles(32, 16)>(3000, 60, {8, 8});
  test::check_selects<int, test::select_many_tiles(32, 16)>(3000, 90, {8, 0, true});
  test::check_selects<char, test::select_many_tiles(64, 16)>(2000, 40, {1, 4});
  // All elements differ, so that all stay where they are while the next tile looks at the last one.
  std::vector<int> values;
  for (int i = 0; i < 3000; ++i) values.push_back(i);
  constexpr auto shape = test::select_many_tiles(32, 16);
  const auto bytes = gpuprim::detail::select_launches<shape, 4, 4, 1>::workspace_bytes(3000);
  const auto call = [&](auto in, auto n, auto out, auto total, const auto& how) {
    namespace lib = gpuprim::detail;
    return lib::select_elements<shape, lib::chosen_heads>(in, n, total, lib::equal_keys{}, lib::write_element(out), how)
        .report();
  };
  test::check_selected(values, values, {0, 0, true}, bytes, call);
  check_by_stencil<int>(1500);
}
