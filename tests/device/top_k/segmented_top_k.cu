// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/top_k_check.cuh"

namespace {

using gpuprim::largest, gpuprim::smallest, gpuprim::top_k_form, gpuprim::top_k_order;
using test::counted_top_k, test::key_shape, test::sampled_top_k;

/// Each row against the sort of it. `where_of(in)` makes the rows of the call.
template <gpuprim::top_k_policy Policy, class T, class Where, top_k_form Form>
void check_rows(const std::vector<T>& keys, const std::vector<std::int64_t>& offsets, const Where& where,
                std::int64_t k, top_k_order<Form> order) {
  const auto rows = std::int64_t(offsets.size()) - 1;
  CAPTURE(keys.size(), rows, k, int(order.end), int(order.form));
  using word = typename test::detail::radix_key<T>::word;
  using launch = test::detail::top_k_launch<Policy>;
  gpuprim::workspace workspace(test::detail::launch_top_k::find_workspace<launch, word, Form>(
      test::detail::top_k_rows(test::detail::segments_of(where, rows)), k));
  const gpuprim::options how{nullptr, &workspace};
  const auto room = std::size_t(rows * k);
  test::device_array<T> in(keys), alone(room), out(room);
  test::device_array<int> positions(room);
  const T* const from = in.data();
  const auto call = [&](T* to, auto... positions_to) {
    return test::detail::top_k_of_segments<Policy>(from, where, rows, k, to, order, how, positions_to...).report();
  };
  CUDA_OK(call(alone.data()));
  CUDA_OK(call(out.data(), positions.data()));
  const auto got_alone = alone.download(), got = out.download();
  const auto got_at = positions.download();
  const test::device_array<int> untouched(1);
  const int poison = untouched.download()[0];
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t begin = offsets[std::size_t(row)], end = offsets[std::size_t(row + 1)];
    auto at = test::find_top_k(keys, begin, end, k, order);
    const auto first = row * k, last = first + std::int64_t(at.size());
    std::vector<int> row_at(got_at.begin() + first, got_at.begin() + last);
    std::vector<T> row_alone(got_alone.begin() + first, got_alone.begin() + last), want;
    for (std::int64_t i : at) want.push_back(keys[std::size_t(begin + i)]);
    test::sort_by_sign(row_alone, order);
    if constexpr (Form == top_k_form::unsorted) {
      std::sort(row_at.begin(), row_at.end());
      std::sort(at.begin(), at.end());
    }
    CHECK(test::are_same_bits(row_alone, want));
    CHECK(std::equal(row_at.begin(), row_at.end(), at.begin(), at.end()));
    for (auto i = first; i < last; ++i) {
      CHECK(got[std::size_t(i)] == keys[std::size_t(begin + got_at[std::size_t(i)])]);
    }
    for (auto i = last; i < first + k; ++i) CHECK(got_at[std::size_t(i)] == poison);
  }
  in.check_unchanged();
  for (const auto* array : {&alone, &out}) array->check_guards();
  positions.check_guards();
  test::check_zero(workspace);
}

template <gpuprim::top_k_policy Policy, class T, top_k_form Form>
void check_even_rows(std::int64_t rows, std::int64_t length, std::int64_t k, key_shape shape, top_k_order<Form> order) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i <= rows; ++i) offsets.push_back(i * length);
  check_rows<Policy>(test::make_keys<T>(rows * length, shape), offsets, gpuprim::fixed_length{length}, k, order);
}

template <gpuprim::top_k_policy Policy, class T, top_k_form Form>
void check_uneven_rows(const std::vector<std::int64_t>& lengths, std::int64_t k, top_k_order<Form> order) {
  std::vector<std::int64_t> offsets{3};
  for (std::int64_t length : lengths) offsets.push_back(offsets.back() + length);
  const std::int64_t n = offsets.back() + 2;
  const test::device_array<std::int64_t> device_offsets(offsets);
  check_rows<Policy>(test::make_keys<T>(n, key_shape::random), offsets,
                     gpuprim::segment_offsets{static_cast<const std::int64_t*>(device_offsets.data()), n}, k, order);
}

}  // namespace

TEST_CASE("The k largest of each row, one block a row and several", "[device][sanitizer]") {
  for (auto shape : test::all_key_shapes) {
    for (int rows : {1, 3, 260}) {
      for (int length : {1, 33, 200, 700}) {
        if (rows == 260 && length > 33 && shape != key_shape::random) continue;
        check_even_rows<sampled_top_k, int>(rows, length, 5, shape, largest);
        if (rows == 3) check_even_rows<counted_top_k, int>(rows, length, 40, shape, smallest.sorted());
      }
    }
  }
  check_even_rows<sampled_top_k, int>(260, 3000, 20, key_shape::random, largest.sorted());
}

TEST_CASE("The k largest of rows by offsets", "[device][sanitizer]") {
  const std::vector<std::int64_t> lengths{0, 1, 700, 5, 0, 0, 64, 2000, 129, 3, 513, 0};
  const auto check = [&](auto order) {
    check_uneven_rows<sampled_top_k, int>(lengths, 7, order);
    check_uneven_rows<counted_top_k, float>(lengths, 60, order);
  };
  test::for_orders(check, largest, smallest, largest.sorted());
  std::vector<std::int64_t> many;
  for (int i = 0; i < 150; ++i) many.push_back(test::scramble(std::uint64_t(i)) % 90);
  check_uneven_rows<sampled_top_k, short>(many, 10, largest);
}

namespace {

/// Rows by bounds, some of which overlap or end before they begin, and as many keys of each as it says.
template <class T, top_k_form Form>
void check_bounds(std::int64_t most, top_k_order<Form> order) {
  CAPTURE(most, int(order.form));
  constexpr std::int64_t n = 30000;
  const std::vector<int> begins{0, 100, 50, 29990, 700, 20, 5000, 1}, counts{6, 3, 2, 5000, 4, -1, 0, 5000};
  const std::vector<std::int64_t> ends{9000, 100, 20050, 30000, 600, 60, 25000, 2601};
  const auto rows = std::int64_t(begins.size());
  const auto keys = test::make_keys<T>(n, key_shape::random);
  test::device_array<T> in(keys), out(std::size_t(rows * most));
  test::device_array<int> first(begins), taken(counts), at(std::size_t(rows * most));
  test::device_array<std::int64_t> last(ends);
  const gpuprim::segment_bounds where{static_cast<const int*>(first.data()),
                                      static_cast<const std::int64_t*>(last.data()), n};
  const gpuprim::k_of_segments k{static_cast<const int*>(taken.data()), most};
  gpuprim::workspace workspace(gpuprim::segmented_top_k_workspace_size<T>(where, rows, most, order));
  CUDA_OK(gpuprim::segmented_top_k_positions(in.data(), where, rows, k, out.data(), at.data(), order,
                                             {.workspace = &workspace}));
  const auto got = out.download();
  auto got_at = at.download();
  const int poison = test::device_array<int>(1).download()[0];
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto i = std::size_t(row);
    const std::int64_t begin = begins[i], end = std::max<std::int64_t>(begin, ends[i]);
    const std::int64_t count = std::clamp<std::int64_t>(counts[i], 0, most);
    auto want = test::find_top_k(keys, begin, end, count, order);
    const auto from = got_at.begin() + row * most, to = from + std::int64_t(want.size());
    for (auto result = from; result != to; ++result) {
      CHECK(got[std::size_t(result - got_at.begin())] == keys[std::size_t(begin + *result)]);
    }
    if constexpr (Form == top_k_form::unsorted) {
      std::sort(from, to);
      std::sort(want.begin(), want.end());
    }
    CHECK(std::equal(from, to, want.begin(), want.end()));
    CHECK(std::all_of(to, from + most, [&](int place) { return place == poison; }));
  }
  at.check_guards();
  test::check_zero(workspace);
}

}  // namespace

TEST_CASE("The k largest of rows by bounds, of each as many as it says", "[device]") {
  check_bounds<float>(6, largest);
  check_bounds<double>(6, smallest);
  check_bounds<float>(2200, smallest.sorted());  // more than a block sorts
  check_bounds<std::int64_t>(7, largest.sorted());
}

TEST_CASE("Counts and bounds of rows that are refused", "[device]") {
  constexpr int rows = 2, n = 100;
  test::device_array<int> in(test::make_keys<int>(n, key_shape::random)), out(rows * 3);
  const std::vector<int> starts{0, 50}, stops{50, 100};
  test::device_array<int> begins(starts), ends(stops), counts(starts);
  const int *const none = nullptr, *const first = begins.data(), *const last = ends.data();
  const auto refuses = [](cudaError_t e, const char* fault) {
    CHECK(e == cudaErrorInvalidValue);
    CHECK(std::string(gpuprim::last_fault()) == fault);
  };
  const gpuprim::segment_bounds where{first, last, n};
  const char* const absent = "the begins or ends are a null pointer or in host memory";
  refuses(gpuprim::segmented_top_k(in.data(), gpuprim::segment_bounds{first, none, n}, rows, 3, out.data()), absent);
  refuses(gpuprim::segmented_top_k(in.data(), gpuprim::segment_bounds{none, last, n}, rows, 3, out.data()), absent);
  refuses(gpuprim::segmented_top_k(in.data(), gpuprim::segment_bounds{first, last}, rows, 3, out.data()),
          "segment_bounds needs the number of elements here");
  refuses(gpuprim::segmented_top_k(in.data(), where, -1, 3, out.data()), "the number of segments is negative");
  refuses(gpuprim::segmented_top_k(in.data(), where, rows, gpuprim::k_of_segments{none, 3}, out.data()),
          "the counts are a null pointer or in host memory");
  refuses(gpuprim::segmented_top_k(in.data(), where, rows, 3, ends.data() + 1), "an output overlaps the offsets");
  const gpuprim::k_of_segments k{static_cast<const int*>(counts.data()), 3};
  refuses(gpuprim::segmented_top_k(in.data(), where, rows, k, counts.data()), "an output overlaps the offsets");
  out.check_untouched();
}

TEST_CASE("More sorted results of rows than a block sorts", "[device]") {
  for (auto shape : {key_shape::random, key_shape::few}) {
    check_even_rows<gpuprim::tuned_row_top_k_policy, float>(3, 5000, 2049, shape, largest.sorted());
    check_even_rows<gpuprim::tuned_row_top_k_policy, std::uint8_t>(2, 4000, 4000, shape, smallest.sorted());
  }
  check_even_rows<sampled_top_k, int>(2, 2500, 3000, key_shape::random, smallest.sorted());  // more than there are
  const std::vector<std::int64_t> lengths{0, 6000, 2050, 1, 0, 2500, 3001};
  const auto check = [&](auto order) {
    check_uneven_rows<gpuprim::tuned_row_top_k_policy, unsigned>(lengths, 2500, order);
    check_uneven_rows<counted_top_k, std::int8_t>(lengths, 2600, order);
  };
  test::for_orders(check, largest.sorted(), smallest.sorted());
}

TEST_CASE("The k largest of rows by the public calls", "[device][slow]") {
  constexpr int rows = 5, length = 20011, k = 50;
  check_even_rows<gpuprim::tuned_row_top_k_policy, float>(rows, length, k, key_shape::random, largest.sorted());
  const auto keys = test::make_keys<float>(rows * length, key_shape::random);
  test::device_array<float> in(keys), out(rows * k), beside(rows * k), other(rows * k);
  test::device_array<float> values(keys), values_out(rows * k);
  test::device_array<int> positions(rows * k);
  const gpuprim::fixed_length where{length};
  gpuprim::workspace workspace(gpuprim::segmented_top_k_workspace_size<float>(where, rows, k, largest.sorted()));
  CUDA_OK(gpuprim::segmented_top_k(in.data(), where, rows, k, out.data(), largest.sorted(), {.workspace = &workspace}));
  CUDA_OK(
      gpuprim::segmented_top_k_positions(in.data(), where, rows, k, beside.data(), positions.data(), largest.sorted()));
  CUDA_OK(gpuprim::segmented_top_k_pairs(in.data(), values.data(), where, rows, k, other.data(), values_out.data(),
                                         largest.sorted()));
  const auto want = out.download();
  CHECK(beside.download() == want);
  CHECK(other.download() == want);
  CHECK(values_out.download() == want);
  const auto at = positions.download();
  for (std::size_t i = 0; i < want.size(); ++i) CHECK(want[i] == keys[i / k * length + std::size_t(at[i])]);
  CHECK(gpuprim::segmented_top_k(in.data(), where, -1, k, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::segmented_top_k(in.data(), where, rows, std::int64_t{1} << 61, out.data()) == cudaErrorInvalidValue);
  const gpuprim::segment_offsets no_offsets{static_cast<const int*>(nullptr), 10};
  CHECK(gpuprim::segmented_top_k(in.data(), no_offsets, rows, k, out.data()) == cudaErrorInvalidValue);
  CHECK(std::string(gpuprim::last_fault()) == "the offsets are a null pointer or in host memory");
}

TEST_CASE("The k largest of rows by offsets among so many keys that as many rows of them could not be", "[device]") {
  constexpr std::int64_t rows = 20, n = std::int64_t{1} << 56;
  std::vector<std::int64_t> starts(rows, n - 100);  // all rows but the last are empty
  starts.push_back(n);
  test::device_array<std::int64_t> offsets(starts), out(rows), positions(rows);
  const gpuprim::segment_offsets where{static_cast<const std::int64_t*>(offsets.data()), n};
  CUDA_OK(gpuprim::segmented_top_k_positions(gpuprim::positions<>{}, where, rows, 1, out.data(), positions.data()));
  CHECK(out.download()[rows - 1] == n - 1);
  CHECK(positions.download()[rows - 1] == 99);
}

TEST_CASE("The k largest of rows with options and no order", "[device]") {
  constexpr int rows = 3, length = 40, k = 1;
  const auto keys = test::make_keys<int>(rows * length, key_shape::random);
  test::device_array<int> in(keys), values(keys), out(rows), beside(rows), other(rows), values_out(rows);
  test::device_array<int> positions(rows);
  const gpuprim::fixed_length where{length};
  const gpuprim::options how{};
  CUDA_OK(gpuprim::segmented_top_k(in.data(), where, rows, k, out.data(), {.stream = nullptr}));
  CUDA_OK(gpuprim::segmented_top_k_positions(in.data(), where, rows, k, beside.data(), positions.data(), how));
  CUDA_OK(gpuprim::segmented_top_k_pairs(in.data(), values.data(), where, rows, k, other.data(), values_out.data(),
                                         {.stream = nullptr}));
  std::vector<int> want;
  for (auto row = keys.begin(); row != keys.end(); row += length) want.push_back(*std::max_element(row, row + length));
  for (const auto* array : {&out, &beside, &other, &values_out}) CHECK((array->download() == want));
}

TEST_CASE("A top-k of rows refuses outputs that lie in the offsets or in each other", "[device]") {
  constexpr int rows = 4, k = 3, n = 400;
  test::device_array<int> in(test::make_keys<int>(n, key_shape::random)), values(n), out(rows * k), other(rows * k);
  const std::vector<int> starts{0, 100, 200, 300, 400};
  test::device_array<int> offsets(starts);
  const gpuprim::segment_offsets where{static_cast<const int*>(offsets.data()), n};
  const auto refuses = [](cudaError_t e, const char* fault) {
    CHECK(e == cudaErrorInvalidValue);
    CHECK(std::string(gpuprim::last_fault()) == fault);
  };
  int* const to = out.data();
  const char* const in_offsets = "an output overlaps the offsets";
  refuses(gpuprim::segmented_top_k(in.data(), where, rows, k, offsets.data() + 4), in_offsets);
  refuses(gpuprim::segmented_top_k_positions(in.data(), where, rows, k, to, offsets.data()), in_offsets);
  refuses(gpuprim::segmented_top_k_pairs(in.data(), values.data(), where, rows, k, to, offsets.data()), in_offsets);
  const char* const in_other = "the outputs overlap each other";
  refuses(gpuprim::segmented_top_k_positions(in.data(), where, rows, k, to, to + 11), in_other);
  refuses(gpuprim::segmented_top_k_pairs(in.data(), values.data(), where, rows, k, to, to), in_other);
  refuses(gpuprim::segmented_top_k(in.data(), gpuprim::fixed_length{-1}, rows, k, to), "the length is negative");
  out.check_untouched();
  CHECK((offsets.download() == starts));
  CUDA_OK(gpuprim::segmented_top_k_positions(in.data(), where, rows, k, to, other.data()));
}
