// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/check.hpp"
#include "../support/timing.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// The same numbers for the same seed.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  /// 0 to n - 1.
  std::int64_t below(std::int64_t n) { return std::int64_t(next() % std::uint64_t(n)); }
  bool one_of(int n) { return below(n) == 0; }
  double unit() { return double(next() >> 11) * 0x1p-53; }
  /// 1 to `most`, of any magnitude alike.
  std::int64_t size(double most) { return std::int64_t(std::exp(unit() * std::log(most))); }

 private:
  std::uint64_t state_;
};

/// The same call of both libraries, with everything that it reads in place.
struct comparison {
  std::string kind, details;
  enqueue_pass gpuprim, cub;
};

/// Device memory that calls use, each of `bytes`.
struct call_memory {
  static constexpr std::size_t bytes = std::size_t{1} << 28;
  char *in, *second, *out, *second_out, *third_out, *temporary;
};

template <class T>
void upload(char* to, const std::vector<T>& values) {
  check(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
}

using make_comparison = comparison (*)(random_numbers&, const call_memory&);
std::vector<make_comparison>& random_comparisons();

/// A file's calls enter themselves before main begins.
struct enter_comparisons {
  explicit enter_comparisons(const std::vector<make_comparison>& some) {
    random_comparisons().insert(random_comparisons().end(), some.begin(), some.end());
  }
};

}  // namespace bench
