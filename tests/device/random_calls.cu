// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that nobody thought of: random kinds, sizes, lists, alignments and initial values, several under way at once.
// Of reductions, segments, runs, selects and sorts.
#include "../support/random_inputs.cuh"

namespace {

using namespace test;

template <class T, class Offset>
random_call by_offsets(random_numbers& random) {
  using Acc = accumulator<T>;
  const auto& known_values = known<T>();
  const std::int64_t skipped = random.below(40), first = random.one_of(2) ? 0 : random.below(most / 8);
  std::vector<Offset> offsets{Offset(first)};
  for (std::int64_t length : make_lengths(random, 0, most - skipped - first)) {
    offsets.push_back(Offset(offsets.back() + Offset(length)));
  }
  const Acc init = known_values.over(0, random.below(3));
  std::vector<Acc> wanted;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    wanted.push_back(join_of<T>{}(init, known_values.over(skipped + offsets[i], skipped + offsets[i + 1])));
  }
  const auto where = std::make_shared<argument_array<Offset>>(offsets);
  const auto segments = std::int64_t(wanted.size());
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    const Offset* const at = where->data();
    return gpuprim::segmented_reduce<Acc>(in, at, given(segments), out, join_of<T>{}, init, how);
  };
  random_call call =
      test::make_call(name_of("by offsets", {sizeof(T), sizeof(Offset), segments, first, offsets.back(), skipped}),
                      gpuprim::segmented_reduce_workspace_bytes<Acc>(), std::move(wanted), launch);
  const auto fall = std::adjacent_find(offsets.begin(), offsets.end(), std::less<>{});
  if (fall == offsets.end()) return call;
  std::iter_swap(fall, fall + 1);
  call.disorder = [=] { where->upload(offsets); };
  return call;
}

/// Neighbours, with gaps or not, or segments that lie over each other.
template <class T>
random_call by_bounds(random_numbers& random) {
  using Acc = accumulator<T>;
  const bool anywhere = random.one_of(3);
  const std::int64_t gap = random.below(3), skipped = random.below(40);
  std::vector<int> begins, ends;
  std::vector<Acc> wanted;
  std::int64_t at = skipped;
  for (std::int64_t length : make_lengths(random, 0, most / 4)) {
    if (anywhere || at + length > most) at = random.below(most - length + 1);
    begins.push_back(int(at));
    ends.push_back(int(at + length));
    wanted.push_back(known<T>().over(at, at + length));
    at += length + gap;
  }
  const auto from = std::make_shared<argument_array<int>>(begins);
  const auto to = std::make_shared<argument_array<int>>(ends);
  const auto segments = std::int64_t(wanted.size());
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const gpuprim::segment_bounds bounds{from->data(), to->data()};
    return gpuprim::segmented_reduce<Acc>(known<T>().data(), bounds, given(segments), out, join_of<T>{},
                                          known<T>().nothing(), how);
  };
  return test::make_call(name_of("by bounds", {sizeof(T), segments, anywhere, gap, skipped}),
                         gpuprim::segmented_reduce_workspace_bytes<Acc>(segments), std::move(wanted), launch);
}

template <class T>
random_call of_one_length(random_numbers& random) {
  using Acc = accumulator<T>;
  const std::int64_t skipped = random.below(40), length = random.size(random.one_of(2) ? 300 : most - skipped);
  const std::int64_t segments = random.size((most - skipped) / std::max<std::int64_t>(length, 1));
  std::vector<Acc> wanted;
  for (std::int64_t i = 0; i < segments; ++i) {
    wanted.push_back(known<T>().over(skipped + i * length, skipped + (i + 1) * length));
  }
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const gpuprim::fixed_length fixed{length};
    return gpuprim::segmented_reduce<Acc>(known<T>().data() + skipped, fixed, given(segments), out, join_of<T>{},
                                          known<T>().nothing(), how);
  };
  return test::make_call(name_of("of one length", {sizeof(T), length, segments, skipped}),
                         gpuprim::segmented_reduce_workspace_bytes<Acc>(), std::move(wanted), launch);
}

random_call columns(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), width = 1 + random.size(random.one_of(2) ? 300 : most / 2);
  const std::int64_t rows = random.size((most - skipped) / width);
  const auto begin = known<T>().values.begin() + skipped;
  std::vector<T> wanted(std::size_t(width), 0);
  for (std::int64_t i = 0; i < rows * width; ++i) wanted[std::size_t(i % width)] += begin[i];
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::column_reduce(known<T>().data() + skipped, given(rows), width, out, gpuprim::plus{}, T{0}, how);
  };
  random_call call = apart(test::make_call(name_of("columns", {rows, width, skipped}),
                                           gpuprim::column_reduce_workspace_bytes<T>(width), std::move(wanted), launch),
                           known<T>().data() + skipped, rows * width);
  // The kernel that writes the initial values is given the address of an input without rows too.
  return rows > 0 ? call : hidden(call);
}

template <class Key, class T>
random_call by_key(random_numbers& random) {
  using Acc = accumulator<T>;
  const std::int64_t skipped = random.below(40);
  const random_runs<Key> runs(random, most - skipped);
  std::vector<Acc> wanted;
  for (std::size_t i = 0; i < runs.ends.size(); ++i) {
    wanted.push_back(known<T>().over(skipped + runs.begin(i), skipped + runs.ends[i]));
  }
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    return gpuprim::reduce_by_key<Acc>(runs.in->data(), known<T>().data() + skipped, given(runs.n()),
                                       runs.unique_out->data(), out, runs.count_out->data(), join_of<T>{}, how);
  };
  return runs.also_checked(
      apart(test::make_call(name_of("by key", {sizeof(Key), sizeof(T), runs.n(), runs.count(), skipped}),
                            gpuprim::reduce_by_key_workspace_bytes<Key, T, Acc>(runs.n()), std::move(wanted), launch),
            known<T>().data() + skipped, runs.n()));
}

template <class Key>
random_call run_lengths(random_numbers& random) {
  const random_runs<Key> runs(random, most);
  std::vector<std::int64_t> wanted;
  for (std::size_t i = 0; i < runs.ends.size(); ++i) wanted.push_back(runs.ends[i] - runs.begin(i));
  const auto launch = [=](std::int64_t* out, const gpuprim::options& how) {
    return gpuprim::run_length_encode(runs.in->data(), given(runs.n()), runs.unique_out->data(), out,
                                      runs.count_out->data(), how);
  };
  return runs.also_checked(
      apart(test::make_call(name_of("run lengths", {sizeof(Key), runs.n(), runs.count()}),
                            gpuprim::run_length_encode_workspace_bytes<Key>(runs.n()), std::move(wanted), launch),
            runs.in->data(), runs.n()));
}

random_call long_runs(random_numbers& random) {
  const random_runs<int> runs(random, most);
  std::vector<std::int64_t> wanted, offsets;
  for (std::size_t i = 0; i < runs.ends.size(); ++i) {
    const std::int64_t length = runs.ends[i] - runs.begin(i);
    if (length == 1) continue;
    offsets.push_back(runs.begin(i));
    wanted.push_back(length);
  }
  const auto offsets_out = std::make_shared<argument_array<std::int64_t>>(offsets.size());
  const auto count_out = std::make_shared<argument_array<std::int64_t>>(1);
  const std::string name = name_of("long runs", {runs.n(), runs.count(), std::int64_t(offsets.size())});
  const auto launch = [=](std::int64_t* out, const gpuprim::options& how) {
    return gpuprim::non_trivial_runs(runs.in->data(), given(runs.n()), offsets_out->data(), out, count_out->data(),
                                     how);
  };
  random_call call = test::make_call(name, gpuprim::run_length_encode_workspace_bytes<std::int64_t>(runs.n()),
                                     std::move(wanted), launch);
  call.check = [check_lengths = std::move(call.check), offsets, offsets_out, count_out] {
    check_lengths();
    CHECK(offsets_out->download() == offsets);
    offsets_out->check_guards();
    CHECK(count_out->download()[0] == std::int64_t(offsets.size()));
  };
  return call;
}

template <class Key>
random_call unique_keys(random_numbers& random) {
  const random_runs<Key> runs(random, most);
  const auto launch = [=](Key* out, const gpuprim::options& how) {
    // Each writes them to an array of its own.
    const cudaError_t e = gpuprim::unique(runs.in->data(), given(runs.n()), out, runs.count_out->data(), how);
    if (e != cudaSuccess) return e;
    return gpuprim::unique(runs.in->data(), given(runs.n()), runs.unique_out->data(), runs.count_out->data(), how);
  };
  return several(
      runs.also_checked(test::make_call(name_of("unique", {sizeof(Key), runs.n(), runs.count()}),
                                        gpuprim::select_workspace_bytes<Key>(runs.n()), runs.unique, launch)));
}

template <class Key, class T>
random_call first_by_key(random_numbers& random) {
  const std::int64_t skipped = random.below(40);
  const random_runs<Key> runs(random, most - skipped);
  std::vector<T> wanted;
  for (std::size_t i = 0; i < runs.ends.size(); ++i) {
    wanted.push_back(known<T>().values[std::size_t(skipped + runs.begin(i))]);
  }
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::unique_by_key(runs.in->data(), known<T>().data() + skipped, given(runs.n()),
                                  runs.unique_out->data(), out, runs.count_out->data(), how);
  };
  return runs.also_checked(
      apart(test::make_call(name_of("unique_by_key", {sizeof(Key), sizeof(T), runs.n(), runs.count(), skipped}),
                            gpuprim::select_workspace_bytes<Key, T>(runs.n()), std::move(wanted), launch),
            known<T>().data() + skipped, runs.n()));
}

template <class T>
random_call selected(random_numbers& random) {
  const random_choice<T> choice(random);
  const std::int64_t form = random.below(3);
  const auto launch = [=](T* out, const gpuprim::options& how) {
    int* const count = choice.count_out->data();
    if (form == 0) return gpuprim::select_if(choice.in(), given(choice.n), out, count, choice.predicate, how);
    if (form == 1) return gpuprim::select_flagged(choice.in(), choice.flags->data(), given(choice.n), out, count, how);
    const gpuprim::element_count n{choice.number->data(), most - choice.skipped};
    return gpuprim::select_if(choice.in(), n, out, count, choice.predicate, how);
  };
  const std::int64_t bytes =
      std::max(gpuprim::select_workspace_bytes<T>(most), gpuprim::select_workspace_bytes<std::uint8_t, T>(most));
  const auto name = name_of("select", {sizeof(T), choice.n, choice.predicate.percent, choice.skipped, form});
  return choice.also_counted(apart(test::make_call(name, bytes, choice.chosen, launch), choice.in(), choice.n));
}

template <class T>
random_call partitioned(random_numbers& random) {
  const random_choice<T> choice(random);
  const std::int64_t form = random.below(3);
  std::vector<T> wanted = choice.chosen;
  if (form == 0) wanted.insert(wanted.end(), choice.others.begin(), choice.others.end());
  else wanted.insert(wanted.end(), choice.others.rbegin(), choice.others.rend());
  const auto launch = [=](T* out, const gpuprim::options& how) {
    int* const count = choice.count_out->data();
    if (form == 0) return gpuprim::stable_partition_if(choice.in(), given(choice.n), out, count, choice.predicate, how);
    if (form == 1) return gpuprim::partition_if(choice.in(), given(choice.n), out, count, choice.predicate, how);
    return gpuprim::partition_flagged(choice.in(), choice.flags->data(), given(choice.n), out, count, how);
  };
  const std::int64_t bytes = std::max(gpuprim::stable_partition_workspace_bytes<T>(choice.n),
                                      gpuprim::select_workspace_bytes<std::uint8_t, T>(choice.n));
  const auto name = name_of("partition", {sizeof(T), choice.n, choice.predicate.percent, choice.skipped, form});
  return choice.also_counted(apart(test::make_call(name, bytes, std::move(wanted), launch), choice.in(), choice.n));
}

template <class T>
random_call whole(random_numbers& random) {
  using Acc = accumulator<T>;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped), form = random.below(2);
  const Acc init = known<T>().over(0, random.below(3));
  const join_of<T> op{};
  const auto launch = [=](Acc* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    if (form == 0) return gpuprim::reduce<Acc>(gpuprim::reproducible, in, given(n), out, op, init, how);
    return gpuprim::reduce<Acc>(in, given(n), out, op, init, how);
  };
  const Acc wanted = op(init, known<T>().over(skipped, skipped + n));
  return test::make_call(name_of("reduce", {sizeof(T), n, skipped, form}), gpuprim::reduce_workspace_bytes<Acc>(n),
                         std::vector{wanted}, launch);
}

random_call place_of_least(random_numbers& random) {
  using T = std::uint8_t;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped);
  const auto begin = known<T>().values.begin() + skipped, least = std::min_element(begin, begin + n);
  const gpuprim::extremum<T> wanted{n > 0 ? *least : std::numeric_limits<T>::max(), least - begin};
  const auto launch = [=](gpuprim::extremum<T>* out, const gpuprim::options& how) {
    return gpuprim::min_element(known<T>().data() + skipped, given(n), out, how);
  };
  return test::make_call(name_of("min_element", {n, skipped}), gpuprim::min_element.workspace_bytes<T>(n),
                         std::vector{wanted}, launch);
}

struct has_value {
  std::uint32_t value;
  GPUPRIM_HOST_DEVICE bool operator()(std::uint32_t v) const { return v == value; }
};

random_call place_of_value(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped);
  const auto begin = known<T>().values.begin() + skipped;
  const has_value sought{known<T>().values[std::size_t(random.below(most))]};
  const std::int64_t wanted = std::find_if(begin, begin + n, sought) - begin;
  const auto launch = [=](std::int64_t* out, const gpuprim::options& how) {
    return gpuprim::find_if(known<T>().data() + skipped, given(n), out, sought, how);
  };
  return test::make_call(name_of("find_if", {n, skipped, sought.value}), gpuprim::search_workspace_bytes,
                         std::vector{wanted}, launch);
}

random_call counts(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped);
  const int bins = 1 + int(random.size(most / 8));
  const auto lower = T(random.below(1u << 31)), upper = T(lower + 1 + random.below(1u << 31));
  std::vector<unsigned> wanted(std::size_t(bins), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    const T value = known<T>().values[std::size_t(skipped + i)];
    if (value < lower || value >= upper) continue;
    ++wanted[std::size_t(std::uint64_t(value - lower) * std::uint64_t(bins) / (upper - lower))];
  }
  const auto launch = [=](unsigned* out, const gpuprim::options& how) {
    const gpuprim::even_bins all{bins, lower, upper};
    return gpuprim::histogram(known<T>().data() + skipped, given(n), out, all, how);
  };
  return apart(test::make_call(name_of("histogram", {n, bins, lower, upper, skipped}),
                               gpuprim::histogram_workspace_bytes, std::move(wanted), launch),
               known<T>().data() + skipped, n);
}

struct mix_words {
  GPUPRIM_HOST_DEVICE std::uint32_t operator()(std::uint32_t a, std::uint8_t b) const { return a * 3 + b; }
};

random_call transformed(random_numbers& random) {
  const std::int64_t skipped = random.below(40), also = random.below(40), n = random.size(most - 40);
  std::vector<std::uint32_t> wanted;
  for (std::int64_t i = 0; i < n; ++i) {
    wanted.push_back(mix_words{}(known<std::uint32_t>().values[std::size_t(skipped + i)],
                                 known<std::uint8_t>().values[std::size_t(also + i)]));
  }
  const auto launch = [=](std::uint32_t* out, const gpuprim::options& how) {
    const auto both = gpuprim::inputs(known<std::uint32_t>().data() + skipped, known<std::uint8_t>().data() + also);
    return gpuprim::transform(both, given(n), out, mix_words{}, how);
  };
  return apart(test::make_call(name_of("transform", {n, skipped, also}), 0, std::move(wanted), launch),
               known<std::uint32_t>().data() + skipped, n);
}

template <class T>
random_call differences(random_numbers& random) {
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped);
  const auto begin = known<T>().values.begin() + skipped;
  std::vector<T> wanted(begin, begin + n);
  for (std::size_t i = wanted.size(); i-- > 1;) wanted[i] = gpuprim::minus<T>{}(wanted[i], wanted[i - 1]);
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::adjacent_difference(known<T>().data() + skipped, given(n), out, gpuprim::minus{}, how);
  };
  return apart(test::make_call(name_of("differences", {sizeof(T), n, skipped}), 0, std::move(wanted), launch),
               known<T>().data() + skipped, n);
}

template <class T>
random_call transposed(random_numbers& random) {
  const std::int64_t skipped = random.below(40), rows = 1 + random.size(300);
  const std::int64_t columns = 1 + random.size((most - skipped) / rows - 1);
  std::vector<T> wanted;
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      wanted.push_back(known<T>().values[std::size_t(skipped + row * columns + column)]);
    }
  }
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::transpose(known<T>().data() + skipped, given(rows), columns, out, how);
  };
  return apart(test::make_call(name_of("transpose", {sizeof(T), rows, columns, skipped}), 0, std::move(wanted), launch),
               known<T>().data() + skipped, rows * columns);
}

/// Numbers of which as many are equal as there are more than `different`.
std::vector<std::uint32_t> make_numbers(random_numbers& random, std::int64_t n) {
  const std::int64_t first = random.below(most - n + 1), different = 1 + random.size(1 << 20);
  std::vector<std::uint32_t> numbers(known<std::uint32_t>().values.begin() + first,
                                     known<std::uint32_t>().values.begin() + first + n);
  for (std::uint32_t& number : numbers) number = std::uint32_t(number % different);
  return numbers;
}

struct comes_first {
  GPUPRIM_HOST_DEVICE bool operator()(std::uint32_t a, std::uint32_t b) const { return a / 2 < b / 2; }
};

random_call merge_sorted(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t n = random.size(most / 2);
  std::vector<T> wanted = make_numbers(random, n);
  const auto in = std::make_shared<argument_array<T>>(wanted);
  std::stable_sort(wanted.begin(), wanted.end(), comes_first{});
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::merge_sort(in->data(), given(n), out, comes_first{}, how);
  };
  return apart(
      test::make_call(name_of("merge sort", {n}), gpuprim::merge_sort_workspace_size<T>(n), std::move(wanted), launch),
      in->data(), n);
}

/// A sort of numbers by some of their bits, which is stable.
random_call radix_sorted(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t n = random.size(most / 2);
  const int first = int(random.below(32)), end = first + 1 + int(random.below(32 - first));
  std::vector<T> wanted = make_numbers(random, n);
  const auto in = std::make_shared<argument_array<T>>(wanted);
  const auto bits = [=](T key) { return std::uint64_t(key) % (std::uint64_t{1} << end) >> first; };
  std::stable_sort(wanted.begin(), wanted.end(), [=](T a, T b) { return bits(a) < bits(b); });
  const auto order = gpuprim::ascending.bits(first, end);
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::sort(in->data(), given(n), out, order, how);
  };
  const gpuprim::workspace_size size = gpuprim::sort_workspace_size<T, void, std::remove_const_t<decltype(order)>>(n);
  return apart(test::make_call(name_of("radix sort", {n, first, end}), size, std::move(wanted), launch), in->data(), n);
}

/// Segments that lie behind each other from the first element on, each sorted.
random_call segments_sorted(random_numbers& random) {
  using T = std::uint32_t;
  std::vector<int> offsets{0};
  for (std::int64_t length : make_lengths(random, 0, most / 2)) offsets.push_back(offsets.back() + int(length));
  const auto n = std::int64_t{offsets.back()}, segments = std::int64_t(offsets.size()) - 1;
  std::vector<T> wanted = make_numbers(random, n);
  const auto in = std::make_shared<argument_array<T>>(wanted);
  const auto where = std::make_shared<argument_array<int>>(offsets);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::sort(wanted.begin() + offsets[i], wanted.begin() + offsets[i + 1], std::greater<>{});
  }
  const auto launch = [=](T* out, const gpuprim::options& how) {
    const gpuprim::segment_offsets at{where->data(), n};
    return gpuprim::segmented_sort(in->data(), at, given(segments), out, gpuprim::descending, how);
  };
  return apart(test::make_call(name_of("segmented sort", {n, segments}),
                               gpuprim::segmented_sort_workspace_size<T>(n, segments), std::move(wanted), launch),
               in->data(), n);
}

/// Two sorted arrays in one: b begins behind the elements of a.
random_call merged(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t a_count = random.size(most / 2), b_count = random.size(most / 2), form = random.below(5);
  std::vector<T> in = make_numbers(random, a_count), wanted;
  const std::vector<T> more = make_numbers(random, b_count);
  in.insert(in.end(), more.begin(), more.end());
  const auto begin = in.begin(), middle = begin + a_count, end = in.end();
  std::sort(begin, middle);
  std::sort(middle, end);
  const auto back = std::back_inserter(wanted);
  if (form == 0) std::merge(begin, middle, middle, end, back);
  else if (form == 1) std::set_union(begin, middle, middle, end, back);
  else if (form == 2) std::set_intersection(begin, middle, middle, end, back);
  else if (form == 3) std::set_difference(begin, middle, middle, end, back);
  else std::set_symmetric_difference(begin, middle, middle, end, back);
  const auto arrays = std::make_shared<argument_array<T>>(in);
  const auto count = std::make_shared<argument_array<std::int64_t>>(1);
  const auto launch = [=](T* out, const gpuprim::options& how) {
    const T *const a = arrays->data(), *const b = a + a_count;
    const std::less<> less;
    if (form == 0) return gpuprim::merge(a, given(a_count), b, given(b_count), out, less, how);
    if (form == 1) return gpuprim::set_union(a, given(a_count), b, given(b_count), out, count->data(), less, how);
    if (form == 2)
      return gpuprim::set_intersection(a, given(a_count), b, given(b_count), out, count->data(), less, how);
    if (form == 3) return gpuprim::set_difference(a, given(a_count), b, given(b_count), out, count->data(), less, how);
    return gpuprim::set_symmetric_difference(a, given(a_count), b, given(b_count), out, count->data(), less, how);
  };
  return apart(test::make_call(name_of("merge", {form, a_count, b_count}),
                               gpuprim::set_symmetric_difference_workspace_size<T>(a_count + b_count),
                               std::move(wanted), launch),
               arrays->data(), a_count);
}

/// The k largest or smallest of a range, sorted.
template <class T>
random_call top_k_of(random_numbers& random) {
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped), k = random.size(5000);
  const auto order = random.one_of(2) ? gpuprim::largest.sorted() : gpuprim::smallest.sorted();
  const bool are_largest = order.end == gpuprim::top_k_end::largest;
  std::vector<T> wanted(known<T>().values.begin() + skipped, known<T>().values.begin() + skipped + n);
  std::sort(wanted.begin(), wanted.end(), [&](T a, T b) { return are_largest ? a > b : a < b; });
  wanted.resize(std::size_t(std::min(k, n)));
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::top_k(known<T>().data() + skipped, given(n), k, out, order, how);
  };
  const auto size = gpuprim::top_k_workspace_size<T>(n, k, order);
  return apart(
      test::make_call(name_of("top_k", {sizeof(T), skipped, n, k, are_largest}), size, std::move(wanted), launch),
      known<T>().data() + skipped, n);
}

random_call any_call(random_numbers& random) {
  static const std::vector<call_maker> kinds =
      test::make_kinds({by_offsets<__nv_bfloat16, std::int64_t>,
                        by_bounds<affine>,
                        of_one_length<std::uint8_t>,
                        columns,
                        by_key<signed char, affine>,
                        run_lengths<signed char>,
                        whole<__half>,
                        place_of_least,
                        place_of_value,
                        counts,
                        transformed,
                        differences<std::uint8_t>,
                        transposed<point3>,
                        selected<signed char>,
                        partitioned<affine>,
                        unique_keys<int>,
                        first_by_key<int, point3>,
                        merge_sorted,
                        merged,
                        radix_sorted,
                        segments_sorted,
                        top_k_of<signed char>,
                        long_runs},
                       [](auto& all, auto) {
                         all.insert(all.end(), {by_offsets<std::uint32_t, int>,
                                                by_offsets<affine, int>,
                                                by_offsets<std::uint8_t, std::int64_t>,
                                                by_bounds<std::uint32_t>,
                                                of_one_length<affine>,
                                                by_key<int, std::uint32_t>,
                                                by_key<std::uint8_t, affine>,
                                                whole<std::uint32_t>,
                                                whole<affine>,
                                                whole<point3>,
                                                differences<std::uint32_t>,
                                                transposed<std::uint8_t>,
                                                transposed<std::uint32_t>,
                                                selected<std::uint32_t>,
                                                selected<std::uint8_t>,
                                                selected<point3>,
                                                partitioned<std::uint32_t>,
                                                unique_keys<short>,
                                                top_k_of<std::uint8_t>,
                                                top_k_of<std::uint32_t>});
                       });
  return kinds[std::size_t(random.below(std::int64_t(kinds.size())))](random);
}

}  // namespace

TEST_CASE("random calls, several under way at once", "[device][sanitizer][fuzz]") { test::make_random_calls(any_call); }
