// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "garbage.hpp"

#include <cstdlib>
#include <cstring>

namespace simt {

void fill_garbage(void* memory, std::size_t bytes) { std::memset(memory, garbage_byte, bytes); }

void* allocate_garbage(std::size_t bytes, std::size_t alignment) {
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes ? bytes : 1) != 0) return nullptr;
  fill_garbage(memory, bytes);
  return memory;
}

}  // namespace simt
