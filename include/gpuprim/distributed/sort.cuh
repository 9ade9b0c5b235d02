// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort.cuh>
#include <gpuprim/distributed/sort_kernels.cuh>
#include <gpuprim/distributed/wait.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// The scratch memory of a sort of several ranks: what they tell each other, and the rank's own elements, sorted.
template <class Key, class Value>
struct rank_sort_memory {
  boundary_search<typename radix_key<Key>::word> search;
  Key* keys = nullptr;
  Value* values = nullptr;
  std::int64_t bytes = 0;

  static constexpr rank_sort_memory lay_over(char* memory, std::int64_t n, const rank_place& place) {
    rank_sort_memory laid;
    laid.search.rank = place.rank;
    laid.search.ranks = place.ranks;
    memory_parts parts{memory};
    laid.search.take(parts);
    parts.take(laid.keys, n);
    if constexpr (!std::is_same_v<Value, nothing>) parts.take(laid.values, n);
    laid.bytes = parts.used;
    return laid;
  }
};

template <class Value>
using value_or_void = std::conditional_t<std::is_same_v<Value, nothing>, void, Value>;

/// The scratch memory of all.
template <class Key, class Value, class Order>
constexpr std::int64_t rank_sort_bytes(std::int64_t n, int ranks) {
  const std::int64_t own = ranks == 1 ? 0 : rank_sort_memory<Key, Value>::lay_over(nullptr, n, {0, ranks}).bytes;
  return own + gpuprim::sort_workspace_size<Key, value_or_void<Value>, Order>(n).total_bytes();
}

/// A sort of one GPU, with values unless these are `nothing`.
template <class Keys, class Values, class Out, class ValuesOut, class Order>
cudaError_t sort_beside(const Keys& keys, const Values& values, std::int64_t n, Out out, ValuesOut values_out,
                        const Order& order, const options& how) {
  if constexpr (std::is_same_v<Values, nothing>) return gpuprim::sort(keys, n, out, order, how);
  else return gpuprim::sort_pairs(keys, values, n, out, values_out, order, how);
}

/// What a rank does in a sort of several, after it has sorted its own elements. `moves`: host memory for two numbers of
/// each rank.
template <class Key, class Value, class Order>
struct rank_sort {
  using memory_of = rank_sort_memory<Key, Value>;
  using word = typename radix_key<Key>::word;
  using search_type = boundary_search<word>;
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;
  static constexpr int digits = search_type::digits;
  /// The counts of the ranks, those for each digit, the ranges of keys, and the elements.
  static constexpr int exchanges = digits + 3, of_ranges = digits + 1, of_elements = digits + 2;

  ncclComm_t comm;
  rank_place place;
  std::int64_t n;
  Order order;
  Key* out;
  Value* values_out;
  options own;
  double seconds;
  std::int64_t* moves;

  memory_of lay_over(void* memory) const { return memory_of::lay_over(static_cast<char*>(memory), n, place); }
  constexpr workspace_size local_size() const {
    return gpuprim::sort_workspace_size<Key, value_or_void<Value>, Order>(n);
  }

  template <class Keys, class Values>
  outcome begin(void* memory, const Keys& keys, const Values& values) const {
    if (place.ranks == 1) {
      const lent_workspace lent(memory, local_size(), own);
      if (lent.refusal().failed()) return lent.refusal();
      return detail::outcome_of(detail::sort_beside(keys, values, n, out, values_out, order, lent.options()));
    }
    const memory_of parts = lay_over(memory);
    const lent_workspace lent(rest(memory, parts), local_size(), own);
    if (lent.refusal().failed()) return lent.refusal();
    const cudaError_t stored = gpuprim::launch(start::in_order, &store_number_kernel<std::int64_t>, launch_shape{1, 1},
                                               own.stream, parts.search.counts + place.rank, n);
    if (stored != cudaSuccess) return {stored};
    return detail::outcome_of(detail::sort_beside(keys, values, n, parts.keys, parts.values, order, lent.options()));
  }

  ncclResult_t exchange(void* memory, int number) const {
    if (place.ranks == 1) return ncclSuccess;
    const memory_of parts = lay_over(memory);
    const search_type& search = parts.search;
    const auto gather = [&](auto* all, int each) {
      const auto bytes = std::size_t(each) * sizeof *all;
      return ncclAllGather(all + std::int64_t(place.rank) * each, all, bytes, ncclUint8, comm, own.stream);
    };
    if (number == 0) return gather(search.counts, 1);
    if (number == of_ranges) return gather(search.ranges, search.boundaries());
    if (number < of_ranges) {
      const auto counts = std::size_t(search.boundaries()) * search_type::bins;
      return ncclAllReduce(search.below, search.below, counts, ncclInt64, ncclSum, comm, own.stream);
    }
    const ncclResult_t result = trade(parts.keys, out);
    if constexpr (has_values) {
      if (detail::is_on_its_way(result)) return trade(parts.values, values_out);
    }
    return result;
  }

  outcome follow(void* memory, int number) const {
    if (place.ranks == 1) return {};
    const memory_of parts = lay_over(memory);
    if (number < of_ranges) return narrow(parts, (digits - 1 - number) * search_type::digit_bits);
    if (number == of_ranges) return find_moves(parts.search);
    const lent_workspace lent(rest(memory, parts), local_size(), own);
    if (lent.refusal().failed()) return lent.refusal();
    std::conditional_t<has_values, Value*, nothing> values{};
    if constexpr (has_values) values = values_out;
    return detail::outcome_of(detail::sort_beside(out, values, n, out, values_out, order, lent.options()));
  }

 private:
  static char* rest(void* memory, const memory_of& parts) { return static_cast<char*>(memory) + parts.bytes; }

  outcome narrow(const memory_of& parts, int bit) const {
    const auto key_digits = detail::digits_of_sort<Key, Value>(order);
    constexpr auto kernel = &narrow_boundaries_kernel<std::remove_const_t<decltype(key_digits)>, Key, word>;
    const found_shape found = detail::find_shape<kernel>(parts.search.boundaries(), search_type::bins);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, own.stream, key_digits, parts.keys, n, parts.search, bit)};
  }

  /// Finds how many elements go where, and waits for these numbers.
  outcome find_moves(const search_type& search) const {
    constexpr auto kernel = &find_moves_kernel<word>;
    if (const outcome bad = detail::launch_warp<kernel>(own.stream, search); bad.failed()) return bad;
    if (const outcome bad = detail::wait_for_stream(comm, own.stream, seconds); bad.failed()) return bad;
    const std::size_t bytes = 2 * std::size_t(place.ranks) * sizeof *moves;
    if (cudaError_t e = cudaMemcpyAsync(moves, search.moves, bytes, cudaMemcpyDeviceToHost, own.stream)) return {e};
    return {cudaStreamSynchronize(own.stream)};
  }

  /// Sends to each rank what is its own, and gets from each what it has for this one, in the order of the ranks.
  template <class T>
  ncclResult_t trade(const T* from, T* to) const {
    ncclResult_t result = ncclSuccess;
    for (int other = 0; other < place.ranks && detail::is_on_its_way(result); ++other) {
      const std::int64_t sent = moves[other], received = moves[place.ranks + other];
      if (sent > 0) result = ncclSend(from, std::size_t(sent) * sizeof(T), ncclUint8, other, comm, own.stream);
      if (received > 0 && detail::is_on_its_way(result)) {
        result = ncclRecv(to, std::size_t(received) * sizeof(T), ncclUint8, other, comm, own.stream);
      }
      from += sent;
      to += received;
    }
    return result;
  }
};

/// The order of a sort of several ranks.
template <class Key, class Order>
constexpr auto sorting_across(const Order& order) {
  static_assert(is_number<Key>, "gpuprim::distributed::sort, sort_pairs: the keys must be numbers of at most 64 bits");
  const auto chosen = detail::sorting<Key>(order);
  using type = std::remove_const_t<decltype(chosen)>;
  static_assert(std::is_same_v<type, radix_order<sort_direction::ascending>> ||
                    std::is_same_v<type, radix_order<sort_direction::descending>>,
                "gpuprim::distributed::sort, sort_pairs: the order must be gpuprim::ascending or gpuprim::descending");
  return chosen;
}

/// Sorts the elements of all ranks, with values unless these are `nothing`.
template <class Keys, class Values, class Out, class Value, class Order>
outcome sort_across(ncclComm_t comm, const Keys& keys, const Values& values, std::int64_t n, const Out& out,
                    Value* values_out, const Order& order, const distributed::options& how) {
  using Key = input_value<Keys>;
  [[maybe_unused]] const refuse_options<Order> checked{};
  static_assert(is_array_of<Out, Key>, "gpuprim::distributed::sort, sort_pairs: the output must be an array of keys");
  const auto chosen = detail::sorting_across<Key>(order);
  using sort_type = rank_sort<Key, Value, std::remove_const_t<decltype(chosen)>>;
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  const auto from = detail::as_constant(keys);
  const auto values_from = detail::unwrap_contiguous(values);
  if (const outcome bad = detail::check_sorted(from, values_from, n, out, values_out); bad.failed()) return bad;
  if (place.ranks > 1) {
    if (const outcome bad = detail::check_no_capture(how.stream); bad.failed()) return bad;
  }
  host_numbers moves(2 * std::size_t(place.ranks));
  if (moves.data() == nullptr) return {cudaErrorMemoryAllocation, "there is no host memory for the counts of a sort"};
  const options own{how.stream, how.workspace, how.memory};
  const sort_type sort{comm, place, n, chosen, out, values_out, own, how.seconds, moves.data()};
  const auto local = [=](void* memory) { return sort.begin(memory, keys, values); };
  const auto exchange = [=](void* memory, int number) { return sort.exchange(memory, number); };
  const auto follow = [=](void* memory, int number) { return sort.follow(memory, number); };
  const std::int64_t bytes = detail::rank_sort_bytes<Key, Value, decltype(sort.order)>(n, place.ranks);
  return detail::call_on_rank<sort_type::exchanges>(comm, bytes, how, local, exchange, follow, std::move(moves));
}

}  // namespace detail

namespace distributed {

/// The two memories that a sort of n elements on a rank of `ranks` needs: room for the elements twice, one hundredth of
/// that, and a few KiB for each rank. `Value` is void for `sort`.
template <class Key, class Value = void, class Order = radix_order<sort_direction::ascending>>
constexpr workspace_size sort_workspace_size(std::int64_t n, int ranks) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::nothing, Value>;
  using order = std::remove_const_t<decltype(detail::sorting_across<Key>(std::declval<const Order&>()))>;
  return {0, detail::rank_sort_bytes<Key, value, order>(n, ranks)};
}

/// Sorts the keys of all ranks. Each rank gets as many as it has given, so that the outputs of all ranks in their order
/// are the sorted keys, however often a key is there.
///
/// @pre   every rank of `comm` makes the same calls in the same order, with keys of one type and the same order. The
///        current device is the communicator's. `keys`: a pointer or a random-access iterator to n numbers of at most
///        64 bits. `sorted`: a pointer to memory for n keys; it may be the input itself, and must not overlap it
///        otherwise. `order`: `ascending` or `descending`, of all bits of the keys themselves.
/// @sync  waits on the host, where there are several ranks, until all of them have searched for the boundaries between
///        the ranks; for at most `how.seconds`. The call waits, or `finish` of its group. What follows is asynchronous
///        on `how.stream`. It cannot be captured into a graph. A rank that is alone does not wait, and can be captured.
/// @order as gpuprim::sort.
/// @cost  gpuprim::sort of the rank's keys; as many small exchanges as a key has bytes, and two more, each with a
///        launch that searches in the keys; one exchange in which each rank sends its n keys and gets n; and
///        gpuprim::sort of these. A `workspace` of `sort_workspace_size<Key>(n, ranks)`, or two more stream operations.
/// @return as all_reduce and gpuprim::sort; cudaErrorStreamCaptureUnsupported for a stream in capture,
///         cudaErrorInvalidValue too for seconds that are not a number. cudaErrorTimeout, or NCCL's error, if the wait
///         ends without the others: the output is unspecified then, and the communicator is to be aborted.
/// @source Kale and Krishnan, "A comparison based parallel sorting algorithm", 1993, which counts the keys up to some
///         candidates on all ranks, and chooses the next ones between them.
/// @example examples/distributed/sort_ranks.cu
template <class In, class Out, class Order>
[[nodiscard]] cudaError_t sort(ncclComm_t comm, In keys, std::int64_t n, Out sorted, const Order& order,
                               const options& how = {}) {
  static_assert(random_access_input<In>,
                "gpuprim::distributed::sort: the keys must be a pointer or a random-access iterator");
  using detail::nothing;
  nothing* const none = nullptr;
  const auto to = detail::sorted_array(sorted);
  return detail::report_call(detail::sort_across(comm, keys, nothing{}, n, to, none, order, how), how);
}

/// Sorts keys from the least to the greatest.
template <class In, class Out>
[[nodiscard]] cudaError_t sort(ncclComm_t comm, In keys, std::int64_t n, Out sorted, const options& how = {}) {
  return distributed::sort(comm, keys, n, sorted, radix_order<sort_direction::ascending>{}, how);
}

/// Sorts the keys of all ranks, and moves a value along with each.
///
/// @pre   as sort; `values`: a pointer or a random-access iterator to n values. `sorted_values` may be the values
///        themselves. No output overlaps another array otherwise.
/// @sync  as sort.
/// @order stable: equal keys stay in the order of the ranks, and of their positions on a rank. See gpuprim::sort_pairs.
/// @cost  as sort, with the values; `sort_workspace_size<Key, Value>(n, ranks)`.
/// @return as sort.
/// @source as sort.
/// @example examples/distributed/sort_ranks.cu
template <class In, class ValuesIn, class Out, class ValuesOut, class Order>
[[nodiscard]] cudaError_t sort_pairs(ncclComm_t comm, In keys, ValuesIn values, std::int64_t n, Out sorted_keys,
                                     ValuesOut sorted_values, const Order& order, const options& how = {}) {
  static_assert(random_access_input<In> && random_access_input<ValuesIn>,
                "gpuprim::distributed::sort_pairs: the keys and the values must be pointers or random-access "
                "iterators");
  using Value = input_value<ValuesIn>;
  const auto to = detail::sorted_array(sorted_keys);
  const auto values_to = detail::sorted_array(sorted_values);
  static_assert(detail::is_array_of<decltype(values_to), Value>,
                "gpuprim::distributed::sort_pairs: the second output must be an array of values");
  static_assert(element<Value>,
                "gpuprim::distributed::sort_pairs: the value type must be trivially copyable and assignable");
  return detail::report_call(detail::sort_across(comm, keys, values, n, to, values_to, order, how), how);
}

/// Sorts keys from the least to the greatest, and moves a value along with each.
template <class In, class ValuesIn, class Out, class ValuesOut>
[[nodiscard]] cudaError_t sort_pairs(ncclComm_t comm, In keys, ValuesIn values, std::int64_t n, Out sorted_keys,
                                     ValuesOut sorted_values, const options& how = {}) {
  const radix_order<sort_direction::ascending> order;
  return distributed::sort_pairs(comm, keys, values, n, sorted_keys, sorted_values, order, how);
}

}  // namespace distributed

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
