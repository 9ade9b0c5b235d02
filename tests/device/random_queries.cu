// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls that find one result of an array: sums, norms, statistics, extrema and searches, several at once.
#include "../support/random_inputs.cuh"

namespace {

using namespace test;

/// Equal to a number that another rounding has made.
struct nearly {
  double value;
  friend bool operator==(const nearly& a, const nearly& b) {
    if (std::isnan(a.value) || std::isnan(b.value)) return std::isnan(a.value) && std::isnan(b.value);
    return std::abs(a.value - b.value) <= 1e-8 * (1 + std::abs(b.value));
  }
};

struct tripled {
  GPUPRIM_HOST_DEVICE std::uint32_t operator()(std::uint32_t x) const { return 3 * x; }
};

/// Sums of integers, modulo 2^32. Their number may lie in device memory.
random_call summed(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), also = random.below(40), n = random.size(most - 40);
  const bool is_counted = random.one_of(2);
  const auto number = std::make_shared<argument_array<std::int64_t>>(std::vector{n});
  const std::int64_t form = random.below(5);
  const auto a = known<T>().values.begin() + skipped, b = known<T>().values.begin() + also;
  T wanted = form < 2 ? 5 : 0;
  for (std::int64_t i = 0; i < n; ++i) {
    wanted += form == 0 || form == 2 ? 3 * a[i] : form == 4 ? a[i] * a[i] : a[i] * b[i];
  }
  const auto launch = [=](T* out, const gpuprim::options& how) {
    const T *const first = known<T>().data() + skipped, *const second = known<T>().data() + also;
    const gpuprim::plus<> op;
    const gpuprim::element_count count{number->data(), most - 40};
    if (form == 0 && is_counted) return gpuprim::transform_reduce<T>(first, count, out, op, tripled{}, T{5}, how);
    if (form == 0) return gpuprim::transform_reduce<T>(first, given(n), out, op, tripled{}, T{5}, how);
    if (form == 1)
      return gpuprim::transform_reduce<T>(first, second, given(n), out, op, gpuprim::multiplies<T>{}, T{5}, how);
    if (form == 2)
      return gpuprim::reduce_into(first, given(n), out, gpuprim::transformed<T>(gpuprim::plus{}, tripled{}), how);
    if (form == 3) return gpuprim::dot<T>(first, second, given(n), out, how);
    return gpuprim::squared_norm.in<T>()(first, given(n), out, how);
  };
  return test::make_call(name_of("sum", {form, n, skipped, also, is_counted}),
                         gpuprim::reduce_workspace_bytes<T>(is_counted ? most : n), std::vector{wanted}, launch);
}

/// A sum of little numbers among large ones that cancel, which a sum in double would lose.
random_call summed_accurately(random_numbers& random) {
  std::vector<double> values, opposites;
  double wanted = 0;
  const std::int64_t pairs = random.size(most / 4);
  for (std::int64_t i = 0; i < pairs; ++i) {
    const double large = double(random.below(std::int64_t{1} << 52)) * 0x1p10, little = double(random.below(100));
    values.insert(values.end(), {large, little});
    opposites.push_back(-large);
    wanted += little;
  }
  values.insert(values.end(), opposites.begin(), opposites.end());
  const auto in = std::make_shared<argument_array<double>>(values, sizeof(double) * std::size_t(random.below(2)));
  const auto n = std::int64_t(values.size());
  const auto launch = [=](double* out, const gpuprim::options& how) {
    return gpuprim::accurate_sum(in->data(), given(n), out, how);
  };
  return test::make_call(name_of("accurate sum", {n}), gpuprim::accurate_sum.workspace_bytes<double>(n),
                         std::vector{wanted}, launch);
}

random_call norms(random_numbers& random) {
  using T = std::uint8_t;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped), form = random.below(3);
  double sum = 0, squares = 0, greatest = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto x = double(known<T>().values[std::size_t(skipped + i)]);
    sum += x;
    squares += x * x;
    greatest = std::max(greatest, x);
  }
  const auto launch = [=](nearly* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    auto* const to = reinterpret_cast<double*>(out);
    if (form == 0) return gpuprim::norm_1(in, given(n), to, how);
    return form == 1 ? gpuprim::norm_2(in, given(n), to, how) : gpuprim::norm_infinity(in, given(n), to, how);
  };
  const double wanted = form == 0 ? sum : form == 1 ? std::sqrt(squares) : greatest;
  const std::int64_t bytes = std::max({gpuprim::norm_1.workspace_bytes<T>(n), gpuprim::norm_2.workspace_bytes<T>(n),
                                       gpuprim::norm_infinity.workspace_bytes<T>(n)});
  return test::make_call(name_of("norm", {form, n, skipped}), bytes, std::vector{nearly{wanted}}, launch);
}

random_call statistics(random_numbers& random) {
  using T = std::uint8_t;
  const std::int64_t skipped = random.below(40), n = 1 + random.size(most - skipped - 1), form = random.below(6);
  const auto begin = known<T>().values.begin() + skipped;
  // Distances from the first number and their powers are integers: numbers that are all alike have no variance at all.
  std::int64_t powers[5]{};
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t power = 1;
    for (std::int64_t& sum : powers) {
      sum += power;
      power *= begin[i] - begin[0];
    }
  }
  const auto raw = [&](int i) { return static_cast<long double>(powers[i]) / static_cast<long double>(n); };
  const long double m = raw(1), variance = raw(2) - m * m, deviation = std::sqrt(variance);
  const long double third = raw(3) - 3 * m * raw(2) + 2 * m * m * m;
  const long double fourth = raw(4) - 4 * m * raw(3) + 6 * m * m * raw(2) - 3 * m * m * m * m;
  const long double figures[] = {begin[0] + m, variance, deviation, third / (variance * deviation),
                                 fourth / (variance * variance)};
  if (form == 5) {
    const auto all = std::make_shared<argument_array<gpuprim::moments>>(1);
    std::vector<nearly> wanted;
    for (long double figure : figures) wanted.push_back({double(figure)});
    return {name_of("moments", {n, skipped}), gpuprim::all_moments.workspace_bytes<T>(n),
            [=](const gpuprim::options& how) {
              return gpuprim::all_moments(known<T>().data() + skipped, given(n), all->data(), how);
            },
            [=] {
              const gpuprim::moments got = all->download()[0];
              CHECK(got.count == double(n));
              CHECK(std::vector<nearly>{
                        {got.mean}, {got.variance()}, {got.standard_deviation()}, {got.skewness()}, {got.kurtosis()}} ==
                    wanted);
              all->check_guards();
            }};
  }
  const auto launch = [=](nearly* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    auto* const to = reinterpret_cast<double*>(out);
    if (form == 0) return gpuprim::mean(in, given(n), to, how);
    if (form == 1) return gpuprim::variance(in, given(n), to, how);
    if (form == 2) return gpuprim::standard_deviation(in, given(n), to, how);
    return form == 3 ? gpuprim::skewness(in, given(n), to, how) : gpuprim::kurtosis(in, given(n), to, how);
  };
  return test::make_call(name_of("statistic", {form, n, skipped}), gpuprim::kurtosis.workspace_bytes<T>(n),
                         std::vector{nearly{double(figures[form])}}, launch);
}

/// The greatest element, or the least one and the greatest, and where they are.
random_call places_of_extrema(random_numbers& random) {
  using T = std::uint8_t;
  using found = gpuprim::extremum<T>;
  const std::int64_t skipped = random.below(40), n = 1 + random.size(most - skipped - 1);
  const auto begin = known<T>().values.begin() + skipped;
  const auto least = std::min_element(begin, begin + n), greatest = std::max_element(begin, begin + n);
  const auto last = std::make_shared<argument_array<found>>(1);
  const auto launch = [=](found* least_out, found* greatest_out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    const cudaError_t e = gpuprim::max_element(in, given(n), last->data(), how);
    if (e != cudaSuccess) return e;
    return gpuprim::minmax_element(in, given(n), gpuprim::outputs(least_out, greatest_out), how);
  };
  const found wanted{*greatest, greatest - begin};
  random_call call =
      several(test::make_call(name_of("extrema", {n, skipped}), gpuprim::minmax_element.workspace_bytes<T>(n),
                              std::vector{found{*least, least - begin}}, std::vector{wanted}, launch));
  call.check = [check_results = std::move(call.check), last, wanted] {
    check_results();
    CHECK(last->download()[0] == wanted);
  };
  return call;
}

/// The least or the greatest element of each row, and where in the row it is.
random_call extrema_of_rows(random_numbers& random) {
  using T = std::uint8_t;
  const std::int64_t skipped = random.below(40), length = 1 + random.size(random.one_of(2) ? 300 : most / 2);
  const std::int64_t rows = random.size((most - skipped) / length);
  const bool are_least = random.one_of(2);
  std::vector<T> values;
  std::vector<int> places;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto begin = known<T>().values.begin() + skipped + row * length, end = begin + length;
    const auto found = are_least ? std::min_element(begin, end) : std::max_element(begin, end);
    values.push_back(*found);
    places.push_back(int(found - begin));
  }
  const auto launch = [=](T* values_out, int* places_out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    const gpuprim::fixed_length where{length};
    return are_least ? gpuprim::segmented_min_element(in, where, given(rows), values_out, places_out, how)
                     : gpuprim::segmented_max_element(in, where, given(rows), values_out, places_out, how);
  };
  return test::make_call(name_of("extrema of rows", {rows, length, skipped, are_least}),
                         gpuprim::segmented_extremum_workspace_bytes<T>(), std::move(values), std::move(places),
                         launch);
}

/// How many elements a predicate holds for, and whether it holds for all, any or none.
random_call looked_at(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped), form = random.below(4);
  const in_percent predicate{random.one_of(2) ? int(random.below(101)) : 100 * int(random.below(2))};
  const auto begin = known<T>().values.begin() + skipped;
  const std::int64_t count = std::count_if(begin, begin + n, predicate);
  const auto is_true = std::uint8_t(form == 1 ? count == n : form == 2 ? count > 0 : count == 0);
  const auto launch = [=](std::int64_t* out, std::uint8_t* truth, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    auto* const to = reinterpret_cast<bool*>(truth);
    const cudaError_t e = gpuprim::count_if(in, given(n), out, predicate, how);
    if (e != cudaSuccess) return e;
    if (form == 1) return gpuprim::all_of(in, given(n), to, predicate, how);
    return form == 2 ? gpuprim::any_of(in, given(n), to, predicate, how)
                     : gpuprim::none_of(in, given(n), to, predicate, how);
  };
  const std::int64_t bytes =
      std::max(gpuprim::reduce_workspace_bytes<std::int64_t>(n), gpuprim::search_workspace_bytes);
  return several(test::make_call(name_of("look", {form, n, skipped, predicate.percent}), bytes, std::vector{count},
                                 std::vector{is_true}, launch));
}

/// Whether an array is like another and sorted, or one element is not, and which.
random_call compared(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t n = random.size(most / 4), form = random.below(2);
  const std::int64_t changed = n > 1 && random.one_of(2) ? 1 + random.below(n - 1) : n;
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(T(1 + i / 3));
  const auto in = std::make_shared<argument_array<T>>(values, sizeof(T) * std::size_t(random.below(4)));
  if (changed < n) values[std::size_t(changed)] = 0;
  const auto other = std::make_shared<argument_array<T>>(values, sizeof(T) * std::size_t(random.below(4)));
  const auto launch = [=](std::uint8_t* truth, std::int64_t* place, const gpuprim::options& how) {
    const T* const second = other->data();
    const cudaError_t e = gpuprim::mismatch(in->data(), second, given(n), place, how);
    if (e != cudaSuccess) return e;
    auto* const to = reinterpret_cast<bool*>(truth);
    return form == 0 ? gpuprim::equal(in->data(), second, given(n), to, how)
                     : gpuprim::is_sorted(second, given(n), to, how);
  };
  const auto wanted = std::uint8_t(changed < n ? 0 : 1);
  return several(test::make_call(name_of("compared", {n, changed, form}), gpuprim::search_workspace_bytes,
                                 std::vector{wanted}, std::vector{changed}, launch));
}

random_call any_query(random_numbers& random) {
  using make = random_call (*)(random_numbers&);
  static constexpr make kinds[] = {summed,          summed_accurately, norms,   statistics, places_of_extrema,
                                   extrema_of_rows, looked_at,         compared};
  return kinds[random.below(std::size(kinds))](random);
}

}  // namespace

TEST_CASE("random queries, several under way at once", "[device][sanitizer][fuzz]") {
  test::make_random_calls(any_query);
}
