// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/device/sort.cuh>

#include "../../support/counting_sort_check.cuh"
#include "../../support/small_gpu.cuh"

#include <catch2/catch_template_test_macros.hpp>

using test::key_kind;

namespace {

/// Twice as much as each key.
struct doubled_keys : gpuprim::detail::input_iterator_types<unsigned short> {
  const unsigned short* keys;

  explicit doubled_keys(const unsigned short* from) : keys(from) {}
  GPUPRIM_HOST_DEVICE unsigned short operator[](std::int64_t i) const {
    return static_cast<unsigned short>(2 * keys[i]);
  }
};

}  // namespace

TEMPLATE_TEST_CASE("Sorts by counting of keys that have few values", "[device]", unsigned char, signed char, short,
                   unsigned short, __half, __nv_bfloat16) {
  using ascending = gpuprim::detail::whole_digits<TestType, gpuprim::sort_direction::ascending>;
  using descending = gpuprim::detail::whole_digits<TestType, gpuprim::sort_direction::descending>;
  for (const auto kind : {key_kind::random, key_kind::few_distinct, key_kind::all_equal, key_kind::extreme}) {
    CAPTURE(int(kind));
    test::check_counting<ascending>(test::make_keys<TestType>(16389, kind), sizeof(TestType), false);
  }
  for (const std::int64_t n : {1, 7, 40003}) {
    test::check_counting<descending>(test::make_keys<TestType>(n, key_kind::random), 3 * sizeof(TestType), n > 1);
  }
}

TEST_CASE("Sorts by counting of keys that an iterator makes, and by one resident block", "[device]") {
  using digits = gpuprim::detail::whole_digits<unsigned short, gpuprim::sort_direction::ascending>;
  const test::small_gpu gpu(1);
  const auto keys = test::make_keys<unsigned short>(9001, key_kind::random);
  test::check_counting<digits>(keys, 0, false);
  test::device_array<unsigned short> in(keys), out(keys.size());
  const doubled_keys doubled(in.data());
  const gpuprim::workspace_size size = gpuprim::detail::counting_sort<digits>::find_workspace_size();
  gpuprim::workspace workspace(size);
  const gpuprim::detail::counting_sort<digits> sort{{}, 9001};
  const auto done = sort.run(doubled, out.data(), workspace.data(), workspace.scratch(), {});
  REQUIRE_FALSE(done.failed());
  std::vector<unsigned short> sorted;
  for (unsigned short key : keys) sorted.push_back(static_cast<unsigned short>(2 * key));
  std::sort(sorted.begin(), sorted.end());
  CHECK(out.download() == sorted);
}

TEST_CASE("Sorts of many short keys", "[device][not_asan]") {
  // So many bytes are counted, and in two buffers the result stays where the keys were.
  constexpr std::int64_t n = gpuprim::tuned_counting_keys<1> + 5;
  const auto keys = test::make_keys<unsigned char>(n, key_kind::random);
  std::vector<unsigned char> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  test::device_array<unsigned char> in(keys), out(keys.size());
  gpuprim::workspace workspace(gpuprim::sort_workspace_size<unsigned char>(n));
  CUDA_OK(gpuprim::sort(in.data(), n, out.data(), {.workspace = &workspace}));
  CHECK(out.download() == sorted);
  CHECK(gpuprim::sort_plan(in.data(), n, out.data()).block_size == 512);
  gpuprim::double_buffer<unsigned char> buffers{in.data(), out.data()};
  gpuprim::workspace own(gpuprim::sort_in_buffers_size<unsigned char>(n));
  CUDA_OK(gpuprim::sort(buffers, n, {.workspace = &own}));
  CHECK(buffers.current == in.data());
  CHECK(in.download() == sorted);
}
