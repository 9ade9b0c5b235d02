// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/scan.cuh>
#include <gpuprim/distributed/all_reduce.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Writes what a rank's scan starts from, and the total of all ranks. Start: a value of the monoid.
template <class Value, class Join, class Total>
__global__ void __launch_bounds__(warp_size)
    find_scan_start_kernel(const rank_record<Value>* records, int rank, int ranks, Join join, kernel_value<Value> first,
                           Value* start, Total total) {
  const Value& init = first;
  ptx::wait_for_previous_grid();
  const auto op = [&](const Value& a, const Value& b) { return join.join.op(a, b); };
  const Value before = rank > 0 ? op(init, detail::join_records(records, rank, join).result) : init;
  if (threadIdx.x == 0) *start = before;
  if constexpr (!std::is_same_v<Total, nothing>) {
    const Value all = detail::join_records(records, ranks, join).result;
    if (threadIdx.x > 0) return;
    const Value sum = op(init, all);
    if constexpr (requires(const Value& v) { v.present; }) {
      if (sum.present) detail::assign(*total, sum.value);
    } else {
      detail::assign(*total, sum);
    }
  }
}

/// The scratch memory of a scan across ranks: what it starts from, and the records.
template <class Value>
struct rank_scan_memory {
  static constexpr std::int64_t records_at = (std::int64_t(sizeof(Value)) + 255) / 256 * 256;
  static constexpr std::int64_t bytes(int ranks) { return records_at + rank_records<rank_record<Value>>::bytes(ranks); }
  static Value* start(void* memory) { return static_cast<Value*>(memory); }
  static void* records(void* memory) { return static_cast<char*>(memory) + records_at; }
};

/// Scans the elements of all ranks. `first`: what the scan of rank 0 starts from, a maybe<A>.
template <scan_kind Kind, class A, class In, class Out, class Op>
outcome scan_across(ncclComm_t comm, const In& in, std::int64_t n, const Out& out, const Op& op, const maybe<A>& first,
                    const distributed::options& how) {
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  const scan_outputs<Out> to(out);
  const auto total = detail::unwrap_contiguous(to.total);
  constexpr bool has_total = !std::is_same_v<std::remove_const_t<decltype(total)>, nothing>;
  const auto join = detail::joining<A>(op);
  using Join = std::remove_const_t<decltype(join)>;
  using all_of = monoid<A, Join>;
  using Value = typename all_of::value_type;
  using Operator = std::conditional_t<has_identity<Join, A>, Join, all_of>;
  using memory_of = rank_scan_memory<Value>;
  using records = rank_records<rank_record<Value>>;
  const Operator operation{join};
  const options own{how.stream, how.workspace, how.memory};
  // A rank that is alone, and is asked for no total, needs no sum.
  const bool has_sums = place.ranks > 1 || has_total;
  const auto scan_from = [=](Value* start, const options& how_to) {
    const scan_steps<A, as_it_is> steps{as_it_is{}};
    return detail::run_scan<Kind, A, tuned_scan_policies>(in, n, to.out, op, steps, value_at<Value>{start}, how_to);
  };
  // Once the other ranks are waited for, it is too late to refuse anything.
  workspace_size needed;
  if (const outcome bad = scan_from(nullptr, options{.measured = &needed}); bad.failed()) return bad;
  if (own.workspace != nullptr && own.workspace->bytes() < needed.zeroed_bytes) return small_workspace;
  if constexpr (has_total) {
    const auto to_results = detail::unwrap_contiguous(to.out);
    if (const outcome bad = detail::check_total<A>(total, to_results, n); bad.failed()) return bad;
    if (detail::overlap(total, 1, detail::unwrap_contiguous(in), n)) {
      return {cudaErrorInvalidValue, "the total lies in the input"};
    }
  }
  const auto local = [=](void* memory) {
    if (!has_sums) return outcome{};
    return detail::with_input<array_form::grouped>(in, [&](const auto& array) -> outcome {
      const record_output<Value> record{records::of(memory_of::records(memory)) + place.rank, n};
      const reduce_start<Value> from{all_of::empty(), own};
      return run_tuned<Value>(array, n, record, operation, from);
    });
  };
  const auto exchange = [=](void* memory, int) {
    if (!has_sums) return ncclSuccess;
    return records::gather(memory_of::records(memory), place.rank, comm, own.stream);
  };
  const auto follow = [=](void* memory, int) -> outcome {
    using fold = join_by_rank<join_results<Operator>>;
    using Total = std::remove_const_t<decltype(total)>;
    constexpr auto kernel = &find_scan_start_kernel<Value, fold, Total>;
    Value init = all_of::empty();
    if (first.present) init = first.value;
    const outcome found =
        detail::launch_warp<kernel>(own.stream, records::of(memory_of::records(memory)), place.rank, place.ranks,
                                    fold{{operation}}, init, memory_of::start(memory), total);
    return found.failed() ? found : scan_from(memory_of::start(memory), own);
  };
  return detail::call_on_rank(comm, memory_of::bytes(place.ranks), how, local, exchange, follow);
}

/// Scans them from an initial value.
template <scan_kind Kind, class Acc, class In, class Out, class Op, class Init>
outcome scan_from_value(ncclComm_t comm, const In& in, std::int64_t n, const Out& out, const Op& op, const Init& init,
                        const distributed::options& how) {
  [[maybe_unused]] const refuse_options<Init> checked{};
  using A = typename scan_accumulator<Acc, Op, In, as_it_is, Init>::type;
  return detail::with_initial_value<A>(
      init, [&](const A& first) { return detail::scan_across<Kind, A>(comm, in, n, out, op, maybe<A>(first), how); });
}

}  // namespace detail

namespace distributed {

/// The two memories that scans of at most n elements of type T on each of `ranks` ranks need.
template <class T, class Acc = default_accumulator<plus<>, T>, class Result = Acc>
constexpr workspace_size scan_workspace_size(std::int64_t n, int ranks) {
  const std::int64_t of_scan = scan_workspace_bytes<T, Acc, Result>(n);
  const std::int64_t of_reduce = detail::most_reduce_bytes<detail::maybe<Acc>>(n < 0 ? 0 : n);
  return {of_scan < of_reduce ? of_reduce : of_scan, detail::rank_scan_memory<detail::maybe<Acc>>::bytes(ranks)};
}

/// Scans the elements of all ranks in the order of the ranks: to each place of a rank's `out` op over `init`, all
/// elements of the ranks before, and the rank's own before that place. `with_total(out, total)` writes op over all to
/// `*total` on every rank.
///
/// @pre   as all_reduce of the same rank and communicator; `in`, `out`, `op`, `init`: as gpuprim::exclusive_scan. All
///        ranks give the same initial value.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept. The same bits in every run with the same parts; of floats they depend on how the elements are parted.
/// @cost  a launch that reads each element once, an ncclAllGather of some bytes a rank, a launch of one warp, and a
///        scan. A `workspace` of `scan_workspace_size<T, Acc, Result>(n, ranks)`, or more stream operations.
/// @return as all_reduce and gpuprim::exclusive_scan.
/// @source Blelloch, "Prefix sums and their applications", 1990.
/// @example examples/distributed/one_process.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t exclusive_scan(ncclComm_t comm, In in, std::int64_t n, Out out, Op op, Init init,
                                         const options& how = {}) {
  const auto made = detail::scan_from_value<detail::scan_kind::exclusive, Acc>(comm, in, n, out, op, init, how);
  return detail::report_call(made, how);
}
/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t exclusive_scan(ncclComm_t comm, In in, std::int64_t n, Out out, Op op,
                                         const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, In, detail::as_it_is>::type;
  const detail::maybe<A> first(detail::reduce_identity<Op, A>());
  const auto made = detail::scan_across<detail::scan_kind::exclusive, A>(comm, in, n, out, op, first, how);
  return detail::report_call(made, how);
}

/// To each place op over all elements of the ranks before, and the rank's own up to that place. See exclusive_scan.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t inclusive_scan(ncclComm_t comm, In in, std::int64_t n, Out out, Op op,
                                         const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, In, detail::as_it_is>::type;
  const auto made = detail::scan_across<detail::scan_kind::inclusive, A>(comm, in, n, out, op, detail::maybe<A>(), how);
  return detail::report_call(made, how);
}
/// Starts from an initial value, which joins as an element before the first one of rank 0.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t inclusive_scan(ncclComm_t comm, In in, std::int64_t n, Out out, Op op, Init init,
                                         const options& how = {}) {
  const auto made = detail::scan_from_value<detail::scan_kind::inclusive, Acc>(comm, in, n, out, op, init, how);
  return detail::report_call(made, how);
}

}  // namespace distributed

}  // namespace gpuprim
