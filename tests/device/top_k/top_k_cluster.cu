// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that a cluster works on. The SIMT device has clusters; a GPU that has none takes the other way.
#include "../../support/top_k_check.cuh"

#include <cuda_fp16.h>

namespace {

using gpuprim::largest, gpuprim::smallest, gpuprim::top_k_form;
using test::clustered_top_k, test::key_shape;

/// Few keys a thread: rows are longer than the blocks hold.
constexpr auto wide = clustered_top_k(16, 1), narrow = clustered_top_k(2, 4), alone = clustered_top_k(1, 4);

template <gpuprim::top_k_policy Policy, class T>
void check_shapes(std::int64_t n, std::int64_t k, std::size_t misalignment = 0) {
  for (auto shape : test::all_key_shapes) {
    const auto keys = test::make_keys<T>(n, shape);
    test::for_all_orders([&](auto order) { test::check_top_k<Policy>(keys, k, order, misalignment); });
  }
}

/// The grid of a call with so many rows.
template <gpuprim::top_k_policy Policy, class T>
gpuprim::launch_plan plan_of(std::int64_t rows, std::int64_t length, std::int64_t k) {
  gpuprim::launch_plan plan;
  test::device_array<T> in(std::size_t(rows * length)), out(std::size_t(rows * k));
  CUDA_OK(test::detail::top_k_of<Policy>(static_cast<const T*>(in.data()), test::detail::even_rows({length, rows}), k,
                                         out.data(), largest, test::detail::launch_chosen{{.described = &plan}})
              .report());
  return plan;
}

}  // namespace

TEST_CASE("The k largest of a row by a cluster", "[device][sanitizer]") {
  for (std::int64_t k : {1, 20, 300}) {
    check_shapes<wide, float>(9001, k);
    check_shapes<narrow, int>(3000, k);
    check_shapes<alone, unsigned>(700, k);
  }
}

TEST_CASE("So large a k that a cluster counts digits", "[device]") {
  check_shapes<narrow, float>(3000, 400);
  check_shapes<wide, int>(5000, 1700);
  for (auto shape : test::all_key_shapes) {
    const auto keys = test::make_keys<float>(7000, shape);
    test::check_top_k<wide>(keys, 3000, largest);  // more than a block ranks
    test::check_top_k<wide>(keys, 7000, smallest);
    test::check_top_k<wide>(std::vector<float>(keys.begin(), keys.begin() + 1500), 2000, largest.sorted());
  }
}

TEST_CASE("A cluster and keys that no load has", "[device]") {
  for (std::size_t misalignment : {2, 6, 14}) {
    check_shapes<narrow, short>(2005, 30, misalignment);
    check_shapes<narrow, std::uint8_t>(4001, 30, misalignment);
  }
  for (std::int64_t n : {1, 2, 5, 13}) {
    for (std::int64_t k : {1, 4, 20}) check_shapes<narrow, short>(n, k, 2);
  }
  test::unless_sanitized([](auto) {
    check_shapes<wide, __half>(5003, 90, 2);
    check_shapes<narrow, std::int8_t>(3000, 1000, 1);
  });
}

TEST_CASE("Keys in a cluster that are no numbers, infinite or zeros of both signs", "[device]") {
  std::vector<float> keys = test::make_keys<float>(2000, key_shape::few);
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 0; i < keys.size(); i += 7) {
    const float special[] = {inf, -inf, nan, -nan, 0.0f, -0.0f};
    keys[i] = special[i % 6];
  }
  test::for_all_orders([&](auto order) {
    for (std::int64_t k : {5, 100, 700, 1500}) test::check_top_k<narrow>(keys, k, order);
  });
}

TEST_CASE("A cluster has as many blocks as a row needs", "[device]") {
  if (!test::on_simt) return;         // which a GPU's occupancy decides
  constexpr int block_keys = 64 * 4;  // of one load a thread
  CHECK(plan_of<wide, int>(1, 16 * block_keys, 5).grid_size == 16);
  CHECK(plan_of<wide, int>(3, 2 * block_keys, 5).grid_size == 3 * 2);
  CHECK(plan_of<wide, int>(3, block_keys, 5).grid_size == 3);
  // Not all rows are worked on at once by large clusters.
  CHECK(plan_of<narrow, int>(1000, 2 * block_keys, 5).grid_size == 1000);
}
