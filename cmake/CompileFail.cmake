# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuprim_add_compile_fail(<name> <source> <regex>)
# Registers two tests that compile <source> with the compiler and the device of this tree:
#   compile_fail.<name>          must fail, and the compiler's output must match <regex>
#   compile_fail.<name>.control  with -DGPUPRIM_TEST_CONTROL: must compile
# The control keeps the first from passing for another reason. A missing header is seen in the cuda tree alone, for the
# SIMT tree has all of them precompiled. The cuda tree leaves the controls to the SIMT tree, but for the harness's own:
# <regex> is a whole sentence, which no other error prints.
# EXPECT_REPORT <text>, EXPECT_CONTROL_REPORT <text>: the test or its control passes when this harness complains
# with <text>; for the harness's own tests.

# The command line, with the header of a stand-in for NCCL, up to the language and the source, that looks at one .cu file of this tree.
function(gpuprim_compile_only_command out)
  set(includes "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/tests/support/nccl")
  if(GPUPRIM_DEVICE STREQUAL "simt")
    set(property_of "$<TARGET_PROPERTY:gpuprim_simt,INTERFACE_")
    set(command "${CMAKE_CXX_COMPILER}" -std=c++20 -Wall -Wextra ${includes}
      "$<$<BOOL:${property_of}INCLUDE_DIRECTORIES>>:-I$<JOIN:${property_of}INCLUDE_DIRECTORIES>,$<SEMICOLON>-I>>"
      "$<$<BOOL:${property_of}COMPILE_DEFINITIONS>>:-D$<JOIN:${property_of}COMPILE_DEFINITIONS>,$<SEMICOLON>-D>>"
      "${property_of}COMPILE_OPTIONS>")
  else()
    list(GET CMAKE_CUDA_ARCHITECTURES 0 architecture)
    # PTX is enough: no message of the library comes from the assembler.
    set(command "${CMAKE_CUDA_COMPILER}" -std=c++20 --extended-lambda ${includes}
      -gencode "arch=compute_${architecture},code=compute_${architecture}" -ptx -o /dev/null)
  endif()
  set(${out} "${command}" PARENT_SCOPE)
endfunction()

# gpuprim_precompile_headers(<out>): all public headers, compiled once for these tests, most of which do little else; and
# what the command line needs to find them. In the SIMT tree, by GCC.
function(gpuprim_precompile_headers out)
  set(${out} "" PARENT_SCOPE)
  if(NOT GPUPRIM_DEVICE STREQUAL "simt" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(header "${CMAKE_CURRENT_BINARY_DIR}/precompiled/gpuprim.hpp")
  file(GENERATE OUTPUT "${header}" CONTENT "#include <gpuprim/gpuprim.cuh>\n")
  gpuprim_compile_only_command(compile)
  add_custom_command(OUTPUT "${header}.gch"
    COMMAND ${compile} -MD -MF "${header}.d" -x c++-header -o "${header}.gch" "${header}"
    DEPENDS "${header}" DEPFILE "${header}.d" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(precompiled_headers ALL DEPENDS "${header}.gch")
  set(${out} -include "${header}" PARENT_SCOPE)
endfunction()

function(gpuprim_add_compile_fail name source regex)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "EXPECT_REPORT;EXPECT_CONTROL_REPORT" "")
  get_filename_component(source "${source}" ABSOLUTE)
  gpuprim_compile_only_command(compile)
  if(GPUPRIM_DEVICE STREQUAL "simt")
    list(APPEND compile ${gpuprim_precompiled_headers} -fsyntax-only -x c++)
  endif()
  set(modes fail)
  if(GPUPRIM_DEVICE STREQUAL "simt" OR arg_EXPECT_CONTROL_REPORT)
    list(APPEND modes control)
  endif()
  foreach(mode IN LISTS modes)
    set(test "compile_fail.${name}")
    set(definitions)
    set(report "${arg_EXPECT_REPORT}")
    if(mode STREQUAL "control")
      set(test "${test}.control")
      set(definitions -DGPUPRIM_TEST_CONTROL)
      set(report "${arg_EXPECT_CONTROL_REPORT}")
    endif()
    add_test(NAME "${test}" COMMAND "${CMAKE_COMMAND}" "-DMODE=${mode}" "-DREGEX=${regex}"
      -P "${PROJECT_SOURCE_DIR}/cmake/CompileFailRun.cmake" -- ${compile} ${definitions} "${source}"
      COMMAND_EXPAND_LISTS)
    set_tests_properties("${test}" PROPERTIES LABELS compile_fail TIMEOUT 120)
    if(report)
      set_tests_properties("${test}" PROPERTIES PASS_REGULAR_EXPRESSION "${report}")
    endif()
  endforeach()
endfunction()

# gpuprim_add_compile_fail_files(): each .cu file of this folder is such a test, and says itself what the compiler prints:
#   // error: <sentence>          "..." stands for anything in a line; a further line begins with three spaces
#   // error of nvcc: <sentence>  in the cuda tree alone: others have no Thrust, and do not know functions of the host
function(gpuprim_add_compile_fail_files)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*.cu")
  foreach(source IN LISTS sources)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(READ "${source}" text)
    if(NOT text MATCHES "^[^\n]*\n// error( of nvcc)?: ([^\n]+(\n//   [^\n]+)*)\n")
      message(FATAL_ERROR "tests/compile_fail/${source}: the second line does not say which error the compiler prints")
    endif()
    if(CMAKE_MATCH_1 AND NOT GPUPRIM_DEVICE STREQUAL "cuda")
      continue()
    endif()
    string(REPLACE "\n//   " " " regex "${CMAKE_MATCH_2}")
    string(REGEX REPLACE "([.+*()$?|{}])" "[\\1]" regex "${regex}")
    string(REPLACE "[.][.][.]" "[^\n]*" regex "${regex}")
    get_filename_component(name "${source}" NAME_WE)
    gpuprim_add_compile_fail(${name} ${source} "${regex}")
  endforeach()
endfunction()
