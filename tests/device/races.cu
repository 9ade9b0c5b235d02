// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kind of kernel in a few small blocks, for TSan, whose tree need not compile the many types of the other files.
#include <gpuprim/search.cuh>

#include "../support/histogram_check.cuh"
#include "../support/run_check.cuh"

namespace {

struct is_seven {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x == 7; }
};

}  // namespace

TEST_CASE("reduce of a few elements in several blocks", "[device][tsan]") {
  test::check_policy<32, 1, test::affine>(200, test::then{}, test::affine{3, 5});
  test::check_policy<64, 2, int>(1500, gpuprim::plus<int>{}, 1);
}

TEST_CASE("an unordered reduce of several blocks", "[device][tsan]") {
  std::vector<int> values(9000, 3);
  test::device_array<int> input(values), output(1);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<int>(9000));
  CUDA_OK((gpuprim::detail::reduce_with<gpuprim::detail::by_atomics, gpuprim::reduce_policy{64, 1}, int>(
               input.data(), 9000, output.data(), gpuprim::plus<int>{}, 1, {.workspace = &ws})
               .code));
  CHECK(output.download()[0] == 27001);
}

TEST_CASE("a reproducible reduce in one block, in several and in many", "[device][tsan]") {
  const auto values = test::make_values<float>(2500);
  test::device_array<float> input(values);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<float>(2500));
  for (int most_blocks : {1, 3, 4096}) {
    test::device_array<float> output(1);
    CUDA_OK((gpuprim::detail::reduce_reproducibly<128, float>(input.data(), 2500, output.data(), gpuprim::plus{}, 0.5f,
                                                              {.workspace = &ws}, most_blocks)
                 .code));
    CHECK(output.download()[0] == test::fold(values, gpuprim::plus{}, 0.5f));
    output.check_guards();
  }
}

TEST_CASE("histogram in several blocks", "[device][tsan]") {
  using test::make_samples;
  using test::small_histogram;
  test::check_even<small_histogram>(make_samples<int>(2100), gpuprim::even_bins{20, 0, 1000});
  for (int count : {2000, 4000}) {
    test::check_even<small_histogram>(make_samples<int>(1100), gpuprim::even_bins{count, 0, 1000});
  }
  test::check_ranges<small_histogram>(make_samples<int>(1100), std::vector<int>{0, 1, 4, 9, 100, 225, 361});
}

TEST_CASE("find_if in several blocks", "[device][tsan]") {
  std::vector<int> values(34001, 3);
  test::device_array<int> input(values);
  CHECK(gpuprim::find_if_value(input.data(), 34001, is_seven{}) == 34001);
  values[20000] = values[33000] = 7;
  input.upload(values);
  CHECK(gpuprim::find_if_value(input.data(), 34001, is_seven{}) == 20000);
}

TEST_CASE("reduce_by_key of few runs in tiny tiles", "[device][tsan]") {
  test::check_runs_in<test::many_tiles_of(64, 16), test::affine, int, test::affine>({1, 3, 300, 1, 1, 90, 200, 400},
                                                                                    test::then{});
  test::check_runs_in<test::one_tile_of(64, 16), test::affine, int, test::affine>({1, 3, 300, 1, 1, 90},
                                                                                  test::then{});
}

TEST_CASE("reduce_by_key of tiles with few results among tiles with many", "[device][tsan]") {
  std::vector<int> lengths;
  for (int i = 0; i < 4; ++i) {
    lengths.push_back(600);
    lengths.insert(lengths.end(), 400, 1);
  }
  test::check_runs_in<test::many_tiles_of(64, 16), int, int, int>(lengths, gpuprim::plus{});
}

TEST_CASE("run_length_encode of few runs in tiny tiles", "[device][tsan]") {
  test::check_lengths_in<test::many_tiles_of(64, 16), int>({1, 3, 300, 1, 1, 90});
}
