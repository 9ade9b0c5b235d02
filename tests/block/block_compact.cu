// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_compact.cuh>
#include <gpuprim/block/block_partition.cuh>

#include "../support/scan_check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// What a block finds of its values, one array behind the other.
template <class T>
struct results {
  int *ranks, *halves, *thirds;  // a place for each value
  T *kept, *rest;                // through shared memory, and directly
  int* counts;                   // twelve for each thread
};

constexpr int counts_of_thread = 12;

/// Every form, in a row, so that a missing barrier between two mixes them. A block has a pattern of flags: bit 0 keeps
/// a value and puts it into the first part, bit 1 into the second.
template <int BlockSize, int Items, class T>
__global__ void __launch_bounds__(BlockSize ? BlockSize : 128)
    compact_block(const T* in, const unsigned char* flags, results<T> out) {
  const auto block = cg::this_thread_block();
  constexpr int most = (BlockSize ? BlockSize : 128) * Items;
  constexpr bool fits = most * sizeof(T) <= 32768;  // else the kept values go to global memory directly
  GPUPRIM_SHARED(shared, gpuprim::shared_array < T, fits ? most : 1 >);
  const int rank = int(block.thread_rank()), threads = int(block.size()), values_of_block = threads * Items;
  const int first = int(blockIdx.x) * values_of_block + rank * Items;
  int* counts = out.counts + (int(blockIdx.x) * threads + rank) * counts_of_thread;
  gpuprim::uninitialized_array<T, Items> values;
  bool keep[Items], drop[Items];
  int second[Items];
  for (int i = 0; i < Items; ++i) {
    values[i] = in[rank * Items + i];
    keep[i] = flags[first + i] & 1;
    drop[i] = !keep[i];
    second[i] = flags[first + i] & 2;
  }
  T *const rest = out.rest + int(blockIdx.x) * values_of_block, *const kept = out.kept + (rest - out.rest);
  T* const through = fits ? shared.data() : kept;
  const auto copy_shared = [&](int count) {
    block.sync();
    for (int i = threads - 1 - rank; fits && i < count; i += threads) kept[i] = shared[i];
  };
  if constexpr (Items == 1) {
    const auto ranked = gpuprim::block_rank<BlockSize>(block, keep[0]);
    const auto halves = gpuprim::block_partition<BlockSize>(block, keep[0]);
    const auto thirds = gpuprim::block_partition<BlockSize>(block, keep[0], second[0] != 0);
    counts[2] = gpuprim::block_compact<BlockSize>(block, values[0], drop[0], through);
    counts[3] = gpuprim::block_compact<BlockSize>(block, values[0], drop[0], rest);
    block.sync();  // a block of one warp has no barrier between two calls that write the same places
    counts[4] = gpuprim::block_compact<BlockSize>(block, values[0], keep[0], through);
    copy_shared(counts[4]);
    out.ranks[first] = ranked.place;
    counts[0] = ranked.count;
    out.halves[first] = halves.place;
    out.thirds[first] = thirds.place;
    for (int i = 0; i < 2; ++i) counts[5 + i] = halves.counts[i];
    for (int i = 0; i < 3; ++i) counts[7 + i] = thirds.counts[i];
  } else {
    const auto ranked = gpuprim::block_rank<BlockSize>(block, keep);
    const auto halves = gpuprim::block_partition<BlockSize>(block, keep);
    const auto thirds = gpuprim::block_partition<BlockSize>(block, keep, second);
    counts[2] = gpuprim::block_compact<BlockSize>(block, values.items, drop, through);
    counts[3] = gpuprim::block_compact<BlockSize>(block, values.items, drop, rest);
    block.sync();  // a block of one warp has no barrier between two calls that write the same places
    counts[4] = gpuprim::block_compact<BlockSize>(block, values.items, keep, through);
    copy_shared(counts[4]);
    for (int i = 0; i < Items; ++i) {
      out.ranks[first + i] = ranked.places[i];
      out.halves[first + i] = halves.places[i];
      out.thirds[first + i] = thirds.places[i];
    }
    counts[0] = ranked.count;
    for (int i = 0; i < 2; ++i) counts[5 + i] = halves.counts[i];
    for (int i = 0; i < 3; ++i) counts[7 + i] = thirds.counts[i];
  }
}

/// None, all, the first, the last, and ever more of all.
std::vector<unsigned char> make_flags(int patterns, int values) {
  std::vector<unsigned char> flags;
  for (int p = 0; p < patterns; ++p) {
    for (int i = 0; i < values; ++i) {
      const unsigned r = test::scramble(std::uint64_t(p * values + i));
      const bool keep = p == 1 || (p == 2 && i == 0) || (p == 3 && i == values - 1) || (p > 3 && int(r % 9) < p - 2);
      flags.push_back(static_cast<unsigned char>(unsigned(keep) + 2 * (r >> 8 & 1)));
    }
  }
  return flags;
}

template <int BlockSize, int Items, class T>
void check(dim3 shape = BlockSize) {
  constexpr int patterns = 9;
  const int threads = int(shape.x * shape.y * shape.z), n = threads * Items;
  const auto in = test::make_values<T>(n);
  const auto flags = make_flags(patterns, n);
  const auto all = std::size_t(patterns * n);
  test::device_array<T> input(in), kept(all), rest(all);
  test::device_array<unsigned char> device_flags(flags);
  test::device_array<int> ranks(all), halves(all), thirds(all), counts(all / Items * counts_of_thread);
  test::run(compact_block<BlockSize, Items, T>, patterns, shape, 0, input.data(), device_flags.data(),
            results<T>{ranks.data(), halves.data(), thirds.data(), kept.data(), rest.data(), counts.data()});
  const auto got_ranks = ranks.download(), got_halves = halves.download(), got_thirds = thirds.download();
  const auto got_counts = counts.download();
  const auto got_kept = kept.download(), got_rest = rest.download();
  for (int p = 0; p < patterns; ++p) {
    CAPTURE(BlockSize, Items, threads, p);
    const auto from = std::size_t(p * n);
    std::vector<T> want_kept, want_rest;
    std::vector<int> want_ranks, want_halves(in.size()), want_thirds(in.size()), parts[3];
    for (int i = 0; i < n; ++i) {
      const int flag = flags[from + std::size_t(i)];
      want_ranks.push_back(int(want_kept.size()));
      (flag & 1 ? want_kept : want_rest).push_back(in[std::size_t(i)]);
      parts[flag & 1 ? 0 : flag & 2 ? 1 : 2].push_back(i);
    }
    int place = 0, before = 0;
    for (const auto& part : parts) {
      for (int i : part) want_thirds[std::size_t(i)] = place++;
    }
    for (int i = 0; i < n; ++i) {
      const bool is_kept = flags[from + std::size_t(i)] & 1;
      want_halves[std::size_t(i)] = is_kept ? before : int(want_kept.size()) + i - before;
      before += is_kept;
    }
    CHECK(test::count_wrong(got_ranks, from, want_ranks, n) == 0);
    CHECK(test::count_wrong(got_halves, from, want_halves, n) == 0);
    CHECK(test::count_wrong(got_thirds, from, want_thirds, n) == 0);
    CHECK(test::count_wrong(got_kept, from, want_kept, int(want_kept.size())) == 0);
    CHECK(test::count_wrong(got_rest, from, want_rest, int(want_rest.size())) == 0);
    const int k = int(want_kept.size()), r = n - k;
    const int want[] = {k, 0, r, r, k, k, r, int(parts[0].size()), int(parts[1].size()), int(parts[2].size())};
    int wrong = 0;
    for (int t = 0; t < threads; ++t) {
      for (int i = 0; i < 10; ++i) {
        const int got = got_counts[std::size_t(p * threads + t) * counts_of_thread + std::size_t(i)];
        wrong += i != 1 && got != want[i];
      }
    }
    CHECK(wrong == 0);
  }
  for (const auto* array : {&ranks, &halves, &thirds, &counts}) array->check_guards();
  kept.check_guards();
  rest.check_guards();
  input.check_unchanged();
}

struct is_third {
  __host__ __device__ bool operator()(int i) const { return i % 3 == 0; }
};

/// A tile of which only the first values are there: by flags and by a predicate that takes no others.
template <int BlockSize, int Items>
__global__ void compact_partial(const int* in, int valid_count, int* by_flags, int* by_predicate, int* counts) {
  const auto block = cg::this_thread_block();
  const int first = int(block.thread_rank()) * Items;
  const auto is_odd = [&](int x) { return 100 / x % 2 != 0; };
  int values[Items];
  bool keep[Items];
  for (int i = 0; i < Items; ++i) {
    values[i] = first + i < valid_count ? in[first + i] : 0;
    keep[i] = first + i >= valid_count || is_odd(values[i]);
  }
  int found, told;
  if constexpr (Items == 1) {
    found = gpuprim::block_compact<BlockSize>(block, values[0], is_odd, by_predicate, valid_count);
    told = gpuprim::block_compact<BlockSize>(block, values[0], keep[0], by_flags, valid_count);
  } else {
    found = gpuprim::block_compact<BlockSize>(block, values, is_odd, by_predicate, valid_count);
    told = gpuprim::block_compact<BlockSize>(block, values, keep, by_flags, valid_count);
  }
  counts[2 * block.thread_rank()] = found;
  counts[2 * block.thread_rank() + 1] = told;
}

template <int BlockSize, int Items>
void check_partial(int threads = BlockSize) {
  const int n = threads * Items;
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(1 + int(test::scramble(std::uint64_t(i)) % 100));
  test::device_array<int> in(values);
  for (int valid : {0, 1, Items, Items + 1, 31, 32, 33, n / 2, n - 1, n, n + 5}) {
    CAPTURE(BlockSize, Items, threads, valid);
    std::vector<int> want;
    for (int i = 0; i < n && i < valid; ++i) {
      if (100 / values[std::size_t(i)] % 2 != 0) want.push_back(values[std::size_t(i)]);
    }
    test::device_array<int> by_flags(want.size()), by_predicate(want.size()), counts(2 * std::size_t(threads));
    test::run(compact_partial<BlockSize, Items>, 1, unsigned(threads), 0, in.data(), valid, by_flags.data(),
              by_predicate.data(), counts.data());
    CHECK(by_flags.download() == want);
    CHECK(by_predicate.download() == want);
    CHECK(counts.download() == std::vector<int>(2 * std::size_t(threads), int(want.size())));
    by_flags.check_guards();
    by_predicate.check_guards();
  }
  in.check_unchanged();
}

/// Tile after tile of an array, in place.
template <int BlockSize, int Items>
__global__ void drop_in_place(int* data, int n, int* left) {
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank());
  int kept = 0;
  for (int first = 0; first < n; first += BlockSize * Items) {
    int values[Items];
    for (int i = 0; i < Items; ++i) {
      const int at = first + rank * Items + i;
      values[i] = at < n ? data[at] : 1;
    }
    kept += gpuprim::block_compact<BlockSize>(block, values, is_third{}, data + kept);
  }
  if (rank == 0) *left = kept;
}

template <int BlockSize, int Items>
void check_in_place(int n) {
  std::vector<int> values, want;
  for (int i = 0; i < n; ++i) values.push_back(int(test::scramble(std::uint64_t(i)) % 1000));
  std::copy_if(values.begin(), values.end(), std::back_inserter(want), is_third{});
  test::device_array<int> data(values), left(1);
  test::run(drop_in_place<BlockSize, Items>, 1, BlockSize, 0, data.data(), n, left.data());
  CHECK(left.download()[0] == int(want.size()));
  CHECK(test::count_wrong(data.download(), 0, want, int(want.size())) == 0);
  data.check_guards();
}

}  // namespace

TEST_CASE("compaction and partition of blocks of any size", "[block][sanitizer]") {
  check<32, 1, int>();
  check<64, 1, int>();
  check<256, 1, int>();
  check<1024, 1, int>();
  check<33, 1, int>();
  check<gpuprim::runtime_block_size, 1, int>(96);
  check<gpuprim::runtime_block_size, 1, int>(1);
  check<gpuprim::runtime_block_size, 1, int>(100);
}

TEST_CASE("compaction and partition of several values a thread", "[block][sanitizer]") {
  check<32, 2, int>();
  check<128, 4, int>();
  check<256, 7, int>();
  check<20, 3, int>();
  check<gpuprim::runtime_block_size, 3, int>(77);
  check<1024, 8, int>();
}

TEST_CASE("compaction of the first values of a block", "[block][sanitizer]") {
  check_partial<32, 1>();
  check_partial<128, 4>();
  check_partial<96, 9>();
  check_partial<gpuprim::runtime_block_size, 3>(77);
}

TEST_CASE("compaction and partition of a small block", "[block][tsan]") {
  check_partial<64, 2>();
  check<64, 1, int>();
  check<96, 2, int>();
  check<gpuprim::runtime_block_size, 1, int>(70);
  check_in_place<64, 2>(700);
}

TEST_CASE("compaction and partition of two- and three-dimensional blocks", "[block]") {
  check<96, 1, int>(dim3(8, 12));
  check<105, 2, int>(dim3(3, 5, 7));
}

TEST_CASE("compaction of every element type", "[block]") {
  check<64, 3, signed char>();
  check<96, 1, short>();
  check<64, 2, double>();
  check<128, 2, test::point3>();
  check<64, 1, test::matrix2>();
  check<64, 2, test::span_of_positions>();
}

TEST_CASE("counts of three parts that do not fit in half words", "[block]") { check<1024, 64, signed char>(); }

TEST_CASE("compaction by a predicate, in place", "[block]") {
  check_in_place<96, 1>(1000);
  check_in_place<256, 5>(5000);
}
