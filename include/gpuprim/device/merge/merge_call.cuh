// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/common/merge_shape.cuh>
#include <gpuprim/device/merge/long_merge_kernel.cuh>
#include <gpuprim/device/merge/merge_kernel.cuh>
#include <gpuprim/device/merge/search_kernel.cuh>
#include <gpuprim/device/tiles/found_tiles.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Checks the types of a merge, and returns the order that its kernel uses.
template <class A, class B, class Less>
constexpr auto find_merge_order(const Less& less) {
  static_assert(random_access_input<A> && random_access_input<B>,
                "gpuprim::merge, merge_pairs, set_union, set_intersection, set_difference: the inputs must be pointers "
                "or random-access iterators");
  static_assert(std::is_same_v<input_value<A>, input_value<B>>,
                "gpuprim::merge, merge_pairs, set_union, set_intersection, set_difference: both inputs must have "
                "elements of one type");
  static_assert(element<input_value<A>>,
                "gpuprim::merge, merge_pairs, set_union, set_intersection, set_difference: the element type must be "
                "trivially copyable and assignable");
  const auto order = detail::comparing_in_call(less);
  static_assert(is_order_on<std::remove_const_t<decltype(order)>, input_value<A>>,
                "gpuprim::merge, merge_pairs, set_union, set_intersection, set_difference: the order's const "
                "operator() must take two elements and say whether the first is less");
  return order;
}

/// Checks two inputs, and that the sum of their counts is at most `most`.
template <class A, class B>
outcome check_merged(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count, std::int64_t most) {
  if (const outcome bad = detail::check_input(a, a_count); bad.failed()) return bad;
  if (const outcome bad = detail::check_input(b, b_count); bad.failed()) return bad;
  if (a_count > most - b_count) return {cudaErrorInvalidValue, "the count is too large"};
  return {};
}

template <class Out, class Keys>
bool lies_in(const Out& out, std::int64_t count, const key_array<Keys>& in, std::int64_t n) {
  return detail::overlap(out, count, in.keys, n);
}
template <class Out, class Keys, class Values>
bool lies_in(const Out& out, std::int64_t count, const pair_array<Keys, Values>& in, std::int64_t n) {
  return detail::overlap(out, count, in.keys, n) || detail::overlap(out, count, in.values, n);
}

/// Checks an output of at most `count` elements, which must not lie where a merge reads.
template <class Out, class A, class B>
outcome check_merge_output(const Out& out, std::int64_t count, const merge_inputs<A, B>& in) {
  if (const outcome bad = detail::check_results(out, count); bad.failed()) return bad;
  if (detail::lies_in(out, count, in.a, in.a_count) || detail::lies_in(out, count, in.b, in.b_count)) {
    return {cudaErrorInvalidValue, "an output overlaps an input"};
  }
  return {};
}

/// What of an item goes through shared memory, where keys do before their values: as many bytes as both have.
template <class Item>
struct moved_item {
  using type = Item;
};
template <class Key, class Value>
struct moved_item<key_value<Key, Value>> {
  using type = unsigned char[sizeof(Key) + sizeof(Value)];
};
template <merge_policy Policy, class Item>
using long_merge_shape = merge_shape<Policy, typename moved_item<Item>::type>;

/// The scratch memory of a merge: where its tiles begin.
template <merge_policy Policy, class Item>
constexpr std::int64_t merge_scratch_bytes(std::int64_t n) {
  return long_merge_shape<Policy, Item>::count_tiles(n < 0 ? 0 : n) * std::int64_t(sizeof(std::int64_t));
}

/// Launches a merge whose arguments are checked. `Long`: of many tiles.
template <merge_policy Policy, merge_policy Long, class In, class ACount, class BCount, class Out, class Less>
outcome run_merge(const In& in, const ACount& a_count, const BCount& b_count, const Out& out, const Less& less,
                  const options& how) {
  using shape = merge_shape<Policy, typename In::item_type>;
  using long_shape = long_merge_shape<Long, typename In::item_type>;
  const std::int64_t count = in.a_count + in.b_count, tiles = shape::count_tiles(count);
  if (count == 0) return {};
  const auto pass =
      detail::with_counts(merge_pass<shape, In, Out, Less>{in, out, less, count, nullptr}, a_count, b_count);
  const auto long_pass =
      detail::with_counts(merge_pass<long_shape, In, Out, Less>{in, out, less, count, nullptr}, a_count, b_count);
  using pass_type = std::remove_const_t<decltype(pass)>;
  using long_pass_type = std::remove_const_t<decltype(long_pass)>;
  found_shape found = detail::find_shape<&merge_kernel<pass_type>>(tiles, shape::block_size);
  if (found.error != cudaSuccess) return {found.error};
  if (2 * found.grid.grid_size >= tiles) {  // their blocks wait for their searches at the same time
    found.grid.grid_size = int(tiles);
    return detail::launch_main(found, &merge_kernel<pass_type>, shape::lane_bytes, how, pass);
  }
  constexpr auto kernel = &long_merge_kernel<long_pass_type>;
  found = detail::find_shape<kernel>(1, long_shape::block_size).with_blocks(long_shape::count_tiles(count));
  found.grid.thread_bytes = long_shape::lane_bytes;
  return detail::use_behind_search<kernel>(found, long_pass, how);
}

template <merge_policy Policy, merge_policy Long, class A, class ACount, class B, class BCount, class Out, class Less>
outcome merge_keys(const A& a, const ACount& a_count, const B& b, const BCount& b_count, const Out& out,
                   const Less& less, const options& how) {
  const auto order = detail::find_merge_order<A, B>(less);
  static_assert(outputs_for<Out, input_value<A>>, "gpuprim::merge: the output must take elements");
  const key_array first{detail::as_constant(a)};
  const key_array second{detail::as_constant(b)};
  const key_array to{detail::unwrap_contiguous(out)};
  const merge_inputs in{first, second, detail::most_of(a_count), detail::most_of(b_count)};
  constexpr std::int64_t most = merge_shape<Policy, typename decltype(in)::item_type>::most_count;
  if (const outcome bad = detail::check_merged(first.keys, in.a_count, second.keys, in.b_count, most); bad.failed()) {
    return bad;
  }
  const std::int64_t count = in.a_count + in.b_count;
  for (const outcome& bad : {detail::check_count(a_count, count, to.keys), detail::check_count(b_count, count, to.keys),
                             detail::check_merge_output(to.keys, count, in)}) {
    if (bad.failed()) return bad;
  }
  return detail::run_merge<Policy, Long>(in, a_count, b_count, to, order, how);
}

/// Keys, the values beside them, and how many of both there are.
template <class Keys, class Values, class Count = std::int64_t>
struct given_pairs {
  Keys keys;
  Values values;
  Count count;
};
template <class Keys, class Values, class Count>
given_pairs(Keys, Values, Count) -> given_pairs<Keys, Values, Count>;

template <merge_policy Policy, merge_policy Long, class A, class B, class KeysOut, class ValuesOut, class Less>
outcome merge_pairs(const A& a, const B& b, const KeysOut& keys_out, const ValuesOut& values_out, const Less& less,
                    const options& how) {
  using AKeys = decltype(a.keys);
  using BKeys = decltype(b.keys);
  using AValues = decltype(a.values);
  using BValues = decltype(b.values);
  const auto order = detail::find_merge_order<AKeys, BKeys>(less);
  static_assert(random_access_input<AValues> && random_access_input<BValues>,
                "gpuprim::merge_pairs: the inputs must be pointers or random-access iterators");
  static_assert(std::is_same_v<input_value<AValues>, input_value<BValues>> && element<input_value<AValues>>,
                "gpuprim::merge_pairs: both inputs must have values of one trivially copyable and assignable type");
  static_assert(outputs_for<KeysOut, input_value<AKeys>> && outputs_for<ValuesOut, input_value<AValues>>,
                "gpuprim::merge_pairs: the outputs must take keys and values");
  const pair_array first{detail::as_constant(a.keys), detail::as_constant(a.values)};
  const pair_array second{detail::as_constant(b.keys), detail::as_constant(b.values)};
  const pair_array to{detail::unwrap_contiguous(keys_out), detail::unwrap_contiguous(values_out)};
  const merge_inputs in{first, second, detail::most_of(a.count), detail::most_of(b.count)};
  constexpr std::int64_t most = merge_shape<Policy, typename decltype(in)::item_type>::most_count;
  for (const outcome& bad : {detail::check_merged(first.keys, in.a_count, second.keys, in.b_count, most),
                             detail::check_merged(first.values, in.a_count, second.values, in.b_count, most)}) {
    if (bad.failed()) return bad;
  }
  const std::int64_t count = in.a_count + in.b_count;
  for (const outcome& bad :
       {detail::check_count(a.count, count, to.keys, to.values),
        detail::check_count(b.count, count, to.keys, to.values), detail::check_merge_output(to.keys, count, in),
        detail::check_merge_output(to.values, count, in)}) {
    if (bad.failed()) return bad;
  }
  if (detail::overlap(to.keys, count, to.values, count)) {
    return {cudaErrorInvalidValue, "the outputs overlap each other"};
  }
  return detail::run_merge<Policy, Long>(in, a.count, b.count, to, order, how);
}

}  // namespace gpuprim::detail
