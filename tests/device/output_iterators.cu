// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs that are no arrays, for each call that takes them: the library's own, and with a GPU those of Thrust and
// libcu++. An output that changes values and places shows that all of them come through it.
#include "../support/dot_check.cuh"

#include <gpuprim/gpuprim.cuh>

#if !defined(SIMT_DEVICE)
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#if __has_include(<cuda/iterator>)
#include <cuda/iterator>
#endif
#endif

#include <algorithm>
#include <iterator>
#include <numeric>

namespace {

const int n = 600;

struct negated {
  GPUPRIM_HOST_DEVICE int operator()(std::int64_t x) const { return -int(x); }
};
struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 != 0; }
};
struct half_if_even {
  GPUPRIM_HOST_DEVICE gpuprim::maybe<int> operator()(int x) const {
    return x % 2 == 0 ? gpuprim::maybe<int>{x / 2} : gpuprim::maybe<int>{};
  }
};

/// What calls write to: places in reverse order that keep -x for x.
struct turned_negatives {
  test::device_array<int> values, index;

  explicit turned_negatives(std::size_t size) : values(size), index(size) {
    std::vector<int> places(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = int(size - 1 - i);
    index.upload(places);
  }
  void check(const std::vector<int>& want) {
    auto got = values.download();
    std::reverse(got.begin(), got.end());
    for (int& x : got) x = -x;
    CHECK(got == want);
    values.check_guards();
  }
};

/// `call(out)` writes what is wanted, in as many kinds of outputs as there are.
template <class Call>
void check_output(const char* name, const std::vector<int>& want, const Call& call) {
  CAPTURE(name);
  {
    turned_negatives to(want.size());
    CUDA_OK(call(gpuprim::transform_to(gpuprim::permuted(to.values.data(), to.index.data()), negated{})));
    to.check(want);
  }
#if !defined(SIMT_DEVICE)
  turned_negatives to(want.size());
  const auto places = thrust::make_permutation_iterator(to.values.data(), to.index.data());
  CUDA_OK(call(thrust::make_transform_output_iterator(places, negated{})));
  to.check(want);
#endif
}

/// Outputs that keep nothing, of a call of each family.
template <class Call>
void check_discarded(const Call& call) {
  CUDA_OK(call(gpuprim::discard_output{}));
#if !defined(SIMT_DEVICE)
  CUDA_OK(call(thrust::make_discard_iterator()));
#endif
#if !defined(SIMT_DEVICE) && __has_include(<cuda/iterator>)
  CUDA_OK(call(cuda::discard_iterator{}));
#endif
}

struct numbers {
  std::vector<int> values, sorted, keys, stencil, order;
  test::device_array<int> in, in_order, by_key, beside, index, count;

  numbers() : in(n), in_order(n), by_key(n), beside(n), index(n), count(2) {
    for (int i = 0; i < n; ++i) {
      values.push_back(int(test::scramble(i) % 100));
      keys.push_back(i / 7);
      stencil.push_back(int(test::scramble(i + n) % 10));
      order.push_back(i * 7 % n);  // a permutation, for 7 does not divide n
    }
    sorted = values;
    std::sort(sorted.begin(), sorted.end());
    in.upload(values);
    in_order.upload(sorted);
    by_key.upload(keys);
    beside.upload(stencil);
    index.upload(order);
  }
};

/// What `make(i)` gives for i from 0 to m - 1.
template <class Make>
std::vector<int> listed(int m, const Make& make) {
  std::vector<int> made;
  for (int i = 0; i < m; ++i) made.push_back(make(std::size_t(i)));
  return made;
}
template <class Choose>
std::vector<int> chosen(const std::vector<int>& from, const Choose& choose) {
  std::vector<int> made;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (choose(i)) made.push_back(from[i]);
  }
  return made;
}

}  // namespace

TEST_CASE("Streaming passes write to iterators", "[device][not_asan]") {
  numbers x;
  const auto& v = x.values;
  const int* const in = x.in.data();
  const int *const index = x.index.data(), *const stencil = x.beside.data(), *const sorted = x.in_order.data();
  check_output("transform", listed(n, [&](auto i) { return -v[i]; }),
               [&](auto out) { return gpuprim::transform(in, n, out, negated{}); });
  check_output("copy", v, [&](auto out) { return gpuprim::copy(in, n, out); });
  check_output("fill", listed(n, [](auto) { return 8; }), [&](auto out) { return gpuprim::fill(out, n, 8); });
  check_output("generate", listed(n, [](auto i) { return -int(i); }),
               [&](auto out) { return gpuprim::generate(out, n, negated{}); });
  check_output("sequence", listed(n, [](auto i) { return 3 + 2 * int(i); }),
               [&](auto out) { return gpuprim::sequence(out, n, 3, 2); });
  check_output("replace_if", listed(n, [&](auto i) { return is_odd{}(v[i]) ? 4 : v[i]; }),
               [&](auto out) { return gpuprim::replace_if(in, n, out, is_odd{}, 4); });
  check_output("adjacent_difference", listed(n, [&](auto i) { return i == 0 ? v[0] : v[i] - v[i - 1]; }),
               [&](auto out) { return gpuprim::adjacent_difference(in, n, out); });
  check_output("adjacent_difference_right", listed(n, [&](auto i) { return i == n - 1 ? v[i] : v[i] - v[i + 1]; }),
               [&](auto out) { return gpuprim::adjacent_difference_right(in, n, out); });
  check_output("gather", listed(n, [&](auto i) { return v[std::size_t(x.order[i])]; }),
               [&](auto out) { return gpuprim::gather(in, index, n, out); });
  check_output("reverse", listed(n, [&](auto i) { return v[n - 1 - i]; }),
               [&](auto out) { return gpuprim::reverse(in, n, out); });
  const gpuprim::shuffled_positions shuffled(n, 5);
  check_output("shuffle", listed(n, [&](auto i) { return v[std::size_t(shuffled[std::int64_t(i)])]; }),
               [&](auto out) { return gpuprim::shuffle(in, n, out, 5); });
  std::vector<int> scattered(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < v.size(); ++i) scattered[std::size_t(x.order[i])] = v[i];
  check_output("scatter", scattered, [&](auto out) { return gpuprim::scatter(in, index, n, out); });
  check_output(
      "lower_bound",
      listed(n,
             [&](auto i) { return int(std::lower_bound(x.sorted.begin(), x.sorted.end(), v[i]) - x.sorted.begin()); }),
      [&](auto out) { return gpuprim::lower_bound(sorted, n, in, n, out); });
  // Where a predicate does not hold, what fill has written stays.
  const auto after_fill = [](const auto& call) {
    return [&](auto out) {
      const cudaError_t e = gpuprim::fill(out, n, 9);
      return e == cudaSuccess ? call(out) : e;
    };
  };
  const auto if_odd = [&](const auto& make) {
    return listed(n, [&](auto i) { return is_odd{}(x.stencil[i]) ? make(i) : 9; });
  };
  check_output("transform_if", if_odd([&](auto i) { return -v[i]; }),
               after_fill([&](auto out) { return gpuprim::transform_if(in, stencil, n, out, negated{}, is_odd{}); }));
  check_output("gather_if", if_odd([&](auto i) { return v[std::size_t(x.order[i])]; }),
               after_fill([&](auto out) { return gpuprim::gather_if(in, index, stencil, n, out, is_odd{}); }));
  std::vector<int> some(std::size_t(n), 9);
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (is_odd{}(x.stencil[i])) some[std::size_t(x.order[i])] = v[i];
  }
  check_output("scatter_if", some,
               after_fill([&](auto out) { return gpuprim::scatter_if(in, index, stencil, n, out, is_odd{}); }));
  check_discarded([&](auto out) { return gpuprim::transform(in, n, out, negated{}); });
}

TEST_CASE("Selects, runs and merges write to iterators", "[device][not_asan]") {
  numbers x;
  const auto& v = x.values;
  const int *const in = x.in.data(), *const keys = x.by_key.data(), *const sorted = x.in_order.data();
  const int* const stencil = x.beside.data();
  int* const count = x.count.data();
  check_output("select_if", chosen(v, [&](auto i) { return is_odd{}(v[i]); }),
               [&](auto out) { return gpuprim::select_if(in, n, out, count, is_odd{}); });
  check_output("select_if by a stencil", chosen(v, [&](auto i) { return is_odd{}(x.stencil[i]); }),
               [&](auto out) { return gpuprim::select_if(in, stencil, n, out, count, is_odd{}); });
  check_output("select_flagged", chosen(v, [&](auto i) { return x.stencil[i] != 0; }),
               [&](auto out) { return gpuprim::select_flagged(in, stencil, n, out, count); });
  auto halves = chosen(v, [&](auto i) { return !is_odd{}(v[i]); });
  for (int& half : halves) half /= 2;
  check_output("transform_select", halves,
               [&](auto out) { return gpuprim::transform_select(in, n, out, count, half_if_even{}); });
  auto different = x.sorted;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  check_output("unique", different, [&](auto out) { return gpuprim::unique(sorted, n, out, count); });
  check_output("partition_if", chosen(v, [&](auto i) { return !is_odd{}(v[i]); }), [&](auto out) {
    return gpuprim::partition_if(in, n, gpuprim::outputs(gpuprim::discard_output{}, out), count, is_odd{});
  });
  std::vector<int> sums;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i % 7 == 0) sums.push_back(0);
    sums.back() += v[i];
  }
  check_output("reduce_by_key", sums, [&](auto out) {
    return gpuprim::reduce_by_key(keys, in, n, gpuprim::discard_output{}, out, count, gpuprim::plus{});
  });
  std::vector<int> twice;
  for (int value : x.sorted) twice.insert(twice.end(), 2, value);
  check_output("merge", twice, [&](auto out) { return gpuprim::merge(sorted, n, sorted, n, out); });
  check_output("set_union", x.sorted, [&](auto out) { return gpuprim::set_union(sorted, n, sorted, n, out, count); });
  check_output("top_k", std::vector<int>(x.sorted.rbegin(), x.sorted.rbegin() + 9),
               [&](auto out) { return gpuprim::top_k(in, n, 9, out, gpuprim::largest.sorted()); });
  check_discarded([&](auto out) { return gpuprim::select_if(in, n, out, count, is_odd{}); });
}

TEST_CASE("Scans and reductions write to iterators", "[device][not_asan]") {
  numbers x;
  const auto& v = x.values;
  const int *const in = x.in.data(), *const keys = x.by_key.data();
  std::vector<int> scanned(v), by_key(v);
  for (std::size_t i = 1; i < v.size(); ++i) {
    scanned[i] += scanned[i - 1];
    if (i % 7 != 0) by_key[i] += by_key[i - 1];
  }
  check_output("inclusive_scan", scanned,
               [&](auto out) { return gpuprim::inclusive_scan(in, n, out, gpuprim::plus{}); });
  check_output("inclusive_scan_by_key", by_key,
               [&](auto out) { return gpuprim::inclusive_scan_by_key(keys, in, n, out, gpuprim::plus{}); });
  check_output("reduce", {scanned.back()}, [&](auto out) { return gpuprim::reduce(in, n, out, gpuprim::plus{}); });
  check_output("segmented_reduce",
               listed(n / 100,
                      [&](auto i) {
                        const auto first = v.begin() + std::ptrdiff_t(i) * 100;
                        return std::accumulate(first, first + 100, 0);
                      }),
               [&](auto out) {
                 return gpuprim::segmented_reduce(in, gpuprim::fixed_length{100}, n / 100, out, gpuprim::plus{});
               });
  check_discarded([&](auto out) { return gpuprim::inclusive_scan(in, n, out, gpuprim::plus{}); });
}

TEST_CASE("Bounds, places and rows of keys write to iterators", "[device][not_asan]") {
  numbers x;
  const auto& v = x.values;
  const int *const in = x.in.data(), *const sorted = x.in_order.data(), *const stencil = x.beside.data();
  int* const count = x.count.data();
  const auto bound = [&](auto find, const std::vector<int>& values) {
    return listed(n, [&](auto i) { return int(find(x.sorted.begin(), x.sorted.end(), values[i]) - x.sorted.begin()); });
  };
  const auto lower = [](auto begin, auto end, int value) { return std::lower_bound(begin, end, value); };
  const auto upper = [](auto begin, auto end, int value) { return std::upper_bound(begin, end, value); };
  check_output("upper_bound", bound(upper, v), [&](auto out) { return gpuprim::upper_bound(sorted, n, in, n, out); });
  check_output("lower_bound_of_sorted", bound(lower, x.sorted),
               [&](auto out) { return gpuprim::lower_bound_of_sorted(sorted, n, sorted, n, out); });
  check_output("upper_bound_of_sorted", bound(upper, x.sorted),
               [&](auto out) { return gpuprim::upper_bound_of_sorted(sorted, n, sorted, n, out); });

  std::vector<int> places(v.size());
  std::iota(places.begin(), places.end(), 0);
  check_output("select_indices", chosen(places, [&](auto i) { return is_odd{}(v[i]); }),
               [&](auto out) { return gpuprim::select_indices(in, n, out, count, is_odd{}); });
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return v[std::size_t(a)] > v[std::size_t(b)]; });
  places.resize(9);
  check_output("top_k_positions", places, [&](auto out) {
    return gpuprim::top_k_positions(in, n, 9, gpuprim::discard_output{}, out, gpuprim::largest.sorted());
  });
  check_output("top_k_pairs", listed(9, [&](auto i) { return x.stencil[std::size_t(places[i])]; }), [&](auto out) {
    return gpuprim::top_k_pairs(in, stencil, n, 9, gpuprim::discard_output{}, out, gpuprim::largest.sorted());
  });
  const auto of_rows = [&](std::size_t place) {  // of six rows of 100, and from the greatest key down
    return [&, place](auto row) {
      std::vector<int> keys(v.begin() + std::ptrdiff_t(row) * 100, v.begin() + std::ptrdiff_t(row + 1) * 100);
      std::sort(keys.rbegin(), keys.rend());
      return keys[place];
    };
  };
  check_output("segmented_top_k", listed(18, [&](auto i) { return of_rows(i % 3)(i / 3); }), [&](auto out) {
    return gpuprim::segmented_top_k(in, gpuprim::fixed_length{100}, 6, 3, out, gpuprim::largest.sorted());
  });
  check_output("segmented_nth_element", listed(6, of_rows(40)), [&](auto out) {
    return gpuprim::segmented_nth_element(in, gpuprim::fixed_length{100}, 6, 40, out, gpuprim::largest);
  });
  check_output("segmented_max_element", listed(6, of_rows(0)), [&](auto out) {
    return gpuprim::segmented_max_element(in, gpuprim::fixed_length{100}, 6, out, gpuprim::discard_output{});
  });
}

TEST_CASE("Partitions, pairs and set operations write to iterators", "[device][not_asan]") {
  numbers x;
  const auto& v = x.values;
  const int *const in = x.in.data(), *const keys = x.by_key.data(), *const sorted = x.in_order.data();
  const int* const stencil = x.beside.data();
  int* const count = x.count.data();
  check_output("unique_by_key", chosen(v, [](auto i) { return i % 7 == 0; }),
               [&](auto out) { return gpuprim::unique_by_key(keys, in, n, gpuprim::discard_output{}, out, count); });
  const auto two_parts = [&](const auto& is_in_front, bool is_stable) {
    auto made = chosen(v, is_in_front), others = chosen(v, [&](auto i) { return !is_in_front(i); });
    if (!is_stable) std::reverse(others.begin(), others.end());
    made.insert(made.end(), others.begin(), others.end());
    return made;
  };
  check_output("partition_flagged", two_parts([&](auto i) { return x.stencil[i] != 0; }, false),
               [&](auto out) { return gpuprim::partition_flagged(in, stencil, n, out, count); });
  check_output("stable_partition_if", two_parts([&](auto i) { return is_odd{}(v[i]); }, true),
               [&](auto out) { return gpuprim::stable_partition_if(in, n, out, count, is_odd{}); });
  check_output("run_length_encode", listed((n + 6) / 7, [](auto i) { return std::min(7, n - 7 * int(i)); }),
               [&](auto out) { return gpuprim::run_length_encode(keys, n, gpuprim::discard_output{}, out, count); });
  std::vector<int> both(v.begin(), v.begin() + 2);  // keys 0 and 0 of a come before those of b
  both.insert(both.end(), x.stencil.begin(), x.stencil.begin() + 2);
  check_output("merge_pairs", both, [&](auto out) {
    return gpuprim::merge_pairs(keys, in, 2, keys, stencil, 2, gpuprim::discard_output{}, out);
  });
  // The sorted numbers, and those of them from the hundredth on.
  const int *const later = sorted + 100, rest = n - 100;
  std::vector<int> shared, only;
  std::set_intersection(x.sorted.begin(), x.sorted.end(), x.sorted.begin() + 100, x.sorted.end(),
                        std::back_inserter(shared));
  std::set_difference(x.sorted.begin(), x.sorted.end(), x.sorted.begin() + 100, x.sorted.end(),
                      std::back_inserter(only));
  check_output("set_intersection", shared,
               [&](auto out) { return gpuprim::set_intersection(sorted, n, later, rest, out, count); });
  check_output("set_difference", only,
               [&](auto out) { return gpuprim::set_difference(sorted, n, later, rest, out, count); });
  check_output("set_symmetric_difference_count", only, [&](auto out) {
    CHECK(gpuprim::set_symmetric_difference_count(later, rest, sorted, n, out) == 100);
    return cudaSuccess;
  });
}

TEST_CASE("Other scans, columns and queries write to iterators", "[device][not_asan]") {
  numbers x;
  const auto& v = x.values;
  const int *const in = x.in.data(), *const keys = x.by_key.data();
  // What comes before each element in its group, of so many neighbours.
  const auto before = [&](std::size_t group) {
    std::vector<int> made(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) made[i] = i % group == 0 ? 0 : made[i - 1] + v[i - 1];
    return made;
  };
  const auto with_own = [&](std::vector<int> sums) {
    for (std::size_t i = 0; i < v.size(); ++i) sums[i] += v[i];
    return sums;
  };
  check_output("exclusive_scan", before(n),
               [&](auto out) { return gpuprim::exclusive_scan(in, n, out, gpuprim::plus{}); });
  check_output("exclusive_scan_by_key", before(7),
               [&](auto out) { return gpuprim::exclusive_scan_by_key(keys, in, n, out, gpuprim::plus{}, 0); });
  check_output("segmented_inclusive_scan", with_own(before(100)), [&](auto out) {
    return gpuprim::segmented_inclusive_scan(in, gpuprim::fixed_length{100}, 6, out, gpuprim::plus{});
  });
  auto negatives = with_own(before(n));
  for (int& sum : negatives) sum = -sum;
  check_output("transform_inclusive_scan", negatives,
               [&](auto out) { return gpuprim::transform_inclusive_scan(in, n, out, gpuprim::plus{}, negated{}); });
  auto down = v;
  for (std::size_t i = 100; i < down.size(); ++i) down[i] += down[i - 100];
  check_output("column_inclusive_scan", down,
               [&](auto out) { return gpuprim::column_inclusive_scan(in, 6, 100, out, gpuprim::plus{}); });
  check_output("column_reduce", std::vector<int>(down.end() - 100, down.end()),
               [&](auto out) { return gpuprim::column_reduce(in, 6, 100, out, gpuprim::plus{}); });
  const auto one = [](auto value) { return std::vector<int>{int(value)}; };
  check_output("dot", one(std::inner_product(v.begin(), v.end(), v.begin(), 0)),
               [&](auto out) { return gpuprim::dot(in, in, n, out); });
  check_output("transform_reduce", {negatives.back()},
               [&](auto out) { return gpuprim::transform_reduce(in, n, out, gpuprim::plus{}, negated{}, 0); });
  const auto least = std::min_element(v.begin(), v.end());
  check_output("min_element, its value", {*least},
               [&](auto out) { return gpuprim::min_element(in, n, out, gpuprim::discard_output{}); });
  check_output("min_element, its position", one(least - v.begin()),
               [&](auto out) { return gpuprim::min_element(in, n, gpuprim::discard_output{}, out); });
  check_output("find_if", one(std::find_if(v.begin(), v.end(), is_odd{}) - v.begin()),
               [&](auto out) { return gpuprim::find_if(in, n, out, is_odd{}); });
  check_output("count_if", one(std::count_if(v.begin(), v.end(), is_odd{})),
               [&](auto out) { return gpuprim::count_if(in, n, out, is_odd{}); });
}

#if !defined(SIMT_DEVICE)
namespace {

using pair = thrust::tuple<int, float>;
struct has_odd_first {
  __host__ __device__ bool operator()(const pair& both) const { return thrust::get<0>(both) % 2 != 0; }
};
struct add_pairs {
  __host__ __device__ pair operator()(const pair& a, const pair& b) const {
    return {thrust::get<0>(a) + thrust::get<0>(b), thrust::get<1>(a) + thrust::get<1>(b)};
  }
};

}  // namespace

TEST_CASE("Zip iterators are read and written", "[device][not_asan]") {
  numbers x;
  std::vector<float> beside;
  for (int value : x.values) beside.push_back(float(value) / 2);
  test::device_array<float> second(beside), second_out(n);
  test::device_array<int> first_out(n);
  const auto in = thrust::make_zip_iterator(thrust::make_tuple(x.in.data(), second.data()));
  const auto out = thrust::make_zip_iterator(thrust::make_tuple(first_out.data(), second_out.data()));
  const auto check = [&](std::vector<int> want) {
    auto got = first_out.download();
    auto got_second = second_out.download();
    got.resize(want.size());
    CHECK(got == want);
    for (std::size_t i = 0; i < want.size(); ++i) CHECK(got_second[i] == float(want[i]) / 2);
  };
  CUDA_OK(gpuprim::copy(in, n, out));
  check(x.values);
  CUDA_OK(gpuprim::gather(in, x.index.data(), n, out));
  check(listed(n, [&](auto i) { return x.values[std::size_t(x.order[i])]; }));
  CUDA_OK(gpuprim::reverse(in, n, out));
  check(std::vector<int>(x.values.rbegin(), x.values.rend()));
  CUDA_OK(gpuprim::select_if(in, n, out, x.count.data(), has_odd_first{}));
  check(chosen(x.values, [&](auto i) { return is_odd{}(x.values[i]); }));
  CUDA_OK(gpuprim::inclusive_scan(in, n, out, add_pairs{}));
  std::vector<int> sums(x.values);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  check(sums);
}
#endif
