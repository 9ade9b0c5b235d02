// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/cluster/cluster_reduce.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

template <int BlockSize, class T, class Op>
__global__ void reduce_cluster(const T* in, T* out, T* all, Op op) {
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  const auto cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  const int at = int(blockIdx.x) * BlockSize + int(block.thread_rank());
  const T one = gpuprim::cluster_reduce<BlockSize>(cluster, block, in[at], op);
  const T two = gpuprim::cluster_reduce<BlockSize>(cluster, block, op(in[at], in[at]), op);
  const T three = gpuprim::cluster_all_reduce<BlockSize>(cluster, block, in[at], op);
  if (cluster.block_rank() == 0 && block.thread_rank() == 0) {
    out[blockIdx.x / cluster.num_blocks() * 2] = one;
    out[blockIdx.x / cluster.num_blocks() * 2 + 1] = two;
  }
  all[at] = three;
#endif
}

template <int BlockSize, class T, class Op>
void check(Op op, int cluster_size) {
  constexpr int clusters = 2;
  const int n = BlockSize * cluster_size * clusters;
  std::vector<T> in;
  for (int i = 0; i < n; ++i) in.push_back(test::make_value<T>(i));
  test::device_array<T> input(in), output(2 * clusters), all(n);
  test::run(reduce_cluster<BlockSize, T, Op>, unsigned(cluster_size * clusters), BlockSize, cluster_size, input.data(),
            output.data(), all.data(), op);
  const auto got = output.download(), got_all = all.download();
  for (int c = 0; c < clusters; ++c) {
    const int begin = c * BlockSize * cluster_size, end = begin + BlockSize * cluster_size;
    T one = in[begin], two = op(in[begin], in[begin]);
    for (int i = begin + 1; i < end; ++i) {
      one = op(one, in[i]);
      two = op(two, op(in[i], in[i]));
    }
    CHECK(got[2 * c] == one);
    CHECK(got[2 * c + 1] == two);
    int different = 0;
    for (int i = begin; i < end; ++i) different += !(got_all[i] == one);
    CHECK(different == 0);
  }
  input.check_unchanged();
  output.check_guards();
}

}  // namespace

TEST_CASE("cluster_reduce through distributed shared memory", "[cluster][sanitizer]") {
  if (!test::has_clusters()) SKIP("clusters need sm_90");
  for (int size : {1, 2, 4, 8}) {
    check<64, test::affine>(test::then{}, size);
    check<96, int>(gpuprim::plus{}, size);
  }
  check<128, test::matrix2>(test::product{}, 3);
  check<64, test::span_of_positions>(test::chain{}, 1);
}

TEST_CASE("cluster_reduce of two small blocks", "[cluster][tsan]") {
  if (!test::has_clusters()) SKIP("clusters need sm_90");
  check<32, test::affine>(test::then{}, 2);
}
