// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/core/groups.cuh>
#include <gpuprim/warp/warp_append.cuh>
#include <gpuprim/warp/warp_compact.cuh>
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_scan.cuh>
#include <gpuprim/warp/warp_search.cuh>

#include "../support/scan_check.cuh"

namespace {

constexpr int threads = 64;

/// The form without a count.
constexpr int every = -1;

/// What a lane has seen of its tile.
struct place {
  unsigned rank, size, mask, flags;
  friend bool operator==(const place&, const place&) = default;
};

/// Whether the last tile of a warp, which has fewer lanes, takes part.
enum class left_over { works, stays_out };

enum form { all_reduced, reduced, inclusive, its_total, from_start, its_sum, before_count, compacted, forms };

template <int Size, class T, class Op>
__global__ void work(const T* in, const T* sorted, T start, T* out, place* places, int* counts, int valid,
                     left_over rest, Op op) {
  const gpuprim::warp_tile<Size> tile;
  const unsigned i = gpuprim::this_block::thread_rank();
  if (rest == left_over::stays_out && tile.size() < Size) return;
  const T mine = in[i];
  const auto put = [&](form which, const T& value) { out[which * threads + int(i)] = value; };
  T total = start;
  const bool keep = i % 3 == 0;
  places[i] = {tile.thread_rank(), tile.size(), tile.mask(), tile.ballot(keep)};
  if (valid == every) {
    put(all_reduced, gpuprim::warp_all_reduce(tile, mine, op));
    put(reduced, gpuprim::warp_reduce(tile, mine, op));
    put(inclusive, gpuprim::warp_inclusive_scan(tile, mine, op, gpuprim::total_to{total}));
    put(its_total, total);
    put(from_start, gpuprim::warp_exclusive_scan(tile, mine, op, start, total));
  } else {
    put(all_reduced, gpuprim::warp_all_reduce(tile, mine, op, valid));
    put(reduced, gpuprim::warp_reduce(tile, mine, op, valid));
    put(inclusive, gpuprim::warp_inclusive_scan(tile, mine, op, gpuprim::total_to{total}, valid));
    put(its_total, total);
    put(from_start, gpuprim::warp_exclusive_scan(tile, mine, op, start, total, valid));
  }
  put(its_sum, total);
  const int count = valid == every ? gpuprim::detail::all_values : valid;
  put(before_count, gpuprim::warp_exclusive_scan(tile, mine, op, gpuprim::running_prefix{start}, count));
  const auto kept = gpuprim::warp_compact(tile, mine, keep);
  put(compacted, kept.value);
  counts[i] = kept.count;
  const int from = int(gpuprim::this_block::thread_rank() / 32 * 32 + tile.first_lane());  // of the tile
  counts[threads + i] = gpuprim::warp_lower_bound(tile, sorted, threads, sorted[from],
                                                  [](const T& a, const T& b) { return a.scale < b.scale; });
}

/// Three numbers, 3 to 24 bytes: x -> scale * x + offset, and how many of these there were.
template <class Part>
struct counted_step {
  Part scale, offset, count;
  friend bool operator==(const counted_step&, const counted_step&) = default;
};

/// First one and then the other, which does not commute and has no identity.
struct one_by_one {
  template <class Part>
  GPUPRIM_HOST_DEVICE counted_step<Part> operator()(const counted_step<Part>& a, const counted_step<Part>& b) const {
    return {Part(a.scale * b.scale), Part(a.offset * b.scale + b.offset), Part(a.count + b.count)};
  }
};

template <int Size, class Part>
void check(dim3 shape = threads) {
  using step = counted_step<Part>;
  const one_by_one op;
  std::vector<step> values, sorted;
  for (int i = 0; i < threads; ++i) {
    values.push_back({Part(2 * i + 3), Part(7 * i + 1), Part(1)});
    sorted.push_back({Part(2 * i), Part(0), Part(0)});
  }
  const step start{5, 9, 100};
  test::device_array<step> input(values), keys(sorted);
  for (const left_over rest : {left_over::works, left_over::stays_out}) {
    for (int valid : {every, 1, Size / 2 + 1, Size - 1, Size, 100}) {
      CAPTURE(Size, sizeof(Part), valid);
      test::device_array<step> output(forms * threads);
      test::device_array<place> places(threads);
      test::device_array<int> counts(std::size_t(2 * threads));
      test::run(work<Size, step, one_by_one>, 1, shape, 0, input.data(), keys.data(), start, output.data(),
                places.data(), counts.data(), valid, rest, op);
      const auto got = output.download();
      const auto got_places = places.download();
      const auto got_counts = counts.download();
      int tiles = 0;
      for (int first = 0; first < threads; ++tiles) {
        const int lane = first % 32, lanes = std::min(Size, 32 - lane);
        const std::size_t at = std::size_t(first);
        first += lanes;
        if (rest == left_over::stays_out && lanes < Size) continue;
        const int count = valid == every ? lanes : std::min(valid, lanes);
        const std::vector<step> own(values.begin() + int(at), values.begin() + int(at) + lanes);
        const auto wrong = [&](form which, const auto& want, int results) {
          return test::count_wrong(got, at + std::size_t(which * threads), want, results);
        };
        const auto sums = test::scan_inclusive(own, op), before = test::scan_exclusive(own, op, start);
        const step sum = sums[std::size_t(count - 1)];
        CHECK(wrong(all_reduced, sum, lanes) == 0);
        CHECK(wrong(reduced, sum, 1) == 0);
        CHECK(wrong(inclusive, sums, count) == 0);
        CHECK(wrong(its_total, sum, lanes) == 0);
        CHECK(wrong(from_start, before, count) == 0);
        CHECK(wrong(its_sum, op(start, sum), lanes) == 0);
        CHECK(wrong(before_count, before, count) == 0);
        std::vector<step> kept;
        unsigned flags = 0;
        for (int i = 0; i < lanes; ++i) {
          if ((int(at) + i) % 3 == 0) kept.push_back(own[std::size_t(i)]), flags |= 1u << i;
        }
        CHECK(wrong(compacted, kept, int(kept.size())) == 0);
        for (int i = 0; i < lanes; ++i) {
          const unsigned mask = (lanes == 32 ? ~0u : (1u << lanes) - 1) << lane;
          CHECK(got_places[at + std::size_t(i)] == place{unsigned(i), unsigned(lanes), mask, flags});
          CHECK(got_counts[at + std::size_t(i)] == int(kept.size()));
          CHECK(got_counts[at + std::size_t(threads + i)] == int(at));
        }
      }
      CHECK(tiles == 2 * ((32 + Size - 1) / Size));
      output.check_guards();
    }
  }
  input.check_unchanged();
}

template <int Size>
__global__ void append_odd(gpuprim::append_queue<int> queue) {
  const int mine = int(threadIdx.x);
  gpuprim::warp_append(gpuprim::warp_tile<Size>{}, queue, mine, mine % 2 == 1);
}

}  // namespace

TEST_CASE("tiles of any number of lanes reduce, scan, compact and search", "[warp][sanitizer]") {
  check<3, std::uint8_t>();
  check<5, std::uint32_t>();
  check<6, std::uint64_t>();
  check<9, std::uint8_t>();
  check<9, std::uint64_t>(dim3(8, 8));
  check<12, std::uint16_t>(dim3(4, 2, 8));
  check<17, std::uint32_t>();
  check<24, std::uint64_t>();
  check<31, std::uint8_t>();
}

TEST_CASE("tiles of nine lanes under the race checker", "[warp][tsan]") { check<9, std::uint32_t>(); }

TEST_CASE("tiles of any number of lanes append to a queue", "[warp]") {
  test::device_array<int> items(threads);
  test::device_array<unsigned long long> count(std::vector<unsigned long long>{0});
  test::run(append_odd<11>, 1, threads, 0, gpuprim::append_queue<int>{items.data(), threads, count.data()});
  REQUIRE(count.download()[0] == threads / 2);
  auto got = items.download();
  std::sort(got.begin(), got.begin() + threads / 2);
  for (int i = 0; i < threads / 2; ++i) CHECK(got[std::size_t(i)] == 2 * i + 1);
}
