// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/cluster/cluster_scan.cuh>

#include "../support/scan_check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// What scan_cluster writes, in this order.
enum form { inclusive, its_total, from_start, with_both, its_sum, second, its_carry, from_identity, forms };

template <int BlockSize, class T, class Op>
__global__ void scan_cluster(const T* in, const T* starts, T* out, Op op) {
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  const auto cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  const int at = int(blockIdx.x) * BlockSize + int(block.thread_rank()), n = int(gridDim.x) * BlockSize;
  const auto put = [&](form which, const T& value) { out[which * n + at] = value; };
  const T start = starts[blockIdx.x / cluster.num_blocks()], mine = in[at];
  T total = mine;
  put(inclusive, gpuprim::cluster_inclusive_scan<BlockSize>(cluster, block, mine, op, gpuprim::total_to{total}));
  put(its_total, total);
  put(from_start, gpuprim::cluster_exclusive_scan<BlockSize>(cluster, block, mine, op, start));
  put(with_both, gpuprim::cluster_exclusive_scan<BlockSize>(cluster, block, mine, op, start, total));
  put(its_sum, total);
  gpuprim::running_prefix carry{start};
  gpuprim::cluster_inclusive_scan<BlockSize>(cluster, block, mine, op, carry);
  put(second, gpuprim::cluster_exclusive_scan<BlockSize>(cluster, block, mine, op, carry));
  put(its_carry, carry.value);
  if constexpr (gpuprim::has_identity<Op, T>) {
    put(from_identity, gpuprim::cluster_exclusive_scan<BlockSize>(cluster, block, mine, op));
  } else {
    put(from_identity, gpuprim::cluster_inclusive_scan<BlockSize>(cluster, block, mine, op));
  }
#endif
}

template <int BlockSize, class T, class Op>
void check(Op op, int cluster_size) {
  CAPTURE(BlockSize, cluster_size);
  constexpr int clusters = 2;
  const int size = BlockSize * cluster_size, n = size * clusters;
  const std::vector<T> starts{test::make_start<T>(0), test::make_start<T>(size)};
  test::device_array<T> input(test::make_values<T>(n)), from(starts), output(std::size_t(forms * n));
  test::run(scan_cluster<BlockSize, T, Op>, unsigned(cluster_size * clusters), BlockSize, cluster_size, input.data(),
            from.data(), output.data(), op);
  const auto got = output.download();
  for (int c = 0; c < clusters; ++c) {
    const auto values = test::make_values<T>(size, c * size);
    const T start = starts[std::size_t(c)], sum = test::fold(values, op, start);
    const auto sums = test::scan_inclusive(values, op), before = test::scan_exclusive(values, op, start);
    const auto wrong = [&](form which, const auto& want) {
      return test::count_wrong(got, std::size_t(which * n + c * size), want, size);
    };
    CHECK(wrong(inclusive, sums) == 0);
    CHECK(wrong(its_total, sums.back()) == 0);
    CHECK(wrong(from_start, before) == 0);
    CHECK(wrong(with_both, before) == 0);
    CHECK(wrong(its_sum, sum) == 0);
    CHECK(wrong(second, test::scan_exclusive(values, op, sum)) == 0);
    CHECK(wrong(its_carry, test::fold(values, op, sum)) == 0);
    if constexpr (gpuprim::has_identity<Op, T>) {
      const T identity = gpuprim::identity_element<Op, T>::value();
      CHECK(wrong(from_identity, test::scan_exclusive(values, op, identity)) == 0);
    } else {
      CHECK(wrong(from_identity, sums) == 0);
    }
  }
  input.check_unchanged();
  output.check_guards();
}

}  // namespace

TEST_CASE("cluster scans through distributed shared memory", "[cluster][sanitizer]") {
  if (!test::has_clusters()) SKIP("clusters need sm_90");
  for (int size : {1, 2, 4, 8}) {
    check<64, test::affine>(test::then{}, size);
    check<96, int>(gpuprim::plus{}, size);
  }
  check<128, test::matrix2>(test::product{}, 3);
  check<32, test::span_of_positions>(test::chain{}, 4);
}

TEST_CASE("cluster scans of two small blocks", "[cluster][tsan]") {
  if (!test::has_clusters()) SKIP("clusters need sm_90");
  check<32, test::affine>(test::then{}, 2);
}
