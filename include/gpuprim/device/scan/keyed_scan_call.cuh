// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/scan/scan_call.cuh>
#include <gpuprim/device/scan/scan_parts.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What a scan by key reads: keys and values. A segment begins where a key differs from the one before.
template <class Keys, class Values, class T, class Equal>
struct keyed_source : source_defaults {
  using key = input_value<Keys>;
  using item = input_value<Values>;
  using element = scan_part<T>;
  template <class Shape, class Result>
  struct place : tile_place<item, Result, Shape::tile_items> {
    tile_buffer<key, Shape::tile_items> keys;
  };
  static constexpr int replaced_bytes = int(sizeof(item));
  template <class Shape>
  static constexpr bool may_have_rows =
      detail::may_have_rows<Shape::tile_items, Keys> && detail::may_have_rows<Shape::tile_items, Values>;

  Keys keys;
  Values values;
  Equal equal;

  keyed_source(const Keys& k, const Values& v, const Equal& e) : keys(k), values(v), equal(e) {}
  template <class Shape> int head(std::int64_t n) const { return detail::count_head<Shape::tile_items>(keys, n); }
  template <class Shape>
  __device__ bool has_rows(int head) const {
    return detail::has_rows_at<Shape::tile_items>(keys, head) && detail::has_rows_at<Shape::tile_items>(values, head);
  }

  __device__ uninitialized_array<element, 1> before_tiles(int i, int head) const {
    uninitialized_array<element, 1> own;
    if (i < head) own[0] = {detail::convert<T>(values[i]), i > 0 && !equal(keys[i - 1], keys[i])};
    return own;
  }
  __device__ void prefetch(std::int64_t first, std::int64_t n, int count) const {
    detail::prefetch_tile(keys, first, n, count);
    detail::prefetch_tile(values, first, n, count);
  }
  template <class Shape, class Place>
  __device__ __forceinline__ void copy(std::int64_t first, std::int64_t n, Place& to) const {
    detail::copy_tile<Shape::block_size, Shape::items>(keys, first, n, to.keys.data());
    detail::copy_tile<Shape::block_size, Shape::items>(values, first, n, to.elements());
    if (this_block::thread_rank() == 0) copy_key_before(first, to);
  }
  template <class Shape, class Place>
  __device__ __forceinline__ void copy_row(std::int64_t first, Place& to, ptx::copy_round* round) const {
    detail::copy_row<Shape::tile_items>(keys, first, to.keys.data(), round);
    detail::copy_row<Shape::tile_items>(values, first, to.elements(), round);
    copy_key_before(first, to);
  }
  template <class Shape, class Place>
  __device__ __forceinline__ uninitialized_array<element, Shape::items> read(Place& from, int rank) const {
    const auto own_keys = detail::read_items<Shape::items>(from.keys.data(), rank);
    const auto own = detail::read_items<Shape::items>(from.elements(), rank);
    uninitialized_array<element, Shape::items> parts;
    parts[0] = {detail::convert<T>(own[0]), !equal(from.keys.data()[rank * Shape::items - 1], own_keys[0])};
#pragma unroll
    for (int k = 1; k < Shape::items; ++k) {
      parts[k] = {detail::convert<T>(own[k]), !equal(own_keys[k - 1], own_keys[k])};
    }
    return parts;
  }

 private:
  /// No segment is said to begin with the first element of all, which comes behind the initial value.
  template <class Place>
  __device__ __forceinline__ void copy_key_before(std::int64_t first, Place& to) const {
    detail::copy_one(keys, first > 0 ? first - 1 : 0, to.keys.data() - 1);
  }
};

/// Checks the arguments of a scan by key, and uses the launch for them.
template <scan_kind Kind, class T, scan_policies Policies, class Keys, class Values, class Out, class Op, class Equal,
          class Init>
outcome run_keyed_scan(const Keys& keys, const Values& values, const element_count& count, const Out& to, const Op& op,
                       const Equal& equal, const Init& init, const options& how) {
  static_assert(random_access_input<Keys>,
                "gpuprim::scan_by_key: the keys must be a pointer or a random-access iterator");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::scan_by_key: the operator's const operator() must take two values of the accumulator type "
                "and return one");
  [[maybe_unused]] const refuse_total<Out> checked_output{};
  return detail::with_input<array_form::pointer>(keys, [&](auto raw_keys) {
    return detail::with_input<array_form::pointer>(values, [&](auto raw_values) -> outcome {
      using Key = input_value<decltype(raw_keys)>;
      static_assert(element<Key>, "gpuprim::scan_by_key: the key type must be trivially copyable and assignable");
      [[maybe_unused]] const refuse_stream<Equal> checked{};
      static_assert(is_equality_on<Equal, Key>,
                    "gpuprim::scan_by_key: the equality's const operator() must take two keys and return a bool");
      const auto out = detail::unwrap_contiguous(to);
      const std::int64_t n = count.most();
      if (const outcome bad = detail::check_input(raw_keys, n); bad.failed()) return bad;
      if (const outcome bad = detail::check_input(raw_values, n); bad.failed()) return bad;
      if (detail::overlap(out, n, detail::unwrap_contiguous(keys), n)) {
        return {cudaErrorInvalidValue, "the output overlaps the keys"};
      }
      if (!detail::may_replace(out, detail::unwrap_contiguous(values), n)) {
        return {cudaErrorInvalidValue, "the output overlaps the values, and is not the same array"};
      }
      if (const outcome bad = detail::check_start(init, out, n); bad.failed()) return bad;
      const auto join = detail::joining<T>(op);
      using Join = std::remove_const_t<decltype(join)>;
      const auto same = detail::comparing_in_call(equal);
      using Same = std::remove_const_t<decltype(same)>;
      const keyed_source<decltype(raw_keys), decltype(raw_values), T, Same> source(raw_keys, raw_values, same);
      return detail::run_scan_of<Kind, scan_part<T>, Policies>(
          source, count, out, nothing{}, join_scan_parts<T, Join>{join}, segment_steps<Kind, T, Init>{init},
          detail::start_of_parts<T>(init), how);
    });
  });
}

}  // namespace gpuprim::detail
