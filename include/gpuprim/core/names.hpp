// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Knows the operators and orders of other libraries by their names.
#include <gpuprim/core/config.hpp>

namespace gpuprim::inline v0_1_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

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

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
