// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/scan/scan_launch.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// An output that takes the total of a scan too: `with_total(out, total)` in place of `out`.
template <class Out, class Total>
struct output_with_total {
  Out out;      ///< where the results go
  Total total;  ///< where the total goes
};
/// Makes the output of a scan that writes its total too: `*total` takes it.
template <class Out, class Total>
output_with_total<Out, Total> with_total(Out out, Total total) {
  return {out, total};
}

namespace detail {

/// A scan of parts has no total of all.
template <class Out>
struct refuse_total {};
template <class Out, class Total>
struct refuse_total<output_with_total<Out, Total>> {
  static_assert(std::is_void_v<Out>,
                "gpuprim: a scan by key or of segments has no total; reduce_by_key and "
                "segmented_reduce write those of its parts");
};

template <class Out>
struct scan_outputs {
  Out out;
  nothing total;
  explicit scan_outputs(const Out& o) : out(o), total{} {}
};
template <class Out, class Total>
struct scan_outputs<output_with_total<Out, Total>> {
  Out out;
  Total total;
  explicit scan_outputs(const output_with_total<Out, Total>& o) : out(o.out), total(o.total) {}
};

/// Bytes that an element takes in shared memory: those of a place of many, so that what they begin with hardly counts.
template <class Source, class Result, class Out>
inline constexpr scan_bytes scan_element_bytes = [] {
  using shape = tile_shape<1024, 64, 1, 1, 0>;
  using place = typename Source::template place<shape, typename output_value<Out, Result>::type>;
  return scan_bytes{int(sizeof(place)) / shape::tile_items, place::widest};
}();

/// The type that what a transform makes of elements is joined in; see default_accumulator. Init is void where a scan
/// starts from nothing.
template <class Asked, class Op, class In, class Transform, class Init = void>
struct scan_accumulator {
  static_assert(random_access_input<In>, "gpuprim::scan: the input must be a pointer or a random-access iterator");
  static_assert(!is_query<Op>, "gpuprim::scan: a query, such as mean or min_element, is not an operator");
  static_assert(!std::is_void_v<Asked> || !is_device_lambda<Transform>,
                "gpuprim::transform_scan: name the type that values are joined in; what a __device__ lambda returns is "
                "not known on the host");
  static constexpr auto choose() {
    if constexpr (!std::is_void_v<Asked>) {
      return std::type_identity<Asked>{};
    } else {
      using made = std::remove_cvref_t<std::invoke_result_t<const Transform&, const input_value<In>&>>;
      return std::type_identity<default_accumulator<Op, made, Init>>{};
    }
  }
  using type = typename decltype(choose())::type;
  static_assert(element<type>, "gpuprim::scan: the accumulator type must be trivially copyable and assignable");
};

/// Checks where a scan of n results writes its total.
template <class Acc, class Total, class Out>
outcome check_total(const Total& total, const Out& out, std::int64_t n) {
  static_assert(detail::takes_result<Total, Acc>, "gpuprim::scan: the total must take a value of the accumulator type");
  if (const outcome bad = detail::check_output(total); bad.failed()) return bad;
  if (detail::overlap(total, 1, out, n)) return {cudaErrorInvalidValue, "the total lies in the output"};
  return {};
}

/// Checks the outputs of a scan, and uses the launch for it. `start`: a maybe<Acc>, or a value_at of the monoid's.
template <scan_kind Kind, class Acc, scan_policies Policies, class Source, class Out, class Total, class Op,
          class Steps, class Start>
outcome run_scan_of(const Source& source, const element_count& count, const Out& out, const Total& total, const Op& op,
                    const Steps& steps, const Start& start, const options& how) {
  static_assert(element<typename Source::element>,
                "gpuprim::scan: the element type must be trivially copyable and assignable");
  using Result = typename Steps::result;
  const std::int64_t n = count.most();
  if (const outcome bad = count.validate(); bad.failed()) return bad;
  static_assert(detail::takes_results<Out, Result>,
                "gpuprim::scan: the output must take values of the accumulator type");
  if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
  if constexpr (!std::is_same_v<Total, nothing>) {
    if (const outcome bad = detail::check_total<Acc>(total, out, n); bad.failed()) return bad;
    if (count.overlaps(total, 1)) return {cudaErrorInvalidValue, "the total lies where the count is"};
  } else if (n == 0) {
    return {};
  }
  if (count.overlaps(out, n)) return {cudaErrorInvalidValue, "the count lies in the output"};
  scan_start<typename monoid<Acc, Op>::value_type> from{monoid<Acc, Op>::empty()};
  if constexpr (!std::is_same_v<Start, maybe<Acc>>) from.at = start.at;
  else if (start.present) from.value = start.value;
  const scan_pass<Kind, Source, Out, Total, Acc, Op, Steps> pass{source, count, 0, 0, 0, out, total, op, steps, from};
  return scan_launches<Policies, Acc, scan_element_bytes<Source, Result, Out>>::choose(pass).use(how);
}

/// Checks the arguments of a scan of one input, and uses the launch for them.
template <scan_kind Kind, class Acc, scan_policies Policies, class In, class Out, class Op, class Steps, class Start>
outcome run_scan(const In& in, const element_count& count, const Out& outputs, const Op& op, const Steps& steps,
                 const Start& start, const options& how) {
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::scan: the operator's const operator() must take two values of the accumulator type and "
                "return one");
  const scan_outputs<Out> to(outputs);
  const auto out = detail::unwrap_contiguous(to.out);
  const auto total = detail::unwrap_contiguous(to.total);
  const auto given = detail::unwrap_contiguous(in);
  const std::int64_t n = count.most();
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    if (const outcome bad = detail::check_input(raw, n); bad.failed()) return bad;
    if (!detail::may_replace(out, given, n)) {
      return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same array"};
    }
    if (detail::overlap(total, 1, given, n)) return {cudaErrorInvalidValue, "the total lies in the input"};
    return detail::run_scan_of<Kind, Acc, Policies>(array_source(raw), count, out, total, detail::joining<Acc>(op),
                                                    steps, start, how);
  });
}

/// A scan that starts from an initial value; or, with `nothing` in its place, from the identity if it is exclusive, and
/// else from nothing.
template <scan_kind Kind, class Acc, scan_policies Policies, class In, class Out, class Op, class Transform, class Init>
outcome run_scan_from(const In& in, const element_count& n, const Out& out, const Op& op, const Transform& transform,
                      const Init& init, const options& how) {
  using Given = typename initial_type<Init>::type;
  using A = typename scan_accumulator<Acc, Op, In, Transform, Given>::type;
  const scan_steps<A, Transform> steps{transform};
  const auto run = [&](const auto& start) {
    return detail::run_scan<Kind, A, Policies>(in, n, out, op, steps, start, how);
  };
  if constexpr (std::is_void_v<Given>) {
    if constexpr (Kind == scan_kind::exclusive) return run(maybe<A>(reduce_identity<Op, A>()));
    else return run(maybe<A>());
  } else if constexpr (std::is_same_v<Given, Init>) {
    const outcome bad = detail::check_initial_value<A>(init);
    return bad.failed() ? bad : run(maybe<A>(static_cast<A>(detail::convertible<A>(init))));
  } else {
    [[maybe_unused]] const value_at_types<A, Op, Init> checked{};
    const outcome bad = detail::check_start(init, scan_outputs<Out>(out).out, n.most());
    return bad.failed() ? bad : run(init);
  }
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
