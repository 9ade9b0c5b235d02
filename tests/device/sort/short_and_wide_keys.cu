// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of 8-bit floats and of 128 bits, by the public calls.
#include <gpuprim/device/segmented_sort.cuh>
#include <gpuprim/device/sort.cuh>
#include <gpuprim/device/sort_in_buffers.cuh>

#include "../../support/radix_sort_check.cuh"

#include <cuda_fp8.h>

#include <tuple>

namespace {

/// Whether a comes before b, where zeros of both signs are told apart: a NaN behind the infinity of its sign. The bits
/// of NaN are compared, and otherwise the numbers.
template <class Float>
bool lies_before(Float a, Float b) {
  const auto place = [](Float x) {
    std::uint8_t bits;
    std::memcpy(&bits, static_cast<const void*>(&x), 1);
    const float value = float(x);
    const int nan = value == value ? 0 : bits & 0x80 ? -1 : 1;
    const int zero = value != 0 ? 0 : bits & 0x80 ? -1 : 1;
    return std::tuple(nan, nan != 0 ? 0.0f : value, zero, nan != 0 ? nan * (bits & 0x7f) : 0);
  };
  return place(a) < place(b);
}

template <class Key, class Less>
std::vector<int> sort_positions_by(const std::vector<Key>& keys, const Less& less) {
  std::vector<int> at(keys.size());
  std::iota(at.begin(), at.end(), 0);
  std::stable_sort(at.begin(), at.end(),
                   [&](int a, int b) { return less(keys[std::size_t(a)], keys[std::size_t(b)]); });
  return at;
}

/// Of pairs, among which both zeros are equal.
template <class Float>
bool lies_before_in_pairs(Float a, Float b) {
  return !(float(a) == 0 && float(b) == 0) && lies_before(a, b);
}

template <class Key, class Order, class Less, class LessInPairs>
void check_calls(const std::vector<Key>& keys, const Order& order, const Less& less, const LessInPairs& less_in_pairs) {
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, sizeof(Key));
  const auto at = sort_positions_by(keys, less), at_in_pairs = sort_positions_by(keys, less_in_pairs);
  test::device_array<Key> in(keys), out(keys.size()), pairs_out(keys.size()), first(keys), second(keys.size());
  std::vector<int> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0);
  test::device_array<int> values(positions), values_out(keys.size());
  CUDA_OK(gpuprim::sort(in.data(), n, out.data(), order));
  CUDA_OK(gpuprim::sort_pairs(in.data(), values.data(), n, pairs_out.data(), values_out.data(), order));
  CHECK(test::count_unequal(out.download(), keys, at) == 0);
  CHECK(test::count_unequal(pairs_out.download(), keys, at_in_pairs) == 0);
  CHECK(values_out.download() == at_in_pairs);
  in.check_unchanged();
  if constexpr (sizeof(Key) == 1) {
    gpuprim::double_buffer<Key> buffers{first.data(), second.data()};
    CUDA_OK(gpuprim::sort(buffers, n, order));
    CHECK(test::count_unequal(buffers.current == first.data() ? first.download() : second.download(), keys, at) == 0);
    CUDA_OK(gpuprim::segmented_sort(in.data(), gpuprim::fixed_length{n}, 1, out.data(), order));
    CHECK(test::count_unequal(out.download(), keys, at) == 0);
  }
  for (const auto* array : {&out, &pairs_out, &first, &second}) array->check_guards();
}

template <class Float>
void check_floats(std::int64_t n) {
  std::mt19937 random(7);
  std::vector<Float> keys;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto bits = std::uint8_t(random() >> 9);
    Float key;
    std::memcpy(static_cast<void*>(&key), &bits, 1);
    keys.push_back(key);
  }
  check_calls(keys, gpuprim::ascending, lies_before<Float>, lies_before_in_pairs<Float>);
  check_calls(
      keys, gpuprim::descending, [](Float a, Float b) { return lies_before(b, a); },
      [](Float a, Float b) { return lies_before_in_pairs(b, a); });
}

/// 128 bits as two numbers of 64.
struct halves {
  template <class Key>
  GPUPRIM_HOST_DEVICE auto operator()(const Key& key) const {
    using upper = std::conditional_t<std::is_same_v<Key, gpuprim::int128>, std::int64_t, std::uint64_t>;
    return gpuprim::tuple{static_cast<upper>(key >> 64), static_cast<std::uint64_t>(key)};
  }
};

template <class Key>
void check_wide(std::int64_t n) {
  std::mt19937_64 random(8);
  std::vector<Key> keys;
  for (std::int64_t i = 0; i < n; ++i) {
    const Key upper = static_cast<Key>(random() % 5) - 2, lower = static_cast<Key>(random() >> (i % 3 * 30));
    keys.push_back(static_cast<Key>(upper << (i % 4 == 0 ? 90 : 64)) | lower);
  }
  const auto less = [](const Key& a, const Key& b) { return a < b; };
  const auto greater = [](const Key& a, const Key& b) { return b < a; };
  check_calls(keys, gpuprim::ascending, less, less);                      // by comparisons
  check_calls(keys, gpuprim::descending.by(halves{}), greater, greater);  // by digits
}

}  // namespace

TEST_CASE("sorts of 8-bit floats have the order of their values", "[device][not_asan]") {
  for (const std::int64_t n : {1, 100, 3000}) {
    check_floats<__nv_fp8_e4m3>(n);
    check_floats<__nv_fp8_e5m2>(n);
  }
  check_floats<__nv_fp8_e4m3>(test::on_simt ? 20'000 : 3'000'000);
}

TEST_CASE("sorts of integers of 128 bits, by comparisons and by digits", "[device][not_asan]") {
  check_wide<gpuprim::int128>(1000);
  check_wide<gpuprim::uint128>(5000);
}
