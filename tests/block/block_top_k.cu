// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/top_k_check.cuh"

namespace {

template <int BlockSize, int Items, class T>
__global__ void top_k_of_block(const T* in, int k, gpuprim::top_k_end end, unsigned char* taken) {
  const gpuprim::this_block block;
  const int first = int(block.thread_rank()) * Items;
  T keys[Items];
  bool is_taken[Items];
  for (int i = 0; i < Items; ++i) keys[i] = in[first + i];
  gpuprim::block_top_k<BlockSize>(block, keys, k, is_taken, end);
  for (int i = 0; i < Items; ++i) taken[first + i] = is_taken[i];
  const int half = k / 2;  // a second call at once
  gpuprim::block_top_k<BlockSize>(block, keys, half, is_taken, end);
  for (int i = 0; i < Items; ++i) taken[first + i] |= static_cast<unsigned char>(is_taken[i] * 2);
}

template <int BlockSize, int Items, class T>
void check_block(dim3 shape = BlockSize) {
  constexpr int n = BlockSize * Items;
  for (auto keys_of : test::all_key_shapes) {
    const auto keys = test::make_keys<T>(n, keys_of);
    for (int k : {-1, 0, 1, 2, n / 3, n - 1, n, n + 5}) {
      for (const auto order : {gpuprim::largest, gpuprim::smallest}) {
        CAPTURE(BlockSize, Items, int(keys_of), k, int(order.end));
        test::device_array<T> in(keys);
        test::device_array<unsigned char> taken(n);
        test::run(top_k_of_block<BlockSize, Items, T>, 1, shape, 0, in.data(), k, order.end, taken.data());
        std::vector<unsigned char> want(n);
        for (std::int64_t i : test::find_top_k(keys, 0, n, std::max(k, 0), order)) want[std::size_t(i)] = 1;
        for (std::int64_t i : test::find_top_k(keys, 0, n, std::max(k / 2, 0), order)) want[std::size_t(i)] |= 2;
        CHECK(taken.download() == want);
      }
    }
  }
}

}  // namespace

TEST_CASE("The k largest of a block", "[block][sanitizer]") {
  check_block<32, 1, int>();
  check_block<64, 3, float>();
  check_block<128, 2, unsigned short>();
  check_block<96, 4, signed char>(dim3(8, 4, 3));
  test::unless_sanitized([](auto) {
    check_block<512, 2, double>();
    check_block<1024, 1, std::int64_t>();
    check_block<40, 2, int>();
    check_block<256, 3, __half>();
  });
}

TEST_CASE("The k largest of a block under ThreadSanitizer", "[block][tsan]") { check_block<64, 2, int>(); }
