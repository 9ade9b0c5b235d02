// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
