// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

// The 16- and 8-bit floating types are named here without their headers, which cost compile time.
struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct CUstream_st;  // what a cudaStream_t points to

namespace gpuprim::inline v0_2_0 {

/// True for the 16-bit floating types `__half` and `__nv_bfloat16`.
template <class T>
inline constexpr bool is_half_precision = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

/// True for the 8-bit floating types of cuda_fp8.h, which store numbers but have no arithmetic.
template <class T>
inline constexpr bool is_quarter_precision = std::is_same_v<T, __nv_fp8_e4m3> || std::is_same_v<T, __nv_fp8_e5m2>;

/// True for floating types of 16 and 8 bits, whose sums need a wider type.
template <class T>
inline constexpr bool is_short_float = is_half_precision<T> || is_quarter_precision<T>;

// The compiler's 128-bit integers, where there are any. A standard library counts them as integers only with
// extensions.
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
#else
struct int128;
struct uint128;
#endif

/// True for 128-bit integers, which hold the sums that 64 bits do not.
template <class T>
inline constexpr bool is_wide_integer = std::is_same_v<T, int128> || std::is_same_v<T, uint128>;

/// True for integers of every width, whether the standard library counts those of 128 bits as integers or not.
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> || is_wide_integer<T>;

/// True for integers whose numbers are not negative, bool among them.
template <class T>
inline constexpr bool is_unsigned_integer = std::is_same_v<T, uint128> || (std::is_unsigned_v<T> && is_integer<T>);

/// True for every built-in number of up to 64 bits that a GPU has: integers, float, double, and the 16-bit floating
/// types.
template <class T>
inline constexpr bool is_number =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, long double> && !is_wide_integer<T>) || is_half_precision<T>;

/// True for those and the integers of 128 bits.
template <class T>
inline constexpr bool is_wide_number = is_number<T> || is_wide_integer<T>;

/// What every primitive accepts as an element: a type whose bytes may be copied between threads, and assigned.
template <class T>
concept element =
    std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> && std::is_copy_assignable_v<T>;

namespace detail {

/// Refuses a stream where a call takes an initial value, an equality, an order or its options.
template <class Argument>
struct refuse_stream {
  static_assert(!std::is_same_v<Argument, CUstream_st*>,
                "gpuprim: a stream belongs to the options; write {.stream = s} in its place");
};

}  // namespace detail

namespace detail {

/// Refuses the name of a function where a host call takes a function object: it stands for an address on the host.
template <class Function>
struct refuse_function_name {
  static_assert(!std::is_pointer_v<Function> && !std::is_member_pointer_v<Function>,
                "gpuprim: the name of a function is its address on the host, which no kernel can call; write a lambda "
                "that calls it, [] __host__ __device__ (...) { return function(...); }, or a function object");
};
/// True, or refused.
template <class Function>
inline constexpr bool is_function_object = (refuse_function_name<Function>{}, true);

}  // namespace detail

/// True for an extended `__device__` lambda, which hides its call operator from the host pass.
template <class Function>
inline constexpr bool is_device_lambda =
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    __nv_is_extended_device_lambda_closure_type(Function);
#else
    false;
#endif

/// True if `Op` can combine two values of `T`. For a `__device__` lambda the answer is yes, and the device pass checks
/// it.
template <class Op, class T>
inline constexpr bool is_operator_on = is_device_lambda<Op> || std::is_invocable_r_v<T, const Op&, const T&, const T&>;

}  // namespace gpuprim
