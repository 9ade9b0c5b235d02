# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuprim_simt_sources(<target>): the target's .cu files are C++ for the host SIMT device, whose compiler says what to
# write in place of kernel<<<grid, block>>>(...). Where the target is made, and after it has its sources.
function(gpuprim_simt_sources target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
  set(launcher sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/compile.sh" ${CMAKE_CXX_COMPILER_LAUNCHER})
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
endfunction()
