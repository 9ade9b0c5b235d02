// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/fixed_segments_kernels.cuh>
#include <gpuprim/device/segmented/segment_rows_kernel.cuh>
#include <gpuprim/device/segmented/segmented_arguments.cuh>
#include <gpuprim/device/segmented/segmented_launch.cuh>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace gpuprim::detail {

/// Launches as many blocks as there is work for, more than fit at once: each has its part and ends.
template <auto Kernel, class... Args>
outcome launch_blocks(std::int64_t blocks, int block_size, const options& how, const Args&... args) {
  if (blocks > (std::numeric_limits<int>::max)()) return {cudaErrorInvalidValue, "there are too many segments"};
  found_shape found = find_shape<Kernel>(blocks, block_size);
  if (found.error != cudaSuccess) return {found.error};
  found.grid.grid_size = int(blocks);
  return {gpuprim::launch(found.when, Kernel, found.grid, how.stream, args...)};
}

/// Segments of one length that are so short that a lane takes one.
template <class Acc, class In, class Out, class Op>
outcome launch_segment_lanes(In in, const fixed_segments& segments, Out out, Op op, Acc init, const options& how) {
  check_segmented_types<Acc, In, Op>();
  constexpr int block_size = segmented_policy::lane_block_size;
  const auto go = [&](auto rows, auto ahead) -> outcome {
    constexpr auto kernel = &segment_lanes_kernel<block_size, rows.value, ahead.value, Acc, In, Out, Op>;
    return launch_blocks<kernel>((segments.count - 1) / (rows.value * block_size) + 1, block_size, how, in, segments,
                                 put_segment<Acc, Out, Op>{out, op, init});
  };
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, 4> four;
  constexpr std::integral_constant<int, 8> eight;
  return segments.length < four ? go(four, four) : go(one, eight);
}

/// However many bytes there are for each thread.
inline constexpr auto any_bytes = (std::numeric_limits<std::int64_t>::max)();

/// Segments of one length for some lanes each; nothing is launched if they are more than so many bytes for each thread
/// that fits.
template <class Acc, class In, class Out, class Op>
std::optional<outcome> launch_segment_groups(In in, const fixed_segments& segments, std::int64_t most_thread_bytes,
                                             Out out, Op op, Acc init, const options& how) {
  check_segmented_types<Acc, In, Op>();
  using policy = segmented_policy;
  using shape = segmented_shape<In, Acc>;
  constexpr int items = segment_tile_shape<In, Acc>::load_items;
  const int length = int(segments.length);
  const bool is_half = items > 1 && length <= items / 2 * items * policy::most_half_loads;
  const int lanes = is_half ? items / 2 : count_lanes<In, Acc>(length, items);
  const auto go = [&](auto log2_lanes, auto blocks) -> std::optional<outcome> {
    constexpr auto kernel =
        &segment_groups_kernel<policy::group_block_size, blocks.value, log2_lanes.value, Acc, In, Out, Op>;
    const found_shape found = find_shape<kernel>(max_grid_blocks, policy::least_group_block_size);
    if (found.error != cudaSuccess) return outcome{found.error};
    const std::int64_t resident = std::int64_t{found.grid.grid_size} * policy::least_group_block_size;
    const std::int64_t bytes = segments.count * segments.length * int(sizeof(input_value<In>));
    if (bytes / resident >= most_thread_bytes) return std::nullopt;
    const std::int64_t threads = segments.count * lanes;
    const int block_size = threads <= resident ? policy::least_group_block_size : policy::group_block_size;
    return launch_blocks<kernel>((threads - 1) / block_size + 1, block_size, how, in, segments,
                                 std::countr_zero(unsigned(lanes)), put_segment<Acc, Out, Op>{out, op, init});
  };
  constexpr std::integral_constant<int, -1> some;
  constexpr std::integral_constant<int, std::countr_zero(unsigned(warp_size))> all;
  constexpr std::integral_constant<int, shape::group_blocks_per_multiprocessor> blocks;
  constexpr std::integral_constant<int, shape::warp_blocks_per_multiprocessor> blocks_of_warps;
  return lanes < warp_size ? go(some, blocks) : go(all, blocks_of_warps);
}

/// Segments of one length in chunks of whole lines, as far as there is room; nothing is launched if there is none.
template <class Acc, class T, class Out, class Op>
std::optional<outcome> launch_segment_chunks(const T* in, const fixed_segments& segments, Out out, Op op, Acc init,
                                             const options& how) {
  check_segmented_types<Acc, const T*, Op>();
  using policy = segmented_policy;
  constexpr int block_size = policy::chunk_block_size, line = 128 / int(sizeof(T));
  constexpr int most = policy::most_chunk_bytes / int(sizeof(T)), usual = policy::chunk_bytes / int(sizeof(T));
  constexpr auto kernel =
      &segment_chunks_kernel<block_size, policy::chunk_blocks_per_multiprocessor, Acc, T, Out, Op>;
  if (segments.length < 1 || segments.length > most) return std::nullopt;
  const int length = int(segments.length), even = length & -length;  // the largest power of two that divides it
  const int step = even < line ? line / even : 1;                    // segments of a whole number of lines
  int size = usual / length / step * step;
  if (size * length < usual / 4 * 3) size = (usual / length + step - 1) / step * step;
  if (size == 0 || size * length > most) return std::nullopt;
  int lanes = 1;
  while (lanes < warp_size && 2 * lanes * size <= block_size) lanes *= 2;
  const bool is_staggered = (std::min)(even, warp_size) > 4 * lanes;  // two or four that meet cost less
  return launch_blocks<kernel>((segments.count - 1) / size + 1, block_size, how, in, segments,
                               segment_chunk{size, lanes, is_staggered}, put_segment<Acc, Out, Op>{out, op, init});
}

template <class Acc, class In, class Out, class Op>
outcome launch_segment_rows(In in, std::int64_t n, int segment_loads, Out out, Op op, Acc init, const options& how) {
  check_segmented_types<Acc, In, Op>();
  constexpr int block_size = segmented_policy::row_block_size;
  constexpr auto kernel = &segment_rows_kernel<block_size, Acc, In, Out, Op>;
  using input_type = reduce_input<In, segment_unit_rows>;
  const input_type input{in, n, n / input_type::load_items, 0};
  return launch_blocks<kernel>((input.units() * warp_size + block_size - 1) / block_size, block_size, how, input,
                               std::countr_zero(unsigned(segment_loads)), put_segment<Acc, Out, Op>{out, op, init});
}

/// Whether blocks take segments of one length.
template <class In>
bool are_for_blocks(const fixed_segments& segments) {
  using policy = segmented_policy;
  const int least = segments.count <= policy::fewest_single_segments ? policy::least_bytes_of_fewest_single
                    : segments.count <= policy::few_single_segments  ? policy::least_bytes_of_few_single
                                                                     : policy::least_single_bytes;
  return segments.length >= least / int(sizeof(input_value<In>));
}

/// Such segments for a block each, or in parts where they are long and few.
template <class Acc, class In, class Out, class Op>
outcome launch_segment_blocks(In in, const fixed_segments& segments, Out out, Op op, Acc init, const options& how) {
  check_segmented_types<Acc, In, Op>();
  using policy = segmented_policy;
  using shape = segmented_shape<In, Acc>;
  using state_type = segment_parts_state<Acc>;
  constexpr int block_size = shape::single_block_size, blocks = shape::single_blocks_per_multiprocessor;
  constexpr auto whole = &segment_blocks_kernel<block_size, blocks, Acc, In, Out, Op>;
  constexpr auto in_parts = &segment_parts_kernel<block_size, blocks, Acc, In, Out, Op>;
  const put_segment<Acc, Out, Op> put{out, op, init};
  const found_shape found = find_shape<in_parts>(max_grid_blocks, block_size);
  if (found.error != cudaSuccess) return {found.error};
  const std::int64_t resident = found.grid.grid_size, count = segments.count, length = segments.length;
  const int most_whole = 8 * count <= resident ? policy::most_few_single_values : policy::most_single_values;
  if (count > policy::most_segments_in_parts || length <= most_whole) {
    return launch_blocks<whole>(count, block_size, how, in, segments, put);
  }
  constexpr std::int64_t line = segment_tile_shape<In, Acc>::line_items;
  std::int64_t least = count * length / (resident * state_type::most_per_block) + 1;
  least = (std::max)({least, std::int64_t{policy::least_part_values}, length / policy::most_parts});
  const std::int64_t part_values = ((length - 1) / ((length - 1) / least + 1) / line + 1) * line;
  const std::int64_t parts = (length - 1) / part_values + 1;
  return with_workspace(state_type::bytes(count, resident), how, [&](void* buffer) {
    return launch_blocks<in_parts>(count * parts, block_size, how, in, segments, int(parts), part_values, put,
                                   state_type::lay_over(buffer, count, resident)).code;
  });
}

/// Launches the kernel that is the fastest for so many of such a length.
template <class Acc, class In, class Out, class Op>
outcome launch_fixed_segments(In in, const fixed_segments& segments, Out out, Op op, Acc init, const options& how) {
  using policy = segmented_policy;
  const std::int64_t n = segments.length * segments.count;
  const int loads = detail::row_loads(in, segments.length);
  if constexpr (segmented_shape<In, Acc>::is_small) {
    const bool are_many = segments.count > policy::many_segments;
    const int most = std::is_pointer_v<In> ? are_many ? policy::most_lane_values_of_many : policy::most_lane_values
                     : are_many            ? policy::most_lane_items_of_many
                                           : policy::most_lane_items;
    const bool are_for_lanes =
        loads > 0 ? segments.length <= policy::most_row_lane_values && segments.count <= policy::most_lane_rows
                  : segments.length <= most;
    if (are_for_lanes) return launch_segment_lanes(in, segments, out, op, init, how);
  }
  if constexpr (is_commutative<Op, Acc>) {
    if (are_for_blocks<In>(segments)) return launch_segment_blocks(in, segments, out, op, init, how);
    const bool are_long = segments.length * int(sizeof(input_value<In>)) >= policy::least_group_bytes;
    const bool are_few_rows = loads > 1 && segments.count <= (loads > 2 ? 2 : 1) * policy::few_rows;
    const bool are_for_groups = !std::is_pointer_v<In> || are_long || are_few_rows;
    const std::int64_t most = are_for_groups ? any_bytes : loads > 0 ? 0 : policy::most_group_thread_bytes;
    if (const auto done = launch_segment_groups(in, segments, most, out, op, init, how)) return *done;
  }
  if constexpr (std::is_pointer_v<In>) {
    if (loads > 0) return launch_segment_rows(in, n, loads, out, op, init, how);
    if constexpr (is_commutative<Op, Acc> && elements_per_load<input_value<In>> > 1) {
      if (const auto done = launch_segment_chunks(in, segments, out, op, init, how)) return *done;
    }
  }
  if constexpr (is_commutative<Op, Acc>) {
    return *launch_segment_groups(in, segments, any_bytes, out, op, init, how);
  } else {
    constexpr std::int64_t block_items = segmented_shape<In, Acc>::block_items;
    return detail::launch_segmented(in, segments, (n + segments.count - 1) / block_items + 1, out, op, init, how);
  }
}

}  // namespace gpuprim::detail
