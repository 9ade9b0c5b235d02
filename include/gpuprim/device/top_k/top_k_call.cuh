// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/top_k/top_k_cluster_launch.cuh>
#include <gpuprim/device/top_k/top_k_kernel.cuh>
#include <gpuprim/device/top_k/top_k_parts.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// The launch of a top-k: how many blocks work on a row, and what memory they share.
template <top_k_policy Policy>
struct top_k_launch {
  using sampling = top_k_sampling<Policy>;
  static constexpr int block_size = Policy.block_size, thread_bytes = Policy.loads * load_bytes;
  static constexpr bool lists_results = true;  ///< where a block cannot sort those of a row
  /// Rows up to which several blocks work on each. Their digits are counted in memory.
  static constexpr std::int64_t most_shared_rows = 256;
  /// Rows that are worked on at once, each of which has scratch memory.
  static constexpr std::int64_t most_teams = 512;

  static constexpr std::int64_t lower(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  /// How rows of so many keys are sampled, and room for the candidates of one.
  template <class Word>
  static constexpr top_k_sample find_sample(std::int64_t most, std::int64_t k) {
    return sampling::find(most, k, most_alone<Policy, Word>);
  }
  static constexpr std::int64_t candidates(std::int64_t most, const top_k_sample& sample) {
    return sample.rank > 0 ? sampling::count_candidates(most, sample) : 0;
  }
  template <class Word, top_k_places Places>
  static constexpr std::int64_t scratch_bytes(std::int64_t teams, int parts, std::int64_t candidates,
                                              std::int64_t results) {
    if (parts == 1 && candidates == 0 && results == 0) return 0;
    return teams * top_k_scratch<Word, Places>::bytes(candidates, results);
  }

  /// Results of a row that a block sorts.
  template <top_k_form Form>
  static constexpr std::int64_t count_sorted(std::int64_t most, std::int64_t k) {
    return Form == top_k_form::sorted && lower(k, most) <= most_block_sorted ? lower(k, most) : 0;
  }

  /// What is enough for every GPU. `Word`: that of the keys.
  template <class Word, top_k_form Form = top_k_form::unsorted, class Rows>
  static constexpr workspace_size find_workspace(const Rows& all, std::int64_t k) {
    const std::int64_t most = all.most(), rows = all.count;
    if (most <= 0 || rows <= 0 || k <= 0) return {};
    const bool are_shared = rows <= most_shared_rows && most > most_alone<Policy, Word>;
    const std::int64_t zeroed = are_shared ? rows * std::int64_t(sizeof(top_k_team<block_size>)) : 0;
    const std::int64_t teams = lower(rows, most_teams), usual = all.usual();
    const std::int64_t room = candidates(usual, find_sample<Word>(usual, lower(k, most)));
    return {zeroed, scratch_bytes<Word, top_k_places::kept>(teams, 2, room, count_sorted<Form>(most, k))};
  }

  template <class Pass> static constexpr auto find_kernel() { return &top_k_kernel<Pass>; }

  /// Sets how many blocks work on a row.
  template <class Pass>
  static found_shape find_shape(Pass& pass) {
    const std::int64_t most = pass.rows.most();
    constexpr int shared_bytes = int(sizeof(top_k_shared<Pass>));
    found_shape found = detail::find_shape<find_kernel<Pass>(), 0, shared_bytes>(max_grid_blocks, block_size);
    if (found.error != cudaSuccess) return found;
    const std::int64_t resident = found.grid.grid_size, rows = pass.rows.count;
    std::int64_t parts = 1;
    constexpr std::int64_t alone = most_alone<Policy, typename Pass::word>;
    if (rows <= most_shared_rows && most > alone) {
      parts = lower(resident / rows, (most - 1) / alone + 1);
    }
    pass.parts = parts > 1 ? int(parts) : 1;
    const std::int64_t usual = pass.rows.usual();
    pass.sample = find_sample<typename Pass::word>(usual, lower(pass.k, most));
    pass.candidates = candidates(usual, pass.sample);
    pass.sorted = count_sorted<Pass::form>(most, pass.k);
    found.grid.grid_size = int(pass.parts > 1 ? rows * parts : lower(rows, lower(resident, most_teams)));
    return found;
  }

  template <class Pass>
  static outcome run(Pass pass, const found_shape& found, const options& how) {
    const std::int64_t teams = found.grid.grid_size / pass.parts;
    const workspace_size size{
        pass.parts > 1 ? teams * std::int64_t(sizeof(typename Pass::team)) : 0,
        scratch_bytes<typename Pass::word, Pass::places>(teams, pass.parts, pass.candidates, pass.sorted)};
    memory_lease lease(size, how);
    if (lease.error()) return lease.refusal();
    pass.teams = static_cast<typename Pass::team*>(lease.zeroed());
    pass.scratch_memory = lease.scratch();
    return lease.finish(detail::launch_main(found, find_kernel<Pass>(), thread_bytes, how, pass));
  }
};

/// Checks an output of so many results, which must lie neither in the keys nor in what says where rows are.
template <class Out, class In, class Rows>
outcome check_top_k_output(const Out& out, std::int64_t results, const In& in, const Rows& rows) {
  if (const outcome bad = detail::check_results(out, results); bad.failed()) return bad;
  const outcome bad = rows.visit_arrays([&](const auto& array, std::int64_t items) -> outcome {
    if (!detail::overlap(out, results, array, items)) return {};
    return {cudaErrorInvalidValue, "an output overlaps the offsets"};
  });
  return bad.failed() ? bad : detail::check_disjoint(out, results, in, rows.items());
}

/// Checks what is written beside the keys: nothing, positions, or values.
template <class In, class Rows, class KeysOut>
outcome check_beside(const In&, const Rows&, std::int64_t, const KeysOut&) {
  return {};
}
template <class In, class Rows, class KeysOut, class Out>
outcome check_beside(const In& in, const Rows& rows, std::int64_t results, const KeysOut& keys_out, const Out& out) {
  if (const outcome bad = detail::check_top_k_output(out, results, in, rows); bad.failed()) return bad;
  if (!detail::overlap(keys_out, results, out, results)) return {};
  return {cudaErrorInvalidValue, "the outputs overlap each other"};
}
template <class In, class Rows, class KeysOut, class Values, class Out>
outcome check_beside(const In& in, const Rows& rows, std::int64_t results, const KeysOut& keys_out,
                     const Values& values, const Out& out) {
  const std::int64_t n = rows.items();
  if (const outcome bad = detail::check_input(values, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_disjoint(keys_out, results, values, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_beside(in, rows, results, keys_out, out); bad.failed()) return bad;
  return detail::check_disjoint(out, results, values, n);
}

/// Launches what is chosen for a top-k whose results a block sorts.
struct launch_chosen {
  const options& how;
  template <class Launch, class Pass>
  outcome operator()(Launch, const Pass& pass, const found_shape& found) const {
    return Launch::run(pass, found, how);
  }
};

/// Finds the k largest of each row, and does `action` with the launch. The values are checked already.
template <top_k_policy Policy, class In, class Rows, class KeysOut, class Values, top_k_form Form, class Action>
outcome run_top_k(const In& in, const Rows& rows, std::int64_t k, const KeysOut& keys_out, const Values& values,
                  top_k_order<Form> order, const Action& action) {
  using pass_type = top_k_pass<Policy, Form, In, Rows, KeysOut, Values>;
  pass_type pass{in, rows, k, keys_out, values, pass_type::ranking::of(order.end)};
  if constexpr (top_k_cluster_launch<Policy>::template serves<pass_type>) {
    const found_shape found = top_k_cluster_launch<Policy>::find_shape(pass);
    if (found.error == cudaSuccess) return action(top_k_cluster_launch<Policy>{}, pass, found);
    if (found.error != does_not_fit) return {found.error};
  }
  const found_shape found = top_k_launch<Policy>::find_shape(pass);
  if (found.error != cudaSuccess) return {found.error};
  return action(top_k_launch<Policy>{}, pass, found);
}

/// Checks the arguments of a top-k, brings them to the form that a kernel reads, and does `action`. `beside`: what is
/// written beside the keys: nothing, the output of positions, or the values and their output.
template <top_k_policy Policy, class In, class Rows, class KeysOut, top_k_form Form, class Action, class... Beside>
outcome top_k_of(const In& in, Rows rows, std::int64_t k, const KeysOut& keys_out, top_k_order<Form> order,
                 const Action& action, const Beside&... beside) {
  static_assert(random_access_input<In>, "gpuprim::top_k: the keys must be a pointer or a random-access iterator");
  static_assert(is_number<input_value<In>>, "gpuprim::top_k: the keys must be numbers of at most 64 bits");
  static_assert(outputs_for<KeysOut, input_value<In>>, "gpuprim::top_k: the output must take keys");
  if (k < 0) return {cudaErrorInvalidValue, "k is negative"};
  if (rows.most() < 0) return {cudaErrorInvalidValue, "the count is negative"};
  if (rows.count == 0 || k == 0 || rows.most() == 0) return {};
  constexpr std::int64_t most_items = (std::numeric_limits<std::int64_t>::max)() / 16;
  // Rows by offsets have as many keys together as the longest may have by itself.
  const std::int64_t most_keys = Rows::are_even ? most_items / rows.count : most_items;
  if (rows.most() > most_keys) return {cudaErrorInvalidValue, "the count is too large"};
  if (rows.count == 1 && k > rows.most()) k = rows.most();
  if (k > most_items / rows.count) return {cudaErrorInvalidValue, "k is too large"};
  const std::int64_t most_results = k < rows.most() ? k : rows.most();
  const auto go = [&](auto given, auto to, auto... more) -> outcome {
    const auto raw = detail::as_constant(given);  // one kernel for arrays of both kinds
    const auto values = detail::make_top_k_values(more...);
    if (const outcome bad = detail::check_input(raw, rows.items()); bad.failed()) return bad;
    const std::int64_t results = (rows.count - 1) * k + most_results;
    if (const outcome bad = detail::check_top_k_output(to, results, raw, rows); bad.failed()) return bad;
    if (const outcome bad = detail::check_beside(raw, rows, results, to, more...); bad.failed()) return bad;
    return detail::run_top_k<Policy>(raw, rows, k, to, values, order, action);
  };
  return detail::with_arrays(go, in, keys_out, beside...);
}

}  // namespace gpuprim::detail
