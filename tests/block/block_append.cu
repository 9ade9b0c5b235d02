// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_append.cuh>
#include <gpuprim/launch/read_queue.cuh>
#include <gpuprim/warp/warp_append.cuh>

#include "../support/scan_check.cuh"

#include <cooperative_groups.h>

#include <string>

namespace cg = cooperative_groups;

namespace {

__host__ __device__ bool is_wanted(int i) { return test::scramble(std::uint64_t(i)) % 5 < 2 || i / 100 == 3; }

/// Who appends: a tile, the lanes of a branch, a block, a block with several values a thread.
enum class form { tile, coalesced, block, items };

constexpr int items = 3;

/// Value i of n is appended if it is wanted; `places` takes where it stands, or -1.
template <form Form, int Size, class T>
__global__ void append_all(const T* in, int n, gpuprim::append_queue<T> queue, std::int64_t* places) {
  const auto block = cg::this_thread_block();
  const int thread = int(blockIdx.x) * int(block.size()) + int(block.thread_rank());
  const auto put = [&](int i, const gpuprim::appended& a) {
    if (i < n) places[i] = a.stored > 0 ? a.place : -1;
  };
  if constexpr (Form == form::items) {
    bool wanted[items];
    gpuprim::uninitialized_array<T, items> values;
    for (int i = 0; i < items; ++i) {
      const int at = thread * items + i;
      values[i] = in[at < n ? at : 0];
      wanted[i] = at < n && is_wanted(at);
    }
    auto a = gpuprim::block_append<Size>(block, queue, values.items, wanted);
    for (int i = 0; i < items; ++i) {
      const gpuprim::appended one{a.place, wanted[i] && a.stored > 0};
      put(thread * items + i, one);
      a.place += one.stored;
      a.stored -= one.stored;
    }
  } else {
    const T value = in[thread < n ? thread : 0];
    const bool wanted = thread < n && is_wanted(thread);
    if constexpr (Form == form::tile) {
      put(thread, gpuprim::warp_append(gpuprim::warp_tile<Size>{}, queue, value, wanted));
    }
    if constexpr (Form == form::block) put(thread, gpuprim::block_append<Size>(block, queue, value, wanted));
    if constexpr (Form == form::coalesced) {
      put(thread, {});
      if (wanted) put(thread, gpuprim::warp_append(cg::coalesced_threads(), queue, value));
    }
  }
}

/// Two appends in a row, of what is wanted and of the rest, so that a missing barrier between them mixes the places.
template <form Form, int Size, class T>
void check_append(int n, int block_size) {
  const auto in = test::make_values<T>(n);
  std::vector<int> wanted;
  for (int i = 0; i < n; ++i) {
    if (is_wanted(i)) wanted.push_back(i);
  }
  const int asked = int(wanted.size()), per_block = block_size * (Form == form::items ? items : 1);
  test::device_array<T> input(in);
  for (int capacity : {0, 1, asked / 2, asked - 1, asked, n + 7}) {
    if (capacity < 0) continue;
    CAPTURE(int(Form), Size, n, capacity);
    test::device_array<T> list(static_cast<std::size_t>(capacity));
    test::device_array<unsigned long long> count(std::vector<unsigned long long>{0});
    test::device_array<std::int64_t> places(in.size());
    const gpuprim::append_queue<T> queue{list.data(), capacity, count.data()};
    test::run(append_all<Form, Size, T>, unsigned((n - 1) / per_block + 1), unsigned(block_size), 0, input.data(), n,
              queue, places.data());
    const gpuprim::queue_state state = gpuprim::read_queue(queue);
    CHECK(state.asked == asked);
    CHECK(state.stored == (capacity < asked ? capacity : asked));
    CHECK(state.has_overflowed() == (capacity < asked));
    list.check_guards();
    count.check_guards();
    const auto got = list.download();
    const auto where = places.download();
    int stored = 0, wrong = 0;
    std::vector<int> uses(std::size_t(asked) + 1);
    for (int i = 0; i < n; ++i) {
      const std::int64_t place = where[std::size_t(i)];
      if (place < 0) continue;
      ++stored;
      wrong += place >= state.stored || !is_wanted(i) || ++uses[std::size_t(place)] != 1 ||
               !(got[std::size_t(place)] == in[std::size_t(i)]);
    }
    CHECK(stored == state.stored);
    CHECK(wrong == 0);
  }
  input.check_unchanged();
}

/// Appends of one block stand in rank order, and a second append follows at once.
template <int BlockSize>
__global__ void append_twice(gpuprim::append_queue<int> queue) {
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank());
  const auto is_even = [](int i) { return i % 2 == 0; };
  gpuprim::block_append<BlockSize>(block, queue, rank, is_even);
  gpuprim::block_append<BlockSize>(block, queue, rank, rank < 0);
  gpuprim::block_append<BlockSize>(block, queue, rank, rank % 2);
}

template <int BlockSize>
void check_order(int threads) {
  test::device_array<int> list{std::size_t(threads)};
  test::device_array<unsigned long long> count(std::vector<unsigned long long>{0});
  const gpuprim::append_queue<int> queue{list.data(), threads, count.data()};
  test::run(append_twice<BlockSize>, 1, unsigned(threads), 0, queue);
  std::vector<int> want;
  for (int i = 0; i < threads; i += 2) want.push_back(i);
  for (int i = 1; i < threads; i += 2) want.push_back(i);
  CHECK(list.download() == want);
}

}  // namespace

TEST_CASE("appends of tiles and blocks, with room and without", "[warp][block][sanitizer]") {
  check_append<form::tile, 32, int>(1000, 96);
  check_append<form::tile, 4, test::point3>(333, 96);
  check_append<form::tile, 1, int>(100, 64);
  check_append<form::coalesced, 0, int>(1000, 96);
  check_append<form::coalesced, 0, test::matrix2>(200, 96);
  check_append<form::block, 96, int>(1000, 96);
  check_append<form::block, 32, test::span_of_positions>(300, 32);
  check_append<form::block, 0, int>(1000, 100);
  check_append<form::items, 96, int>(1000, 96);
  check_append<form::items, 32, test::point3>(333, 32);
  check_append<form::items, 128, signed char>(1000, 128);
  check_append<form::items, 0, int>(1000, 70);
}

TEST_CASE("a small queue", "[warp][block][tsan]") {
  check_append<form::tile, 32, int>(70, 64);
  check_append<form::items, 64, int>(210, 64);
  check_order<64>(64);
}

TEST_CASE("appends of a block keep the order", "[block]") {
  check_order<256>(256);
  check_order<32>(32);
  check_order<gpuprim::runtime_block_size>(77);
}

TEST_CASE("a queue that cannot be read says so", "[warp]") {
  const auto error_of = [](const gpuprim::append_queue<int>& queue) -> std::string {
    try {
      (void)gpuprim::read_queue(queue);
    } catch (const gpuprim::cuda_error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(error_of({nullptr, 0, nullptr}).starts_with("gpuprim::read_queue: CUDA reported an error"));
  (void)cudaGetLastError();
  CHECK(error_of({nullptr, -1, nullptr}).starts_with("gpuprim::read_queue: the capacity is negative"));
}
