// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"
#include "../support/small_gpu.cuh"

#include <gpuprim/distributed/segmented_reduce.cuh>

#include <string>

namespace {

namespace distributed = gpuprim::distributed;
using test::join_in_order, test::last_fault_says, test::rank_set, test::stretch;

/// Sizes of the parts of `ranks` ranks: even, with holes, at both ends; and of three ranks one element each, and none.
std::vector<std::vector<int>> sizes_of_parts(int ranks) {
  const std::vector<int> none(std::size_t(ranks), 0);
  std::vector<int> even(std::size_t(ranks), 300), holes, single(std::size_t(ranks), 1), ends = none;
  for (int rank = 0; rank < ranks; ++rank) holes.push_back(rank % 2 == 1 ? 0 : 77 + 50 * rank);
  ends.front() = 300;
  ends.back() = 3;
  if (ranks != 3) return {even, holes, ends};
  return {even, holes, ends, single, none};
}

/// Offsets from `begin` on, with lengths that length(i) makes, as far as there are n elements; `behind` are left over.
template <class Length>
std::vector<std::int64_t> make_offsets(std::int64_t begin, std::int64_t behind, std::int64_t n, const Length& length) {
  std::vector<std::int64_t> offsets{std::min(begin, n)};
  for (int i = 0; offsets.back() + length(i) <= n - behind && i < 500; ++i) {
    offsets.push_back(offsets.back() + length(i));
  }
  return offsets;
}

/// Which rank has a segment that begins between two ranks.
enum class boundary { of_earlier_rank, of_later_rank };

/// How many segments begin on each rank.
std::vector<int> share_segments(const std::vector<std::int64_t>& offsets, const std::vector<int>& sizes, boundary at) {
  std::vector<int> counts(sizes.size());
  const std::size_t segments = offsets.size() - 1, last = sizes.size() - 1;
  std::size_t i = 0;
  std::int64_t end = 0;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    end += sizes[rank];
    while (i < segments &&
           (rank == last || offsets[i] < end || (at == boundary::of_earlier_rank && offsets[i] == end))) {
      ++counts[rank];
      ++i;
    }
  }
  return counts;
}

/// Reduces the segments of all ranks, and checks each result. `Offset`: their type.
template <class Acc, class T, class Offset, class Make, class Op>
void check_segments(rank_set& ranks, const std::vector<int>& sizes, const std::vector<std::int64_t>& offsets,
                    boundary at, const Make& make, const Op& op, const Acc& init) {
  const auto parts = ranks.make_parts<T>(sizes, make);
  const auto all = test::join_parts(parts);
  const auto counts = share_segments(offsets, sizes, at);
  std::vector<std::unique_ptr<test::device_array<Offset>>> own_offsets;
  std::vector<std::unique_ptr<test::device_array<Acc>>> results;
  std::size_t first = 0;
  ranks.for_each([&](int rank) {
    const auto count = std::size_t(counts[std::size_t(rank)]);
    std::vector<Offset> own;
    for (std::size_t i = first; i <= first + count; ++i) own.push_back(Offset(offsets[i]));
    own_offsets.push_back(std::make_unique<test::device_array<Offset>>(own));
    results.push_back(std::make_unique<test::device_array<Acc>>(count));
    first += count;
  });
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    const Offset* const its_offsets = own_offsets[own]->data();
    const std::int64_t before = std::accumulate(sizes.begin(), sizes.begin() + rank, std::int64_t{0});
    return distributed::segmented_reduce<Acc>(comm, parts[own].data(), parts[own].size(),
                                              distributed::rank_segments{its_offsets, before}, counts[own],
                                              results[own]->data(), op, init, how);
  });
  std::size_t i = 0;
  for (std::size_t own = 0; own < parts.size(); ++own) {
    const auto found = results[own]->download();
    for (std::size_t k = 0; k < found.size(); ++k, ++i) {
      Acc expected = init;
      for (std::int64_t j = offsets[i]; j < offsets[i + 1]; ++j) expected = op(expected, Acc(all[std::size_t(j)]));
      CAPTURE(own, i, offsets[i], offsets[i + 1]);
      CHECK(found[k] == expected);
    }
    results[own]->check_guards();
    own_offsets[own]->check_unchanged();
    parts[own].array->check_unchanged();
  }
  CHECK(i == offsets.size() - 1);
}

/// Checks segments whose lengths length(i) makes, over all numbers of ranks and sizes of parts.
template <class Acc, class T, class Offset, class Length, class Make, class Op>
void check_all(std::int64_t begin, std::int64_t behind, const Length& length, const Make& make, const Op& op,
               const Acc& init) {
  const test::small_gpu gpu(2);
  for (int count : test::many_rank_counts()) {
    rank_set ranks(count, distributed::segmented_reduce_workspace_size<Acc>(count, op));
    auto at = count % 2 == 0 ? boundary::of_earlier_rank : boundary::of_later_rank;
    for (const auto& sizes : sizes_of_parts(count)) {
      const std::int64_t n = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
      const auto offsets = make_offsets(begin, behind, n, length);
      CAPTURE(count, sizes, at);
      check_segments<Acc, T, Offset>(ranks, sizes, offsets, at, make, op, init);
      at = at == boundary::of_later_rank ? boundary::of_earlier_rank : boundary::of_later_rank;
    }
  }
}

}  // namespace

TEST_CASE("Sums of segments of the elements of all ranks", "[distributed]") {
  const auto value = [](std::int64_t i) { return int(i * 31 % 101) - 50; };
  SECTION("short ones, of which some are empty") {
    check_all<int, int, int>(0, 0, [](int i) { return i % 7; }, value, gpuprim::plus<int>{}, 5);
  }
  SECTION("long ones over several ranks, with elements before and behind them that are in none") {
    check_all<std::int64_t, int, std::int64_t>(
        13, 29, [](int i) { return 450 + i; }, value, gpuprim::plus<std::int64_t>{}, std::int64_t{-3});
  }
  SECTION("ends between two ranks") {
    check_all<int, int, unsigned>(0, 0, [](int) { return 300; }, value, gpuprim::maximum<int>{}, -1000);
  }
}

TEST_CASE("Segments of all ranks by an operator that does not commute and has no identity", "[distributed]") {
  const auto value = [](std::int64_t i) { return stretch{unsigned(i), unsigned(i), 1}; };
  const stretch none{0, 0, 0};
  SECTION("of some hundreds") {
    check_all<stretch, stretch, int>(5, 2, [](int i) { return i % 3 == 1 ? 0 : 190; }, value, join_in_order{}, none);
  }
  SECTION("one of nearly all") {
    check_all<stretch, stretch, std::int64_t>(
        1, 1, [](int i) { return i == 0   ? 299
                                 : i == 1 ? 1200
                                          : 3; }, value, join_in_order{}, none);
  }
}

TEST_CASE("A segment over all ranks, and ranks where none begins", "[distributed]") {
  const test::small_gpu gpu(2);
  for (int count : {1, 4}) {
    rank_set ranks(count);
    const std::vector<int> sizes(std::size_t(count), 70);
    const auto make = [](std::int64_t i) { return stretch{unsigned(i), unsigned(i), 1}; };
    const std::vector<std::int64_t> one{0, 70 * count}, none{70 * count};
    for (const auto& offsets : {one, none}) {
      check_segments<stretch, stretch, int>(ranks, sizes, offsets, boundary::of_later_rank, make, join_in_order{},
                                            stretch{0, 0, 0});
    }
  }
}

TEST_CASE("A segment over all ranks under all schedules, without a workspace", "[distributed][few_schedules][tsan]") {
  const test::small_gpu gpu(2);
  rank_set ranks(3);
  const auto make = [](std::int64_t i) { return stretch{unsigned(i), unsigned(i), 1}; };
  check_segments<stretch, stretch, int>(ranks, {40, 40, 40}, {3, 115}, boundary::of_later_rank, make, join_in_order{},
                                        stretch{0, 0, 0});
}

TEST_CASE("Segments by a rank's own offsets, from the identity, to another type", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({10, 10}, [](std::int64_t i) { return int(i); });
  // Segments 2 to 5, 6 to 14, which goes on on the second rank, and 15 to 19; of own positions.
  std::vector<std::unique_ptr<test::device_array<int>>> offsets;
  ranks.for_each([&](int rank) {
    const std::vector<int> own = rank == 0 ? std::vector{2, 6, 15} : std::vector{5, 10};
    offsets.push_back(std::make_unique<test::device_array<int>>(own));
  });
  const auto sums = ranks.make_outputs<double>(2);
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    return distributed::segmented_reduce(comm, parts[own].data(), 10, distributed::rank_segments{offsets[own]->data()},
                                         rank == 0 ? 2 : 1, sums[own]->data(), gpuprim::plus{}, how);
  });
  CHECK(sums[0]->download() == std::vector<double>{2 + 3 + 4 + 5, 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14});
  CHECK(sums[1]->download()[0] == 15 + 16 + 17 + 18 + 19);
}

TEST_CASE("A reduce of segments that cannot be made is refused before the other ranks are waited for",
          "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const test::device_array<int> offsets(std::vector<int>{0, 10, 20, 30});
  const auto sums = ranks.make_outputs<int>(3);
  int *const in = parts[0].data(), *const out = sums[0]->data(), *const none = nullptr;
  const distributed::rank_segments<const int*> where{offsets.data()}, nowhere{nullptr}, in_part{in};
  ncclComm_t comm = ranks.comm(0);
  const auto how = ranks.options(0);
  const gpuprim::plus<> plus;
  const auto refuses = [&](const char* words, cudaError_t made) {
    CHECK(made == cudaErrorInvalidValue);
    CHECK(last_fault_says(words));
  };
  using distributed::segmented_reduce;
  refuses("the communicator is null", segmented_reduce(nullptr, in, 100, where, 3, out, plus, how));
  refuses("the count is negative", segmented_reduce(comm, in, -1, where, 3, out, plus, how));
  refuses("the number of segments is negative", segmented_reduce(comm, in, 100, where, -1, out, plus, how));
  refuses("2^58 segments", segmented_reduce(comm, in, 100, where, std::int64_t{1} << 60, out, plus, how));
  refuses("null pointer", segmented_reduce(comm, none, 100, where, 3, out, plus, how));
  refuses("null pointer", segmented_reduce(comm, in, 100, where, 3, none, plus, how));
  refuses("null pointer", segmented_reduce(comm, in, 100, nowhere, 3, out, plus, how));
  refuses("null pointer", segmented_reduce(comm, in, 100, nowhere, 0, out, plus, how));
  refuses("overlaps an input", segmented_reduce(comm, in, 100, where, 3, in + 50, plus, how));
  refuses("overlaps the offsets", segmented_reduce(comm, in, 10, in_part, 3, in + 2, plus, how));
  refuses("initial value", segmented_reduce<int>(comm, in, 100, where, 3, out, plus, 0.5, how));
  gpuprim::workspace small({distributed::segmented_reduce_workspace_size<int>(1, plus).zeroed_bytes, 0});
  refuses("workspace is too small", segmented_reduce(comm, in, 100, where, 3, out, plus, {.workspace = &small}));
  sums[0]->check_untouched();
  parts[0].array->check_unchanged();
}
