// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/columns/column_scan_kernel.cuh>
#include <gpuprim/device/scan/scan_call.cuh>

#include <cstdint>
#include <limits>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Most slices of a strip of columns, least rows of a run, and columns of a strip where several runs share it.
inline constexpr int most_scan_slices = 512, least_scan_rows = 8, scan_strip_columns = 32;
/// Threads of a block, each of which has a value in shared memory.
template <class Acc>
inline constexpr int column_scan_block_size = sizeof(Acc) <= 64    ? 256
                                              : sizeof(Acc) <= 256 ? 128
                                                                   : 32;

}  // namespace detail

/// The two memories that a scan of the columns of a matrix of so many rows and columns needs. `Acc`: the type that
/// values are joined in. The zeroed memory is empty.
template <class Acc>
constexpr workspace_size column_scan_workspace_size(std::int64_t rows, std::int64_t columns) {
  if (rows < 2 * detail::least_scan_rows || columns <= 0) return {};
  // A value for each run and for each slice: a quarter of the rows, or what a full grid has.
  constexpr std::int64_t most = max_grid_blocks * (detail::column_scan_block_size<Acc> + detail::scan_strip_columns);
  const std::int64_t values = rows / 4 < most / columns ? rows * columns / 4 : most;
  return {0, values * std::int64_t(sizeof(Acc))};
}

namespace detail {

/// How a matrix is shared out over as many blocks as are resident.
template <int BlockSize>
column_shares share_columns(std::int64_t rows, std::int64_t columns, std::int64_t resident) {
  const auto of_width = [&](std::int64_t most) {  // strips of about the same width
    const std::int64_t strips = (columns + most - 1) / most;
    return column_shares{rows, columns, int((columns + strips - 1) / strips), 1};
  };
  // Without slices and groups, each element is read once.
  const column_shares wide = of_width(BlockSize);
  if (rows <= least_scan_rows || wide.strips() >= resident) return wide;
  column_shares all = of_width(scan_strip_columns);
  const std::int64_t bounds[] = {resident / all.strips(), rows / (BlockSize / all.width * least_scan_rows)};
  std::int64_t slices = most_scan_slices;
  for (std::int64_t most : bounds) slices = slices > most ? most : slices;
  if (slices > 1) all.slices = int(slices);
  return all;
}

template <scan_kind Kind, class Acc, class In, class Out, class Op>
outcome launch_column_scan(const In& in, std::int64_t rows, std::int64_t columns, const Out& out, const Op& op,
                           const column_start<typename monoid<Acc, Op>::value_type, Acc>& start, const options& how) {
  static_assert(sizeof(Acc) <= 1024, "gpuprim::column_scan: accumulators have at most 1024 bytes");
  constexpr int block_size = column_scan_block_size<Acc>;
  constexpr auto sums_kernel = &column_sums_kernel<block_size, Acc, In, Op>;
  constexpr auto scan_kernel = &column_scan_kernel<block_size, Kind, Acc, In, Out, Op>;
  found_shape scan = detail::find_shape<scan_kernel>(max_grid_blocks, block_size);
  if (scan.error != cudaSuccess) return {scan.error};
  const column_shares all = detail::share_columns<block_size>(rows, columns, scan.grid.grid_size);
  const std::int64_t blocks = all.strips() * all.slices;
  if (blocks >= std::int64_t{1} << 31) return {cudaErrorInvalidValue, "the columns make 2^31 blocks or more"};
  scan.grid.grid_size = int(blocks);
  const std::int64_t slices = all.slices > 1 ? all.slices : 0, runs = slices * (block_size / all.width);
  memory_lease lease({0, (slices + runs) * columns * std::int64_t(sizeof(Acc))}, how);
  if (lease.error()) return lease.refusal();
  auto* const of_runs = reinterpret_cast<Acc*>(lease.scratch());
  const column_sums<Acc> sums{of_runs, of_runs + runs * columns};
  const auto go = [&]() -> outcome {
    if (slices > 0) {
      found_shape found = detail::find_shape<sums_kernel>(max_grid_blocks, block_size);
      if (found.error != cudaSuccess) return {found.error};
      found.grid.grid_size = int(blocks);
      const cudaError_t e = gpuprim::launch(found.when, sums_kernel, found.grid, how, in, all, op, sums);
      if (e != cudaSuccess) return {e};
    }
    return {gpuprim::launch(scan.when, scan_kernel, scan.grid, how, in, all, out, op, start, sums)};
  };
  return lease.finish(go());
}

template <scan_kind Kind, class Acc, class In, class Out, class Op, class Start>
outcome scan_columns(const In& input, std::int64_t rows, std::int64_t columns, const Out& output, const Op& given,
                     const Start& start, const options& how) {
  [[maybe_unused]] const refuse_total<Out> checked{};
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::column_scan: the operator's const operator() must take two values of the accumulator type "
                "and return one");
  static_assert(detail::takes_results<Out, Acc>,
                "gpuprim::column_scan: the output must take values of the accumulator type");
  const auto in = detail::as_constant(input);
  const auto out = detail::unwrap_contiguous(output);
  if (rows < 0 || columns < 0) return {cudaErrorInvalidValue, "the number of rows or columns is negative"};
  if (columns > 0 && rows > (std::numeric_limits<std::int64_t>::max)() / 2 / columns) {
    return {cudaErrorInvalidValue, "the matrix is too large: its values overflow 64 bits"};
  }
  const std::int64_t n = rows * columns;
  if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
  if (!detail::may_replace(out, in, n)) {
    return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same array"};
  }
  const auto op = detail::joining<Acc>(given);
  using join = monoid<Acc, std::remove_cv_t<decltype(op)>>;
  column_start<typename join::value_type, Acc> from{join::empty()};
  if constexpr (std::is_same_v<Start, value_at<Acc>>) {
    if (const outcome bad = detail::check_start(start, output, n); bad.failed()) return bad;
    from.at = start.at;
  } else if (start.has_value()) {
    from.value = *start;
  }
  if (n == 0) return {};
  return detail::launch_column_scan<Kind, Acc>(in, rows, columns, out, op, from, how);
}

/// A scan that starts from an initial value; or, with `nothing` in its place, from the identity if it is exclusive, and
/// else from nothing.
template <scan_kind Kind, class Asked, class In, class Out, class Op, class Init>
outcome scan_columns_from(const In& in, std::int64_t rows, std::int64_t columns, const Out& out, const Op& op,
                          const Init& init, const options& how) {
  using Given = typename initial_type<Init>::type;
  using A = typename scan_accumulator<Asked, Op, In, as_it_is, Given>::type;
  const auto run = [&](const auto& start) {
    return detail::scan_columns<Kind, A>(in, rows, columns, out, op, start, how);
  };
  if constexpr (std::is_void_v<Given>) {
    if constexpr (Kind == scan_kind::exclusive) return run(maybe<A>(reduce_identity<Op, A>()));
    else return run(maybe<A>());
  } else if constexpr (std::is_same_v<Given, Init>) {
    return detail::with_initial_value<A>(init, [&](const A& start) { return run(maybe<A>(start)); });
  } else {
    static_assert(std::is_same_v<Init, value_at<A>>,
                  "gpuprim::column_scan: a value_at must have the type that values are joined in; name that type");
    return run(init);
  }
}

}  // namespace detail

/// Scans each column of a row-major matrix, from the first row down: writes to the place of each element op over the
/// initial value and the elements above it. Rows are segments of one length: segmented_exclusive_scan(in,
/// fixed_length{columns}, rows, ...).
///
/// @pre   `in`: rows * columns elements, a pointer or a random-access iterator that the device can read. `out`: room
///        for as many results, which are converted to its type as by assignment; it may be the input itself where
///        elements have one size, and must not overlap it otherwise. Op is associative, and a pure function; it need
///        neither commute nor have an identity. `init`: a value, or `value_at{pointer}`, one that lies in device memory
///        and has the type that elements are joined in. Accumulators have at most 1024 bytes.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU. Elements are joined in `Acc`, by default as in
///        exclusive_scan.
/// @cost  each result is written once. Each element is read once if the columns fill the GPU by themselves, and twice
///        otherwise, because runs of rows are joined first: in a launch of its own where several blocks share a column.
///        A `workspace` of `column_scan_workspace_size<Acc>(rows, columns)`, or more stream operations.
/// @return as exclusive_scan; cudaErrorInvalidValue too for a negative number of rows or columns. No rows or no columns
///        give nothing.
/// @source Blelloch, "Prefix sums and their applications", 1990, along the other axis.
/// @example examples/library/54_scan.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t column_exclusive_scan(In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                                Init init, const options& how = {}) {
  return detail::scan_columns_from<detail::scan_kind::exclusive, Acc>(in, rows, columns, out, op, init, how).report();
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t column_exclusive_scan(In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                                const options& how = {}) {
  return gpuprim::column_exclusive_scan<Acc>(in, rows, columns, out, op, detail::nothing{}, how);
}

/// Writes to the place of each element op over the initial value and the elements of its column down to it. See
/// column_exclusive_scan.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t column_inclusive_scan(In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                                Init init, const options& how = {}) {
  return detail::scan_columns_from<detail::scan_kind::inclusive, Acc>(in, rows, columns, out, op, init, how).report();
}

/// Starts from nothing: the first result of a column is its first element.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t column_inclusive_scan(In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                                const options& how = {}) {
  return gpuprim::column_inclusive_scan<Acc>(in, rows, columns, out, op, detail::nothing{}, how);
}

}  // namespace gpuprim
