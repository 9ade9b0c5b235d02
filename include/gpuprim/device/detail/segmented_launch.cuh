// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/few_segments_kernel.cuh>
#include <gpuprim/device/detail/reduce_call.cuh>
#include <gpuprim/device/detail/segment_bounds_kernel.cuh>
#include <gpuprim/device/detail/segment_rows_kernel.cuh>
#include <gpuprim/device/detail/segment_turns_kernel.cuh>

#include <bit>

namespace gpuprim::detail {

/// The shape of the kernels: that of the policy, or one warp where its warps do not have room in 40 KiB of shared
/// memory.
template <class In, class Acc>
struct segmented_shape {
  static constexpr std::int64_t warp_bytes = sizeof(segment_scratch<In, Acc>);
  static_assert(warp_bytes <= 40960, "gpuprim::segmented_reduce: elements and accumulators have at most 256 bytes");
  static constexpr int block_size =
      warp_bytes * segmented_policy::block_size / warp_size <= 40960 ? segmented_policy::block_size : warp_size;
  static constexpr bool is_small = sizeof(Acc) <= 8 && sizeof(input_value<In>) <= 8;
  static constexpr bool are_words = sizeof(Acc) == 4 && sizeof(input_value<In>) == 4;
  static constexpr int blocks_per_multiprocessor = is_small ? segmented_policy::blocks_per_multiprocessor : 1;
  static constexpr std::int64_t block_items = segment_tile_shape<In, Acc>::values * (block_size / warp_size);
};

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

template <class Acc, class In, class Op>
constexpr void check_segmented_types() {
  static_assert(element<input_value<In>>, "gpuprim::segmented_reduce: the element type must be trivially copyable");
  static_assert(element<Acc>, "gpuprim::segmented_reduce: the accumulator type must be trivially copyable");
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::segmented_reduce: the operator must take two values of the accumulator type and return one");
}

/// Launches the kernel for segments that follow each other, with at most so many blocks.
template <class Acc, class In, class Segments, class Out, class Op>
outcome launch_segmented(In in, const Segments& segments, std::int64_t most_blocks, Out out, Op op, Acc init,
                         const options& how) {
  check_segmented_types<Acc, In, Op>();
  using shape = segmented_shape<In, Acc>;
  constexpr auto kernel =
      &segmented_kernel<shape::block_size, shape::blocks_per_multiprocessor, Acc, In, Segments, Out, Op>;
  launch_shape grid{};
  start when = start::in_order;
  if (cudaError_t e = find_shape<kernel>(most_blocks, shape::block_size, grid, when)) return {e};
  return with_workspace(grid_reduce_bytes<Acc>(grid.grid_size), how, [&](void* buffer) {
    return launch(when, kernel, grid, how.stream, in, segments,
                  put_segment<Acc, Out, Op>{out, op, init}, make_grid_reduce_state<Acc>(buffer));
  });
}

/// Launches the two kernels for many segments by offsets, with at most so many blocks.
template <class Acc, class In, class Segments, class Out, class Op>
outcome launch_segment_turns(In in, const Segments& segments, std::int64_t most_blocks, Out out, Op op, Acc init,
                             const options& how) {
  check_segmented_types<Acc, In, Op>();
  using shape = segmented_shape<In, Acc>;
  constexpr int block_size = segmented_policy::turn_block_size, most = segmented_policy::turn_blocks_per_multiprocessor;
  constexpr auto turns =
      &segment_turns_kernel<block_size, shape::are_words ? most : most - 1, Acc, In, Segments, Out, Op>;
  constexpr auto rest = &segment_parts_kernel<shape::block_size, shape::blocks_per_multiprocessor - 1, Acc, In,
                                              Segments, Out, Op>;
  launch_shape turns_grid{}, rest_grid{};
  start turns_start = start::in_order, rest_start = start::in_order;
  if (cudaError_t e = find_shape<turns>(most_blocks, block_size, turns_grid, turns_start)) return {e};
  if (cudaError_t e = find_shape<rest>(most_blocks, shape::block_size, rest_grid, rest_start)) return {e};
  const put_segment<Acc, Out, Op> put{out, op, init};
  return with_workspace(turns_state<Acc>::bytes(), how, [&](void* buffer) {
    const auto state = turns_state<Acc>::lay_over(buffer);
    const cudaError_t e = launch(turns_start, turns, turns_grid, how.stream, in, segments, put, state);
    if (e != cudaSuccess) return e;
    return launch(rest_start, rest, rest_grid, how.stream, in, segments, put, state,
                  turns_grid.grid_size * (block_size / warp_size));
  });
}

/// Launches the two kernels for segments that lie anywhere.
template <class Acc, class In, class Begins, class Ends, class Out, class Op>
outcome launch_segment_bounds(In in, Begins begins, Ends ends, std::int64_t segments, Out out, Op op, Acc init,
                              const options& how, int most_blocks) {
  check_segmented_types<Acc, In, Op>();
  constexpr int block_size = segmented_shape<In, Acc>::block_size;
  constexpr auto short_ones = &short_segments_kernel<block_size, Acc, In, Begins, Ends, Out, Op>;
  constexpr auto long_ones = &long_segments_kernel<block_size, Acc, In, Begins, Ends, Out, Op>;
  launch_shape short_grid{}, long_grid{};
  start short_start = start::in_order, long_start = start::in_order;
  if (cudaError_t e = find_shape<short_ones>((segments - 1) / block_size + 1, block_size, short_grid, short_start)) {
    return {e};
  }
  if (cudaError_t e = find_shape<long_ones>(most_blocks, block_size, long_grid, long_start)) return {e};
  const put_segment<Acc, Out, Op> put{out, op, init};
  return with_workspace(segment_list<Acc>::bytes(segments), how, [&](void* buffer) {
    const auto list = segment_list<Acc>::lay_over(buffer);
    const cudaError_t e =
        launch(short_start, short_ones, short_grid, how.stream, in, begins, ends, segments, put, list);
    if (e != cudaSuccess) return e;
    return launch(long_start, long_ones, long_grid, how.stream, in, begins, ends, put, list);
  });
}

template <class In, class Out>
outcome check_segmented_arguments(const In& in, std::int64_t segments, const Out& out) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments > (std::numeric_limits<std::int64_t>::max)() / 32) {
    return {cudaErrorInvalidValue, "there are too many segments"};
  }
  if (segments > 0 && is_null(out)) return {cudaErrorInvalidValue, "the output is a null pointer"};
  return check_reduce_arguments(in, 0, true);
}

/// Wide loads in a segment of one length, where the kernel for rows takes it: a power of two of them, at most a unit of
/// a warp, from an aligned address. 0 elsewhere.
template <class In>
int loads_in_row(const In& in, std::int64_t length) {
  if constexpr (std::is_pointer_v<In> && load_bytes % sizeof(input_value<In>) == 0) {
    constexpr int items = elements_per_load<input_value<In>>;
    const std::int64_t loads = length / items;
    const bool fits = length % items == 0 && loads >= 1 && loads <= reduce_input<In, segment_unit_rows>::unit_loads;
    if (fits && (loads & (loads - 1)) == 0 && address_of(in) % load_bytes == 0) return int(loads);
  }
  return 0;
}

template <class Acc, class In, class Out, class Op>
outcome launch_segment_rows(In in, std::int64_t n, int segment_loads, Out out, Op op, Acc init, const options& how) {
  check_segmented_types<Acc, In, Op>();
  constexpr int block_size = segmented_policy::row_block_size;
  constexpr auto kernel = &segment_rows_kernel<block_size, Acc, In, Out, Op>;
  using input_type = reduce_input<In, segment_unit_rows>;
  const input_type input{in, n, n / input_type::load_items, 0};
  const std::int64_t blocks = (input.units() * warp_size + block_size - 1) / block_size;
  if (blocks > (std::numeric_limits<int>::max)()) return {cudaErrorInvalidValue, "there are too many values"};
  launch_shape shape{};
  start when = start::in_order;
  if (cudaError_t e = find_shape<kernel>(blocks, block_size, shape, when)) return {e};
  shape.grid_size = int(blocks);  // more than fit at once
  return {launch(when, kernel, shape, how.stream, input, std::countr_zero(unsigned(segment_loads)),
                 put_segment<Acc, Out, Op>{out, op, init})};
}

/// Launches the kernel for few segments.
template <class Acc, class In, class Segments, class Out, class Op>
outcome launch_few_segments(In in, const Segments& segments, std::int64_t most_blocks, Out out, Op op, Acc init,
                            const options& how) {
  check_segmented_types<Acc, In, Op>();
  using shape = segmented_shape<In, Acc>;
  constexpr int block_size = segmented_policy::few_block_size, most = segmented_policy::few_blocks_per_multiprocessor;
  constexpr int blocks = shape::are_words ? most : shape::is_small ? most - 1 : 1;
  constexpr auto kernel = &few_segments_kernel<block_size, blocks, Acc, In, Segments, Out, Op>;
  constexpr std::int64_t least_blocks = 256;  // that read one long segment
  const std::int64_t wanted = segments.count < least_blocks ? least_blocks : segments.count;
  launch_shape grid{};
  start when = start::in_order;
  const std::int64_t asked = wanted < most_blocks ? wanted : most_blocks;
  if (cudaError_t e = find_shape<kernel>(asked, block_size, grid, when)) return {e};
  return with_workspace(few_segments_state<Acc>::bytes(segments.count, grid.grid_size), how, [&](void* buffer) {
    return launch(when, kernel, grid, how.stream, in, segments, put_segment<Acc, Out, Op>{out, op, init},
                  few_segments_state<Acc>::lay_over(buffer, segments.count, grid.grid_size));
  });
}

/// Long segments of one length for whole blocks; says no where they are short, or the operator does not commute.
template <class Acc, class In, class Out, class Op>
bool launch_segment_blocks(In in, const fixed_segments& segments, Out out, Op op, Acc init, const options& how,
                           outcome& result) {
  if constexpr (is_commutative<Op, Acc>) {
    check_segmented_types<Acc, In, Op>();
    if (segments.length < segmented_policy::least_block_values) return false;
    constexpr int block_size = 256, least_turns = 16;
    // 64 registers are enough for words of 4 bytes alone.
    constexpr int blocks = segmented_shape<In, Acc>::are_words ? 4 : segmented_shape<In, Acc>::is_small ? 3 : 1;
    constexpr auto turns = &segment_blocks_kernel<block_size, blocks, Acc, In, Out, Op>;
    constexpr auto shares = &segment_shares_kernel<block_size, blocks, Acc, In, Out, Op>;
    const put_segment<Acc, Out, Op> put{out, op, init};
    launch_shape shape{};
    start when = start::in_order;
    result = {find_shape<turns>(segments.count, block_size, shape, when)};
    if (result.code != cudaSuccess) return true;
    if (segments.count / shape.grid_size >= least_turns || segments.length <= segmented_policy::most_whole_values) {
      result = {launch(when, turns, shape, how.stream, in, segments, put)};
      return true;
    }
    constexpr std::int64_t block_values = segment_tile_shape<In, Acc>::unit_values * (block_size / warp_size);
    const std::int64_t most_blocks = segments.count * segments.length / block_values + 1;
    result = {find_shape<shares>(most_blocks, block_size, shape, when)};
    if (result.code != cudaSuccess) return true;
    result = with_workspace(grid_reduce_bytes<Acc>(shape.grid_size), how, [&](void* buffer) {
      return launch(when, shares, shape, how.stream, in, segments, put, make_grid_reduce_state<Acc>(buffer));
    });
    return true;
  } else {
    return false;
  }
}

}  // namespace gpuprim::detail
