// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Top-k of keys of any type, by a projection that makes numbers of them. It is a top-k of these numbers, of which none
// is written, with the keys as values beside them.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/device/input/projected_input.cuh>
#include <gpuprim/device/segmented_sort/long_segments.cuh>
#include <gpuprim/device/top_k/top_k_call.cuh>
#include <gpuprim/device/top_k/top_k_launch.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

using launch_top_k = top_k_launcher<row_sorter>;

/// The number that a projection makes of a key.
template <class Projection, class Key>
using projected_key = std::remove_cvref_t<std::invoke_result_t<const Projection&, const Key&>>;

template <class Projection, class Key>
constexpr bool makes_number() {
  if constexpr (std::is_invocable_v<const Projection&, const Key&> && !is_device_lambda<Projection>) {
    return is_number<projected_key<Projection, Key>>;
  } else {
    return false;
  }
}

/// What a projection makes of the keys of an input.
template <class In, class Projection>
struct projected_keys : input_iterator_types<projected_key<Projection, input_value<In>>> {
  In in;
  Projection projection;

  projected_keys(const In& i, const Projection& p) : in(i), projection(p) {}
  __device__ projected_key<Projection, input_value<In>> operator[](std::int64_t i) const {
    const input_value<In>& key = in[i];  // the iterator may return what converts to it
    return projection(key);
  }
  const In& array() const { return in; }
};

/// Two inputs as one.
template <class First, class Second>
struct paired_inputs : input_iterator_types<element_pair<input_value<First>, input_value<Second>>> {
  First first;
  Second second;

  paired_inputs(const First& a, const Second& b) : first(a), second(b) {}
  __device__ element_pair<input_value<First>, input_value<Second>> operator[](std::int64_t i) const {
    return {static_cast<input_value<First>>(first[i]), static_cast<input_value<Second>>(second[i])};
  }
};

/// And two outputs.
template <class First, class Second>
struct paired_outputs {
  struct place {
    const paired_outputs& to;
    std::int64_t i;
    template <class A, class B>
    __device__ void operator=(const element_pair<A, B>& both) const {
      detail::assign(to.first[i], both.first);
      detail::assign(to.second[i], both.second);
    }
  };
  First first;
  Second second;

  __device__ place operator[](std::int64_t i) const { return {*this, i}; }
  __device__ place operator*() const { return {*this, 0}; }
};

/// A top-k by a projection of as many keys as a number says, in memory of the device or not. `beside`: nothing, or
/// values and their output.
template <class In, class Count, class Out, top_k_form Form, class Projection, class... Beside>
outcome top_k_by(const In& in, const Count& count, std::int64_t k, const Out& out,
                 const top_k_order_by<Form, Projection>& order, const options& how, const Beside&... beside) {
  static_assert(random_access_input<In>, "gpuprim::top_k: the keys must be a pointer or a random-access iterator");
  static_assert(element<input_value<In>>, "gpuprim::top_k: the key type must be trivially copyable and assignable");
  static_assert(is_function_object<Projection>);
  static_assert(detail::makes_number<Projection, input_value<In>>(),
                "gpuprim::top_k: the const operator() of a projection must take a key and return a number of at most "
                "64 bits; a __device__ lambda hides from the host what it returns");
  static_assert(detail::takes_results<Out, input_value<In>>, "gpuprim::top_k: the output must take keys");
  const std::int64_t n = detail::most_of(count), results = k < n ? k : n;
  const auto go = [&](const auto& keys, const auto& keys_out, const auto&... more) -> outcome {
    const auto take = [&](const auto& values, const auto& to) {
      const projected_keys numbers(detail::as_constant(keys), order.projection);
      const launch_top_k launch{how};
      if constexpr (std::is_same_v<Count, element_count>) {
        const top_k_rows rows(detail::segments_of(detail::segment_of_count(count), 1));
        return detail::top_k_of<tuned_row_top_k_policy>(numbers, rows, k, discard_output{}, order.order, launch, values,
                                                        to);
      } else {
        return detail::top_k_of<tuned_top_k_policy>(numbers, detail::row_of(n), k, discard_output{}, order.order,
                                                    launch, values, to);
      }
    };
    if constexpr (sizeof...(Beside) == 0) {
      if (const outcome bad = detail::check_count(count, results, keys_out); bad.failed()) return bad;
      return take(detail::as_constant(keys), keys_out);
    } else {
      return [&](const auto& given, const auto& values_out) -> outcome {
        if (const outcome bad = detail::check_count(count, results, keys_out, values_out); bad.failed()) return bad;
        const auto values = detail::as_constant(given);
        const auto row = detail::row_of(n);
        if (n > 0 && k > 0) {
          for (const outcome& bad :
               {detail::check_input(values, n), detail::check_top_k_output(keys_out, results, keys, row),
                detail::check_beside(keys, row, results, keys_out, values, values_out)}) {
            if (bad.failed()) return bad;
          }
        }
        using pair = paired_outputs<std::remove_cvref_t<decltype(keys_out)>, std::remove_cvref_t<decltype(values_out)>>;
        return take(paired_inputs(detail::as_constant(keys), values), pair{keys_out, values_out});
      }(more...);
    }
  };
  return detail::with_arrays(go, in, out, beside...);
}

}  // namespace detail

/// Writes those k of n keys of any type of which a projection makes the largest numbers, or the smallest.
///
/// @pre   as top_k with a number of elements or an `element_count{pointer, most}`; the keys have any type.
///        `order`: `largest.by(projection)` or `smallest.by(projection)`, also with `.sorted()` before or behind, where
///        `projection(key)` is a number of at most 64 bits, and a pure function.
/// @sync  as top_k.
/// @order as top_k_pairs: of keys whose numbers are equal those at the lowest positions are taken, and they stay in
///        that order if sorted.
/// @cost  as top_k_pairs of numbers that are computed when they are read. A `workspace` of
///        `top_k_workspace_size<Number>(n, k, order)`, for the order without the projection, or with an element_count
///        one of a dry run; or more stream operations.
/// @return as top_k.
/// @source as top_k.
/// @example examples/library/68_top_k.cu
template <class In, detail::number_of_elements Count = element_count, class Out, top_k_form Form, class Projection>
[[nodiscard]] cudaError_t top_k(In in, Count n, std::int64_t k, Out out, const top_k_order_by<Form, Projection>& order,
                                const options& how = {}) {
  return detail::top_k_by(in, detail::as_count(n), k, out, order, how).report();
}

/// Writes those k keys of which a projection makes the largest numbers, and the values that lie beside them.
template <class Keys, class Values, detail::number_of_elements Count = element_count, class KeysOut, class ValuesOut,
          top_k_form Form, class Projection>
[[nodiscard]] cudaError_t top_k_pairs(Keys keys, Values values, Count n, std::int64_t k, KeysOut keys_out,
                                      ValuesOut values_out, const top_k_order_by<Form, Projection>& order,
                                      const options& how = {}) {
  static_assert(random_access_input<Values>,
                "gpuprim::top_k_pairs: the values must be a pointer or a random-access iterator");
  static_assert(detail::takes_results<ValuesOut, input_value<Values>>,
                "gpuprim::top_k_pairs: the output must take values");
  return detail::top_k_by(keys, detail::as_count(n), k, keys_out, order, how, values, values_out).report();
}

/// Writes those k keys of which a projection makes the largest numbers, and their positions.
template <class In, detail::number_of_elements Count = element_count, class KeysOut, class PositionsOut,
          top_k_form Form, class Projection>
[[nodiscard]] cudaError_t top_k_positions(In in, Count n, std::int64_t k, KeysOut keys_out, PositionsOut positions_out,
                                          const top_k_order_by<Form, Projection>& order, const options& how = {}) {
  return gpuprim::top_k_pairs(in, positions<>{}, n, k, keys_out, positions_out, order, how);
}

}  // namespace gpuprim
