// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/zipped_input.cuh>
#include <gpuprim/device/reduce/query.cuh>
#include <gpuprim/device/reduce/reduce_call.cuh>
#include <gpuprim/device/reduce/reduce_to_host.cuh>

namespace gpuprim::inline v0_2_0::detail {

template <class Query, class In>
constexpr std::int64_t query_workspace_bytes(std::int64_t n) {
  return most_reduce_bytes<typename reduction_over<Query, In>::accumulator>(n < 0 ? 0 : n);
}

template <class Query>
concept has_initial_value = requires(const Query& query) { query.init; };

template <class Acc, class Query>
outcome check_query(const Query& query) {
  if constexpr (has_initial_value<Query>) return detail::fits<Acc>(query.init) ? outcome{} : unfit_initial_value;
  else return {};
}

/// Whether a result depends on the number of elements, which the host has to know then.
template <class Query>
inline constexpr bool needs_number = requires { Query::needs_number; };

template <class In, class Count, class Out, class Query>
outcome run_query(const In& in, const Count& count, const Out& out, const Query& query, const options& how) {
  const std::int64_t n = detail::most_of(count);
  static_assert(random_access_input<In>,
                "gpuprim::reduce_into: the input must be a pointer or a random-access iterator");
  return detail::with_input<array_form::grouped>(in, [&](const auto& array) -> outcome {
    if (const outcome bad = detail::check_arguments(array, n, out); bad.failed()) return bad;
    // Of a decltype alone nvcc 12.4 makes another type here.
    using reduction_type = typename std::type_identity<decltype(query.over(array, n))>::type;
    using Acc = typename reduction_type::accumulator;
    static_assert(has_initial_value<Query> || output_for<Out, typename reduction_type::result>,
                  "gpuprim: the output must take what the query writes: min_element and max_element an extremum<T>, "
                  "minmax_element and fused a tuple, all_moments a moments, other statistics and norms a double");
    if (const outcome bad = detail::check_query<Acc>(query); bad.failed()) return bad;
    const auto all = query.over(array, n);
    const reduce_start<Acc> from{all.init, how};
    return detail::run_tuned<Acc>(projected_input(array, all.project), count,
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

/// Runs a query over two inputs.
template <class First, class Second, class Out, class Query>
outcome run_query_over_two(const First& first, const Second& second, std::int64_t n, const Out& out, const Query& query,
                           const options& how) {
  if (const outcome bad = check_inputs(first, second, n); bad.failed()) return bad;
  const auto run = [&](const auto& both) { return detail::run_query(both, n, out, query, how); };
  return detail::with_zipped_input(first, second, run);
}

/// Runs a query over two inputs and waits for its result.
template <class First, class Second, class Query>
auto find_query_value_over_two(const char* call, const First& first, const Second& second, std::int64_t n,
                               const Query& query, const options& how) {
  throw_if_failed(call, check_inputs(first, second, n));
  return detail::with_zipped_input(first, second,
                                   [&](const auto& both) { return find_query_value(call, both, n, query, how); });
}

/// A query that can be called: `pass(in, n, out, options)` computes it of n elements, as `reduce_into` does.
template <class Query>
struct device_pass : Query {
  template <class In, number_of_elements Count = element_count, class Out>
  [[nodiscard]] cudaError_t operator()(In in, Count n, Out out, const options& how = {}) const {
    static_assert(!needs_number<Query> || !std::is_same_v<Count, element_count>,
                  "gpuprim: a statistic does not take a count in device memory");
    return detail::run_query(in, detail::as_count(n), out, static_cast<const Query&>(*this), how).report();
  }
  template <class In, class Out, class Stream>
    requires std::is_same_v<Stream, cudaStream_t>
  [[nodiscard]] cudaError_t operator()(In, std::int64_t, Out, Stream) const {
    [[maybe_unused]] const refuse_stream<Stream> checked{};
    return cudaErrorInvalidValue;
  }
  /// Bytes of workspace for n elements of type T.
  template <class T>
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    return query_workspace_bytes<Query, const T*>(n);
  }
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

}  // namespace gpuprim::detail
