// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/reduce_call.cuh>
#include <gpuprim/device/detail/segmented_kernel.cuh>

namespace gpuprim {

/// Says that segments have one length and follow each other: the rows of a matrix.
struct fixed_length {
  std::int64_t length;
};

namespace detail {

/// Threads of a block of a segmented reduce.
inline constexpr int segmented_block_size = 256;

template <class It>
concept offset_input = random_access_input<It> && std::is_integral_v<input_value<It>> &&
                       (sizeof(input_value<It>) == 4 || sizeof(input_value<It>) == 8);

inline std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// True if both are pointers and the bytes behind them meet.
template <class A, class B>
bool overlap(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count) {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    return address_of(a) < address_of(b + b_count) && address_of(b) < address_of(a + a_count);
  } else {
    return false;
  }
}

template <class P>
bool is_null(const P& p) {
  if constexpr (std::is_pointer_v<P>) return p == nullptr;
  else return false;
}

/// Everything of a call that depends on types alone: checks, grid, launch.
template <class Acc, class In, class Segments, class Out, class Op>
struct segmented_launch {
  static_assert(element<input_value<In>>, "gpuprim::segmented_reduce: the element type must be trivially copyable");
  static_assert(element<Acc>, "gpuprim::segmented_reduce: the accumulator type must be trivially copyable");
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::segmented_reduce: the operator must take two values of the accumulator type and return one");
  static constexpr auto kernel = &segmented_kernel<segmented_block_size, Acc, In, Segments, Out, Op>;

  /// `items`: values and segments, or more where the host does not know.
  static outcome run(In in, const Segments& segments, std::int64_t items, Out out, Op op, Acc init, const options& how) {
    constexpr std::int64_t block_items = segment_tile_shape<In, Acc>::values * (segmented_block_size / warp_size);
    int grid_size = 0;
    start when = start::in_order;
    if (cudaError_t e = find_grid<kernel>((items - 1) / block_items + 1, segmented_block_size, grid_size, when)) {
      return {e};
    }
    return with_workspace(grid_reduce_bytes<Acc>(grid_size), how, [&](void* buffer) {
      return launch(when, kernel, grid_size, segmented_block_size, how.stream, in, segments, out, op, init,
                    make_grid_reduce_state<Acc>(buffer));
    });
  }
};

template <class In, class Out>
outcome check_segmented_arguments(const In& in, std::int64_t segments, const Out& out) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments > (std::numeric_limits<std::int64_t>::max)() / 32) {
    return {cudaErrorInvalidValue, "there are too many segments"};
  }
  if (segments > 0 && is_null(out)) return {cudaErrorInvalidValue, "the output is a null pointer"};
  return check_reduce_arguments(in, 0, true);
}

template <class Acc, class In, class Offsets, class Out, class Op>
outcome reduce_segments(In in, Offsets offsets, std::int64_t segments, Out out, Op op, Acc init, const options& how) {
  static_assert(offset_input<Offsets>, "gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access "
                                       "iterator over, integers of 32 or 64 bits");
  return with_raw_input(in, [&](auto raw) -> outcome {
    const auto result = unwrap_contiguous(out);
    const auto where = unwrap_contiguous(offsets);
    if (outcome bad = check_segmented_arguments(raw, segments, result); bad.code != cudaSuccess || segments == 0) {
      return bad;
    }
    if (is_null(where)) return {cudaErrorInvalidValue, "the offsets are a null pointer"};
    if (overlap(result, segments, where, segments + 1)) {
      return {cudaErrorInvalidValue, "the output overlaps the offsets"};
    }
    using source = offset_segments<std::remove_const_t<decltype(where)>>;
    using chosen = segmented_launch<Acc, decltype(raw), source, std::remove_const_t<decltype(result)>, Op>;
    return chosen::run(raw, source{where, segments}, (std::numeric_limits<std::int64_t>::max)(), result, op, init, how);
  });
}

template <class Acc, class In, class Out, class Op>
outcome reduce_segments(In in, fixed_length fixed, std::int64_t segments, Out out, Op op, Acc init,
                        const options& how) {
  return with_raw_input(in, [&](auto raw) -> outcome {
    const auto result = unwrap_contiguous(out);
    if (outcome bad = check_segmented_arguments(raw, segments, result); bad.code != cudaSuccess || segments == 0) {
      return bad;
    }
    const std::int64_t length = fixed.length;
    if (length < 0) return {cudaErrorInvalidValue, "the length is negative"};
    if (length >= (std::numeric_limits<std::int64_t>::max)() / 2 / segments) {
      return {cudaErrorInvalidValue, "the segments are too long: their values overflow 64 bits"};
    }
    const std::int64_t n = length * segments;
    if (outcome bad = check_reduce_arguments(raw, n, true); bad.code != cudaSuccess) return bad;
    if (overlap(result, segments, raw, n)) return {cudaErrorInvalidValue, "the output overlaps the input"};
    using chosen = segmented_launch<Acc, decltype(raw), fixed_segments, std::remove_const_t<decltype(result)>, Op>;
    return chosen::run(raw, {length, segments}, n + segments, result, op, init, how);
  });
}

/// The type that the values are joined in; see accumulator_choice.
template <class Asked, class Op, class In>
struct segmented_accumulator {
  static_assert(random_access_input<In>,
                "gpuprim::segmented_reduce: the input must be a pointer or a random-access iterator");
  using type = std::conditional_t<std::is_void_v<Asked>, default_accumulator<Op, input_value<In>>, Asked>;
};

}  // namespace detail

}  // namespace gpuprim
