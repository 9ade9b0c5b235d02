// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a pass computes of an input: a query, of which several may be one.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/input/projected_input.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

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

/// Finishes the total that is assigned through it.
template <class Out, class Finish>
struct finished_output {
  Out out;
  Finish finish;

  __device__ const finished_output& operator*() const { return *this; }
  template <class Acc>
    requires output_for<Out, std::invoke_result_t<const Finish&, const Acc&>>
  __device__ void operator=(const Acc& total) const {
    detail::assign(*out, finish(total));
  }
  bool is_writable() const { return detail::is_writable(out); }
  bool is_aligned() const { return detail::is_aligned(out); }
};
template <class Out, class Finish>
finished_output(Out, Finish) -> finished_output<Out, Finish>;

template <class Query, class In>
using reduction_over = decltype(std::declval<const Query&>().over(std::declval<const In&>(), std::int64_t{}));

/// The type that transformed elements are joined in: the one asked for, or what `reduce` takes for values of their
/// type.
template <class Asked, class Op, class Init, class Function, class... Elements>
constexpr auto choose_transformed_accumulator() {
  static_assert(is_function_object<Function>);
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

/// An operator over the elements, as they are or transformed.
template <class Asked, class Op, class Project = converted, class Init = nothing>
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
    const auto join = detail::joining<Acc>(op);
    return reduction<Acc, std::remove_const_t<decltype(join)>, Project, as_it_is>{join, project, first<Acc>(), {}};
  }

 private:
  template <class Acc>
  Acc first() const {
    if constexpr (std::is_same_v<Init, nothing>) {
      static_assert(has_identity<Op, Acc>,
                    "gpuprim::reduce_into: the operator must have an identity for this type; specialize "
                    "identity_element");
      return static_cast<Acc>(identity_element<Op, Acc>::value());
    } else {
      static_assert(initial_value_for<Init, Acc>,
                    "gpuprim::transform_reduce: the initial value must convert to the accumulator type");
      return static_cast<Acc>(detail::convertible<Acc>(init));
    }
  }
};

/// An operator stands for the reduction by it.
template <class QueryOrOp>
constexpr auto as_query(const QueryOrOp& what) {
  if constexpr (is_query<QueryOrOp>) return what;
  else return reduce_query<void, QueryOrOp>{what};
}

/// Finishes each member of a total.
template <class Totals, class Results, class... Finishes>
struct fused_finish {
  tuple<Finishes...> finishes;

  __device__ Results operator()(const Totals& totals) const {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return Results{get<Index>(finishes)(get<Index>(totals))...};
    }(std::index_sequence_for<Finishes...>{});
  }
};

template <class... Accs, class... Ops, class... Projects, class... Finishes>
auto fuse(const reduction<Accs, Ops, Projects, Finishes>&... parts) {
  using Totals = tuple<Accs...>;
  using Results = tuple<typename reduction<Accs, Ops, Projects, Finishes>::result...>;
  using Finish = fused_finish<Totals, Results, Finishes...>;
  return reduction<Totals, each<Ops...>, fused_projection<Projects...>, Finish>{
      {{parts.op...}}, {{parts.project...}}, {parts.init...}, {{parts.finish...}}};
}

template <class... Queries>
struct fused_query {
  static constexpr bool is_query = true;
  tuple<Queries...> queries;

  template <class In>
  auto over(const In& in, std::int64_t n) const {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return detail::fuse(get<Index>(queries).over(in, n)...);
    }(std::index_sequence_for<Queries...>{});
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
