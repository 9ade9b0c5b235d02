// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/segmented_kernel.cuh>

namespace gpuprim::detail {

/// Rows that a lane has under way at once, most blocks that share the rows of a column, and most values that are mailed.
inline constexpr int column_rows_ahead = 8, most_column_slices = 64;
inline constexpr std::int64_t most_column_mail = 1 << 18;

/// Columns of a row-major matrix. A warp takes a strip of 32 loads' width over a run of rows, the warps of a block runs
/// that follow each other, and blocks slices of rows; who has the last slice joins the mail of the others.
template <int BlockSize, int Items, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, 1)
    column_kernel(In in, std::int64_t rows, std::int64_t columns, int slices, put_segment<Acc, Out, Op> put,
                  grid_reduce_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  using T = input_value<In>;
  constexpr int warps = BlockSize / warp_size, width = warp_size * Items;
  const monoid<Acc, Op> join{put.op};
  using value = typename monoid<Acc, Op>::value_type;
  GPUPRIM_SHARED(parts, shared_array<value, warps * width>);
  const this_block block;
  const int rank = int(block.thread_rank()), warp = rank / warp_size, lane = rank % warp_size;
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  const std::int64_t strips = (columns + width - 1) / width;
  const int own = slices > 1 ? number_block(state) : int(blockIdx.x), slice = int(own / strips);
  const std::int64_t strip = own % strips, first = strip * width, column = first + lane * Items;
  const std::int64_t runs = std::int64_t(slices) * warps, run = std::int64_t(slice) * warps + warp;
  std::int64_t row = rows / runs * run + (run < rows % runs ? run : rows % runs);
  const std::int64_t end = row + rows / runs + (run < rows % runs);

  uninitialized_array<value, Items> total;
#pragma unroll
  for (int i = 0; i < Items; ++i) total[i] = join.empty();
  const auto add = [&](const uninitialized_array<T, Items>& items) {
#pragma unroll
    for (int i = 0; i < Items; ++i) total[i] = join(total[i], static_cast<Acc>(items[i]));
  };
  const auto load = [&](std::int64_t at) {
    if constexpr (Items > 1) {
      return load_vector(in + at);
    } else {
      uninitialized_array<T, 1> one;
      one[0] = in[at];
      return one;
    }
  };
  if (column < columns) {
    for (; row + column_rows_ahead <= end; row += column_rows_ahead) {
      uninitialized_array<T, Items> ahead[column_rows_ahead];
#pragma unroll
      for (int i = 0; i < column_rows_ahead; ++i) ahead[i] = load((row + i) * columns + column);
#pragma unroll
      for (int i = 0; i < column_rows_ahead; ++i) add(ahead[i]);
    }
    for (; row < end; ++row) add(load(row * columns + column));
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) parts[warp * width + lane * Items + i] = total[i];
  block.sync();

  for (int k = rank; k < width; k += BlockSize) {
    auto joined = parts[k];
    for (int i = 1; i < warps; ++i) joined = join(joined, parts[i * width + k]);
    const bool is_column = first + k < columns;
    if (slice < slices - 1) {
      if (is_column) state.mailboxes[slice * columns + first + k].send(join.unwrap(joined));
      continue;
    }
    auto before = join.empty();
    for (int i = 0; i < slices - 1; ++i) {
      const Acc mail = state.mailboxes[i * columns + first + k].receive(is_column);
      if (is_column) before = join(before, mail);
    }
    if (is_column) put(first + k, rows > 0, join.unwrap(join(before, joined)));
  }
}

}  // namespace gpuprim::detail
