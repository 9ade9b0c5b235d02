// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber.hpp"

#include <cstdint>
#include <vector>

#include <sys/mman.h>

#if !defined(SIMT_UCONTEXT)
#include <boost/context/detail/fcontext.hpp>
#endif

#include "address_checker.hpp"
#include "diagnostics.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

constexpr std::size_t page_bytes = 4096;
#if defined(SIMT_ASAN)
constexpr std::size_t stack_bytes = 256 * 1024;  // frames carry red zones
#elif defined(SIMT_TSAN)
constexpr std::size_t stack_bytes = 1024 * 1024;  // a report demangles names on it, which takes 64 bytes a letter
#else
constexpr std::size_t stack_bytes = 128 * 1024;  // only touched pages cost memory
#endif
// Every guard page splits a mapping, and Linux allows about 65,000 of them: later stacks do without.
constexpr std::size_t guarded_stacks = 16000;

fiber host;
fiber* running = &host;
fiber* previous = nullptr;
fiber_body body = nullptr;

// Reachable for ever, so that leak detection stays silent about pooled stacks.
std::vector<fiber*>& pool = *new std::vector<fiber*>;
std::vector<fiber*>& every_fiber = *new std::vector<fiber*>;

void arrived(void* fake_stack) {
#if defined(SIMT_ASAN)
  const void* base = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(fake_stack, &base, &bytes);
  if (previous == &host) {
    host.base = static_cast<char*>(const_cast<void*>(base));
    host.bytes = bytes;
  }
#else
  (void)fake_stack;
#endif
}

#if defined(SIMT_UCONTEXT)

void start() {
  arrived(nullptr);
  body(*running);
}

void prepare(fiber& f, std::size_t usable) {
  getcontext(&f.context);
  f.context.uc_stack.ss_sp = f.base;
  f.context.uc_stack.ss_size = usable;
  f.context.uc_link = nullptr;
  makecontext(&f.context, start, 0);
}

void jump(fiber& from, fiber& to) { swapcontext(&from.context, &to.context); }

#else

void start(boost::context::detail::transfer_t transfer) {
  previous->context = transfer.fctx;
  arrived(nullptr);
  body(*running);
}

void prepare(fiber& f, std::size_t usable) {
  f.context = boost::context::detail::make_fcontext(f.base + usable, usable, start);
}

void jump(fiber&, fiber& to) {
  auto transfer = boost::context::detail::jump_fcontext(to.context, nullptr);
  previous->context = transfer.fctx;
}

#endif

// Stacks begin at different offsets from the page, so that their hot lines do not share one cache set.
std::size_t usable_bytes(const fiber& f) {
  return f.bytes - 64 * (reinterpret_cast<std::uintptr_t>(f.base) / stack_bytes % 32);
}

fiber& new_fiber() {
  race::quiet quiet;
  auto* f = new fiber;
  bool guarded = every_fiber.size() < guarded_stacks;
  std::size_t guard = guarded ? page_bytes : 0;
  void* memory =
      mmap(nullptr, stack_bytes + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fail({}, "no address space for the stack of CUDA thread number %zu: use a smaller cooperative grid or cluster",
         every_fiber.size() + 1);
  }
  if (guarded) mprotect(memory, page_bytes, PROT_NONE);
  f->base = static_cast<char*>(memory) + guard;
  f->bytes = stack_bytes;
  every_fiber.push_back(f);
  prepare(*f, usable_bytes(*f));
  return *f;
}

}  // namespace

fiber& host_fiber() { return host; }

void set_fiber_body(fiber_body b) { body = b; }

void switch_fiber(fiber& from, fiber& to) {
  running = &to;
  previous = &from;
#if defined(SIMT_ASAN)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.base, to.bytes);
#endif
  jump(from, to);
  arrived(from.fake_stack);
}

fiber& take_fiber() {
  if (pool.empty()) return new_fiber();
  fiber& f = *pool.back();
  pool.pop_back();
  return f;
}

void give_back(fiber& f) {
  race::quiet quiet;
  pool.push_back(&f);
}

void abandon(fiber& f) {
#if defined(SIMT_ASAN)
  __asan_unpoison_memory_region(f.base, f.bytes);
  f.fake_stack = nullptr;
#endif
  prepare(f, usable_bytes(f));
  give_back(f);
}

void forget_stack_history(fiber& f) {
  if constexpr (race::enabled) {
    auto base = reinterpret_cast<std::uintptr_t>(f.base);
    auto limit = (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 2 * page_bytes) & ~(page_bytes - 1);
    mmap(f.base, limit - base, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  }
}

}  // namespace simt
