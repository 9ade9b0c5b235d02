// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts and positions past 2^40, which only iterators have: they are right, or refused with a sentence that says the
// limit.
#include <gpuprim/gpuprim.cuh>

#include "../support/device.cuh"

namespace {

/// Element i is i + first.
struct counting : gpuprim::detail::input_iterator_types<std::int64_t> {
  std::int64_t first = 0;

  GPUPRIM_HOST_DEVICE explicit counting(std::int64_t f = 0) : first(f) {}
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return first + i; }
};

struct is_large {
  GPUPRIM_HOST_DEVICE bool operator()(std::int64_t i) const { return i > (std::int64_t{1} << 40); }
};

struct nowhere_to_write {
  GPUPRIM_HOST_DEVICE const nowhere_to_write& operator[](std::int64_t) const { return *this; }
  template <class T>
  GPUPRIM_HOST_DEVICE void operator=(const T&) const {}
};

constexpr std::int64_t past = (std::int64_t{1} << 40) + 12345;

/// What a call that must be refused says.
std::string fault_of(cudaError_t e) {
  CHECK(e == cudaErrorInvalidValue);
  return gpuprim::last_fault();
}

}  // namespace

TEST_CASE("counts past 2^40 have a launch", "[device]") {
  test::device_array<std::int64_t> out(1);
  const gpuprim::plus<> plus;
  CHECK(gpuprim::reduce_plan(counting{}, past, out.data(), plus).grid_size > 0);
  const nowhere_to_write nowhere;
  CHECK(gpuprim::reduce_by_key_plan(counting{}, counting{}, past, nowhere, nowhere, out.data(), plus).grid_size > 0);
  CHECK(gpuprim::run_length_encode_plan(counting{}, past, nowhere, nowhere, out.data()).grid_size > 0);
  // Found at once, so that the rest is not read.
  CHECK(gpuprim::find_if_value(counting{(std::int64_t{1} << 40) - 2}, past, is_large{}) == 3);
  CHECK(gpuprim::any_of_value(counting{past}, past, is_large{}));
}

TEST_CASE("the largest counts that have a launch are whole tiles", "[device]") {
  const auto find_largest = [](const auto& plan) {
    const auto has_launch = [&](std::int64_t n) {
      try {
        return plan(n).grid_size > 0;
      } catch (const gpuprim::cuda_error&) {
        return false;
      }
    };
    std::int64_t largest = 1, refused = std::int64_t{1} << 60;
    while (refused - largest > 1) {
      const std::int64_t n = largest + (refused - largest) / 2;
      (has_launch(n) ? largest : refused) = n;
    }
    return largest;
  };
  test::device_array<std::int64_t> count(1);
  const nowhere_to_write nowhere;
  const gpuprim::plus<> plus;
  const auto of_scan = [&](std::int64_t n) {
    return gpuprim::exclusive_scan_plan(counting{}, n, nowhere, plus, std::int64_t{0});
  };
  const auto of_select = [&](std::int64_t n) {
    return gpuprim::select_if_plan(counting{}, n, nowhere, count.data(), is_large{});
  };
  const auto of_merge = [&](std::int64_t n) {
    return gpuprim::merge_plan(counting{}, n - n / 3, counting{}, n / 3, nowhere);
  };
  const auto of_runs = [&](std::int64_t n) {
    return gpuprim::run_length_encode_plan(counting{}, n, nowhere, nowhere, count.data());
  };
  constexpr std::int64_t most_tiles = std::int64_t{1} << 30, most_blocks = 0x7fffffff;
  CHECK(find_largest(of_scan) % most_tiles == 0);
  CHECK(find_largest(of_select) % (most_tiles - 1) == 0);  // one more tile may begin before the elements
  CHECK((find_largest(of_runs) + 1) % most_tiles == 0);    // what lies behind the last key has a tile too
  CHECK(find_largest(of_merge) % most_blocks == 0);
}

TEST_CASE("segments that lie past 2^40", "[device]") {
  const auto sum = [](std::int64_t from, std::int64_t to) { return (from + to - 1) * (to - from) / 2; };
  for (std::int64_t length : {3, 40, 9000}) {
    const std::vector<std::int64_t> offsets{past, past + length, past + 2 * length, past + 2 * length,
                                            past + 3 * length};
    test::device_array<std::int64_t> where(offsets), out(4), also_out(4);
    CUDA_OK(gpuprim::segmented_reduce(counting{}, where.data(), 4, out.data(), gpuprim::plus{}));
    const gpuprim::segment_bounds bounds{where.data(), where.data() + 1};
    CUDA_OK(gpuprim::segmented_reduce(counting{}, bounds, 4, also_out.data(), gpuprim::plus{}));
    std::vector<std::int64_t> want;
    for (std::size_t i = 0; i < 4; ++i) want.push_back(sum(offsets[i], offsets[i + 1]));
    CHECK(out.download() == want);
    CHECK(also_out.download() == want);
  }
}

TEST_CASE("counts that are too large are refused, and the limit is named", "[device]") {
  test::device_array<std::int64_t> out(1);
  const gpuprim::plus<> plus;
  const nowhere_to_write nowhere;
  const std::int64_t bytes_overflow = std::int64_t{1} << 60;
  const std::string of_bytes = "the count is too large: the input's size in bytes overflows 64 bits";
  CHECK(fault_of(gpuprim::reduce(counting{}, bytes_overflow, out.data(), plus)) == of_bytes);
  CHECK(fault_of(gpuprim::count_if(counting{}, bytes_overflow, out.data(), is_large{})) == of_bytes);
  CHECK(fault_of(gpuprim::reduce_by_key(counting{}, counting{}, bytes_overflow, nowhere, nowhere, out.data(), plus)) ==
        of_bytes);
  const std::string of_tiles = "the count is too large: more than 2^30 tiles";
  const std::int64_t tiles_overflow = std::int64_t{1} << 45;
  CHECK(fault_of(gpuprim::reduce_by_key(counting{}, counting{}, tiles_overflow, nowhere, nowhere, out.data(), plus)) ==
        of_tiles);
  CHECK(fault_of(gpuprim::run_length_encode(counting{}, tiles_overflow, nowhere, nowhere, out.data())) == of_tiles);
  CHECK(fault_of(gpuprim::segmented_reduce(counting{}, gpuprim::fixed_length{4}, past, nowhere, plus)) ==
        "the segments make 2^31 blocks or more");
  CHECK(fault_of(gpuprim::segmented_reduce(counting{}, gpuprim::fixed_length{past}, past, nowhere, plus)) ==
        "the segments are too long: their values overflow 64 bits");
  CHECK(fault_of(gpuprim::segmented_reduce(counting{}, gpuprim::fixed_length{0}, bytes_overflow, nowhere, plus)) ==
        "there are 2^58 segments or more");
  CHECK(fault_of(gpuprim::column_reduce(counting{}, 4, past, nowhere, plus)) == "the columns make 2^31 blocks or more");
  out.check_untouched();
}
