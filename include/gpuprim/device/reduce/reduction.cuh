// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/projected_input.cuh>
#include <gpuprim/device/reduce/reduce_call.cuh>
#include <gpuprim/device/reduce/reduce_to_host.cuh>

namespace gpuprim::detail {

/// What a pass computes of an input, in the terms of the one reduce kernel: its elements become accumulators, an
/// operator joins them, and the total becomes the result.
template <class Acc, class Op, class Project, class Finish>
struct reduction {
  using accumulator = Acc;
  using result = std::remove_cvref_t<std::invoke_result_t<const Finish&, const Acc&>>;
  Op op;
  Project project;
  Acc init;
  Finish finish;
};

/// The total is the result.
struct as_it_is {
  template <class T>
  GPUPRIM_HOST_DEVICE const T& operator()(const T& total) const { return total; }
};

/// Finishes the total that is assigned through it.
template <class Out, class Finish>
struct finished_output {
  Out out;
  Finish finish;

  __device__ const finished_output& operator*() const { return *this; }
  template <class Acc>
    requires output_for<Out, std::invoke_result_t<const Finish&, const Acc&>>
  __device__ void operator=(const Acc& total) const { *out = finish(total); }
};
template <class Out, class Finish>
finished_output(Out, Finish) -> finished_output<Out, Finish>;

/// True for what says what to compute of an input: its `over(in, n)` returns the `reduction`.
template <class T>
inline constexpr bool is_query = requires { requires T::is_query; };

template <class Query, class In>
using reduction_over = decltype(std::declval<const Query&>().over(std::declval<const In&>(), std::int64_t{}));

template <class Query, class In>
constexpr std::int64_t query_workspace_bytes(std::int64_t n) {
  return by_mail::most_bytes<typename reduction_over<Query, In>::accumulator>(n < 0 ? 0 : n);
}

template <class Query>
concept has_initial_value = requires(const Query& query) { query.init; };

template <class Acc, class Query>
outcome check_query(const Query& query) {
  if constexpr (has_initial_value<Query>) return detail::fits<Acc>(query.init) ? outcome{} : unfit_initial_value;
  else return {};
}

template <class In, class Out, class Query>
outcome run_query(const In& in, std::int64_t n, const Out& out, const Query& query, const options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::reduce_into: the input must be a pointer or a random-access iterator");
  return detail::with_input<array_form::grouped>(in, [&](const auto& array) -> outcome {
    if (const outcome bad = detail::check_arguments(array, n, out); bad.failed()) return bad;
    using Acc = typename decltype(query.over(array, n))::accumulator;
    if (const outcome bad = detail::check_query<Acc>(query); bad.failed()) return bad;
    const auto all = query.over(array, n);
    const reduce_start<Acc> from{all.init, how};
    return run_tuned<by_mail, Acc>(projected_input(array, all.project), n,
                                   finished_output{detail::unwrap_contiguous(out), all.finish}, all.op, from);
  });
}

/// Runs a query and waits for its result.
template <class In, class Query>
auto find_query_value(const char* call, const In& in, std::int64_t n, const Query& query, const options& how) {
  using Result = typename reduction_over<Query, In>::result;
  const auto run = [&](auto out, const options& o) { return detail::run_query(in, n, out, query, o); };
  return reduce_to_host<Result>(in, n, how, query_workspace_bytes<Query, In>(n), run, call);
}

/// A query that can be called: `pass(in, n, out, options)` computes it of n elements, as `reduce_into` does.
template <class Query>
struct device_pass : Query {
  template <class In, class Out>
  [[nodiscard]] cudaError_t operator()(In in, std::int64_t n, Out out, const options& how = {}) const {
    return detail::run_query(in, n, out, static_cast<const Query&>(*this), how).code;
  }
  /// Bytes of workspace for n elements of type T.
  template <class T>
  static constexpr std::int64_t workspace_bytes(std::int64_t n) { return query_workspace_bytes<Query, const T*>(n); }
};

/// A query that can be called for its result: `pass(in, n, options)` returns it. Throws cuda_error.
template <class Query>
struct device_pass_value {
  const char* call;

  template <class In>
  [[nodiscard]] auto operator()(In in, std::int64_t n, const options& how = {}) const {
    return find_query_value(call, in, n, Query{}, how);
  }
};

/// The type that transformed elements are joined in: the one asked for, or what `reduce` takes for values of their
/// type.
template <class Asked, class Op, class Init, class Function, class... Elements>
constexpr auto choose_transformed_accumulator() {
  constexpr bool is_known = !is_device_lambda<Function> && std::is_invocable_v<const Function&, const Elements&...>;
  static_assert(is_known || is_device_lambda<Function>,
                "gpuprim::transform_reduce: the transformation's const operator() must take an element of each input "
                "and return a value");
  if constexpr (!std::is_void_v<Asked>) {
    return std::type_identity<Asked>{};
  } else {
    static_assert(!is_device_lambda<Function>,
                  "gpuprim::transform_reduce: name the accumulator type where the transformation is a __device__ "
                  "lambda: transform_reduce<float>(...)");
    if constexpr (is_known) {
      using value = std::remove_cvref_t<std::invoke_result_t<const Function&, const Elements&...>>;
      return std::type_identity<default_accumulator<Op, value, Init>>{};
    } else {
      return std::type_identity<int>{};
    }
  }
}

template <class Asked, class Op, class Init, class Project, class T>
struct projected_accumulator {
  using type = std::conditional_t<std::is_void_v<Asked>, default_accumulator<Op, T, Init>, Asked>;
};
template <class Asked, class Op, class Init, class Function, class InLoad, class T>
struct projected_accumulator<Asked, Op, Init, transformed<Function, InLoad>, T> {
  using type = typename decltype(choose_transformed_accumulator<Asked, Op, Init, Function, T>())::type;
};
template <class Asked, class Op, class Init, class Function, class InLoad, class A, class B>
struct projected_accumulator<Asked, Op, Init, transformed<Function, InLoad>, element_pair<A, B>> {
  using type = typename decltype(choose_transformed_accumulator<Asked, Op, Init, Function, A, B>())::type;
};

/// Stands for the operator's identity.
struct from_identity {};

/// An operator over the elements, as they are or transformed.
template <class Asked, class Op, class Project = converted, class Init = from_identity>
struct reduce_query {
  static constexpr bool is_query = true;
  Op op{};
  Project project{};
  Init init{};

  template <class In>
  auto over(const In&, std::int64_t) const {
    using Acc = typename projected_accumulator<Asked, Op, Init, Project, input_value<In>>::type;
    static_assert(is_operator_on<Op, Acc>,
                  "gpuprim::transform_reduce: the operator's const operator() must take two values of the accumulator "
                  "type and return one");
    return reduction<Acc, Op, Project, as_it_is>{op, project, first<Acc>(), {}};
  }

 private:
  template <class Acc>
  Acc first() const {
    if constexpr (std::is_same_v<Init, from_identity>) {
      static_assert(has_identity<Op, Acc>,
                    "gpuprim::reduce_into: the operator must have an identity for this type; specialize "
                    "identity_element");
      return static_cast<Acc>(identity_element<Op, Acc>::value());
    } else {
      static_assert(initial_value_for<Init, Acc>,
                    "gpuprim::transform_reduce: the initial value must convert to the accumulator type");
      return static_cast<Acc>(init);
    }
  }
};

}  // namespace gpuprim::detail
