// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/device/sort/sort_launch.cuh>

namespace gpuprim::inline v0_1_0::detail {

template <class Key, class Order>
struct sort_types {
  static_assert(is_radix_order<Order>,
                "gpuprim::sort, sort_pairs: the order must be gpuprim::ascending or gpuprim::descending");
};
template <class Key, sort_direction Direction, class Projection>
struct sort_types<Key, radix_order<Direction, Projection>> {
  static_assert(element<Key>, "gpuprim::sort, sort_pairs: the key type must be trivially copyable and assignable");
  static_assert(!std::is_same_v<Projection, whole_key> || is_number<Key>,
                "gpuprim::sort, sort_pairs: keys that are no numbers need ascending.by(projection), where "
                "projection(key) is a number or a gpuprim::tuple of numbers");
  static_assert(sizeof(Key) <= 128, "gpuprim::sort, sort_pairs: keys have at most 128 bytes; sort their positions");
};

/// Checks an output of n elements that may be `in` itself, but must not overlap it otherwise.
template <class Out, class In>
outcome check_sorted_output(Out* out, const In& in, std::int64_t n) {
  if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
  if constexpr (std::is_pointer_v<In>) {
    if (static_cast<const void*>(out) != static_cast<const void*>(in) && detail::overlap(out, n, in, n)) {
      return {cudaErrorInvalidValue, "an output overlaps an input, and is not the same array"};
    }
  }
  return {};
}

/// Finds the bits that an order compares.
template <class Digits, class Order>
outcome find_bits(const Order& order, int& first_bit, int& end_bit) {
  first_bit = order.first_bit;
  end_bit = order.end_bit < 0 ? Digits::bits : order.end_bit;
  if (first_bit >= 0 && first_bit <= end_bit && end_bit <= Digits::bits) return {};
  return {cudaErrorInvalidValue, "the order compares bits that a key does not have"};
}

/// If an output is the input itself, and the first pass writes to it, the pass reads a copy.
template <class In, class T>
outcome copy_if_in_place(In& in, const T* out, T* other, std::int64_t n, cudaStream_t stream) {
  if constexpr (std::is_same_v<In, const T*>) {
    if (in != out) return {};
    in = other;
    return {cudaMemcpyAsync(other, out, std::size_t(n) * sizeof(T), cudaMemcpyDeviceToDevice, stream)};
  } else {
    return {};
  }
}

/// Calls `go(state, memory)` with what the launches of a sort share and the scratch memory behind it.
template <class Sort, class Go>
outcome with_sort_memory(const Sort& sort, const workspace_size& size, const options& how, const Go& go) {
  workspace_lease zeroed(size.zeroed_bytes, how);
  if (zeroed.error()) return zeroed.refusal();
  scratch_lease scratch(size.scratch_bytes, how);
  if (scratch.error()) {
    (void)zeroed.finish(cudaSuccess);
    return scratch.refusal();
  }
  const std::int64_t tiles = Sort::count_part_tiles(sort.n);
  const auto state = sort_state::lay_over(zeroed.data(), scratch.data(), Sort::digits, tiles);
  const outcome done = go(state, static_cast<char*>(scratch.data()) + Sort::state_bytes(sort.n));
  const outcome freed = scratch.finish(done.code), also_freed = zeroed.finish(freed.code);
  return done.failed() ? done : also_freed;
}

/// Sorts by passes from the input to `out` and `other` alternately.
template <class Sort, class KeysIn, class ValuesIn>
outcome pass_through(const Sort& sort, KeysIn keys, ValuesIn values, const typename Sort::buffers& out,
                     const typename Sort::buffers& other, const sort_state& state, cudaStream_t stream) {
  outcome done;
  if (sort.count_passes() % 2 == 1) {
    done = detail::copy_if_in_place(keys, out.keys, other.keys, sort.n, stream);
    if constexpr (Sort::has_values) {
      if (!done.failed()) done = detail::copy_if_in_place(values, out.values, other.values, sort.n, stream);
    }
  }
  return done.failed() ? done : sort.run_passes(keys, values, out, other, state, stream);
}

/// Sorts keys, and values with them unless these are `no_values`; the arguments are checked.
template <sort_policies Policies, class Digits, class KeysIn, class ValuesIn, class Key, class Value>
outcome run_sort(const radix_sort<Policies, Digits, Key, Value>& sort, const KeysIn& keys, const ValuesIn& values,
                 const sort_buffers<Key, Value>& out, const options& how) {
  using radix = radix_sort<Policies, Digits, Key, Value>;
  outcome done;
  if (sort.n == 0 || sort.run_in_cluster(keys, values, out, how.stream, done)) return done;
  const auto go = [&](const sort_state& state, char* memory) {
    return detail::pass_through(sort, keys, values, out, radix::lay_over(memory, sort.n), state, how.stream);
  };
  return detail::with_sort_memory(sort, radix::find_workspace_size(sort.n), how, go);
}

/// Sorts what lies in one of two buffers, and says whether the result is in the other one.
template <sort_policies Policies, class Digits, class Key, class Value>
outcome run_sort_in_buffers(const radix_sort<Policies, Digits, Key, Value>& sort,
                            const sort_buffers<Key, Value>& current, const sort_buffers<Key, Value>& other,
                            bool& is_in_other, const options& how) {
  using radix = radix_sort<Policies, Digits, Key, Value>;
  using values_in = std::conditional_t<radix::has_values, const Value*, no_values>;
  const Key* const keys = current.keys;
  values_in values{};
  if constexpr (radix::has_values) values = current.values;
  is_in_other = false;
  outcome done;
  if (sort.n == 0 || sort.run_in_cluster(keys, values, current, how.stream, done)) return done;
  is_in_other = sort.count_passes() % 2 == 1;
  const auto& out = is_in_other ? other : current;
  const auto go = [&](const sort_state& state, char*) {
    return sort.run_passes(keys, values, out, is_in_other ? current : other, state, how.stream);
  };
  done = detail::with_sort_memory(sort, radix::find_own_size(sort.n), how, go);
  if (done.failed()) is_in_other = false;
  return done;
}

}  // namespace gpuprim::detail
