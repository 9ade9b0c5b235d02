// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kernel of the sorts in a few small blocks, for ThreadSanitizer.
#include "../../support/bucket_sort_check.cuh"
#include "../../support/counting_sort_check.cuh"
#include "../../support/schedules.cuh"
#include "../../support/segmented_sort_check.cuh"
#include "../../support/small_gpu.cuh"

TEST_CASE("A radix sort in a cluster", "[device][tsan]") {
  test::check_sort<test::sort_in_clusters, unsigned short>(700, test::key_kind::random);
  test::check_sort<test::sort_in_clusters, unsigned short>(600, test::key_kind::random, {.is_in_place = true});
}

TEST_CASE("A radix sort in passes over memory", "[device][tsan]") {
  test::check_sort<test::sort_in_memory, unsigned short>(2600, test::key_kind::few_distinct);  // two parts
}

namespace {

using whole_digits = gpuprim::detail::whole_digits<unsigned, gpuprim::sort_direction::ascending>;

/// Two passes by buckets with few blocks: more buckets than a block has threads, and tiles and tasks of several keys a
/// thread.
constexpr auto sort_in_few_blocks = [] {
  auto policy = test::sort_few_in_two_passes;
  policy.even_keys = 4000;
  policy.uneven_keys = 7;
  policy.pass_bytes = 32;
  policy.end_bytes = 12;
  return policy;
}();
constexpr auto sort_with_large_sample = [] {
  auto policy = test::sort_few_in_one_pass;
  policy.one_look_keys = 0;
  return policy;
}();

}  // namespace

TEST_CASE("A sort of keys by buckets", "[device][tsan]") {
  // Heaps far apart, three of them of two words that no block holds, and before each some other keys. Two blocks count.
  std::vector<unsigned> keys{0};
  std::mt19937 random(1);
  for (unsigned heap = 0; heap < 7; ++heap) {
    const unsigned size = heap == 0 || heap == 3 || heap == 4 ? 1560 : 620, begin = heap << 28;
    for (unsigned i = 0; i < 150; ++i) keys.push_back(begin + (random() >> 5));
    for (unsigned i = 0; i < size; ++i) keys.push_back(begin + (1u << 27) + random() % 2);
  }
  std::shuffle(keys.begin(), keys.end(), random);
  const auto found = test::check_bucket_sort<sort_in_few_blocks, whole_digits, gpuprim::detail::no_values>(keys, false);
  CHECK(found.tasks == 15);  // of nine blocks: one sorts two of those heaps, and another one of them last
}

TEST_CASE("A sort by buckets of keys that are equal, or all but a few", "[device][tsan]") {
  std::vector<unsigned> keys(300, 7);
  test::check_bucket_sort<sort_with_large_sample, whole_digits, gpuprim::detail::no_values>(keys, false);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i == 100 ? ~0u : unsigned(i);
  test::check_bucket_sort<sort_with_large_sample, whole_digits, gpuprim::detail::no_values>(keys, false);
}

TEST_CASE("A sort of pairs by buckets, of which one is large", "[device][tsan]") {
  using digits = gpuprim::detail::all_digits<unsigned, gpuprim::sort_direction::descending>;
  std::vector<unsigned> keys = test::make_spread<unsigned>(4200, test::spread::evenly);
  for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] = 1000 + unsigned(i % 3);
  const auto found = test::check_bucket_sort<test::sort_few_in_one_pass, digits, int>(keys, true);
  CHECK(found.large == 1);
}

TEST_CASE("A sort by counting", "[device][tsan]") {
  using digits = gpuprim::detail::whole_digits<unsigned char, gpuprim::sort_direction::ascending>;
  constexpr int n = (1 << 16) + 3;  // so that two blocks count
  test::check_counting<digits>(test::make_keys<unsigned char>(n, test::key_kind::few_distinct), 1, false);
}

TEST_CASE("A sort of segments of every class", "[device][tsan]") {
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>({3, 700, 8, 0, 15, 30, 60, 100, 200, 5, 600},
                                                                       test::key_kind::few_distinct);
}

TEST_CASE("A sort of segments of every class in place", "[device][tsan]") {
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>({3, 8, 4, 15, 30, 60, 100, 200, 600},
                                                                       test::key_kind::random, {.is_in_place = true});
  // Of so few digits that a block sorts them by one.
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>({100}, test::key_kind::few_distinct,
                                                                       {.is_in_place = true});
  // Zeros of both signs, which lanes write where others have read.
  test::check_segmented_sort<test::sort_tiny_segments, float>({3, 8, 15, 30, 40}, test::key_kind::extreme,
                                                              {.is_in_place = true});
}

TEST_CASE("A sort of more segments than all blocks look at together", "[device][tsan]") {
  const test::small_gpu gpu(1);
  std::vector<int> lengths(2200, 1);
  for (std::size_t i = 0; i < lengths.size(); i += 7) lengths[i] = 2 + int(i % 5);
  test::check_segmented_sort<test::sort_tiny_segments, unsigned short>(lengths, test::key_kind::random);
}

TEST_CASE("A sort of more long rows than there are blocks", "[device][tsan]") {
  const test::small_gpu gpu(1);
  constexpr int length = 193, rows = 33, n = rows * length;
  const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
  const auto digits = gpuprim::detail::digits_of<unsigned>(gpuprim::ascending);
  using sorter = gpuprim::detail::segmented_sorter<test::sort_tiny_segments, std::remove_const_t<decltype(digits)>,
                                                   unsigned, gpuprim::detail::no_values>;
  test::device_array<unsigned> in(keys), out(n);
  gpuprim::workspace workspace(sorter::find_workspace_size(n, rows));
  const auto done = gpuprim::detail::run_segmented_sort(
      sorter{digits, n, 0, 32}, gpuprim::detail::fixed_segments{length, rows}, static_cast<const unsigned*>(in.data()),
      gpuprim::detail::no_values{}, {out.data(), nullptr}, {.workspace = &workspace});
  REQUIRE(done.code == cudaSuccess);
  auto want = keys;
  for (int row = 0; row < rows; ++row) std::sort(want.begin() + row * length, want.begin() + (row + 1) * length);
  CHECK(out.download() == want);
  out.check_guards();
}

namespace {

/// What a sort of long segments needs, for at most so many segments of n keys.
template <class Sorter>
struct long_memory {
  gpuprim::workspace_size size;
  test::device_array<char> zeroed, scratch;
  gpuprim::detail::segmented_sort_state state{};

  long_memory(std::int64_t n, std::int64_t segments)
      : size(Sorter::find_rows_size(n, segments)),
        zeroed(std::vector<char>(std::size_t(size.zeroed_bytes), 0)),
        scratch(std::size_t(size.scratch_bytes)) {
    gpuprim::detail::memory_parts parts{scratch.data()};
    Sorter::lay_out_zeroed(zeroed.data(), state);
    Sorter::lay_out_lists(parts, n, segments, state);
  }
};

void check_one_digit(int n) {
  using gpuprim::detail::no_values;
  using sorter = gpuprim::detail::long_segment_sorter<test::sort_tiny_segments, whole_digits, unsigned, no_values>;
  std::vector<unsigned> keys(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) keys[std::size_t(i)] = 0x12345037u | unsigned(i * 7 % 64) << 6;
  test::device_array<unsigned> in(keys), out(keys.size()), other(keys.size());
  const long_memory<sorter> memory(n, 1);
  const sorter sort{{}, 0, 32};
  const sorter::buffers to{out.data(), nullptr}, by{other.data(), nullptr};
  const unsigned* const from = in.data();
  const int passes = sort.count_passes(from, no_values{}, to);
  REQUIRE_FALSE(sorter::note_rows({n, 1}, memory.state, passes, {}).failed());
  const gpuprim::detail::sort_arrays<whole_digits, const unsigned*, no_values, unsigned, no_values> all{
      {}, from, {}, out.data(), nullptr, 0, n};
  REQUIRE_FALSE(sort.run<std::uint32_t>(all, memory.state, to, by, passes, {}).failed());
  std::sort(keys.begin(), keys.end());
  CHECK(out.download() == keys);
  other.check_untouched();
}

using note_digits = gpuprim::detail::all_digits<unsigned, gpuprim::sort_direction::ascending>;
using note_sorter = gpuprim::detail::long_segment_sorter<test::sort_tiny_segments, note_digits, unsigned, int>;
using note_arrays = gpuprim::detail::sort_arrays<note_digits, const unsigned*, const int*, unsigned, int>;
using note_shape = gpuprim::detail::sort_shape<256, 4, 8>;

/// A block that ends buckets, of which it notes the large ones.
template <class Shape, class Arrays, class Sorter>
cudaError_t end_buckets(const gpuprim::detail::bucket_state<typename Arrays::digits_type>& state,
                        const typename Sorter::state_type& noted) {
  constexpr auto kernel =
      &gpuprim::detail::bucket_end_kernel<Shape, 0, 1, Arrays, typename Sorter::shape, typename Sorter::state_type>;
  const gpuprim::launch_shape one{.grid_size = 1,
                                  .block_size = Shape::block_size,
                                  .dynamic_shared_bytes = sizeof(gpuprim::detail::sort_block_shared<Shape, Arrays>)};
  return gpuprim::launch(gpuprim::start::in_order, kernel, one, nullptr, Arrays{}, state, noted, 4);
}

}  // namespace

TEST_CASE("Keys of a long segment that differ in one digit are moved once", "[device][tsan]") { check_one_digit(900); }

#if defined(SIMT_DEVICE)
TEST_CASE("They are moved once under many schedules", "[device][not_asan]") {
  test::under_many_schedules([](unsigned) { check_one_digit(300); });
}
#endif

TEST_CASE("A block notes several large buckets", "[device][tsan]") {
  const long_memory<note_sorter> memory(4000, 3);
  const test::device_array<unsigned> counts(std::vector<unsigned>{0, 3});
  const test::device_array<gpuprim::detail::segment_span> large(
      std::vector<gpuprim::detail::segment_span>{{0, 200}, {300, 700}, {2000, 1500}});
  gpuprim::detail::bucket_state<note_digits> state{};
  state.tasks_found = counts.data();
  state.large_found = counts.data() + 1;
  state.large = large.data();
  CUDA_OK((end_buckets<note_shape, note_arrays, note_sorter>(state, memory.state)));
  std::vector<gpuprim::detail::sort_task> tasks(10);
  CUDA_OK(cudaMemcpy(tasks.data(), memory.state.tasks, tasks.size() * sizeof(tasks[0]), cudaMemcpyDefault));
  std::vector<std::int64_t> begins;
  for (const auto& task : tasks) begins.push_back(task.begin + task.first);
  CHECK(begins == std::vector<std::int64_t>{0, 300, 534, 768, 2000, 2250, 2500, 2750, 3000, 3250});
}
