# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuprim_add_header_tests(): compiles what a user of the headers may do with them.
#   alone     one translation unit per header that includes nothing else (twice: the guard must work); in the SIMT tree,
#             which is stricter: nvcc includes the runtime's header before every unit
#   together  all headers in one unit, in alphabetical order
#   traps     all headers behind macros that user code and system headers are known to define
#   half      all headers in one unit without the operators and conversions of 16-bit floats, as extensions of PyTorch
#             are compiled; tests/interop/half_without_operators.cu calls them
#   before    all headers behind a function, a function template or a class template of each name of a member, and
#             behind `using namespace std` and `using namespace cuda::std`: what a name means there must not change the
#             parse
#   no_exceptions  all headers in one unit by -fno-exceptions; tests/preconditions/no_exceptions.cu calls them
#   plain     every .hpp by the C++ compiler with no CUDA and no SIMT include path
#   names     all calls by a user whose own functions have the names of the library's, in the SIMT tree: a test, for to
#             instantiate them is enough
#   cxx23     all of it under C++23 in the SIMT tree (nvcc: docs/decisions/0006-cxx23-is-checked-in-the-simt-tree.md)
# Where only compiling for all architectures is asked for, `together` is enough: what names mean is the same for all.
# All units are linked into one program, so a definition that should be inline is a duplicate symbol.

include(${CMAKE_CURRENT_LIST_DIR}/CompileFail.cmake)

# Of the single capitals only those that C headers and kernel code commonly define; T and its like are template
# parameters in every CUDA library.
set(GPUPRIM_MACRO_TRAPS
  N M K I IN OUT OPTIONAL DELETE CONST ERROR CHECK ASSERT LOG check verify small near far
  Bool None Status Success emit slots signals foreach
  WARP_SIZE BLOCK_SIZE TILE_SIZE THREADS CEIL_DIV CUDA_CHECK)

# Sources that the host's compiler compiles without exceptions, and so without headers that were compiled with them.
function(gpuprim_without_exceptions)
  set(option -fno-exceptions)
  if(GPUPRIM_DEVICE STREQUAL "cuda")
    set(option -Xcompiler=-fno-exceptions)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS ${option})
endfunction()

function(gpuprim_write_if_different file content)
  file(GENERATE OUTPUT "${file}" CONTENT "${content}")
endfunction()

# What a regular expression matches in the code of the headers: each text once, in alphabetical order.
function(gpuprim_matches out regex)
  set(matches)
  foreach(header IN LISTS ARGN)
    file(STRINGS "${PROJECT_SOURCE_DIR}/include/${header}" lines REGEX "${regex}")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "//.*" "" line "${line}")
      string(REGEX MATCHALL "${regex}" found "${line}")
      list(APPEND matches ${found})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES matches)
  list(SORT matches)
  set(${out} "${matches}" PARENT_SCOPE)
endfunction()

# The system headers that the library names, so that the trap macros come after them and hit gpuprim only.
function(gpuprim_system_includes out_text)
  gpuprim_matches(found "^[ \t]*#[ \t]*include[ \t]*<[^>]+>" ${ARGN})
  list(TRANSFORM found REPLACE ".*<([^>]+)>" "\\1")
  list(FILTER found EXCLUDE REGEX "^gpuprim/")
  set(text)
  foreach(header IN LISTS found)
    string(APPEND text "#if __has_include(<${header}>)\n#include <${header}>\n#endif\n")
  endforeach()
  set(${out_text} "${text}" PARENT_SCOPE)
endfunction()

# One deleted function template of each name that a header gives to a function of a namespace, whose definitions are the
# only ones not indented: of any arguments, and of so many constant ones.
function(gpuprim_deleted_functions out_text)
  set(names)
  foreach(header IN LISTS ARGN)
    file(STRINGS "${PROJECT_SOURCE_DIR}/include/${header}" lines REGEX "^[[A-Za-z_][^=;{}(]*[ *&][a-z][a-z_0-9]*\\(")
    foreach(line IN LISTS lines)
      string(REPLACE "decltype(auto)" "auto" line "${line}")
      if(NOT line MATCHES "^struct " AND line MATCHES "^[[A-Za-z_][^=;{}(]*[ *&]([a-z][a-z_0-9]*)\\(")
        list(APPEND names "${CMAKE_MATCH_1}")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  list(LENGTH names count)
  if(count LESS 250)
    message(FATAL_ERROR "Only ${count} functions found in the headers: have definitions another form?")
  endif()
  set(text "")
  foreach(name IN LISTS names)
    set(function "__host__ __device__ void ${name}")
    string(APPEND text "template <int = 0, class... Args> ${function}(Args&&...) = delete;\n")
    string(APPEND text "template <class, class... Args> ${function}(Args&&...) = delete;\n")
    set(types)
    set(parameters)
    foreach(i RANGE 1 8)
      list(APPEND types "class A${i}")
      list(APPEND parameters "const A${i}&")
      list(JOIN types ", " all_types)
      list(JOIN parameters ", " all_parameters)
      string(APPEND text "template <${all_types}> ${function}(${all_parameters}) = delete;\n")
    endforeach()
  endforeach()
  set(${out_text} "${text}" PARENT_SCOPE)
endfunction()

# The names that a header has behind a dot or an arrow.
function(gpuprim_member_names out)
  gpuprim_matches(names "(\\.|->)[a-z][a-z_0-9]*" ${ARGN})
  list(TRANSFORM names REPLACE "^(\\.|->)" "")
  list(REMOVE_ITEM names template operator hpp cuh h)
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  list(LENGTH names count)
  if(count LESS 250)
    message(FATAL_ERROR "Only ${count} members found in the headers: are they used in another form?")
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

function(gpuprim_add_header_tests)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_SOURCE_DIR}/include/gpuprim/*.hpp" "${PROJECT_SOURCE_DIR}/include/gpuprim/*.cuh")
  list(SORT headers)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/header_units")

  set(device_sources)
  set(plain_sources)
  set(all "")
  set(all_plain "")
  foreach(header IN LISTS headers)
    set(line "#include <${header}>\n")
    string(APPEND all "${line}")
    string(REGEX REPLACE "[/.]" "_" name "${header}")
    if(GPUPRIM_DEVICE STREQUAL "simt")
      gpuprim_write_if_different("${dir}/${name}.cu" "${line}${line}")
      list(APPEND device_sources "${dir}/${name}.cu")
    endif()
    if(header MATCHES "\\.hpp$")
      string(APPEND all_plain "${line}")
      gpuprim_write_if_different("${dir}/plain/${name}.cpp" "${line}${line}")
      list(APPEND plain_sources "${dir}/plain/${name}.cpp")
    endif()
  endforeach()

  gpuprim_system_includes(system_includes ${headers})
  # min and max as windows.h has them; (std::min)(a, b) and (limits::max)() stay possible.
  set(traps "#undef min\n#undef max\n#define min(a, b) 0_macro_trap_min\n#define max(a, b) 0_macro_trap_max\n")
  foreach(macro IN LISTS GPUPRIM_MACRO_TRAPS)
    string(APPEND traps "#undef ${macro}\n#define ${macro} 0_macro_trap_${macro}\n")
  endforeach()
  gpuprim_write_if_different("${dir}/together.cu" "${all}")
  gpuprim_write_if_different("${dir}/traps.cu" "${system_includes}${traps}${all}")
  set(no_operators "")
  foreach(macro HALF_OPERATORS HALF_CONVERSIONS HALF2_OPERATORS BFLOAT16_OPERATORS BFLOAT16_CONVERSIONS
      BFLOAT162_OPERATORS)
    string(APPEND no_operators "#define __CUDA_NO_${macro}__\n")
  endforeach()
  string(APPEND no_operators "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n")
  gpuprim_write_if_different("${dir}/half.cu" "${no_operators}${all}")
  set_source_files_properties("${dir}/half.cu" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  gpuprim_write_if_different("${dir}/no_exceptions.cu"
    "#if defined(__cpp_exceptions)\n#error this unit has exceptions\n#endif\n${all}")
  gpuprim_without_exceptions("${dir}/no_exceptions.cu")
  gpuprim_member_names(members ${headers})
  set(functions "struct of_user {};\n")
  set(templates "")
  foreach(name IN LISTS members)
    string(APPEND functions "void ${name}(of_user);\ntemplate <class T> void ${name}(of_user, T);\n")
    if(NOT name STREQUAL "round")  # the toolkit calls that one of the C library behind the program's code
      string(APPEND templates "template <class> struct ${name} {};\n")
    endif()
  endforeach()
  # Of a namespace, for some are names of the C library.
  set(templates "namespace of_user {\n${templates}}\nusing namespace of_user;\n")
  gpuprim_write_if_different("${dir}/before_functions.cu" "${functions}${all}")
  gpuprim_write_if_different("${dir}/before_templates.cu" "${system_includes}${templates}${all}")
  gpuprim_write_if_different("${dir}/before_using.cu"
    "${system_includes}namespace cuda::std {}\nusing namespace std;\nusing namespace cuda::std;\n${all}")
  gpuprim_write_if_different("${dir}/main.cpp" "int main() {}\n")
  list(APPEND device_sources "${dir}/together.cu")
  if(NOT GPUPRIM_TESTS_COMPILE_ONLY)
    foreach(unit IN ITEMS traps half no_exceptions before_functions before_templates before_using)
      list(APPEND device_sources "${dir}/${unit}.cu")
    endforeach()
  endif()
  gpuprim_add_executable(header_tests ${device_sources} "${dir}/main.cpp")
  target_link_libraries(header_tests PRIVATE gpuprim::nccl)
  add_test(NAME headers COMMAND header_tests)

  # Some systems keep the toolkit's headers where every compiler finds them: these stand before them.
  foreach(header IN ITEMS cuda.h cuda_runtime.h cuda_runtime_api.h cuda_fp16.h cuda_bf16.h cuda_fp8.h
      cooperative_groups.h
      vector_types.h vector_functions.h driver_types.h)
    gpuprim_write_if_different("${dir}/no_cuda/${header}" "#error a .hpp includes a CUDA header, ${header}\n")
  endforeach()
  add_library(header_tests_plain OBJECT ${plain_sources})
  target_include_directories(header_tests_plain BEFORE PRIVATE "${dir}/no_cuda")
  target_link_libraries(header_tests_plain PRIVATE gpuprim::gpuprim)
  gpuprim_target_warnings(header_tests_plain)

  if(GPUPRIM_DEVICE STREQUAL "simt")
    gpuprim_deleted_functions(deleted ${headers})
    gpuprim_write_if_different("${dir}/names/user_names.inc" "${deleted}")
    gpuprim_compile_only_command(compile)
    add_test(NAME headers.names COMMAND ${compile} -fsyntax-only -x c++ "$<$<BOOL:${GPUPRIM_WERROR}>:-Werror>" "-I${dir}/names"
      "${PROJECT_SOURCE_DIR}/tests/interop/user_names.cu" COMMAND_EXPAND_LISTS)
  endif()

  if(GPUPRIM_DEVICE STREQUAL "simt" AND "cxx_std_23" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
    gpuprim_write_if_different("${dir}/cxx23.cu" "${all}")
    gpuprim_write_if_different("${dir}/cxx23_plain.cpp" "${all_plain}")
    add_library(header_tests_cxx23 OBJECT "${dir}/cxx23.cu")
    gpuprim_target_device(header_tests_cxx23 "${dir}/cxx23.cu")
    target_link_libraries(header_tests_cxx23 PRIVATE gpuprim::nccl)
    add_library(header_tests_cxx23_plain OBJECT "${dir}/cxx23_plain.cpp")
    target_link_libraries(header_tests_cxx23_plain PRIVATE gpuprim::gpuprim)
    gpuprim_target_warnings(header_tests_cxx23_plain)
    set_target_properties(header_tests_cxx23 header_tests_cxx23_plain PROPERTIES CXX_STANDARD 23)
  endif()
endfunction()
