// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/shared.cuh>

#include "../support/scan_check.cuh"

namespace {

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

template <class Step>
std::vector<Step> make_steps(int count) {
  using part = decltype(Step::scale);
  std::vector<Step> steps;
  for (int i = 0; i < count; ++i) steps.push_back({part(2 * i + 3), part(7 * i + 1), part(1)});
  return steps;
}

/// Finds the start, and says what it was called with and how often.
template <class T>
struct recorder {
  T start;
  T* aggregates;  ///< of each thread
  int* calls;     ///< of each thread
  int rank;

  __device__ T operator()(const T& aggregate) const {
    aggregates[rank] = aggregate;
    ++calls[rank];
    if (rank > 0) return aggregate;  // which nobody may take
    return start;
  }
};

enum form { inclusive, exclusive, partial_inclusive, partial_exclusive, first_item, forms = first_item + 6 };
constexpr int most_items = 3, scans = 6;

/// All forms of scans with a function, in a row: a missing barrier between them mixes two. `Block` is made from memory
/// of the block or not.
template <int BlockSize, class Block, class T, class Op>
__device__ void scan_all(const Block& block, const T* in, const T& start, T* out, T* aggregates, int* calls, int valid,
                         Op op) {
  const int rank = int(block.thread_rank()), threads = int(block.size());
  const T mine = in[rank], given = rank < valid ? mine : in[0];
  const auto record = [&](int scan) { return recorder<T>{start, aggregates + scan * threads, calls, rank}; };
  const auto put = [&](int which, const T& value) { out[which * threads + rank] = value; };
  using gpuprim::prefix_callback;
  put(inclusive, gpuprim::block_inclusive_scan<BlockSize>(block, mine, op, prefix_callback{record(0)}));
  put(exclusive, gpuprim::block_exclusive_scan<BlockSize>(block, mine, op, prefix_callback{record(1)}));
  const auto third = record(2);
  put(partial_inclusive, gpuprim::block_inclusive_scan<BlockSize>(block, given, op, prefix_callback{third}, valid));
  put(partial_exclusive, gpuprim::block_exclusive_scan<BlockSize>(block, given, op, prefix_callback{record(3)}, valid));
  T values[2][most_items] = {{mine, start, mine}, {mine, start, mine}};
  gpuprim::block_inclusive_scan<BlockSize>(block, values[0], op, prefix_callback{record(4)});
  gpuprim::block_exclusive_scan<BlockSize>(block, values[1], op, prefix_callback{record(5)});
  for (int i = 0; i < 2 * most_items; ++i) put(first_item + i, values[i / most_items][i % most_items]);
}

template <int BlockSize, bool OwnMemory, class T, class Op>
__global__ void __launch_bounds__(1024)
    scan_block(const T* in, T start, T* out, T* aggregates, int* calls, int valid, Op op) {
  if constexpr (OwnMemory) {
    GPUPRIM_SHARED(memory, gpuprim::block_storage<gpuprim::block_scan_bytes<BlockSize, T>>);
    const gpuprim::block_with_memory block(memory);
    scan_all<BlockSize>(block, in, start, out, aggregates, calls, valid, op);
  } else {
    scan_all<BlockSize>(gpuprim::this_block{}, in, start, out, aggregates, calls, valid, op);
  }
}

template <int BlockSize, bool OwnMemory, class T, class Op>
void check_block(const std::vector<T>& steps, Op op, dim3 shape) {
  const int threads = int(shape.x * shape.y * shape.z);
  const std::vector<T> values(steps.begin(), steps.begin() + threads);
  const T start = steps.back();
  std::vector<T> items;
  for (const T& value : values) items.insert(items.end(), {value, start, value});
  const auto behind = [&](auto all) {
    all[0] = op(start, all[0]);
    return test::scan_inclusive(all, op);
  };
  const auto sums = test::scan_inclusive(values, op);
  test::device_array<T> input(values);
  for (int valid : {0, 1, threads / 2 + 1, threads, 100 * threads}) {
    T of_part = start;
    if (valid > 0) of_part = sums[std::size_t(std::min(valid, threads) - 1)];
    else if constexpr (gpuprim::has_identity<Op, T>) of_part = gpuprim::identity_element<Op, T>::value();
    else continue;
    CAPTURE(BlockSize, OwnMemory, sizeof(T), threads, valid);
    const int count = valid < threads ? valid : threads;
    const std::size_t results = values.size();
    test::device_array<T> output(forms * results), aggregates(scans * results);
    test::device_array<int> calls(std::vector<int>(results, 0));
    test::run(scan_block<BlockSize, OwnMemory, T, Op>, 1, shape, 0, input.data(), start, output.data(),
              aggregates.data(), calls.data(), valid, op);
    const auto got = output.download(), got_aggregates = aggregates.download();
    const auto wrong = [&](int which, const std::vector<T>& want, int n) {
      return test::count_wrong(got, unsigned(which) * results, want, n);
    };
    CHECK(wrong(inclusive, behind(values), threads) == 0);
    CHECK(wrong(exclusive, test::scan_exclusive(values, op, start), threads) == 0);
    CHECK(wrong(partial_inclusive, behind(values), count) == 0);
    CHECK(wrong(partial_exclusive, test::scan_exclusive(values, op, start), count) == 0);
    const auto item_sums = behind(items), items_before = test::scan_exclusive(items, op, start);
    int wrong_items = 0;
    for (int r = 0; r < threads; ++r) {
      for (int i = 0; i < most_items; ++i) {
        const auto at = std::size_t(r * most_items + i);
        wrong_items += !(got[unsigned(first_item + i) * results + unsigned(r)] == item_sums[at]);
        wrong_items += !(got[unsigned(first_item + most_items + i) * results + unsigned(r)] == items_before[at]);
      }
    }
    CHECK(wrong_items == 0);
    const T of_items = test::scan_inclusive(items, op).back();
    const T want_aggregates[] = {sums.back(), sums.back(), of_part, of_part, of_items, of_items};
    const int callers = threads < 32 ? threads : 32;
    for (int scan = 0; scan < scans; ++scan) {
      CHECK(test::count_wrong(got_aggregates, unsigned(scan) * results, want_aggregates[scan], callers) == 0);
    }
    std::vector<int> want_calls(results, 0);
    std::fill_n(want_calls.begin(), callers, scans);
    CHECK(calls.download() == want_calls);
    output.check_guards(), aggregates.check_guards();
  }
  input.check_unchanged();
}

template <int BlockSize, class Part>
void check(dim3 shape = BlockSize) {
  const auto steps = make_steps<counted_step<Part>>(1025);
  check_block<BlockSize, false>(steps, one_by_one{}, shape);
  check_block<BlockSize, true>(steps, one_by_one{}, shape);
}

/// The look-back of a kernel of the caller's, in its simplest form: a tile waits for the one before it.
template <class T, class Op>
struct chain_link {
  T* prefixes;      ///< of each tile, what its last value becomes
  unsigned* flags;  ///< of each tile, whether that is there
  int tile;
  T start;
  Op op;

  __device__ T operator()(const T& aggregate) const {
    T before = start;
    if (tile > 0) {
      while (gpuprim::ptx::load_acquire(flags + tile - 1) == 0) {
      }
      before = prefixes[tile - 1];
    }
    if (gpuprim::this_block::thread_rank() == 0) {
      prefixes[tile] = op(before, aggregate);
      gpuprim::ptx::store_release(flags + tile, 1);
    }
    return before;
  }
};

/// Scans an array in one pass: `flags` has a word for each tile, which is 0, and the number of tiles that have begun.
template <int BlockSize, class T, class Op>
__global__ void __launch_bounds__(1024)
    chained_scan(const T* in, int n, T start, T* out, T* prefixes, unsigned* flags, Op op) {
  const gpuprim::this_block block;
  GPUPRIM_SHARED(ticket, unsigned);
  const int rank = int(block.thread_rank());
  if (rank == 0) ticket = atomicAdd(flags + gridDim.x, 1u);
  block.sync();
  const int tile = int(ticket), at = tile * BlockSize + rank;
  const T mine = in[at < n ? at : 0];
  const chain_link<T, Op> find_prefix{prefixes, flags, tile, start, op};
  const T result = gpuprim::block_exclusive_scan<BlockSize>(block, mine, op, gpuprim::prefix_callback{find_prefix},
                                                            n - tile * BlockSize);
  if (at < n) out[at] = result;
}

template <int BlockSize, class Part>
void check_chain(int n) {
  using step = counted_step<Part>;
  CAPTURE(BlockSize, n);
  const unsigned tiles = unsigned((n + BlockSize - 1) / BlockSize);
  auto steps = make_steps<step>(n + 1);
  const step start = steps.back();
  steps.pop_back();
  test::device_array<step> input(steps), output(steps.size()), prefixes(tiles);
  test::device_array<unsigned> flags(std::vector<unsigned>(tiles + 1, 0));
  test::run(chained_scan<BlockSize, step, one_by_one>, tiles, BlockSize, 0, input.data(), n, start, output.data(),
            prefixes.data(), flags.data(), one_by_one{});
  CHECK(test::count_wrong(output.download(), 0, test::scan_exclusive(steps, one_by_one{}, start), n) == 0);
  output.check_guards(), prefixes.check_guards(), flags.check_guards();
}

/// What CUB's callbacks mostly do: the function keeps the sum of the tiles before, in the lanes that call it.
struct carried_sum {
  long long sum;
  __device__ long long operator()(long long aggregate) {
    const long long before = sum;
    sum += aggregate;
    return before;
  }
};

template <int BlockSize>
__global__ void scan_tiles(const int* in, int tiles, long long* out) {
  carried_sum carry{5};
  for (int tile = 0; tile < tiles; ++tile) {
    const int at = tile * BlockSize + int(threadIdx.x);
    const long long mine = in[at];
    out[at] = gpuprim::block_inclusive_scan<BlockSize>(gpuprim::this_block{}, mine, gpuprim::plus{},
                                                       gpuprim::prefix_callback{carry});
  }
}

}  // namespace

TEST_CASE("a function finds the prefix of a block scan from the aggregate", "[block][sanitizer]") {
  check<1, std::uint8_t>();
  check<31, std::uint64_t>();
  check<32, std::uint8_t>();
  check<33, std::uint8_t>();
  check<64, std::uint64_t>();
  check<256, std::uint8_t>();
  check<512, std::uint16_t>();
  check<1000, std::uint64_t>();
  check<1024, std::uint8_t>();
  check<105, std::uint32_t>(dim3(3, 5, 7));
  check<256, std::uint64_t>(dim3(16, 16));
  for (unsigned threads : {1, 31, 33, 1000}) check<gpuprim::runtime_block_size, std::uint32_t>(threads);
}

TEST_CASE("a function finds the prefix of integers, whose warps one instruction joins", "[block]") {
  std::vector<int> values;
  for (int i = 0; i <= 1024; ++i) values.push_back(i * i % 1000 - 300);
  check_block<96, false>(values, gpuprim::plus{}, 96);
  check_block<1024, true>(values, gpuprim::plus{}, 1024);
  check_block<32, false>(values, gpuprim::minimum{}, 32);
}

TEST_CASE("blocks scan an array as a chain, each from the prefix that the one before has left",
          "[block][sanitizer][tsan]") {
  check_chain<64, std::uint32_t>(1000);
  check_chain<96, std::uint8_t>(96 * 8);
  check_chain<32, std::uint64_t>(321);
}

TEST_CASE("a function object of the caller's keeps what it changes from scan to scan", "[block]") {
  std::vector<int> values;
  for (int i = 0; i < 5 * 128; ++i) values.push_back(i % 37 - 9);
  test::device_array<int> input(values);
  test::device_array<long long> output(values.size());
  test::run(scan_tiles<128>, 1, 128, 0, input.data(), 5, output.data());
  std::vector<long long> want(values.begin(), values.end());
  want[0] += 5;
  CHECK(output.download() == test::scan_inclusive(want, gpuprim::plus{}));
}
