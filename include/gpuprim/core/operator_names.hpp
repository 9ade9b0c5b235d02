// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which operator of another library a class template is, told by its qualified name: a template cannot be declared
// ahead of the header that defines it, because libraries keep theirs in inline namespaces, named after versions.
namespace gpuprim::detail {

enum class operator_name {
  other, plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, logical_and, logical_or
};

/// The text behind a prefix, or null where there is another or no text.
constexpr const char* skip(const char* text, const char* prefix) {
  for (; text && *prefix; ++prefix) text = *text == *prefix ? text + 1 : nullptr;
  return text;
}

/// True for `space::name`, with inline namespaces of reserved names between the two.
constexpr bool is_called(const char* text, const char* space, const char* name) {
  text = skip(text, space);
  while (skip(text, "::__") || skip(text, "::THRUST_")) {
    for (text += 2; *text && *text != ':';) ++text;
  }
  text = skip(skip(text, "::"), name);
  return text && (*text == ']' || *text == ';');  // compilers end the list of template arguments so
}

/// What the compiler calls a template: "... [with Family = cuda::std::__4::plus]", with more or fewer spaces.
template <template <class> class Family>
constexpr operator_name name_of() {
  const char* text = __PRETTY_FUNCTION__;
  while (*text != '=') ++text;
  do ++text; while (*text == ' ');

  const auto is_from = [text](const char* space, const char* name) { return is_called(text, space, name); };
  const auto is_standard = [&](const char* name) {
    return is_from("std", name) || is_from("cuda::std", name) || is_from("thrust", name);
  };
  const auto is_shared = [&](const char* name) { return is_standard(name) || is_from("cooperative_groups", name); };
  const auto is_choice = [&](const char* name, const char* in_groups) {
    return is_from("cuda", name) || is_from("thrust", name) || is_from("cooperative_groups", in_groups);
  };
  if (is_shared("plus")) return operator_name::plus;
  if (is_standard("multiplies")) return operator_name::multiplies;
  if (is_choice("minimum", "less")) return operator_name::minimum;
  if (is_choice("maximum", "greater")) return operator_name::maximum;
  if (is_shared("bit_and")) return operator_name::bit_and;
  if (is_shared("bit_or")) return operator_name::bit_or;
  if (is_shared("bit_xor")) return operator_name::bit_xor;
  if (is_standard("logical_and")) return operator_name::logical_and;
  if (is_standard("logical_or")) return operator_name::logical_or;
  return operator_name::other;
}

}  // namespace gpuprim::detail
