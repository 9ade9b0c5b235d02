// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Exclusive sums from 0: the types of elements and results, and of keys where there are any. In segments: of one
/// length, or by offsets, lengths from 0 to twice as many.
enum class scan_problem {
  i32,
  f32,
  f64,
  i64,
  u8_i32,
  i32_misaligned,
  i32_by_key,
  f64_by_key,
  rows_16,
  rows_1000,
  rows_100000,
  segments_16,
  segments_60,
  segments_1000,
  segments_100000,
  f64_segments_1000
};
inline constexpr int scan_problem_count = int(scan_problem::f64_segments_1000) + 1;

struct scan_sizes {
  const char* name;
  int key_bytes, in_bytes, out_bytes;
  int bytes_past;         ///< a line, at which input and output begin
  int length = 0;         ///< that segments have on the average, where there are segments
  bool is_fixed = false;  ///< that all have

  /// Segments that `n` values make, and the one length; the last few values are then in none.
  std::int64_t segments(std::int64_t n) const { return length == 0 ? 0 : n > length ? n / length : 1; }
  std::int64_t length_for(std::int64_t n) const { return n < length ? n : length; }
};
inline scan_sizes sizes_of(scan_problem p) {
  switch (p) {
    case scan_problem::i32:
      return {"exclusive_scan i32", 0, 4, 4, 0};
    case scan_problem::f32:
      return {"exclusive_scan f32", 0, 4, 4, 0};
    case scan_problem::f64:
      return {"exclusive_scan f64", 0, 8, 8, 0};
    case scan_problem::i64:
      return {"exclusive_scan i64", 0, 8, 8, 0};
    case scan_problem::u8_i32:
      return {"exclusive_scan u8 to i32", 0, 1, 4, 0};
    case scan_problem::i32_misaligned:
      return {"exclusive_scan i32, 4 bytes past a line", 0, 4, 4, 4};
    case scan_problem::i32_by_key:
      return {"exclusive_scan_by_key i32, i32", 4, 4, 4, 0};
    case scan_problem::f64_by_key:
      return {"exclusive_scan_by_key i32, f64", 4, 8, 8, 0};
    case scan_problem::rows_16:
      return {"segmented_exclusive_scan i32, 16 each", 0, 4, 4, 0, 16, true};
    case scan_problem::rows_1000:
      return {"segmented_exclusive_scan i32, 1000 each", 0, 4, 4, 0, 1000, true};
    case scan_problem::rows_100000:
      return {"segmented_exclusive_scan i32, 100000 each", 0, 4, 4, 0, 100000, true};
    case scan_problem::segments_16:
      return {"segmented_exclusive_scan i32, offsets, 16", 0, 4, 4, 0, 16};
    case scan_problem::segments_60:
      return {"segmented_exclusive_scan i32, offsets, 60", 0, 4, 4, 0, 60};
    case scan_problem::segments_1000:
      return {"segmented_exclusive_scan i32, offsets, 1000", 0, 4, 4, 0, 1000};
    case scan_problem::segments_100000:
      return {"segmented_exclusive_scan i32, offsets, 100000", 0, 4, 4, 0, 100000};
    default:
      return {"segmented_exclusive_scan f64, offsets, 1000", 0, 8, 8, 0, 1000};
  }
}

struct scan_pass {
  const void *keys, *in;
  std::int64_t n;
  void* out;
  const int* offsets;
};

struct scan_contender {
  std::string name;
  cudaError_t (*enqueue)(scan_problem, const scan_pass&, cudaStream_t);
  bool has_segments = true;
};

std::vector<scan_contender>& scan_contenders();

/// A file's contender enters itself before main begins.
struct enter_scan_contender {
  explicit enter_scan_contender(scan_contender who) { scan_contenders().push_back(who); }
};

/// What a scan begins anew with.
enum class scan_parts { none, keys, rows, offsets };

/// Calls `go.template operator()<T, Result, Parts>()` with the types of a problem.
template <class Go>
cudaError_t with_types(scan_problem p, const Go& go) {
  switch (p) {
    case scan_problem::i32:
    case scan_problem::i32_misaligned:
      return go.template operator()<int, int, scan_parts::none>();
    case scan_problem::f32:
      return go.template operator()<float, float, scan_parts::none>();
    case scan_problem::f64:
      return go.template operator()<double, double, scan_parts::none>();
    case scan_problem::i64:
      return go.template operator()<long long, long long, scan_parts::none>();
    case scan_problem::u8_i32:
      return go.template operator()<unsigned char, int, scan_parts::none>();
    case scan_problem::i32_by_key:
      return go.template operator()<int, int, scan_parts::keys>();
    case scan_problem::f64_by_key:
      return go.template operator()<double, double, scan_parts::keys>();
    case scan_problem::rows_16:
    case scan_problem::rows_1000:
    case scan_problem::rows_100000:
      return go.template operator()<int, int, scan_parts::rows>();
    case scan_problem::segments_16:
    case scan_problem::segments_60:
    case scan_problem::segments_1000:
    case scan_problem::segments_100000:
      return go.template operator()<int, int, scan_parts::offsets>();
    default:
      return go.template operator()<double, double, scan_parts::offsets>();
  }
}

}  // namespace bench
