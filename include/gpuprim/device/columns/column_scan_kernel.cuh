// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Scans of the columns of a row-major matrix. A thread walks down a column, so that the threads of a group, which have
// neighbouring columns, read neighbours of a row together. The groups of a block, and the blocks that share a strip of
// columns, have runs of rows that follow each other.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/thread_scan.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Bytes of a column that a thread has in flight: rows of short elements are more, and fill memory's pipes as well.
inline constexpr int column_bytes_ahead = 32, most_column_rows_ahead = 16;
template <class T>
inline constexpr int column_elements_ahead = [] {
  constexpr int rows = column_bytes_ahead / int(sizeof(T));
  return rows > most_column_rows_ahead ? most_column_rows_ahead : rows > 1 ? rows : 1;
}();

/// How a matrix is shared out: strips of columns of a width, each of which has as many blocks as slices of the rows.
struct column_shares {
  std::int64_t rows, columns;
  int width, slices;

  GPUPRIM_HOST_DEVICE constexpr std::int64_t strips() const { return (columns + width - 1) / width; }
};

/// The elements that a thread walks over: of a column, from a row to before another. Threads that are left over have
/// none.
template <int BlockSize>
struct column_run {
  int groups, group, lane;  ///< groups of the block, and the place of the thread
  std::int64_t column, slice, number, row, end;

  __device__ explicit column_run(const column_shares& all) {
    const int rank = int(this_block::thread_rank());
    groups = BlockSize / all.width;
    group = rank / all.width;
    lane = rank % all.width;
    const std::int64_t strips = all.strips();
    slice = blockIdx.x / strips;
    column = (blockIdx.x % strips) * all.width + lane;
    number = slice * groups + group;
    const std::int64_t runs = std::int64_t(all.slices) * groups, rest = all.rows % runs;
    row = all.rows / runs * number + (rest > number ? number : rest);
    end = row + all.rows / runs + (rest > number);
  }
  __device__ bool is_there(const column_shares& all) const { return groups > group && all.columns > column; }
};

/// Calls `take(i, load(i))` for each i in their order, while several loads are in flight.
template <int Ahead, class Load, class Take>
__device__ __forceinline__ void walk_ahead(std::int64_t i, std::int64_t end, const Load& load, const Take& take) {
  uninitialized_array<std::remove_cvref_t<decltype(load(i))>, Ahead> loaded;
  for (; i + Ahead <= end; i += Ahead) {
#pragma unroll
    for (int k = 0; k < Ahead; ++k) loaded[k] = load(i + k);
#pragma unroll
    for (int k = 0; k < Ahead; ++k) take(i + k, loaded[k]);
  }
  for (; end > i; ++i) take(i, load(i));
}

/// Calls `take(place, x)` for the elements of a run in their order: where each lies, and what is there.
template <int BlockSize, class In, class Take>
__device__ __forceinline__ void walk_run(const In& in, const column_shares& all, const column_run<BlockSize>& run,
                                         const Take& take) {
  using T = input_value<In>;
  const auto place = [&](std::int64_t row) { return row * all.columns + run.column; };
  detail::walk_ahead<column_elements_ahead<T>>(
      run.row, run.end, [&](std::int64_t row) -> T { return in[place(row)]; },
      [&](std::int64_t row, const T& x) { take(place(row), x); });
}

/// Op over the elements of a run.
template <class Acc, int BlockSize, class In, class Monoid>
__device__ __forceinline__ auto join_run(const In& in, const column_shares& all, const column_run<BlockSize>& run,
                                         const Monoid& join) {
  auto sum = join.empty();
  detail::walk_run(in, all, run, [&](std::int64_t, const auto& x) { sum = join(sum, detail::convert<Acc>(x)); });
  return sum;
}

/// What comes before the runs of each column, if there are several slices: op over the runs that come before one in its
/// slice, and op over each slice. Every run has rows then, so that nothing comes only before the first run of a slice,
/// whose place is not used.
template <class Acc>
struct column_sums {
  Acc* of_runs;
  Acc* of_slices;
};

/// Finds the sums of a matrix of several slices.
template <int BlockSize, class Acc, class In, class Op>
__global__ void __launch_bounds__(BlockSize)
    column_sums_kernel(In in, column_shares all, Op op, column_sums<Acc> sums) {
  const monoid<Acc, Op> join{op};
  using value = typename monoid<Acc, Op>::value_type;
  GPUPRIM_SHARED(parts, shared_array<value, BlockSize>);
  const this_block block;
  ptx::begin_kernel();
  const column_run<BlockSize> run(all);
  if (run.is_there(all)) parts[int(block.thread_rank())] = detail::join_run<Acc>(in, all, run, join);
  block.sync();
  if (run.group > 0 || !run.is_there(all)) return;
  auto sum = join.empty();
  for (int i = 0; i < run.groups; ++i) {
    if (i > 0) sums.of_runs[(run.number + i) * all.columns + run.column] = join.unwrap(sum);
    sum = join(sum, parts[i * all.width + run.lane]);
  }
  sums.of_slices[run.slice * all.columns + run.column] = join.unwrap(sum);
}

/// Where each column starts: from a value, or from one in device memory.
template <class Value, class Acc>
struct column_start {
  Value value;
  const Acc* at = nullptr;

  __device__ Value get() const { return at != nullptr ? Value(*at) : value; }
};

/// Scans the columns. Of a single slice the groups of a block find what comes before their runs themselves.
template <int BlockSize, scan_kind Kind, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize)
    column_scan_kernel(In in, column_shares all, Out out, Op op,
                       column_start<typename monoid<Acc, Op>::value_type, Acc> start, column_sums<Acc> sums) {
  const monoid<Acc, Op> join{op};
  using value = typename monoid<Acc, Op>::value_type;
  GPUPRIM_SHARED(parts, shared_array<value, BlockSize>);
  const this_block block;
  ptx::begin_kernel();
  const column_run<BlockSize> run(all);
  const bool is_there = run.is_there(all), has_slices = all.slices > 1;
  value sum = start.get();
  if (has_slices || run.groups > 1) {
    if (is_there) {
      auto part = join.empty();
      if (has_slices) {  // a group joins its share of the slices before
        const Acc* const of_slices = sums.of_slices + run.column;
        const auto slice_at = [&](std::int64_t slice) -> Acc { return of_slices[slice * all.columns]; };
        detail::walk_ahead<column_elements_ahead<Acc>>(
            run.slice * run.group / run.groups, run.slice * (run.group + 1) / run.groups, slice_at,
            [&](std::int64_t, const Acc& x) { part = join(part, value(x)); });
      } else {
        part = detail::join_run<Acc>(in, all, run, join);
      }
      parts[int(block.thread_rank())] = part;
    }
    block.sync();
    if (!is_there) return;
    const int before = has_slices ? run.groups : run.group;
    for (int i = 0; i < before; ++i) sum = join(sum, parts[i * all.width + run.lane]);
    if (has_slices && run.group > 0) sum = join(sum, value(sums.of_runs[run.number * all.columns + run.column]));
  }
  if (!is_there) return;
  detail::walk_run(in, all, run, [&](std::int64_t place, const auto& x) {
    if constexpr (Kind == scan_kind::exclusive) detail::assign(out[place], join.unwrap(sum));
    sum = join(sum, detail::convert<Acc>(x));
    if constexpr (Kind == scan_kind::inclusive) detail::assign(out[place], join.unwrap(sum));
  });
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
