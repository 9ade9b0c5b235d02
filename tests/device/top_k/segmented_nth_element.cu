// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/small_gpu.cuh"
#include "../../support/top_k_check.cuh"

#include <string>

namespace {

using gpuprim::largest, gpuprim::smallest;
using test::counted_top_k, test::key_shape, test::sampled_top_k, test::top_k_order, test::top_k_policy;

struct doubled {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(std::int64_t x) const { return 2 * x; }
};

/// What must be written for rows between offsets: the key at a place of each, or nothing.
template <class T>
std::vector<T> find_wanted(const std::vector<T>& keys, const std::vector<std::int64_t>& begins,
                           const std::vector<std::int64_t>& ends, const std::vector<std::int64_t>& places,
                           top_k_order<> order, std::vector<T> results) {
  for (std::size_t i = 0; i < begins.size(); ++i) {
    if (places[i] < 0 || places[i] >= ends[i] - begins[i]) continue;
    std::vector<T> row(keys.begin() + begins[i], keys.begin() + ends[i]);
    test::sort_by_sign(row, order);
    results[i] = row[std::size_t(places[i])];
  }
  return results;
}

/// Asks for one key of each segment. `nth`: as the call takes it.
template <class T, class Call>
void check_call(const std::vector<T>& keys, const std::vector<std::int64_t>& begins,
                const std::vector<std::int64_t>& ends, const std::vector<std::int64_t>& places, top_k_order<> order,
                gpuprim::workspace_size size, std::size_t misalignment, const Call& call) {
  CAPTURE(begins.size(), int(order.end), misalignment, sizeof(T));
  test::device_array<T> in(keys, misalignment), out(begins.size(), misalignment);
  const auto wanted = find_wanted(keys, begins, ends, places, order, out.download());
  gpuprim::workspace workspace(size);
  CUDA_OK(call(static_cast<const T*>(in.data()), out.data(), gpuprim::options{nullptr, &workspace}));
  CHECK(test::are_same_bits(out.download(), wanted));
  in.check_unchanged();
  out.check_guards();
  test::check_zero(workspace);
}

/// Rows of one length, with one place for all and with a place for each.
template <class T>
void check_even(std::int64_t rows, std::int64_t length, key_shape shape, std::size_t misalignment = 0) {
  CAPTURE(rows, length, int(shape));
  const auto keys = test::make_keys<T>(rows * length, shape);
  std::vector<std::int64_t> begins, ends, own;
  for (std::int64_t i = 0; i < rows; ++i) {
    begins.push_back(i * length);
    ends.push_back((i + 1) * length);
    own.push_back(std::int64_t(test::scramble(std::uint64_t(i)) % std::uint64_t(length + 2)) - 1);
  }
  const gpuprim::fixed_length where{length};
  const auto size = gpuprim::segmented_nth_element_workspace_size<T>(where, rows);
  for (auto order : {smallest, largest}) {
    for (std::int64_t nth : {std::int64_t{0}, length / 20, length / 2, length - 1, length}) {
      CAPTURE(nth);
      check_call(keys, begins, ends, std::vector<std::int64_t>(std::size_t(rows), nth), order, size, misalignment,
                 [&](const T* in, T* out, const gpuprim::options& how) {
                   return gpuprim::segmented_nth_element(in, where, rows, nth, out, order, how);
                 });
    }
    const test::device_array<std::int64_t> places(own);
    check_call(keys, begins, ends, own, order, size, misalignment,
               [&](const T* in, T* out, const gpuprim::options& how) {
                 return gpuprim::segmented_nth_element(in, where, rows, places.data(), out, order, how);
               });
  }
}

/// Segments of the given lengths, by offsets and, in reverse, by bounds.
template <class T>
void check_uneven(const std::vector<std::int64_t>& lengths, std::int64_t nth, key_shape shape = key_shape::random) {
  std::vector<std::int64_t> offsets{3};
  for (std::int64_t length : lengths) offsets.push_back(offsets.back() + length);
  const std::int64_t n = offsets.back() + 2, segments = std::int64_t(lengths.size());
  CAPTURE(n, segments, nth);
  const auto keys = test::make_keys<T>(n, shape);
  const test::device_array<std::int64_t> device_offsets(offsets);
  std::vector<std::int64_t> begins(offsets.begin(), offsets.end() - 1), ends(offsets.begin() + 1, offsets.end());
  const std::vector<std::int64_t> places(lengths.size(), nth);
  const gpuprim::segment_offsets by_offsets{static_cast<const std::int64_t*>(device_offsets.data()), n};
  check_call(keys, begins, ends, places, smallest,
             gpuprim::segmented_nth_element_workspace_size<T>(by_offsets, segments), 0,
             [&](const T* in, T* out, const gpuprim::options& how) {
               return gpuprim::segmented_nth_element(in, by_offsets, segments, nth, out, how);
             });
  std::reverse(begins.begin(), begins.end());
  std::reverse(ends.begin(), ends.end());
  const test::device_array<std::int64_t> from(begins), to(ends);
  std::vector<std::int64_t> medians;
  for (std::size_t i = 0; i < begins.size(); ++i) medians.push_back((ends[i] - begins[i]) / 2);
  const test::device_array<int> middles(std::vector<int>(medians.begin(), medians.end()));
  const gpuprim::segment_bounds by_bounds{static_cast<const std::int64_t*>(from.data()),
                                          static_cast<const std::int64_t*>(to.data()), n};
  check_call(keys, begins, ends, medians, largest,
             gpuprim::segmented_nth_element_workspace_size<T>(by_bounds, segments), sizeof(T),
             [&](const T* in, T* out, const gpuprim::options& how) {
               return gpuprim::segmented_nth_element(in, by_bounds, segments, middles.data(), out, largest, how);
             });
}

/// By small blocks, so that few keys take every step. Without a workspace.
template <top_k_policy Policy, class T = int>
void check_steps(std::int64_t rows, std::int64_t length, std::int64_t nth, key_shape shape) {
  CAPTURE(rows, length, nth, int(shape));
  const auto keys = test::make_keys<T>(rows * length, shape);
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i <= rows; ++i) offsets.push_back(i * length);
  const test::device_array<std::int64_t> device_offsets(offsets);
  const std::vector<std::int64_t> begins(offsets.begin(), offsets.end() - 1), ends(offsets.begin() + 1, offsets.end());
  const auto check = [&](const auto& where) {
    test::device_array<T> in(keys), out(static_cast<std::size_t>(rows));
    const auto wanted =
        find_wanted(keys, begins, ends, std::vector<std::int64_t>(begins.size(), nth), smallest, out.download());
    CUDA_OK(
        test::detail::segmented_nth_element<Policy>(in.data(), where, rows, nth, out.data(), smallest, {}).report());
    CHECK(test::are_same_bits(out.download(), wanted));
  };
  check(gpuprim::fixed_length{length});
  check(gpuprim::segment_offsets{static_cast<const std::int64_t*>(device_offsets.data()), rows * length});
}

}  // namespace

TEST_CASE("The n-th key of each row of one length", "[device][sanitizer]") {
  check_even<int>(3, 1, key_shape::random);
  check_even<int>(70, 9, key_shape::random);
  check_even<int>(3, 5000, key_shape::few, 4);
  check_even<int>(2, 9000, key_shape::rising);
  check_even<float>(2, 20000, key_shape::random);
  test::unless_sanitized([&](auto) {
    check_even<unsigned char>(9, 700, key_shape::random, 1);
    check_even<__half>(9, 333, key_shape::random);
    check_even<std::uint64_t>(9, 333, key_shape::random, 8);
  });
}

TEST_CASE("The n-th key of each segment by offsets and by bounds", "[device]") {
  check_uneven<int>({5, 0, 1, 300, 2, 0}, 1);
  check_uneven<int>({}, 1);
  check_uneven<float>({9000, 3, 0, 17000, 260}, 250, key_shape::falling);
  check_uneven<int>(std::vector<std::int64_t>(400, 3), 2, key_shape::few);
}

TEST_CASE("The n-th key of rows in each step of the search", "[device][tsan]") {
  for (auto shape : {key_shape::random, key_shape::few}) {
    check_steps<counted_top_k>(2, 100, 9, shape);
    check_steps<counted_top_k>(2, 600, 300, shape);
    check_steps<sampled_top_k>(1, 2000, 7, shape);
  }
  const test::small_gpu gpu(1);  // of which a block takes several
  check_steps<sampled_top_k>(35, 600, 5, key_shape::random);
}

TEST_CASE("The n-th key of rows without a workspace, of a computed input and into an iterator", "[device]") {
  constexpr std::int64_t rows = 40, length = 70;
  test::device_array<std::int64_t> out(rows);
  const auto twice = gpuprim::transform_to(out.data(), doubled{});
  CUDA_OK(gpuprim::segmented_nth_element(gpuprim::positions<std::int64_t>{}, gpuprim::fixed_length{length}, rows,
                                         gpuprim::positions<std::int64_t>{}, twice, largest));
  const auto got = out.download();
  for (std::int64_t i = 0; i < rows; ++i) CHECK(got[std::size_t(i)] == 2 * ((i + 1) * length - 1 - i));
}

TEST_CASE("Numbers that are none, infinities and zeros of both signs in rows", "[device]") {
  const float infinite = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> keys{0.0f, none, -infinite, -0.0f, infinite, -none, 1.0f, -1.0f};
  std::vector<float> sorted = keys;
  test::sort_by_sign(sorted, smallest);
  const std::vector<int> places{0, 1, 2, 3, 4, 5, 6, 7};
  const test::device_array<float> in(keys);
  const test::device_array<int> nth(places);
  test::device_array<float> out(8);
  CUDA_OK(gpuprim::segmented_nth_element(
      in.data(), gpuprim::segment_bounds{gpuprim::constant_values<int>(0), gpuprim::constant_values<int>(8), 8}, 8,
      nth.data(), out.data()));
  CHECK(test::are_same_bits(out.download(), sorted));
}

TEST_CASE("The medians of rows in a graph that is launched again", "[device]") {
  constexpr std::int64_t rows = 3, length = 9001;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  test::device_array<int> in(rows * length), out(rows);
  const gpuprim::fixed_length where{length};
  gpuprim::workspace workspace(gpuprim::segmented_nth_element_workspace_size<int>(where, rows));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CUDA_OK(gpuprim::segmented_nth_element(in.data(), where, rows, length / 2, out.data(), {stream, &workspace}));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (auto shape : {key_shape::random, key_shape::equal, key_shape::rising}) {
    const auto keys = test::make_keys<int>(rows * length, shape);
    in.upload(keys);
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    const auto got = out.download();
    for (std::int64_t i = 0; i < rows; ++i) {
      std::vector<int> row(keys.begin() + i * length, keys.begin() + (i + 1) * length);
      std::nth_element(row.begin(), row.begin() + length / 2, row.end());
      CHECK(got[std::size_t(i)] == row[length / 2]);
    }
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("The workspace of a segmented_nth_element is enough for every place", "[device]") {
  // What the launch would take for keys that are sampled and for those that are not.
  using launch = test::detail::top_k_launch<gpuprim::tuned_row_top_k_policy>;
  for (std::int64_t length = 1; length < std::int64_t{1} << 34; length += 1 + length / 3) {
    for (std::int64_t rows : {1, 3, 300, 5000}) {
      const auto size = gpuprim::segmented_nth_element_workspace_size<float>(gpuprim::fixed_length{length}, rows);
      for (std::int64_t k : {std::int64_t{1}, length / 100, length / 9, length / 2, length}) {
        const auto sample = launch::find_sample<std::uint32_t>(length, k);
        const std::int64_t teams = std::min(rows, launch::most_teams), room = launch::candidates(length, sample);
        const auto needed =
            launch::scratch_bytes<std::uint32_t, test::detail::top_k_places::ignored>(teams, 2, room, 0);
        CHECK(size.scratch_bytes >= needed);
      }
    }
  }
}

TEST_CASE("A segmented_nth_element refuses bad arguments and leaves its output alone", "[device]") {
  constexpr std::int64_t n = 2000;
  test::device_array<float> in(test::make_keys<float>(n, key_shape::random)), out(20);
  const test::device_array<int> nth(std::vector<int>(20, 3));
  const test::device_array<std::int64_t> offsets(std::vector<std::int64_t>(21, 0));
  float* const from = in.data();
  float* const to = out.data();
  float* const none = nullptr;
  const auto refuses = [](cudaError_t e, const char* fault) {
    CAPTURE(fault, gpuprim::last_fault());
    CHECK(e == cudaErrorInvalidValue);
    CHECK(std::string(gpuprim::last_fault()).find(fault) != std::string::npos);
  };
  const gpuprim::fixed_length rows{100};
  refuses(gpuprim::segmented_nth_element(from, rows, -1, 3, to), "the number of segments is negative");
  refuses(gpuprim::segmented_nth_element(from, gpuprim::fixed_length{-1}, 20, 3, to), "the length is negative");
  refuses(gpuprim::segmented_nth_element(from, rows, 20, -1, to), "nth is negative");
  refuses(gpuprim::segmented_nth_element(from, rows, 20, static_cast<const int*>(nullptr), to),
          "the places are a null pointer");
  refuses(gpuprim::segmented_nth_element(
              from, rows, 20, reinterpret_cast<const int*>(reinterpret_cast<const char*>(nth.data()) + 1), to),
          "the places are not aligned");
  refuses(gpuprim::segmented_nth_element(from, gpuprim::fixed_length{std::int64_t{1} << 62}, 2, 3, to), "too long");
  refuses(gpuprim::segmented_nth_element(from, gpuprim::segment_offsets{offsets.data(), std::int64_t{-5}}, 20,
                                         nth.data(), to),
          "the count is negative");
  refuses(gpuprim::segmented_nth_element(from, gpuprim::segment_offsets{offsets.data(), std::int64_t{-5}}, 20, 3, to),
          "the count is negative");
  refuses(gpuprim::segmented_nth_element(none, rows, 20, 3, to), "null pointer");
  refuses(gpuprim::segmented_nth_element(from, rows, 20, 3, none), "null pointer");
  refuses(gpuprim::segmented_nth_element(from, rows, 20, 3, from + 7), "overlaps");
  refuses(gpuprim::segmented_nth_element(from, rows, 20, 3, reinterpret_cast<float*>(reinterpret_cast<char*>(to) + 1)),
          "aligned");
  gpuprim::workspace empty;
  const gpuprim::fixed_length one_row{std::int64_t{1} << 20};
  refuses(gpuprim::segmented_nth_element(gpuprim::positions<int>{}, one_row, 1, 3, reinterpret_cast<int*>(to),
                                         {.workspace = &empty}),
          "workspace is too small");
  out.check_untouched();
  in.check_unchanged();
  CUDA_OK(gpuprim::segmented_nth_element(none, rows, 0, 3, none));
  CUDA_OK(gpuprim::segmented_nth_element(none, gpuprim::fixed_length{0}, 20, 0, to));
  CUDA_OK(gpuprim::segmented_nth_element(from, rows, 20, 100, to));
  out.check_untouched();
}

TEST_CASE("A dry run of a segmented_nth_element finds its workspace", "[device]") {
  const gpuprim::fixed_length where{std::int64_t{1} << 20};
  test::device_array<int> out(1);
  gpuprim::workspace_size size;
  CUDA_OK(gpuprim::segmented_nth_element(gpuprim::positions<int>{}, where, 1, 3, out.data(), {.measured = &size}));
  out.check_untouched();
  const auto most = gpuprim::segmented_nth_element_workspace_size<int>(where, 1);
  CHECK((size.zeroed_bytes > 0 && most.zeroed_bytes >= size.zeroed_bytes));
  CHECK(most.scratch_bytes >= size.scratch_bytes);
}
