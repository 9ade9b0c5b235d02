// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/common/put_segment.cuh>
#include <gpuprim/grid/draws.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/load.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Rows that a lane has in flight, most blocks that share the rows of a column, mailboxes that a thread looks at at
/// once, and most values that are mailed.
inline constexpr int column_rows_ahead = 8, most_column_slices = 512, column_mails_ahead = 16;
inline constexpr std::int64_t most_column_mail = 1 << 18;

/// Columns of a row-major matrix. A strip of columns is as wide as a warp's loads, or as the matrix where that is
/// narrower: some groups of lanes then share a warp. Each group takes a run of rows, and the groups of a block, and
/// then the blocks that share a strip, have runs that follow each other; who has the last joins the mail of the others.
template <int BlockSize, int Items, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, 1)
    column_kernel(In in, std::int64_t rows, std::int64_t columns, int slices, put_segment<Acc, Out, Op> put,
                  grid_reduce_state<Acc> state) {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::segmented_reduce: the operator's const operator() must take two values of the accumulator "
                "type and return one");
  using T = input_value<In>;
  constexpr int warps = BlockSize / warp_size;
  const monoid<Acc, Op> join{put.op};
  using value = typename monoid<Acc, Op>::value_type;
  GPUPRIM_SHARED(parts, shared_array<value, BlockSize * Items>);
  const this_block block;
  const int rank = int(block.thread_rank()), lane = rank % warp_size;
  ptx::begin_kernel();
  const int lanes = columns < warp_size * Items ? int((columns + Items - 1) / Items) : warp_size;  // in a group
  const int width = lanes * Items, groups = warps * (warp_size / lanes), in_group = lane % lanes;
  const bool works = lane / lanes < warp_size / lanes;
  const int group = rank / warp_size * (warp_size / lanes) + lane / lanes;
  const std::int64_t strips = (columns + width - 1) / width;
  const int own = slices > 1 ? detail::number_block(state) : int(blockIdx.x), slice = int(own / strips);
  const std::int64_t strip = own % strips, first = strip * width, column = first + in_group * Items;
  const std::int64_t runs = std::int64_t(slices) * groups, run = std::int64_t(slice) * groups + group;
  std::int64_t row = rows / runs * run + (run < rows % runs ? run : rows % runs);
  const std::int64_t end = row + rows / runs + (run < rows % runs);

  uninitialized_array<value, Items> total;
#pragma unroll
  for (int i = 0; i < Items; ++i) total[i] = join.empty();
  const auto add = [&](const uninitialized_array<T, Items>& items) {
#pragma unroll
    for (int i = 0; i < Items; ++i) total[i] = join(total[i], detail::convert<Acc>(items[i]));
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
  if (works && column < columns) {
    for (; row + column_rows_ahead <= end; row += column_rows_ahead) {
      uninitialized_array<T, Items> ahead[column_rows_ahead];
#pragma unroll
      for (int i = 0; i < column_rows_ahead; ++i) ahead[i] = load((row + i) * columns + column);
#pragma unroll
      for (int i = 0; i < column_rows_ahead; ++i) add(ahead[i]);
    }
    for (; row < end; ++row) add(load(row * columns + column));
  }
  if (works) {
#pragma unroll
    for (int i = 0; i < Items; ++i) parts[group * width + in_group * Items + i] = total[i];
  }
  block.sync();
  // The columns of the strip, each joined by a thread: its parts, and in the last slice the mail, which helpers join
  // first.
  const int helpers = BlockSize / width > 0 ? BlockSize / width : 1;
  for (int k0 = 0; k0 < width; k0 += BlockSize) {
    const int k = k0 + rank % width, helper = rank / width;
    const bool is_column = helper < helpers && k < width && first + k < columns;
    auto joined = join.empty();
    if (is_column && helper == 0) {
      for (int i = 0; i < groups; ++i) joined = join(joined, parts[i * width + k]);
    }
    if (slice < slices - 1) {
      if (is_column && helper == 0) state.mailboxes[slice * columns + first + k].send(join.unwrap(joined));
      continue;
    }
    auto before = join.empty();
    const int most = (slices - 1 + helpers - 1) / helpers, from = helper * most;
    const int count = is_column ? (slices - 1 - from < most ? slices - 1 - from : most) : 0;
    for (int i = 0; i < most; i += column_mails_ahead) {
      const auto mails = mailbox<Acc>::template receive<column_mails_ahead>(
          [&](int m) -> mailbox<Acc>& { return state.mailboxes[(from + i + m) * columns + first + k]; }, count - i);
#pragma unroll
      for (int m = 0; m < column_mails_ahead; ++m) {
        if (i + m < count) before = join(before, mails[m]);
      }
    }
    if (slices > 1 && helpers > 1) {
      block.sync();  // the parts are read
      if (is_column) parts[helper * width + k] = before;
      block.sync();
      before = join.empty();
      for (int i = 0; is_column && i < helpers; ++i) before = join(before, parts[i * width + k]);
    }
    if (is_column && helper == 0) put(first + k, rows > 0, join.unwrap(join(before, joined)));
  }
}

}  // namespace gpuprim::detail
