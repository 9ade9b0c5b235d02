// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Exclusive sums from 0: the types of elements and results, and of keys where there are any.
enum class scan_problem { i32, f32, f64, i64, u8_i32, i32_misaligned, i32_by_key, f64_by_key };
inline constexpr scan_problem scan_problems[] = {
    scan_problem::i32,    scan_problem::f32,            scan_problem::f64,        scan_problem::i64,
    scan_problem::u8_i32, scan_problem::i32_misaligned, scan_problem::i32_by_key, scan_problem::f64_by_key};

struct scan_sizes {
  const char* name;
  int key_bytes, in_bytes, out_bytes;
  int bytes_past;  ///< a line, at which input and output begin
};
inline scan_sizes sizes_of(scan_problem p) {
  switch (p) {
    case scan_problem::i32: return {"exclusive_scan i32", 0, 4, 4, 0};
    case scan_problem::f32: return {"exclusive_scan f32", 0, 4, 4, 0};
    case scan_problem::f64: return {"exclusive_scan f64", 0, 8, 8, 0};
    case scan_problem::i64: return {"exclusive_scan i64", 0, 8, 8, 0};
    case scan_problem::u8_i32: return {"exclusive_scan u8 to i32", 0, 1, 4, 0};
    case scan_problem::i32_misaligned: return {"exclusive_scan i32, 4 bytes past a line", 0, 4, 4, 4};
    case scan_problem::i32_by_key: return {"exclusive_scan_by_key i32, i32", 4, 4, 4, 0};
    default: return {"exclusive_scan_by_key i32, f64", 4, 8, 8, 0};
  }
}

struct scan_pass {
  const void *keys, *in;
  std::int64_t n;
  void* out;
};

struct scan_contender {
  std::string name;
  cudaError_t (*enqueue)(scan_problem, const scan_pass&, cudaStream_t);
};

std::vector<scan_contender>& scan_contenders();

/// A file's contender enters itself before main begins.
struct enter_scan_contender {
  explicit enter_scan_contender(scan_contender who) { scan_contenders().push_back(who); }
};

/// Calls `go.template operator()<T, Result, HasKeys>()` with the types of a problem.
template <class Go>
cudaError_t with_types(scan_problem p, const Go& go) {
  switch (p) {
    case scan_problem::i32:
    case scan_problem::i32_misaligned: return go.template operator()<int, int, false>();
    case scan_problem::f32: return go.template operator()<float, float, false>();
    case scan_problem::f64: return go.template operator()<double, double, false>();
    case scan_problem::i64: return go.template operator()<long long, long long, false>();
    case scan_problem::u8_i32: return go.template operator()<unsigned char, int, false>();
    case scan_problem::i32_by_key: return go.template operator()<int, int, true>();
    default: return go.template operator()<double, double, true>();
  }
}

}  // namespace bench
