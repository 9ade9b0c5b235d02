// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a block through memory of the caller's, of exactly as many bytes as their constants say.
#include <gpuprim/block/block_append.cuh>
#include <gpuprim/block/block_discontinuity.cuh>
#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/block/block_merge.cuh>
#include <gpuprim/block/block_partition.cuh>
#include <gpuprim/block/block_radix_sort.cuh>
#include <gpuprim/block/block_run_length_decode.cuh>
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/block/block_top_k.cuh>
#include <gpuprim/core/operators.hpp>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <functional>

namespace {

struct differ {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a != b; }
};

constexpr int items = 4;

/// 24 bytes, which do not commute when they are joined modulo 2^64.
struct affine {
  long long factor, summand, unused;
};
struct compose {
  GPUPRIM_HOST_DEVICE affine operator()(const affine& a, const affine& b) const {
    using modular = unsigned long long;
    const modular factor = modular(a.factor) * modular(b.factor);
    const modular summand = modular(a.summand) * modular(b.factor) + modular(b.summand);
    return {static_cast<long long>(factor), static_cast<long long>(summand), 0};
  }
};
struct is_odd {
  __device__ bool operator()(int x) const { return x % 2 != 0; }
};

/// A call: the bytes that it needs in blocks of a size, and what it makes of a thread's values. Each is asked with
/// memory of the caller's and with none.
struct reduces {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_reduce_bytes<BlockSize, int, gpuprim::maximum<>>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    const int most = gpuprim::block_reduce<BlockSize>(block, v, gpuprim::maximum{});
    const int of_some = gpuprim::block_reduce<BlockSize>(block, v[0], gpuprim::maximum{}, BlockSize / 2 + 1);
    v[0] = block.thread_rank() == 0 ? most : 0;
    v[1] = block.thread_rank() == 0 ? of_some : 0;
  }
};
template <class T, class Op>
struct all_reduces {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_reduce_bytes<BlockSize, T, Op>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    v[0] = int(gpuprim::block_all_reduce<BlockSize>(block, T(v[0]), Op{}));
    v[1] = int(gpuprim::block_all_reduce<BlockSize>(block, T(v[1]), Op{}, BlockSize / 2 + 1));
  }
};
struct all_reduces_long {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_reduce_bytes<BlockSize, affine, compose>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    v[0] = int(gpuprim::block_all_reduce<BlockSize>(block, affine{v[0], v[1], 0}, compose{}).summand);
  }
};
template <class T>
struct scans {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_scan_bytes<BlockSize, T>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    T own[items], total(0);
    for (int i = 0; i < items; ++i) own[i] = T(v[i]);
    gpuprim::block_inclusive_scan<BlockSize>(block, own, gpuprim::plus{}, gpuprim::total_to{total});
    for (int i = 0; i < items; ++i) v[i] = int(own[i]);
    v[0] ^= int(gpuprim::block_exclusive_scan<BlockSize>(block, T(v[1]), gpuprim::plus{}, T(3))) ^ int(total);
  }
};
struct scans_long {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_scan_bytes<BlockSize, affine>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    const auto up_to = gpuprim::block_inclusive_scan<BlockSize>(block, affine{v[0], v[1], 0}, compose{});
    v[0] = int(up_to.factor);
    v[1] = int(up_to.summand);
  }
};
struct compacts {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_compact_bytes<BlockSize>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    const bool keep[items] = {v[0] > 0, v[1] > 9, v[2] % 3 == 0, true}, second[items] = {true, v[0] < 5, false, true};
    const auto ranked = gpuprim::block_rank<BlockSize>(block, keep);
    const auto two = gpuprim::block_partition<BlockSize>(block, keep);
    const auto three = gpuprim::block_partition<BlockSize>(block, keep, second);
    for (int i = 0; i < items; ++i) v[i] = ranked.places[i] + 1000 * two.places[i] + 1000000 * three.places[i];
  }
};
template <int BlockSize>
struct appends {
  template <int>
  static constexpr int bytes = gpuprim::block_compact_bytes<BlockSize>;
  template <int, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    // A queue of each call: a thread's place in it depends on the ranks alone.
    GPUPRIM_SHARED(count, unsigned long long);
    GPUPRIM_SHARED(room, int[BlockSize * items]);
    if (block.thread_rank() == 0) count = 0;
    block.sync();
    const gpuprim::append_queue<int> queue{room, BlockSize * items, &count};
    const auto at = gpuprim::block_append<BlockSize>(block, queue, v, is_odd{});
    v[0] = int(at.place);
    v[1] = at.stored;
    block.sync();
  }
};
struct counts_bins {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_histogram_bytes;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    GPUPRIM_SHARED(counts, unsigned[16]);
    gpuprim::block_histogram<BlockSize>(block, v, counts);
    v[0] = int(counts[block.thread_rank() % 16]);
  }
};
struct exchanges {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_exchange_bytes<BlockSize, items, int>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    gpuprim::block_blocked_to_striped<BlockSize>(block, v);
    if constexpr (BlockSize % 32 == 0) gpuprim::block_warp_striped_to_blocked<BlockSize>(block, v);
    unsigned ranks[items];
    for (int i = 0; i < items; ++i) ranks[i] = unsigned(BlockSize * items - 1 - int(block.thread_rank()) * items - i);
    gpuprim::block_scatter_to_striped<BlockSize>(block, v, ranks);
  }
};
struct shifts {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_shift_bytes<BlockSize, int>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    v[0] += gpuprim::block_shift_up<BlockSize>(block, v, 7);
    v[1] += gpuprim::block_rotate<BlockSize>(block, v[2], BlockSize / 3);
    v[2] += gpuprim::block_shift_down<BlockSize>(block, v[3], 5);
    gpuprim::block_adjacent_difference<BlockSize>(block, v, v, gpuprim::minus<>{});
    int tails[items];
    gpuprim::block_flag_tails<BlockSize>(block, v, tails, differ{});
    for (int i = 0; i < items; ++i) v[i] += tails[i];
  }
};
struct flags_both {
  template <int BlockSize>
  static constexpr int bytes = 2 * gpuprim::block_shift_bytes<BlockSize, int>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    int heads[items], tails[items];
    gpuprim::block_flag_heads_and_tails<BlockSize>(block, v, heads, tails, differ{});
    for (int i = 0; i < items; ++i) v[i] = 2 * heads[i] + tails[i];
  }
};
struct decodes {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_run_length_decode_bytes<BlockSize, items, int, unsigned short>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    unsigned short lengths[items];
    for (int i = 0; i < items; ++i) lengths[i] = static_cast<unsigned short>(v[i] & 3);
    int sum = 0;
    const auto take = [&](const auto& window) {
      for (int i = 0; i < window.count; ++i) sum += window.values[i] * (1 + window.offsets[i]);
    };
    v[0] = gpuprim::block_run_length_decode<BlockSize, 3>(block, v, lengths, take);
    v[1] = sum;
  }
};
struct finds_top {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_top_k_bytes<BlockSize>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    bool taken[items];
    gpuprim::block_top_k<BlockSize>(block, v, BlockSize / 2 + 1, taken);
    for (int i = 0; i < items; ++i) v[i] = taken[i];
  }
};
struct sorts_digits {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_radix_sort_bytes<BlockSize, items, int, float>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    float beside[items];
    for (int i = 0; i < items; ++i) beside[i] = float(v[i] + i);
    gpuprim::block_radix_sort<BlockSize>(block, v, beside, gpuprim::ascending.bits(0, 11));
    for (int i = 0; i < items; ++i) v[i] += int(beside[i]);
  }
};
struct sorts_merges {
  template <int BlockSize>
  static constexpr int bytes = gpuprim::block_sort_bytes<BlockSize, items, int>;
  template <int BlockSize, class Block>
  __device__ static void call(const Block& block, int (&v)[items]) {
    gpuprim::block_sort<BlockSize>(block, v, std::less<>{}, BlockSize * 2);
    gpuprim::block_merge<BlockSize>(block, v, BlockSize, std::less<>{}, BlockSize * 2);
    for (int i = 0; i < items; ++i) {
      if (int(block.thread_rank()) * items + i >= BlockSize * 2) v[i] = 0;
    }
  }
};

/// Calls twice in a row, the second time with the results of the first. Then every thread writes all over the memory,
/// without a barrier: none is owed behind a call. The static memory of the same calls says what is right, and its
/// barriers are those that are owed before the next round.
template <int BlockSize, class Call>
__global__ void __launch_bounds__(BlockSize) call_twice(const int* in, int* wrong) {
  constexpr int bytes = Call::template bytes<BlockSize>;
  const gpuprim::block_with_memory block(gpuprim::dynamic_shared<uint4>(), bytes);
  const int rank = int(block.thread_rank());
  int differ = 0;
  for (int round = 0; round < 2; ++round) {
    int got[items], want[items];
    for (int i = 0; i < items; ++i) want[i] = got[i] = in[(round * BlockSize + rank) * items + i];
    Call::template call<BlockSize>(block, got);
    Call::template call<BlockSize>(block, got);
    auto* const all = gpuprim::dynamic_shared<unsigned char>();
    for (int i = rank; i < bytes; i += BlockSize) all[i] = static_cast<unsigned char>(0xA5 + rank);
    for (int turn = 0; turn < 2; ++turn) Call::template call<BlockSize>(gpuprim::this_block{}, want);
    gpuprim::this_block::sync();
    for (int i = 0; i < items; ++i) differ += got[i] != want[i];
  }
  if (differ > 0) atomicAdd(wrong, 1);
}

template <int BlockSize, class... Calls>
void check() {
  std::vector<int> in;
  for (int i = 0; i < 2 * BlockSize * items; ++i) in.push_back(int(test::scramble(std::uint64_t(i)) % 40) - 5);
  const test::device_array<int> input(in);
  const auto check_one = [&](auto call) {
    constexpr int bytes = decltype(call)::template bytes<BlockSize>;
    CAPTURE(BlockSize, bytes);
    test::device_array<int> wrong(std::vector<int>{0});
    const auto kernel = call_twice<BlockSize, decltype(call)>;
    CUDA_OK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const gpuprim::launch_shape shape{1, BlockSize, bytes};
    CUDA_OK(gpuprim::launch(gpuprim::start::in_order, kernel, shape, nullptr, input.data(), wrong.data()));
    CUDA_OK(cudaDeviceSynchronize());
    CHECK(wrong.download()[0] == 0);
  };
  (check_one(Calls{}), ...);
}

template <int BlockSize>
void check_first_calls() {
  check<BlockSize, reduces, all_reduces<float, gpuprim::plus<>>, all_reduces<double, gpuprim::maximum<>>,
        all_reduces<int, gpuprim::minimum<>>, all_reduces_long, scans<int>, scans<float>, scans_long>();
}
template <int BlockSize>
void check_other_calls() {
  check<BlockSize, compacts, appends<BlockSize>, counts_bins, exchanges, shifts, flags_both, decodes, finds_top,
        sorts_merges>();
  if constexpr (BlockSize % 32 == 0) check<BlockSize, sorts_digits>();
}

/// One storage, which has its type, is a member of a union.
constexpr int union_block = 96;
union shared_by_all {
  gpuprim::block_storage<gpuprim::block_scan_bytes<union_block, float>, gpuprim::block_top_k_bytes<union_block>,
                         gpuprim::block_radix_sort_bytes<union_block, items, int>>
      storage;
  float tile[union_block];
};

__global__ void share_union(int* out) {
  GPUPRIM_SHARED(shared, shared_by_all);
  const gpuprim::block_with_memory block(shared);
  const int rank = int(block.thread_rank());
  int keys[items];
  for (int i = 0; i < items; ++i) keys[i] = (rank * items + i) * 37 % (union_block * items);
  gpuprim::block_radix_sort<union_block>(block, keys);
  shared.tile[union_block - 1 - rank] = float(keys[0]);
  block.sync();
  const float mirrored = shared.tile[rank];
  block.sync();  // owed: threads have read the tile
  const float up_to = gpuprim::block_inclusive_scan<union_block>(block, mirrored, gpuprim::plus{});
  bool taken[items];
  gpuprim::block_top_k<union_block>(block, keys, 5, taken);
  out[rank] = int(up_to) + taken[items - 1];
}

}  // namespace

TEST_CASE("Reduces and scans of a block leave the memory of its caller free", "[block][tsan][sanitizer]") {
  check_first_calls<64>();
  check<320, all_reduces<float, gpuprim::plus<>>, scans<float>>();
}

TEST_CASE("All other calls of a block leave the memory of its caller free", "[block][tsan][sanitizer]") {
  check_other_calls<64>();
}

TEST_CASE("Blocks of every size reduce and scan through memory of their caller", "[block]") {
  check_first_calls<32>();
  check_first_calls<50>();
  check_first_calls<128>();
  check_first_calls<256>();
  check_first_calls<1024>();
}

TEST_CASE("Blocks of every size do all else through memory of their caller", "[block]") {
  check_other_calls<32>();
  check_other_calls<50>();
  check_other_calls<128>();
  check_other_calls<256>();
  check_other_calls<512>();
}

TEST_CASE("A storage with a type may be a member of a union", "[block][tsan]") {
  test::device_array<int> out(std::size_t{union_block});
  test::run(share_union, 1, dim3(union_block), 0, out.data());
  const auto got = out.download();
  int sum = 0;
  for (int i = 0; i < union_block; ++i) {
    sum += (union_block - 1 - i) * items;
    CHECK(got[std::size_t(i)] == sum + (i >= union_block - 5 + 3 ? 1 : i == union_block - 2 ? 1 : 0));
  }
}
