// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts and top-k of as many keys as a number in device memory says.
#include "../../support/radix_sort_check.cuh"

#include <gpuprim/device/segmented_sort.cuh>
#include <gpuprim/device/segmented_top_k.cuh>
#include <gpuprim/transform.cuh>

#include <string>

namespace {

/// Calls `check(count, n)` for numbers up to the most and beyond: n is how many keys there are then.
template <class Check>
void for_counts(std::int64_t most, const Check& check) {
  test::device_array<int> number(1);
  for (std::int64_t n :
       {std::int64_t{-3}, std::int64_t{0}, std::int64_t{1}, std::int64_t{60}, most / 2, most, most + 7}) {
    CAPTURE(most, n);
    number.upload({int(n)});
    check(gpuprim::element_count{number.data(), most}, std::clamp<std::int64_t>(n, 0, most));
  }
}

template <class Key>
void check_sort(std::int64_t most) {
  const auto keys = test::make_keys<Key>(most, test::key_kind::few_distinct);
  for_counts(most, [&](const gpuprim::element_count& count, std::int64_t n) {
    const test::device_array<Key> in(keys);
    test::device_array<Key> in_place(keys), out(keys.size()), falling(keys.size());
    test::device_array<int> order(keys.size());
    auto wanted = keys, wanted_falling = falling.download();
    auto wanted_order = order.download();
    std::stable_sort(wanted.begin(), wanted.begin() + n);
    std::vector<int> at(std::size_t(n), 0);
    std::iota(at.begin(), at.end(), 0);
    std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return keys[std::size_t(a)] > keys[std::size_t(b)]; });
    for (std::size_t i = 0; i < at.size(); ++i) {
      wanted_order[i] = at[i];
      wanted_falling[i] = keys[std::size_t(at[i])];
    }
    CUDA_OK(gpuprim::sort(in_place.data(), count, in_place.data()));
    CUDA_OK(gpuprim::sort(in.data(), count, out.data(), {.stream = nullptr}));
    CUDA_OK(gpuprim::sort_pairs(in.data(), gpuprim::positions<int>{}, count, falling.data(), order.data(),
                                gpuprim::descending));
    CHECK(in_place.download() == wanted);
    const auto got = out.download();
    CHECK(std::equal(wanted.begin(), wanted.begin() + n, got.begin()));
    CHECK(falling.download() == wanted_falling);
    CHECK(order.download() == wanted_order);
    for (const auto* array : {&in_place, &out, &falling}) array->check_guards();
  });
}

template <class Key>
void check_top_k(std::int64_t most, std::int64_t k) {
  CAPTURE(k);
  const auto keys = test::make_keys<Key>(most, test::key_kind::few_distinct);
  const test::device_array<Key> in(keys);
  for_counts(most, [&](const gpuprim::element_count& count, std::int64_t n) {
    test::device_array<Key> alone(std::size_t(k), 0), out(std::size_t(k), 0);
    test::device_array<int> places(std::size_t(k), 0);
    auto wanted = out.download();
    auto wanted_places = places.download();
    std::vector<int> at(std::size_t(n), 0);
    std::iota(at.begin(), at.end(), 0);
    std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return keys[std::size_t(a)] > keys[std::size_t(b)]; });
    for (std::size_t i = 0; i < std::min(at.size(), std::size_t(k)); ++i) {
      wanted_places[i] = at[i];
      wanted[i] = keys[std::size_t(at[i])];
    }
    CUDA_OK(gpuprim::top_k(in.data(), count, k, alone.data(), gpuprim::largest.sorted()));
    CUDA_OK(gpuprim::top_k_positions(in.data(), count, k, out.data(), places.data(), gpuprim::largest.sorted()));
    CHECK((alone.download() == wanted && out.download() == wanted && places.download() == wanted_places));
    CUDA_OK(gpuprim::top_k_pairs(in.data(), gpuprim::positions<int>{}, count, k, out.data(), places.data()));
    auto taken = places.download();
    std::sort(taken.begin(), taken.begin() + std::min(n, k));
    std::sort(wanted_places.begin(), wanted_places.begin() + std::min(n, k));
    CHECK(taken == wanted_places);
    places.check_guards();
  });
}

}  // namespace

TEST_CASE("Sorts take a count in device memory", "[device]") {
  for (std::int64_t most : {70, 3000, 40000}) check_sort<int>(most);
  test::unless_sanitized([](auto) { check_sort<double>(9000); });
}

TEST_CASE("A top-k takes a count in device memory", "[device]") {
  for (std::int64_t k : {1, 50, 3000}) check_top_k<float>(20000, k);
}

TEST_CASE("Sorts refuse a count that they would overwrite", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 3));
  test::device_array<int> out(100);
  const int* const none = nullptr;
  CHECK(gpuprim::sort(in.data(), {out.data() + 99, 100}, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count lies in an output"));
  CHECK(gpuprim::top_k(in.data(), {none, 100}, 5, out.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count is a null pointer"));
  out.check_untouched();
}
