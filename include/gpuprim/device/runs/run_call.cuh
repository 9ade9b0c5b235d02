// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/common/count_to_host.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/runs/run_launch.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Checks the arguments that both calls have.
template <class Keys, class Count, class UniqueOut, class ContentOut, class RunsOut>
outcome check_run_arguments(const Keys& keys, const Count& count, const UniqueOut& unique_out,
                            const ContentOut& content_out, const RunsOut& runs_out) {
  const std::int64_t n = detail::most_of(count);
  if (const outcome bad = detail::check_count(count, 1, unique_out, content_out, runs_out); bad.failed()) return bad;
  if (const outcome bad = detail::check_arguments(keys, n, runs_out); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(unique_out, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(content_out, n); bad.failed()) return bad;
  if (detail::begins_within(unique_out, keys, n) || detail::begins_within(content_out, keys, n) ||
      detail::overlap(runs_out, 1, keys, n)) {
    return {cudaErrorInvalidValue, "an output overlaps the keys"};
  }
  return {};
}

/// Contents for what depends on element types alone, not on iterators and operators: shapes and workspaces.
template <class Acc, class Value>
using any_run_values = run_values<Acc, const Value*, Acc*, plus<Acc>>;
using any_run_lengths = run_lengths<std::int64_t*>;

template <class Acc, class Value, class Key>
inline constexpr run_policies tuned_value_policies =
    find_reduce_by_key_policies(int(sizeof(Key)), any_run_values<Acc, Value>::item_bytes);
template <class Key>
inline constexpr run_policies tuned_length_policies = find_run_length_policies(int(sizeof(Key)));

template <class Acc, class Value, class Key, run_policies Policies = tuned_value_policies<Acc, Value, Key>>
struct values_launches : run_launches<Policies, Key, any_run_values<Acc, Value>> {};
template <class Key, run_policies Policies = tuned_length_policies<Key>>
struct lengths_launches : run_launches<Policies, Key, any_run_lengths> {};

/// Checks the arguments of a pass that joins values, and uses the launch for them.
template <class Acc, run_policies... Policy, class Keys, class Values, class Count, class UniqueOut,
          class AggregatesOut, class RunsOut, class Op, class Equal>
outcome reduce_runs(const Keys& keys, const Values& values, const Count& count, const UniqueOut& unique_out,
                    const AggregatesOut& aggregates_out, const RunsOut& runs_out, const Op& op, const Equal& equal,
                    const options& how) {
  const std::int64_t n = detail::most_of(count);
  return detail::with_input<array_form::pointer>(keys, [&](auto raw_keys) {
    return detail::with_input<array_form::pointer>(values, [&](auto raw_values) -> outcome {
      [[maybe_unused]] const refuse_stream<Equal> checked{};
      using Key = input_value<decltype(raw_keys)>;
      using Value = input_value<decltype(raw_values)>;
      static_assert(element<Key>, "gpuprim::reduce_by_key: the key type must be trivially copyable and assignable");
      static_assert(element<Value>, "gpuprim::reduce_by_key: the value type must be trivially copyable and assignable");
      static_assert(element<Acc>,
                    "gpuprim::reduce_by_key: the accumulator type must be trivially copyable and assignable");
      static_assert(is_operator_on<Op, Acc>,
                    "gpuprim::reduce_by_key: the operator's const operator() must take two values of the accumulator "
                    "type and return one");
      static_assert(is_equality_on<Equal, Key>,
                    "gpuprim::reduce_by_key: the equality's const operator() must take two keys and return a bool");
      const auto unique = detail::unwrap_contiguous(unique_out);
      const auto aggregates = detail::unwrap_contiguous(aggregates_out);
      const auto runs = detail::unwrap_contiguous(runs_out);
      static_assert(detail::takes_results<decltype(unique), Key>,
                    "gpuprim::reduce_by_key: the first output must take keys");
      static_assert(detail::takes_results<decltype(aggregates), Acc>,
                    "gpuprim::reduce_by_key: the second output must take values of the accumulator type");
      static_assert(detail::takes_result<decltype(runs), std::int64_t>,
                    "gpuprim::reduce_by_key: the third output must take a count");
      const outcome bad = detail::check_run_arguments(raw_keys, count, unique, aggregates, runs);
      if (bad.code != cudaSuccess) return bad;
      if (outcome bad = detail::check_input(raw_values, n); bad.code != cudaSuccess) return bad;
      if (detail::begins_within(unique, raw_values, n) || detail::begins_within(aggregates, raw_values, n) ||
          detail::overlap(runs, 1, raw_values, n)) {
        return {cudaErrorInvalidValue, "an output overlaps the values"};
      }
      const auto join = detail::joining<Acc>(op);
      using contents = run_values<Acc, decltype(raw_values), std::remove_const_t<decltype(aggregates)>,
                                  std::remove_const_t<decltype(join)>>;
      const run_pass pass{raw_keys, contents{raw_values, aggregates, join}, n, unique,
                          runs,     detail::comparing_in_call(equal)};
      return values_launches<Acc, Value, Key, Policy...>::choose(detail::with_count(pass, count)).use(how);
    });
  });
}

/// Checks the arguments of a pass that finds lengths, and uses the launch for them.
template <run_policies... Policy, class In, class Count, class UniqueOut, class LengthsOut, class RunsOut, class Equal>
outcome encode_runs(const In& in, const Count& count, const UniqueOut& unique_out, const LengthsOut& lengths_out,
                    const RunsOut& runs_out, const Equal& equal, const options& how) {
  const std::int64_t n = detail::most_of(count);
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    [[maybe_unused]] const refuse_stream<Equal> checked{};
    using Key = input_value<decltype(raw)>;
    static_assert(element<Key>,
                  "gpuprim::run_length_encode: the element type must be trivially copyable and assignable");
    static_assert(is_equality_on<Equal, Key>,
                  "gpuprim::run_length_encode: the equality's const operator() must take two elements and return a "
                  "bool");
    const auto unique = detail::unwrap_contiguous(unique_out);
    const auto lengths = detail::unwrap_contiguous(lengths_out);
    const auto runs = detail::unwrap_contiguous(runs_out);
    static_assert(detail::takes_results<decltype(unique), Key>,
                  "gpuprim::run_length_encode: the first output must take elements");
    static_assert(detail::takes_results<decltype(lengths), std::int64_t>,
                  "gpuprim::run_length_encode: the second output must take lengths");
    static_assert(detail::takes_result<decltype(runs), std::int64_t>,
                  "gpuprim::run_length_encode: the third output must take a count");
    if (outcome bad = detail::check_run_arguments(raw, count, unique, lengths, runs); bad.failed()) return bad;
    using contents = run_lengths<std::remove_const_t<decltype(lengths)>>;
    const run_pass pass{raw, contents{lengths, {}}, n, unique, runs, detail::comparing_in_call(equal)};
    return lengths_launches<Key, Policy...>::choose(detail::with_count(pass, count)).use(how);
  });
}

/// The type that the values of a run are joined in; see default_accumulator.
template <class Asked, class Op, class Keys, class Values>
struct run_accumulator {
  static_assert(random_access_input<Keys>,
                "gpuprim::reduce_by_key: the keys must be a pointer or a random-access iterator");
  static_assert(random_access_input<Values>,
                "gpuprim::reduce_by_key: the values must be a pointer or a random-access iterator");
  static_assert(!is_query<Op>, "gpuprim::reduce_by_key: a query, such as mean or min_element, is not an operator");
  using type = std::conditional_t<std::is_void_v<Asked>, default_accumulator<Op, input_value<Values>>, Asked>;
};

}  // namespace gpuprim::detail
