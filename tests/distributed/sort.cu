// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

#include <gpuprim/distributed/sort.cuh>
#include <gpuprim/distributed/top_k.cuh>

#include <limits>
#include <string>

#if defined(SIMT_DEVICE)
#include <thread>
#endif

namespace {

namespace distributed = gpuprim::distributed;
using test::last_fault_says, test::rank_set;

/// A value that is longer than what a sort moves along with its keys.
struct long_value {
  int numbers[20];
  friend bool operator==(const long_value&, const long_value&) = default;
};

/// The part of a rank, of what all have in order.
template <class T>
std::vector<T> part_of(const std::vector<T>& all, const std::vector<int>& sizes, int rank) {
  const auto first = all.begin() + std::accumulate(sizes.begin(), sizes.begin() + rank, 0);
  return std::vector<T>(first, first + sizes[std::size_t(rank)]);
}

/// The place of each element in the order of all, as a stable sort finds it.
template <class Key, class Less>
std::vector<std::int64_t> sorted_positions(const std::vector<Key>& keys, const Less& less) {
  std::vector<std::int64_t> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::int64_t a, std::int64_t b) { return less(keys[std::size_t(a)], keys[std::size_t(b)]); });
  return positions;
}

/// Sizes of the parts of `ranks` ranks: even, growing, with holes, at both ends, at the last one, few, none.
std::vector<std::vector<int>> sizes_to_sort(int ranks) {
  const std::vector<int> none(std::size_t(ranks), 0);
  std::vector<int> even(std::size_t(ranks), 150), growing, holes, ends = none, last = none, few;
  for (int rank = 0; rank < ranks; ++rank) {
    growing.push_back(1 + 97 * rank * rank);
    holes.push_back(rank % 2 == 1 ? 0 : 77 + rank);
    few.push_back(rank % 3);
  }
  ends.front() = 300;
  ends.back() = 3;
  last.back() = 401;
  return {even, growing, holes, ends, last, few, none};
}

/// Sorts keys that make(i) makes, alone and with values, to other arrays and in place.
template <class Key, class Make, class Order, class Less>
void check_sort(const Make& make, const Order& order, const Less& less) {
  for (int count : test::rank_counts()) {
    rank_set ranks(count, distributed::sort_workspace_size<Key, std::int64_t, Order>(2000, count));
    for (const auto& sizes : sizes_to_sort(count)) {
      CAPTURE(count, sizes);
      const auto parts = ranks.make_parts<Key>(sizes, make);
      const auto values = ranks.make_parts<std::int64_t>(sizes, [](std::int64_t i) { return i; });
      const auto all = test::join_parts(parts);
      const auto positions = sorted_positions(all, less);
      std::vector<Key> expected;
      for (std::int64_t at : positions) expected.push_back(all[std::size_t(at)]);
      std::vector<std::unique_ptr<test::device_array<Key>>> keys;
      std::vector<std::unique_ptr<test::device_array<std::int64_t>>> moved;
      ranks.for_each([&](int rank) {
        keys.push_back(std::make_unique<test::device_array<Key>>(std::size_t(sizes[std::size_t(rank)])));
        moved.push_back(std::make_unique<test::device_array<std::int64_t>>(std::size_t(sizes[std::size_t(rank)])));
      });
      const auto check = [&](bool has_values) {
        for (int rank = 0; rank < count; ++rank) {
          CAPTURE(rank, has_values);
          const auto own = std::size_t(rank);
          CHECK(keys[own]->download() == part_of(expected, sizes, rank));
          if (has_values) CHECK(moved[own]->download() == part_of(positions, sizes, rank));
          keys[own]->check_guards();
          moved[own]->check_guards();
        }
      };
      ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
        const auto own = std::size_t(rank);
        return distributed::sort(comm, parts[own].data(), parts[own].size(), keys[own]->data(), order, how);
      });
      check(false);
      ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
        const auto own = std::size_t(rank);
        return distributed::sort_pairs(comm, parts[own].data(), values[own].data(), parts[own].size(),
                                       keys[own]->data(), moved[own]->data(), order, how);
      });
      check(true);
      for (const auto& part : parts) part.array->check_unchanged();
      ranks.for_each([&](int rank) {
        const auto own = std::size_t(rank);
        keys[own]->upload(parts[own].host);
        moved[own]->upload(values[own].host);
      });
      ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
        const auto own = std::size_t(rank);
        return distributed::sort_pairs(comm, keys[own]->data(), moved[own]->data(), parts[own].size(),
                                       keys[own]->data(), moved[own]->data(), order, how);
      });
      check(true);
    }
  }
}

int mixed(std::int64_t i) { return int(std::uint64_t(i) * 2654435761u % 1000003) - 500000; }

}  // namespace

TEST_CASE("A sort of the keys of all ranks", "[distributed]") {
  SECTION("ascending") { check_sort<int>(mixed, gpuprim::ascending, std::less<>()); }
  SECTION("descending, with keys of which many are equal") {
    check_sort<short>([](std::int64_t i) { return short(i * i % 11 - 5); }, gpuprim::descending, std::greater<>());
  }
  SECTION("of 64 bits, that differ in their first and last digits") {
    const auto make = [](std::int64_t i) { return (std::int64_t(mixed(i) % 5) << 60) + mixed(i) % 7; };
    check_sort<std::int64_t>(make, std::less<>(), std::less<>());
  }
}

TEST_CASE("A sort of equal and of skewed keys leaves each rank as many as it had", "[distributed]") {
  SECTION("all are equal") {
    check_sort<float>([](std::int64_t) { return 2.5f; }, gpuprim::ascending, std::less<>());
  }
  SECTION("all are the last of the order") {
    check_sort<unsigned char>([](std::int64_t) { return (unsigned char)(255); }, gpuprim::ascending, std::less<>());
  }
  SECTION("nearly all are equal") {
    const auto make = [](std::int64_t i) { return i % 101 == 0 ? mixed(i) : 3; };
    check_sort<int>(make, gpuprim::descending, std::greater<>());
  }
  SECTION("they are sorted the other way round") {
    check_sort<double>([](std::int64_t i) { return -double(i); }, gpuprim::ascending, std::less<>());
  }
}

TEST_CASE("Zeros and NaN of all ranks have their places", "[distributed]") {
  constexpr int each = 41;
  rank_set ranks(test::rank_counts().back());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<int> sizes(std::size_t(ranks.size()), each);
  const auto parts = ranks.make_parts<float>(sizes, [&](std::int64_t i) {
    const float some[] = {nan, -nan, 1.0f, -1.0f};
    return i % 10 == 0 ? some[i / 10 % 4] : mixed(i) % 2 == 0 ? 0.0f : -0.0f;
  });
  const auto values = ranks.make_parts<int>(sizes, [](std::int64_t i) { return int(i); });
  const auto keys = ranks.make_outputs<float>(each);
  const auto moved = ranks.make_outputs<int>(each);
  const auto all = test::join_parts(parts);
  // The places of keys in order: zeros of both signs are equal, or not.
  const auto place = [](float key) {
    return std::isnan(key) ? (std::signbit(key) ? -9 : 9) : key == 0 ? 0 : int(key) * 2;
  };
  const auto whole_place = [&](float key) { return 2 * place(key) - (key == 0 && std::signbit(key) ? 1 : 0); };
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    return distributed::sort_pairs(comm, parts[own].data(), values[own].data(), each, keys[own]->data(),
                                   moved[own]->data(), how);
  });
  const auto positions = sorted_positions(all, [&](float a, float b) { return place(a) < place(b); });
  std::size_t at = 0;
  for (std::size_t own = 0; own < keys.size(); ++own) {
    const auto own_keys = keys[own]->download();
    const auto own_values = moved[own]->download();
    for (std::size_t i = 0; i < own_keys.size(); ++i, ++at) {
      CHECK(own_values[i] == positions[at]);
      CHECK(whole_place(own_keys[i]) == whole_place(all[std::size_t(positions[at])]));
    }
  }
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    return distributed::sort(comm, parts[own].data(), each, keys[own]->data(), how);
  });
  std::vector<int> found, expected;
  for (const auto& own : keys) {
    for (float key : own->download()) found.push_back(whole_place(key));
  }
  for (float key : all) expected.push_back(whole_place(key));
  std::sort(expected.begin(), expected.end());
  CHECK(found == expected);
}

TEST_CASE("A sort of all ranks moves long values, and takes its memory itself", "[distributed]") {
  for (int count : test::rank_counts()) {
    rank_set ranks(count);
    const std::vector<int> sizes(std::size_t(count), 300);
    const auto parts = ranks.make_parts<unsigned>(sizes, [](std::int64_t i) { return unsigned(mixed(i)) % 50; });
    const auto values = ranks.make_parts<long_value>(sizes, [](std::int64_t i) {
      long_value made{};
      made.numbers[0] = int(i);
      made.numbers[19] = -int(i);
      return made;
    });
    const auto keys = ranks.make_outputs<unsigned>(300);
    const auto moved = ranks.make_outputs<long_value>(300);
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto own = std::size_t(rank);
      return distributed::sort_pairs(comm, parts[own].data(), values[own].data(), 300, keys[own]->data(),
                                     moved[own]->data(), gpuprim::descending, how);
    });
    const auto all_values = test::join_parts(values);
    const auto positions = sorted_positions(test::join_parts(parts), std::greater<>());
    for (int rank = 0; rank < count; ++rank) {
      const auto found = moved[std::size_t(rank)]->download();
      for (int i = 0; i < 300; ++i) {
        CHECK(found[std::size_t(i)] == all_values[std::size_t(positions[std::size_t(rank * 300 + i)])]);
      }
    }
  }
}

TEST_CASE("Sorts of one group, beside other calls", "[distributed][few_schedules][tsan]") {
  const int count = test::rank_counts().back();
  rank_set ranks(count);
  const std::vector<int> sizes(std::size_t(count), 200);
  const auto parts = ranks.make_parts<int>(sizes, mixed);
  const auto bytes = ranks.make_parts<unsigned char>(sizes, [](std::int64_t i) { return (unsigned char)(mixed(i)); });
  const auto keys = ranks.make_outputs<int>(200), best = ranks.make_outputs<int>(1);
  const auto sorted_bytes = ranks.make_outputs<unsigned char>(200);
  const auto sums = ranks.make_outputs<long long>(1);
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    cudaError_t made = distributed::sort(comm, parts[own].data(), 200, keys[own]->data(), how);
    if (made == cudaSuccess) {
      made = distributed::all_reduce(comm, parts[own].data(), 200, sums[own]->data(), gpuprim::plus{}, 0ll, how);
    }
    if (made == cudaSuccess) made = distributed::sort(comm, bytes[own].data(), 200, sorted_bytes[own]->data(), how);
    if (made != cudaSuccess) return made;
    return distributed::top_k(comm, parts[own].data(), 200, 1, best[own]->data(), gpuprim::largest, how);
  });
  auto all = test::join_parts(parts);
  auto all_bytes = test::join_parts(bytes);
  std::sort(all.begin(), all.end());
  std::sort(all_bytes.begin(), all_bytes.end());
  const long long sum = std::accumulate(all.begin(), all.end(), 0ll);
  for (int rank = 0; rank < count; ++rank) {
    const auto own = std::size_t(rank);
    CHECK(keys[own]->download() == part_of(all, sizes, rank));
    CHECK(sorted_bytes[own]->download() == part_of(all_bytes, sizes, rank));
    CHECK(sums[own]->download()[0] == sum);
    CHECK(best[own]->download()[0] == all.back());
  }
}

TEST_CASE("A sort of all ranks that cannot be made is refused before the others are waited for", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto keys = ranks.make_outputs<int>(100);
  int *const in = parts[0].data(), *const out = keys[0]->data(), *const none = nullptr;
  const auto how = ranks.options(0);
  ncclComm_t comm = ranks.comm(0);
  const auto refuses = [&](const char* words, cudaError_t made) {
    CHECK(made == cudaErrorInvalidValue);
    CHECK(last_fault_says(words));
  };
  refuses("the communicator is null", distributed::sort(nullptr, in, 100, out, how));
  refuses("the count is negative", distributed::sort(comm, in, -1, out, how));
  refuses("null pointer", distributed::sort(comm, none, 100, out, how));
  refuses("null pointer", distributed::sort(comm, in, 100, none, how));
  refuses("overlaps", distributed::sort(comm, in, 50, in + 10, how));
  refuses("null pointer", distributed::sort_pairs(comm, in, none, 100, out, in, how));
  refuses("null pointer", distributed::sort_pairs(comm, in, in, 100, out, none, how));
  refuses("overlaps", distributed::sort_pairs(comm, in, in + 50, 50, out, out + 10, how));
  refuses("not a number", distributed::sort(comm, in, 100, out, {.seconds = std::nan("")}));
  gpuprim::workspace small({0, distributed::sort_workspace_size<int>(100, 1).scratch_bytes - 1});
  refuses("workspace is too small", distributed::sort(comm, in, 100, out, {.workspace = &small}));
  keys[0]->check_untouched();
  parts[0].array->check_unchanged();
}

TEST_CASE("A rank that is alone can sort in a graph, and several cannot", "[distributed]") {
  for (int count : {1, test::rank_counts().back()}) {
    rank_set ranks(count, distributed::sort_workspace_size<int>(100, count));
    const auto parts = ranks.make_parts<int>(std::vector<int>(std::size_t(count), 100), mixed);
    const auto keys = ranks.make_outputs<int>(100);
    cudaGraph_t graph = nullptr;
    CUDA_OK(cudaStreamBeginCapture(ranks.stream(0), cudaStreamCaptureModeThreadLocal));
    const cudaError_t called =
        distributed::sort(ranks.comm(0), parts[0].data(), 100, keys[0]->data(), ranks.options(0));
    CUDA_OK(cudaStreamEndCapture(ranks.stream(0), &graph));
    if (count == 1) {
      CUDA_OK(called);
      cudaGraphExec_t launched = nullptr;
      CUDA_OK(cudaGraphInstantiate(&launched, graph, 0));
      CUDA_OK(cudaGraphLaunch(launched, ranks.stream(0)));
      CUDA_OK(cudaStreamSynchronize(ranks.stream(0)));
      CUDA_OK(cudaGraphExecDestroy(launched));
      auto sorted = parts[0].host;
      std::sort(sorted.begin(), sorted.end());
      CHECK(keys[0]->download() == sorted);
    } else {
      CHECK(called == cudaErrorStreamCaptureUnsupported);
      CHECK(last_fault_says("captured into a graph"));
      keys[0]->check_untouched();
    }
    CUDA_OK(cudaGraphDestroy(graph));
  }
}

#if defined(SIMT_DEVICE)
TEST_CASE("A group with a sort of which a rank was refused does not wait for that rank", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({100, 100}, mixed);
  const auto keys = ranks.make_outputs<int>(100);
  distributed::group group;
  const auto call = [&](int rank, std::int64_t n) {
    const auto own = std::size_t(rank);
    return distributed::sort(ranks.comm(rank), parts[own].data(), n, keys[own]->data(), ranks.options(rank, &group));
  };
  CUDA_OK(call(0, 100));
  CHECK(call(1, -1) == cudaErrorInvalidValue);
  CHECK(group.finish() == cudaErrorInvalidValue);
  for (const auto& each : keys) each->check_untouched();
  CUDA_OK(call(0, 100));
  CUDA_OK(call(1, 100));
  CUDA_OK(group.finish());
}

TEST_CASE("A sort ends where a rank was refused and the communicator breaks", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({100, 100}, mixed);
  const auto keys = ranks.make_outputs<int>(100);
  cudaError_t sorted = cudaSuccess;
  std::thread other(
      [&] { sorted = distributed::sort(ranks.comm(0), parts[0].data(), 100, keys[0]->data(), ranks.options(0)); });
  CHECK(distributed::sort(ranks.comm(1), parts[1].data(), -1, keys[1]->data(), ranks.options(1)) ==
        cudaErrorInvalidValue);
  nccl_stand_in::break_communicator(ranks.comm(1), ncclRemoteError);
  other.join();
  CHECK(sorted == cudaErrorUnknown);
  for (const auto& each : keys) each->check_untouched();
}

TEST_CASE("A sort that finds the others there needs no time", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({100, 100}, mixed);
  const auto keys = ranks.make_outputs<int>(100);
  distributed::group group;
  CUDA_OK(distributed::sort(ranks.comm(0), parts[0].data(), 100, keys[0]->data(),
                            {.stream = ranks.stream(0), .group = &group, .seconds = -1}));
  CUDA_OK(distributed::sort(ranks.comm(1), parts[1].data(), 100, keys[1]->data(),
                            {.stream = ranks.stream(1), .group = &group}));
  CUDA_OK(group.finish());
  auto all = test::join_parts(parts);
  std::sort(all.begin(), all.end());
  CHECK(keys[1]->download() == std::vector(all.begin() + 100, all.end()));
}

TEST_CASE("A sort over a communicator that does not block", "[distributed]") {
  for (int questions : {1, 50}) {
    rank_set ranks(2);
    const auto parts = ranks.make_parts<int>({100, 200}, mixed);
    const auto keys = ranks.make_outputs<int>(200);
    nccl_stand_in::delay_next_call(ranks.comm(0), questions);
    ranks.call([&](int rank, ncclComm_t comm, const distributed::options& how) {
      const auto own = std::size_t(rank);
      return distributed::sort(comm, parts[own].data(), parts[own].size(), keys[own]->data(), how);
    });
    auto all = test::join_parts(parts);
    std::sort(all.begin(), all.end());
    CHECK(keys[1]->download() == std::vector(all.begin() + 100, all.end()));
  }
}

TEST_CASE("Ranks that are threads of their own sort without a group", "[distributed]") {
  constexpr int count = 3;
  ncclUniqueId id;
  NCCL_OK(ncclGetUniqueId(&id));
  std::vector<int> all;
  std::vector<std::unique_ptr<test::device_array<int>>> keys;
  for (int rank = 0; rank < count; ++rank) {
    std::vector<int> own;
    for (int i = 0; i < 100 + rank * 50; ++i) own.push_back(mixed(rank * 1000 + i));
    all.insert(all.end(), own.begin(), own.end());
    keys.push_back(std::make_unique<test::device_array<int>>(own));
  }
  std::vector<cudaError_t> errors(count, cudaErrorUnknown);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ncclComm_t comm = nullptr;
      if (ncclCommInitRank(&comm, count, id, rank) != ncclSuccess) return;
      int* const own = keys[std::size_t(rank)]->data();
      errors[std::size_t(rank)] = distributed::sort(comm, own, 100 + rank * 50, own);
      (void)ncclCommDestroy(comm);
    });
  }
  for (auto& thread : threads) thread.join();
  std::sort(all.begin(), all.end());
  for (int rank = 0; rank < count; ++rank) {
    CHECK(errors[std::size_t(rank)] == cudaSuccess);
    CHECK(keys[std::size_t(rank)]->download() == part_of(all, {100, 150, 200}, rank));
  }
}
#endif
