// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

enum class select_call { select_if, select_flagged, partition_if, unique, unique_by_key };

/// A call on elements of one type. Elements are numbers below 100 in no order, of which those below `percent` are
/// selected; for unique, which finds runs, runs of 2.
struct select_problem {
  const char* name;
  select_call call;
  char type;  ///< 'u': u32, 'd': f64, 'b': u8
  int percent;
  int bytes_past = 0;  ///< a line, at which input and output begin

  int element_bytes() const { return type == 'd' ? 8 : type == 'b' ? 1 : 4; }
  int flag_bytes() const { return call == select_call::select_flagged ? 1 : 0; }
  int value_bytes() const { return call == select_call::unique_by_key ? 4 : 0; }
};
inline constexpr select_problem select_problems[] = {
    {"select_if u32, 1 %", select_call::select_if, 'u', 1},
    {"select_if u32, 50 %", select_call::select_if, 'u', 50},
    {"select_if u32, 99 %", select_call::select_if, 'u', 99},
    {"partition_if u32, 50 %", select_call::partition_if, 'u', 50},
    {"unique u32, runs of 2", select_call::unique, 'u', 50},
    {"select_if u32, 50 %, 4 bytes past a line", select_call::select_if, 'u', 50, 4},
    {"select_if f64, 50 %", select_call::select_if, 'd', 50},
    {"select_if u8, 50 %", select_call::select_if, 'b', 50},
    {"select_flagged u32, u8, 1 %", select_call::select_flagged, 'u', 1},
    {"select_flagged u32, u8, 50 %", select_call::select_flagged, 'u', 50},
    {"unique_by_key u32, u32, runs of 2", select_call::unique_by_key, 'u', 50},
    {"unique f64, runs of 2", select_call::unique, 'd', 50},
    {"partition_if u8, 50 %", select_call::partition_if, 'b', 50},
};

struct below {
  int percent;
  template <class T> __host__ __device__ bool operator()(const T& x) const { return x < T(percent); }
};

struct select_pass {
  const void *in, *flags, *values;
  std::int64_t n;
  void *out, *values_out;
  long long* count;
};

struct select_contender {
  std::string name;
  cudaError_t (*enqueue)(const select_problem&, const select_pass&, cudaStream_t);
};

std::vector<select_contender>& select_contenders();

/// A file's contender enters itself before main begins.
struct enter_select_contender {
  explicit enter_select_contender(select_contender who) { select_contenders().push_back(who); }
};

/// Calls `go.template operator()<T>()` with the type of a problem's elements.
template <class Go>
cudaError_t with_element_type(const select_problem& problem, const Go& go) {
  switch (problem.type) {
    case 'd':
      return go.template operator()<double>();
    case 'b':
      return go.template operator()<unsigned char>();
    default:
      return go.template operator()<unsigned>();
  }
}

}  // namespace bench
