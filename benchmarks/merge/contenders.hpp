// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

enum class merge_call { merge, merge_pairs, set_union, set_intersection, set_difference, lower_bound };

/// A call on two sorted arrays of n elements together. Searches look for the elements of the first array in the second.
struct merge_problem {
  const char* name;
  merge_call call;
  char type;                     ///< 'u': u32, 'd': f64, 'b': u8
  int of_first = 1, of_all = 2;  ///< how many of so many elements are the first array's
  bool are_alike = false;        ///< half of the elements of the shorter array are in the other one too
  bool is_unordered = false;     ///< what is searched for
  int bytes_past = 0;            ///< a line, at which all arrays begin

  int element_bytes() const { return type == 'd' ? 8 : type == 'b' ? 1 : 4; }
  int value_bytes() const { return call == merge_call::merge_pairs ? 4 : 0; }
  bool has_count() const {
    return call == merge_call::set_union || call == merge_call::set_intersection || call == merge_call::set_difference;
  }
  std::int64_t first_count(std::int64_t n) const { return n * of_first / of_all; }
};
inline constexpr merge_problem merge_problems[] = {
    {.name = "merge u32, halves", .call = merge_call::merge, .type = 'u'},
    {.name = "merge u32, 100 to 1", .call = merge_call::merge, .type = 'u', .of_first = 100, .of_all = 101},
    {.name = "merge u32, halves, 4 bytes past a line", .call = merge_call::merge, .type = 'u', .bytes_past = 4},
    {.name = "merge f64, halves", .call = merge_call::merge, .type = 'd'},
    {.name = "merge u8, halves", .call = merge_call::merge, .type = 'b'},
    {.name = "merge_pairs u32, u32, halves", .call = merge_call::merge_pairs, .type = 'u'},
    {.name = "merge_pairs f64, u32, halves", .call = merge_call::merge_pairs, .type = 'd'},
    {.name = "set_union u32, halves", .call = merge_call::set_union, .type = 'u', .are_alike = true},
    {.name = "set_intersection u32, halves", .call = merge_call::set_intersection, .type = 'u', .are_alike = true},
    {.name = "set_intersection u32, 1 to 100",
     .call = merge_call::set_intersection,
     .type = 'u',
     .of_first = 1,
     .of_all = 101,
     .are_alike = true},
    {.name = "set_difference u32, halves", .call = merge_call::set_difference, .type = 'u', .are_alike = true},
    {.name = "set_union f64, halves", .call = merge_call::set_union, .type = 'd', .are_alike = true},
    {.name = "lower_bound u32, sorted, 9 in 5",
     .call = merge_call::lower_bound,
     .type = 'u',
     .of_first = 9,
     .of_all = 14},
    {.name = "lower_bound u32, sorted, 1 in 100",
     .call = merge_call::lower_bound,
     .type = 'u',
     .of_first = 1,
     .of_all = 101},
    {.name = "lower_bound u32, unordered, 9 in 5",
     .call = merge_call::lower_bound,
     .type = 'u',
     .of_first = 9,
     .of_all = 14,
     .is_unordered = true},
};

struct merge_bench_pass {
  const void *a, *b, *a_values, *b_values;
  std::int64_t a_count, b_count;
  void *out, *values_out;
  std::size_t* count;
};

struct merge_contender {
  std::string name;
  cudaError_t (*enqueue)(const merge_problem&, const merge_bench_pass&, cudaStream_t);
};

std::vector<merge_contender>& merge_contenders();

/// A file's contender enters itself before main begins.
struct enter_merge_contender {
  explicit enter_merge_contender(merge_contender who) { merge_contenders().push_back(who); }
};

/// Calls `go.template operator()<T>()` with the type of a problem's elements.
template <class Go>
cudaError_t with_element_type(const merge_problem& problem, const Go& go) {
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
