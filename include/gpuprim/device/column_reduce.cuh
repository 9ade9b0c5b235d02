// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/columns/column_kernel.cuh>
#include <gpuprim/device/segmented/segmented_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a column_reduce of a matrix of so many columns needs.
template <class Acc>
constexpr std::int64_t column_reduce_workspace_bytes(std::int64_t columns) {
  const bool few = columns < detail::most_column_mail / detail::most_column_slices;
  return grid_reduce_bytes<Acc>(few ? columns * detail::most_column_slices : detail::most_column_mail);
}

namespace detail {

template <class Acc, int Items, class In, class Out, class Op>
outcome launch_columns(In in, std::int64_t rows, std::int64_t columns, Out out, Op op, Acc init, const options& how) {
  check_segmented_types<Acc, In, Op>();
  static_assert(sizeof(Acc) <= 128, "gpuprim::column_reduce: accumulators have at most 128 bytes");
  constexpr int block_size = Items * sizeof(Acc) <= 64 ? 256 : 128, warps = block_size / warp_size;
  constexpr auto kernel = &column_kernel<block_size, Items, Acc, In, Out, Op>;
  const std::int64_t width = warp_size * Items, strips = (columns + width - 1) / width;
  // Groups of lanes that take rows in a block.
  const std::int64_t groups = warps * (columns < width ? warp_size / ((columns + Items - 1) / Items) : 1);
  if (strips >= std::int64_t{1} << 31) return {cudaErrorInvalidValue, "the columns make 2^31 blocks or more"};
  found_shape found = find_shape<kernel>(max_grid_blocks, block_size);
  if (found.error != cudaSuccess) return {found.error};
  // As many slices of rows as fill the GPU, but none of less than what the warps have under way at once.
  std::int64_t slices = found.grid.grid_size / strips;
  const std::int64_t bounds[] = {rows / (groups * column_rows_ahead), most_column_mail / columns, most_column_slices};
  for (std::int64_t most : bounds) {
    if (slices > most) slices = most;
  }
  if (slices < 1) slices = 1;
  found.grid.grid_size = int(strips * slices);
  auto launch_with = [&](void* buffer) {
    return gpuprim::launch(found.when, kernel, found.grid, how, in, rows, columns, int(slices),
                           put_segment<Acc, Out, Op>{out, op, init},
                           buffer ? make_grid_reduce_state<Acc>(buffer) : grid_reduce_state<Acc>{});
  };
  if (slices == 1) return {launch_with(nullptr)};
  memory_lease lease(grid_reduce_bytes<Acc>(slices * columns), how);
  if (lease.error()) return lease.refusal();
  return lease.finish(launch_with(lease.zeroed()));
}

template <class Acc, class In, class Out, class Op>
outcome reduce_columns(In in, std::int64_t rows, std::int64_t columns, Out out, Op op, Acc init, const options& how) {
  if (rows < 0) return {cudaErrorInvalidValue, "the number of rows is negative"};
  if (columns < 0) return {cudaErrorInvalidValue, "the number of columns is negative"};
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    const auto result = detail::unwrap_contiguous(out);
    if (columns == 0) return detail::check_input(raw, 0);
    if (columns > (std::numeric_limits<std::int64_t>::max)() / 32) {  // of no rows, whose values do not overflow
      return {cudaErrorInvalidValue, "the columns make 2^31 blocks or more"};
    }
    if (rows > (std::numeric_limits<std::int64_t>::max)() / 2 / columns) {
      return {cudaErrorInvalidValue, "the matrix is too large: its values overflow 64 bits"};
    }
    if (const outcome bad = detail::check_arguments(raw, rows * columns, result); bad.failed()) return bad;
    if (detail::overlap(result, columns, raw, rows * columns)) {
      return {cudaErrorInvalidValue, "the output overlaps the input"};
    }
    using raw_type = decltype(raw);
    if constexpr (std::is_pointer_v<raw_type>) {
      constexpr int items = elements_per_load<input_value<raw_type>>;
      if (items > 1 && columns % items == 0 && detail::address_of(raw) % load_bytes == 0) {
        return launch_columns<Acc, items>(raw, rows, columns, result, op, init, how);
      }
    }
    return launch_columns<Acc, 1>(raw, rows, columns, result, op, init, how);
  });
}

}  // namespace detail

/// Reduces each column of a row-major matrix into one element of `out`, starting each from `init`. Rows are segments of
/// one length: segmented_reduce(in, fixed_length{columns}, rows, ...).
///
/// @pre   `in`: rows * columns elements, a pointer or a random-access iterator; `out`: `columns` elements apart from
///        them.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept, from the first row to the last; the result is the same bits in every run on one GPU.
/// @cost  one launch, each element read once; 16 bytes at a time if a row is a multiple of that and aligned.
/// @return as segmented_reduce; a matrix of no rows gives `init`.
/// @source Harris, "Optimizing parallel reduction in CUDA", 2007, along the other axis.
/// @example examples/library/38_segments.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t column_reduce(In in, std::int64_t rows, std::int64_t columns, Out out, Op op, Init init,
                                        const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  static_assert(detail::takes_results<Out, A>,
                "gpuprim::column_reduce: the output must take values of the accumulator type");
  return detail::with_initial_value<A>(init,
                                       [&](const A& first) {
                                         return detail::reduce_columns<A>(in, rows, columns, out,
                                                                          detail::joining<A>(op), first, how);
                                       })
      .report();
}

/// Starts from the operator's identity instead of a value of the caller's.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t column_reduce(In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                        const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::column_reduce<A>(in, rows, columns, out, op, detail::reduce_identity<Op, A>(), how);
}

}  // namespace gpuprim
