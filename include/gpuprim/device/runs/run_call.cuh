// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/device/input/raw_input.cuh>
#include <gpuprim/device/runs/run_few_kernel.cuh>
#include <gpuprim/device/runs/run_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace_lease.cuh>

namespace gpuprim::detail {

/// Two keys belong to one run.
struct same_key {
  template <class Key>
    requires requires(const Key& a) { a == a; }
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const Key& a, const Key& b) const { return a == b; }
};

template <class Equal, class Key>
inline constexpr bool is_equality_on = is_device_lambda<Equal> ||
                                       std::is_invocable_r_v<bool, const Equal&, const Key&, const Key&>;

/// Everything of a call that depends on types and policy: kernel, workspace, launch. `OnlyBelowKib` as for run_kernel.
template <run_policy Policy, class Key, class Mail, int ContentBytes, int OnlyBelowKib = 0>
struct run_launch {
  static constexpr int key_bytes = int(sizeof(Key)), widest = larger(key_bytes, ContentBytes);
  static constexpr int items = larger(Policy.lane_bytes / larger(widest, 4), 1);
  static constexpr int most_bytes = Policy.most_kib * 1024;
  static constexpr int bytes(int size) {
    return size * items * (Policy.stages * (key_bytes + ContentBytes) + int(sizeof(std::uint16_t)));
  }
  static constexpr int find_block_size() {
    int size = Policy.block_size;
    while (size > warp_size && bytes(size) > most_bytes) size = size / 2 / warp_size * warp_size;
    return size;
  }
  static constexpr int block_size = find_block_size();
  static constexpr int blocks_per_multiprocessor =
      block_size < Policy.block_size || widest > 8 ? 1 : Policy.blocks_per_multiprocessor;
  using shape = run_shape<block_size, items, Policy.stages>;
  static constexpr bool is_few = shape::stages == 1;
  using meeting = std::conditional_t<is_few, tile_mail<Mail>, tile_chain<Mail>>;
  static constexpr bool fits_everywhere = bytes(block_size) <= run_policy{}.most_kib * 1024;
  static_assert(bytes(block_size) <= most_bytes, "gpuprim::reduce_by_key: keys, values and accumulators are too long");

  /// For counts that it takes.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    const std::int64_t tiles = count_run_tiles<shape>(n < 0 ? 0 : n);
    return meeting::bytes(tiles < meeting::most_tiles ? tiles : meeting::most_tiles);
  }

  template <class Pass>
  static constexpr auto find_kernel() {
    if constexpr (is_few) return &run_few_kernel<Pass, blocks_per_multiprocessor, Mail>;
    else return &run_kernel<Pass, blocks_per_multiprocessor, Mail, OnlyBelowKib>;
  }

  /// With one tile a block, of no more tiles than the GPU can work on at once: one a multiprocessor, if that is enough,
  /// for blocks that start early for the next kernel would else crowd some.
  template <class Pass>
  static found_shape find_shape(std::int64_t tiles) {
    constexpr auto kernel = find_kernel<Pass>();
    constexpr int bytes = int(sizeof(typename Pass::shared_type));
    if constexpr (is_few) {
      const found_shape alone = detail::find_shape<kernel, 1, bytes>(tiles, block_size);
      if (blocks_per_multiprocessor == 1 || alone.error != cudaSuccess || alone.grid.grid_size == tiles) return alone;
      return detail::find_shape<kernel, blocks_per_multiprocessor, bytes>(tiles, block_size);
    } else {
      return detail::find_shape<kernel, 0, bytes>(tiles, block_size);
    }
  }

  /// `MayRefuse`: does_not_fit is returned where there are more tiles than blocks at work at once.
  template <bool MayRefuse, class Keys, class Contents, class UniqueOut, class RunsOut, class Equal>
  static outcome run(const Keys& keys, std::int64_t n, const Contents& contents, const UniqueOut& unique_out,
                     const RunsOut& runs_out, const Equal& equal, const options& how) {
    using pass = run_pass<shape, Keys, Contents, UniqueOut, RunsOut, Equal>;
    static_assert(fits_everywhere || int(sizeof(typename pass::shared_type)) <= most_bytes,
                  "gpuprim::reduce_by_key: more KiB are needed than the shape says");
    constexpr auto kernel = find_kernel<pass>();
    const std::int64_t tiles = count_run_tiles<shape>(n);
    if (tiles > meeting::most_tiles) {
      if (MayRefuse && is_few) return {does_not_fit};
      return {cudaErrorInvalidValue, "the count is too large"};
    }
    found_shape found = find_shape<pass>(tiles);
    if (found.error != cudaSuccess) return {found.error};
    int& blocks = found.grid.grid_size;
    if constexpr (is_few) {
      if (MayRefuse && blocks < tiles) return {does_not_fit};
      blocks = int(tiles);
    } else if (blocks > Policy.most_blocks) {
      blocks = Policy.most_blocks;
    }
    const auto launch_with = [&](const meeting& where) {
      return launch(found.when, kernel, found.grid, how.stream, pass{keys, contents, n, unique_out, runs_out, equal},
                    where);
    };
    if (is_few && tiles == 1) return {launch_with(meeting{})};
    workspace_lease lease(meeting::bytes(tiles), how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(meeting::lay_over(lease.data(), tiles)));
  }
};

/// The same with the policy that is for the count and GPU. What is enough for a count is enough for smaller ones too.
template <run_policies Policies, class Key, class Mail, int ContentBytes>
struct run_launches {
  static constexpr int steps = Policies.count();

  static constexpr bool is_for_few(int step) { return Policies.steps[step].shape.stages == 1; }
  static constexpr int only_below_kib(int step) {
    const bool is_fallback = step > 0 && !is_for_few(step - 1);
    return is_fallback ? Policies.steps[step - 1].shape.most_kib : 0;
  }
  template <int Step>
  using launch_of = run_launch<Policies.steps[Step].shape, Key, Mail, ContentBytes, only_below_kib(Step)>;

  template <int Step = 0>
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    const std::int64_t bytes = launch_of<Step>::workspace_bytes(n);
    if constexpr (Step + 1 == steps) {
      return bytes;
    } else {
      const std::int64_t others = workspace_bytes<Step + 1>(n);
      return bytes < others ? others : bytes;
    }
  }
  template <int Step = 0, class Keys, class... Rest>
  static outcome run(const Keys& keys, std::int64_t n, const Rest&... rest) {
    constexpr bool is_last = Step + 1 == steps;
    using launch = launch_of<Step>;
    if constexpr (!is_last) {
      if (count_run_tiles<typename launch::shape>(n) > Policies.steps[Step].most_tiles) {
        return run<Step + 1>(keys, n, rest...);
      }
    }
    const outcome done = launch::template run<!is_last>(keys, n, rest...);
    if constexpr (!is_last && (launch::is_few || !launch::fits_everywhere)) {
      if (done.code == does_not_fit) return run<Step + 1>(keys, n, rest...);
    }
    return done;
  }
};

/// What both calls refuse.
template <class Keys, class UniqueOut, class ContentOut, class RunsOut>
outcome check_run_arguments(const Keys& keys, std::int64_t n, const UniqueOut& unique_out,
                            const ContentOut& content_out, const RunsOut& runs_out) {
  const outcome bad = detail::check_arguments(keys, n, runs_out);
  if (bad.code != cudaSuccess) return bad;
  if (n > 0 && !(detail::is_writable(unique_out) && detail::is_writable(content_out))) {
    return {cudaErrorInvalidValue, "an output is a null pointer but the count is not 0"};
  }
  if (detail::begins_within(unique_out, keys, n) || detail::begins_within(content_out, keys, n) ||
      detail::begins_within(runs_out, keys, n)) {
    return {cudaErrorInvalidValue, "an output overlaps the keys"};
  }
  return {};
}

constexpr run_policies find_run_policies(int key_bytes, int content_bytes) {
  const int widest = larger(key_bytes, content_bytes);
  if (widest > 8) return widest_reduce_by_key_policy;
  if (widest <= 4) return reduce_by_key_policy;
  return key_bytes + content_bytes <= 12 ? wide_reduce_by_key_policy : twice_wide_reduce_by_key_policy;
}
template <class Acc, class Value, class Key>
inline constexpr run_policies tuned_run_policies =
    find_run_policies(int(sizeof(Key)), larger(int(sizeof(Value)), int(sizeof(Acc))));

template <class Acc, class Value, class Key, run_policies Policies = tuned_run_policies<Acc, Value, Key>>
struct values_launch : run_launches<Policies, Key, Acc, larger(int(sizeof(Value)), int(sizeof(Acc)))> {};

template <class Key>
inline constexpr run_policies tuned_length_policies = sizeof(Key) > 4 ? wide_run_length_policy : run_length_policy;

/// Where the lengths go to makes no difference here.
template <class Key, run_policies Policies = tuned_length_policies<Key>>
struct lengths_launch : run_launches<Policies, Key, run_lengths<int*>::mail, run_lengths<int*>::item_bytes> {};

template <class Acc, run_policies... Policy, class Keys, class Values, class UniqueOut,
          class AggregatesOut, class RunsOut, class Op, class Equal>
outcome reduce_runs(const Keys& keys, const Values& values, std::int64_t n, const UniqueOut& unique_out,
                    const AggregatesOut& aggregates_out, const RunsOut& runs_out, const Op& op, const Equal& equal,
                    const options& how) {
  return detail::with_raw_input(keys, [&](auto raw_keys) {
    return detail::with_raw_input(values, [&](auto raw_values) -> outcome {
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
      static_assert(outputs_for<decltype(unique), Key>, "gpuprim::reduce_by_key: the first output must take keys");
      static_assert(outputs_for<decltype(aggregates), Acc>,
                    "gpuprim::reduce_by_key: the second output must take values of the accumulator type");
      static_assert(output_for<decltype(runs), std::int64_t>,
                    "gpuprim::reduce_by_key: the third output must take a count");
      const outcome bad = detail::check_run_arguments(raw_keys, n, unique, aggregates, runs);
      if (bad.code != cudaSuccess) return bad;
      if (outcome bad = detail::check_input(raw_values, n); bad.code != cudaSuccess) return bad;
      if (detail::begins_within(unique, raw_values, n) || detail::begins_within(aggregates, raw_values, n)) {
        return {cudaErrorInvalidValue, "an output overlaps the values"};
      }
      using contents = run_values<Acc, decltype(raw_values), std::remove_const_t<decltype(aggregates)>, Op>;
      return values_launch<Acc, Value, Key, Policy...>::run(raw_keys, n, contents{raw_values, aggregates, op}, unique,
                                                            runs, equal, how);
    });
  });
}

template <run_policies... Policy, class In, class UniqueOut, class LengthsOut, class RunsOut, class Equal>
outcome encode_runs(const In& in, std::int64_t n, const UniqueOut& unique_out, const LengthsOut& lengths_out,
                    const RunsOut& runs_out, const Equal& equal, const options& how) {
  return detail::with_raw_input(in, [&](auto raw) -> outcome {
    using Key = input_value<decltype(raw)>;
    static_assert(element<Key>,
                  "gpuprim::run_length_encode: the element type must be trivially copyable and assignable");
    static_assert(is_equality_on<Equal, Key>,
                  "gpuprim::run_length_encode: the equality's const operator() must take two elements and return a "
                  "bool");
    const auto unique = detail::unwrap_contiguous(unique_out);
    const auto lengths = detail::unwrap_contiguous(lengths_out);
    const auto runs = detail::unwrap_contiguous(runs_out);
    static_assert(outputs_for<decltype(unique), Key>,
                  "gpuprim::run_length_encode: the first output must take elements");
    static_assert(outputs_for<decltype(lengths), std::int64_t>,
                  "gpuprim::run_length_encode: the second output must take lengths");
    static_assert(output_for<decltype(runs), std::int64_t>,
                  "gpuprim::run_length_encode: the third output must take a count");
    if (outcome bad = detail::check_run_arguments(raw, n, unique, lengths, runs); bad.code != cudaSuccess) return bad;
    using contents = run_lengths<std::remove_const_t<decltype(lengths)>>;
    return lengths_launch<Key, Policy...>::run(raw, n, contents{lengths, {}}, unique, runs, equal, how);
  });
}

/// The type that the values of a run are joined in; see default_accumulator.
template <class Asked, class Op, class Keys, class Values>
struct run_accumulator {
  static_assert(random_access_input<Keys>,
                "gpuprim::reduce_by_key: the keys must be a pointer or a random-access iterator");
  static_assert(random_access_input<Values>,
                "gpuprim::reduce_by_key: the values must be a pointer or a random-access iterator");
  using type = std::conditional_t<std::is_void_v<Asked>, default_accumulator<Op, input_value<Values>>, Asked>;
};

}  // namespace gpuprim::detail
