// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

#include <gpuprim/distributed/unique.cuh>

#include <string>

namespace {

namespace distributed = gpuprim::distributed;
using test::last_fault_says, test::rank_set;

/// An element without a default constructor, of which a key and not its number makes it equal to others.
struct labelled {
  int key, number[9];
  __host__ __device__ labelled(int k, int i) : key(k), number{i} {}
  friend bool operator==(const labelled&, const labelled&) = default;
};
struct equal_keys {
  __host__ __device__ bool operator()(const labelled& a, const labelled& b) const { return a.key == b.key; }
};

/// Neighbours that differ by at most 1 belong together: equal in pairs, though not all of them are.
struct is_near {
  __host__ __device__ bool operator()(int a, int b) const { return a - b <= 1 && b - a <= 1; }
};

/// What the ranks are to find: the first elements of the runs that end on each.
template <class T, class Equal>
std::vector<std::vector<T>> find_expected(const std::vector<T>& all, const std::vector<int>& sizes,
                                          const Equal& equal) {
  std::vector<std::vector<T>> found(sizes.size());
  std::size_t first = 0, i = 0;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    for (int k = 0; k < sizes[rank]; ++k, ++i) {
      if (i > 0 && !equal(all[i - 1], all[i])) first = i;
      if (i + 1 == all.size() || !equal(all[i], all[i + 1])) found[rank].push_back(all[first]);
    }
  }
  return found;
}

void check_part(const distributed::selected_part& part, std::size_t count, std::size_t offset, std::size_t total) {
  CHECK(part.count == std::int64_t(count));
  CHECK(part.offset == std::int64_t(offset));
  CHECK(part.total == std::int64_t(total));
}

/// Checks the unique elements of those that make(i) makes, in other arrays and in place.
template <class T, class Make, class Equal>
void check_unique(const Make& make, const Equal& equal) {
  for (int count : test::many_rank_counts()) {
    rank_set ranks(count, distributed::unique_workspace_size<T>(4000, count));
    for (const auto& sizes : test::run_part_sizes(count)) {
      CAPTURE(count, sizes);
      const auto parts = ranks.make_parts<T>(sizes, make), replaced = ranks.make_parts<T>(sizes, make);
      const auto expected = find_expected(test::join_parts(parts), sizes, equal);
      std::size_t total = 0;
      for (const auto& own : expected) total += own.size();
      std::vector<std::unique_ptr<test::device_array<T>>> kept;
      ranks.for_each([&](int rank) {
        kept.push_back(std::make_unique<test::device_array<T>>(std::size_t(sizes[std::size_t(rank)])));
      });
      const auto places = ranks.make_outputs<distributed::selected_part>(1);
      for (const bool is_in_place : {false, true}) {
        const auto output = [&](std::size_t own) { return is_in_place ? replaced[own].data() : kept[own]->data(); };
        ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
          const auto own = std::size_t(rank);
          const auto& from = is_in_place ? replaced[own] : parts[own];
          return distributed::unique(comm, from.data(), from.size(), output(own), places[own]->data(), equal, how);
        });
        std::size_t offset = 0;
        for (std::size_t own = 0; own < parts.size(); ++own) {
          CAPTURE(own, is_in_place);
          const auto& array = is_in_place ? *replaced[own].array : *kept[own];
          const auto found = array.download();
          CHECK(std::equal(expected[own].begin(), expected[own].end(), found.begin()));
          check_part(places[own]->download()[0], expected[own].size(), offset, total);
          offset += expected[own].size();
          array.check_guards();
          places[own]->check_guards();
          parts[own].array->check_unchanged();
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("The unique elements of all ranks, with runs over several ranks", "[distributed]") {
  SECTION("short runs") {
    check_unique<int>([](std::int64_t i) { return int(i / 3 % 5); }, std::equal_to<>());
  }
  SECTION("runs of hundreds, which hold whole ranks") {
    check_unique<std::int64_t>([](std::int64_t i) { return i / 700; }, std::equal_to<>());
  }
  SECTION("one run") {
    check_unique<unsigned char>([](std::int64_t) { return (unsigned char)(7); }, std::equal_to<>());
  }
  SECTION("none are equal") {
    check_unique<short>([](std::int64_t i) { return short(i); }, std::equal_to<>());
  }
}

TEST_CASE("The first element of a run is kept, on whichever rank it is", "[distributed]") {
  check_unique<labelled>([](std::int64_t i) { return labelled(int(i / 170), int(i)); }, equal_keys{});
}

TEST_CASE("An equality of neighbours that is none of all elements", "[distributed]") {
  check_unique<int>([](std::int64_t i) { return int(i + i / 200 * 5); }, is_near{});
}

TEST_CASE("Unique elements of all ranks under all schedules, without a workspace",
          "[distributed][few_schedules][tsan]") {
  rank_set ranks(3);
  const std::vector<int> sizes{100, 60, 300};
  const auto parts = ranks.make_parts<int>(sizes, [](std::int64_t i) { return int(i / 90); });
  const auto expected = find_expected(test::join_parts(parts), sizes, std::equal_to<>());
  const auto kept = ranks.make_outputs<int>(300);
  const auto places = ranks.make_outputs<distributed::selected_part>(1);
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    return distributed::unique(comm, parts[own].data(), parts[own].size(), kept[own]->data(), places[own]->data(), how);
  });
  std::size_t offset = 0;
  for (std::size_t own = 0; own < parts.size(); ++own) {
    const auto found = kept[own]->download();
    CHECK(std::equal(expected[own].begin(), expected[own].end(), found.begin()));
    check_part(places[own]->download()[0], expected[own].size(), offset, 6);
    offset += expected[own].size();
  }
}

TEST_CASE("A unique that cannot be made is refused before the other ranks are waited for", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<std::int64_t>({100}, [](std::int64_t i) { return i; });
  const auto kept = ranks.make_outputs<std::int64_t>(100);
  const auto places = ranks.make_outputs<distributed::selected_part>(1);
  std::int64_t *const in = parts[0].data(), *const out = kept[0]->data(), *const none = nullptr;
  distributed::selected_part *const part = places[0]->data(), *const no_part = nullptr;
  ncclComm_t comm = ranks.comm(0);
  const auto how = ranks.options(0);
  const auto refuses = [&](const char* words, cudaError_t made) {
    CHECK(made == cudaErrorInvalidValue);
    CHECK(last_fault_says(words));
  };
  refuses("the communicator is null", distributed::unique(nullptr, in, 100, out, part, how));
  refuses("the count is negative", distributed::unique(comm, in, -1, out, part, how));
  refuses("null pointer", distributed::unique(comm, none, 100, out, part, how));
  refuses("null pointer", distributed::unique(comm, in, 100, none, part, how));
  refuses("null pointer", distributed::unique(comm, in, 100, out, no_part, how));
  refuses("overlaps an input", distributed::unique(comm, in, 50, in + 10, part, how));
  refuses("the part lies in the input",
          distributed::unique(comm, in, 100, out, reinterpret_cast<distributed::selected_part*>(in + 10), how));
  gpuprim::workspace small({distributed::unique_workspace_size<std::int64_t>(100, 1).zeroed_bytes, 16});
  refuses("workspace is too small", distributed::unique(comm, in, 100, out, part, {.workspace = &small}));
  kept[0]->check_untouched();
  places[0]->check_untouched();
  parts[0].array->check_unchanged();
}
