// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_load_store.cuh>
#include <gpuprim/warp/warp_transpose.cuh>

#include "../support/scan_check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// Writes each lane's values twice: striped, and from striped.
template <int Lanes, int Items, class T>
__global__ void transpose(const T* in, T* out) {
  const auto tile = cg::tiled_partition<Lanes>(cg::this_thread_block());
  const int first = int(threadIdx.x) * Items, n = int(blockDim.x) * Items;
  gpuprim::uninitialized_array<T, Items> values;
  for (int i = 0; i < Items; ++i) values[i] = in[first + i];
  gpuprim::warp_blocked_to_striped(tile, values.items);
  for (int i = 0; i < Items; ++i) {
    out[first + i] = values[i];
    values[i] = in[first + i];
  }
  gpuprim::warp_striped_to_blocked(gpuprim::warp_tile<Lanes>{}, values.items);
  for (int i = 0; i < Items; ++i) out[n + first + i] = values[i];
}

template <int Lanes, int Items, class T>
void check() {
  CAPTURE(Lanes, Items, sizeof(T));
  constexpr int threads = 64, n = threads * Items, of_tile = Lanes * Items;
  const auto values = test::make_values<T>(n);
  test::device_array<T> input(values), output(2 * values.size());
  test::run(transpose<Lanes, Items, T>, 1, threads, 0, input.data(), output.data());
  const auto got = output.download();
  int wrong = 0;
  for (int thread = 0; thread < threads; ++thread) {
    for (int i = 0; i < Items; ++i) {
      const int tile = thread / Lanes * of_tile, lane = thread % Lanes;
      const int blocked = lane * Items + i, striped = i * Lanes + lane;
      wrong += !(got[std::size_t(thread * Items + i)] == values[std::size_t(tile + striped)]);
      const int from = blocked % Lanes * Items + blocked / Lanes;
      wrong += !(got[std::size_t(n + thread * Items + i)] == values[std::size_t(tile + from)]);
    }
  }
  CHECK(wrong == 0);
  input.check_unchanged();
  output.check_guards();
}

/// Each tile loads and stores as many of its values as are valid; others become what they were before.
template <int Lanes, int Items, class T>
__global__ void pass_on(const T* in, T* out, T before, int valid) {
  const gpuprim::warp_tile<Lanes> tile;
  const int first = int(threadIdx.x) / Lanes * Lanes * Items;
  gpuprim::uninitialized_array<T, Items> values;
  for (int i = 0; i < Items; ++i) values[i] = before;
  gpuprim::warp_load(tile, in + first, values.items, valid);
  const int n = int(blockDim.x) * Items;
  for (int i = 0; i < Items; ++i) out[n + int(threadIdx.x) * Items + i] = values[i];
  gpuprim::warp_store(tile, values.items, out + first, valid);
}

template <int Lanes, int Items, class T>
void check_passed_on() {
  constexpr int threads = 64, n = threads * Items, of_tile = Lanes * Items;
  const auto values = test::make_values<T>(n + 1);
  const T before = values.back();
  const test::device_array<T> input(values);
  for (int valid : {0, 1, of_tile / 2 + 1, of_tile, of_tile + 9}) {
    CAPTURE(Lanes, Items, valid);
    test::device_array<T> output(std::vector<T>(std::size_t(2 * n), before));
    test::run(pass_on<Lanes, Items, T>, 1, threads, 0, input.data(), output.data(), before, valid);
    const auto got = output.download();
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      const T want = valid > i % of_tile ? values[std::size_t(i)] : before;
      wrong += !(got[std::size_t(i)] == want) + !(got[std::size_t(n + i)] == want);
    }
    CHECK(wrong == 0);
    output.check_guards();
  }
}

template <int Lanes>
void check_items() {
  check<Lanes, 1, int>();
  check<Lanes, 2, int>();
  check<Lanes, 3, int>();
  check<Lanes, 4, int>();
  check<Lanes, 6, int>();
  check<Lanes, 7, int>();
  check<Lanes, 8, int>();
  check<Lanes, 12, int>();
  check<Lanes, 15, int>();
  check<Lanes, 16, int>();
}

}  // namespace

TEST_CASE("transpositions of a tile, by what its lanes and their values have in common", "[warp][sanitizer]") {
  check_items<32>();
  check_items<8>();
  check_items<4>();
  check_items<1>();
  check<2, 24, int>();
  check<32, 32, int>();
  check<16, 20, int>();
}

TEST_CASE("transpositions of a tile of every element type", "[warp][tsan]") {
  check<32, 4, signed char>();
  check<16, 3, __half>();
  check<32, 5, double>();
  check<32, 4, test::point3>();
  check<8, 6, test::matrix2>();
  check<32, 2, test::span_of_positions>();
}

TEST_CASE("A tile of lanes loads and stores its values", "[device][sanitizer]") {
  check_passed_on<32, 4, int>();
  check_passed_on<8, 3, test::point3>();
  test::unless_sanitized([](auto) {
    check_passed_on<32, 7, unsigned char>();
    check_passed_on<1, 2, int>();
  });
}
