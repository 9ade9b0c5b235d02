// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stackful tasks: a stack and a place to continue. It has no notion of CUDA threads.
#pragma once

#include <cstddef>

#if defined(SIMT_UCONTEXT)
#include <ucontext.h>
#endif

namespace simt {

struct fiber {
#if defined(SIMT_UCONTEXT)
  ucontext_t context{};
#else
  void* context = nullptr;
#endif
  void* fake_stack = nullptr;  // AddressSanitizer's
  char* base = nullptr;        // lowest usable address
  std::size_t bytes = 0;
};

using fiber_body = void (*)(fiber& self);

// Continues `to`; returns when another fiber switches back to `from`.
void switch_fiber(fiber& from, fiber& to);

// The stack that the host called from. Its bounds are learnt when it is left.
fiber& host_fiber();

// A fiber from the pool, or a new one. It starts in the body with which the pool was set up.
fiber& take_fiber();
void give_back(fiber&);
// For a fiber that was left in the middle: forgets what was on its stack.
void abandon(fiber&);
void set_fiber_body(fiber_body);

// Makes the stack below the caller's frame look never used to the race detector: the next CUDA thread's
// locals are not the last one's.
void forget_stack_history(fiber&);

}  // namespace simt
