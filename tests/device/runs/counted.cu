// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes over runs of as many keys as a number in device memory says.
#include "../../support/reduce_check.cuh"

#include <gpuprim/reduce_by_key.cuh>

#include <string>

namespace {

/// Runs of 1 to `longest` equal keys.
std::vector<int> make_runs(std::int64_t n, int longest) {
  std::vector<int> keys;
  for (int run = 0; std::int64_t(keys.size()) < n; ++run) {
    for (int i = 0; i <= run * 7 % longest && std::int64_t(keys.size()) < n; ++i) keys.push_back(run * 3);
  }
  return keys;
}

void check(std::int64_t most, int longest) {
  const std::vector<int> keys = make_runs(most, longest);
  const auto values = test::make_values<test::affine>(most);
  const test::device_array<int> in(keys, 4);
  const test::device_array<test::affine> beside(values);
  test::device_array<std::int64_t> number(1);
  gpuprim::workspace ws(gpuprim::reduce_by_key_workspace_bytes<test::affine, test::affine, int>(most));
  CUDA_OK(ws.reserve(gpuprim::run_length_encode_workspace_bytes<int>(most)));
  for (std::int64_t told : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, most / 3, most - 1, most, most + 9}) {
    CAPTURE(most, longest, told);
    number.upload({told});
    const auto n = std::size_t(std::clamp<std::int64_t>(told, 0, most));
    std::vector<int> unique;
    std::vector<test::affine> joined;
    std::vector<std::int64_t> lengths;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        unique.push_back(keys[i]);
        joined.push_back(values[i]);
        lengths.push_back(1);
      } else {
        joined.back() = test::then{}(joined.back(), values[i]);
        ++lengths.back();
      }
    }
    test::device_array<int> unique_out(unique.size()), also_out(unique.size()), runs(1), also_runs(1);
    test::device_array<test::affine> joined_out(unique.size());
    test::device_array<std::int64_t> lengths_out(unique.size());
    const gpuprim::element_count count{number.data(), most};
    CUDA_OK(gpuprim::reduce_by_key(in.data(), beside.data(), count, unique_out.data(), joined_out.data(), runs.data(),
                                   test::then{}, {.workspace = &ws}));
    CUDA_OK(gpuprim::run_length_encode(in.data(), count, also_out.data(), lengths_out.data(), also_runs.data(),
                                       {.workspace = &ws}));
    CHECK((runs.download()[0] == int(unique.size()) && also_runs.download()[0] == int(unique.size())));
    CHECK((unique_out.download() == unique && also_out.download() == unique));
    CHECK((joined_out.download() == joined && lengths_out.download() == lengths));
    for (const auto* out : {&unique_out, &also_out}) out->check_guards();
    joined_out.check_guards();
  }
  test::check_zero(ws);
}

}  // namespace

TEST_CASE("Passes over runs take a count in device memory", "[device][sanitizer]") {
  for (std::int64_t most : {2, 700, 30000}) {
    check(most, 1);
    check(most, 40);
  }
  test::unless_sanitized([](auto) { check(50000, 20000); });
}

TEST_CASE("A count of runs is made by the kernel before it", "[device][tsan]") {
  const int most = 900;
  const test::device_array<int> in(make_runs(most, 5));
  test::device_array<int> unique(most), lengths(most), runs(1), of_lengths(most), how_often(most), different(1);
  CUDA_OK(gpuprim::run_length_encode(in.data(), most, unique.data(), lengths.data(), runs.data()));
  CUDA_OK(gpuprim::run_length_encode(lengths.data(), {runs.data(), most}, of_lengths.data(), how_often.data(),
                                     different.data()));
  const auto got = how_often.download();
  int sum = 0;
  for (int i = 0; i < different.download()[0]; ++i) sum += got[std::size_t(i)];
  CHECK(sum == runs.download()[0]);
}

TEST_CASE("Passes over runs refuse a count that they would overwrite", "[device]") {
  const test::device_array<int> in(make_runs(100, 5));
  test::device_array<int> unique(100), lengths(100), runs(1);
  CHECK(gpuprim::run_length_encode(in.data(), {runs.data(), 100}, unique.data(), lengths.data(), runs.data()) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count lies in an output"));
  const int* const none = nullptr;
  CHECK(gpuprim::run_length_encode(in.data(), {none, 100}, unique.data(), lengths.data(), runs.data()) ==
        cudaErrorInvalidValue);
  runs.check_untouched();
}
