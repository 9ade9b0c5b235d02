// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented_top_k.cuh>
#include <gpuprim/device/top_k.cuh>
#include <gpuprim/distributed/records.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// Stands for the positions of a rank's keys, which become those among the keys of all ranks.
struct own_positions {};

/// What lies beside the keys of a top-k.
template <class Values>
struct value_beside {
  using type = input_value<Values>;
};
template <>
struct value_beside<nothing> {
  using type = nothing;
};
template <>
struct value_beside<own_positions> {
  using type = std::int64_t;
};

/// The scratch memory of a top-k of several ranks: the lists of all ranks with room for k keys each, and these lists
/// without gaps. `Value` is `nothing` where there are keys alone.
template <class Key, class Value>
struct rank_lists {
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;

  std::int64_t* counts = nullptr;  ///< elements of each rank
  std::int64_t* bounds = nullptr;  ///< 0, and the number of keys in all lists
  Key *gathered = nullptr, *keys = nullptr;
  Value *gathered_values = nullptr, *values = nullptr;
  std::int64_t bytes = 0;

  static constexpr rank_lists lay_over(char* memory, std::int64_t k, int ranks) {
    rank_lists lists;
    memory_parts parts{memory};
    parts.take(lists.counts, ranks);
    parts.take(lists.bounds, 2);
    parts.take(lists.gathered, k * ranks);
    parts.take(lists.keys, k * ranks);
    if constexpr (has_values) {
      parts.take(lists.gathered_values, k * ranks);
      parts.take(lists.values, k * ranks);
    }
    lists.bytes = parts.used;
    return lists;
  }
  /// Where the values of a rank's list are.
  auto values_of(int rank, std::int64_t k) const {
    if constexpr (has_values) return gathered_values + rank * k;
    else return nothing{};
  }
  /// What comes behind the lists.
  char* rest(void* memory) const { return static_cast<char*>(memory) + bytes; }
};

/// Moves the lists of all ranks together. Positions become those among the elements of all ranks.
template <int BlockSize, class Values, class Key, class Value>
__global__ void __launch_bounds__(BlockSize)
    join_lists_kernel(rank_lists<Key, Value> lists, std::int64_t k, int ranks) {
  ptx::wait_for_previous_grid();
  const auto kept = [&](int rank) { return lists.counts[rank] < k ? lists.counts[rank] : k; };
  const std::int64_t chunks = (k + BlockSize - 1) / BlockSize;
  for (std::int64_t chunk = blockIdx.x; chunk < chunks * ranks; chunk += gridDim.x) {
    const int rank = int(chunk / chunks);
    const std::int64_t i = chunk % chunks * BlockSize + threadIdx.x;
    std::int64_t before = 0;
    [[maybe_unused]] std::int64_t elements_before = 0;
    for (int other = 0; other < rank; ++other) {
      before += kept(other);
      elements_before += lists.counts[other];
    }
    if (i < kept(rank)) {
      lists.keys[before + i] = lists.gathered[rank * k + i];
      if constexpr (std::is_same_v<Values, own_positions>) {
        lists.values[before + i] = lists.gathered_values[rank * k + i] + elements_before;
      } else if constexpr (lists.has_values) {
        lists.values[before + i] = lists.gathered_values[rank * k + i];
      }
    }
    if (chunk == chunks * ranks - 1 && threadIdx.x == 0) {
      lists.bounds[0] = 0;
      lists.bounds[1] = before + kept(rank);
    }
  }
}

/// The memory of the top-k of a rank's elements, and of that of the lists.
template <class Key, top_k_form Form>
constexpr workspace_size rank_top_k_size(std::int64_t n, std::int64_t k, int ranks) {
  const top_k_order<Form> order;
  workspace_size size = top_k_workspace_size<Key>(n, k, order);
  if (ranks == 1) return size;
  const segment_offsets<const std::int64_t*> lists{nullptr, k * ranks};
  size.cover(segmented_top_k_workspace_size<Key>(lists, 1, k, order));
  return size;
}

/// The scratch memory of all.
template <class Key, class Value, top_k_form Form>
constexpr std::int64_t rank_top_k_bytes(std::int64_t n, std::int64_t k, int ranks) {
  const std::int64_t lists = ranks == 1 ? 0 : rank_lists<Key, Value>::lay_over(nullptr, k, ranks).bytes;
  return lists + detail::rank_top_k_size<Key, Form>(n, k, ranks).total_bytes();
}

/// Keys of the lists of all ranks together, as of a segment of a segmented top-k.
inline constexpr std::int64_t most_listed_keys = (std::int64_t{1} << 32) - 1;

/// Checks the arguments of a rank.
template <class In, class Values, class Out, class ValuesOut>
outcome check_rank_top_k(const In& in, const Values& values, std::int64_t n, std::int64_t k, int ranks, const Out& out,
                         const ValuesOut& values_out) {
  if (k < 0) return {cudaErrorInvalidValue, "k is negative"};
  if (k > most_listed_keys / ranks) return {cudaErrorInvalidValue, "k is too large"};
  if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(out, k); bad.failed()) return bad;
  if (const outcome bad = detail::check_disjoint(out, k, in, n); bad.failed()) return bad;
  if constexpr (!std::is_same_v<ValuesOut, nothing>) {
    if (const outcome bad = detail::check_results(values_out, k); bad.failed()) return bad;
    if (const outcome bad = detail::check_disjoint(values_out, k, in, n); bad.failed()) return bad;
    if (detail::overlap(out, k, values_out, k)) return {cudaErrorInvalidValue, "the outputs overlap each other"};
  }
  if constexpr (random_access_input<Values>) {
    if (const outcome bad = detail::check_input(values, n); bad.failed()) return bad;
    if (const outcome bad = detail::check_disjoint(out, k, values, n); bad.failed()) return bad;
    if (const outcome bad = detail::check_disjoint(values_out, k, values, n); bad.failed()) return bad;
  }
  return {};
}

/// A top-k of one GPU, with what lies beside the keys.
template <class In, class Values, class Out, class ValuesOut, class Order>
cudaError_t top_k_beside(const In& in, const Values& values, std::int64_t n, std::int64_t k, const Out& out,
                         const ValuesOut& values_out, const Order& order, const options& how) {
  if constexpr (std::is_same_v<Values, nothing>) return gpuprim::top_k(in, n, k, out, order, how);
  else if constexpr (std::is_same_v<Values, own_positions>) {
    return gpuprim::top_k_positions(in, n, k, out, values_out, order, how);
  } else {
    return gpuprim::top_k_pairs(in, values, n, k, out, values_out, order, how);
  }
}

/// The top-k of the lists of all ranks.
template <class Key, class Value, class Out, class ValuesOut, class Order>
cudaError_t top_k_of_lists(const rank_lists<Key, Value>& lists, std::int64_t k, int ranks, const Out& out,
                           const ValuesOut& values_out, const Order& order, const options& how) {
  const segment_offsets<const std::int64_t*> all{lists.bounds, k * ranks};
  const Key* const keys = lists.keys;
  if constexpr (!lists.has_values) return gpuprim::segmented_top_k(keys, all, 1, k, out, order, how);
  else {
    const Value* const values = lists.values;
    return gpuprim::segmented_top_k_pairs(keys, values, all, 1, k, out, values_out, order, how);
  }
}

/// Takes the k largest of the elements of all ranks. Where something lies beside the keys, the lists are sorted, so
/// that equal keys stay in the order of their positions.
template <class In, class Values, class Out, class ValuesOut, top_k_form Form>
outcome top_k_across(ncclComm_t comm, const In& in, const Values& values, std::int64_t n, std::int64_t k,
                     const Out& out, const ValuesOut& values_out, top_k_order<Form> order,
                     const distributed::options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::distributed::top_k: the keys must be a pointer or a random-access iterator");
  using Key = input_value<In>;
  using Value = typename value_beside<Values>::type;
  static_assert(is_number<Key>, "gpuprim::distributed::top_k: the keys must be numbers of at most 64 bits");
  using lists_of = rank_lists<Key, Value>;
  constexpr bool has_values = lists_of::has_values;
  constexpr top_k_form local_form = has_values ? top_k_form::sorted : Form;
  constexpr int block_size = 256;
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  const outcome bad =
      detail::check_rank_top_k(detail::as_constant(in), detail::unwrap_contiguous(values), n, k, place.ranks,
                               detail::unwrap_contiguous(out), detail::unwrap_contiguous(values_out));
  if (bad.failed()) return bad;
  if (k == 0) return {};  // on all ranks
  const options own{how.stream, how.workspace, how.memory};
  const auto size = detail::rank_top_k_size<Key, local_form>(n, k, place.ranks);
  const auto lists_in = [=](void* memory) { return lists_of::lay_over(static_cast<char*>(memory), k, place.ranks); };
  const auto local = [=](void* memory) -> outcome {
    if (place.ranks == 1) {
      const lent_workspace lent(memory, size, own);
      if (lent.refusal().failed()) return lent.refusal();
      return detail::outcome_of(detail::top_k_beside(in, values, n, k, out, values_out, order, lent.options()));
    }
    const auto lists = lists_in(memory);
    const lent_workspace lent(lists.rest(memory), size, own);
    if (lent.refusal().failed()) return lent.refusal();
    const cudaError_t stored = gpuprim::launch(start::in_order, &store_number_kernel<std::int64_t>, launch_shape{1, 1},
                                               own.stream, lists.counts + place.rank, n);
    if (stored != cudaSuccess) return {stored};
    const top_k_order<local_form> local_order{order.end};
    return detail::outcome_of(detail::top_k_beside(in, values, n, k, lists.gathered + place.rank * k,
                                                   lists.values_of(place.rank, k), local_order, lent.options()));
  };
  const auto exchange = [=](void* memory, int) {
    if (place.ranks == 1) return ncclSuccess;
    const auto lists = lists_in(memory);
    const auto gather = [&](auto* all, std::int64_t each) {
      return ncclAllGather(all + place.rank * each, all, std::size_t(each) * sizeof *all, ncclUint8, comm, own.stream);
    };
    ncclResult_t result = gather(lists.counts, 1);
    if (detail::is_on_its_way(result)) result = gather(lists.gathered, k);
    if constexpr (has_values) {
      if (detail::is_on_its_way(result)) result = gather(lists.gathered_values, k);
    }
    return result;
  };
  const auto follow = [=](void* memory, int) -> outcome {
    if (place.ranks == 1) return {};
    const auto lists = lists_in(memory);
    const lent_workspace lent(lists.rest(memory), size, own);
    if (lent.refusal().failed()) return lent.refusal();
    constexpr auto kernel = &join_lists_kernel<block_size, Values, Key, Value>;
    const found_shape found = detail::find_shape<kernel>((k - 1) / block_size * place.ranks + place.ranks, block_size);
    if (found.error != cudaSuccess) return {found.error};
    if (cudaError_t e = gpuprim::launch(found.when, kernel, found.grid, own.stream, lists, k, place.ranks)) return {e};
    return detail::outcome_of(detail::top_k_of_lists(lists, k, place.ranks, out, values_out, order, lent.options()));
  };
  const std::int64_t bytes = detail::rank_top_k_bytes<Key, Value, local_form>(n, k, place.ranks);
  return detail::call_on_rank(comm, bytes, how, local, exchange, follow);
}

}  // namespace detail

namespace distributed {

/// The two memories that a top-k of n elements on a rank of `ranks` needs. `Value` is the type of the values of
/// `top_k_pairs`, std::int64_t for `top_k_positions`, and void for `top_k`. Fewer elements, or a smaller k, may need
/// more: a workspace for several sizes has room for each.
template <class Key, class Value = void, top_k_form Form = top_k_form::unsorted>
constexpr workspace_size top_k_workspace_size(std::int64_t n, std::int64_t k, int ranks, top_k_order<Form> = largest) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::nothing, Value>;
  constexpr top_k_form form = std::is_void_v<Value> ? Form : top_k_form::sorted;
  return {0, detail::rank_top_k_bytes<Key, value, form>(n, k, ranks)};
}

/// Writes the k largest of the keys of all ranks, or the k smallest, on every rank; all of them if k is above their
/// number.
///
/// @pre   every rank of `comm` makes the same calls in the same order, with the same k and order. The current device is
///        the communicator's. `in`, `order`: as gpuprim::top_k. `out` has room for k keys, and overlaps no input.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order as gpuprim::top_k. All ranks get the same keys, and if sorted in the same order.
/// @cost  gpuprim::top_k of the rank's elements, an ncclAllGather of k keys a rank, a launch that moves these together,
///        and gpuprim::segmented_top_k of them. Scratch memory for `2 * ranks * k` keys: a `workspace` of
///        `top_k_workspace_size<Key>(n, k, ranks, order)`, or two more stream operations.
/// @return as all_reduce and gpuprim::top_k; cudaErrorInvalidValue too for a k of which the lists of all ranks are too
///         long.
/// @source as gpuprim::top_k.
/// @example examples/distributed/sort_ranks.cu
template <class In, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k(ncclComm_t comm, In in, std::int64_t n, std::int64_t k, Out out,
                                top_k_order<Form> order = largest, const options& how = {}) {
  const detail::nothing none;
  return detail::report_call(detail::top_k_across(comm, in, none, n, k, out, none, order, how), how);
}

/// Writes the k largest keys of all ranks and the values that lie beside them, on every rank. Of equal keys those are
/// taken that come first in the order of the ranks, and on a rank those at the lowest positions; they stay in that
/// order if sorted.
///
/// @pre   as top_k; `values`: a pointer or a random-access iterator to n values. `values_out`: room for k values, apart
///        from the inputs and from `out`.
/// @sync  as top_k. @order as gpuprim::top_k_pairs.
/// @cost  as top_k, where each rank sorts its k keys. Scratch memory for as many values too: a `workspace` of
///        `top_k_workspace_size<Key, Value>(n, k, ranks, order)`, or two more stream operations.
/// @return as top_k.
/// @source as gpuprim::top_k.
/// @example examples/distributed/sort_ranks.cu
template <class In, class Values, class Out, class ValuesOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k_pairs(ncclComm_t comm, In in, Values values, std::int64_t n, std::int64_t k, Out out,
                                      ValuesOut values_out, top_k_order<Form> order = largest,
                                      const options& how = {}) {
  return detail::report_call(detail::top_k_across(comm, in, values, n, k, out, values_out, order, how), how);
}

/// Writes the k largest keys of all ranks and their positions among the elements of all ranks, 64-bit integers that are
/// converted to the type of the output as by assignment; all else as top_k_pairs.
template <class In, class Out, class PositionsOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k_positions(ncclComm_t comm, In in, std::int64_t n, std::int64_t k, Out out,
                                          PositionsOut positions_out, top_k_order<Form> order = largest,
                                          const options& how = {}) {
  const detail::own_positions own;
  return detail::report_call(detail::top_k_across(comm, in, own, n, k, out, positions_out, order, how), how);
}

}  // namespace distributed

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
