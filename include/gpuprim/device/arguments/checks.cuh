// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The types that the arguments of a reduce imply, and the checks of them.
#include <gpuprim/core/accumulator.hpp>
#include <gpuprim/core/arrays.cuh>
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/thread/load.cuh>

#include <limits>

namespace gpuprim::inline v0_2_0 {

/// The initial value of a scan that lies in device memory when the kernel runs: `value_at{pointer}`, in place of a
/// value.
template <class T>
struct value_at {
  const T* at;  ///< where it lies
  /// One that lies at an address of the device.
  constexpr explicit value_at(const T* in_device) : at(in_device) {}
};

namespace detail {

/// True for what says what to compute of an input: its `over(in, n)` returns the `reduction`.
template <class T>
inline constexpr bool is_query = requires { requires T::is_query; };

/// The accumulator's type: the one named, or the default where that is void. Init is void where a call starts from the
/// identity.
template <class Asked, class Op, class In, class Init>
struct accumulator_choice {
  static_assert(random_access_input<In>, "gpuprim: the input must be a pointer or a random-access iterator");
  static_assert(!is_query<Op>,
                "gpuprim: a query, such as mean or min_element, is not an operator; call it or give it to reduce_into");
  using type = std::conditional_t<std::is_void_v<Asked>, default_accumulator<Op, input_value<In>, Init>, Asked>;
};
template <class Asked, class Op, class In, class Init = void>
using accumulator_for = typename accumulator_choice<Asked, Op, In, Init>::type;

/// What joins accumulators: the library's operator in place of another library's, which the device may not be able to
/// call, and the caller's own.
template <class Acc, class Op>
constexpr auto joining(const Op& op) {
  static_assert(is_function_object<Op>);
  if constexpr (std::is_same_v<operator_behind<Op>, Op>) return op;
  else if constexpr (is_wide_number<Acc>) return operator_behind<Op>{};
  else if constexpr (means_its_operator<Op>) return operator_in_place_of<Op>{};
  else return op;
}

/// What a reduce requires of its types, checked once for all kernels that a call may launch.
template <class T, class Acc, class Out, class Op>
struct reduce_types {
  static_assert(element<T>, "gpuprim::reduce: the element type must be trivially copyable and assignable");
  static_assert(element<Acc>, "gpuprim::reduce: the accumulator type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::reduce: the operator's const operator() must take two values of the accumulator type and "
                "return one");
  static_assert(detail::takes_result<Out, Acc>, "gpuprim: the output must take a value of the result's type");
};

/// False for a number that an integer accumulator would change.
template <class Acc, class Init>
constexpr bool fits(const Init& init) {
  if constexpr (is_short_float<Init> && is_integer<Acc>) {
    return detail::fits<Acc>(static_cast<float>(detail::convertible<float>(init)));
  } else if constexpr (std::is_floating_point_v<Init> && is_integer<Acc>) {
    constexpr double past = 2 * double(bounds<Acc>::highest / 2 + 1);
    return init >= double(bounds<Acc>::lowest) && init < past && Init(Acc(init)) == init;
  } else if constexpr (is_integer<Init> && is_integer<Acc>) {
    bool has_its_sign = true;
    if constexpr (!is_unsigned_integer<Init> && is_unsigned_integer<Acc>) has_its_sign = init >= 0;
    if constexpr (is_unsigned_integer<Init> && !is_unsigned_integer<Acc>) has_its_sign = Acc(init) >= 0;
    return has_its_sign && Init(Acc(init)) == init;
  } else {
    return true;
  }
}

inline constexpr outcome unfit_initial_value = {
    cudaErrorInvalidValue, "the initial value does not fit the accumulator type; name a wider one"};

/// Checks an initial value. One that passes converts to Acc by a static_cast.
template <class Acc, class Init>
outcome check_initial_value(const Init& init) {
  static_assert(initial_value_for<Init, Acc>, "gpuprim: the initial value must convert to the accumulator type");
  return detail::fits<Acc>(init) ? outcome{} : unfit_initial_value;
}

/// Calls `go` with the initial value as an accumulator.
template <class Acc, class Init, class Go>
outcome with_initial_value(const Init& init, const Go& go) {
  if (const outcome bad = detail::check_initial_value<Acc>(init); bad.failed()) return bad;
  return go(static_cast<Acc>(detail::convertible<Acc>(init)));
}

/// The start of a call that has no initial value.
template <class Op, class Acc>
constexpr Acc reduce_identity() {
  static_assert(has_identity<Op, Acc>,
                "gpuprim: the operator has no identity for this type; pass the operator and an initial value");
  return static_cast<Acc>(identity_element<Op, Acc>::value());
}

inline constexpr outcome host_input = {cudaErrorInvalidValue,
                                       "the input is in host memory, which a GPU does not reach"};

inline constexpr outcome misaligned_input = {cudaErrorInvalidValue, "the input is not aligned to its element type"};

/// Checks an input of n elements.
template <class In>
outcome check_input(const In& in, std::int64_t n) {
  using T = input_value<In>;
  if (n < 0) return {cudaErrorInvalidValue, "the count is negative"};
  if (n > (std::numeric_limits<std::int64_t>::max)() / std::int64_t(sizeof(T)) - load_bytes) {
    return {cudaErrorInvalidValue, "the count is too large: the input's size in bytes overflows 64 bits"};
  }
  if constexpr (std::is_pointer_v<In>) {
    if (n > 0 && in == nullptr) return {cudaErrorInvalidValue, "the input is a null pointer but the count is not 0"};
    if (n > 0 && detail::is_host_memory(in)) return host_input;
    if (!detail::is_aligned(in)) return misaligned_input;
  }
  if constexpr (requires { in.array(); }) return detail::check_input(in.array(), n);
  else return {};
}

/// Whether memory of the device stands behind an output, as far as can be seen.
template <class Out>
bool is_writable(const Out& out) {
  if constexpr (std::is_pointer_v<Out>) return out != nullptr && !detail::is_host_memory(out);
  else if constexpr (fancy_pointer<Out>) return out.get() != nullptr;
  else if constexpr (requires { out.is_writable(); }) return out.is_writable();
  else return true;
}

inline constexpr outcome misaligned_output = {cudaErrorInvalidValue, "an output is not aligned to its element type"};

/// Checks an output of one result.
template <class Out>
outcome check_output(const Out& out) {
  if (!detail::is_writable(out)) {
    return {cudaErrorInvalidValue, "the output is a null pointer or in host memory"};
  }
  return detail::is_aligned(out) ? outcome{} : misaligned_output;
}

/// Checks an output of n results.
template <class Out>
outcome check_results(const Out& out, std::int64_t n) {
  if (n > 0 && !detail::is_writable(out)) {
    return {cudaErrorInvalidValue, "an output is a null pointer or in host memory, but the count is not 0"};
  }
  if (!detail::is_aligned(out)) return misaligned_output;
  if constexpr (std::is_pointer_v<Out>) {
    static_assert(!std::is_const_v<std::remove_pointer_t<Out>>, "gpuprim: the output must not be constant");
    if (n > (std::numeric_limits<std::int64_t>::max)() / std::int64_t(sizeof(*out)) - load_bytes) {
      return {cudaErrorInvalidValue, "the count is too large: the output's size in bytes overflows 64 bits"};
    }
  }
  return {};
}

/// Checks that an output of so many results does not lie in an input of n elements.
template <class Out, class In>
outcome check_disjoint(const Out& out, std::int64_t results, const In& in, std::int64_t n) {
  if (detail::overlap(out, results, in, n)) return {cudaErrorInvalidValue, "an output overlaps an input"};
  return {};
}

/// An input as a kernel reads it: a pointer to what is constant, where it is an array.
template <class In>
constexpr auto as_constant(const In& in) {
  const auto raw = detail::unwrap_contiguous(in);
  if constexpr (std::is_pointer_v<std::remove_const_t<decltype(raw)>>) return static_cast<const input_value<In>*>(raw);
  else return raw;
}

/// Checks the output of a count.
template <class Count>
outcome check_count_output(const Count& count) {
  if (!detail::is_writable(count)) {
    return {cudaErrorInvalidValue, "the output of the count is a null pointer or in host memory"};
  }
  if (detail::is_aligned(count)) return {};
  return {cudaErrorInvalidValue, "the output of the count is not aligned to its type"};
}

/// Checks an input of n elements, and the output of a result.
template <class In, class Out>
outcome check_arguments(const In& in, std::int64_t n, const Out& out) {
  const outcome bad = detail::check_input(in, n);
  return bad.failed() ? bad : detail::check_output(out);
}

/// Checks two inputs of n elements each.
template <class First, class Second>
outcome check_inputs(const First& first, const Second& second, std::int64_t n) {
  if (const outcome bad = detail::check_input(detail::unwrap_contiguous(first), n); bad.failed()) return bad;
  return detail::check_input(detail::unwrap_contiguous(second), n);
}

/// The type of an initial value.
template <class Init>
struct initial_type {
  using type = Init;
};
template <class T>
struct initial_type<value_at<T>> {
  using type = T;
};
template <>
struct initial_type<nothing> {
  using type = void;
};

/// The initial value, in a kernel.
template <class T> __device__ __forceinline__ const T& initial_value(const T& init) { return init; }
template <class T> __device__ __forceinline__ const T& initial_value(const value_at<T>& init) { return *init.at; }

/// Checks where an initial value lies in device memory: where the total is written, it may, but not in the results.
template <class Init, class Out>
outcome check_start(const Init&, const Out&, std::int64_t) {
  return {};
}
template <class T, class Out>
outcome check_start(const value_at<T>& init, const Out& out, std::int64_t n) {
  const T* const at = init.at;
  if (!detail::is_writable(at)) {
    return {cudaErrorInvalidValue, "the initial value is at a null pointer or in host memory"};
  }
  if (!detail::is_aligned(at)) return {cudaErrorInvalidValue, "the initial value is not aligned to its type"};
  if (detail::overlap(at, 1, detail::unwrap_contiguous(out), n)) {
    return {cudaErrorInvalidValue, "the initial value lies in the output"};
  }
  return {};
}

/// What a value_at requires of its type and of the operator.
template <class Acc, class Op, class Init>
struct value_at_types {
  static_assert(std::is_same_v<Init, value_at<Acc>>,
                "gpuprim::scan: a value_at must have the type that values are joined in; name that type");
  static_assert(has_identity<std::remove_cvref_t<decltype(detail::joining<Acc>(std::declval<const Op&>()))>, Acc>,
                "gpuprim::scan: a value_at needs an operator that has an identity; specialize identity_element");
};

/// Calls `go` with the initial value as an accumulator, or with the value_at of one.
template <class Acc, class Op, class Init, class Go>
outcome with_start(const Init& init, const Go& go) {
  if constexpr (std::is_same_v<Init, typename initial_type<Init>::type>) {
    return detail::with_initial_value<Acc>(init, go);
  } else {
    [[maybe_unused]] const value_at_types<Acc, Op, Init> checked{};
    return go(init);
  }
}

}  // namespace detail

}  // namespace gpuprim
