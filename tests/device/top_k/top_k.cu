// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/schedules.cuh"
#include "../../support/top_k_check.cuh"

namespace {

using gpuprim::largest, gpuprim::smallest;
using test::counted_top_k, test::key_shape, test::sampled_top_k;

template <gpuprim::top_k_policy Policy, class T>
void check_all_orders(const std::vector<T>& keys, std::int64_t k, std::size_t misalignment = 0) {
  test::for_all_orders([&](auto order) { test::check_top_k<Policy>(keys, k, order, misalignment); });
}

}  // namespace

TEST_CASE("The k largest of few keys, by one block and by several", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 31, 33, 127, 128, 129, 130, 1000}) {
    for (auto shape : test::all_key_shapes) {
      const auto keys = test::make_keys<int>(n, shape);
      for (int k : {0, 1, 5, n / 2, n - 1, n, n + 1}) {
        if (k >= 0) test::check_top_k<counted_top_k>(keys, k, k % 2 == 0 ? largest : smallest);
      }
    }
  }
}

TEST_CASE("The k largest of sampled keys", "[device][sanitizer][slow]") {
  for (int n : {512, 2000, 9001}) {
    for (auto shape : test::all_key_shapes) {
      const auto keys = test::make_keys<unsigned>(n, shape);
      for (int k : {1, 16, 100}) {
        if (n < 5000) check_all_orders<sampled_top_k>(keys, k);
        else if (k == 16) test::check_top_k<sampled_top_k>(keys, k, largest);
        else test::check_top_k<sampled_top_k>(keys, k, smallest.sorted());
      }
      test::check_top_k<sampled_top_k>(keys, n / 3);
    }
  }
  for (auto shape : test::all_key_shapes) {  // so many results that blocks count theirs first
    const auto keys = test::make_keys<unsigned>(20000, shape);
    REQUIRE(test::detail::top_k_sampling<sampled_top_k>::find(20000, 300, 128).leaves_many);
    const auto check = [&](auto order) { test::check_top_k<sampled_top_k>(keys, 300, order); };
    test::for_orders(check, largest, smallest.sorted());
  }
}

TEST_CASE("The k largest of keys of which the sample has some", "[device][sanitizer]") {
  constexpr int n = 9001, k = 300;
  using sampling = test::detail::top_k_sampling<test::reaching_top_k>;
  REQUIRE(sampling::find(n, k, 128).reaches());
  for (auto shape : test::all_key_shapes) check_all_orders<test::reaching_top_k>(test::make_keys<int>(n, shape), k);
  check_all_orders<test::reaching_top_k>(test::make_keys<float>(n, key_shape::random), k);
  auto keys = test::make_keys<int>(n, key_shape::random);
  for (int& key : keys) key /= 2;
  std::vector<bool> is_sampled(n);
  for (int j = 0; j < int(sampling::size); ++j) {
    is_sampled[std::size_t(test::detail::find_sampled<sampling>(n, j))] = true;
  }
  int planted = 0;
  for (int i = 0; i < n && planted < k + 20; i += 9) {  // the k-th is above the sample, which leaves enough candidates
    if (is_sampled[std::size_t(i)]) continue;
    keys[std::size_t(i)] = 2000000000 + planted++ / 3;
  }
  check_all_orders<test::reaching_top_k>(keys, k);
}
