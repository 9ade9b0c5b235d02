// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of other libraries, at every level. No kernel is compiled for those that a host call takes.
#include <gpuprim/gpuprim.cuh>

#include "../../support/family_check.cuh"
#include "../../support/other_operators.cuh"
#include "../../support/types.cuh"

namespace cg = cooperative_groups;

namespace {

constexpr int count = 300;

/// 100 times 300, of bytes, by every host call that takes an operator.
template <class Op>
void check_sums(Op op) {
  const std::vector<signed char> values(count, 100);
  const std::vector<int> keys(count, 7);
  test::device_array<signed char> input(values);
  test::device_array<int> same(keys), offsets(std::vector<int>{0, count}), unique(1), runs(1);
  const signed char* in = input.data();
  const auto sum_of = [](auto call) { return test::result_of<int>(call); };
  CHECK(gpuprim::reduce_value(in, count, op) == 30000);
  CHECK(sum_of([&](int* out) { return gpuprim::reduce(in, count, out, op, 5); }) == 30005);
  CHECK(sum_of([&](int* out) { return gpuprim::reduce<Op, 256, 4>(in, count, out, op, 5); }) == 30005);
  CHECK(sum_of([&](int* out) { return gpuprim::reduce(gpuprim::reproducible, in, count, out, op); }) == 30000);
  CHECK(sum_of([&](int* out) { return gpuprim::reduce_into(in, count, out, op); }) == 30000);
  CHECK(sum_of([&](int* out) { return gpuprim::transform_reduce(in, count, out, op, gpuprim::square<int>{}, 0); }) ==
        3000000);
  CHECK(sum_of([&](int* out) { return gpuprim::segmented_reduce(in, offsets.data(), 1, out, op); }) == 30000);
  CHECK(sum_of([&](int* out) { return gpuprim::segmented_reduce(in, gpuprim::fixed_length{count}, 1, out, op); }) ==
        30000);
  CHECK(sum_of([&](int* out) { return gpuprim::column_reduce(in, count, 1, out, op); }) == 30000);
  CHECK(sum_of([&](int* out) {
          return gpuprim::reduce_by_key(same.data(), in, count, unique.data(), out, runs.data(), op);
        }) == 30000);
}

template <class Op>
__global__ void join_at_every_level(const int* in, int* out, Op op) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<32> warp;
  const int mine = in[threadIdx.x];
  const int by_warp = gpuprim::warp_reduce(warp, mine, op), by_all = gpuprim::warp_all_reduce(warp, mine, op);
  const int by_block = gpuprim::block_reduce<64>(block, mine, op);
  if (threadIdx.x != 0) return;
  const int pair[] = {in[0], in[1]};
  out[0] = by_warp;
  out[1] = by_all;
  out[2] = by_block;
  out[3] = gpuprim::thread_reduce(pair, op);
}

template <class Op>
void check_levels(Op op, std::vector<int> want) {
  static_assert(gpuprim::detail::warp_uses_redux<gpuprim::warp_tile<32>, int, Op>);
  std::vector<int> values;
  for (int i = 1; i <= 64; ++i) values.push_back(i);
  test::device_array<int> input(values), output(4);
  test::run(join_at_every_level<Op>, 1, 64, 0, static_cast<const int*>(input.data()), output.data(), op);
  CHECK(output.download() == want);
}

}  // namespace

TEST_CASE("host calls take the sums of other libraries, and do not wrap", "[device][not_asan]") {
  check_sums(std::plus<>{});
  check_sums(cuda::std::plus<>{});
}

TEST_CASE("host calls take other operators of other libraries", "[device][not_asan]") {
  test::device_array<signed char> bytes(std::vector<signed char>(4, 5));
  CHECK(gpuprim::reduce_value(bytes.data(), 4, std::multiplies<>{}) == 625);
  CHECK(gpuprim::reduce_value(bytes.data(), 4, gpuprim::multiplies{}) == 625);
  test::device_array<int> input(std::vector<int>{9, 12, 4, 7});
  CHECK(gpuprim::reduce_value(input.data(), 4, cg::greater<int>{}) == 12);
  CHECK(gpuprim::reduce_value(input.data(), 4, std::bit_xor<int>{}) == (9 ^ 12 ^ 4 ^ 7));
  const auto [least, sum] =
      gpuprim::reduce_into_value(input.data(), 4, gpuprim::fused(cg::less<int>{}, std::plus<int>{}));
  CHECK(least == 4);
  CHECK(sum == 32);
}

TEST_CASE("every level in a kernel knows the operators of other libraries", "[device][not_asan]") {
  check_levels(cg::plus<int>{}, {528, 528, 2080, 3});
  check_levels(cg::greater<int>{}, {32, 32, 64, 2});
  check_levels(cuda::std::plus<int>{}, {528, 528, 2080, 3});
}
