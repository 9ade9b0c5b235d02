// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces of as many elements as a number in device memory says.
#include "../../support/reduce_check.cuh"

#include <gpuprim/extrema.cuh>
#include <gpuprim/search.cuh>
#include <gpuprim/transform_reduce.cuh>

#include <string>

namespace {

struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 != 0; }
};
struct halved {
  GPUPRIM_HOST_DEVICE int operator()(int x) const { return x / 2; }
};

/// Affine maps whose identity is known: they do not commute.
struct chained {
  GPUPRIM_HOST_DEVICE test::affine operator()(const test::affine& a, const test::affine& b) const {
    return test::then{}(a, b);
  }
};

/// Calls `check(count, n)` for numbers up to the most and beyond: n is how many elements there are then.
template <class Check>
void for_counts(std::int64_t most, const Check& check) {
  test::device_array<std::int64_t> number(1);
  for (std::int64_t n :
       {std::int64_t{-3}, std::int64_t{0}, std::int64_t{1}, std::int64_t{33}, most / 2, most - 1, most, most + 7}) {
    CAPTURE(most, n);
    number.upload({n});
    check(gpuprim::element_count{number.data(), most}, std::clamp<std::int64_t>(n, 0, most));
  }
}

template <class T, class Acc, class Op>
void check_reduce(std::int64_t most, Op op, Acc init, std::size_t past = 0) {
  CAPTURE(past);
  const auto values = test::make_values<T>(most);
  const test::device_array<T> in(values, past);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<Acc>(most));
  for_counts(most, [&](const gpuprim::element_count& count, std::int64_t n) {
    test::device_array<Acc> out(1);
    CUDA_OK(gpuprim::reduce<Acc>(in.data(), count, out.data(), op, init, {.workspace = &ws}));
    Acc wanted = init;
    for (std::int64_t i = 0; i < n; ++i) wanted = op(wanted, static_cast<Acc>(values[std::size_t(i)]));
    CHECK(out.download()[0] == wanted);
    out.check_guards();
  });
  test::check_zero(ws);
  in.check_unchanged();
}

}  // namespace

template <>
struct gpuprim::identity_element<chained, test::affine> {
  GPUPRIM_HOST_DEVICE static constexpr test::affine value() { return {1, 0}; }
};

TEST_CASE("Reduces take a count in device memory", "[device][sanitizer]") {
  for (std::int64_t most : {34, 1000, 60000}) {
    check_reduce<int>(most, gpuprim::plus<int>{}, 5);
    check_reduce<int>(most, gpuprim::maximum<int>{}, -7, 4);
    check_reduce<test::affine>(most, chained{}, test::affine{3, 1});
    check_reduce<std::uint8_t>(most, gpuprim::plus<int>{}, 0, 3);
  }
  test::unless_sanitized([](auto) {
    check_reduce<test::affine>(400000, chained{}, test::affine{3, 1}, 8);
    check_reduce<int>(700000, gpuprim::plus<std::int64_t>{}, std::int64_t{1}, 12);
    check_reduce<std::uint8_t>(500000, gpuprim::maximum<std::uint8_t>{}, std::uint8_t{0}, 1);
  });
}

TEST_CASE("A count of a reduce is made by the kernel before it", "[device][tsan]") {
  const std::int64_t most = 900;
  const test::device_array<int> in(std::vector<int>(most, 2));
  test::device_array<std::int64_t> number(1);
  test::device_array<int> out(1);
  CUDA_OK(gpuprim::count_if(in.data(), 700, number.data(), halved{}));
  CUDA_OK(gpuprim::reduce(in.data(), {number.data(), most}, out.data(), gpuprim::plus{}));
  CHECK(out.download()[0] == 1400);
}

TEST_CASE("Other reduces take a count in device memory", "[device]") {
  const std::int64_t most = 20000;
  const auto values = test::make_values<int>(most);
  const test::device_array<int> in(values, 4);
  const int* const first = in.data();
  for_counts(most, [&](const gpuprim::element_count& count, std::int64_t n) {
    test::device_array<int> sum(1), least(1);
    test::device_array<std::int64_t> place(1), odd(1);
    test::device_array<gpuprim::tuple<gpuprim::extremum<int>, gpuprim::extremum<int>>> ends(1);
    CUDA_OK(gpuprim::transform_reduce(first, count, sum.data(), gpuprim::plus{}, halved{}, 3));
    CUDA_OK(gpuprim::min_element(first, count, least.data(), place.data()));
    CUDA_OK(gpuprim::minmax_element(first, count, ends.data()));
    CUDA_OK(gpuprim::count_if(first, count, odd.data(), is_odd{}));
    int wanted = 3;
    std::int64_t odd_wanted = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      wanted = gpuprim::plus<int>{}(wanted, values[std::size_t(i)] / 2);
      odd_wanted += is_odd{}(values[std::size_t(i)]);
    }
    CHECK(sum.download()[0] == wanted);
    CHECK(odd.download()[0] == odd_wanted);
    const auto begin = values.begin(), end = begin + n;
    if (n == 0) {
      CHECK(place.download()[0] == most);
      return;
    }
    const auto at = std::min_element(begin, end);
    CHECK((least.download()[0] == *at && place.download()[0] == at - begin));
    const auto both = ends.download()[0];
    CHECK((gpuprim::get<0>(both).value == *at && gpuprim::get<0>(both).position == at - begin));
    CHECK(gpuprim::get<1>(both).value == *std::max_element(begin, end));
  });
}

TEST_CASE("Reduces refuse a count that they cannot read", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 3));
  test::device_array<int> out(1);
  const auto refusal = [&](const int* number, std::int64_t most) {
    CHECK(gpuprim::reduce(in.data(), {number, most}, out.data(), gpuprim::plus{}) == cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault());
  };
  CHECK(refusal(nullptr, 100) == "the count is a null pointer");
  CHECK(refusal(in.data(), -1) == "the count is negative");
  out.check_untouched();
}
