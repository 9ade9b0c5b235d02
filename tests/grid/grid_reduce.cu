// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/grid/grid_reduce.cuh>

#include "../support/schedules.cuh"
#include "../support/types.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

template <int BlockSize, class T, class Op>
__global__ void reduce_blocks(const T* in, T* out, unsigned* calls, Op op, gpuprim::grid_reduce_state<T> state) {
  const auto block = cg::this_thread_block();
  const T mine = in[blockIdx.x * BlockSize + threadIdx.x];
  gpuprim::grid_reduce<BlockSize>(block, mine, op, state, [&](const T& total) {
    *out = total;
    atomicAdd(calls, 1u);
  });
}

/// A state each: block_reduce of one warp has no barrier that would keep the calls apart.
template <int Rounds>
__global__ void reduce_in_rounds(int* out, unsigned char* buffer, int bytes) {
  for (int round = 0; round < Rounds; ++round) {
    const auto state = gpuprim::make_grid_reduce_state<int>(buffer + round * bytes);
    gpuprim::grid_reduce<32>(cg::this_thread_block(), round + 1, gpuprim::plus{}, state,
                             [&](int total) { out[round] = total; });
  }
}

template <int BlockSize, class T, class Op>
void check(Op op, int blocks) {
  std::vector<T> in;
  for (int i = 0; i < blocks * BlockSize; ++i) in.push_back(test::make_value<T>(i));
  const T want = test::fold(std::vector<T>(in.begin() + 1, in.end()), op, in[0]);
  test::device_array<T> input(in);
  test::device_array<unsigned> calls(std::vector<unsigned>{0});
  const auto bytes = std::size_t(gpuprim::grid_reduce_bytes<T>(blocks));
  test::device_array<unsigned char> buffer(std::vector<unsigned char>(bytes, 0));
  const auto state = gpuprim::make_grid_reduce_state<T>(buffer.data());
  for (unsigned round = 1; round <= 3; ++round) {  // the state resets itself
    test::device_array<T> output(1);
    test::run(reduce_blocks<BlockSize, T, Op>, unsigned(blocks), BlockSize, 0, input.data(), output.data(),
              calls.data(), op, state);
    CHECK(output.download()[0] == want);
    CHECK(calls.download()[0] == round);
    output.check_guards();
  }
  buffer.check_guards();
  input.check_unchanged();
}

}  // namespace

TEST_CASE("grid_reduce keeps block order and resets its state", "[grid][sanitizer]") {
  for (int blocks : {1, 2, 7, 64, 65, 150}) {
    check<64, test::affine>(test::then{}, blocks);
    check<32, test::span_of_positions>(test::chain{}, blocks);
  }
  check<128, int>(gpuprim::plus{}, 13);
  check<64, test::matrix2>(test::product{}, 13);
}

TEST_CASE("grid_reduce of so many blocks that they join in levels", "[grid]") {
  for (int blocks : {256, 257, 1024, 1025}) check<32, test::affine>(test::then{}, blocks);  // the last has three levels
  check<64, test::span_of_positions>(test::chain{}, 1536);
  check<32, float>(gpuprim::plus{}, 1300);
}

TEST_CASE("grid_reduce of small blocks", "[grid][tsan]") { check<32, test::affine>(test::then{}, 5); }

TEST_CASE("grid_reduce twice in a kernel", "[grid][tsan]") {
  constexpr int blocks = 5, rounds = 3, bytes = int(gpuprim::grid_reduce_bytes<int>(blocks));
  test::device_array<unsigned char> buffer(std::vector<unsigned char>(rounds * bytes, 0));
  test::device_array<int> output(rounds);
  test::run(reduce_in_rounds<rounds>, unsigned(blocks), 32, 0, output.data(), buffer.data(), bytes);
  CHECK(output.download() == std::vector<int>{160, 320, 480});
}

#if defined(SIMT_DEVICE)
TEST_CASE("grid_reduce under all schedules of two delays", "[grid][not_asan]") {
  const int schedules = test::under_all_delays(2, [] { check<32, test::affine>(test::then{}, 2); });
  CHECK(schedules > 100);
}
#endif
