// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/operators.hpp>
#include <gpuprim/core/words.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/thread/thread_scan.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0 {

/// What a loop of scans has joined so far. Behind the operator of a scan it is the initial value and then takes the
/// total, from which the next scan goes on.
template <class T>
struct running_prefix {
  /// The values so far, joined.
  T value;
};
template <class T>
running_prefix(T) -> running_prefix<T>;

/// Behind the operator of a scan, `total_to{x}` has the variable x take the total.
template <class T>
struct total_to {
  /// The variable.
  T& variable;
};
template <class T>
total_to(T&) -> total_to<T>;

/// Behind the operator of a block's scan, `prefix_callback{function}` has the function find what stands before the
/// block's first value, as a look-back does: the first warp calls `function(aggregate)` when the aggregate of the
/// block's values is known, and what rank 0 gets is the prefix.
template <class Function>
struct prefix_callback {
  /// The function object, or a reference to one of the caller's, which keeps what it changes.
  Function&& function;
};
template <class Function>
prefix_callback(Function&&) -> prefix_callback<Function>;

namespace detail {

/// Stands for no argument behind the operator of a scan.
struct no_end {};

template <class Given>
inline constexpr bool is_running_prefix = false;
template <class T>
inline constexpr bool is_running_prefix<running_prefix<T>> = true;

template <class Given>
inline constexpr bool takes_total = false;
template <class T>
inline constexpr bool takes_total<total_to<T>> = true;

template <class Given>
inline constexpr bool is_prefix_callback = false;
template <class Function>
inline constexpr bool is_prefix_callback<prefix_callback<Function>> = true;

template <class Last>
inline constexpr bool is_variable = std::is_lvalue_reference_v<Last> && !std::is_const_v<std::remove_reference_t<Last>>;

/// Whether the argument behind the operator has the value that a scan starts from.
template <class Last>
inline constexpr bool gives_start = !takes_total<std::remove_cvref_t<Last>> && !std::is_same_v<Last, no_end>;

/// Whether the argument behind the operator is one that a count may stand behind. Behind an initial value an integer
/// might be meant to take the total.
template <class Last>
inline constexpr bool is_scan_end =
    takes_total<std::remove_cvref_t<Last>> || is_running_prefix<std::remove_cvref_t<Last>> ||
    is_prefix_callback<std::remove_cvref_t<Last>> || std::is_same_v<Last, no_end>;

/// What a scan starts from, if anything, where its total goes, if anywhere, and how many of the first values count.
/// Which of them there are is constant once a call is inlined.
template <class T>
struct scan_ends {
  T start;  ///< the first result of an exclusive scan, and the total of no values
  bool has_start;
  T* total;  ///< or null
  int valid_count = all_values;

  /// Whether no value counts; constant where all do.
  __device__ bool is_of_none() const { return valid_count == 0; }
};

/// Behind the operator a value is what an exclusive scan starts from, a total_to takes the total, and a running_prefix
/// is both.
template <scan_kind Kind, class Op, class Last, class T>
__device__ __forceinline__ scan_ends<T> find_ends(const T& value, std::remove_reference_t<Last>& last,
                                                  int valid_count = all_values) {
  using given = std::remove_cvref_t<Last>;
  static_assert(!is_prefix_callback<given>, "gpuprim: only a scan of a block calls a prefix_callback");
  if constexpr (is_running_prefix<given>) {
    static_assert(std::is_same_v<given, running_prefix<T>>,
                  "gpuprim: the running_prefix of a scan must have the type of its values");
    if constexpr (is_variable<Last>) return {last.value, true, detail::pointer_to(last.value), valid_count};
    else return {last.value, true, nullptr, valid_count};
  } else if constexpr (takes_total<given>) {
    static_assert(std::is_same_v<given, total_to<T>>,
                  "gpuprim: the variable of a scan's total_to must have the type of the values");
    return {detail::identity_or<Op>(value), false, detail::pointer_to(last.variable), valid_count};
  } else if constexpr (std::is_same_v<given, no_end>) {
    return {detail::identity_or<Op>(value), false, nullptr, valid_count};
  } else {
    static_assert(Kind == scan_kind::exclusive,
                  "gpuprim: behind the operator of an inclusive scan stands a total_to or a running_prefix");
    static_assert(!is_variable<Last>,
                  "gpuprim: a variable alone behind the operator of a scan might be meant to take the total; write "
                  "total_to{x} for that, and T(x) for an initial value");
    static_assert(initial_value_for<given, T>, "gpuprim: the initial value must convert to the type of the values");
    return {detail::convert<T>(last), true, nullptr, valid_count};
  }
}

/// Of an initial value and the total that contains it. The type of the initial value is deduced, so that `{}`, which
/// stands for no argument, is none.
template <class Op, class T, class Init>
__device__ __forceinline__ scan_ends<T> find_ends_with_total(const T& value, const Init& init, T& total,
                                                             int valid_count = all_values) {
  auto ends = detail::find_ends<scan_kind::exclusive, Op, const Init&>(value, init, valid_count);
  ends.total = detail::pointer_to(total);
  return ends;
}

/// Joins each of the first `valid_count` lanes with all before it, among each `Lanes` neighbours of a tile.
template <int Lanes = warp_size, class Tile, class T, class Op>
__device__ __forceinline__ T scan_lanes(const Tile& tile, T value, const Op& op, int valid_count) {
  constexpr int size = static_tile_size<Tile>;
  const int rank = int(tile.thread_rank());
  detail::for_strides<T, (size > 0 && size < Lanes ? size : Lanes)>(size > 0 ? size : int(tile.size()), [&](int delta) {
    const auto earlier = detail::shuffle_up(tile, value, unsigned(delta));
    T joined = earlier.value;  // where there is no such lane, its own: a copy of that would take an instruction
    if (earlier.is_there && detail::is_valid(rank, valid_count)) {
      joined = ptx::keep_conditional(detail::convert<T>(op(earlier.value, value)));
    }
    value = joined;
  });
  return value;
}

/// Integer sums wrap, so that subtraction takes back what addition joined.
template <class Op, class T>
inline constexpr bool can_subtract =
    is_library_operator_on<Op, T> && is_from<Op, plus> && is_integer<T> && !std::is_same_v<T, bool>;

template <class T>
__device__ __forceinline__ T subtract(const T& total, const T& value) {
  return static_cast<T>(wrapping<T>(total) - wrapping<T>(value));
}

template <scan_kind Kind, class Tile, class T, class Op>
__device__ __forceinline__ T warp_scan(const Tile& tile, const T& value, const Op& op, const scan_ends<T>& ends,
                                       call_site here) {
  static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_scan: the group must be a tile of at most 32 lanes or a coalesced group");
  static_assert(element<T>, "gpuprim::warp_scan: the element type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::warp_scan: the operator's const operator() must take two values of the type and return one");
  expects(0 <= ends.valid_count, "gpuprim::warp_scan: valid_count must not be negative: it is %lld", here,
          ends.valid_count);
  T prefix = detail::scan_lanes(tile, value, op, ends.valid_count);
  if (ends.total != nullptr) {
    const int lanes = int(tile.size()), count = lanes > ends.valid_count ? ends.valid_count : lanes;
    *ends.total = detail::shuffle(tile, prefix, ends.is_of_none() ? 0 : count - 1);
    if (ends.is_of_none()) *ends.total = ends.start;
    else if (ends.has_start) *ends.total = op(ends.start, *ends.total);
  }
  if constexpr (Kind == scan_kind::exclusive && !can_subtract<Op, T>) {
    const auto earlier = detail::shuffle_up(tile, prefix, 1u);
    if (!earlier.is_there) return ends.start;
    prefix = earlier.value;
  }
  if (ends.has_start && detail::is_valid(int(tile.thread_rank()), ends.valid_count)) prefix = op(ends.start, prefix);
  if constexpr (Kind == scan_kind::exclusive && can_subtract<Op, T>) prefix = detail::subtract(prefix, value);
  return prefix;
}

}  // namespace detail

/// Scans the values of a tile: each lane gets op over the lanes up to its own.
///
/// @pre   All lanes of `tile`, which has 1 to 32, call it. 0 <= valid_count: results of lanes behind it are
///        unspecified, and the operator does not see their values. The total of none is what the scan starts from or,
///        without that, the identity, if there is one.
/// @sync  the lanes of the tile meet in the shuffles; memory is not ordered.
/// @order kept, by a tree that depends on the lane alone.
/// @cost  log2(size) shuffles a 32-bit word, and one more for the total.
/// @return op over the lanes up to the calling one. `last` may be left out or `{}`. A `total_to{x}` there has x take
///         the total, in every lane; a `running_prefix` joins as a value before the first, and then takes the total.
/// @source Kogge and Stone, "A parallel algorithm for the efficient solution of a general class of recurrence
///         equations", 1973; Harris, Sengupta and Owens, "Parallel prefix sum (scan) with CUDA", 2007.
/// @example examples/library/49_scan_levels.cu
template <class Tile, class T, class Op, class Last = detail::no_end>
__device__ __forceinline__ T warp_inclusive_scan(const Tile& tile, T value, const Op& op, Last&& last = {},
                                                 int valid_count = detail::all_values,
                                                 detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_ends<detail::scan_kind::inclusive, Op, Last>(value, last, valid_count);
  return detail::warp_scan<detail::scan_kind::inclusive>(tile, value, op, ends, here);
}

/// Scans the values of a tile: each lane gets op over the lanes before its own, and rank 0 the initial value or,
/// without one, the identity. `last` is as in warp_inclusive_scan, or an expression: the initial value.
template <class Tile, class T, class Op, class Last = detail::no_end>
__device__ __forceinline__ T warp_exclusive_scan(const Tile& tile, T value, const Op& op, Last&& last = {},
                                                 detail::call_site here = detail::call_site::current()) {
  static_assert(has_identity<Op, T> || detail::gives_start<Last>,
                "gpuprim::warp_exclusive_scan: the operator has no identity for this type; pass an initial value");
  const auto ends = detail::find_ends<detail::scan_kind::exclusive, Op, Last>(value, last);
  return detail::warp_scan<detail::scan_kind::exclusive>(tile, value, op, ends, here);
}

/// Scans the first `valid_count` lanes of a tile. `last` is as in warp_inclusive_scan; `running_prefix{init}` is an
/// initial value.
template <class Tile, class T, class Op, class Last = detail::no_end>
  requires detail::is_scan_end<Last>
__device__ __forceinline__ T warp_exclusive_scan(const Tile& tile, T value, const Op& op, Last&& last,
                                                 std::integral auto valid_count,
                                                 detail::call_site here = detail::call_site::current()) {
  static_assert(has_identity<Op, T> || detail::gives_start<Last>,
                "gpuprim::warp_exclusive_scan: the operator has no identity for this type; pass an initial value");
  const auto ends = detail::find_ends<detail::scan_kind::exclusive, Op, Last>(value, last, valid_count);
  return detail::warp_scan<detail::scan_kind::exclusive>(tile, value, op, ends, here);
}

/// Scans from an initial value, which the total that every lane gets contains. It is taken by value: a constant of the
/// host has no address in a kernel.
template <class Tile, class T, class Op, class Init>
  requires(!detail::is_scan_end<Init>)
__device__ __forceinline__ T warp_exclusive_scan(const Tile& tile, T value, const Op& op, Init init,
                                                 std::type_identity_t<T>& total, int valid_count = detail::all_values,
                                                 detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_ends_with_total<Op>(value, init, total, valid_count);
  return detail::warp_scan<detail::scan_kind::exclusive>(tile, value, op, ends, here);
}

}  // namespace gpuprim
