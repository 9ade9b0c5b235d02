// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/arguments/sorted_arrays.cuh>
#include <gpuprim/device/common/merge_shape.cuh>
#include <gpuprim/device/merge/merge_sort_kernels.cuh>
#include <gpuprim/device/merge/search_kernel.cuh>
#include <gpuprim/device/tiles/found_tiles.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Arrays of n elements in scratch memory, one behind the other.
template <class T>
constexpr std::int64_t scratch_array_bytes(std::int64_t n) {
  return detail::align_up(n * std::int64_t(sizeof(T)));
}
template <class T>
void lay_over(key_array<T*>& array, void* buffer, std::int64_t) {
  array.keys = static_cast<T*>(buffer);
}
template <class Key, class Value>
void lay_over(pair_array<Key*, Value*>& array, void* buffer, std::int64_t n) {
  array.keys = static_cast<Key*>(buffer);
  array.values = reinterpret_cast<Value*>(static_cast<char*>(buffer) + scratch_array_bytes<Key>(n));
}

/// The scratch memory of a sort whose arrays have elements of the types Elements: such arrays, and where tiles begin.
template <merge_policy Policy, class Item, class... Elements>
constexpr std::int64_t merge_sort_scratch_bytes(std::int64_t n) {
  const std::int64_t tiles = merge_shape<Policy, Item>::count_tiles(n);
  return tiles <= 1 ? 0 : (scratch_array_bytes<std::int64_t>(tiles) + ... + scratch_array_bytes<Elements>(n));
}

/// Sorts runs of `Tiles` tiles.
template <class Shape, int Tiles, class In, class Array, class Less>
outcome sort_tiles(const In& in, std::int64_t n, const Array& out, const Less& less, const options& how) {
  using pass_type = tile_sort_pass<Shape, Tiles, In, Array, Less>;
  constexpr auto kernel = &tile_sort_kernel<pass_type>;
  const auto found = detail::find_shape<kernel>(1, pass_type::size).with_blocks(detail::ceil_div(n, pass_type::all));
  return detail::launch_main(found, kernel, Shape::lane_bytes, how, pass_type{in, out, n, less});
}

/// Merges pairs of runs.
template <class Pass>
cudaError_t merge_runs(const Pass& pass, std::int64_t tiles, const options& how) {
  constexpr auto kernel = &run_merge_kernel<Pass>;
  const found_shape found = detail::find_shape<kernel>(1, Pass::shape::block_size).with_blocks(tiles);
  return detail::launch_behind_search<kernel>(found, pass, tiles, how);
}

/// Finds how many tiles a block sorts as one run: one where each has a multiprocessor of its own.
template <class Shape, class In, class Array, class Less>
cudaError_t find_run_tiles(std::int64_t tiles, unsigned& run_tiles) {
  run_tiles = 1;
  if (tiles == 1) return cudaSuccess;
  kernel_fit fit;
  const cudaError_t error =
      detail::find_kernel_fit<&tile_sort_kernel<tile_sort_pass<Shape, 1, In, Array, Less>>>(Shape::block_size, fit);
  if (error == cudaSuccess && tiles > fit.multiprocessors) run_tiles = Shape::sort_tiles;
  return error;
}

/// Sorts runs of so many tiles.
template <class Shape, class In, class Array, class Less>
outcome sort_runs(const In& in, std::int64_t n, const Array& out, const Less& less, unsigned run_tiles,
                  const options& how) {
  return run_tiles == 1 ? detail::sort_tiles<Shape, 1>(in, n, out, less, how)
                        : detail::sort_tiles<Shape, Shape::sort_tiles>(in, n, out, less, how);
}

/// Sorts n > 0 items: runs of tiles, which then are merged from one array to the other in each pass and end in `out`.
template <merge_policy Policy, class In, class Array, class Less>
outcome run_merge_sort(const In& in, std::int64_t n, const Array& out, const Less& less, std::int64_t scratch_bytes,
                       const options& how) {
  using shape = merge_shape<Policy, typename item_behind<In>::type>;
  using merge_pass = run_merge_pass<shape, Array, Less>;
  const std::int64_t tiles = shape::count_tiles(n);
  unsigned run_tiles = 1;
  cudaError_t error = detail::find_run_tiles<shape, In, Array, Less>(tiles, run_tiles);
  if (error != cudaSuccess) return {error};
  if (tiles == 1) return detail::sort_runs<shape>(in, n, out, less, run_tiles, how);
  int passes = 0;
  while (std::int64_t{run_tiles} << passes < tiles) ++passes;
  memory_lease lease({0, scratch_bytes}, how);
  if (lease.error()) return lease.refusal();
  auto* const begins = reinterpret_cast<std::int64_t*>(lease.scratch());
  Array arrays[] = {out, {}};  // the passes that are left say which one is written
  detail::lay_over(arrays[1], lease.scratch() + scratch_array_bytes<std::int64_t>(tiles), n);
  const Array& first = arrays[passes % 2];
  error = detail::sort_runs<shape>(in, n, first, less, run_tiles, how).code;
  for (int left = passes; left > 0 && error == cudaSuccess; --left, run_tiles *= 2) {
    const Array &from = arrays[left % 2], &to = arrays[1 - left % 2];
    error = detail::merge_runs(merge_pass{from, from, to, n, run_tiles, begins, less}, tiles, how);
  }
  return lease.finish(error);
}

/// Checks the types of a sort of keys, and returns the order that its kernels use.
template <class Keys, class KeysOut, class Less>
constexpr auto find_sort_order(const Less& less) {
  static_assert(random_access_input<Keys>,
                "gpuprim::merge_sort: the input must be a pointer or a random-access iterator");
  static_assert(element<input_value<Keys>>,
                "gpuprim::merge_sort: the element type must be trivially copyable and assignable");
  static_assert(std::is_same_v<KeysOut, input_value<Keys>*>,
                "gpuprim::merge_sort: the output must be an array of the type of the elements");
  const auto order = detail::comparing_in_call(less);
  static_assert(is_order_on<std::remove_const_t<decltype(order)>, input_value<Keys>>,
                "gpuprim::merge_sort: the order's const operator() must take two elements and say whether the first "
                "is less");
  return order;
}

template <merge_policy Policy, class In, class Out, class Less>
outcome merge_sort_keys(const In& in, std::int64_t n, const Out& out, const Less& less, const options& how) {
  using Key = input_value<In>;
  const key_array from{detail::as_constant(in)};
  const key_array to{detail::sorted_array(out)};
  const auto order = detail::find_sort_order<In, decltype(to.keys)>(less);
  if (n > merge_shape<Policy, Key>::most_count) return {cudaErrorInvalidValue, "the count is too large"};
  if (const outcome bad = detail::check_sorted_array(from.keys, n, to.keys); bad.failed()) return bad;
  if (n == 0) return {};
  return detail::run_merge_sort<Policy>(from, n, to, order, merge_sort_scratch_bytes<Policy, Key, Key>(n), how);
}

template <merge_policy Policy, class Keys, class Values, class KeysOut, class ValuesOut, class Less>
outcome merge_sort_pairs(const Keys& keys, const Values& values, std::int64_t n, const KeysOut& keys_out,
                         const ValuesOut& values_out, const Less& less, const options& how) {
  static_assert(random_access_input<Values> && element<input_value<Values>>,
                "gpuprim::merge_sort_pairs: the values must be trivially copyable and assignable, behind a pointer or "
                "a random-access iterator");
  using Key = input_value<Keys>;
  using Value = input_value<Values>;
  using item = key_value<Key, Value>;
  const pair_array from{detail::as_constant(keys), detail::as_constant(values)};
  const pair_array to{detail::sorted_array(keys_out), detail::sorted_array(values_out)};
  static_assert(std::is_same_v<decltype(to.values), Value*>,
                "gpuprim::merge_sort_pairs: the output of values must be an array of their type");
  const auto order = detail::find_sort_order<Keys, decltype(to.keys)>(less);
  if (n > merge_shape<Policy, item>::most_count) return {cudaErrorInvalidValue, "the count is too large"};
  if (const outcome bad = detail::check_sorted(from.keys, from.values, n, to.keys, to.values); bad.failed()) return bad;
  if (n == 0) return {};
  return detail::run_merge_sort<Policy>(from, n, to, order, merge_sort_scratch_bytes<Policy, item, Key, Value>(n), how);
}

}  // namespace gpuprim::detail
