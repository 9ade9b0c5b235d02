// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

/// 12 bytes.
struct point3 {
  float x, y, z;
};

/// What a pass does; each is timed for some of the element types.
enum class stream_task { copy, transform, transform_if, reverse, add, fill, difference, gather, for_each, search };

enum class stream_type { f32, f64, u8, point };

struct stream_problem {
  const char* name;
  stream_task task;
  stream_type type;
  int in_past = 0, out_past = 0;  ///< bytes past a line, at which input and output begin
  int most_log2 = 40;             ///< of the largest count
};

inline int bytes_of(stream_type t) {
  switch (t) {
    case stream_type::f32:
      return 4;
    case stream_type::f64:
      return 8;
    case stream_type::u8:
      return 1;
    default:
      return 12;
  }
}

inline const std::vector<stream_problem>& stream_problems() {
  static const std::vector<stream_problem> all{
      {"copy f32", stream_task::copy, stream_type::f32},
      {"copy u8", stream_task::copy, stream_type::u8},
      {"copy 12 bytes", stream_task::copy, stream_type::point},
      {"transform f32", stream_task::transform, stream_type::f32},
      {"transform f64", stream_task::transform, stream_type::f64},
      {"transform u8", stream_task::transform, stream_type::u8},
      {"transform 12 bytes", stream_task::transform, stream_type::point},
      {"transform f32, both 4 bytes past a line", stream_task::transform, stream_type::f32, 4, 4},
      {"transform f32, input 4 bytes past a line", stream_task::transform, stream_type::f32, 4, 0},
      {"transform u8, input 1 byte past a line", stream_task::transform, stream_type::u8, 1, 0},
      {"transform of two inputs f32", stream_task::add, stream_type::f32},
      {"transform_if f32", stream_task::transform_if, stream_type::f32},
      {"reverse f32", stream_task::reverse, stream_type::f32},
      {"reverse u8", stream_task::reverse, stream_type::u8},
      {"fill f32", stream_task::fill, stream_type::f32},
      {"fill f64", stream_task::fill, stream_type::f64},
      {"fill u8", stream_task::fill, stream_type::u8},
      {"fill 12 bytes", stream_task::fill, stream_type::point},
      {"adjacent_difference f32", stream_task::difference, stream_type::f32},
      {"adjacent_difference f64", stream_task::difference, stream_type::f64},
      {"adjacent_difference u8", stream_task::difference, stream_type::u8},
      {"gather f32", stream_task::gather, stream_type::f32, 0, 0, 26},
      {"for_each f32", stream_task::for_each, stream_type::f32},
      {"lower_bound f32", stream_task::search, stream_type::f32, 0, 0, 22},
  };
  return all;
}

/// Arrays of a pass. The second input: elements, indices, or the values that are searched for.
struct stream_pass {
  const void *in, *second;
  std::int64_t n;
  void* out;
};

struct stream_contender {
  std::string name;
  cudaError_t (*enqueue)(const stream_problem&, const stream_pass&, cudaStream_t);
  bool is_shape = false;  ///< another launch shape of gpuprim, which is timed only if asked for
};

std::vector<stream_contender>& stream_contenders();

/// A file's contender enters itself before main begins.
struct enter_stream_contender {
  explicit enter_stream_contender(stream_contender who) { stream_contenders().push_back(who); }
};

/// The functions of the passes.
struct scale_it {
  template <class T> __host__ __device__ T operator()(T x) const { return static_cast<T>(x * T(3)); }
  __host__ __device__ point3 operator()(const point3& p) const { return {p.y * 3, p.z, p.x}; }
};
struct is_small {
  __host__ __device__ bool operator()(float x) const { return x < 500; }
};
struct add_them {
  __host__ __device__ float operator()(float a, float b) const { return a + 3 * b; }
};
struct subtract_them {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a - b); }
};
/// Writes at the index that it is called with.
struct write_index {
  float* out;
  template <class Index> __host__ __device__ void operator()(Index i) const { out[i] = float(i); }
};
template <class T>
T filling() {
  if constexpr (sizeof(T) == 12) return T{1, 2, 3};
  else return T(77);
}

template <class Go>
cudaError_t with_type(stream_type t, const Go& go) {
  switch (t) {
    case stream_type::f32:
      return go.template operator()<float>();
    case stream_type::f64:
      return go.template operator()<double>();
    case stream_type::u8:
      return go.template operator()<unsigned char>();
    default:
      return go.template operator()<point3>();
  }
}

/// Transpositions beside a copy of the same bytes, into the rows of a JSON file if there is one. Returns whether all
/// results are right.
bool time_transpositions(void* memory, std::int64_t memory_bytes, int rounds, std::FILE* json, bool is_first_row);

}  // namespace bench
