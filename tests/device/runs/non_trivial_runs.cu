// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// non_trivial_runs against a sequential loop.
#include "../../support/family_check.cuh"
#include "../../support/run_check.cuh"

#include <gpuprim/core/fancy_iterators.cuh>

namespace {

/// Where runs of several elements begin, and their lengths.
struct long_runs {
  std::vector<std::int64_t> offsets, lengths;

  template <class Key>
  long_runs(const std::vector<Key>& keys, std::size_t n) {
    for (std::size_t i = 0, end = 0; i < n; i = end) {
      for (end = i + 1; end < n && keys[end] == keys[i];) ++end;
      if (end == i + 1) continue;
      offsets.push_back(std::int64_t(i));
      lengths.push_back(std::int64_t(end - i));
    }
  }
};

template <class Key>
void check(const std::vector<int>& run_lengths, std::size_t misalignment = 0) {
  const auto keys = test::make_runs<Key>(run_lengths);
  const auto n = std::int64_t(keys.size());
  const long_runs want(keys, keys.size());
  CAPTURE(n, want.offsets.size(), misalignment, sizeof(Key));
  const test::device_array<Key> in(keys, misalignment);
  test::device_array<std::int64_t> offsets(want.offsets.size()), lengths(want.offsets.size()), runs(1);
  gpuprim::workspace ws(gpuprim::run_length_encode_workspace_bytes<std::int64_t>(n));
  CUDA_OK(gpuprim::non_trivial_runs(static_cast<const Key*>(in.data()), n, offsets.data(), lengths.data(), runs.data(),
                                    {.workspace = &ws}));
  CHECK(runs.download()[0] == std::int64_t(want.offsets.size()));
  CHECK(offsets.download() == want.offsets);
  CHECK(lengths.download() == want.lengths);
  for (const auto* out : {&offsets, &lengths, &runs}) out->check_guards();
  in.check_unchanged();
}

struct same_tens {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

}  // namespace

TEST_CASE("non_trivial_runs over every mix of runs", "[device][sanitizer]") {
  for (const auto& lengths : test::run_mixes()) check<int>(lengths);
}

TEST_CASE("non_trivial_runs that begin and end at the ends of the input", "[device]") {
  for (const std::vector<int>& lengths :
       {std::vector<int>{1, 1}, {2}, {3}, {2, 2}, {1, 2, 1}, {2, 1, 1, 2}, {1, 1, 2}, {2, 1, 1}, {1, 3, 3, 1}}) {
    check<int>(lengths);
    check<test::point3>(lengths);
  }
  std::vector<int> pairs_of_runs;
  for (int i = 0; i < 9000; ++i) pairs_of_runs.push_back(1 + i % 2);
  check<char>(pairs_of_runs, 3);
  pairs_of_runs.insert(pairs_of_runs.begin(), 1);
  check<short>(pairs_of_runs, 2);
  check<std::int64_t>({1, 60000, 2, 1, 30000}, 8);
}

TEST_CASE("non_trivial_runs of as many elements as a number in device memory says", "[device]") {
  const std::int64_t most = 20000;
  std::vector<int> lengths;
  for (int i = 0; i < 6000; ++i) lengths.push_back(1 + i * 7 % 5);
  auto keys = test::make_runs<int>(lengths);
  keys.resize(std::size_t(most));
  const test::device_array<int> in(keys, 4);
  test::device_array<int> number(1);
  for (int told : {-1, 0, 1, 2, 7000, 7001, 7002, 7003, int(most), int(most) + 9}) {
    CAPTURE(told);
    number.upload({told});
    const long_runs want(keys, std::size_t(std::clamp<std::int64_t>(told, 0, most)));
    test::device_array<std::int64_t> offsets(want.offsets.size());
    test::device_array<int> got_lengths(want.offsets.size());
    test::device_array<short> runs(1);
    CUDA_OK(
        gpuprim::non_trivial_runs(in.data(), {number.data(), most}, offsets.data(), got_lengths.data(), runs.data()));
    CHECK(std::size_t(runs.download()[0]) == want.offsets.size());
    CHECK(offsets.download() == want.offsets);
    const auto got = got_lengths.download();
    CHECK(std::vector<std::int64_t>(got.begin(), got.end()) == want.lengths);
    offsets.check_guards();
    got_lengths.check_guards();
  }
}

TEST_CASE("non_trivial_runs by an equality, of computed elements, to other outputs and to the host", "[device]") {
  const test::device_array<int> in(std::vector<int>{10, 12, 25, 31, 31, 39, 40, 50, 51, 52});
  test::device_array<int> offsets(10), lengths(10);
  CHECK(gpuprim::non_trivial_runs_count(gpuprim::positions<int>{}, 100, offsets.data(), lengths.data(), same_tens{}) ==
        10);
  CHECK(gpuprim::non_trivial_runs_count(in.data(), 10, offsets.data(), lengths.data(), same_tens{}) == 3);
  auto got = offsets.download(), got_lengths = lengths.download();
  got.resize(3), got_lengths.resize(3);
  CHECK(got == std::vector<int>{0, 3, 7});
  CHECK(got_lengths == std::vector<int>{2, 3, 3});
  test::device_array<char> runs(1);
  CUDA_OK(gpuprim::non_trivial_runs(in.data(), 10, gpuprim::discard_output{}, lengths.data(), runs.data()));
  CHECK((runs.download()[0] == 1 && lengths.download()[0] == 2));
  const int* nothing = nullptr;
  int* no_output = nullptr;
  CHECK(gpuprim::non_trivial_runs_count(nothing, 0, no_output, no_output) == 0);
}

TEST_CASE("non_trivial_runs compares values of the input's type, whatever its iterator returns", "[device]") {
  test::device_array<int> offsets(20), lengths(20);
  CHECK(gpuprim::non_trivial_runs_count(test::halves{}, 40, offsets.data(), lengths.data()) == 20);
  CHECK(lengths.download() == std::vector<int>(20, 2));
}

TEST_CASE("non_trivial_runs refuses what it would overwrite, and is measured", "[device]") {
  const test::device_array<int> in(test::make_runs<int>(std::vector<int>(3000, 3)));
  test::device_array<int> offsets(3000), lengths(3000), runs(1);
  const int* nothing = nullptr;
  int* no_output = nullptr;
  const auto call = [&](const int* from, std::int64_t n, int* to, int* to_lengths, int* to_runs) {
    return gpuprim::non_trivial_runs(from, n, to, to_lengths, to_runs);
  };
  CHECK(call(nothing, 9, offsets.data(), lengths.data(), runs.data()) == cudaErrorInvalidValue);
  CHECK(call(in.data(), -1, offsets.data(), lengths.data(), runs.data()) == cudaErrorInvalidValue);
  CHECK(call(in.data(), 9, no_output, lengths.data(), runs.data()) == cudaErrorInvalidValue);
  CHECK(call(in.data(), 9, offsets.data(), no_output, runs.data()) == cudaErrorInvalidValue);
  CHECK(call(in.data(), 9, offsets.data(), lengths.data(), no_output) == cudaErrorInvalidValue);
  CHECK(call(in.data(), 9, in.data() + 8, lengths.data(), runs.data()) == cudaErrorInvalidValue);
  CHECK(call(in.data(), 9, offsets.data(), in.data(), runs.data()) == cudaErrorInvalidValue);
  CHECK(call(in.data(), 9, offsets.data(), lengths.data(), in.data() + 1) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("an output overlaps the keys"));
  CHECK(gpuprim::non_trivial_runs(in.data(), {runs.data(), 100}, offsets.data(), lengths.data(), runs.data()) ==
        cudaErrorInvalidValue);
  gpuprim::workspace_size size;
  CUDA_OK(gpuprim::non_trivial_runs(in.data(), 9000, offsets.data(), lengths.data(), runs.data(), {.measured = &size}));
  CHECK(size.total_bytes() <= gpuprim::run_length_encode_workspace_bytes<std::int64_t>(9000));
  for (const auto* out : {&offsets, &lengths, &runs}) out->check_untouched();
  in.check_unchanged();
}

TEST_CASE("non_trivial_runs are found in a graph", "[device][tsan][few_schedules]") {
  const test::device_array<int> in(test::make_runs<int>(std::vector<int>(300, 3)));
  test::device_array<int> offsets(300), lengths(300), runs(1);
  test::run_in_graph([&](cudaStream_t stream) {
    return gpuprim::non_trivial_runs(in.data(), 900, offsets.data(), lengths.data(), runs.data(), {.stream = stream});
  });
  CHECK(runs.download()[0] == 300);
  CHECK(offsets.download()[299] == 897);
  CHECK(lengths.download() == std::vector<int>(300, 3));
}
