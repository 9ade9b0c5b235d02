// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/driver.cuh>

#include <new>

namespace gpuprim::inline v0_2_0::detail {

/// Returns in `answer` what `ask(answer)` finds out. It is asked once for each context and type `Ask`, which is a
/// lambda in a template of the kernel.
template <class Answer, class Ask>
cudaError_t ask_once(Answer& answer, const Ask& ask) {
  struct known_answer {
    Answer answer;
    unsigned long long context;
    const known_answer* next;
  };
  // A list, the newest answer first. Answers are never freed: there is one for each context that the process has
  // made. The atomics are the compiler's own: decision 9.
  static const known_answer* newest = nullptr;
  unsigned long long context = 0;
  if (cudaError_t e = find_context(context)) return e;
  const known_answer* known = __atomic_load_n(&newest, __ATOMIC_ACQUIRE);
  for (const known_answer* each = known; each; each = each->next) {
    if (each->context != context) continue;
    answer = each->answer;
    return cudaSuccess;
  }
  if (cudaError_t e = ask(answer)) return e;
  auto* added = new (std::nothrow) known_answer{answer, context, known};
  while (added &&
         !__atomic_compare_exchange_n(&newest, &added->next, added, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return cudaSuccess;
}

}  // namespace gpuprim::detail
