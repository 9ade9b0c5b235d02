// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segmented sums of floats beside CUB's in one process, and reductions of matrices along both axes:
// segmented RESULTS.json [values [rounds [mix [library]]]]. Each pass stands in a CUDA graph among others over a second
// copy of everything, contenders take turns, and results are compared. The floor is the time to move the bytes at the
// read limit of the same run.
#include "../support/timing.hpp"
#include "inputs.cuh"
#include "report.hpp"

#include <cstdlib>
#include <memory>

namespace {

using bench::check;

constexpr int passes = 4;

struct contender {
  const char *form, *library;
  cudaError_t (*enqueue)(const bench::segmented_pass&, cudaStream_t);
  int place_bytes;  ///< that are read to know where a segment is
  bool is_wide = false;
};

struct session {
  const bench::arena& values;
  std::int64_t n;
  int rounds;
  std::string mix, library;  ///< what alone is measured, if not empty
  double gb_per_s;
  std::vector<bench::segmented_row> rows{};
  bool right = true;

  float* data() const { return reinterpret_cast<float*>(values.data()); }
  bool wants(const std::string& name) const { return mix.empty() || name == mix; }

  /// Times the contenders in turn. `is_right(results)` looks at what a contender writes.
  template <class IsRight>
  void measure(const bench::segmented_input& input, std::int64_t results, std::vector<contender> all,
               const IsRight& is_right) {
    if (!library.empty()) std::erase_if(all, [&](const contender& c) { return library != c.library; });
    std::vector<std::unique_ptr<bench::graph_timer>> timers;
    std::vector<bench::samples> times(all.size());
    for (const contender& c : all) {
      const auto first = input.pass(0, c.is_wide);
      check(cudaMemset(first.out, 0xff, std::size_t(results) * 4), "poison");
      check(c.enqueue(first, nullptr), c.form);
      check(cudaDeviceSynchronize(), c.form);  // calls on different streams may not share a workspace at once
      if (!is_right(first.out)) {
        std::printf("%s: %s of %s is wrong\n", input.how.name.c_str(), c.form, c.library);
        right = false;
      }
      timers.push_back(std::make_unique<bench::graph_timer>(
          passes, [&](std::int64_t p, cudaStream_t s) { return c.enqueue(input.pass(p, c.is_wide), s); }));
    }
    for (int round = 0; round < rounds; ++round) {
      bench::take_turns(round, int(all.size()),
                        [&](int i) { times[std::size_t(i)].add(timers[std::size_t(i)]->us_per_pass()); });
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int64_t bytes = (input.n + results) * 4 + input.segments * all[i].place_bytes;
      rows.push_back({input.how.name, all[i].form, all[i].library, input.n, input.segments,
                      input.how.gap ? 0 : input.how.length, bytes, times[i], double(bytes) * 1e-3 / gb_per_s});
      print(rows.back());
    }
  }
};

/// Of at most `n` values.
void run_mix(session& s, const bench::mix& m, std::int64_t n) {
  if (!s.wants(m.name)) return;
  const bench::segmented_input input(m, s.data(), n);
  std::vector<contender> all;
  if (m.gap) {
    all.push_back({"bounds", "cub", bench::cub_bounds, 8});
  } else {
    all.push_back({"offsets", "cub", bench::cub_offsets32, 4});
    all.push_back({"offsets", "gpuprim", bench::gpuprim_offsets32, 4});
    all.push_back({"64-bit offsets", "gpuprim", bench::gpuprim_offsets64, 8, true});
  }
  all.push_back({"bounds", "gpuprim", bench::gpuprim_bounds, 8});
  if (m.length && !m.gap) {
    if (bench::cub_has_fixed()) all.push_back({"fixed length", "cub", bench::cub_fixed, 0});
    all.push_back({"fixed length", "gpuprim", bench::gpuprim_fixed, 0});
  }
  const bench::device_memory<float> wanted(input.segments);
  bool has_wanted = false;
  s.measure(input, input.segments, all, [&](const float* got) {  // sums are exact: all have those of the first
    if (has_wanted) return bench::agree(got, wanted.data, input.segments, 0.0f);
    check(cudaMemcpy(wanted.data, got, std::size_t(input.segments) * 4, cudaMemcpyDeviceToDevice), "copy");
    return has_wanted = true;
  });
}

/// A list of which both copies fit in the L2 cache: a call of a short one takes as long as its launch and what it waits
/// for.
void run_short_list(session& s, std::int64_t segments, std::int64_t length) {
  const std::int64_t n = segments * length;
  if (n <= s.n) run_mix(s, {std::to_string(segments) + " of " + std::to_string(length), length, {}}, n);
}

/// Segments of one length with some values between them.
void run_apart(session& s, std::int64_t length, std::int64_t n) {
  constexpr std::int64_t gap = 3;
  const std::string name = std::to_string(length) + ", " + std::to_string(gap) + " between";
  if (length + gap <= n) run_mix(s, {name, length, {}, gap}, n);
}

/// The rows are segments of one length.
void run_matrix(session& s, int log_rows, int log_columns) {
  const std::int64_t rows = std::int64_t{1} << log_rows, columns = std::int64_t{1} << log_columns;
  const bench::mix m{"2^" + std::to_string(log_rows) + " x 2^" + std::to_string(log_columns), columns, {}};
  if (!s.wants(m.name) || rows * columns > s.n) return;
  const bench::device_memory<float> means(rows), maxima(columns);
  bench::expect_matrix(s.data(), rows, columns, means.data, maxima.data);
  const bench::segmented_input input(m, s.data(), rows * columns);
  s.measure(input, rows, {{"means of rows", "gpuprim", bench::gpuprim_row_means, 0}},
            [&](const float* got) { return bench::agree(got, means.data, rows, 1e-4f); });
  s.measure(input, columns, {{"maxima of columns", "gpuprim", bench::gpuprim_column_maxima, 0}},
            [&](const float* got) { return bench::agree(got, maxima.data, columns, 0.0f); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s RESULTS.json [values [rounds [mix [library]]]]\n", argv[0]);
    return 1;
  }
  const std::int64_t n = argc > 2 ? std::atoll(argv[2]) : std::int64_t{1} << 28;
  if (n < 1 << 24) {  // the short lists and the matrices
    std::fprintf(stderr, "%s: there must be at least 2^24 values, not %s\n", argv[0], argv[2]);
    return 1;
  }
  const bench::arena arena(bench::arena_bytes(n * 4));
  session s{arena, n, argc > 3 ? std::atoi(argv[3]) : 7, argc > 4 ? argv[4] : "", argc > 5 ? argv[5] : "", 0};
  bench::fill_values(s.data(), arena.bytes() / 4, 1);
  bench::read_floor floor(arena);
  const bench::device_limits limits = floor.limits();
  s.gb_per_s = double(n) * 4e-3 / floor.us(n * 4, bench::memory::dram);
  std::printf("read limit %.0f GB/s at %lld bytes, CUB %d\n", s.gb_per_s, static_cast<long long>(n * 4),
              bench::cub_version());

  for (std::int64_t length :
       {4, 7, 16, 64, 100, 256, 300, 1000, 1024, 4096, 8192, 10000, 16384, 32768, 300000, 700000, 1 << 20}) {
    if (length <= n) run_mix(s, bench::fixed_mix(length), n);
  }
  run_mix(s, bench::zipf_mix(n, 1.0, 1 << 16), n);
  run_mix(s, bench::zipf_mix(n, 1.5, 1 << 20), n);
  run_mix(s, bench::uniform_mix(n, 40000), n);
  run_mix(s, bench::uniform_mix(n, 1000000), n);
  run_mix(s, bench::giant_mix(n, 1000000), n);
  run_mix(s, bench::giant_mix(n, 2000000), n);  // of which a third are empty, one after the other
  for (std::int64_t length : {8, 40, 64, 300, 1000, 5000}) run_apart(s, length, n);
  run_short_list(s, 100, 100);
  run_short_list(s, 100, 10000);
  run_short_list(s, 600, 10000);
  run_short_list(s, 1000, 64);
  run_short_list(s, 1000, 1000);
  run_short_list(s, 1000, 3000);
  run_short_list(s, 4000, 64);
  run_short_list(s, 4000, 1000);
  run_short_list(s, 4000, 10000);
  run_short_list(s, 5000, 64);
  run_short_list(s, 5000, 1000);
  run_short_list(s, 6000, 500);
  run_short_list(s, 10000, 64);
  run_short_list(s, 10000, 1000);
  run_short_list(s, 100000, 64);
  run_mix(s, bench::zipf_mix(20000, 1.5, 1000), 20000);
  run_mix(s, bench::exponential_mix(42000, 60), 42000);
  run_mix(s, bench::spiky_mix(700, 1200), 9093);
  run_mix(s, bench::uniform_mix(120000, 120), 120000);

  bench::fill_values(s.data(), arena.bytes() / 4, 1 << 16);
  run_matrix(s, 14, 14);
  run_matrix(s, 20, 8);
  run_matrix(s, 8, 20);
  run_matrix(s, 24, 4);
  bench::write_json(argv[1], limits, s.gb_per_s, bench::cub_version(), s.rows);
  return s.right ? 0 : 1;
}
