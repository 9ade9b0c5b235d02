// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What looks at neighbours: shifts, differences, heads and tails of runs; and runs that a block decodes.
#include <gpuprim/block/block_discontinuity.cuh>
#include <gpuprim/block/block_run_length_decode.cuh>

#include "../support/scan_check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// What shift_block writes, in this order: a value a thread, but of the arrays all.
enum form { up, down, rotated, rotated_back, left_up, left_down, forms };

/// Every shift, one after the other: a missing barrier mixes two.
template <int BlockSize, int Items, class T>
__global__ void shift_block(const T* in, const T outer, int distance, T* out, T* arrays) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank());
  const auto put = [&](form which, const T& value) { out[which * BlockSize + rank] = value; };
  put(up, gpuprim::block_shift_up<BlockSize>(block, in[rank], outer));
  put(down, gpuprim::block_shift_down<BlockSize>(block, in[rank], outer));
  put(rotated, gpuprim::block_rotate<BlockSize>(block, in[rank], distance));
  put(rotated_back, gpuprim::block_rotate<BlockSize>(block, in[rank], -distance));
  gpuprim::uninitialized_array<T, Items> ups, downs;
  for (int i = 0; i < Items; ++i) ups[i] = downs[i] = in[rank * Items + i];
  put(left_up, gpuprim::block_shift_up<BlockSize>(block, ups.items, outer));
  put(left_down, gpuprim::block_shift_down<BlockSize>(block, downs.items, outer));
  put(down, gpuprim::block_shift_down<BlockSize>(block, in[rank], outer));
  for (int i = 0; i < Items; ++i) {
    arrays[rank * Items + i] = ups[i];
    arrays[(BlockSize + rank) * Items + i] = downs[i];
  }
}

template <int BlockSize, int Items, class T>
void check_shifts(dim3 shape = BlockSize) {
  CAPTURE(BlockSize, Items, sizeof(T));
  constexpr int n = BlockSize * Items;
  const auto values = test::make_values<T>(n);
  const T outer = test::make_start<T>(0);
  for (int distance : {0, BlockSize / 3, BlockSize - 1}) {
    test::device_array<T> input(values), output(std::size_t(forms * BlockSize)), arrays(2 * values.size());
    test::run(shift_block<BlockSize, Items, T>, 1, shape, 0, input.data(), outer, distance, output.data(),
              arrays.data());
    const auto got = output.download(), got_arrays = arrays.download();
    int wrong = 0;
    const auto compare = [&](const T& mine, int from, int count) {
      wrong += !(mine == (from < 0 || from >= count ? outer : values[std::size_t(from)]));
    };
    for (int rank = 0; rank < BlockSize; ++rank) {
      const auto mine = [&](form which) { return got[std::size_t(which * BlockSize + rank)]; };
      compare(mine(up), rank - 1, BlockSize);
      compare(mine(down), rank + 1, BlockSize);
      compare(mine(rotated), (rank + distance) % BlockSize, BlockSize);
      compare(mine(rotated_back), (rank + BlockSize - distance) % BlockSize, BlockSize);
      compare(mine(left_up), n - 1, n);
      compare(mine(left_down), 0, n);
    }
    for (int i = 0; i < n; ++i) {
      compare(got_arrays[std::size_t(i)], i - 1, n);
      compare(got_arrays[std::size_t(n + i)], i + 1, n);
    }
    CHECK(wrong == 0);
    input.check_unchanged();
    output.check_guards();
    arrays.check_guards();
  }
}

/// Which of two operands comes first must be seen, and what nobody may write.
struct tell_apart {
  __device__ int operator()(int value, int other) const { return 1000 * value - other; }
};
constexpr int untouched = -77, outer_value = 31;

enum difference { left, left_from, right, right_to, in_place, differences };

template <int BlockSize, int Items>
__global__ void find_differences(const int* in, int valid, int* out) {
  const auto block = cg::this_thread_block();
  const int first = int(block.thread_rank()) * Items;
  const tell_apart op;
  int values[Items], results[Items];
  for (int i = 0; i < Items; ++i) values[i] = in[first + i];
  const auto begin = [&] {
    for (int& result : results) result = untouched;
  };
  const auto put = [&](difference which) {
    for (int i = 0; i < Items; ++i) out[which * BlockSize * Items + first + i] = results[i];
  };
  const bool is_whole = valid >= BlockSize * Items;
  begin();
  if (is_whole) gpuprim::block_adjacent_difference<BlockSize>(block, values, results, op);
  else gpuprim::block_adjacent_difference<BlockSize>(block, values, results, op, {}, valid);
  put(left);
  begin();
  if (is_whole) gpuprim::block_adjacent_difference<BlockSize>(block, values, results, op, outer_value);
  else gpuprim::block_adjacent_difference<BlockSize>(block, values, results, op, outer_value, valid);
  put(left_from);
  begin();
  if (is_whole) gpuprim::block_adjacent_difference_right<BlockSize>(block, values, results, op);
  else gpuprim::block_adjacent_difference_right<BlockSize>(block, values, results, op, {}, valid);
  put(right);
  begin();
  if (is_whole) gpuprim::block_adjacent_difference_right<BlockSize>(block, values, results, op, outer_value);
  else gpuprim::block_adjacent_difference_right<BlockSize>(block, values, results, op, outer_value, valid);
  put(right_to);
  gpuprim::block_adjacent_difference<BlockSize>(block, values, values, op);
  for (int i = 0; i < Items; ++i) results[i] = values[i];
  put(in_place);
}

template <int BlockSize, int Items>
void check_differences() {
  constexpr int n = BlockSize * Items;
  const auto values = test::make_values<short>(n);
  const std::vector<int> in(values.begin(), values.end());
  for (int valid : {0, 1, n / 2, n / 2 + 1, n - 1, n, 2 * n}) {
    CAPTURE(BlockSize, Items, valid);
    test::device_array<int> input(in), output(std::size_t(differences * n));
    test::run(find_differences<BlockSize, Items>, 1, BlockSize, 0, input.data(), valid, output.data());
    const auto got = output.download();
    const int count = valid < n ? valid : n;
    const auto value = [&](int i) { return in[std::size_t(i)]; };
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      const auto compare = [&](difference which, bool is_there, int want) {
        wrong += got[std::size_t(which * n + i)] != (is_there ? want : untouched);
      };
      const auto differ = [&](int other) { return 1000 * value(i) - other; };
      const bool is_there = i < count, is_last = i == count - 1;
      compare(left, is_there, i > 0 ? differ(value(i - 1)) : value(0));
      compare(left_from, is_there, differ(i > 0 ? value(i - 1) : outer_value));
      if (is_there) {
        compare(right, true, is_last ? value(i) : differ(value(i + 1)));
        compare(right_to, true, differ(is_last ? outer_value : value(i + 1)));
      } else {
        compare(right, false, 0);
        compare(right_to, false, 0);
      }
      compare(in_place, true, i > 0 ? differ(value(i - 1)) : value(0));
    }
    CHECK(wrong == 0);
    input.check_unchanged();
    output.check_guards();
  }
}

struct differ_in_tens {  // and must get the earlier value first
  __device__ bool operator()(int earlier, int value) const { return earlier <= value && earlier / 10 != value / 10; }
};

enum flags_of {
  heads,
  heads_from,
  tails,
  tails_to,
  both_heads,
  both_tails,
  both_heads_from,
  both_tails_to,
  flag_forms
};

template <int BlockSize, int Items>
__global__ void flag_runs(const int* in, int before, int behind, signed char* out) {
  const auto block = cg::this_thread_block();
  const int first = int(block.thread_rank()) * Items;
  int values[Items];
  signed char flags[Items], more[Items];
  for (int i = 0; i < Items; ++i) values[i] = in[first + i];
  const auto put = [&](flags_of which, const signed char (&given)[Items]) {
    for (int i = 0; i < Items; ++i) out[which * BlockSize * Items + first + i] = given[i];
  };
  const differ_in_tens differ;
  gpuprim::block_flag_heads<BlockSize>(block, values, flags, differ);
  put(heads, flags);
  gpuprim::block_flag_heads<BlockSize>(block, values, flags, differ, before);
  put(heads_from, flags);
  gpuprim::block_flag_tails<BlockSize>(block, values, flags, differ);
  put(tails, flags);
  gpuprim::block_flag_tails<BlockSize>(block, values, flags, differ, behind);
  put(tails_to, flags);
  gpuprim::block_flag_heads_and_tails<BlockSize>(block, values, flags, more, differ);
  put(both_heads, flags);
  put(both_tails, more);
  gpuprim::block_flag_heads_and_tails<BlockSize>(block, values, flags, more, differ, before, behind);
  put(both_heads_from, flags);
  put(both_tails_to, more);
}

template <int BlockSize, int Items>
void check_flags() {
  constexpr int n = BlockSize * Items;
  std::vector<int> in;
  for (int i = 0, value = 0; i < n; ++i) in.push_back(value += int(test::scramble(std::uint64_t(i)) % 5));
  for (bool joins : {false, true}) {
    CAPTURE(BlockSize, Items, joins);
    const int before = joins ? in.front() : in.front() - 20, behind = joins ? in.back() : in.back() + 10;
    test::device_array<int> input(in);
    test::device_array<signed char> output(std::size_t(flag_forms * n));
    test::run(flag_runs<BlockSize, Items>, 1, BlockSize, 0, input.data(), before, behind, output.data());
    const auto got = output.download();
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      const auto differ = [&](int at) { return in[std::size_t(at - 1)] / 10 != in[std::size_t(at)] / 10; };
      const bool head = i == 0 || differ(i), tail = i == n - 1 || differ(i + 1);
      const bool head_from = i == 0 ? !joins : head, tail_to = i == n - 1 ? !joins : tail;
      const bool want[] = {head, head_from, tail, tail_to, head, tail, head_from, tail_to};
      for (int which = 0; which < flag_forms; ++which) wrong += got[std::size_t(which * n + i)] != want[which];
    }
    CHECK(wrong == 0);
    input.check_unchanged();
    output.check_guards();
  }
}

/// Decodes the runs twice; the second call goes back to their lengths by the offsets.
template <int BlockSize, int Items, int Runs, class T, class Length>
__global__ void decode(const T* in, const Length* in_lengths, T* out, int* offsets, int* lasts, int* total) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank());
  gpuprim::uninitialized_array<T, Runs> values;
  Length lengths[Runs];
  for (int i = 0; i < Runs; ++i) {
    values[i] = in[rank * Runs + i];
    lengths[i] = in_lengths[rank * Runs + i];
  }
  const auto sum = gpuprim::block_run_length_decode<BlockSize, Items>(block, values.items, lengths, [&](auto& items) {
    for (int i = 0; i < items.count; ++i) out[int(items.first) + i] = items.values[i];
  });
  gpuprim::block_run_length_decode<BlockSize, Items>(block, values.items, lengths, [&](auto& items) {
    block.sync();  // it may meet
    for (int i = 0; i < items.count; ++i) {
      offsets[int(items.first) + i] = int(items.offsets[i]);
      if (i == items.count - 1 && int(items.first) + i == int(sum) - 1) *lasts = int(items.offsets[i]);
    }
  });
  if (rank == 0) *total = int(sum);
}

template <int BlockSize, int Items, int Runs, class T, class Length = int>
void check_decode(int longest, int rest = 0) {
  CAPTURE(BlockSize, Items, Runs, longest, rest);
  constexpr int runs = BlockSize * Runs;
  const auto values = test::make_values<T>(runs);
  std::vector<Length> lengths;
  std::vector<T> decoded;
  std::vector<int> offsets;
  for (int i = 0; i < runs; ++i) {
    // Some have no item; so have the last ones, if there is to be a rest.
    const auto drawn = int(test::scramble(std::uint64_t(i)) % unsigned(longest + 1));
    lengths.push_back(Length(i >= runs - rest ? 0 : drawn));
    for (int k = 0; k < int(lengths.back()); ++k) {
      decoded.push_back(values[std::size_t(i)]);
      offsets.push_back(k);
    }
  }
  test::device_array<T> input(values), output(decoded.size());
  test::device_array<Length> in_lengths(lengths);
  test::device_array<int> got_offsets(offsets.size()), last(std::vector<int>{-1}), total(1);
  test::run(decode<BlockSize, Items, Runs, T, Length>, 1, BlockSize, 0, input.data(), in_lengths.data(), output.data(),
            got_offsets.data(), last.data(), total.data());
  CHECK(total.download()[0] == int(decoded.size()));
  CHECK(test::count_wrong(output.download(), 0, decoded, int(decoded.size())) == 0);
  CHECK(test::count_wrong(got_offsets.download(), 0, offsets, int(offsets.size())) == 0);
  CHECK(last.download()[0] == (offsets.empty() ? -1 : offsets.back()));
  output.check_guards();
  got_offsets.check_guards();
}

}  // namespace

TEST_CASE("shifts and rotations of a block", "[block][sanitizer]") {
  check_shifts<32, 1, int>();
  check_shifts<64, 3, int>();
  check_shifts<256, 4, float>();
  check_shifts<1, 2, int>();
  check_shifts<7, 1, short>();
  check_shifts<100, 5, test::point3>(dim3(5, 4, 5));
  check_shifts<96, 2, test::matrix2>();
  check_shifts<64, 2, test::span_of_positions>();
  check_shifts<64, 2, unsigned char>();
  check_shifts<1024, 1, double>();
}

TEST_CASE("differences of neighbours in a block", "[block][sanitizer]") {
  check_differences<64, 1>();
  check_differences<96, 3>();
  check_differences<128, 8>();
  check_differences<33, 2>();
}

TEST_CASE("heads and tails of the runs of a block", "[block][sanitizer]") {
  check_flags<64, 1>();
  check_flags<96, 3>();
  check_flags<256, 4>();
  check_flags<33, 2>();
}

TEST_CASE("runs that a block decodes", "[block][sanitizer]") {
  check_decode<64, 4, 1, int>(6);
  check_decode<64, 4, 1, int>(0);
  check_decode<64, 4, 1, int>(100, 63);
  check_decode<96, 3, 2, test::point3>(1);
  check_decode<128, 8, 4, unsigned char, unsigned char>(9, 77);
  check_decode<32, 5, 3, double, unsigned>(40);
  check_decode<33, 2, 2, test::span_of_positions, std::int64_t>(5, 1);
  check_decode<1, 3, 1, short>(20);
  check_decode<256, 1, 1, float, short>(300);
}

TEST_CASE("neighbours and runs of a small block", "[block][tsan]") {
  check_shifts<64, 3, int>();
  check_differences<64, 2>();
  check_flags<64, 2>();
  check_decode<64, 2, 2, int>(5);
  check_decode<64, 1, 1, int>(2);
}
