// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is known of operators: which of the library's stands behind a name of another library, and whether it commutes.
#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

// The operators are in operators.hpp.
template <class T> struct plus;
template <class T> struct minus;
template <class T> struct multiplies;
template <class T> struct minimum;
template <class T> struct maximum;
template <class T> struct bit_and;
template <class T> struct bit_or;
template <class T> struct bit_xor;
template <class T> struct logical_and;
template <class T> struct logical_or;

namespace detail {

/// The text behind a prefix, or null where there is another or no text.
GPUPRIM_HOST_DEVICE constexpr const char* skip(const char* text, const char* prefix) {
  for (; text && *prefix; ++prefix) text = *text == *prefix ? text + 1 : nullptr;
  return text;
}

/// True for the template `space::name`, with inline namespaces of reserved names between the two. Those are named after
/// versions, so that a template of another library cannot be declared here; but its name is in what the compiler calls
/// this function: "... [with Family = cuda::std::__4::plus]", with more or fewer spaces.
template <template <class> class Family>
GPUPRIM_HOST_DEVICE constexpr bool is_called(const char* space, const char* name) {
  const char* text = __PRETTY_FUNCTION__;
  while (*text != '=') ++text;
  for (++text; *text == ' ';) ++text;
  text = skip(text, space);
  while (skip(text, "::__") || skip(text, "::THRUST_")) {
    for (text += 2; *text && *text != ':';) ++text;
  }
  text = skip(skip(text, "::"), name);
  return text && (*text == ']' || *text == ';');
}

template <template <class> class Family>
GPUPRIM_HOST_DEVICE constexpr bool is_standard(const char* name) {
  return is_called<Family>("std", name) || is_called<Family>("cuda::std", name) || is_called<Family>("thrust", name);
}
template <template <class> class Family>
GPUPRIM_HOST_DEVICE constexpr bool is_standard_or_of_groups(const char* name) {
  return is_standard<Family>(name) || is_called<Family>("cooperative_groups", name);
}
template <template <class> class Family>
GPUPRIM_HOST_DEVICE constexpr bool is_choice(const char* name, const char* in_groups) {
  return is_called<Family>("cuda", name) || is_called<Family>("thrust", name) ||
         is_called<Family>("cooperative_groups", in_groups);
}

template <template <class> class Family, class T>
GPUPRIM_HOST_DEVICE constexpr auto find_operator_behind() {
  if constexpr (is_standard_or_of_groups<Family>("plus")) return std::type_identity<plus<T>>{};
  else if constexpr (is_standard<Family>("minus")) return std::type_identity<minus<T>>{};
  else if constexpr (is_standard<Family>("multiplies")) return std::type_identity<multiplies<T>>{};
  else if constexpr (is_choice<Family>("minimum", "less")) return std::type_identity<minimum<T>>{};
  else if constexpr (is_choice<Family>("maximum", "greater")) return std::type_identity<maximum<T>>{};
  else if constexpr (is_standard_or_of_groups<Family>("bit_and")) return std::type_identity<bit_and<T>>{};
  else if constexpr (is_standard_or_of_groups<Family>("bit_or")) return std::type_identity<bit_or<T>>{};
  else if constexpr (is_standard_or_of_groups<Family>("bit_xor")) return std::type_identity<bit_xor<T>>{};
  else if constexpr (is_standard<Family>("logical_and")) return std::type_identity<logical_and<T>>{};
  else if constexpr (is_standard<Family>("logical_or")) return std::type_identity<logical_or<T>>{};
  else return std::type_identity<Family<T>>{};
}

template <class Op>
struct operator_behind_name {
  using type = Op;
};
template <template <class> class Family, class T>
struct operator_behind_name<Family<T>> : decltype(find_operator_behind<Family, T>()) {};

/// The library's operator that Op is under a name of std, cuda::std, cuda, thrust or cooperative_groups; others are
/// themselves.
template <class Op>
using operator_behind = typename operator_behind_name<Op>::type;

/// True for a function object of another library that means an operator of its operands: one that takes every type, one
/// of numbers, and one of std that no program has specialized. Those of libstdc++ have the types of their operands as
/// members. A program's own specialization has no such members, and is called as it is.
template <class Named>
inline constexpr bool means_its_operator = requires { typename Named::first_argument_type; };
template <template <class> class Family, class T>
  requires(std::is_void_v<T> || is_wide_number<T>)
inline constexpr bool means_its_operator<Family<T>> = true;

/// Computes as the library's operator does that is behind the name Op, and has the traits that a program gives to Op.
template <class Op>
struct operator_in_place_of : operator_behind<Op> {};

template <class Op, template <class> class Family>
inline constexpr bool is_specialization = false;
template <class T, template <class> class Family>
inline constexpr bool is_specialization<Family<T>, Family> = true;

template <class Op, template <class> class Family>
inline constexpr bool is_from = is_specialization<operator_behind<Op>, Family>;

template <class Op>
inline constexpr bool is_library_operator = is_from<Op, plus> || is_from<Op, multiplies> || is_from<Op, minimum> ||
                                            is_from<Op, maximum> || is_from<Op, bit_and> || is_from<Op, bit_or> ||
                                            is_from<Op, bit_xor> || is_from<Op, logical_and> || is_from<Op, logical_or>;

/// The type that a library operator fixes: U of `plus<U>`; void if it takes its arguments' type, and for others.
template <class Op>
struct fixed_operand {
  using type = void;
};
template <class U, template <class> class Family>
  requires is_library_operator<Family<U>>
struct fixed_operand<Family<U>> {
  using type = U;
};

/// True if what is known of a family holds for its operator on T: of `minimum<unsigned>` on int it does not.
template <class Op, class T>
inline constexpr bool is_library_operator_on =
    is_library_operator<Op> &&
    (std::is_void_v<typename fixed_operand<Op>::type> || std::is_same_v<typename fixed_operand<Op>::type, T>);

}  // namespace detail

/// True if `op(a, b) == op(b, a)` for every pair: a reduce then need not keep the order, which costs work. Specialize
/// it for an operator of your own; the default is the safe answer.
template <class Op, class T>
inline constexpr bool is_commutative = detail::is_library_operator_on<Op, T> && is_wide_number<T>;
template <class Op, class T>
inline constexpr bool is_commutative<detail::operator_in_place_of<Op>, T> = is_commutative<Op, T>;

namespace detail {

/// True if `op(a, b)` and `op(b, a)` are even the same bits. The minimum of zeros of both signs is the first of them,
/// and a user's operator may round otherwise when its operands trade places.
template <class Op, class T>
inline constexpr bool commutes_bitwise =
    is_commutative<Op, T> && is_library_operator<Op> &&
    (is_from<Op, plus> || is_from<Op, multiplies> || std::is_integral_v<T> || is_wide_integer<T>);

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
