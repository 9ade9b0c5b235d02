// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/common/count_to_host.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/select/select_launch.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What a device lambda returns is not known on the host.
template <class Predicate, class T>
inline constexpr bool is_predicate_on =
    is_function_object<Predicate> &&
    (is_device_lambda<Predicate> || std::is_invocable_r_v<bool, const Predicate&, const T&>);

/// What a select reads: an array or an iterator, whose elements may be moved through shared memory.
template <class In>
concept selectable_input = random_access_input<In> && element<input_value<In>>;

/// Checks an output of at most n elements that a kernel must not write where it still reads the n elements of `in`.
template <class Out, class In>
outcome check_apart(const Out& out, std::int64_t n, const In& in) {
  if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
  if (detail::begins_within(out, in, n)) return {cudaErrorInvalidValue, "an output overlaps an input"};
  return {};
}

/// Checks the number of elements and the outputs of so many counts.
template <int Parts, class Counts, class In>
outcome check_counts(const Counts& counts, const element_count& n, const In& in) {
  if (const outcome bad = n.validate(); bad.failed()) return bad;
  if (const outcome bad = detail::check_input(in, n.most()); bad.failed()) return bad;
  if (const outcome bad = detail::check_count_output(counts); bad.failed()) return bad;
  if (detail::overlap(counts, Parts, in, n.most())) return {cudaErrorInvalidValue, "the count lies in the input"};
  // Blocks that start late would read a count in its place.
  if (n.overlaps(counts, Parts)) return {cudaErrorInvalidValue, "the count lies where the number of elements is"};
  return {};
}

/// Uses the launch of a select whose arguments are checked. `source`: what is chosen; `writes`: what is written of each
/// part. How: see found_tiles::use.
template <rest_place Rest, select_policies Policies, class Source, class Counts, class... Writes>
outcome run_select(const Source& source, const element_count& n, const Counts& counts, publish_order order,
                   const options& how, const Writes&... writes) {
  constexpr int element_bytes = int(sizeof(input_value<decltype(Source::in)>));
  using launches =
      select_launches<Policies, element_bytes, larger(element_bytes, Writes::value_bytes...), Source::parts>;
  return launches::choose(select_pass<Source, Rest, Counts, Writes...>{source, n, 0, order, counts, {writes...}})
      .use(how);
}

/// Selects from one input, whose elements are moved or projected, by a `Source` of it and of `choose`.
template <select_policies Policies, template <class, class> class Source, class In, class Counts, class Choose,
          class Write>
outcome select_elements(const In& in, const element_count& n, const Counts& counts, const Choose& choose,
                        const Write& write, const options& how) {
  return detail::with_input<array_form::pointer>(in, [&](auto raw) {
    const auto go = [&](auto to) -> outcome {
      using Chosen = Source<decltype(raw), Choose>;
      const auto total = detail::unwrap_contiguous(counts);
      if (const outcome bad = detail::check_counts<Chosen::parts>(total, n, raw); bad.failed()) return bad;
      // Where the output ends is known when the elements are selected.
      if (n.most() > 0 && n.overlaps(to, 1)) {
        return {cudaErrorInvalidValue, "the number of elements lies in the output"};
      }
      bool in_place = detail::is_same_array(to, raw);
      if constexpr (Chosen::looks_before && std::is_pointer_v<decltype(to)>) {  // elements that stay are not written
        in_place = in_place && std::is_same_v<input_value<decltype(to)>, input_value<In>>;
      }
      if (!in_place) {
        if (const outcome bad = detail::check_apart(to, n.most(), raw); bad.failed()) return bad;
      }
      const publish_order order = in_place ? publish_order::after_all : publish_order::none;
      return detail::run_select<rest_place::none, Policies>(Chosen{raw, choose}, n, total, order, how, write.with(to));
    };
    return detail::with_arrays(go, write.target());
  });
}

}  // namespace gpuprim::detail
