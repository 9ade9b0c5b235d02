// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// The positions of elements, each with whether its element differs from the one before it and from the one behind it.
/// A run of several elements begins with one that differs from the one before it alone, and ends with one that differs
/// from the one behind it alone. So both ends of all such runs, in turn, are where a pass over runs may find runs of
/// its own to begin.
template <class In, class Equal>
struct ends_of_runs : input_iterator_types<std::int64_t> {
  In in;
  element_count count;
  Equal equal;

  ends_of_runs(const In& i, const element_count& n, const Equal& e) : in(i), count(n), equal(e) {}
  __device__ std::int64_t operator[](std::int64_t i) const {
    const bool begins = i == 0 || !equals_next(i - 1);
    const bool ends = i + 1 >= count.read() || !equals_next(i);
    return i * 4 + (ends ? 2 : 0) + (begins ? 1 : 0);
  }

 private:
  __device__ bool equals_next(std::int64_t i) const {
    const input_value<In>& own = in[i];  // the iterator may return what converts to it
    const input_value<In>& next = in[i + 1];
    return equal(own, next);
  }
};

/// Whether the element of such a position begins a run of several.
struct begins_long_run {
  __device__ bool operator()(std::int64_t at) const { return (at & 3) == 1; }
};
/// Says that a position belongs to the one before it unless it is an end of a run of several.
struct lies_between_ends {
  __device__ bool operator()(std::int64_t, std::int64_t at) const { return (at & 3) == 0 || (at & 3) == 3; }
};

// The first position of all is counted as an end, too. Whether it is one or not, the ends of run k of several elements
// are among the numbers 2k, 2k + 1 and 2k + 2, and half the number of its beginning, rounded down, is k.

/// Takes ends, and writes where runs of several elements begin.
template <class Out>
struct offsets_of_ends {
  struct place {
    const Out& out;
    std::int64_t run;
    __device__ void operator=(std::int64_t at) const {
      if (begins_long_run{}(at)) detail::assign(out[run], at / 4);
    }
  };
  Out out;

  __device__ place operator[](std::int64_t i) const { return {out, i / 2}; }
  __device__ place operator*() const { return (*this)[0]; }
};

/// Takes the distance from each end to the next, and writes the lengths of runs of several elements.
template <class Ends, class Out>
struct lengths_of_ends {
  struct place {
    const lengths_of_ends& all;
    std::int64_t i;
    __device__ void operator=(std::int64_t distance) const {
      if ((i % 2 == 0) == begins_long_run{}(all.ends[0])) detail::assign(all.out[i / 2], distance + 1);
    }
  };
  Ends ends;
  Out out;

  __device__ place operator[](std::int64_t i) const { return {*this, i}; }
  __device__ place operator*() const { return {*this, 0}; }
};

/// Takes the number of ends, and writes that of runs.
template <class Out>
struct count_of_ends {
  Out out;

  __device__ const count_of_ends& operator*() const { return *this; }
  __device__ void operator=(std::int64_t ends) const { detail::assign(*out, ends / 2); }
};

/// Checks the arguments of a pass that finds runs of several elements, and uses the launch for them.
template <class In, class Count, class OffsetsOut, class LengthsOut, class RunsOut, class Equal>
outcome find_long_runs(const In& in, const Count& n, const OffsetsOut& offsets_out, const LengthsOut& lengths_out,
                       const RunsOut& runs_out, const Equal& equal, const options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::non_trivial_runs: the input must be a pointer or a random-access iterator");
  static_assert(detail::takes_results<OffsetsOut, std::int64_t> && detail::takes_results<LengthsOut, std::int64_t> &&
                    detail::takes_result<RunsOut, std::int64_t>,
                "gpuprim::non_trivial_runs: the outputs must take positions, lengths and a count");
  [[maybe_unused]] const refuse_stream<Equal> checked{};
  static_assert(is_equality_on<Equal, input_value<In>>,
                "gpuprim::non_trivial_runs: the equality's const operator() must take two elements and return a bool");
  return detail::with_input<array_form::pointer>(in, [&](auto raw) -> outcome {
    const auto offsets = detail::unwrap_contiguous(offsets_out);
    const auto lengths = detail::unwrap_contiguous(lengths_out);
    const auto runs = detail::unwrap_contiguous(runs_out);
    const outcome bad = detail::check_run_arguments(raw, n, offsets, lengths, runs);
    if (bad.failed()) return bad;
    const ends_of_runs ends(raw, n, detail::comparing_in_call(equal));
    using ends_type = std::remove_const_t<decltype(ends)>;
    return detail::encode_runs(ends, n, offsets_of_ends<std::remove_const_t<decltype(offsets)>>{offsets},
                               lengths_of_ends<ends_type, std::remove_const_t<decltype(lengths)>>{ends, lengths},
                               count_of_ends<std::remove_const_t<decltype(runs)>>{runs}, lies_between_ends{}, how);
  });
}

}  // namespace detail

/// Finds the runs of two and more elements that are equal to the one before them. Run i of these begins at position
/// `offsets_out[i]` and has `lengths_out[i]` elements; `*runs_out` gets their number.
///
/// @pre   `in`: a pointer or random-access iterator to n elements that the device can read, where n is a number or
///        `element_count{pointer, most}`, as for run_length_encode. `offsets_out`, `lengths_out`: room for as many
///        integers as there are such runs, at most n / 2, in memory apart from the input and each other; `runs_out`:
///        one integer. `equal(a, b)` says whether neighbours a and b belong to one run; a == b where it is left out.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept. Positions and lengths have 64 bits, and are converted to what the outputs take.
/// @cost  one launch; each element is read from memory once, and neighbours are compared twice. A `workspace` of
///        `run_length_encode_workspace_bytes<std::int64_t>(n)`.
/// @return as run_length_encode. n = 0 writes 0 to `*runs_out`.
/// @source as run_length_encode.
/// @example examples/library/47_runs.cu
template <class In, class Count = element_count, class OffsetsOut, class LengthsOut, class RunsOut, class Equal>
[[nodiscard]] cudaError_t non_trivial_runs(In in, Count n, OffsetsOut offsets_out, LengthsOut lengths_out,
                                           RunsOut runs_out, Equal equal, const options& how = {}) {
  return detail::find_long_runs(in, detail::as_count(n), offsets_out, lengths_out, runs_out, equal, how).report();
}

/// As above, for elements that are equal by ==.
template <class In, class Count = element_count, class OffsetsOut, class LengthsOut, class RunsOut>
[[nodiscard]] cudaError_t non_trivial_runs(In in, Count n, OffsetsOut offsets_out, LengthsOut lengths_out,
                                           RunsOut runs_out, const options& how = {}) {
  return gpuprim::non_trivial_runs(in, n, offsets_out, lengths_out, runs_out, detail::equal_keys{}, how);
}

/// Does what non_trivial_runs does, and returns the number of runs to the host.
///
/// @pre   as non_trivial_runs.
/// @sync  waits until all outputs are written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order as non_trivial_runs.
/// @cost  non_trivial_runs and the wait; the kernel writes the number to host memory that the calling thread keeps.
/// @return the number of runs. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as run_length_encode.
/// @example examples/library/47_runs.cu
template <class In, class OffsetsOut, class LengthsOut, class Equal>
[[nodiscard]] std::int64_t non_trivial_runs_count(In in, std::int64_t n, OffsetsOut offsets_out, LengthsOut lengths_out,
                                                  Equal equal, const options& how = {}) {
  return detail::count_to_host("gpuprim::non_trivial_runs_count", how, [&](std::int64_t* runs) {
    return detail::find_long_runs(in, n, offsets_out, lengths_out, runs, equal, how);
  });
}
/// As above, for elements that are equal by ==.
template <class In, class OffsetsOut, class LengthsOut>
[[nodiscard]] std::int64_t non_trivial_runs_count(In in, std::int64_t n, OffsetsOut offsets_out, LengthsOut lengths_out,
                                                  const options& how = {}) {
  return gpuprim::non_trivial_runs_count(in, n, offsets_out, lengths_out, detail::equal_keys{}, how);
}

}  // namespace gpuprim
