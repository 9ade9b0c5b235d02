// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

#include <gpuprim/distributed/top_k.cuh>

#include <limits>
#include <string>

namespace {

namespace distributed = gpuprim::distributed;
using test::last_fault_says, test::rank_set;

/// The positions of the k best keys in the order of a stable sort.
template <class Key>
std::vector<std::int64_t> best_positions(const std::vector<Key>& keys, std::int64_t k, bool are_largest) {
  std::vector<std::int64_t> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::stable_sort(positions.begin(), positions.end(), [&](std::int64_t a, std::int64_t b) {
    const Key &x = keys[std::size_t(a)], &y = keys[std::size_t(b)];
    return are_largest ? y < x : x < y;
  });
  positions.resize(std::min(keys.size(), std::size_t(k)));
  return positions;
}

template <class T>
std::vector<T> take(const std::vector<T>& from, const std::vector<std::int64_t>& positions) {
  std::vector<T> taken;
  for (std::int64_t at : positions) taken.push_back(from[std::size_t(at)]);
  return taken;
}

/// What is written of k places; the others are as they were.
template <class T>
std::vector<T> written(const test::device_array<T>& array, std::size_t count) {
  auto found = array.download();
  found.resize(count);
  return found;
}

/// Checks the three calls for keys that make(i) makes, for parts of all sizes.
template <class Key, class Make>
void check_top_k(std::int64_t k, const Make& make) {
  for (int count : test::rank_counts()) {
    gpuprim::workspace_size size = distributed::top_k_workspace_size<Key>(20000, k, count);
    size.cover(distributed::top_k_workspace_size<Key, std::int64_t>(20000, k, count));
    for (const auto& sizes : test::part_sizes(count)) {
      for (int n : sizes) {  // fewer elements may need more
        size.cover(distributed::top_k_workspace_size<Key>(n, k, count, gpuprim::largest.sorted()));
        size.cover(distributed::top_k_workspace_size<Key, std::int64_t>(n, k, count));
      }
    }
    rank_set ranks(count, size);
    for (const auto& sizes : test::part_sizes(count)) {
      for (bool are_largest : {true, false}) {
        CAPTURE(count, sizes, k, are_largest);
        const auto end = are_largest ? gpuprim::largest : gpuprim::smallest;
        const auto parts = ranks.make_parts<Key>(sizes, make);
        const auto all = test::join_parts(parts);
        const auto best = best_positions(all, k, are_largest);
        const auto expected = take(all, best);
        const auto keys = ranks.make_outputs<Key>(std::size_t(k)), beside = ranks.make_outputs<Key>(std::size_t(k));
        const auto places = ranks.make_outputs<std::int64_t>(std::size_t(k));
        const auto own = [](int rank) { return std::size_t(rank); };
        ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
          const auto& part = parts[own(rank)];
          return distributed::top_k(comm, part.data(), part.size(), k, keys[own(rank)]->data(), end, how);
        });
        for (const auto& each : keys) {
          auto found = written(*each, best.size()), sorted = expected;
          std::sort(found.begin(), found.end());
          std::sort(sorted.begin(), sorted.end());
          CHECK(found == sorted);
          each->check_guards();
        }
        ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
          const auto& part = parts[own(rank)];
          return distributed::top_k(comm, part.data(), part.size(), k, keys[own(rank)]->data(), end.sorted(), how);
        });
        for (const auto& each : keys) CHECK(written(*each, best.size()) == expected);
        ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
          const auto& part = parts[own(rank)];
          return distributed::top_k_positions(comm, part.data(), part.size(), k, keys[own(rank)]->data(),
                                              places[own(rank)]->data(), end.sorted(), how);
        });
        for (int rank = 0; rank < count; ++rank) {
          CHECK(written(*keys[own(rank)], best.size()) == expected);
          CHECK(written(*places[own(rank)], best.size()) == best);
          places[own(rank)]->check_guards();
        }
        ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
          const auto& part = parts[own(rank)];
          return distributed::top_k_positions(comm, part.data(), part.size(), k, keys[own(rank)]->data(),
                                              places[own(rank)]->data(), end, how);
        });
        for (const auto& each : places) {
          auto found = written(*each, best.size()), sorted = best;
          std::sort(found.begin(), found.end());
          std::sort(sorted.begin(), sorted.end());
          CHECK(found == sorted);
        }
        ranks.call([&](int rank, ncclComm_t comm, const auto& how) {  // unsorted, and the keys as values
          const auto& part = parts[own(rank)];
          return distributed::top_k_pairs(comm, part.data(), part.data(), part.size(), k, keys[own(rank)]->data(),
                                          beside[own(rank)]->data(), end, how);
        });
        for (int rank = 0; rank < count; ++rank) {
          auto found = written(*keys[own(rank)], best.size()), sorted = expected;
          CHECK(written(*beside[own(rank)], best.size()) == found);
          std::sort(found.begin(), found.end());
          std::sort(sorted.begin(), sorted.end());
          CHECK(found == sorted);
          parts[own(rank)].array->check_unchanged();
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("The k largest and smallest of the keys of all ranks", "[distributed]") {
  SECTION("few") {
    check_top_k<int>(10, [](std::int64_t i) { return int(i * 7919 % 10007) - 5000; });
  }
  SECTION("more than some ranks have, and than all have of some sizes") {
    check_top_k<float>(300, [](std::int64_t i) { return float(i * 31 % 1009) - 500; });
  }
}

TEST_CASE("Of equal keys of all ranks those of the first ranks are taken", "[distributed]") {
  SECTION("all are equal") {
    check_top_k<int>(50, [](std::int64_t) { return 7; });
  }
  SECTION("all are the last of the order") {
    check_top_k<unsigned char>(50, [](std::int64_t) { return (unsigned char)(0); });
  }
  SECTION("few are not") {
    check_top_k<int>(50, [](std::int64_t i) { return i % 97 == 0 ? 1 : 0; });
  }
}

TEST_CASE("Zeros of both signs have their places among those of all ranks", "[distributed]") {
  rank_set ranks(test::rank_counts().back());
  const std::vector<int> sizes(std::size_t(ranks.size()), 2);
  const auto parts = ranks.make_parts<float>(sizes, [](std::int64_t i) { return i % 2 == 0 ? -0.0f : 0.0f; });
  const auto keys = ranks.make_outputs<float>(2);
  const auto places = ranks.make_outputs<int>(2);
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    return distributed::top_k_positions(comm, parts[own].data(), 2, 2, keys[own]->data(), places[own]->data(),
                                        gpuprim::largest.sorted(), how);
  });
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    CHECK(places[rank]->download() == std::vector{0, 1});
    CHECK(std::signbit(keys[rank]->download()[0]));
  }
}

TEST_CASE("A top-k of several ranks without a workspace, of none and of no keys",
          "[distributed][few_schedules][tsan]") {
  rank_set ranks(test::rank_counts().back());
  const std::vector<int> sizes(std::size_t(ranks.size()), 100);
  const auto parts = ranks.make_parts<int>(sizes, [](std::int64_t i) { return int(i); });
  const auto keys = ranks.make_outputs<int>(3);
  const auto call = [&](std::int64_t n, std::int64_t k) {
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto own = std::size_t(rank);
      return distributed::top_k(comm, parts[own].data(), n, k, keys[own]->data(), gpuprim::largest.sorted(), how);
    });
  };
  call(100, 0);
  call(0, 3);
  for (const auto& each : keys) each->check_untouched();
  call(100, 3);
  const int last = 100 * ranks.size() - 1;
  for (const auto& each : keys) CHECK(each->download() == std::vector{last, last - 1, last - 2});
}

TEST_CASE("A top-k that cannot be made is refused before the other ranks are waited for", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto keys = ranks.make_outputs<int>(10), places = ranks.make_outputs<int>(10);
  int *const in = parts[0].data(), *const out = keys[0]->data(), *const beside = places[0]->data();
  int* const none = nullptr;
  const auto how = ranks.options(0);
  ncclComm_t comm = ranks.comm(0);
  const auto refuses = [&](const char* words, cudaError_t made) {
    CHECK(made == cudaErrorInvalidValue);
    CHECK(last_fault_says(words));
  };
  const auto order = gpuprim::largest;
  refuses("the communicator is null", distributed::top_k(nullptr, in, 100, 10, out, order, how));
  refuses("the count is negative", distributed::top_k(comm, in, -1, 10, out, order, how));
  refuses("k is negative", distributed::top_k(comm, in, 100, -1, out, order, how));
  refuses("k is too large", distributed::top_k(comm, in, 100, std::int64_t{1} << 32, out, order, how));
  refuses("null pointer", distributed::top_k(comm, none, 100, 10, out, order, how));
  refuses("null pointer", distributed::top_k(comm, in, 100, 10, none, order, how));
  refuses("null pointer", distributed::top_k(comm, in, 0, 10, none, order, how));
  refuses("an output overlaps an input", distributed::top_k(comm, in, 100, 10, in + 50, order, how));
  refuses("null pointer", distributed::top_k_positions(comm, in, 100, 10, out, none, order, how));
  refuses("the outputs overlap", distributed::top_k_positions(comm, in, 100, 10, out, out + 5, order, how));
  refuses("null pointer", distributed::top_k_pairs(comm, in, none, 100, 10, out, beside, order, how));
  refuses("an output overlaps an input", distributed::top_k_pairs(comm, in, in, 100, 10, out, in, order, how));
  gpuprim::workspace small({0, distributed::top_k_workspace_size<int>(100, 10, 1).scratch_bytes - 1});
  refuses("workspace is too small", distributed::top_k(comm, in, 100, 10, out, order, {.workspace = &small}));
  keys[0]->check_untouched();
  places[0]->check_untouched();
  parts[0].array->check_unchanged();
}

#if defined(SIMT_DEVICE)
TEST_CASE("A group with a top-k of which a rank was refused does not wait for that rank", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({100, 100}, [](std::int64_t i) { return int(i); });
  const auto keys = ranks.make_outputs<int>(10);
  distributed::group group;
  const auto call = [&](int rank, std::int64_t n) {
    const auto own = std::size_t(rank);
    return distributed::top_k(ranks.comm(rank), parts[own].data(), n, 10, keys[own]->data(), gpuprim::largest,
                              ranks.options(rank, &group));
  };
  CUDA_OK(call(0, 100));
  CHECK(call(1, -1) == cudaErrorInvalidValue);
  CHECK(group.finish() == cudaErrorInvalidValue);
  for (const auto& each : keys) each->check_untouched();
  CUDA_OK(call(0, 100));
  CUDA_OK(call(1, 100));
  CUDA_OK(group.finish());
}
#endif
