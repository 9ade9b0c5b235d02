# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ThreadSanitizer of older compilers does not start where the kernel randomises addresses widely. There, and only
# there, tests run with the randomisation off: sets `launcher` to the prefix of a test's command.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS -fsanitize=thread)
check_cxx_source_runs("int main() {}" GPUPRIM_TSAN_RUNS)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT GPUPRIM_TSAN_RUNS)
  find_program(GPUPRIM_SETARCH setarch REQUIRED)
  set(launcher "${GPUPRIM_SETARCH}" -R)
endif()
