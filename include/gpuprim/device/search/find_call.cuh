// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/orders.hpp>
#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/search/find_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace_lease.cuh>

namespace gpuprim::detail {

/// An array as the pairs of neighbours in it: 16 bytes a load, and the element behind them.
template <class T>
struct neighbours_input : input_iterator_types<element_pair<T, T>> {
  static constexpr int load_items = elements_per_load<T>;
  static constexpr bool loads_fit = false;
  const T* in;

  explicit neighbours_input(const T* i) : in(i) {}
  std::int64_t items_past_boundary() const { return detail::count_items_past_boundary(in); }
  __device__ element_pair<T, T> operator[](std::int64_t at) const { return {in[at], in[at + 1]}; }
  __device__ packed_pair<T, T> load(std::int64_t at) const {
    const auto first = unpack<T>(load_packed(in + at));
    auto second = first;
#pragma unroll
    for (int i = 1; i < load_items; ++i) second[i - 1] = first[i];
    second[load_items - 1] = in[at + load_items];
    packed_pair<T, T> both;
    std::memcpy(static_cast<void*>(&both.first), &first, sizeof both.first);
    std::memcpy(static_cast<void*>(&both.second), &second, sizeof both.second);
    return both;
  }
  __device__ void prefetch(std::int64_t at) const { ptx::prefetch_to_l2(in + at); }
};

/// An iterator as the pairs of neighbours behind it.
template <class In>
struct neighbours_items : input_iterator_types<element_pair<input_value<In>, input_value<In>>> {
  In in;
  explicit neighbours_items(In i) : in(i) {}
  __device__ typename neighbours_items::value_type operator[](std::int64_t at) const { return {in[at], in[at + 1]}; }
};

template <class Function>
struct negated {
  Function function;
  template <class... Ts>
    requires(is_device_lambda<Function> || std::is_invocable_v<const Function&, const Ts&...>)
  GPUPRIM_HOST_DEVICE bool operator()(const Ts&... values) const { return !function(values...); }
};

struct differs {
  template <class A, class B>
  GPUPRIM_HOST_DEVICE bool operator()(const A& a, const B& b) const { return !(a == b); }
};

/// What is said of the first position: itself, or n; whether there is one; whether there is none.
struct as_position {
  std::int64_t n;
  GPUPRIM_HOST_DEVICE std::int64_t operator()(found_position first) const {
    return first == nowhere_found ? n : std::int64_t(first);
  }
};
struct as_found {
  GPUPRIM_HOST_DEVICE bool operator()(found_position first) const { return first != nowhere_found; }
};
struct as_missing {
  GPUPRIM_HOST_DEVICE bool operator()(found_position first) const { return first == nowhere_found; }
};

/// The shape that reads fastest: more loads in flight would keep a search going longer behind a hit.
inline constexpr int find_block_size = 512, find_loads_per_thread = 8;
inline constexpr std::int64_t find_workspace_bytes = by_atomics::bytes<found_position>(0);

/// Finds the first element of an input, which is as a kernel reads it, that the predicate holds for.
template <class In, class Predicate, class Out, class Finish>
outcome run_find(const In& in, std::int64_t n, const Predicate& predicate, const Out& out, const Finish& finish,
                 const options& how) {
  static_assert(output_for<finished_output<Out, Finish>, found_position>,
                "gpuprim: the output must take a value of the result's type");
  constexpr int block_size = find_block_size, loads = find_loads_per_thread;
  const projected_input all(in, where<Predicate>{predicate});
  const finished_output to{detail::unwrap_contiguous(out), finish};
  const auto input = detail::make_reduce_input<loads>(all, n);
  using Input = std::remove_const_t<decltype(all)>;
  constexpr auto kernel = &find_kernel<block_size, loads, Input, std::remove_const_t<decltype(to)>>;
  constexpr int warps = block_size / warp_size;
  const auto [grid, when, error] = find_shape<kernel>((input.units() + warps - 1) / warps, block_size);
  if (error != cudaSuccess) return {error};
  const bool is_alone = grid.grid_size == 1;
  workspace_lease lease(is_alone ? 0 : find_workspace_bytes, how);
  if (lease.error()) return lease.refusal();
  using state_type = unordered_reduce_state<found_position>;
  const state_type state = is_alone ? state_type{} : by_atomics::make_state<found_position>(lease.data());
  return lease.finish(launch(when, kernel, grid, how.stream, input, to, state));
}

template <class In, class Predicate, class Out, class Finish>
outcome find_element(const In& in, std::int64_t n, const Predicate& predicate, const Out& out, const Finish& finish,
                     const options& how) {
  static_assert(is_device_lambda<Predicate> || std::is_invocable_r_v<bool, const Predicate&, const input_value<In>&>,
                "gpuprim::find_if: the predicate's const operator() must take an element and return a bool");
  return detail::with_input<array_form::pointer>(in, [&](const auto& array) -> outcome {
    if (const outcome bad = detail::check_arguments(array, n, out); bad.failed()) return bad;
    return detail::run_find(array, n, predicate, out, finish, how);
  });
}

}  // namespace gpuprim::detail
