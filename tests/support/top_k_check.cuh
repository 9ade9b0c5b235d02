// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Top-k against a stable sort, with everything around it checked.
#include <gpuprim/top_k.cuh>

#include "reduce_check.cuh"

#include <cmath>
#include <limits>
#include <numeric>

namespace test {

namespace detail = gpuprim::detail;
using gpuprim::top_k_end, gpuprim::top_k_form, gpuprim::top_k_order, gpuprim::top_k_policy;

/// Calls `go` with each order: each form is another type.
template <class Go, class... Order>
void for_orders(const Go& go, const Order&... orders) {
  (go(orders), ...);
}
/// Both ends in both forms.
template <class Go>
void for_all_orders(const Go& go) {
  for_orders(go, gpuprim::largest, gpuprim::smallest, gpuprim::largest.sorted(), gpuprim::smallest.sorted());
}

/// Blocks of 64 threads, which meet for few keys; keys are sampled from so many on.
constexpr top_k_policy small_top_k(long long least_sampled, int sample_items = 4) {
  return {.block_size = 64,
          .blocks_per_multiprocessor = 1,
          .loads = 2,
          .sample_items = sample_items,
          .alone_items = 2,
          .prefetched_bytes = 4096,
          .most_uncounted = 150,
          .least_sampled = least_sampled,
          .most_candidates = 1LL << 40};
}
constexpr auto sampled_top_k = small_top_k(512), counted_top_k = small_top_k(1LL << 40);
/// So large a sample that it has some of the k largest, which bounds the digits that are counted.
constexpr auto reaching_top_k = small_top_k(512, 16);

/// Blocks of 64 threads in clusters. They hold so many loads a thread, and work on a row in many rounds.
constexpr top_k_policy clustered_top_k(int blocks, int loads) {
  top_k_policy policy = small_top_k(1LL << 40);
  policy.cluster_blocks = blocks;
  policy.cluster_block_size = 64;
  policy.cluster_blocks_per_multiprocessor = 2;
  policy.cluster_loads = loads;
  policy.cluster_rounds = 1000;
  policy.least_clustered = 1;
  return policy;
}

template <class T>
double number_of(const T& x) {
  if constexpr (gpuprim::is_half_precision<T>) return double(float(x));
  else return double(x);
}

/// Whether a key stands before another in falling order: NaN, infinity, ..., -infinity, NaN with its sign bit set.
template <class T>
bool is_above(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return a > b;
  } else {
    const auto class_of = [](double x) { return std::isnan(x) ? (std::signbit(x) ? -1 : 1) : 0; };
    const double x = number_of(a), y = number_of(b);
    if (class_of(x) != class_of(y)) return class_of(x) > class_of(y);
    return class_of(x) == 0 && x > y;
  }
}
template <class T, top_k_form Form>
bool is_before(const T& a, const T& b, top_k_order<Form> order) {
  return order.end == top_k_end::largest ? is_above(a, b) : is_above(b, a);
}
/// Where zeros of both signs differ.
template <class T, top_k_form Form>
bool is_before_by_sign(const T& a, const T& b, top_k_order<Form> order) {
  if constexpr (!std::is_integral_v<T>) {
    const double x = number_of(a), y = number_of(b);
    if (x == 0 && y == 0)
      return order.end == top_k_end::largest ? std::signbit(x) < std::signbit(y) : std::signbit(x) > std::signbit(y);
  }
  return is_before(a, b, order);
}

template <class T>
bool are_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// The positions of the k first keys from `begin` to before `end`.
template <class T, top_k_form Form>
std::vector<std::int64_t> find_top_k(const std::vector<T>& keys, std::int64_t begin, std::int64_t end, std::int64_t k,
                                     top_k_order<Form> order) {
  std::vector<std::int64_t> at(std::size_t(end - begin));
  std::iota(at.begin(), at.end(), 0);
  std::stable_sort(at.begin(), at.end(), [&](std::int64_t a, std::int64_t b) {
    return is_before(keys[std::size_t(begin + a)], keys[std::size_t(begin + b)], order);
  });
  at.resize(std::size_t(std::min(k, end - begin)));
  return at;
}

/// Sorts what is one row of results.
template <class T, top_k_form Form>
void sort_by_sign(std::vector<T>& keys, top_k_order<Form> order) {
  std::stable_sort(keys.begin(), keys.end(), [&](const T& a, const T& b) { return is_before_by_sign(a, b, order); });
}

/// The k largest or smallest keys alone, and with their positions, by launches of `Policy`.
template <top_k_policy Policy, class T, top_k_form Form = top_k_form::unsorted>
void check_top_k(const std::vector<T>& keys, std::int64_t k, top_k_order<Form> order = gpuprim::largest,
                 std::size_t misalignment = 0) {
  const auto n = std::int64_t(keys.size()), taken = std::min(k, n);
  CAPTURE(n, k, int(order.end), int(order.form), misalignment);
  const auto at = find_top_k(keys, 0, n, k, order);
  std::vector<T> want = keys, want_beside;
  sort_by_sign(want, order);
  want.resize(std::size_t(taken));
  for (std::int64_t i : at) want_beside.push_back(keys[std::size_t(i)]);
  using word = typename detail::radix_key<T>::word;
  using launch = detail::top_k_launch<Policy>;
  gpuprim::workspace workspace(detail::launch_top_k::find_workspace<launch, word, Form>(detail::row_of(n), k));
  const gpuprim::options how{nullptr, &workspace};
  const auto room = std::size_t(taken);
  device_array<T> in(keys, misalignment), out(room, misalignment), beside(room);
  device_array<int> positions(room, 4);
  const auto call = [&](T* to, auto... positions_to) {
    return detail::top_k_of<Policy>(static_cast<const T*>(in.data()), detail::row_of(n), k, to, order,
                                    detail::launch_top_k{how}, positions_to...)
        .report();
  };
  CUDA_OK(call(out.data()));
  CUDA_OK(call(beside.data(), positions.data()));
  auto got = out.download(), got_beside = beside.download();
  auto got_at = positions.download();
  if constexpr (Form == top_k_form::unsorted) {
    for (std::size_t i = 0; i < got_at.size(); ++i) {  // each beside its position
      REQUIRE((got_at[i] >= 0 && got_at[i] < n));
      CHECK(std::memcmp(&got_beside[i], &keys[std::size_t(got_at[i])], sizeof(T)) == 0);
    }
    sort_by_sign(got, order);
    std::sort(got_at.begin(), got_at.end());
    auto sorted_at = at;
    std::sort(sorted_at.begin(), sorted_at.end());
    CHECK(std::equal(got_at.begin(), got_at.end(), sorted_at.begin(), sorted_at.end()));
  } else {
    CHECK(std::equal(got_at.begin(), got_at.end(), at.begin(), at.end()));
    CHECK(are_same_bits(got_beside, want_beside));
  }
  CHECK(are_same_bits(got, want));
  in.check_unchanged();
  out.check_guards();
  beside.check_guards();
  positions.check_guards();
  check_zero(workspace);
}

/// Keys of every kind of order, as many distinct ones as the type has room for.
enum class key_shape { random, rising, falling, equal, few, but_three };
inline constexpr key_shape all_key_shapes[] = {key_shape::random, key_shape::rising, key_shape::falling,
                                               key_shape::equal,  key_shape::few,    key_shape::but_three};

template <class T>
std::vector<T> make_keys(std::int64_t n, key_shape shape) {
  std::vector<T> keys;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t r = scramble(std::uint64_t(i));
    std::int64_t number = 0;
    switch (shape) {
      case key_shape::random:
        number = r;
        break;
      case key_shape::rising:
        number = i;
        break;
      case key_shape::falling:
        number = n - i;
        break;
      case key_shape::equal:
        number = 7;
        break;
      case key_shape::few:
        number = r % 3;
        break;
      default:
        number = i == n / 3 ? 9 : i == n / 2 ? 6 : i == n - 1 ? 8 : 7;
    }
    if constexpr (std::is_integral_v<T>) keys.push_back(T(number));
    else if constexpr (sizeof(T) == 2) keys.push_back(T(float(number % 2000) - 1000.0f));
    else keys.push_back(T(number) - T(shape == key_shape::random ? 2e9 : 1));
  }
  return keys;
}

}  // namespace test
