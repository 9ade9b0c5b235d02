// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_merge.cuh>
#include <gpuprim/block/block_sort.cuh>

#include "../support/sort_check.cuh"

#include <cooperative_groups.h>

#include <functional>

namespace cg = cooperative_groups;

namespace {

enum class job { sort, merge };

template <class Value>
GPUPRIM_HOST_DEVICE Value make_tag(int i) {
  if constexpr (std::is_same_v<Value, test::matrix2>) return {{std::uint64_t(i), 0, 0, std::uint64_t(-i)}};
  else return static_cast<Value>(i);
}

/// Sorts or merges the keys alone, and then with values, each twice in a row, first of others, and with an exchange
/// behind: a missing barrier between them mixes two.
template <job Job, int BlockSize, int Items, class Key, class Value, class Less>
__global__ void sort_block(const Key* in, Key* alone, Key* keys_out, Value* values_out, int first_count, int valid,
                           Less less) {
  const auto block = cg::this_thread_block();
  const int first = int(block.thread_rank()) * Items;
  gpuprim::uninitialized_array<Key, Items> keys, own;
  gpuprim::uninitialized_array<Value, Items> values;
  const auto read = [&](auto& to, int turn) {
    for (int i = 0; i < Items; ++i) to[i] = in[turn == 0 ? BlockSize * Items - 1 - first - i : first + i];
  };
  for (int turn = 0; turn < 2; ++turn) {
    read(own, turn);
    if constexpr (Job == job::sort) gpuprim::block_sort<BlockSize>(block, own.items, less, valid);
    else gpuprim::block_merge<BlockSize>(block, own.items, first_count, less, valid);
  }
  for (int turn = 0; turn < 2; ++turn) {
    read(keys, turn);
    for (int i = 0; i < Items; ++i) values[i] = make_tag<Value>(first + i);
    if constexpr (Job == job::sort) gpuprim::block_sort<BlockSize>(block, keys.items, values.items, less, valid);
    else gpuprim::block_merge<BlockSize>(block, keys.items, values.items, first_count, less, valid);
    gpuprim::block_blocked_to_striped<BlockSize>(block, values.items);
    gpuprim::block_striped_to_blocked<BlockSize>(block, values.items);
  }
  for (int i = 0; i < Items; ++i) {
    alone[first + i] = own[i];
    keys_out[first + i] = keys[i];
    values_out[first + i] = values[i];
  }
}

template <job Job, int BlockSize, int Items, class Key, class Value, class Less>
void check(const std::vector<Key>& keys, int first_count, int valid, Less less, dim3 shape = BlockSize) {
  CAPTURE(BlockSize, Items, first_count, valid);
  const std::size_t n = keys.size(), count = std::min(n, std::size_t(valid));
  test::device_array<Key> input(keys), alone(n), keys_out(n);
  test::device_array<Value> values_out(n);
  test::run(sort_block<Job, BlockSize, Items, Key, Value, Less>, 1, shape, 0, input.data(), alone.data(),
            keys_out.data(), values_out.data(), first_count, valid, less);
  auto want = keys;
  std::vector<Value> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(make_tag<Value>(int(i)));
  test::sort_part(want, values, 0, count, less);
  CHECK(test::count_different(alone.download(), want, 0, count) == 0);
  CHECK(test::count_different(keys_out.download(), want, 0, count) == 0);
  CHECK(test::count_different(values_out.download(), values, 0, count) == 0);
  input.check_unchanged();
  alone.check_guards();
  keys_out.check_guards();
  values_out.check_guards();
}

template <int BlockSize, int Items, class Key, class Value = int, class Less>
void check_both(Less less, dim3 shape = BlockSize) {
  constexpr int n = BlockSize * Items;
  const auto keys = test::make_keys<Key>(n);
  for (int valid : {0, 1, Items, n / 2 + 1, n - 1, gpuprim::detail::all_values}) {
    check<job::sort, BlockSize, Items, Key, Value>(keys, 0, valid, less, shape);
    const int count = std::min(n, valid);
    for (int first_count : {0, count / 3, count}) {
      auto runs = keys;
      std::vector<int> values(std::size_t{n});
      test::sort_part(runs, values, 0, std::size_t(first_count), less);
      test::sort_part(runs, values, std::size_t(first_count), std::size_t(count - first_count), less);
      check<job::merge, BlockSize, Items, Key, Value>(runs, first_count, valid, less, shape);
    }
  }
}

/// A sort of so few keys that one warp alone merges them, and behind it a scatter to the places of other warps.
template <int BlockSize>
__global__ void sort_and_scatter(const int* in, int* keys_out, int* reversed, int valid) {
  const auto block = cg::this_thread_block();
  const unsigned rank = block.thread_rank(), ranks[1] = {BlockSize - 1 - rank};
  int keys[1] = {in[rank]}, numbers[1] = {int(rank)};
  gpuprim::block_sort<BlockSize>(block, keys, std::less<>{}, valid);
  gpuprim::block_scatter_to_blocked<BlockSize>(block, numbers, ranks);
  keys_out[rank] = keys[0];
  reversed[rank] = numbers[0];
}

/// Merges ranges of shared memory or, `in_global`, of global memory.
template <int BlockSize, int Items>
__global__ void merge_ranges(const test::tagged* in, int a_count, int b_count, test::tagged* out, int in_global) {
  using memory_type = gpuprim::shared_array<test::tagged, BlockSize * Items>;
  GPUPRIM_SHARED(memory, memory_type);
  const gpuprim::this_block block;
  for (int i = int(block.thread_rank()); i < a_count + b_count; i += BlockSize) memory[i] = in[i];
  block.sync();
  const test::tagged* const a = in_global ? in : memory.data();
  test::tagged merged[Items];
  gpuprim::block_merge<BlockSize>(block, a, a_count, a + a_count, b_count, merged, test::by_part{});
  for (int i = 0; i < Items; ++i) {
    const int at = int(block.thread_rank()) * Items + i;
    if (at < a_count + b_count) out[at] = merged[i];
  }
}

template <int BlockSize, int Items>
void check_ranges() {
  constexpr int n = BlockSize * Items;
  for (int a_count : {0, 1, n / 3, n}) {
    for (int b_count : {0, 1, n / 2, n - a_count}) {
      if (a_count + b_count > n) continue;
      for (int in_global : {0, 1}) {
        CAPTURE(BlockSize, Items, a_count, b_count, in_global);
        const std::size_t all = std::size_t(a_count + b_count);
        auto keys = test::make_keys<test::tagged>(int(all));
        std::vector<int> values(all);
        test::sort_part(keys, values, 0, std::size_t(a_count), test::by_part{});
        test::sort_part(keys, values, std::size_t(a_count), std::size_t(b_count), test::by_part{});
        test::device_array<test::tagged> input(keys), output(all);
        test::run(merge_ranges<BlockSize, Items>, 1, BlockSize, 0, input.data(), a_count, b_count, output.data(),
                  in_global);
        test::sort_part(keys, values, 0, all, test::by_part{});
        CHECK(test::count_different(output.download(), keys, 0, all) == 0);
        input.check_unchanged();
        output.check_guards();
      }
    }
  }
}

/// Each tile finds the division of the merge at its own diagonal.
template <int Size>
__global__ void find_divisions(const int* a, int a_count, const int* b, std::int64_t b_count, int* wrong) {
  const gpuprim::warp_tile<Size> tile;
  const std::int64_t diagonal = (blockIdx.x * blockDim.x + threadIdx.x) / Size;
  if (diagonal > a_count + b_count) return;
  const std::less<> less;
  const auto found = gpuprim::merge_path(a, std::int64_t(a_count), b, b_count, diagonal, less);
  const auto by_tile = gpuprim::warp_merge_path(tile, a, std::int64_t(a_count), b, b_count, diagonal, less);
  const std::int64_t of_b = diagonal - found;
  const bool is_right = (found == 0 || of_b == b_count || !(b[of_b] < a[found - 1])) &&
                        (of_b == 0 || found == a_count || b[of_b - 1] < a[found]);
  if (!is_right || by_tile != found || of_b > b_count || found > a_count) atomicAdd(wrong, 1);
}

template <int Size>
void check_divisions() {
  for (int a_count : {0, 1, 40, 333}) {
    for (int b_count : {0, 3, 100}) {
      for (int different : {1, 5, 1000}) {
        CAPTURE(Size, a_count, b_count, different);
        std::vector<int> a, b;
        for (int i = 0; i < a_count; ++i) a.push_back(int(test::scramble(std::uint64_t(i))) % different);
        for (int i = 0; i < b_count; ++i) b.push_back(int(test::scramble(std::uint64_t(i + 1000))) % different);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        test::device_array<int> in_a(a), in_b(b), wrong(std::vector<int>{0});
        const unsigned threads = unsigned(a_count + b_count + 1) * Size;
        test::run(find_divisions<Size>, (threads + 63) / 64, 64, 0, in_a.data(), a_count, in_b.data(),
                  std::int64_t(b_count), wrong.data());
        CHECK(wrong.download()[0] == 0);
      }
    }
  }
}

template <int BlockSize, int Items>
__global__ void sort_few(const test::tagged* in, test::tagged* out, unsigned* seen, int valid) {
  const gpuprim::this_block block;
  test::tagged keys[Items];
  const int first = int(threadIdx.x) * Items;
  for (int i = 0; i < Items; ++i) keys[i] = first + i < valid ? in[first + i] : test::tagged{-1, 0};
  gpuprim::block_sort<BlockSize>(block, keys, test::wary_order{seen}, valid);
  gpuprim::block_merge<BlockSize>(block, keys, valid / 2, test::wary_order{seen}, valid);
  for (int i = 0; i < Items; ++i) out[first + i] = keys[i];
}

}  // namespace

TEST_CASE("A scatter may follow a sort of a block's first keys", "[block][sanitizer][tsan]") {
  constexpr int block_size = 128;
  auto keys = test::make_keys<int>(block_size);
  for (int valid : {0, 2, 31, 32}) {
    CAPTURE(valid);
    test::device_array<int> input(keys), keys_out(block_size), reversed(block_size);
    test::run(sort_and_scatter<block_size>, 1, block_size, 0, input.data(), keys_out.data(), reversed.data(), valid);
    auto want = keys;
    std::sort(want.begin(), want.begin() + valid);
    CHECK(test::count_different(keys_out.download(), want, 0, std::size_t(valid)) == 0);
    const auto numbers = reversed.download();
    for (int i = 0; i < block_size; ++i) CHECK(numbers[std::size_t(i)] == block_size - 1 - i);
  }
}

TEST_CASE("block sorts and merges of every shape of block", "[block][sanitizer][tsan]") {
  check_both<1, 5, test::tagged>(test::by_part{});
  check_both<32, 1, test::tagged>(test::by_part{});
  check_both<33, 2, test::tagged>(test::by_part{});
  check_both<64, 3, test::tagged>(test::by_part{}, dim3(8, 4, 2));
  check_both<96, 4, test::tagged>(test::by_part{});
  check_both<128, 7, test::tagged>(test::by_part{});
}

TEST_CASE("block sorts and merges of every key and value type", "[block]") {
  check_both<256, 11, int>(std::less<>{});
  check_both<64, 8, signed char, signed char>(std::greater<>{});
  check_both<64, 4, std::int64_t>(std::less<>{});
  check_both<64, 5, __half, __half>(std::less<>{});
  check_both<64, 6, float, test::matrix2>(std::greater<float>{});
  check_both<64, 3, double, double>(test::by_part{});
  check_both<64, 3, test::point3>(test::by_part{});
  check_both<64, 2, test::matrix2, signed char>(test::by_part{});
  check_both<64, 3, test::span_of_positions>(test::by_part{});
}

TEST_CASE("block merges of ranges in memory", "[block][sanitizer]") {
  check_ranges<32, 1>();
  check_ranges<64, 3>();
  check_ranges<96, 4>();
}

TEST_CASE("Merges divide where the first elements of one range meet those of the other", "[block][sanitizer]") {
  check_divisions<1>();
  check_divisions<4>();
  check_divisions<16>();
  check_divisions<32>();
}

TEST_CASE("The order of a block sort does not see the keys that do not count", "[block]") {
  constexpr int n = 64 * 3;
  const auto keys = test::make_keys<test::tagged>(n);
  for (int valid = 0; valid <= n; valid += 5) {
    test::device_array<test::tagged> input(keys), output(n);
    test::device_array<unsigned> seen(std::vector<unsigned>{0});
    test::run(sort_few<64, 3>, 1, 64, 0, input.data(), output.data(), seen.data(), valid);
    CHECK(seen.download()[0] == 0);
  }
}
