// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls that move elements: selects and partitions of several kinds, passes over arrays, gathers and searches in
// sorted arrays, several under way at once.
#include "../support/random_inputs.cuh"

namespace {

using namespace test;

/// Half of those values for which a predicate holds.
struct half_if {
  in_percent predicate;
  GPUPRIM_HOST_DEVICE gpuprim::maybe<std::uint32_t> operator()(std::uint32_t x) const {
    return predicate(x) ? gpuprim::maybe<std::uint32_t>{x / 2} : gpuprim::maybe<std::uint32_t>{};
  }
};

random_call selected_otherwise(random_numbers& random) {
  using T = std::uint32_t;
  const random_choice<T> choice(random);
  const bool are_positions = random.one_of(2);
  std::vector<T> wanted;
  for (std::int64_t i = 0; i < choice.n; ++i) {
    const T value = known<T>().values[std::size_t(choice.skipped + i)];
    if (choice.predicate(value)) wanted.push_back(are_positions ? T(i) : value / 2);
  }
  const auto launch = [=](T* out, const gpuprim::options& how) {
    int* const count = choice.count_out->data();
    return are_positions
               ? gpuprim::select_indices(choice.in(), given(choice.n), out, count, choice.predicate, how)
               : gpuprim::transform_select(choice.in(), given(choice.n), out, count, half_if{choice.predicate}, how);
  };
  const auto name = name_of("select otherwise", {choice.n, choice.predicate.percent, choice.skipped, are_positions});
  return choice.also_counted(apart(test::make_call(name, gpuprim::select_workspace_bytes<T>(choice.n),
                                                   std::move(wanted), launch, sizeof(T) * std::size_t(random.below(4))),
                                   choice.in(), choice.n));
}

/// A partition into two outputs.
template <class T>
random_call parted(random_numbers& random) {
  const random_choice<T> choice(random);
  const auto launch = [=](T* chosen, T* others, const gpuprim::options& how) {
    return gpuprim::partition_if(choice.in(), given(choice.n), gpuprim::outputs(chosen, others),
                                 choice.count_out->data(), choice.predicate, how);
  };
  return choice.also_counted(apart(
      test::make_call(name_of("partition into two", {sizeof(T), choice.n, choice.predicate.percent, choice.skipped}),
                      gpuprim::select_workspace_bytes<T, T, 2>(choice.n), choice.chosen, choice.others, launch,
                      sizeof(T) * std::size_t(random.below(4))),
      choice.in(), choice.n));
}

/// Passes over one array that make another of the same type.
template <class T>
random_call streamed(random_numbers& random) {
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped), form = random.below(4);
  const in_percent predicate{int(random.below(101))};
  const T value = known<T>().values[std::size_t(random.below(most))];
  const auto begin = known<T>().values.begin() + skipped;
  std::vector<T> wanted(begin, begin + n);
  if (form == 0) std::fill(wanted.begin(), wanted.end(), value);
  if (form >= 2) std::replace_if(wanted.begin(), wanted.end(), predicate, value);
  const auto launch = [=](T* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    if (form == 0) return gpuprim::fill(out, given(n), value, how);
    if (form == 2) return gpuprim::replace_if(in, given(n), out, predicate, value, how);
    const cudaError_t e = gpuprim::copy(in, given(n), out, how);
    if (form == 1 || e != cudaSuccess) return e;
    return gpuprim::replace_if(out, given(n), out, predicate, value, how);  // in place
  };
  return several(test::make_call(name_of("stream", {sizeof(T), form, n, skipped, predicate.percent}), 0,
                                 std::move(wanted), launch, alignof(T) * std::size_t(random.below(16))),
                 form == 3);
}

struct squared_position {
  GPUPRIM_HOST_DEVICE std::uint32_t operator()(std::int64_t i) const { return std::uint32_t(i * i); }
};
struct put_squared {
  std::uint32_t* out;
  GPUPRIM_HOST_DEVICE void operator()(std::int64_t i) const { out[i] = squared_position{}(i); }
};
struct put_at {
  std::uint32_t* out;
  GPUPRIM_HOST_DEVICE void operator()(std::int64_t at, std::uint32_t value) const { out[at] = value; }
};

/// Functions of positions.
random_call made_of_positions(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), n = random.size(most - skipped), form = random.below(3);
  const auto begin = known<T>().values.begin() + skipped;
  std::vector<T> wanted(begin, begin + n);
  for (std::int64_t i = 0; form > 0 && i < n; ++i) wanted[std::size_t(i)] = squared_position{}(i);
  const auto launch = [=](T* out, const gpuprim::options& how) {
    if (form == 1) return gpuprim::generate(out, given(n), squared_position{}, how);
    if (form == 2) return gpuprim::for_each(n, put_squared{out}, how);
    const auto in = gpuprim::inputs(gpuprim::positions<>{}, known<T>().data() + skipped);
    return gpuprim::for_each(in, given(n), put_at{out}, how);
  };
  return hidden(test::make_call(name_of("of positions", {form, n, skipped}), 0, std::move(wanted), launch,
                                sizeof(T) * std::size_t(random.below(4))));
}

/// Places in an array, by their numbers.
template <class T>
struct places_in : gpuprim::detail::input_iterator_types<T*> {
  T* array;
  const std::int64_t* at;
  places_in(T* a, const std::int64_t* places) : array(a), at(places) {}
  __device__ T* operator[](std::int64_t i) const { return array + at[i]; }
};

/// Elements by a permutation, from their places and to them, or from any places.
template <class T>
random_call moved(random_numbers& random) {
  const std::int64_t skipped = random.below(40), n = random.size(most / 2), form = random.below(3);
  std::vector<int> indices;
  for (std::int64_t i = 0; i < n; ++i) indices.push_back(int(form == 0 ? random.below(n) : i));
  for (std::size_t i = indices.size(); form > 0 && i > 1; --i) {
    std::swap(indices[i - 1], indices[std::size_t(random.below(std::int64_t(i)))]);
  }
  const auto begin = known<T>().values.begin() + skipped;
  std::vector<T> wanted(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const int at = indices[std::size_t(i)];
    if (form == 2) wanted[std::size_t(at)] = begin[i];
    else wanted[std::size_t(i)] = begin[at];
  }
  const auto where = std::make_shared<argument_array<int>>(indices, sizeof(int) * std::size_t(random.below(4)));
  const auto launch = [=](T* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    const int* const index = where->data();
    return form == 2 ? gpuprim::scatter(in, index, given(n), out, how) : gpuprim::gather(in, index, given(n), out, how);
  };
  return test::make_call(name_of("move", {sizeof(T), form, n, skipped}), 0, std::move(wanted), launch,
                         alignof(T) * std::size_t(random.below(16)));
}

/// Ranges from anywhere, one behind the other.
template <class T>
random_call in_batches(random_numbers& random) {
  const std::int64_t skipped = random.below(40), count = random.size(2000);
  const std::int64_t longest = 1 + random.size(random.one_of(2) ? 20 : most / 2 / std::max<std::int64_t>(count, 1));
  const T* const in = known<T>().data() + skipped;
  std::vector<const T*> inputs;
  std::vector<std::int64_t> offsets;
  std::vector<int> sizes;
  std::vector<T> wanted;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t size = random.below(longest), first = random.below(most / 2);
    const auto begin = known<T>().values.begin() + skipped + first;
    inputs.push_back(in + first);
    offsets.push_back(std::int64_t(wanted.size()));
    sizes.push_back(int(size));
    wanted.insert(wanted.end(), begin, begin + size);
  }
  const auto from = std::make_shared<argument_array<const T*>>(inputs);
  const auto of_size = std::make_shared<argument_array<int>>(sizes);
  const auto at = std::make_shared<argument_array<std::int64_t>>(offsets);
  const auto launch = [=](T* out, const gpuprim::options& how) {
    return gpuprim::copy_batched(from->data(), places_in<T>(out, at->data()), of_size->data(), given(count), how);
  };
  return hidden(test::make_call(name_of("batches", {sizeof(T), count, longest, skipped}),
                                gpuprim::copy_batched_workspace_size(count), std::move(wanted), launch,
                                alignof(T) * std::size_t(random.below(16))));
}

struct halved_value {
  GPUPRIM_HOST_DEVICE std::uint32_t operator()(std::uint32_t x) const { return x / 2; }
};

/// Elements that stand where they were, or the other way round, or in a random order; some of them, by a predicate; or
/// made of neighbours.
random_call arranged(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t skipped = random.below(40), n = random.size(most / 2), form = random.below(9);
  const in_percent predicate{int(random.below(101))};
  const std::uint64_t seed = std::uint64_t(random.below(1000));
  const auto begin = known<T>().values.begin() + skipped;
  const std::vector<T> own(begin, begin + n);
  std::vector<T> wanted(own.size(), 7);
  const gpuprim::shuffled_positions order(n, seed);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t last = own.size() - 1, left = i > 0 ? i - 1 : i, right = i < last ? i + 1 : i;
    switch (form) {
      case 0:
        if (predicate(own[i])) wanted[i] = own[i] / 2;
        break;
      case 1:
        if (predicate(own[i])) wanted[i] = own[std::size_t(order[std::int64_t(i)])];
        break;
      case 2:
        if (predicate(own[i])) wanted[std::size_t(order[std::int64_t(i)])] = own[i];
        break;
      case 3:
        wanted[i] = T(5 + 3 * i);
        break;
      case 4:
        wanted[i] = own[last - i];
        break;
      case 5:
        wanted[i] = own[std::size_t(order[std::int64_t(i)])];
        break;
      case 6:
      case 8:
        wanted[i] = right == i ? own[i] : own[i] - own[right];
        break;
      default:
        wanted[i] = left == i ? own[i] : own[i] - own[left];
    }
  }
  const auto launch = [=](T* out, const gpuprim::options& how) {
    const T* const in = known<T>().data() + skipped;
    if (form == 3) return gpuprim::sequence(out, given(n), T(5), 3, how);
    if (form == 4) return gpuprim::reverse(in, given(n), out, how);
    if (form == 5) return gpuprim::shuffle(in, given(n), out, seed, how);
    if (form == 6) return gpuprim::adjacent_difference_right(in, given(n), out, how);
    const cudaError_t e = form > 6 ? gpuprim::copy(in, given(n), out, how) : gpuprim::fill(out, given(n), 7, how);
    if (e != cudaSuccess) return e;
    if (form == 7) return gpuprim::adjacent_difference_in_place(out, given(n), how);
    if (form == 8) return gpuprim::adjacent_difference_right_in_place(out, given(n), how);
    if (form == 1) return gpuprim::gather_if(in, order, in, given(n), out, predicate, how);
    if (form == 2) return gpuprim::scatter_if(in, order, in, given(n), out, predicate, how);
    return gpuprim::transform_if(in, given(n), out, halved_value{}, predicate, how);
  };
  return several(test::make_call(name_of("arrange", {form, n, skipped, predicate.percent}),
                                 gpuprim::adjacent_difference_workspace_bytes<T>(n), std::move(wanted), launch,
                                 sizeof(T) * std::size_t(random.below(4))),
                 form < 3 || form > 6);
}

/// Where values stand in a sorted array. Half of the time they are sorted too.
random_call bounds_of_values(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t n = random.size(most / 4), count = random.size(most / 4);
  const bool are_upper = random.one_of(2), are_sorted = random.one_of(2);
  const std::int64_t different = 1 + random.size(1 << 20);
  std::vector<T> sorted, values;
  for (std::int64_t i = 0; i < n; ++i) sorted.push_back(T(random.below(different)));
  for (std::int64_t i = 0; i < count; ++i) values.push_back(T(random.below(different + 1)));
  std::sort(sorted.begin(), sorted.end());
  if (are_sorted) std::sort(values.begin(), values.end());
  std::vector<int> wanted;
  for (T value : values) {
    const auto at = are_upper ? std::upper_bound(sorted.begin(), sorted.end(), value)
                              : std::lower_bound(sorted.begin(), sorted.end(), value);
    wanted.push_back(int(at - sorted.begin()));
  }
  const auto in = std::make_shared<argument_array<T>>(sorted);
  const auto sought = std::make_shared<argument_array<T>>(values, sizeof(T) * std::size_t(random.below(4)));
  const auto launch = [=](int* out, const gpuprim::options& how) {
    if (are_sorted) {
      return are_upper ? gpuprim::upper_bound_of_sorted(in->data(), given(n), sought->data(), given(count), out, how)
                       : gpuprim::lower_bound_of_sorted(in->data(), given(n), sought->data(), given(count), out, how);
    }
    return are_upper ? gpuprim::upper_bound(in->data(), given(n), sought->data(), given(count), out, how)
                     : gpuprim::lower_bound(in->data(), given(n), sought->data(), given(count), out, how);
  };
  return apart(test::make_call(name_of("bounds", {are_upper, are_sorted, n, count, different}),
                               gpuprim::bounds_of_sorted_workspace_size<T>(n, count), std::move(wanted), launch,
                               sizeof(int) * std::size_t(random.below(4))),
               in->data(), n);
}

random_call any_move(random_numbers& random) {
  static const std::vector<call_maker> kinds =
      test::make_kinds({selected_otherwise, parted<point3>, streamed<signed char>, made_of_positions, moved<affine>,
                        bounds_of_values, arranged, in_batches<std::uint8_t>},
                       [](auto& all, auto) {
                         all.insert(all.end(), {parted<std::uint8_t>, streamed<std::uint8_t>, streamed<std::uint32_t>,
                                                streamed<point3>, moved<std::uint8_t>, in_batches<point3>});
                       });
  return kinds[std::size_t(random.below(std::int64_t(kinds.size())))](random);
}

}  // namespace

TEST_CASE("random moves, several under way at once", "[device][sanitizer][fuzz]") { test::make_random_calls(any_move); }
