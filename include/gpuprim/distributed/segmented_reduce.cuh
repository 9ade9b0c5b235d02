// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented_reduce.cuh>
#include <gpuprim/distributed/partial_results.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace distributed {

/// Says which segments of all elements begin on a rank: segment i begins with the element at offsets[i], and the
/// element at offsets[i + 1] is the first behind it, which may be on a later rank. Offsets count the elements of all
/// ranks where `first` says how many are on the ranks before this one, and this rank's own where `first` is 0.
template <class Offsets>
struct rank_segments {
  /// A pointer or a random-access iterator to an integer of 32 or 64 bits for each segment, and one more.
  Offsets offsets;
  /// What the offset of the rank's first element is.
  std::int64_t first = 0;
};
template <class Offsets>
rank_segments(Offsets) -> rank_segments<Offsets>;
template <class Offsets>
rank_segments(Offsets, std::int64_t) -> rank_segments<Offsets>;

}  // namespace distributed

namespace detail {

/// What a rank has of the segment that has begun on an earlier rank, and whether it ends here.
template <class Value>
struct alignas(16) segment_head {
  Value joined;
  std::int64_t is_end;
};

template <class Op>
struct join_segment_heads {
  Op op;
  template <class Value>
  __device__ segment_head<Value> operator()(const segment_head<Value>& a, const segment_head<Value>& b) const {
    if (a.is_end) return a;
    return {op(a.joined, b.joined), b.is_end};
  }
};

/// The offsets of a rank's own elements: first those up to its first segment, then its segments.
template <class Offsets>
struct own_offsets : input_iterator_types<std::int64_t> {
  Offsets offsets;
  std::int64_t first, n;

  own_offsets(const Offsets& o, std::int64_t of_first, std::int64_t count) : offsets(o), first(of_first), n(count) {}
  __device__ std::int64_t operator[](std::int64_t i) const {
    return i == 0 ? 0 : detail::clamp_bound(static_cast<std::int64_t>(offsets[i - 1]) - first, n);
  }
  /// Whether an offset lies behind the rank's elements.
  __device__ bool is_behind(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i]) - first > n; }
};

/// Where the local pass writes: the head to the rank's record, segments to their places, and the last one, which may go
/// on on later ranks, to scratch memory.
template <class Value, class Offsets, class Put>
struct segment_results {
  segment_head<Value>* head;
  Value* last;
  std::int64_t segments;
  own_offsets<Offsets> own;
  Put put;

  struct place {
    const segment_results& all;
    std::int64_t i;
    __device__ void operator=(const Value& value) const {
      if (i == 0) *all.head = {value, all.segments > 0 || !all.own.is_behind(0)};
      else if (i == all.segments) *all.last = value;
      else all.put(i - 1, value);
    }
  };
  __device__ place operator[](std::int64_t i) const { return {*this, i}; }
};

/// Completes a rank's last segment, and writes it.
template <class Value, class Op, class Offsets, class Put>
__global__ void __launch_bounds__(warp_size)
    finish_segment_kernel(const segment_head<Value>* heads, int rank, int ranks, Op op, Value* last,
                          own_offsets<Offsets> own, std::int64_t segments, Put put) {
  ptx::wait_for_previous_grid();
  Value all = *last;
  const int later = ranks - rank - 1;
  if (later > 0 && own.is_behind(segments)) {
    all = op(all, detail::join_records(heads + rank + 1, later, join_segment_heads<Op>{op}).joined);
  }
  if (threadIdx.x == 0) put(segments - 1, all);
}

/// The scratch memory: what the ranks tell each other, and a rank's last segment.
template <class Value>
struct rank_segments_memory {
  using records = rank_records<segment_head<Value>>;
  static constexpr std::int64_t bytes(int ranks) { return records::bytes(ranks) + std::int64_t(sizeof(Value)); }
  static Value* last(void* memory, int ranks) {
    return reinterpret_cast<Value*>(static_cast<char*>(memory) + records::bytes(ranks));
  }
};

/// Checks what a rank says of its segments.
template <class In, class Offsets, class Out>
outcome check_rank_segments(const In& in, std::int64_t n, const Offsets& offsets, std::int64_t segments,
                            const Out& out) {
  if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments > (std::numeric_limits<std::int64_t>::max)() / 32 - 2) {
    return {cudaErrorInvalidValue, "there are 2^58 segments or more"};
  }
  if (detail::is_absent(offsets)) {
    return {cudaErrorInvalidValue, "the offsets are a null pointer or in host memory"};
  }
  if (!detail::is_aligned(offsets)) return {cudaErrorInvalidValue, "the offsets are not aligned to their type"};
  if (const outcome bad = detail::check_results(out, segments); bad.failed()) return bad;
  if (detail::overlap(out, segments, offsets, segments + 1)) {
    return {cudaErrorInvalidValue, "an output overlaps the offsets"};
  }
  return n == 0 ? outcome{} : detail::check_disjoint(out, segments, in, n);
}

/// Reduces the segments of all ranks.
template <class Acc, class In, class Offsets, class Out, class Op>
outcome reduce_segments_across(ncclComm_t comm, const In& in, std::int64_t n,
                               const distributed::rank_segments<Offsets>& where, std::int64_t segments, const Out& out,
                               const Op& given, const Acc& init, const distributed::options& how) {
  static_assert(offset_input<Offsets>,
                "gpuprim::distributed::segmented_reduce: the offsets must be a pointer to, or a random-access iterator "
                "over, integers of 32 or 64 bits");
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  const auto to = detail::unwrap_contiguous(out);
  const auto offsets = detail::unwrap_contiguous(where.offsets);
  const outcome bad = detail::check_rank_segments(detail::unwrap_contiguous(in), n, offsets, segments, to);
  if (bad.failed()) return bad;
  const auto op = detail::joining<Acc>(given);
  using types = partial_results<Acc, std::remove_const_t<decltype(op)>>;
  using Value = typename types::value;
  using memory_of = rank_segments_memory<Value>;
  using Put = put_result<Acc, std::remove_const_t<decltype(op)>, std::remove_const_t<decltype(to)>>;
  using own_type = own_offsets<std::remove_const_t<decltype(offsets)>>;
  const typename types::op join{op};
  const Put put{to, op, init};
  const own_type bounds(offsets, where.first, n);
  const options own{how.stream, how.workspace, how.memory};
  const auto local = [=](void* memory) -> outcome {
    segment_head<Value>* const head = memory_of::records::of(memory) + place.rank;
    const segment_results<Value, std::remove_const_t<decltype(offsets)>, Put> results{
        head, memory_of::last(memory, place.ranks), segments, bounds, put};
    const Value start = types::all_of::empty();
    return detail::outcome_of(gpuprim::segmented_reduce<Value>(in, segment_offsets<own_type>{bounds, n}, segments + 1,
                                                               results, join, start, own));
  };
  const auto exchange = [=](void* memory, int) {
    return memory_of::records::gather(memory, place.rank, comm, own.stream);
  };
  const auto follow = [=](void* memory, int) -> outcome {
    if (segments == 0) return {};
    using Offset = std::remove_const_t<decltype(offsets)>;
    constexpr auto kernel = &finish_segment_kernel<Value, typename types::op, Offset, Put>;
    return detail::launch_warp<kernel>(own.stream, memory_of::records::of(memory), place.rank, place.ranks, join,
                                       memory_of::last(memory, place.ranks), bounds, segments, put);
  };
  return detail::call_on_rank(comm, memory_of::bytes(place.ranks), how, local, exchange, follow);
}

}  // namespace detail

namespace distributed {

/// The two memories that a `segmented_reduce` on `ranks` ranks needs, with values joined in `Acc` by `op`.
template <class Acc, class Op>
constexpr workspace_size segmented_reduce_workspace_size(int ranks, const Op&) {
  using value = detail::partial_value<Acc, Op>;
  return {segmented_reduce_workspace_bytes<value>(), detail::rank_segments_memory<value>::bytes(ranks)};
}

/// Reduces segments of the elements of all ranks, which may go over several ranks, and starts each from `init`. The
/// rank on which a segment begins writes its result: `out[i]` of the segment that begins at `where.offsets[i]`.
///
/// @pre   as all_reduce of the same types, operator and initial value on all ranks, and with any n and any number of
///        segments of its own, 0 too. `where`: rank_segments, with segments + 1 offsets that never decrease. The first
///        `segments` of them lie among the rank's elements or at their end, and the last one is the first offset of the
///        next rank; of the last rank it is where the last segment ends. `out` has `segments` elements and overlaps
///        neither the input nor the offsets.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept: of the elements, of the ranks. The same bits in every run with the same parts.
/// @cost  gpuprim::segmented_reduce of the rank's elements, an ncclAllGather of some bytes a rank, and a launch of one
///        warp. A `workspace` of `segmented_reduce_workspace_size<Acc>(ranks, op)`, or more stream operations.
/// @return as all_reduce and gpuprim::segmented_reduce; an empty segment gives `init`.
/// @source as gpuprim::segmented_reduce.
/// @example examples/distributed/segment_ranks.cu
template <class Acc = void, class In, class Offsets, class Out, class Op, class Init>
[[nodiscard]] cudaError_t segmented_reduce(ncclComm_t comm, In in, std::int64_t n, rank_segments<Offsets> where,
                                           std::int64_t segments, Out out, Op op, Init init, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_options<Init> checked{};
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  static_assert(outputs_for<Out, A>,
                "gpuprim::distributed::segmented_reduce: the output must take values of the accumulator type");
  const auto made = detail::with_initial_value<A>(init, [&](const A& first) {
    return detail::reduce_segments_across<A>(comm, in, n, where, segments, out, op, first, how);
  });
  return detail::report_call(made, how);
}
/// Starts from the operator's identity.
template <class Acc = void, class In, class Offsets, class Out, class Op>
[[nodiscard]] cudaError_t segmented_reduce(ncclComm_t comm, In in, std::int64_t n, rank_segments<Offsets> where,
                                           std::int64_t segments, Out out, Op op, const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return distributed::segmented_reduce<A>(comm, in, n, where, segments, out, op, detail::reduce_identity<Op, A>(), how);
}

}  // namespace distributed

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
