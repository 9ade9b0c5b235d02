// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce_reproducible.cuh>
#include <gpuprim/distributed/tree_kernels.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// The scratch memory of a reproducible reduce: the counts of all ranks, the nodes of two levels, the records.
template <class T, class Acc>
struct tree_memory {
  static constexpr int unit_items = int(reproducible_input<const T*>::unit_items);
  using record = tree_record<T, Acc, unit_items>;

  std::int64_t* counts;
  Acc *nodes, *others;
  record* records;
  std::int64_t bytes;

  static constexpr tree_memory lay_over(char* memory, std::int64_t n, int ranks) {
    tree_memory all{};
    memory_parts parts{memory};
    parts.take(all.counts, ranks);
    parts.take(all.nodes, n / (unit_items * tree_radix) + 2);
    parts.take(all.others, n / (unit_items * tree_radix * tree_radix) + 2);
    parts.take(all.records, ranks);
    all.bytes = parts.used;
    return all;
  }
};

template <class Acc, class In, class Out, class Op, class Init>
outcome reduce_reproducibly_across(ncclComm_t comm, const In& in, std::int64_t n, const Out& out, const Op& op,
                                   const Init& init, const distributed::options& how) {
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  if (const outcome bad = detail::check_initial_value<Acc>(init); bad.failed()) return bad;
  const Acc first = static_cast<Acc>(detail::convertible<Acc>(init));
  return detail::with_input<array_form::pointer>(in, [&]<class Array>(const Array& array) -> outcome {
    using T = input_value<Array>;
    using Join = std::remove_const_t<decltype(detail::joining<Acc>(op))>;
    using Place = std::remove_const_t<decltype(detail::unwrap_contiguous(out))>;
    using memory_of = tree_memory<T, Acc>;
    using record = typename memory_of::record;
    [[maybe_unused]] const reduce_types<T, Acc, Place, Join> checked{};
    static_assert(sizeof(node_stack<Acc>) + sizeof(Acc) * record::most_ends + sizeof(T) * record::unit_items <= 40960,
                  "gpuprim::distributed: the elements are too long for a reproducible reduce");
    const Place result = detail::unwrap_contiguous(out);
    if (const outcome bad = detail::check_arguments(array, n, result); bad.failed()) return bad;
    const Join join = detail::joining<Acc>(op);
    const cudaStream_t stream = how.stream;
    const auto begin = [=](void* memory) -> outcome {
      const auto parts = memory_of::lay_over(static_cast<char*>(memory), n, place.ranks);
      return {gpuprim::launch(start::in_order, &store_number_kernel<std::int64_t>, launch_shape{1, 1}, stream,
                              parts.counts + place.rank, n)};
    };
    const auto exchange = [=](void* memory, int number) {
      const auto parts = memory_of::lay_over(static_cast<char*>(memory), n, place.ranks);
      if (number == 0) return rank_records<std::int64_t>::gather(parts.counts, place.rank, comm, stream);
      return rank_records<record>::gather(parts.records, place.rank, comm, stream);
    };
    const auto follow = [=](void* memory, int number) -> outcome {
      constexpr int block_size = 512, levels_block_size = 1024;
      const auto parts = memory_of::lay_over(static_cast<char*>(memory), n, place.ranks);
      record* const own = parts.records + place.rank;
      if (number > 0) {
        constexpr auto fold = &tree_fold_kernel<T, Acc, Join, record, Place>;
        return {gpuprim::launch(start::in_order, fold, launch_shape{1, warp_size}, stream, parts.records, parts.counts,
                                place.ranks, join, first, result)};
      }
      constexpr auto of_units = &tree_units_kernel<block_size, Acc, Array, Join, record>;
      const std::int64_t groups = n / (memory_of::unit_items * tree_radix) + 2;
      const auto found = find_shape<of_units>((groups * warp_size + block_size - 1) / block_size, block_size);
      if (found.error != cudaSuccess) return {found.error};
      const cudaError_t launched = gpuprim::launch(start::in_order, of_units, found.grid, stream, array, n,
                                                   parts.counts, place.rank, join, own, parts.nodes);
      if (launched != cudaSuccess) return {launched};
      constexpr auto of_levels = &tree_levels_kernel<levels_block_size, Acc, Join, record>;
      return {gpuprim::launch(start::in_order, of_levels, launch_shape{1, levels_block_size}, stream, n, parts.counts,
                              place.rank, join, own, parts.nodes, parts.others)};
    };
    const std::int64_t bytes = memory_of::lay_over(nullptr, n, place.ranks).bytes;
    return detail::call_on_rank<2>(comm, bytes, how, begin, exchange, follow);
  });
}

}  // namespace detail

namespace distributed {

/// The two memories that a reproducible reduce of at most n elements of type T on each of `ranks` ranks needs.
template <class T, class Acc = default_accumulator<plus<>, T>>
constexpr workspace_size reproducible_workspace_size(std::int64_t n, int ranks) {
  return {0, detail::tree_memory<T, Acc>::lay_over(nullptr, n < 0 ? 0 : n, ranks).bytes};
}

/// Reduces the elements of all ranks by one fixed tree over their positions: the result has the same bits for any
/// number of ranks, however the elements are parted, one rank with all of them too, on every GPU and with every
/// alignment.
///
/// @pre   as all_reduce. The operator's own arithmetic must be the same everywhere.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept. The tree is another one than that of `gpuprim::reduce(reproducible, ...)`.
/// @cost  two exchanges, of the counts and of some KiB a rank, and four launches, one of which reads each element once.
///        A `workspace` of `reproducible_workspace_size<T, Acc>(n, ranks)`, or two more stream operations.
/// @return as all_reduce.
/// @source Demmel and Nguyen, "Parallel reproducible summation", 2015, for the problem; the fixed tree is the plain
///         answer.
/// @example examples/distributed/one_process.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t all_reduce(reproducible_t, ncclComm_t comm, In in, std::int64_t n, Out out, Op op, Init init,
                                     const options& how = {}) {
  [[maybe_unused]] const detail::refuse_options<Init> checked{};
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  return detail::report_call(detail::reduce_reproducibly_across<A>(comm, in, n, out, op, init, how), how);
}
/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t all_reduce(reproducible_t, ncclComm_t comm, In in, std::int64_t n, Out out, Op op,
                                     const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  const A first = detail::reduce_identity<Op, A>();
  return detail::report_call(detail::reduce_reproducibly_across<A>(comm, in, n, out, op, first, how), how);
}

}  // namespace distributed

}  // namespace gpuprim
