// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_histogram.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <cooperative_groups.h>

#include <limits>

namespace cg = cooperative_groups;

namespace {

struct own_bins {
  template <class T> __device__ auto make_finder() const { return gpuprim::detail::item_is_bin{}; }
};

template <class Bins>
struct described_bins {
  Bins bins;
  template <class T> __device__ auto make_finder() const { return gpuprim::bin_finder<T>(bins); }
};

/// Counts of the first half of the items, of the second half, and of both: a missing barrier mixes them. Every thread
/// reads bins that others have counted.
template <int BlockSize, int Bins, int Items, class T, class Description>
__global__ void count_block(const T* in, unsigned* out, Description description) {
  const auto block = cg::this_thread_block();
  const auto find = description.template make_finder<T>();
  GPUPRIM_SHARED(counts, unsigned[Bins]);
  const int rank = int(block.thread_rank()), threads = int(block.size());
  T first[Items], second[Items];
  for (int i = 0; i < Items; ++i) {
    first[i] = in[i * threads + rank];
    second[i] = in[(Items + i) * threads + rank];
  }
  const auto write = [&](int turn) {
    for (int i = threads - 1 - rank; i < Bins; i += threads) out[turn * Bins + i] = counts[i];
  };
  gpuprim::block_histogram<BlockSize>(block, first, counts, find);
  write(0);
  gpuprim::block_histogram<BlockSize>(block, second, counts, find);
  write(1);
  block.sync();
  gpuprim::block_histogram_add(first, counts, find);
  block.sync();
  write(2);
}

/// Counts through counters of which only the kernel's argument says how many there are, with a counter behind them that
/// must not change. A block with memory of the caller's has the counter of what is outside there.
template <int BlockSize, int Items, class T, class Description>
__global__ void count_at_run_time(const T* in, unsigned* out, Description description, int bins) {
  constexpr int words = 4;
  unsigned* const counts = gpuprim::dynamic_shared<unsigned>() + words;
  const gpuprim::block_with_memory block(gpuprim::dynamic_shared<uint4>(), words * int(sizeof(unsigned)));
  const auto find = description.template make_finder<T>();
  const int rank = int(block.thread_rank()), threads = int(block.size());
  if (rank == 0) counts[bins] = 77;
  T first[Items], second[Items];
  for (int i = 0; i < Items; ++i) {
    first[i] = in[i * threads + rank];
    second[i] = in[(Items + i) * threads + rank];
  }
  const auto write = [&](int turn) {
    for (int i = threads - 1 - rank; i < bins; i += threads) out[turn * bins + i] = counts[i];
  };
  gpuprim::block_histogram<BlockSize>(block, first, counts, bins, find);
  write(0);
  gpuprim::block_histogram<BlockSize>(gpuprim::this_block{}, second, counts, bins, find);
  write(1);
  block.sync();
  gpuprim::block_histogram_add(first, counts, bins, find);
  block.sync();
  write(2);
  if (rank == 0 && counts[bins] != 77) out[0] = ~0u;
}

/// `bin_of(item)` is the bin or any number outside.
template <int BlockSize, int Bins, int Items, class T, class Description, class Bin>
void check(dim3 shape, const std::vector<T>& in, Description description, Bin bin_of) {
  CAPTURE(BlockSize, Bins, Items);
  std::vector<unsigned> want(3 * Bins);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const long long bin = bin_of(in[i]);
    if (bin < 0 || bin >= Bins) continue;
    const std::size_t half = i < in.size() / 2 ? 0 : 1;
    ++want[half * Bins + std::size_t(bin)];
    ++want[2 * Bins + std::size_t(bin)];
  }
  test::device_array<T> input(in);
  test::device_array<unsigned> output(want.size());
  test::run(count_block<BlockSize, Bins, Items, T, Description>, 1, shape, 0, input.data(), output.data(), description);
  CHECK(bool(output.download() == want));
  test::device_array<unsigned> at_run_time(want.size());
  const gpuprim::launch_shape with_counters{1, int(shape.x * shape.y * shape.z), (Bins + 5) * int(sizeof(unsigned))};
  const auto kernel = count_at_run_time<BlockSize, Items, T, Description>;
  CUDA_OK(gpuprim::launch(gpuprim::start::in_order, kernel, with_counters, nullptr, input.data(), at_run_time.data(),
                          description, Bins));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(bool(at_run_time.download() == want));
  output.check_guards();
  at_run_time.check_guards();
  input.check_unchanged();
}

/// Integers as bins: some outside of them, negative ones too, and half of all in one bin.
template <int Threads, int Bins, int Items, class T>
void check_integers(dim3 shape = Threads) {
  std::vector<T> in;
  for (int i = 0; i < 2 * Items * Threads; ++i) {
    in.push_back(i % 2 ? T(Bins / 2) : T(std::int64_t(test::scramble(std::uint64_t(i)) % (Bins + 5)) - 2));
  }
  const auto itself = [](T item) { return item > 0 && std::uint64_t(item) > Bins ? -1 : static_cast<long long>(item); };
  check<Threads, Bins, Items>(shape, in, own_bins{}, itself);
  check<gpuprim::runtime_block_size, Bins, Items>(shape, in, own_bins{}, itself);
}

template <class T>
std::vector<T> make_samples(int count) {
  std::vector<T> in;
  for (int i = 0; i < count; ++i) in.push_back(T(int(test::scramble(std::uint64_t(i)) % 3000) - 1000) / T(4));
  return in;
}

}  // namespace

TEST_CASE("block_histogram of any block size", "[block][sanitizer]") {
  check_integers<1, 7, 4, int>();
  check_integers<31, 5, 1, int>();
  check_integers<33, 300, 4, int>();
  check_integers<100, 1, 3, int>();
  check_integers<128, 256, 4, int>();
  check_integers<96, 64, 2, int>(dim3(4, 6, 4));
  check_integers<1024, 2048, 1, int>();
}

TEST_CASE("block_histogram of a small block", "[block][tsan]") { check_integers<40, 7, 2, int>(); }

TEST_CASE("block_histogram of every type of integer", "[block]") {
  check_integers<64, 256, 3, unsigned char>();
  check_integers<64, 256, 3, signed char>();
  check_integers<64, 100, 3, unsigned short>();
  check_integers<64, 100, 3, short>();
  check_integers<64, 100, 3, unsigned>();
  check_integers<64, 100, 3, std::int64_t>();
  check_integers<64, 100, 3, std::uint64_t>();
}

TEST_CASE("block_histogram of far integers counts none of them", "[block]") {
  const auto far = [](auto least) {
    using T = decltype(least);
    std::vector<T> in(64, least);
    for (std::size_t i = 0; i < 32; ++i) in[2 * i] = (std::numeric_limits<T>::max)();
    return in;
  };
  const auto outside = [](auto) { return -1; };
  check<32, 100, 1>(32, far(std::numeric_limits<int>::min()), own_bins{}, outside);
  check<32, 100, 1>(32, far(std::int64_t{-1} << 32), own_bins{}, outside);
  check<32, 100, 1>(32, far(std::uint64_t{1} << 32), own_bins{}, outside);
}

TEST_CASE("block_histogram of even bins", "[block][sanitizer]") {
  auto samples = make_samples<float>(2 * 3 * 96);
  samples[5] = std::numeric_limits<float>::quiet_NaN();
  samples[6] = std::numeric_limits<float>::infinity();
  const described_bins<gpuprim::even_bins<float>> floats{{32, -128.0f, 128.0f}};
  check<96, 32, 3>(96, samples, floats, [](float x) { return x >= -128 && x < 128 ? int(x + 128) / 8 : -1; });
  const auto whole = make_samples<std::int64_t>(2 * 3 * 96);
  const described_bins<gpuprim::even_bins<int>> integers{{10, -100, 57}};
  check<96, 10, 3>(96, whole, integers, [](std::int64_t x) { return x >= -100 && x < 57 ? (x + 100) * 10 / 157 : -1; });
  // With a counter more than bins: it takes the samples that are in none.
  check<96, 11, 3>(96, whole, integers, [](std::int64_t x) { return x >= -100 && x < 57 ? (x + 100) * 10 / 157 : 10; });
}

TEST_CASE("block_histogram of even bins whose bounds are not in order finds every sample outside", "[block]") {
  const auto count_outside = [](auto samples, auto level) {
    using Level = decltype(level);
    const auto outside = [](auto) { return 4; };
    check<32, 5, 2>(32, samples, described_bins<gpuprim::even_bins<Level>>{{4, Level(100), Level(-100)}}, outside);
    check<32, 5, 2>(32, samples, described_bins<gpuprim::even_bins<Level>>{{4, Level(7), Level(7)}}, outside);
  };
  count_outside(make_samples<float>(128), 0.0f);
  count_outside(make_samples<int>(128), 0);
  count_outside(make_samples<std::int64_t>(128), std::int64_t{0});
  const described_bins<gpuprim::even_bins<float>> endless{{4, 0.0f, std::numeric_limits<float>::infinity()}};
  check<32, 5, 2>(32, make_samples<float>(128), endless, [](float) { return 4; });
}

TEST_CASE("block_histogram of bins between levels", "[block][sanitizer]") {
  const std::vector<float> levels{-200.5f, -100, -100, 0, 3, 400};
  test::device_array<float> where(levels);
  const auto samples = make_samples<float>(2 * 3 * 96);
  const described_bins<gpuprim::bin_ranges<float>> ranges{{where.data(), 5}};
  check<96, 5, 3>(96, samples, ranges, [&](float x) {
    int bin = -1;
    for (int i = 0; i < 5; ++i) bin = x >= levels[std::size_t(i)] && x < levels[std::size_t(i) + 1] ? i : bin;
    return bin;
  });
  where.check_unchanged();
}
