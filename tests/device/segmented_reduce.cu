// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/segmented_check.cuh"

TEST_CASE("segmented_reduce over every mix of lengths", "[device][sanitizer]") {
  for (const auto& lengths : test::length_mixes()) {
    test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f);
    test::check_segments<std::int64_t, test::affine>(lengths, test::then{}, test::affine{1, 0});
  }
}

TEST_CASE("segmented_reduce with an operator that commutes not and a type without a default", "[device]") {
  for (const auto& lengths : {std::vector<int>{700, 0, 1, 40, 2000}, std::vector<int>(90, 33)}) {
    const auto offsets = test::make_offsets<unsigned>(lengths);
    const auto values = test::make_values<test::span_of_positions>(offsets.back());
    test::device_array<test::span_of_positions> input(values), output(lengths.size());
    test::device_array<unsigned> where(offsets);
    const auto segments = std::int64_t(lengths.size());
    // Each segment's init is out of place, so all but an empty one break the chain at once unless it is left out.
    CUDA_OK(gpuprim::segmented_reduce(input.data(), where.data(), segments, output.data(), test::chain{},
                                      test::span_of_positions(-2, -1)));
    CHECK(output.download() ==
          test::expected_segments(values, offsets, test::chain{}, test::span_of_positions(-2, -1)));
  }
}

TEST_CASE("segmented_reduce of a few segments of any kind", "[device][tsan]") {
  for (int first : {0, 1, 7}) {
    test::check_segments<int, float>({3, 0, 700, 1500, 2}, gpuprim::plus{}, 1.0f, 0, first);
    test::check_segments<unsigned long long, test::affine>({1400, 0, 0, 5}, test::then{}, test::affine{1, 0}, 0, first);
  }
  test::check_fixed<float>(4, 400, gpuprim::plus{}, 0.0f);
  test::check_fixed<float>(3000, 2, gpuprim::plus{}, 0.0f);
}

TEST_CASE("segmented_reduce of fixed lengths", "[device][sanitizer]") {
  for (std::int64_t length : {0, 1, 2, 3, 4, 5, 16, 31, 33, 64, 100, 640, 2049, 20000}) {
    const std::int64_t segments = length < 100 ? 777 : 40000 / length;
    test::check_fixed<float>(length, segments, gpuprim::plus{}, 1.0f);
    test::check_fixed<test::affine>(length, segments, test::then{}, test::affine{1, 0});
  }
}
