# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The device that this build tree compiles for, and gpuprim_add_executable, which hides the difference.
#   simt  the .cu files are compiled by the C++ compiler against gpuprim::simt and run on the CPU
#   cuda  the .cu files are compiled by the CUDA compiler and run on a GPU

if(NOT DEFINED GPUPRIM_DEVICE)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(gpuprim_device_default cuda)
  else()
    set(gpuprim_device_default simt)
  endif()
endif()
set(GPUPRIM_DEVICE "${gpuprim_device_default}" CACHE STRING "Device of this build tree: simt or cuda")
set_property(CACHE GPUPRIM_DEVICE PROPERTY STRINGS simt cuda)
if(NOT GPUPRIM_DEVICE MATCHES "^(simt|cuda)$")
  message(FATAL_ERROR "GPUPRIM_DEVICE is '${GPUPRIM_DEVICE}'; it must be simt or cuda")
endif()

if(GPUPRIM_DEVICE STREQUAL "cuda")
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "Compute capabilities to compile for" FORCE)
  endif()
  enable_language(CUDA)
endif()
option(GPUPRIM_FAST_COMPILE "Compile device code fast, to see that it compiles: nobody is to run it" OFF)
# Not what the check caches, which would stay when the option is switched off.
set(gpuprim_fast_compile)
if(GPUPRIM_FAST_COMPILE AND GPUPRIM_DEVICE STREQUAL "cuda")
  include(CheckCompilerFlag)
  check_compiler_flag(CUDA -Ofc=max gpuprim_has_fast_compile)  # toolkits before 12.9 have it not
  if(gpuprim_has_fast_compile)
    set(gpuprim_fast_compile -Ofc=max)
  endif()
endif()
option(GPUPRIM_WERROR "Treat warnings in the tests, examples and benchmarks as errors" OFF)

# gpuprim_target_warnings(<target>): -Wall -Wextra, through nvcc too.
function(gpuprim_target_warnings target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>")
  if(GPUPRIM_WERROR)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-Werror>"
      "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Werror>")
  endif()
endfunction()

# gpuprim_target_device(<target> <sources...>): makes a target of .cu and .cpp files one of this tree's device.
function(gpuprim_target_device target)
  target_link_libraries(${target} PRIVATE gpuprim::gpuprim)
  gpuprim_target_warnings(${target})
  if(GPUPRIM_DEVICE STREQUAL "simt")
    set(cuda_sources ${ARGN})
    list(FILTER cuda_sources INCLUDE REGEX "\\.cu$")
    set_source_files_properties(${cuda_sources} PROPERTIES LANGUAGE CXX)
    target_link_libraries(${target} PRIVATE gpuprim::simt)
    # The C++ compiler does not know "#pragma unroll", which kernels use; it loses nothing by ignoring it.
    target_compile_options(${target} PRIVATE -Wno-unknown-pragmas)
  else()
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda;${gpuprim_fast_compile}>")
    target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
    set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  endif()
endfunction()

# gpuprim_add_executable(<target> <sources...>)
function(gpuprim_add_executable target)
  add_executable(${target} ${ARGN})
  gpuprim_target_device(${target} ${ARGN})
  if(GPUPRIM_DEVICE STREQUAL "cuda")
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CUDA)
  elseif(TARGET gpuprim_test_main)  # where there are tests: its precompiled headers serve examples too
    target_precompile_headers(${target} REUSE_FROM gpuprim_test_main)
  endif()
endfunction()

# gpuprim_add_front_end(<target> <sources...>): nvcc's own passes over what nobody is to run here and whose host code the
# SIMT trees compile: device code becomes PTX, and host code C++ that is not compiled. That is half of its time.
function(gpuprim_add_front_end target)
  add_library(${target} OBJECT ${ARGN})
  gpuprim_target_device(${target} ${ARGN})
  list(GET CMAKE_CUDA_ARCHITECTURES 0 architecture)
  set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES ${architecture}-virtual)
endfunction()
if(GPUPRIM_FAST_COMPILE AND GPUPRIM_DEVICE STREQUAL "cuda")
  # CMake's rule for PTX; the device pass alone would not notice host code that calls a device function.
  set(_CMAKE_CUDA_PTX_FLAG --cuda)
endif()

# gpuprim_add_gpu_program(catch2|plain <target> [argument...]): scripts/gpu_test.sh runs the program where there is a
# GPU, and with the arguments where it is slow: under compute-sanitizer.
function(gpuprim_add_gpu_program kind target)
  list(JOIN ARGN " " arguments)
  set_property(GLOBAL APPEND_STRING PROPERTY gpuprim_gpu_programs
    "${kind} $<PATH:RELATIVE_PATH,$<TARGET_FILE:${target}>,${PROJECT_BINARY_DIR}> ${arguments}\n")
endfunction()

# Writes the list, relative to the build folder, so that the folder can be carried to another machine.
function(gpuprim_write_gpu_programs)
  get_property(programs GLOBAL PROPERTY gpuprim_gpu_programs)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/gpu_tests.txt"
    CONTENT "toolkit ${CMAKE_CUDA_COMPILER_VERSION}\n${programs}")
endfunction()
