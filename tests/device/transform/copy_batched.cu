// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// copy_batched against a sequential loop: ranges of all sizes, at all alignments, of pointers, bytes and iterators.
#include "../../support/family_check.cuh"
#include "../../support/types.cuh"

#include <gpuprim/transform.cuh>

namespace {

/// Ranges that lie apart in the outputs, and anywhere in the inputs.
template <class T>
struct batch {
  std::vector<std::int64_t> from, to;
  std::vector<int> sizes;
  std::vector<T> source, wanted;

  /// `gap(i)`: elements between range i of the output and the one before.
  template <class Gap>
  batch(const std::vector<int>& range_sizes, const Gap& gap) : sizes(range_sizes) {
    std::int64_t end = 0;
    int longest = 0;
    for (int size : sizes) longest = std::max(longest, size);
    source = test::make_values<T>(longest + 100);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      from.push_back(std::int64_t(i * 7 % 100));
      to.push_back(end + gap(i));
      end = to.back() + std::max(sizes[i], 0);
    }
    wanted.assign(std::size_t(end), T{});
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (int k = 0; k < sizes[i]; ++k) {
        wanted[std::size_t(to[i] + k)] = source[std::size_t(from[i] + k)];
      }
    }
  }
};

/// Void: the ranges are said to be bytes.
template <class T, class Pointee = T, class Gap>
void check(const std::vector<int>& sizes, const Gap& gap, std::size_t misaligned_in = 0,
           std::size_t misaligned_out = 0) {
  const batch<T> ranges(sizes, gap);
  const auto count = std::int64_t(sizes.size());
  CAPTURE(sizeof(T), count, ranges.wanted.size(), misaligned_in, misaligned_out);
  const test::device_array<T> in(ranges.source, misaligned_in);
  test::device_array<T> out(std::vector<T>(ranges.wanted.size()), misaligned_out);
  std::vector<const Pointee*> inputs;
  std::vector<Pointee*> outputs;
  std::vector<int> lengths;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    inputs.push_back(in.data() + ranges.from[i]);
    outputs.push_back(out.data() + ranges.to[i]);
    lengths.push_back(std::is_void_v<Pointee> ? sizes[i] * int(sizeof(T)) : sizes[i]);
  }
  const test::device_array<const Pointee*> from(inputs);
  const test::device_array<Pointee*> to(outputs);
  const test::device_array<int> of_size(lengths);
  gpuprim::workspace ws(gpuprim::copy_batched_workspace_size(count));
  for (gpuprim::workspace* memory : {&ws, static_cast<gpuprim::workspace*>(nullptr)}) {
    out.upload(std::vector<T>(ranges.wanted.size()));
    CUDA_OK(gpuprim::copy_batched(from.data(), to.data(), of_size.data(), count, {.workspace = memory}));
    CHECK(bool(out.download() == ranges.wanted));
  }
  out.check_guards();
  in.check_unchanged();
}

std::vector<int> many_sizes(int count, int most) {
  std::vector<int> sizes;
  for (int i = 0; i < count; ++i) sizes.push_back(int(test::scramble(std::uint64_t(i)) % std::uint64_t(most)));
  return sizes;
}
std::int64_t side_by_side(std::size_t) { return 0; }
std::int64_t apart(std::size_t i) { return std::int64_t(i * 5 % 19); }

/// An iterator to pointers that are computed.
struct rows_of_ten {
  using value_type = int*;
  using reference = int*;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  int* base;
  GPUPRIM_HOST_DEVICE int* operator[](std::int64_t i) const { return base + i * 10; }
};
/// An iterator to iterators: each range holds its positions.
struct rows_of_positions {
  using value_type = gpuprim::positions<short>;
  using reference = value_type;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  GPUPRIM_HOST_DEVICE value_type operator[](std::int64_t) const { return {}; }
};

}  // namespace

TEST_CASE("copy_batched of ranges of every size", "[device][sanitizer]") {
  check<int>({0}, side_by_side);
  check<int>({1}, side_by_side);
  check<int>({-5, 3, 0, -1}, side_by_side);
  check<int>({0, 0, 5, 0, 1, 0, 0}, apart);
  check<int>({30000}, side_by_side);
  check<int>({1, 20000, 1, 0, 3, 9000, 2}, apart);
}

// No case for compute-sanitizer: initcheck takes what the scan of so many sizes writes for unwritten, likely because
// the scan writes it by bulk copies.
TEST_CASE("copy_batched of many ranges", "[device]") {
  check<int>(many_sizes(3000, 8), side_by_side);
  check<int>(many_sizes(300, 300), apart);
  std::vector<int> mostly_empty(5000, 0);
  for (std::size_t i = 0; i < mostly_empty.size(); i += 617) mostly_empty[i] = int(i % 41);
  check<int>(mostly_empty, apart);
}

TEST_CASE("copy_batched of every type and alignment", "[device]") {
  for (std::size_t in : {0, 1, 7, 15}) {
    for (std::size_t out : {0, 1, 8, 13}) {
      check<unsigned char>({70, 1, 15, 16, 17, 31, 32, 33, 1000}, apart, in, out);
      check<unsigned char, void>({70, 1, 15, 16, 17, 31, 32, 33, 1000}, apart, in, out);
    }
  }
  check<short>(many_sizes(200, 70), apart, 2, 4);
  check<std::int64_t>(many_sizes(200, 70), apart, 8, 0);
  check<test::point3>(many_sizes(200, 70), apart, 4, 8);
  check<test::point3, void>(many_sizes(200, 70), apart, 4, 8);
}

TEST_CASE("copy_batched of iterators, and of as many ranges as a number in device memory says", "[device]") {
  const test::device_array<int> sizes(std::vector<int>{3, 10, 0, 1, 7}), number(std::vector<int>{4});
  test::device_array<int> out(std::vector<int>(50, -1));
  CUDA_OK(gpuprim::copy_batched(rows_of_positions{}, rows_of_ten{out.data()}, sizes.data(), {number.data(), 5}));
  const auto got = out.download(), told = sizes.download();
  for (int i = 0; i < 50; ++i) {
    CHECK(got[std::size_t(i)] == (i % 10 < told[std::size_t(i / 10)] && i < 40 ? i % 10 : -1));
  }
}

TEST_CASE("copy_batched refuses what it cannot read, and is measured", "[device]") {
  test::device_array<int> out(10);
  const test::device_array<int*> ranges(std::vector<int*>{out.data()});
  const test::device_array<int> sizes(std::vector<int>{10});
  int* const* const nothing = nullptr;
  const int* const no_sizes = nullptr;
  const auto invalid = cudaErrorInvalidValue;
  CHECK(gpuprim::copy_batched(nothing, ranges.data(), sizes.data(), 1) == invalid);
  CHECK(gpuprim::copy_batched(ranges.data(), nothing, sizes.data(), 1) == invalid);
  CHECK(gpuprim::copy_batched(ranges.data(), ranges.data(), no_sizes, 1) == invalid);
  CHECK(gpuprim::copy_batched(ranges.data(), ranges.data(), sizes.data(), -1) == invalid);
  CHECK(gpuprim::last_fault() == std::string("the count is negative"));
  CUDA_OK(gpuprim::copy_batched(nothing, nothing, no_sizes, 0));
  gpuprim::workspace_size size;
  gpuprim::launch_plan plan{};
  CUDA_OK(gpuprim::copy_batched(ranges.data(), ranges.data(), sizes.data(), 1, {.measured = &size}));
  CUDA_OK(gpuprim::copy_batched(ranges.data(), ranges.data(), sizes.data(), 1, {.described = &plan}));
  CHECK(size.scratch_bytes == 8);
  CHECK(size.zeroed_bytes <= gpuprim::copy_batched_workspace_size(1).zeroed_bytes);
  CHECK(plan.block_size == gpuprim::tuned_batch_policy.block_size);
  out.check_untouched();
}

TEST_CASE("copy_batched in a graph", "[device][tsan][few_schedules]") {
  const test::device_array<int> in(std::vector<int>(900, 7));
  test::device_array<int> out(900);
  const test::device_array<int*> from(std::vector<int*>{in.data(), in.data() + 600});
  const test::device_array<int*> to(std::vector<int*>{out.data(), out.data() + 600});
  const test::device_array<int> sizes(std::vector<int>{600, 300});
  test::run_in_graph([&](cudaStream_t stream) {
    return gpuprim::copy_batched(from.data(), to.data(), sizes.data(), 2, {.stream = stream});
  });
  CHECK(out.download() == std::vector<int>(900, 7));
}
