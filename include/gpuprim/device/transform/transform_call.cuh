// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/inputs.cuh>
#include <gpuprim/device/arguments/outputs.cuh>
#include <gpuprim/device/transform/transform_launch.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// An input as a kernel reads it: a pointer where it is one.
template <class In>
constexpr auto as_read(const In& in) {
  static_assert(random_access_input<In>, "gpuprim::transform: the input must be a pointer or a random-access iterator");
  static_assert(!std::is_pointer_v<raw_iterator<In>> || element<input_value<In>>,
                "gpuprim::transform: the element type must be trivially copyable and assignable");
  return detail::as_constant(in);
}

template <class... Ins>
constexpr auto make_bundle(const Ins&... ins) {
  return bundle<Ins...>{{ins}...};
}
/// The inputs of a pass, behind others that are already as a kernel reads them.
template <class In, class... Fronts>
constexpr auto bundle_inputs(const In& in, const Fronts&... fronts) {
  return detail::make_bundle(fronts..., detail::as_read(in));
}
template <class... Ins, class... Fronts>
constexpr auto bundle_inputs(const several_inputs<Ins...>& several, const Fronts&... fronts) {
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    return detail::make_bundle(fronts..., detail::as_read(detail::member<Index>(several.ins))...);
  }(std::index_sequence_for<Ins...>{});
}
constexpr bundle<> bundle_inputs(nothing) { return {}; }
constexpr bundle<> bundle_outputs(nothing) { return {}; }
template <class Out>
constexpr auto bundle_outputs(const Out& out) {
  return detail::make_bundle(detail::unwrap_contiguous(out));
}
template <class... Outs>
constexpr auto bundle_outputs(const split_output<Outs...>& several) {
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    return detail::make_bundle(detail::unwrap_contiguous(gpuprim::get<Index>(several.outs))...);
  }(std::index_sequence_for<Outs...>{});
}

template <class Count, std::size_t... In, class... Ins, std::size_t... Out, class... Outs>
outcome check_transform(const bundle_of<std::index_sequence<In...>, Ins...>& ins, const Count& count,
                        const bundle_of<std::index_sequence<Out...>, Outs...>& outs) {
  const std::int64_t n = detail::most_of(count);
  outcome bad;
  const auto note = [&](const outcome& o) {
    if (!bad.failed()) bad = o;
  };
  if (n < 0) return {cudaErrorInvalidValue, "the count is negative"};
  note(detail::check_count(count, n, detail::member<Out>(outs)...));
  (note(detail::check_input(detail::member<In>(ins), n)), ...);
  (note(detail::check_results(detail::member<Out>(outs), n)), ...);
  if (bad.failed()) return bad;
  [[maybe_unused]] const auto check_pair = [&]<std::size_t A, std::size_t B>(std::index_sequence<A, B>) {
    if (A < B && detail::overlap(detail::member<A>(outs), n, detail::member<B>(outs), n)) {
      note({cudaErrorInvalidValue, "two outputs overlap"});
    }
  };
  [[maybe_unused]] const auto check_output_apart = [&]<std::size_t A>(std::index_sequence<A>) {
    (check_pair(std::index_sequence<A, Out>{}), ...);
    if (!(detail::may_replace(detail::member<A>(outs), detail::member<In>(ins), n) && ...)) {
      note({cudaErrorInvalidValue, "an output overlaps an input, and is not the same array"});
    }
  };
  (check_output_apart(std::index_sequence<Out>{}), ...);
  return bad;
}

/// Whether the outputs take what a function returns.
template <class Made, class... Outs>
inline constexpr bool are_made_for = sizeof...(Outs) == 0;
template <class Made, class Out>
inline constexpr bool are_made_for<Made, Out> = detail::takes_results<Out, Made>;
template <class... Made, class... Outs>
  requires(sizeof...(Outs) > 1 && sizeof...(Made) == sizeof...(Outs))
inline constexpr bool are_made_for<tuple<Made...>, Outs...> = (detail::takes_results<Outs, Made> && ...);

/// What a pass requires of its function.
template <class Fn, class Ins, class Outs>
struct transform_types;
template <class Fn, class In, class... Ins, class Out, class... Outs>
struct transform_types<Fn, bundle_of<In, Ins...>, bundle_of<Out, Outs...>> {
  static_assert(is_function_object<Fn>);
  static constexpr bool is_known = !is_device_lambda<Fn>;
  static_assert(!is_known || std::is_invocable_v<const Fn&, const input_value<Ins>&...>,
                "gpuprim::transform: the function's const operator() must take an element of each input, by value or "
                "as a constant");
  static constexpr bool fits() {
    if constexpr (is_known && std::is_invocable_v<const Fn&, const input_value<Ins>&...>) {
      return are_made_for<std::remove_cvref_t<std::invoke_result_t<const Fn&, const input_value<Ins>&...>>, Outs...>;
    } else {
      return true;
    }
  }
  static_assert(fits(),
                "gpuprim::transform: the output must take what the function returns; several outputs take the "
                "members of a gpuprim::tuple");
};

/// Checks the arguments of a pass over bundles, and launches it.
template <transform_policy Policy, class Count, std::size_t... In, class... Ins, std::size_t... Out, class... Outs,
          class Fn>
outcome run_transform(const bundle_of<std::index_sequence<In...>, Ins...>& ins, const Count& n,
                      const bundle_of<std::index_sequence<Out...>, Outs...>& outs, const Fn& fn, const options& how) {
  if constexpr ((may_be_contiguous<Ins> || ... || (may_be_contiguous<Outs> || ...))) {
    const bool are_in_rows = (detail::is_contiguous(detail::member<In>(ins)) && ...);
    if (are_in_rows && (detail::is_contiguous(detail::member<Out>(outs)) && ...)) {
      return detail::run_transform<Policy>(
          detail::make_bundle(detail::as_read(detail::unwrap_pointer(detail::member<In>(ins)))...), n,
          detail::make_bundle(detail::unwrap_pointer(detail::member<Out>(outs))...), fn, how);
    }
  }
  [[maybe_unused]] const transform_types<Fn, bundle<Ins...>, bundle<Outs...>> checked{};
  const outcome bad = detail::check_transform(ins, n, outs);
  if (bad.failed() || detail::most_of(n) == 0) return bad;
  return detail::choose_transform<Policy>(ins, n, outs, fn, how);
}

/// Launches a pass over what a caller names: an input or `inputs(...)`, an output or `outputs(...)`, or `nothing`.
template <transform_policy Policy, class In, class Count, class Out, class Fn>
outcome transform_all(const In& in, const Count& n, const Out& out, const Fn& fn, const options& how) {
  return detail::run_transform<Policy>(detail::bundle_inputs(in), n, detail::bundle_outputs(out), fn, how);
}

/// Copies of arrays of one type are copies of bytes, and one kernel for all types.
template <transform_policy Policy, class In, class Count, class Out>
outcome copy_elements(const In& in, const Count& n, const Out& out, const options& how) {
  const auto ins = detail::make_bundle(in);
  const auto outs = detail::make_bundle(out);
  constexpr bool is_known = !std::is_same_v<Count, element_count>;
  if constexpr (is_known && std::is_pointer_v<In> && std::is_same_v<In, const std::remove_pointer_t<Out>*>) {
    if (const outcome bad = detail::check_transform(ins, n, outs); bad.failed() || n == 0) return bad;
    return detail::choose_transform<Policy>(
        detail::make_bundle(reinterpret_cast<const unsigned char*>(in)), n * std::int64_t(sizeof(*in)),
        detail::make_bundle(reinterpret_cast<unsigned char*>(out)), as_it_is{}, how);
  } else {
    return detail::run_transform<Policy>(ins, n, outs, as_it_is{}, how);
  }
}

}  // namespace gpuprim::detail
