// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random scans of arrays, of runs of keys, of segments and of columns, in place and beside their inputs, several under
// way at once.
#include "../support/random_inputs.cuh"

namespace {

using namespace test;

struct tripled {
  GPUPRIM_HOST_DEVICE std::uint32_t operator()(std::uint32_t x) const { return 3 * x; }
};

/// An array and its scans. A scan in place begins with a copy, so that it can be made again.
template <class T>
random_call scanned(random_numbers& random) {
  using Acc = accumulator<T>;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped);
  const bool is_exclusive = random.one_of(2), has_init = random.one_of(2), is_counted = random.one_of(4);
  const bool is_in_place = std::is_same_v<T, Acc> && random.one_of(3);
  const Acc init = has_init ? known<T>().over(0, 3) : known<T>().nothing();
  std::vector<Acc> wanted;
  for (std::int64_t i = 0; i < n; ++i) {
    wanted.push_back(join_of<T>{}(init, known<T>().over(skipped, skipped + i + (is_exclusive ? 0 : 1))));
  }
  const auto number = std::make_shared<argument_array<std::int64_t>>(std::vector{n});
  const auto total = std::make_shared<argument_array<Acc>>(1);
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const gpuprim::element_count count =
        is_counted ? gpuprim::element_count{number->data(), n} : gpuprim::element_count{n};
    const auto scan = [&](const auto* in, const auto& to) {
      const join_of<T> op{};
      if (is_exclusive) return gpuprim::exclusive_scan<Acc>(in, count, to, op, init, how);
      if (has_init) return gpuprim::inclusive_scan<Acc>(in, count, to, op, init, how);
      return gpuprim::inclusive_scan<Acc>(in, count, to, op, how);
    };
    const T* const in = known<T>().data() + skipped;
    if constexpr (std::is_same_v<T, Acc>) {
      if (is_in_place) {
        const cudaError_t e = gpuprim::copy(in, given(n), out, how);
        return e == cudaSuccess ? scan(static_cast<const Acc*>(out), out) : e;
      }
    }
    return scan(in, gpuprim::with_total(out, total->data()));
  };
  random_call call = several(
      apart(test::make_call(name_of("scan", {sizeof(T), n, skipped, is_exclusive, has_init, is_counted, is_in_place}),
                            gpuprim::scan_workspace_bytes<T, Acc>(n), std::move(wanted), launch,
                            sizeof(Acc) * std::size_t(random.below(4))),
            known<T>().data() + skipped, n),
      is_in_place);
  if (is_in_place || n == 0) return call;
  const Acc all = join_of<T>{}(init, known<T>().over(skipped, skipped + n));
  call.check = [check_results = std::move(call.check), total, all] {
    check_results();
    CHECK(total->download()[0] == all);
    total->check_guards();
  };
  return call;
}

random_call transformed_scan(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped), form = random.below(4);
  const T init = form < 2 ? T(random.next()) : 0;
  std::vector<T> wanted;
  for (std::int64_t i = 0; i < n; ++i) {
    wanted.push_back(init + 3 * known<T>().over(skipped, skipped + i + (form % 2 == 0 ? 0 : 1)));
  }
  const auto launch = [=](T* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    const gpuprim::plus<> op;
    if (form == 0) return gpuprim::transform_exclusive_scan(in, given(n), out, op, tripled{}, init, how);
    if (form == 1) return gpuprim::transform_inclusive_scan(in, given(n), out, op, tripled{}, init, how);
    if (form == 2) return gpuprim::transform_exclusive_scan(in, given(n), out, op, tripled{}, how);
    return gpuprim::transform_inclusive_scan(in, given(n), out, op, tripled{}, how);
  };
  return apart(
      test::make_call(name_of("transformed scan", {n, skipped, form, init}), gpuprim::scan_workspace_bytes<T>(n),
                      std::move(wanted), launch, sizeof(T) * std::size_t(random.below(4))),
      known<T>().data() + skipped, n);
}

/// What the scans of neighbouring pieces give, of which each begins where the one before it has ended.
template <class T>
std::vector<accumulator<T>> scan_pieces(std::int64_t first, const std::vector<std::int64_t>& ends, bool is_exclusive,
                                        const accumulator<T>& init) {
  std::vector<accumulator<T>> results;
  std::int64_t begin = 0;
  for (std::int64_t end : ends) {
    for (std::int64_t i = begin; i < end; ++i) {
      results.push_back(join_of<T>{}(init, known<T>().over(first + begin, first + i + (is_exclusive ? 0 : 1))));
    }
    begin = end;
  }
  return results;
}

template <class Key, class T>
random_call scanned_by_key(random_numbers& random) {
  using Acc = accumulator<T>;
  const std::int64_t skipped = random.below(40);
  const random_runs<Key> runs(random, most - skipped);
  const bool is_exclusive = random.one_of(2);
  const bool is_in_place = std::is_same_v<T, Acc> && random.one_of(3);
  const Acc init = is_exclusive ? known<T>().over(0, 3) : known<T>().nothing();
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const auto scan = [&](const auto* values) {
      const Key* const keys = runs.in->data();
      const join_of<T> op{};
      return is_exclusive ? gpuprim::exclusive_scan_by_key<Acc>(keys, values, given(runs.n()), out, op, init, how)
                          : gpuprim::inclusive_scan_by_key<Acc>(keys, values, given(runs.n()), out, op, how);
    };
    const T* const values = known<T>().data() + skipped;
    if constexpr (std::is_same_v<T, Acc>) {
      if (is_in_place) {
        const cudaError_t e = gpuprim::copy(values, given(runs.n()), out, how);
        return e == cudaSuccess ? scan(static_cast<const Acc*>(out)) : e;
      }
    }
    return scan(values);
  };
  const std::string name =
      name_of("scan by key", {sizeof(Key), sizeof(T), runs.n(), runs.count(), skipped, is_exclusive, is_in_place});
  return several(apart(test::make_call(name, gpuprim::scan_by_key_workspace_bytes<Key, T, Acc>(runs.n()),
                                       scan_pieces<T>(skipped, runs.ends, is_exclusive, init), launch,
                                       sizeof(Acc) * std::size_t(random.below(4))),
                       known<T>().data() + skipped, runs.n()),
                 is_in_place);
}

template <class T>
random_call segments_scanned(random_numbers& random) {
  using Acc = accumulator<T>;
  const std::int64_t skipped = random.below(40);
  const bool have_one_length = random.one_of(3), is_exclusive = random.one_of(2);
  std::vector<std::int64_t> lengths = make_lengths(random, 0, most - skipped), ends;
  if (have_one_length && !lengths.empty()) {
    const std::int64_t longest = (most - skipped) / std::int64_t(lengths.size());
    lengths.assign(lengths.size(), random.size(longest));
  }
  std::vector<int> offsets{0};
  for (std::int64_t length : lengths) {
    offsets.push_back(offsets.back() + int(length));
    ends.push_back(offsets.back());
  }
  const auto where = std::make_shared<argument_array<int>>(offsets);
  const std::int64_t n = offsets.back(), segments = std::int64_t(lengths.size());
  const std::int64_t length = lengths.empty() ? 0 : lengths[0];
  const Acc init = is_exclusive ? known<T>().over(0, 3) : known<T>().nothing();
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const auto scan = [&](const auto& at) {
      const T* const in = known<T>().data() + skipped;
      const join_of<T> op{};
      return is_exclusive ? gpuprim::segmented_exclusive_scan<Acc>(in, at, given(segments), out, op, init, how)
                          : gpuprim::segmented_inclusive_scan<Acc>(in, at, given(segments), out, op, how);
    };
    if (have_one_length) return scan(gpuprim::fixed_length{length});
    return scan(gpuprim::segment_offsets{where->data(), n});
  };
  return apart(
      test::make_call(name_of("segments scanned", {sizeof(T), n, segments, skipped, have_one_length, is_exclusive}),
                      gpuprim::segmented_scan_workspace_bytes<T, Acc>(n),
                      scan_pieces<T>(skipped, ends, is_exclusive, init), launch,
                      sizeof(Acc) * std::size_t(random.below(4))),
      known<T>().data() + skipped, n);
}

template <class T>
random_call columns_scanned(random_numbers& random) {
  using Acc = accumulator<T>;
  const std::int64_t skipped = random.below(40), columns = 1 + random.size(random.one_of(2) ? 300 : most / 2);
  const std::int64_t rows = random.size((most - skipped) / columns);
  const bool is_exclusive = random.one_of(2), is_in_place = std::is_same_v<T, Acc> && random.one_of(3);
  const Acc init = is_exclusive ? known<T>().over(0, 3) : known<T>().nothing();
  const join_of<T> op{};
  std::vector<Acc> wanted, sums(std::size_t(columns), init);
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    Acc& sum = sums[std::size_t(i % columns)];
    if (is_exclusive) wanted.push_back(sum);
    sum = op(sum, static_cast<Acc>(known<T>().values[std::size_t(skipped + i)]));
    if (!is_exclusive) wanted.push_back(sum);
  }
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const auto scan = [&](const auto* in) {
      return is_exclusive ? gpuprim::column_exclusive_scan<Acc>(in, given(rows), columns, out, op, init, how)
                          : gpuprim::column_inclusive_scan<Acc>(in, given(rows), columns, out, op, how);
    };
    const T* const in = known<T>().data() + skipped;
    if constexpr (std::is_same_v<T, Acc>) {
      if (is_in_place) {
        const cudaError_t e = gpuprim::copy(in, rows * columns, out, how);
        return e == cudaSuccess ? scan(static_cast<const Acc*>(out)) : e;
      }
    }
    return scan(in);
  };
  const std::string name = name_of("columns scanned", {sizeof(T), rows, columns, skipped, is_exclusive, is_in_place});
  return several(apart(test::make_call(name, gpuprim::column_scan_workspace_size<Acc>(rows, columns), std::move(wanted),
                                       launch, sizeof(Acc) * std::size_t(random.below(4))),
                       known<T>().data() + skipped, rows * columns),
                 is_in_place);
}

random_call any_scan(random_numbers& random) {
  static const std::vector<call_maker> kinds =
      test::make_kinds({scanned<affine>, transformed_scan, scanned_by_key<std::uint8_t, affine>,
                        segments_scanned<signed char>, columns_scanned<affine>},
                       [](auto& all, auto) {
                         all.insert(all.end(), {scanned<__half>, scanned<std::uint32_t>, scanned<std::uint8_t>,
                                                scanned_by_key<int, std::uint32_t>, segments_scanned<std::uint8_t>,
                                                segments_scanned<affine>, columns_scanned<std::uint8_t>});
                       });
  return kinds[std::size_t(random.below(std::int64_t(kinds.size())))](random);
}

}  // namespace

TEST_CASE("random scans, several under way at once", "[device][sanitizer][fuzz]") { test::make_random_calls(any_scan); }
