// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What selects refuse, and how they are launched.
#include "../../support/family_check.cuh"
#include "../../support/select_check.cuh"

namespace {

struct is_even {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 == 0; }
};
/// Element i is i % 7.
struct remainders : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(i % 7); }
};
/// Writes twice the value.
struct doubling_output {
  int* to;
  struct place {
    int& to;
    GPUPRIM_HOST_DEVICE void operator=(int value) const { to = 2 * value; }
  };
  GPUPRIM_HOST_DEVICE place operator[](std::int64_t i) const { return {to[i]}; }
};

struct long_item {
  int value;
  char others[296];
};
struct is_odd_item {
  GPUPRIM_HOST_DEVICE bool operator()(const long_item& item) const { return 100 / item.value % 2 != 0; }
};

}  // namespace

TEST_CASE("Selects refuse bad input and leave the outputs alone", "[device]") {
  test::device_array<int> in(test::make_values<int>(8000)), out(8000), other(8000), count(2);
  test::device_array<unsigned char> flags(std::vector<unsigned char>(8000, 1));
  const int* nothing = nullptr;
  int* no_output = nullptr;
  const cudaError_t invalid = cudaErrorInvalidValue;
  gpuprim::workspace tiny(16);
  const is_even even;
  const auto* odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(in.data()) + 2);
  auto* const past = reinterpret_cast<int*>(reinterpret_cast<char*>(out.data()) + 1);
  const auto select = [&](auto from, std::int64_t n, auto to, auto total, const gpuprim::options& how = {}) {
    return gpuprim::select_if(from, n, to, total, even, how);
  };
  CHECK(select(nothing, 1000, out.data(), count.data()) == invalid);
  CHECK(select(in.data(), -1, out.data(), count.data()) == invalid);
  CHECK(select(in.data(), std::int64_t{1} << 62, out.data(), count.data()) == invalid);
  CHECK(select(odd, 1000, out.data(), count.data()) == invalid);
  CHECK(select(in.data(), 1000, no_output, count.data()) == invalid);
  CHECK(select(in.data(), 1000, past, count.data()) == invalid);
  CHECK(select(in.data(), 1000, in.data() + 10, count.data()) == invalid);
  CHECK(select(in.data(), 1000, reinterpret_cast<std::int64_t*>(in.data()), count.data()) == invalid);
  CHECK(select(in.data(), 1000, out.data(), no_output) == invalid);
  CHECK(select(in.data(), 1000, out.data(), in.data() + 5) == invalid);
  CHECK(select(in.data(), 8000, out.data(), count.data(), {.workspace = &tiny}) == invalid);
  CHECK(gpuprim::select_flagged(in.data(), nothing, 1000, out.data(), count.data()) == invalid);
  CHECK(gpuprim::select_flagged(nothing, flags.data(), 1000, out.data(), count.data()) == invalid);
  CHECK(gpuprim::select_flagged(in.data(), flags.data(), 1000, in.data(), count.data()) == invalid);
  CHECK(gpuprim::select_flagged(in.data(), flags.data(), 1000, flags.data() + 3, count.data()) == invalid);
  CHECK(gpuprim::select_indices(in.data(), 1000, in.data(), count.data(), even) == invalid);
  CHECK(gpuprim::unique(in.data(), 1000, in.data() + 1, count.data()) == invalid);
  CHECK(gpuprim::unique_by_key(in.data(), in.data() + 4000, 1000, out.data(), in.data(), count.data()) == invalid);
  CHECK(gpuprim::unique_by_key(in.data(), in.data() + 4000, 1000, in.data(), out.data(), count.data()) == invalid);
  CHECK(gpuprim::unique_by_key(in.data(), nothing, 1000, out.data(), other.data(), count.data()) == invalid);
  CHECK(gpuprim::unique_by_key(in.data(), in.data() + 4000, 1000, out.data(), other.data(), in.data() + 4007) ==
        invalid);
  auto* const shifted = reinterpret_cast<test::complex_float*>(in.data() + 1);  // not aligned to its size
  CHECK(gpuprim::select_flagged(shifted, flags.data(), 1000, shifted, count.data()) == invalid);
  CHECK(gpuprim::partition_if(in.data(), 1000, in.data(), count.data(), even) == invalid);
  CHECK(gpuprim::partition_if(in.data(), 1000, gpuprim::outputs(out.data(), in.data() + 7), count.data(), even) ==
        invalid);
  CHECK(gpuprim::partition_flagged(in.data(), flags.data(), 1000, flags.data(), count.data()) == invalid);
  CHECK(gpuprim::partition_flagged(in.data(), nothing, 1000, out.data(), count.data()) == invalid);
  CHECK(gpuprim::stable_partition_if(in.data(), 1000, in.data(), count.data(), even) == invalid);
  CHECK(gpuprim::stable_partition_if(in.data(), 8000, out.data(), count.data(), even, {.workspace = &tiny}) == invalid);
  CHECK(gpuprim::select_if(in.data(), {nothing, 1000}, out.data(), count.data(), even) == invalid);
  CHECK(gpuprim::select_if(in.data(), {out.data(), 1000}, out.data(), count.data(), even) == invalid);
  auto* const past_count = reinterpret_cast<int*>(reinterpret_cast<char*>(count.data()) + 1);
  CHECK(select(in.data(), 1000, out.data(), past_count) == invalid);
  CHECK(gpuprim::select_flagged(in.data(), in.data() + 4000, 1000, in.data() + 4000, count.data()) == invalid);
  CHECK(gpuprim::select_flagged(in.data(), flags.data(), 1000, out.data(), in.data() + 7) == invalid);
  CHECK(gpuprim::unique(in.data(), 1000, reinterpret_cast<float*>(in.data()), count.data()) == invalid);
  CHECK(gpuprim::unique_by_key(in.data(), in.data() + 4000, 1000, out.data(), out.data(), count.data()) == invalid);
  CHECK(gpuprim::partition_if(in.data() + 4, 1000, in.data(), count.data(), even) == invalid);
  CHECK(gpuprim::partition_if(in.data(), 1000, out.data(), out.data() + 9, even) == invalid);
  const auto twice = gpuprim::outputs(out.data(), out.data());
  CHECK(gpuprim::partition_if(in.data(), 1000, twice, count.data(), even) == invalid);
  CHECK(gpuprim::partition_flagged(in.data(), flags.data(), 1000, out.data(), out.data() + 9) == invalid);
  CHECK(gpuprim::stable_partition_if(in.data(), 1000, out.data(), out.data() + 9, even) == invalid);
  auto* const short_count = reinterpret_cast<signed char*>(count.data());
  CHECK(gpuprim::stable_partition_if(in.data(), 1000, out.data(), short_count, even) == invalid);
  CHECK(gpuprim::select_if(in.data(), {in.data(), -1}, out.data(), count.data(), even) == invalid);
  // Flags behind the first element of the output, and the number of elements where something is written.
  const auto* const inner = reinterpret_cast<const unsigned char*>(out.data() + 9);
  CHECK(gpuprim::partition_flagged(in.data(), inner, 1000, out.data(), count.data()) == invalid);
  const gpuprim::element_count at_first{other.data(), 1000}, at_second{other.data() + 1, 1000};
  CHECK(gpuprim::select_if(in.data(), at_first, out.data(), other.data(), even) == invalid);
  CHECK(std::string(gpuprim::last_fault()) == "the count lies where the number of elements is");
  CHECK(gpuprim::select_flagged(in.data(), flags.data(), at_first, out.data(), other.data()) == invalid);
  CHECK(gpuprim::partition_if(in.data(), at_first, out.data(), other.data(), even) == invalid);
  CHECK(gpuprim::partition_flagged(in.data(), flags.data(), at_first, out.data(), other.data()) == invalid);
  const auto three = gpuprim::outputs(out.data(), out.data() + 2000, out.data() + 4000);
  CHECK(gpuprim::partition_if(in.data(), at_second, three, other.data(), even, even) == invalid);
  CHECK(gpuprim::unique_by_key(in.data(), in.data(), at_first, out.data(), other.data(), count.data()) == invalid);
  in.check_unchanged();
  out.check_untouched();
  other.check_untouched();
  count.check_untouched();
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK_THROWS_AS((void)gpuprim::select_if_count(nothing, 1000, out.data(), even), gpuprim::cuda_error);
}

TEST_CASE("Selects read and write iterators, and long elements", "[device]") {
  const int n = 5001;
  test::device_array<int> out(n), count(1);
  CUDA_OK(gpuprim::select_if(remainders{}, n, doubling_output{out.data()}, count.data(), is_even{}));
  const auto got = out.download();
  int kept = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 7 % 2 == 0) wrong += got[std::size_t(kept++)] != 2 * (i % 7);
  }
  CHECK(wrong == 0);
  CHECK(count.download()[0] == kept);
  std::vector<long_item> items;
  for (int i = 0; i < 700; ++i) items.push_back({i % 9 + 1, {}});
  // The first element lies past a line, and the predicate takes no element of zeros.
  test::device_array<long_item> in(items), long_out(700);
  CUDA_OK(gpuprim::select_if(in.data() + 1, 699, long_out.data(), count.data(), is_odd_item{}));
  const auto long_got = long_out.download();
  std::size_t found = 0;
  for (int i = 1; i < 700; ++i) {
    if (is_odd_item{}(items[std::size_t(i)])) wrong += long_got[found++].value != i % 9 + 1;
  }
  CHECK(wrong == 0);
  CHECK(count.download()[0] == int(found));
}

TEST_CASE("Selects are captured into a graph, and wait for what they read", "[device][sanitizer]") {
  const std::int64_t n = 18000;
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(i);
  test::device_array<int> in(values), even(values.size()), fours(values.size()), counts(3), behind(values.size());
  gpuprim::workspace workspace(gpuprim::stable_partition_workspace_bytes<int>(n));
  for (gpuprim::workspace* scratch : {&workspace, static_cast<gpuprim::workspace*>(nullptr)}) {
    counts.upload({-1, -1, -1});
    test::run_in_graph([&](cudaStream_t stream) {
      const gpuprim::options how{stream, scratch};
      cudaError_t e = gpuprim::select_if(in.data(), n, even.data(), counts.data(), is_even{}, how);
      // As many elements as the first select has left.
      if (e == cudaSuccess) {
        e = gpuprim::select_if(even.data(), {counts.data(), n}, fours.data(), counts.data() + 1, test::in_percent{50},
                               how);
      }
      if (e != cudaSuccess) return e;
      return gpuprim::stable_partition_if(in.data(), n, behind.data(), counts.data() + 2, is_even{}, how);
    });
    const auto got_counts = counts.download();
    CHECK(got_counts[0] == 9000);
    CHECK(got_counts[2] == 9000);
    CHECK(even.download()[8999] == 17998);
    CHECK(behind.download()[9000] == 1);
    int want = 0, wrong = 0;
    const auto got = fours.download();
    for (int i = 0; i < n; i += 2) {
      if (test::in_percent{50}(i)) wrong += got[std::size_t(want++)] != i;
    }
    CHECK(wrong == 0);
    CHECK(got_counts[1] == want);
  }
}

TEST_CASE("Selects of a count in device memory", "[device][sanitizer]") {
  constexpr int most = 9000;
  const auto values = test::make_values<int>(most);
  test::device_array<std::int64_t> given(1);
  for (std::size_t past : {0, 12}) {  // the head may be longer than the count
    test::device_array<int> in(values, past), count(1);
    for (std::int64_t n : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{20}, std::int64_t{5000},
                           std::int64_t{most}, std::int64_t{1} << 32}) {
      CAPTURE(past, n);
      std::vector<int> want;
      for (int i = 0; i < most && i < n; ++i) {
        if (is_even{}(values[std::size_t(i)])) want.push_back(values[std::size_t(i)]);
      }
      test::device_array<int> out(want.size());
      given.upload({n});
      CUDA_OK(gpuprim::select_if(in.data(), {given.data(), most}, out.data(), count.data(), is_even{}));
      CHECK(out.download() == want);
      CHECK(count.download()[0] == int(want.size()));
      out.check_guards();
    }
    in.check_unchanged();
  }
}

TEST_CASE("Selects go on in concurrent streams", "[device]") {
  constexpr int n = 12000;
  test::device_array<int> in(test::make_values<int>(n)), out_a(n), out_b(n), counts(2);
  cudaStream_t streams[2];
  for (auto& stream : streams) CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  gpuprim::workspace a(gpuprim::select_workspace_bytes<int>(n)), b(a.bytes());
  for (int repeat = 0; repeat < 3; ++repeat) {
    CUDA_OK(gpuprim::select_if(in.data(), n, out_a.data(), counts.data(), is_even{}, {streams[0], &a}));
    CUDA_OK(gpuprim::select_if(in.data(), n, out_b.data(), counts.data() + 1, is_even{}, {streams[1], &b}));
  }
  for (auto& stream : streams) CUDA_OK(cudaStreamSynchronize(stream));
  CHECK(out_a.download() == out_b.download());
  CHECK(counts.download()[0] == counts.download()[1]);
  CHECK(counts.download()[0] > 0);
  for (auto& stream : streams) CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("The plans of selects are their launches", "[device]") {
  auto* const in = reinterpret_cast<const int*>(std::uintptr_t{1} << 40);
  auto* const out = reinterpret_cast<int*>(std::uintptr_t{1} << 50);
  CHECK(gpuprim::select_if_plan(in, 1000, out, out - 1, is_even{}).grid_size == 1);
  CHECK(gpuprim::select_if_plan(in, 100000, out, out - 1, is_even{}).grid_size == (100000 + 1535) / 1536);
  CHECK(gpuprim::unique_plan(in, 100000, out, out - 1).grid_size == (100000 + 1535) / 1536);
  const std::int64_t many = std::int64_t{1} << 32;
  for (const auto& plan :
       {gpuprim::select_if_plan(in, many, out, out - 1, is_even{}),
        gpuprim::select_if_plan(in, {in - 1, many}, out, out - 1, is_even{}),
        gpuprim::unique_plan(in, many, out, out - 1), gpuprim::partition_if_plan(in, many, out, out - 1, is_even{})}) {
    CHECK(plan.grid_size == plan.multiprocessors * plan.blocks_per_multiprocessor);
  }
}
