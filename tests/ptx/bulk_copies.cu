// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bulk copies do, in rounds to shared memory and out of it, with addresses, sizes and parities that are constants
// and with those that the compiler does not know.
#include <gpuprim/ptx/sm_90.cuh>

#include "../support/device.cuh"

#include <gpuprim/core/shared.cuh>

#include <cstdint>
#include <numeric>

namespace {

namespace ptx = gpuprim::ptx;

constexpr int threads = 64, row_words = 64, rounds = 3;
constexpr unsigned row_bytes = row_words * 4;

/// In each round a row comes in two parts, is read backwards by other threads, and leaves in two parts that change
/// places. The row of the next round comes to where the threads have read, and what they write next is not what leaves.
template <class Value>
__device__ void copy_rows(const unsigned* in, unsigned* out, unsigned* seen, const Value& of) {
  GPUPRIM_SHARED(come, uint4[row_words / 4]);
  GPUPRIM_SHARED(leave, uint4[row_words / 4]);
  GPUPRIM_SHARED(round, ptx::copy_round);
  auto* const words = reinterpret_cast<unsigned*>(come);
  auto* const leaving = reinterpret_cast<unsigned*>(leave);
  const int rank = int(threadIdx.x);
  if (rank == 0) ptx::begin_copy_rounds(&round);
  __syncthreads();
  const auto pass = [&](unsigned number) {
    const unsigned* const from = in + of(number) * row_words;
    if (rank == 0) {
      ptx::prefetch_to_l2(from);
      ptx::prefetch_row_to_l2(from, of(row_bytes));
      ptx::order_before_bulk_copies();
      ptx::copy_bulk(&come[of(0)], from, of(16), &round);
      ptx::copy_bulk(&come[of(1)], from + of(4), of(row_bytes - 16), &round);
      ptx::end_copy_round(&round);
    }
    ptx::wait_for_copy_round(&round, of(number % 2));
    __syncthreads();
    const unsigned value = words[row_words - 1 - rank];
    seen[of(number) * row_words + rank] = value;
    leaving[rank] = value + of(7);
    ptx::order_before_bulk_copies();
    __syncthreads();
    if (rank == 0) {
      unsigned* const to = out + of(number) * row_words;
      ptx::copy_bulk_out(to + of(4), &leave[of(0)], of(row_bytes - 16));
      ptx::copy_bulk_out(to, &leave[of(row_words / 4 - 1)], of(16));
      ptx::wait_for_bulk_reads();
    }
    __syncthreads();
    leaving[rank] = 0xdead;
  };
  pass(0);
  pass(1);
  pass(2);
  if (rank == 0) ptx::wait_for_copies_out();
}

__global__ void copy_all(const unsigned* in, unsigned* known_out, unsigned* hidden_out, unsigned* known_seen,
                         unsigned* hidden_seen, const unsigned* zero) {
  const unsigned unknown = *zero;
  copy_rows(in, known_out, known_seen, [](unsigned v) { return v; });
  copy_rows(in, hidden_out, hidden_seen, [=](unsigned v) { return v ^ unknown; });
}

}  // namespace

TEST_CASE("Bulk copies bring rows in rounds and take them out", "[ptx][tsan]") {
  constexpr std::size_t words = rounds * row_words;
  std::vector<unsigned> values(words), seen(words), left(words);
  std::iota(values.begin(), values.end(), 1000u);
  for (std::size_t i = 0; i < words; ++i) {
    const std::size_t row = i / row_words * row_words, at = i % row_words;
    seen[i] = values[row + row_words - 1 - at];
    left[row + (at + 4) % row_words] = seen[i] + 7;
  }
  test::device_array<unsigned> in(values), zero(std::vector<unsigned>{0});
  test::device_array<unsigned> known_out(words), hidden_out(words), known_seen(words), hidden_seen(words);
  test::run(copy_all, 1, threads, 0, in.data(), known_out.data(), hidden_out.data(), known_seen.data(),
            hidden_seen.data(), zero.data());
  CHECK(known_seen.download() == seen);
  CHECK(hidden_seen.download() == seen);
  CHECK(known_out.download() == left);
  CHECK(hidden_out.download() == left);
  in.check_unchanged();
  for (const auto* array : {&known_out, &hidden_out, &known_seen, &hidden_seen}) array->check_guards();
}
