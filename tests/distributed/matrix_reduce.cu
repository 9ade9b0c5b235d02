// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

#include <gpuprim/distributed/matrix_reduce.cuh>

#include <limits>
#include <string>

namespace {

namespace distributed = gpuprim::distributed;
using test::join_in_order, test::last_fault_says, test::rank_set, test::stretch;

/// The lengths of the parts of an axis of `ranks` ranks: even, with holes, at the last one, none.
std::vector<std::vector<int>> lengths_of_parts(int ranks) {
  const std::vector<int> none(std::size_t(ranks), 0);
  std::vector<int> even(std::size_t(ranks), 16), holes, last = none;
  for (int rank = 0; rank < ranks; ++rank) holes.push_back(rank % 2 == 1 ? 0 : 7 + 30 * rank);
  last.back() = 33;
  return {even, holes, last, none};
}

/// Which axis is parted: the elements of a row, or those of a column.
enum class axis { rows, columns };

/// Reduces `results` rows or columns, with parts of these lengths. make(result, i) makes element i of a result.
template <class Acc, class T, class Out, class Make, class Op>
void check_axis(rank_set& ranks, axis along, int results, const std::vector<int>& lengths, const Make& make,
                const Op& op, const Acc& init) {
  std::vector<std::unique_ptr<test::device_array<T>>> parts;
  std::int64_t first = 0;
  ranks.for_each([&](int rank) {
    const int length = lengths[std::size_t(rank)];
    std::vector<T> part;
    const int outer = along == axis::rows ? results : length, inner = along == axis::rows ? length : results;
    for (int a = 0; a < outer; ++a) {
      for (int b = 0; b < inner; ++b) {
        part.push_back(along == axis::rows ? make(a, first + b) : make(b, first + a));
      }
    }
    parts.push_back(std::make_unique<test::device_array<T>>(part));
    first += length;
  });
  const auto found = ranks.make_outputs<Out>(std::size_t(results));
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    const T* const in = parts[own]->data();
    Out* const out = found[own]->data();
    if (along == axis::rows) {
      return distributed::row_reduce<Acc>(comm, in, results, lengths[own], out, op, init, how);
    }
    return distributed::column_reduce<Acc>(comm, in, lengths[own], results, out, op, init, how);
  });
  std::vector<Out> expected;
  for (int result = 0; result < results; ++result) {
    Acc all = init;
    for (std::int64_t i = 0; i < first; ++i) all = op(all, Acc(make(result, i)));
    expected.push_back(Out(all));
  }
  for (std::size_t own = 0; own < parts.size(); ++own) {
    CAPTURE(own);
    CHECK(found[own]->download() == expected);
    found[own]->check_guards();
    parts[own]->check_unchanged();
  }
}

template <class Acc, class T, class Out, class Make, class Op>
void check_both_axes(const Make& make, const Op& op, const Acc& init) {
  for (int count : test::many_rank_counts()) {
    auto size = distributed::row_reduce_workspace_size<Acc>(300, count, op);
    size.cover(distributed::column_reduce_workspace_size<Acc>(300, count, op));
    rank_set ranks(count, size);
    for (const auto& lengths : lengths_of_parts(count)) {
      for (const int results : {0, 1, 9, 300}) {
        for (const axis along : {axis::rows, axis::columns}) {
          CAPTURE(count, lengths, results, along);
          check_axis<Acc, T, Out>(ranks, along, results, lengths, make, op, init);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("Rows whose columns, and columns whose rows, are parted among the ranks", "[distributed]") {
  const auto make = [](int result, std::int64_t i) { return int((result * 37 + i * 11) % 101) - 50; };
  SECTION("sums, which NCCL joins") { check_both_axes<int, int, int>(make, gpuprim::plus<int>{}, 7); }
  SECTION("sums to another type, which it does not") {
    check_both_axes<std::int64_t, int, double>(make, gpuprim::plus<std::int64_t>{}, std::int64_t{-7});
  }
}

TEST_CASE("Rows and columns of all ranks by an operator that does not commute and has no identity", "[distributed]") {
  const auto make = [](int result, std::int64_t i) { return stretch{unsigned(result + i), unsigned(result + i), 1}; };
  check_both_axes<stretch, stretch, stretch>(make, join_in_order{}, stretch{0, 0, 0});
}

TEST_CASE("The greatest of rows and columns of all ranks under all schedules, without a workspace",
          "[distributed][few_schedules][tsan]") {
  rank_set ranks(3);
  const auto make = [](int result, std::int64_t i) { return float((result * 37 + i * 11) % 101) - 50; };
  for (const axis along : {axis::rows, axis::columns}) {
    check_axis<float, float, float>(ranks, along, 40, {5, 0, 40}, make, gpuprim::maximum<float>{}, -100.0f);
    check_axis<float, float, float>(ranks, along, 40, {5, 0, 40}, make, gpuprim::plus<float>{}, 0.0f);
  }
}

TEST_CASE("Rows of all ranks from the identity", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({12, 6}, [](std::int64_t i) { return int(i); });
  const auto by_rows = ranks.make_outputs<int>(3), by_columns = ranks.make_outputs<int>(3);
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {  // 4 columns, and 2
    const auto own = std::size_t(rank);
    return distributed::row_reduce(comm, parts[own].data(), 3, rank == 0 ? 4 : 2, by_rows[own]->data(), gpuprim::plus{},
                                   how);
  });
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {  // 4 rows, and 2
    const auto own = std::size_t(rank);
    return distributed::column_reduce(comm, parts[own].data(), rank == 0 ? 4 : 2, 3, by_columns[own]->data(),
                                      gpuprim::plus{}, how);
  });
  for (std::size_t own : {0u, 1u}) {
    CHECK(by_rows[own]->download() ==
          std::vector{0 + 1 + 2 + 3 + 12 + 13, 4 + 5 + 6 + 7 + 14 + 15, 8 + 9 + 10 + 11 + 16 + 17});
    CHECK(by_columns[own]->download() ==
          std::vector{0 + 3 + 6 + 9 + 12 + 15, 1 + 4 + 7 + 10 + 13 + 16, 2 + 5 + 8 + 11 + 14 + 17});
  }
}

TEST_CASE("A reduce of rows or columns that cannot be made is refused before the other ranks are waited for",
          "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto sums = ranks.make_outputs<int>(10);
  int *const in = parts[0].data(), *const out = sums[0]->data(), *const none = nullptr;
  ncclComm_t comm = ranks.comm(0);
  const auto how = ranks.options(0);
  const gpuprim::plus<> plus;
  const std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  const auto refuses = [&](const char* words, cudaError_t made) {
    CAPTURE(words, gpuprim::last_fault());
    CHECK(made == cudaErrorInvalidValue);
    CHECK(last_fault_says(words));
  };
  const auto refused = [&](const char* words, const int* from, std::int64_t rows, std::int64_t columns, int* to) {
    refuses(words, distributed::row_reduce(comm, from, rows, columns, to, plus, how));
    refuses(words, distributed::column_reduce(comm, from, rows, columns, to, plus, how));
  };
  refuses("the communicator is null", distributed::row_reduce(nullptr, in, 10, 10, out, plus, how));
  refuses("the communicator is null", distributed::column_reduce(nullptr, in, 10, 10, out, plus, how));
  refused("the number of rows is negative", in, -1, 10, out);
  refused("the number of columns is negative", in, 10, -1, out);
  refused("overflow", in, most / 2, 3, out);
  refused("null pointer", none, 10, 10, out);
  refused("null pointer", in, 10, 10, none);
  refused("an output overlaps an input", in, 10, 10, in + 50);
  refuses("initial value", distributed::row_reduce<int>(comm, in, 10, 10, out, plus, 0.5, how));
  refuses("initial value", distributed::column_reduce<int>(comm, in, 10, 10, out, plus, 0.5, how));
  const join_in_order join;
  const test::device_array<stretch> stretches(std::vector<stretch>(100, stretch{0, 0, 1}));
  const auto joined = ranks.make_outputs<stretch>(10);
  gpuprim::workspace small({distributed::row_reduce_workspace_size<stretch>(10, 1, join).zeroed_bytes, 16});
  refuses("workspace is too small", distributed::row_reduce(comm, stretches.data(), 10, 10, joined[0]->data(), join,
                                                            stretch{}, {.workspace = &small}));
  refuses("their bytes overflow",
          distributed::row_reduce(comm, stretches.data(), most / 16, 0, joined[0]->data(), join, stretch{}, how));
  joined[0]->check_untouched();
  sums[0]->check_untouched();
  parts[0].array->check_unchanged();
}
