// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/segmented/bounds_kernel.cuh>
#include <gpuprim/device/segmented/fixed_kernels.cuh>
#include <gpuprim/device/segmented/segmented_kernel.cuh>
#include <gpuprim/launch/memory_lease.cuh>

#include <bit>
#include <cstdint>
#include <limits>

namespace gpuprim::inline v0_2_0::detail {

/// The shape of the kernels for some types.
template <class In, class Acc>
struct segmented_shape {
  using policy = segmented_policy;
  static constexpr std::int64_t warp_bytes = sizeof(segment_scratch<In, Acc>);
  static constexpr std::int64_t most_scratch_bytes = 40960;  // of static shared memory, of which every GPU has more
  static_assert(warp_bytes <= most_scratch_bytes,
                "gpuprim::segmented_reduce: elements and accumulators have at most 256 bytes");
  /// One warp where more have no room for their tiles.
  static constexpr int block_size =
      warp_bytes * policy::block_size / warp_size <= most_scratch_bytes ? policy::block_size : warp_size;
  static constexpr bool is_small = are_small<In, Acc>;
  static constexpr bool are_words = sizeof(Acc) <= 4 && sizeof(input_value<In>) <= 4;
  static constexpr int blocks_per_multiprocessor = !is_small          ? 1
                                                   : sizeof(Acc) <= 4 ? policy::word_blocks_per_multiprocessor
                                                                      : policy::wide_blocks_per_multiprocessor;
  /// Blocks of other kernels, which so have 64 registers a thread, or 85, or as many as they want.
  static constexpr int blocks_of(int threads) {
    return are_words ? max_block_size / threads : is_small ? max_block_size * 3 / 4 / threads : 1;
  }
};

template <class Acc, class In, class Op>
constexpr void check_segmented_types() {
  static_assert(element<input_value<In>>,
                "gpuprim::segmented_reduce: the element type must be trivially copyable and assignable");
  static_assert(element<Acc>,
                "gpuprim::segmented_reduce: the accumulator type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::segmented_reduce: the operator's const operator() must take two values of the accumulator "
                "type and return one");
}

/// The launch for consecutive segments, of which there may be few.
template <list_size Size, class Acc, class In, class Segments, class Out, class Op>
struct consecutive_launch {
  using shape = segmented_shape<In, Acc>;
  using policy = segmented_policy;
  static constexpr bool are_few = Size == list_size::few;
  static constexpr int block_size = are_few ? policy::few_block_size : shape::block_size;
  static constexpr int few_blocks = shape::is_small ? policy::few_blocks_per_multiprocessor : 1;
  static constexpr int blocks = are_few ? few_blocks : shape::blocks_per_multiprocessor;
  static constexpr auto kernel = &segmented_kernel<Size, block_size, blocks, Acc, In, Segments, Out, Op>;

  /// Does nothing where `segments` are more than the warps of few blocks, and returns does_not_fit.
  static outcome run(In in, const Segments& segments, Out out, Op op, Acc init, const options& how) {
    check_segmented_types<Acc, In, Op>();
    const found_shape found = find_shape<kernel>(max_grid_blocks, block_size);
    if (found.error != cudaSuccess) return {found.error};
    const std::int64_t warps = std::int64_t{found.grid.grid_size} * (block_size / warp_size);
    if (are_few && segments.count > warps) return {does_not_fit};
    const auto cuts = list_cuts::make(segments.count, found.grid.grid_size, block_size);
    memory_lease lease(segmented_state<Acc>::bytes, how);
    if (lease.error()) return lease.refusal();
    return lease.finish(gpuprim::launch(found.when, kernel, found.grid, how, in, segments, cuts,
                                        put_segment<Acc, Out, Op>{out, op, init},
                                        segmented_state<Acc>::lay_over(lease.zeroed(), found.grid.grid_size)));
  }
};

/// The two launches for segments that lie anywhere.
template <class Acc, class In, class Segments, class Out, class Op>
struct bounds_launch {
  using shape = segmented_shape<In, Acc>;
  static constexpr int block_size = segmented_policy::block_size, blocks = shape::blocks_of(block_size);
  static constexpr auto first =
      &bounds_kernel<bounds_pass::take_and_list, block_size, blocks, Acc, In, Segments, Out, Op>;
  static constexpr auto second =
      &bounds_kernel<bounds_pass::take_listed, block_size, (blocks * 3 + 3) / 4, Acc, In, Segments, Out, Op>;

  static outcome run(In in, const Segments& segments, Out out, Op op, Acc init, const options& how) {
    check_segmented_types<Acc, In, Op>();
    const found_shape takes = find_shape<first>(segments.count, block_size);
    if (takes.error != cudaSuccess) return {takes.error};
    const found_shape ends = find_shape<second>(max_grid_blocks, block_size);
    if (ends.error != cudaSuccess) return {ends.error};
    memory_lease lease(segmented_state<Acc>::bytes, how);
    if (lease.error()) return lease.refusal();
    const auto state = segmented_state<Acc>::lay_over(lease.zeroed(), ends.grid.grid_size);
    const put_segment<Acc, Out, Op> put{out, op, init};
    const std::int64_t row = (segments.count - 1) / (std::int64_t{takes.grid.grid_size} * (block_size / warp_size)) + 1;
    const int width = row < warp_size ? int(row) : warp_size;  // of each warp's rows, of which it has one if they fit
    cudaError_t e = launch(takes.when, first, takes.grid, how, in, segments, width, put, state);
    if (e == cudaSuccess) e = launch(ends.when, second, ends.grid, how, in, segments, width, put, state);
    return lease.finish(e);
  }
};

/// The launches of segments of one length. Blocks come and go: each has its work, and ends.
template <class Acc, class In, class Out, class Op>
struct fixed_launch {
  using policy = segmented_policy;
  using shape = segmented_shape<In, Acc>;
  using T = input_value<In>;
  static constexpr bool commutes = is_commutative<Op, Acc>, is_array = std::is_pointer_v<In>;
  static constexpr int size = int(sizeof(T)), items = segment_load<In>::items, block_size = policy::fixed_block_size;

  In in;
  fixed_segments segments;
  put_segment<Acc, Out, Op> put;
  const options& how;

  /// Rows are read together where that gives warps work for a good part of the GPU; a lane takes a short segment; and
  /// where the operator commutes or values are long, a group of lanes takes a longer one, or a block.
  outcome run() const {
    check_segmented_types<Acc, In, Op>();
    const std::int64_t bytes = segments.length * size;
    const bool are_rows = commutes ? shape::is_small && bytes < policy::least_team_bytes && has_many_rows()
                                   : segments.length > policy::most_fixed_lane_values && row_loads() > 0;
    if constexpr (is_array) {
      if (are_rows) return take_by_rows();
    }
    if (segments.length <= (shape::is_small ? policy::most_fixed_lane_values : 0)) return take_by_groups<0>(1);
    if constexpr (commutes || !shape::is_small) {
      const bool is_long = commutes ? bytes >= policy::least_fixed_block_bytes
                                    : segments.length > warp_size * policy::team_loads;  // more than lanes ask for once
      return is_long ? take_by_blocks() : take_by_groups<-1>(count_team_lanes<In, Acc>(segments.length));
    } else {
      using shares = consecutive_launch<list_size::many, Acc, In, segment_items<fixed_segments>, Out, Op>;
      return shares::run(in, segment_items(segments), put.out, put.op, put.init, how);
    }
  }

 private:
  using row_input = reduce_input<In, segment_unit_rows>;

  /// Wide loads in a segment where rows may take it: a power of two of them, at most a unit of a warp, from an aligned
  /// address. 0 elsewhere.
  int row_loads() const {
    if constexpr (is_array && load_bytes % sizeof(T) == 0) {
      const std::int64_t loads = segments.length / items;
      const bool fits = segments.length % items == 0 && loads >= 1 && loads <= row_input::unit_loads;
      if (fits && (loads & (loads - 1)) == 0 && reinterpret_cast<std::uintptr_t>(in) % load_bytes == 0) {
        return int(loads);
      }
    }
    return 0;
  }
  bool has_many_rows() const {
    if constexpr (is_array) {
      if (row_loads() == 0) return false;
      const found_shape found = find_shape<rows>(max_grid_blocks, block_size);
      const std::int64_t warps = std::int64_t(found.grid.grid_size) * (block_size / warp_size);
      return segments.length * segments.count / items >= warps / 2 * row_input::unit_loads;
    }
    return false;
  }

  /// Launches as many blocks as there is work for, more than are resident at once.
  template <auto Kernel, class... Args>
  outcome launch_all(std::int64_t blocks, int threads, const Args&... args) const {
    if (blocks >= std::int64_t{1} << 31) return {cudaErrorInvalidValue, "the segments make 2^31 blocks or more"};
    found_shape found = find_shape<Kernel>(blocks, threads);
    if (found.error != cudaSuccess) return {found.error};
    found.grid.grid_size = int(blocks);
    return {gpuprim::launch(found.when, Kernel, found.grid, how, args...)};
  }

  template <class Values> bounded_input<Values> bounds() const { return {Values(in), 0, segments.items()}; }
  static constexpr auto rows = &rows_kernel<block_size, Acc, In, Out, Op>;
  outcome take_by_rows() const {
    const std::int64_t n = segments.length * segments.count;
    const row_input all{in, n, n / row_input::load_items, 0};
    return launch_all<rows>((all.units() * warp_size + block_size - 1) / block_size, block_size, all,
                            std::countr_zero(unsigned(row_loads())), put);
  }

  /// Groups of so many lanes, which read value by value where they read in order.
  template <int Log2Lanes>
  outcome take_by_groups(int lanes) const {
    using values = std::conditional_t<items == 1 || (commutes && Log2Lanes != 0), In, value_by_value<T>>;
    constexpr int blocks = shape::blocks_of(block_size) * (Log2Lanes == 0 ? 2 : 1);
    constexpr auto kernel = &groups_kernel<block_size, blocks, Log2Lanes, Acc, values, Out, Op>;
    const std::int64_t needed = (segments.count * lanes - 1) / block_size + 1;
    return launch_all<kernel>(needed, block_size, bounds<values>(), segments, std::countr_zero(unsigned(lanes)), put);
  }

  /// A block for each segment, or, where these are fewer than blocks are resident, for each of their parts.
  outcome take_by_blocks() const {
    using state_type = segmented_state<Acc>;
    constexpr int threads = commutes ? policy::block_size : policy::fixed_block_size;
    constexpr auto kernel = &parts_kernel<threads, shape::blocks_of(threads), Acc, In, Out, Op>;
    const found_shape found = find_shape<kernel>(max_grid_blocks, threads);
    if (found.error != cudaSuccess) return {found.error};
    const std::int64_t resident = found.grid.grid_size, count = segments.count;
    const bool is_cut = count < resident && segments.length >= 4 * policy::least_part_values;
    std::int64_t parts = is_cut ? (segments.length - 1) / policy::least_part_values + 1 : 1;
    const std::int64_t most_places = (state_type::places_per_block + 1) / 2 * resident / count;  // some for each block
    for (std::int64_t most : {most_places, std::int64_t{policy::most_parts}}) parts = most < parts ? most : parts;
    const auto all = bounds<In>();
    if (parts <= 1) return launch_all<kernel>(count, threads, all, segments, 1, segments.length, put, state_type{});
    constexpr std::int64_t line = segment_load<In>::line_items;
    const std::int64_t values = ((segments.length - 1) / parts / line + 1) * line;
    parts = (segments.length - 1) / values + 1;
    memory_lease lease(state_type::bytes, how);
    if (lease.error()) return lease.refusal();
    const auto state = state_type::lay_over(lease.zeroed(), int(resident));
    return lease.finish(launch_all<kernel>(count * parts, threads, all, segments, int(parts), values, put, state).code);
  }
};

/// Launches what reduces segments by offsets: where there are few, blocks may take whole ones.
template <class Acc, class In, class Offsets, class Out, class Op>
outcome launch_segments(const In& in, const offset_segments<Offsets>& where, const Out& out, const Op& op,
                        const Acc& init, const options& how) {
  if constexpr (is_commutative<Op, Acc>) {
    using few = segment_items<offset_segments<Offsets>, block_end_items>;
    using launch_type = consecutive_launch<list_size::few, Acc, In, few, Out, Op>;
    const outcome done = launch_type::run(in, few(where), out, op, init, how);
    if (done.code != does_not_fit) return done;
  }
  using many = segment_items<offset_segments<Offsets>>;
  return consecutive_launch<list_size::many, Acc, In, many, Out, Op>::run(in, many(where), out, op, init, how);
}

/// Segments of one length.
template <class Acc, class In, class Out, class Op>
outcome launch_segments(const In& in, const fixed_segments& where, const Out& out, const Op& op, const Acc& init,
                        const options& how) {
  const std::int64_t n = where.items();
  if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
  if (detail::overlap(out, where.count, in, n)) return {cudaErrorInvalidValue, "the output overlaps the input"};
  return fixed_launch<Acc, In, Out, Op>{in, where, {out, op, init}, how}.run();
}

/// Segments by bounds. Whether they are consecutive is not looked at: the kernel for offsets would be compiled too.
template <class Acc, class In, class Begins, class Ends, class Out, class Op>
outcome launch_segments(const In& in, const bound_segments<Begins, Ends>& where, const Out& out, const Op& op,
                        const Acc& init, const options& how) {
  return bounds_launch<Acc, In, bound_segments<Begins, Ends>, Out, Op>::run(in, where, out, op, init, how);
}

/// Checks the arguments of a reduce of segments, and does it.
template <class Acc, class In, class Where, class Out, class Op>
outcome reduce_segments(const In& in, const Where& where, std::int64_t count, const Out& to, const Op& op,
                        const Acc& init, const options& how) {
  static_assert(has_integer_offsets<Where>,
                "gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access iterator over, "
                "integers of 32 or 64 bits");
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    const auto segments = detail::segments_of(where, count);
    const auto out = detail::unwrap_contiguous(to);
    if constexpr (is_where<Where> && are_by_offsets<std::remove_const_t<decltype(segments)>>) {
      if (0 > segments.n) return {cudaErrorInvalidValue, "the count is negative"};
    }
    if (const outcome bad = detail::check_segments(segments, count, out); bad.failed()) return bad;
    if (count == 0) return detail::check_input(raw, 0);
    if (const outcome bad = detail::check_output(out); bad.failed()) return bad;
    if (detail::is_host_memory(raw)) return host_input;
    std::int64_t n = 0;  // values, as far as the caller says how many
    if constexpr (is_where<Where> && !are_fixed<decltype(segments)>) {
      if (segments.n > 0) n = segments.n;
    }
    if (const outcome bad = detail::check_input(raw, n); bad.failed()) return bad;
    return detail::launch_segments<Acc>(raw, segments, out, op, init, how);
  });
}

}  // namespace gpuprim::detail
