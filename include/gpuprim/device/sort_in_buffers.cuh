// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/sorted_arrays.cuh>
#include <gpuprim/device/bucket_sort/bucket_sort.cuh>
#include <gpuprim/device/segmented_sort/long_segments.cuh>
#include <gpuprim/device/sort/counting_sort.cuh>
#include <gpuprim/device/sort/sort_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Keys of 32 and 64 bits of which all are compared, with values that are as short, are sorted by buckets.
template <class Digits, class Value>
inline constexpr bool has_buckets = false;
template <class Key, sort_direction Direction>
inline constexpr bool has_buckets<whole_digits<Key, Direction>, no_values> = sizeof(Key) >= 4;
template <class Key, sort_direction Direction, class Value>
inline constexpr bool has_buckets<all_digits<Key, Direction>, Value> = sizeof(Key) >= 4 && sizeof(Value) <= 8;

/// Keys of 8 and 16 bits of which all are compared are sorted by counting, if there are many.
template <class Digits>
inline constexpr bool has_counting = false;
template <class Key, sort_direction Direction>
inline constexpr bool has_counting<whole_digits<Key, Direction>> = sizeof(Key) <= 2;

/// Whatever of two ways a sort goes, it has enough memory.
template <class Radix>
constexpr workspace_size or_counting_size(std::int64_t n, const workspace_size& size) {
  if constexpr (has_counting<typename Radix::digits_type>) {
    using counting = counting_sort<typename Radix::digits_type>;
    if (!counting::takes(n)) return size;
    const workspace_size other = counting::find_workspace_size();
    return {(std::max)(size.zeroed_bytes, other.zeroed_bytes), (std::max)(size.scratch_bytes, other.scratch_bytes)};
  } else {
    return size;
  }
}

/// Sorts by counting, if that is how these keys are sorted. False if not.
template <class Radix, class Keys>
bool run_by_counting(const Radix& radix, const Keys& keys, const typename Radix::buffers& out, const options& how,
                     outcome& done) {
  if constexpr (has_counting<typename Radix::digits_type>) {
    const counting_sort<typename Radix::digits_type> counting{radix.order, radix.n};
    if (!counting.takes(radix.n)) return false;
    if (is_dry_run(how) && counting.template find_count_shape<Keys>().error == does_not_fit) return false;
    memory_lease lease(counting.find_workspace_size(), how);
    done = lease.refusal();
    if (!lease.error()) done = lease.finish(counting.run(keys, out.keys, lease.zeroed(), lease.scratch(), how));
    return done.code != does_not_fit;
  } else {
    return false;
  }
}

/// What a sort by buckets uses. Symbols spell out this name, and not those in it.
template <class Digits, class Value>
struct tuned_buckets {
  using digits = Digits;
  using value = Value;
  using key = typename Digits::key;
  static constexpr int value_bytes = std::is_same_v<Value, no_values> ? 0 : int(sizeof(Value));
  static constexpr bucket_policy policy = choose_bucket_policy(int(sizeof(key)), value_bytes);
  using long_sorter = long_segment_sorter<tuned_segmented_sort_policies, Digits, key, Value>;
  using stable_passes = radix_sort<tuned_sort_policies, bucket_digits<Digits>, key, Value>;
};

/// The sort that arrays take which no block and no cluster holds, in place of passes by all digits.
template <class Radix>
struct sort_in_passes {
  using type = Radix;
};
template <sort_policies Policies, class Digits, class Key, class Value>
  requires has_buckets<Digits, Value>
struct sort_in_passes<radix_sort<Policies, Digits, Key, Value>> {
  using type = bucket_sort<tuned_buckets<Digits, Value>>;
};
template <class Radix>
using sort_of = typename sort_in_passes<Radix>::type;

/// Sorts what lies in one of two buffers, and says whether the result is in the other one.
template <class Radix>
outcome run_any_sort_in_buffers(const Radix& radix, const typename Radix::buffers& current,
                                const typename Radix::buffers& other, bool& is_in_other, const options& how) {
  using sort = sort_of<Radix>;
  if constexpr (std::is_same_v<sort, Radix>) {
    outcome done;
    const auto* const keys = current.keys;
    if (detail::run_by_counting(radix, keys, current, how, done)) return done;
    return detail::run_sort_in_buffers(radix, current, other, is_in_other, how);
  } else {
    const typename sort::key* const keys = current.keys;
    typename sort::values_in values{};
    if constexpr (sort::has_values) values = current.values;
    is_in_other = false;
    outcome done;
    if (radix.n == 0 || radix.run_in_one_launch(keys, values, current, how, done)) return done;
    const sort buckets{radix.order, radix.n};
    memory_lease lease(sort::find_own_size(radix.n), how);
    if (lease.error()) return lease.refusal();
    const bool moves_once = sort::has_one_pass(radix.n) && !buckets.find_fit().failed();
    const auto &to = moves_once ? other : current, &by = moves_once ? current : other;
    done = lease.finish(buckets.run(keys, values, to, by, lease.zeroed(), lease.scratch(), how));
    is_in_other = moves_once && !done.failed() && !is_dry_run(how);
    return done;
  }
}

/// Sorts the keys of one buffer, and moves the values of another along unless these are `no_values`.
template <class Key, class Value, class Order>
outcome sort_in_buffers(double_buffer<Key>& keys, double_buffer<Value>& values, std::int64_t n, const Order& order,
                        const options& how) {
  static_assert(is_radix_order<sorting_type<Key, Order>>,
                "gpuprim::sort, sort_pairs: in two buffers keys are sorted by their digits: ascending or descending, "
                "with by(projection) for keys that are no numbers");
  const auto chosen = detail::sorting<Key>(order);
  auto radix = detail::make_radix_sort<Key, Value>(chosen, n);
  if (const auto bad = detail::find_bits(chosen, radix); bad.failed()) return bad;
  if (const auto bad = detail::check_buffers(keys, values, n); bad.failed()) return bad;
  bool is_in_other = false;
  const outcome done = detail::run_any_sort_in_buffers(radix, {keys.current, values.current},
                                                       {keys.other, values.other}, is_in_other, how);
  if (is_in_other) {
    std::swap(keys.current, keys.other);
    std::swap(values.current, values.other);
  }
  return done;
}

}  // namespace detail

/// How much memory the sorts in two buffers take of a workspace for n keys: a constant, and one hundredth of what the
/// keys take at most.
template <class Key, class Value = void, class Order = radix_order<sort_direction::ascending>>
constexpr workspace_size sort_in_buffers_size(std::int64_t n) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::no_values, Value>;
  using radix = detail::radix_sort_of<Key, value, detail::sorting_type<Key, Order>>;
  return detail::or_counting_size<radix>(n, detail::sort_of<radix>::find_own_size(n));
}

/// Sorts the keys of one buffer with another of the same size in place of scratch memory. After the call `keys.current`
/// is where the sorted keys will be.
///
/// @pre   as sort, but keys are sorted by their digits only; the buffers do not overlap.
/// @sync  as sort. @order as sort. @cost as sort; memory: `sort_in_buffers_size<Key>(n)`.
/// @return as sort; if it failed, the buffers have kept their names.
/// @source as sort.
/// @example examples/library/84_sort.cu
template <class Key, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] cudaError_t sort(double_buffer<Key>& keys, std::int64_t n, const Order& order = {},
                               const options& how = {}) {
  double_buffer<detail::no_values> values{};
  return detail::sort_in_buffers(keys, values, n, order, how).report();
}

/// Sorts the keys of one buffer from the least to the greatest.
template <class Key>
[[nodiscard]] cudaError_t sort(double_buffer<Key>& keys, std::int64_t n, const options& how) {
  return gpuprim::sort(keys, n, radix_order<sort_direction::ascending>{}, how);
}

/// Sorts the keys of one buffer and moves the values of another along, with two more in place of scratch memory.
///
/// @pre   as sort_pairs, but keys are sorted by their digits only; the buffers do not overlap.
/// @sync  as sort. @order as sort. @cost as sort_pairs; memory: `sort_in_buffers_size<Key, Value>(n)`.
/// @return as sort; if it failed, the buffers have kept their names.
/// @source as sort.
/// @example examples/library/84_sort.cu
template <class Key, class Value, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] cudaError_t sort_pairs(double_buffer<Key>& keys, double_buffer<Value>& values, std::int64_t n,
                                     const Order& order = {}, const options& how = {}) {
  return detail::sort_in_buffers(keys, values, n, order, how).report();
}

/// Sorts the keys of one buffer from the least to the greatest, and moves the values of another along.
template <class Key, class Value>
[[nodiscard]] cudaError_t sort_pairs(double_buffer<Key>& keys, double_buffer<Value>& values, std::int64_t n,
                                     const options& how) {
  return gpuprim::sort_pairs(keys, values, n, radix_order<sort_direction::ascending>{}, how);
}

}  // namespace gpuprim
