// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random sorts, merges and selections of the largest that move a value along with each key, several under way at once.
#include "../support/random_inputs.cuh"

namespace {

using namespace test;

/// Keys of which many are equal, and the order in which a stable sort by `less` puts their positions.
template <class Key>
struct random_keys {
  std::vector<Key> keys;
  std::shared_ptr<argument_array<Key>> in;

  random_keys(random_numbers& random, std::int64_t n) {
    const std::int64_t different = 1 + random.size(1 << 20);
    for (std::int64_t i = 0; i < n; ++i) keys.push_back(make_key(random.below(different)));
    in = std::make_shared<argument_array<Key>>(keys, sizeof(Key) * std::size_t(random.below(4)));
  }

  /// In the order of the numbers. Long ones differ in both halves.
  static Key make_key(std::int64_t number) {
    if constexpr (sizeof(Key) == 16) return (static_cast<Key>(number) << 70) + static_cast<Key>(number);
    else if constexpr (gpuprim::is_half_precision<Key>) return Key(float(number % 2000));
    else return static_cast<Key>(number);
  }

  std::int64_t n() const { return std::int64_t(keys.size()); }
  /// Positions from 0 on of the keys from `first` to `last`.
  template <class Less>
  std::vector<int> order_of(std::int64_t first, std::int64_t last, Less less) const {
    std::vector<int> positions;
    for (std::int64_t i = first; i < last; ++i) positions.push_back(int(i - first));
    const auto begin = keys.begin() + first;
    std::stable_sort(positions.begin(), positions.end(), [&](int a, int b) { return less(begin[a], begin[b]); });
    return positions;
  }
  std::vector<Key> at(const std::vector<int>& positions) const {
    std::vector<Key> found;
    for (int i : positions) found.push_back(keys[std::size_t(i)]);
    return found;
  }
};

/// The known values at some positions.
template <class T>
std::vector<T> known_at(const std::vector<int>& positions) {
  std::vector<T> found;
  for (int i : positions) found.push_back(known<T>().values[std::size_t(i)]);
  return found;
}

/// Keys and values, by digits or by comparisons, to other arrays or in place behind a copy.
template <class Key, class Value>
random_call pairs_sorted(random_numbers& random) {
  const random_keys<Key> keys(random, random.size(most / 4));
  const std::int64_t n = keys.n(), form = random.below(4);
  const std::vector<int> order = form == 1 ? keys.order_of(0, n, std::greater<>{}) : keys.order_of(0, n, std::less<>{});
  const auto launch = [=](Key* keys_out, Value* out, const gpuprim::options& how) {
    const Key* const in = keys.in->data();
    const Value* const values = known<Value>().data();
    if (form == 0) return gpuprim::sort_pairs(in, values, given(n), keys_out, out, how);
    if (form == 1) return gpuprim::sort_pairs(in, values, given(n), keys_out, out, gpuprim::descending, how);
    if (form == 2) return gpuprim::merge_sort_pairs(in, values, given(n), keys_out, out, std::less<>{}, how);
    cudaError_t e = gpuprim::copy(in, given(n), keys_out, how);
    if (e == cudaSuccess) e = gpuprim::copy(values, given(n), out, how);
    return e == cudaSuccess ? gpuprim::sort_pairs(keys_out, out, given(n), keys_out, out, how) : e;
  };
  const gpuprim::workspace_size size =
      form == 2 ? gpuprim::merge_sort_workspace_size<Key, Value>(n) : gpuprim::sort_workspace_size<Key, Value>(n);
  return several(apart(test::make_call(name_of("pairs sorted", {sizeof(Key), sizeof(Value), form, n}), size,
                                       keys.at(order), known_at<Value>(order), launch),
                       keys.in->data(), form == 3 ? 0 : n),  // values that are copied there meet no key
                 form == 3);
}

/// In two buffers, of which the call says where the results are.
random_call sorted_in_buffers(random_numbers& random) {
  using Key = std::uint32_t;
  using Value = affine;
  const random_keys<Key> keys(random, random.size(most / 4));
  const std::int64_t n = keys.n();
  const std::vector<int> order = keys.order_of(0, n, std::less<>{});
  const auto more_keys = std::make_shared<argument_array<Key>>(std::size_t(n));
  const auto more_values = std::make_shared<argument_array<Value>>(std::size_t(n));
  const auto launch = [=](Key* keys_out, Value* out, const gpuprim::options& how) {
    gpuprim::double_buffer<Key> key_buffers{keys_out, more_keys->data()};
    gpuprim::double_buffer<Value> value_buffers{out, more_values->data()};
    cudaError_t e = gpuprim::copy(keys.in->data(), given(n), keys_out, how);
    if (e == cudaSuccess) e = gpuprim::copy(known<Value>().data(), given(n), out, how);
    if (e == cudaSuccess) e = gpuprim::sort_pairs(key_buffers, value_buffers, given(n), how);
    if (e == cudaSuccess && key_buffers.current != keys_out)
      e = gpuprim::copy(key_buffers.current, given(n), keys_out, how);
    if (e == cudaSuccess && value_buffers.current != out) e = gpuprim::copy(value_buffers.current, given(n), out, how);
    return e;
  };
  return several(test::make_call(name_of("sorted in buffers", {n}), gpuprim::sort_in_buffers_size<Key, Value>(n),
                                 keys.at(order), known_at<Value>(order), launch));
}

random_call segments_of_pairs(random_numbers& random) {
  using Key = std::uint32_t;
  std::vector<int> offsets{0};
  for (std::int64_t length : make_lengths(random, 0, most / 4)) offsets.push_back(offsets.back() + int(length));
  const random_keys<Key> keys(random, offsets.back());
  const std::int64_t n = keys.n(), segments = std::int64_t(offsets.size()) - 1;
  std::vector<int> order;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (int at : keys.order_of(offsets[i], offsets[i + 1], std::less<>{})) order.push_back(offsets[i] + at);
  }
  const auto where = std::make_shared<argument_array<int>>(offsets);
  const auto launch = [=](Key* keys_out, affine* out, const gpuprim::options& how) {
    return gpuprim::segmented_sort_pairs(keys.in->data(), known<affine>().data(),
                                         gpuprim::segment_offsets{where->data(), n}, given(segments), keys_out, out,
                                         how);
  };
  return apart(test::make_call(name_of("segments of pairs", {n, segments}),
                               gpuprim::segmented_sort_workspace_size<Key, affine>(n, segments), keys.at(order),
                               known_at<affine>(order), launch),
               keys.in->data(), n);
}

/// Two sorted arrays of pairs in one: the values of b are behind those of a.
random_call pairs_merged(random_numbers& random) {
  using T = std::uint32_t;
  const std::int64_t a_count = random.size(most / 4), n = a_count + random.size(most / 4);
  const std::int64_t different = 1 + random.size(1 << 20);
  std::vector<T> keys;
  for (std::int64_t i = 0; i < n; ++i) keys.push_back(T(random.below(different)));
  std::sort(keys.begin(), keys.begin() + a_count);
  std::sort(keys.begin() + a_count, keys.end());
  std::vector<int> order(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
  const auto key_of = [&](int i) { return keys[std::size_t(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key_of(a) < key_of(b); });
  std::vector<T> wanted = keys;
  std::sort(wanted.begin(), wanted.end());
  const auto in = std::make_shared<argument_array<T>>(keys, sizeof(T) * std::size_t(random.below(4)));
  const auto launch = [=](T* keys_out, point3* out, const gpuprim::options& how) {
    const T* const a = in->data();
    const point3* const values = known<point3>().data();
    return gpuprim::merge_pairs(a, values, given(a_count), a + a_count, values + a_count, given(n - a_count), keys_out,
                                out, std::less<>{}, how);
  };
  return apart(test::make_call(name_of("pairs merged", {a_count, n, different}),
                               gpuprim::merge_workspace_size<T, point3>(n), std::move(wanted), known_at<point3>(order),
                               launch, alignof(point3) * std::size_t(random.below(16))),
               in->data(), a_count);
}

/// Each takes a block some barriers.
constexpr std::int64_t most_rows = test::sanitized ? 40 : 1 << 20;

/// The k largest or smallest, with their positions or with values, of all keys or of rows.
template <bool OfRows, bool HaveValues>
random_call top_k_with(random_numbers& random) {
  using Key = std::uint32_t;
  const std::int64_t length = random.size(OfRows ? 3000 : most / 4);
  const std::int64_t rows = OfRows ? random.size(std::min(most_rows, most / 4 / std::max<std::int64_t>(length, 1))) : 1;
  const random_keys<Key> keys(random, rows * length);
  const std::int64_t k = std::min(random.size(5000), length);
  std::vector<Key> wanted;
  std::vector<int> positions;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::vector<int> order = keys.order_of(row * length, (row + 1) * length, std::greater<>{});
    for (std::int64_t i = 0; i < k; ++i) {
      const std::int64_t in_row = order[std::size_t(i)], in_all = row * length + in_row;
      wanted.push_back(keys.keys[std::size_t(in_all)]);
      positions.push_back(int(HaveValues ? in_all : in_row));
    }
  }
  const auto order = gpuprim::largest.sorted();
  const auto launch = [=](Key* keys_out, int* out, const gpuprim::options& how) {
    const Key* const in = keys.in->data();
    [[maybe_unused]] const gpuprim::positions<int> values;
    [[maybe_unused]] const gpuprim::fixed_length each{length};
    if constexpr (OfRows && HaveValues) {
      return gpuprim::segmented_top_k_pairs(in, values, each, given(rows), k, keys_out, out, order, how);
    } else if constexpr (OfRows) {
      return gpuprim::segmented_top_k_positions(in, each, given(rows), k, keys_out, out, order, how);
    } else if constexpr (HaveValues) {
      return gpuprim::top_k_pairs(in, values, given(length), k, keys_out, out, order, how);
    } else {
      return gpuprim::top_k_positions(in, given(length), k, keys_out, out, order, how);
    }
  };
  const gpuprim::fixed_length each{length};
  const gpuprim::workspace_size size = OfRows ? gpuprim::segmented_top_k_workspace_size<Key>(each, rows, k, order)
                                              : gpuprim::top_k_workspace_size<Key>(length, k, order);
  return apart(test::make_call(name_of("top_k with", {OfRows, HaveValues, length, rows, k}), size, std::move(wanted),
                               std::move(positions), launch),
               keys.in->data(), rows * length);
}

/// Keys alone, of rows.
template <class Key>
random_call top_k_of_rows(random_numbers& random) {
  const std::int64_t length = random.size(3000);
  const std::int64_t rows = random.size(std::min(most_rows, most / 4 / std::max<std::int64_t>(length, 1)));
  const random_keys<Key> keys(random, rows * length);
  const std::int64_t k = std::min(random.size(1000), length);
  std::vector<Key> wanted;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::vector<Key> sorted(keys.keys.begin() + row * length, keys.keys.begin() + (row + 1) * length);
    std::sort(sorted.begin(), sorted.end());
    wanted.insert(wanted.end(), sorted.begin(), sorted.begin() + k);
  }
  const auto order = gpuprim::smallest.sorted();
  const gpuprim::fixed_length each{length};
  const auto launch = [=](Key* out, const gpuprim::options& how) {
    return gpuprim::segmented_top_k(keys.in->data(), each, given(rows), k, out, order, how);
  };
  return apart(
      test::make_call(name_of("top_k of rows", {length, rows, k}),
                      gpuprim::segmented_top_k_workspace_size<Key>(each, rows, k, order), std::move(wanted), launch),
      keys.in->data(), rows * length);
}

/// The keys before the n-th and behind it are in no order: a sort of each side behind the call puts them in one.
random_call nth_of(random_numbers& random) {
  using Key = std::uint32_t;
  const random_keys<Key> keys(random, 1 + random.size(most / 4 - 1));
  const std::int64_t n = keys.n(), nth = random.below(n);
  std::vector<Key> wanted = keys.keys;
  std::sort(wanted.begin(), wanted.end());
  const auto launch = [=](Key* out, const gpuprim::options& how) {
    cudaError_t e = gpuprim::nth_element(keys.in->data(), given(n), nth, out, how);
    if (e == cudaSuccess) e = gpuprim::sort(out, nth, out, how);
    if (e == cudaSuccess) e = gpuprim::sort(out + nth + 1, n - nth - 1, out + nth + 1, how);
    return e;
  };
  gpuprim::workspace_size size = gpuprim::nth_element_workspace_size<Key>(n);
  for (const std::int64_t of_side : {nth, n - nth - 1}) {
    const gpuprim::workspace_size of_sort = gpuprim::sort_workspace_size<Key>(of_side);
    size = {std::max(size.zeroed_bytes, of_sort.zeroed_bytes), std::max(size.scratch_bytes, of_sort.scratch_bytes)};
  }
  return several(
      apart(test::make_call(name_of("nth_element", {n, nth}), size, std::move(wanted), launch), keys.in->data(), n));
}

random_call nth_of_rows(random_numbers& random) {
  using Key = std::uint16_t;
  const std::int64_t length = 1 + random.size(random.one_of(2) ? 40 : most / 4 - 1);
  const std::int64_t rows = random.size(most / 4 / length);
  const random_keys<Key> keys(random, length * rows);
  const bool have_own = random.one_of(2);
  const std::int64_t nth = random.below(length);
  std::vector<int> places;
  std::vector<Key> wanted;
  for (std::int64_t i = 0; i < rows; ++i) {
    places.push_back(int(have_own ? random.below(length) : nth));
    const auto begin = keys.keys.begin() + i * length;
    std::vector<Key> row(begin, begin + length);
    std::sort(row.begin(), row.end());
    wanted.push_back(row[std::size_t(places.back())]);
  }
  const gpuprim::fixed_length each{length};
  const auto own = std::make_shared<argument_array<int>>(places);
  const auto launch = [=](Key* out, const gpuprim::options& how) {
    return have_own ? gpuprim::segmented_nth_element(keys.in->data(), each, given(rows), own->data(), out, how)
                    : gpuprim::segmented_nth_element(keys.in->data(), each, given(rows), nth, out, how);
  };
  return apart(
      test::make_call(name_of("segmented_nth_element", {length, rows, nth, have_own}),
                      gpuprim::segmented_nth_element_workspace_size<Key>(each, rows), std::move(wanted), launch),
      keys.in->data(), rows * length);
}

random_call any_sort(random_numbers& random) {
  static const std::vector<call_maker> kinds = test::make_kinds(
      {pairs_sorted<unsigned __int128, std::uint32_t>, sorted_in_buffers, segments_of_pairs, pairs_merged,
       top_k_with<true, true>, top_k_with<false, false>, top_k_of_rows<__half>, nth_of, nth_of_rows},
      [](auto& all, auto) {
        all.insert(all.end(), {pairs_sorted<std::uint32_t, point3>, pairs_sorted<std::uint8_t, std::uint32_t>,
                               top_k_with<true, false>, top_k_with<false, true>, top_k_of_rows<std::uint8_t>});
      });
  return kinds[std::size_t(random.below(std::int64_t(kinds.size())))](random);
}

}  // namespace

TEST_CASE("random sorts, several under way at once", "[device][sanitizer][fuzz]") { test::make_random_calls(any_sort); }
