// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The frame of programs that time passes of several libraries in one process: `program [results.json or - [log2 of the
// largest count [rounds [part of a name]]]]`. A pass stands among others over copies of everything, in a CUDA graph or
// as calls. Contenders take turns in random order, and all that they write is compared. If GPUPRIM_BENCH_VERBOSE is set
// in the environment, the program says on stderr what it does next.
#include "copies.cuh"
#include "floor.hpp"
#include "results.hpp"
#include "samples.hpp"
#include "timing.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// Contenders, each of which has a `name`, in the order of these: CUB, whose name has its version, is the first.
template <class Contender>
void sort_by_name(std::vector<Contender>& all) {
  std::sort(all.begin(), all.end(), [](const Contender& a, const Contender& b) { return a.name < b.name; });
}

/// Powers of two, and sizes between them.
inline std::vector<std::int64_t> counts_up_to(int log2) {
  std::vector<std::int64_t> counts;
  for (int i = 10; i <= log2; i += 2) {
    counts.push_back(std::int64_t{1} << i);
    if (i >= 14 && i + 2 <= log2) counts.push_back((std::int64_t{1} << i) * 5 / 2 + 7);
  }
  return counts;
}

enum class word_order { given, any };

/// What a pass writes to one place. Words in any order are compared sorted, on the host.
struct written_bytes {
  void* at;
  std::int64_t bytes;
  word_order order = word_order::given;
};

/// What contenders compete in, as it is printed. `run_length`: that of a problem of runs.
struct contest_row {
  const char* problem;
  std::int64_t n, run_length = 0;
};

class contest {
 public:
  const int most_log2;  ///< of the largest count
  const int rounds;
  const arena whole;  ///< for the copies of what passes read and write

  /// `first`: the name of the contender that the others are compared with, which has CUB's version from its fifth
  /// letter on. `element_bytes`: what a pass reads and writes for an element at most; `out_bytes`: what it writes.
  contest(int argc, char** argv, const std::string& first, std::int64_t element_bytes, std::int64_t out_bytes,
          timed_in how = timed_in::graph)
      : most_log2(argc > 2 ? std::atoi(argv[2]) : 28),
        rounds(argc > 3 ? std::atoi(argv[3]) : 7),
        whole(std::max((2 * element_bytes) << most_log2, least_copied_bytes + most_copies * MiB) + 3 * GiB),
        how_(how),
        part_(argc > 4 ? argv[4] : ""),
        floor_(whole) {
    check(cudaMalloc(reinterpret_cast<void**>(&wanted_), std::size_t((out_bytes << most_log2) + MiB)), "allocate");
    check(cudaMalloc(reinterpret_cast<void**>(&differ_), sizeof *differ_), "allocate");
    read_rate_ = double(GiB) * 1e-3 / floor_.us(GiB, memory::dram);
    copy_rate_ = measure_copy_rate(whole, rounds);
    std::printf("read limit %.0f GB/s, copy %.0f GB/s\n", read_rate_, copy_rate_);
    if (argc > 1 && argv[1][0] != '\0' && std::strcmp(argv[1], "-") != 0) {
      json_ = open_results(argv[1], std::atoi(first.c_str() + 4));
      std::fprintf(json_,
                   ",\n \"timed_in\": \"%s\",\n \"read_gb_per_s\": %.0f,\n \"copy_gb_per_s\": %.0f,\n \"rows\": [",
                   how == timed_in::graph ? "graph" : "calls", read_rate_, copy_rate_);
    }
  }
  contest(const contest&) = delete;
  contest& operator=(const contest&) = delete;

  /// Whether a problem of this name was asked for.
  bool has(const char* name) const { return std::strstr(name, part_) != nullptr; }

  /// The floor takes what is written, and as much of what is read, at the rate of a copy, and the rest of what is read
  /// at the read limit.
  double floor_us(std::int64_t read, std::int64_t written) const {
    const double paired = double(std::min(read, written));
    return 1e-3 * ((double(read) - paired) / read_rate_ + (double(written) + paired) / copy_rate_);
  }

  /// Compares and times contenders. `enqueue(who, i, stream)` makes the pass over the i-th of some copies, of which the
  /// first has the outputs `outs`; cudaErrorNotSupported says that a contender has no such call. `floor()` returns
  /// microseconds and is called when the outputs are written. A contender's first call is done before it is timed: a
  /// timer's stream does not wait for it, and all its calls share one storage.
  template <class Contender, class Enqueue, class Floor>
  void compete(const contest_row& row, const std::vector<Contender>& all, std::int64_t copies,
               const std::vector<written_bytes>& outs, const Enqueue& enqueue, const Floor& floor) {
    std::vector<std::unique_ptr<pass_timer>> timers(all.size());
    std::vector<samples> times(all.size());
    std::size_t first = all.size();
    double least_us = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      say_next(row, all[i].name, "first call");
      for (const written_bytes& out : outs) check(cudaMemset(out.at, 0xcd, std::size_t(out.bytes)), "poison");
      const cudaError_t e = enqueue(all[i], 0, nullptr);
      if (e == cudaErrorNotSupported) continue;
      check(e, all[i].name.c_str());
      check(cudaDeviceSynchronize(), all[i].name.c_str());
      if (first < i) {
        note_differences(row, all[i].name, outs);
      } else {
        first = i;
        keep(outs);
        least_us = floor();
      }
      say_next(row, all[i].name, how_ == timed_in::graph ? "capture and warm-up" : "warm-up");
      timers[i] = make_timer(how_, std::max<std::int64_t>(copies, 4),
                             [&, i](std::int64_t copy, cudaStream_t s) { return enqueue(all[i], copy, s); });
    }
    for (int round = 0; round < rounds; ++round) {
      take_turns(round, int(all.size()), [&](int number) {
        const auto i = std::size_t(number);
        if (!timers[i]) return;
        say_next(row, all[i].name, "timing");
        times[i].add(timers[i]->us_per_pass());
      });
    }
    std::printf("%-42s %10lld", row.problem, static_cast<long long>(row.n));
    if (row.run_length > 0) std::printf(", runs of %-10lld", static_cast<long long>(row.run_length));
    std::printf(" floor %8.2f us |", least_us);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!timers[i]) continue;
      std::printf(" %s %.2f us, %.3f x |", all[i].name.c_str(), times[i].median(),
                  times[first].median() / times[i].median());
      if (json_) write_row(row, all[i].name, times[i], least_us);
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  /// For rows of other kinds: the file, or null; whether it has none yet.
  std::FILE* json() const { return json_; }
  bool is_first_row() const { return is_first_row_; }

  /// Ends the file. `is_right`: of what was compared elsewhere. Returns what main does.
  int end(bool is_right = true) {
    if (json_) {
      std::fprintf(json_, "\n]}\n");
      std::fclose(json_);
    }
    return is_right_ && is_right ? 0 : 1;
  }

 private:
  static std::int64_t words_of(const written_bytes& out) { return out.bytes / 4; }

  void say_next(const contest_row& row, const std::string& name, const char* phase) const {
    if (!is_verbose_) return;
    std::fprintf(stderr, "%s, n = %lld, %s: %s\n", row.problem, static_cast<long long>(row.n), name.c_str(), phase);
  }
  void keep(const std::vector<written_bytes>& outs) {
    unsigned* to = wanted_;
    for (const written_bytes& out : outs) {
      check(cudaMemcpy(to, out.at, std::size_t(words_of(out)) * 4, cudaMemcpyDeviceToDevice), "copy");
      to += words_of(out);
    }
    check(cudaDeviceSynchronize(), "copy");
  }
  void note_differences(const contest_row& row, const std::string& name, const std::vector<written_bytes>& outs) {
    check(cudaMemset(differ_, 0, sizeof *differ_), "clear");
    const unsigned* from = wanted_;
    unsigned long long found = 0, found_sorted = 0;
    for (const written_bytes& out : outs) {
      const auto* const got = static_cast<const unsigned*>(out.at);
      if (out.order == word_order::any) found_sorted += count_sorted_differences(from, got, words_of(out));
      else count_differences<<<1024, 256>>>(from, got, words_of(out), differ_);
      from += words_of(out);
    }
    check(cudaMemcpy(&found, differ_, sizeof found, cudaMemcpyDeviceToHost), "copy");
    found += found_sorted;
    if (found == 0) return;
    is_right_ = false;
    std::printf("%s, %s: %llu words differ\n", row.problem, name.c_str(), found);
  }
  void write_row(const contest_row& row, const std::string& name, const samples& times, double least_us) {
    std::fprintf(json_, "%s\n {\"problem\": \"%s\", \"n\": %lld, ", is_first_row_ ? "" : ",", row.problem,
                 static_cast<long long>(row.n));
    if (row.run_length > 0) std::fprintf(json_, "\"run_length\": %lld, ", static_cast<long long>(row.run_length));
    std::fprintf(json_, "\"contender\": \"%s\", \"us\": %.3f, \"quartiles\": [%.3f, %.3f], \"floor_us\": %.3f}",
                 name.c_str(), times.median(), times.quantile(0.25), times.quantile(0.75), least_us);
    is_first_row_ = false;
  }

  timed_in how_;
  const char* part_;
  read_floor floor_;
  double read_rate_ = 0, copy_rate_ = 0;  ///< GB/s
  unsigned* wanted_ = nullptr;            ///< what the first contender wrote
  unsigned long long* differ_ = nullptr;
  std::FILE* json_ = nullptr;
  bool is_right_ = true, is_first_row_ = true;
  const bool is_verbose_ = std::getenv("GPUPRIM_BENCH_VERBOSE") != nullptr;
};

}  // namespace bench
