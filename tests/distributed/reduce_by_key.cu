// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

#include <gpuprim/distributed/reduce_by_key.cuh>

#include <string>

namespace {

namespace distributed = gpuprim::distributed;
using test::last_fault_says, test::rank_set, test::stretch;

/// Joins to the first and the last of some values, and counts them: associative, does not commute, has no identity.
struct join_stretches {
  __host__ __device__ stretch operator()(const stretch& a, const stretch& b) const {
    return {a.first, b.last, a.count + b.count};
  }
};

/// Values that must be neighbours in this order, and that no initial value comes before: any other order gives ~0 as
/// the first one.
struct join_neighbours {
  __host__ __device__ stretch operator()(const stretch& a, const stretch& b) const {
    return {a.last + 1 == b.first ? a.first : ~0u, b.last, a.count + b.count};
  }
};

struct long_key {
  int key, rest[5];
  __host__ __device__ long_key(int k) : key(k), rest{k} {}
  friend bool operator==(const long_key&, const long_key&) = default;
};

template <class Key, class Acc>
struct runs_of_rank {
  std::vector<Key> keys;
  std::vector<Acc> joined;
};

/// What the ranks are to find: the keys and the joined values of the runs that end on each.
template <class Acc, class Key, class Value, class Op>
std::vector<runs_of_rank<Key, Acc>> find_expected(const std::vector<Key>& keys, const std::vector<Value>& values,
                                                  const std::vector<int>& sizes, const Op& op) {
  std::vector<runs_of_rank<Key, Acc>> found(sizes.size());
  std::vector<Acc> run;  // what is joined of the present one
  std::size_t i = 0;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    for (int k = 0; k < sizes[rank]; ++k, ++i) {
      const Acc value = static_cast<Acc>(values[i]);
      if (run.empty()) run.push_back(value);
      else run[0] = op(run[0], value);
      if (i + 1 < keys.size() && keys[i] == keys[i + 1]) continue;
      found[rank].keys.push_back(keys[i]);
      found[rank].joined.push_back(run[0]);
      run.clear();
    }
  }
  return found;
}

template <class Key, class Value, class Acc, class MakeKey, class MakeValue, class Op>
void check_reduce_by_key(const MakeKey& make_key, const MakeValue& make_value, const Op& op) {
  for (int count : test::many_rank_counts()) {
    rank_set ranks(count, distributed::reduce_by_key_workspace_size<Key, Value, Acc>(4000, count));
    for (const auto& sizes : test::run_part_sizes(count)) {
      CAPTURE(count, sizes);
      const auto keys = ranks.make_parts<Key>(sizes, make_key);
      const auto values = ranks.make_parts<Value>(sizes, make_value);
      const auto expected = find_expected<Acc>(test::join_parts(keys), test::join_parts(values), sizes, op);
      std::size_t total = 0, offset = 0;
      for (const auto& own : expected) total += own.keys.size();
      std::vector<std::unique_ptr<test::device_array<Key>>> firsts;
      std::vector<std::unique_ptr<test::device_array<Acc>>> joined;
      ranks.for_each([&](int rank) {
        firsts.push_back(std::make_unique<test::device_array<Key>>(std::size_t(sizes[std::size_t(rank)])));
        joined.push_back(std::make_unique<test::device_array<Acc>>(std::size_t(sizes[std::size_t(rank)])));
      });
      const auto places = ranks.make_outputs<distributed::selected_part>(1);
      ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
        const auto own = std::size_t(rank);
        return distributed::reduce_by_key(comm, keys[own].data(), values[own].data(), keys[own].size(),
                                          firsts[own]->data(), joined[own]->data(), places[own]->data(), op, how);
      });
      for (std::size_t own = 0; own < keys.size(); ++own) {
        CAPTURE(own);
        const auto found = firsts[own]->download();
        const auto found_joined = joined[own]->download();
        CHECK(std::equal(expected[own].keys.begin(), expected[own].keys.end(), found.begin()));
        CHECK(std::equal(expected[own].joined.begin(), expected[own].joined.end(), found_joined.begin()));
        const auto part = places[own]->download()[0];
        CHECK(part.count == std::int64_t(expected[own].keys.size()));
        CHECK(part.offset == std::int64_t(offset));
        CHECK(part.total == std::int64_t(total));
        offset += expected[own].keys.size();
        firsts[own]->check_guards();
        joined[own]->check_guards();
        places[own]->check_guards();
        keys[own].array->check_unchanged();
        values[own].array->check_unchanged();
      }
    }
  }
}

}  // namespace

TEST_CASE("Sums of the runs of all ranks", "[distributed]") {
  const auto value = [](std::int64_t i) { return int(i * 31 % 101) - 50; };
  SECTION("short runs") {
    check_reduce_by_key<int, int, int>([](std::int64_t i) { return int(i / 3 % 5); }, value, gpuprim::plus{});
  }
  SECTION("runs of hundreds, which hold whole ranks, in a wider type") {
    check_reduce_by_key<std::int64_t, int, std::int64_t>([](std::int64_t i) { return i / 700; }, value,
                                                         gpuprim::plus{});
  }
  SECTION("one run, the greatest of it") {
    check_reduce_by_key<short, int, int>([](std::int64_t) { return short(7); }, value, gpuprim::maximum{});
  }
  SECTION("none are equal") {
    check_reduce_by_key<int, unsigned char, unsigned>(
        [](std::int64_t i) { return int(i); }, [](std::int64_t i) { return (unsigned char)(i); }, gpuprim::plus{});
  }
}

TEST_CASE("Runs of all ranks by an operator that does not commute and has no identity", "[distributed]") {
  const auto value = [](std::int64_t i) { return stretch{unsigned(i), unsigned(i), 1}; };
  SECTION("of which some hold whole ranks") {
    check_reduce_by_key<long_key, stretch, stretch>([](std::int64_t i) { return long_key(int(i / 170)); }, value,
                                                    join_neighbours{});
  }
  SECTION("all ranks are one run") {
    check_reduce_by_key<int, stretch, stretch>([](std::int64_t) { return 1; }, value, join_neighbours{});
  }
  SECTION("short ones") {
    check_reduce_by_key<int, stretch, stretch>([](std::int64_t i) { return int(i / 2 % 3); }, value, join_stretches{});
  }
}

TEST_CASE("Reduce by key of all ranks under all schedules, with the same bits in every run",
          "[distributed][few_schedules][tsan]") {
  rank_set ranks(4);
  const std::vector<int> sizes{100, 0, 60, 300};
  const auto keys = ranks.make_parts<int>(sizes, [](std::int64_t i) { return int(i / 90); });
  const auto values = ranks.make_parts<float>(sizes, [](std::int64_t i) { return 1.0f / float(i + 1); });
  const auto firsts = ranks.make_outputs<int>(300);
  const auto places = ranks.make_outputs<distributed::selected_part>(1);
  std::vector<std::vector<float>> first_run;
  for (int run = 0; run < 2; ++run) {
    const auto joined = ranks.make_outputs<float>(300);
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto own = std::size_t(rank);
      return distributed::reduce_by_key(comm, keys[own].data(), values[own].data(), keys[own].size(),
                                        firsts[own]->data(), joined[own]->data(), places[own]->data(), gpuprim::plus{},
                                        how);
    });
    for (std::size_t own = 0; own < keys.size(); ++own) {
      auto found = joined[own]->download();
      found.resize(std::size_t(places[own]->download()[0].count));
      if (run == 0) first_run.push_back(found);
      else CHECK(found == first_run[own]);
    }
  }
  // The run of key 1, of places 90 to 179, goes over three ranks of which one has nothing, and ends on the last.
  CHECK(first_run[0].size() == 1);
  CHECK(first_run[1].empty());
  CHECK(first_run[2].empty());
  float sum = 0;
  for (int i = 90; i < 180; ++i) sum += 1.0f / float(i + 1);
  CHECK(std::abs(first_run[3].at(0) - sum) < 1e-5f);
  CHECK(firsts[3]->download()[0] == 1);
}

TEST_CASE("A reduce by key that cannot be made is refused before the other ranks are waited for", "[distributed]") {
  rank_set ranks(1);
  const auto keys = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto values = ranks.make_parts<std::int64_t>({100}, [](std::int64_t i) { return i; });
  const auto firsts = ranks.make_outputs<int>(100);
  const auto joined = ranks.make_outputs<std::int64_t>(100);
  const auto places = ranks.make_outputs<distributed::selected_part>(1);
  int *const in = keys[0].data(), *const out = firsts[0]->data(), *const none = nullptr;
  std::int64_t *const beside = values[0].data(), *const sums = joined[0]->data(), *const no_values = nullptr;
  distributed::selected_part *const part = places[0]->data(), *const no_part = nullptr;
  ncclComm_t comm = ranks.comm(0);
  const auto how = ranks.options(0);
  const gpuprim::plus<> plus;
  const auto refuses = [&](const char* words, cudaError_t made) {
    CHECK(made == cudaErrorInvalidValue);
    CHECK(last_fault_says(words));
  };
  using distributed::reduce_by_key;
  refuses("the communicator is null", reduce_by_key(nullptr, in, beside, 100, out, sums, part, plus, how));
  refuses("the count is negative", reduce_by_key(comm, in, beside, -1, out, sums, part, plus, how));
  refuses("null pointer", reduce_by_key(comm, none, beside, 100, out, sums, part, plus, how));
  refuses("null pointer", reduce_by_key(comm, in, no_values, 100, out, sums, part, plus, how));
  refuses("null pointer", reduce_by_key(comm, in, beside, 100, none, sums, part, plus, how));
  refuses("null pointer", reduce_by_key(comm, in, beside, 100, out, no_values, part, plus, how));
  refuses("null pointer", reduce_by_key(comm, in, beside, 100, out, sums, no_part, plus, how));
  refuses("overlaps the keys", reduce_by_key(comm, in, beside, 50, in + 10, sums, part, plus, how));
  refuses("overlaps the values", reduce_by_key(comm, in, beside, 50, out, beside + 10, part, plus, how));
  auto* const in_values = reinterpret_cast<distributed::selected_part*>(beside + 10);
  refuses("the part lies in the input", reduce_by_key(comm, in, beside, 100, out, sums, in_values, plus, how));
  const auto size = distributed::reduce_by_key_workspace_size<int, std::int64_t, std::int64_t>(100, 1);
  gpuprim::workspace small({size.zeroed_bytes, 16});
  refuses("workspace is too small", reduce_by_key(comm, in, beside, 100, out, sums, part, plus, {.workspace = &small}));
  firsts[0]->check_untouched();
  joined[0]->check_untouched();
  places[0]->check_untouched();
  keys[0].array->check_unchanged();
  values[0].array->check_unchanged();
}
