// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kind of kernel in a few small blocks, for TSan, whose tree need not compile the many types of the other files.
#include <gpuprim/search.cuh>

#include "../support/histogram_check.cuh"
#include "../support/run_check.cuh"

namespace {

struct is_seven {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x == 7; }
};

struct row {
  std::uint64_t parts[8];
  friend bool operator==(const row&, const row&) = default;
};
struct add_rows {
  GPUPRIM_HOST_DEVICE row operator()(const row& a, const row& b) const {
    row sum{};
    for (int i = 0; i < 8; ++i) sum.parts[i] = a.parts[i] + b.parts[i];
    return sum;
  }
};

/// The mail of values of 64 bytes is gathered in shared memory, 160 at once.
void check_rows(int n) {
  std::vector<row> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 8; ++k) values[std::size_t(i)].parts[k] = test::scramble(std::uint64_t(8 * i + k));
  }
  test::device_array<row> input(values), output(1);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<row>(n));
  CUDA_OK((gpuprim::reduce<add_rows, 64, 1>(input.data(), n, output.data(), add_rows{}, row{}, {.workspace = &ws})));
  CHECK(bool(output.download()[0] == test::fold(values, add_rows{}, row{})));
  output.check_guards();
}

}  // namespace

TEST_CASE("reduce of a few elements in several blocks", "[device][tsan]") {
  test::check_policy<32, 1, test::affine>(200, test::then{}, test::affine{3, 5});
  test::check_policy<64, 2, int>(1500, gpuprim::plus<int>{}, 1);
}

TEST_CASE("reduce of long values in several blocks", "[device][tsan]") { check_rows(150); }

TEST_CASE("reduce of long values in so many blocks that their mail is gathered twice", "[device]") {
  check_rows(64 * 330);
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
  // As few blocks as several can be: they have 1024 threads.
  using test::make_samples;
  test::check_even(make_samples<int>(4200), gpuprim::even_bins{2000, 0, 1000});
  test::check_even(make_samples<unsigned char>(4200), gpuprim::even_bins{20, 0, 256});
  test::check_ranges(make_samples<int>(4200), test::make_levels<int>(2000));
  test::check_ranges(make_samples<int>(300), test::make_levels<int>(2800));  // in global memory
}

TEST_CASE("histogram in more bins than samples pay for", "[device][tsan]") {
  // The fewest samples that a block has counters for; most of them are in one bin.
  auto samples = test::make_samples<short>(34000);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = i % 64 == 0 ? samples[i] : short(7);
  const gpuprim::even_bins bins{17000, 0, 34000};
  test::device_array<short> input(samples);
  test::device_array<unsigned> output(17000);
  CUDA_OK(gpuprim::histogram(input.data(), 34000, output.data(), bins));
  CHECK(bool(output.download() == test::expected_counts<unsigned>(samples, bins, 17000)));
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
  test::check_runs_in<test::one_tile_of(64, 16), test::affine, int, test::affine>({1, 3, 300, 1, 1, 90}, test::then{});
  // A block that is alone; results are longer than the values that they overwrite.
  test::check_runs_in<test::one_tile_of(64, 16), int, int, short>({1, 3, 40, 1, 1, 10}, gpuprim::plus{});
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
