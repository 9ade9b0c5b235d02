// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What gpuprim's and CUB's dot products share.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <type_traits>

namespace bench {

/// Calls `add` for each type, with its accumulator and its name.
template <class Add>
bool for_each_dot_type(const Add& add) {
  add(std::type_identity<float>{}, std::type_identity<float>{}, "f32");
  add(std::type_identity<double>{}, std::type_identity<double>{}, "f64");
  add(std::type_identity<__half>{}, std::type_identity<float>{}, "f16");
  add(std::type_identity<__nv_bfloat16>{}, std::type_identity<float>{}, "bf16");
  add(std::type_identity<__nv_fp8_e4m3>{}, std::type_identity<float>{}, "e4m3");
  add(std::type_identity<__nv_fp8_e5m2>{}, std::type_identity<float>{}, "e5m2");
  add(std::type_identity<signed char>{}, std::type_identity<std::int64_t>{}, "i8");
  add(std::type_identity<unsigned char>{}, std::type_identity<std::uint64_t>{}, "u8");
  add(std::type_identity<short>{}, std::type_identity<std::int64_t>{}, "i16");
  add(std::type_identity<unsigned short>{}, std::type_identity<std::uint64_t>{}, "u16");
  add(std::type_identity<int>{}, std::type_identity<std::int64_t>{}, "i32");
  add(std::type_identity<std::int64_t>{}, std::type_identity<std::int64_t>{}, "i64");
  return true;
}

/// The product in the accumulator's type, as a user of CUB would write it.
template <class Acc>
struct product_in {
  template <class T>
  __host__ __device__ Acc operator()(const T& a, const T& b) const {
    if constexpr (std::is_arithmetic_v<T>) return Acc(a) * Acc(b);
    else return Acc(static_cast<float>(a)) * Acc(static_cast<float>(b));
  }
};

template <class Acc>
struct square_in {
  template <class T> __host__ __device__ Acc operator()(const T& a) const { return product_in<Acc>{}(a, a); }
};

}  // namespace bench
