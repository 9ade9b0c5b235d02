// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether AddressSanitizer is on, for g++ and clang++ alike.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ASAN 1
#endif
#endif

#if defined(SIMT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
