# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One case of the package test, see CMakeLists.txt for the variables. Each case works in an empty folder, and has its steps
# below or in a file of its name.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# On the SIMT device no toolkit may be needed: the projects see neither nvcc nor the toolkit's variables.
if(DEVICE STREQUAL "simt")
  string(REPLACE ":" ";" folders "$ENV{PATH}")
  set(path)
  foreach(folder IN LISTS folders)
    if(NOT EXISTS "${folder}/nvcc")
      list(APPEND path "${folder}")
    endif()
  endforeach()
  string(REPLACE ";" ":" path "${path}")
  set(ENV{PATH} "${path}")
  foreach(variable IN ITEMS CUDACXX CUDA_HOME CUDA_PATH CPATH LIBRARY_PATH)
    unset(ENV{${variable}})
  endforeach()
  set(toolchain "-DCMAKE_CXX_COMPILER=${CXX}" -DUSE_SIMT=ON)
else()
  set(toolchain "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CUDA_COMPILER=${CUDA}" -DUSE_SIMT=OFF)
endif()
list(APPEND toolchain -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "failed (${status}): ${command}")
  endif()
endfunction()

execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET)

# Configures and builds a project; runs its program where this machine can.
function(build_and_run folder program)
  run("${CMAKE_COMMAND}" -S "${folder}" -B "${WORK}/build" ${toolchain} ${ARGN})
  run("${CMAKE_COMMAND}" --build "${WORK}/build")
  if(DEVICE STREQUAL "simt" OR no_gpu EQUAL 0)
    run("${WORK}/build/${program}")
  endif()
  if(DEVICE STREQUAL "simt")
    # CUDA's headers may only be the SIMT device's, wherever else this machine has some.
    file(GLOB_RECURSE dependencies "${WORK}/build/m*.cu.o.d")
    file(STRINGS "${dependencies}" lines REGEX "cuda|cooperative_groups|vector_types")
    foreach(line IN LISTS lines)
      string(REGEX MATCHALL "/[^ ]*(cuda|cooperative_groups|vector_types)[^ /]*\\.(h|hpp)" files "${line}")
      foreach(file IN LISTS files)
        if(NOT file MATCHES "^(${SOURCE}|${WORK})/")
          message(FATAL_ERROR "a project for the SIMT device took a header of the toolkit: ${file}")
        endif()
      endforeach()
    endforeach()
  endif()
endfunction()

# need(<variable> <program> <sentence>): the program's path. Where there is none, the case ends as skipped, with the
# sentence. `make test` installs what it can into build/package_tools.
macro(need variable program sentence)
  find_program(${variable} ${program} HINTS "${SOURCE}/build/package_tools/bin")
  if(NOT ${variable})
    message("skipped: ${sentence}")
    return()
  endif()
endmacro()

# The answer of a command, without the end of its line.
function(ask out)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "failed (${status}): ${command}")
  endif()
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

function(expect_equal what got wanted)
  if(NOT got STREQUAL wanted)
    message(FATAL_ERROR "${what}: got '${got}', expected '${wanted}'")
  endif()
endfunction()

function(expect_matches what got pattern)
  if(NOT got MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: got '${got}', expected '${pattern}'")
  endif()
endfunction()

# Every public header is in a folder, and nothing else.
function(expect_headers folder)
  file(GLOB_RECURSE expected RELATIVE "${SOURCE}/include" "${SOURCE}/include/*")
  file(GLOB_RECURSE installed RELATIVE "${folder}" "${folder}/gpuprim/*")
  expect_equal("the headers in ${folder}" "${installed}" "${expected}")
endfunction()

set(prefix "${WORK}/prefix")
function(install_package)
  set(config)
  if(CONFIG)  # empty in a tree without a build type
    set(config --config "${CONFIG}")
  endif()
  run("${CMAKE_COMMAND}" --install "${BUILD}" ${config} --prefix "${prefix}")
endfunction()

# A project that a page shows, with a file for the one that it names.
function(build_page_project source name)
  file(REMOVE_RECURSE "${WORK}/build" "${WORK}/project")
  file(COPY "${SOURCE}/tests/package/${CASE}/CMakeLists.txt" DESTINATION "${WORK}/project")
  file(COPY "${SOURCE}/examples/measure.hpp" DESTINATION "${WORK}")  # where the examples expect it
  configure_file("${source}" "${WORK}/project/${name}" COPYONLY)
  build_and_run("${WORK}/project" mine ${ARGN})
endfunction()

if(CASE STREQUAL "find_package")
  install_package()
  build_and_run("${SOURCE}/examples/consumer" consumer "-DCMAKE_PREFIX_PATH=${prefix}")

  # Every public header is there, and the licence.
  expect_headers("${prefix}/include")
  if(NOT EXISTS "${prefix}/share/licenses/gpuprim/LICENSE")
    message(FATAL_ERROR "the licence is not installed")
  endif()

  # Requests for the next minor version and for the one before are refused.
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" minor_version "${VERSION}")
  set(major "${CMAKE_MATCH_1}")
  foreach(other IN ITEMS "${CMAKE_MATCH_2} + 1" "${CMAKE_MATCH_2} - 1")
    math(EXPR other "${other}")
    find_package(gpuprim ${major}.${other} QUIET PATHS "${prefix}" NO_DEFAULT_PATH)
    if(gpuprim_FOUND OR NOT gpuprim_CONSIDERED_VERSIONS STREQUAL VERSION)
      message(FATAL_ERROR "version check: found ${gpuprim_FOUND}, considered '${gpuprim_CONSIDERED_VERSIONS}'")
    endif()
  endforeach()

  # A request for a component that was not installed is refused with the reason.
  if(DEVICE STREQUAL "cuda")
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}/examples/consumer" -B "${WORK}/no_simt"
      "-DCMAKE_PREFIX_PATH=${prefix}" -DUSE_SIMT=ON RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(status EQUAL 0 OR NOT out MATCHES "installed without the component simt")
      message(FATAL_ERROR "the missing component was not refused:\n${out}")
    endif()
  endif()
elseif(CASE STREQUAL "page_find")
  install_package()
  foreach(example IN ITEMS library/00_reduce course/03_04_transpose)
    build_page_project("${SOURCE}/examples/${example}.cu" 00_reduce.cu "-DCMAKE_PREFIX_PATH=${prefix}")
  endforeach()
elseif(CASE STREQUAL "page_simt")
  install_package()
  build_page_project("${SOURCE}/examples/consumer/main.cu" mine.cu "-DCMAKE_PREFIX_PATH=${prefix}")
elseif(CASE STREQUAL "page_distributed")
  install_package()
  # Without NCCL the components are refused with the reason.
  foreach(component IN ITEMS distributed nccl)
    file(WRITE "${WORK}/none/CMakeLists.txt"
      "cmake_minimum_required(VERSION 3.25)\nproject(none LANGUAGES NONE)\n"
      "set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)\nset(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)\n"
      "find_package(gpuprim REQUIRED COMPONENTS ${component})\n")
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/none" -B "${WORK}/no_${component}" -G "${GENERATOR}"
      "-DCMAKE_PREFIX_PATH=${prefix}" RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(status EQUAL 0 OR NOT out MATCHES "NCCL is not found: set NCCL_ROOT")
      message(FATAL_ERROR "a missing NCCL was not refused:\n${out}")
    endif()
  endforeach()
  # The version of the component is that of its header.
  file(READ "${prefix}/include/gpuprim/distributed/version.hpp" header)
  set(own_version)
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    string(REGEX MATCH "#define GPUPRIM_DISTRIBUTED_VERSION_${part} ([0-9]+)" line "${header}")
    list(APPEND own_version "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN own_version "." own_version)
  # The stand-in, as NCCL would be installed.
  file(COPY "${SOURCE}/tests/support/nccl/nccl.h" DESTINATION "${WORK}/nccl/include")
  configure_file("${BUILD}/libgpuprim_nccl.a" "${WORK}/nccl/lib/libnccl.a" COPYONLY)
  build_page_project("${SOURCE}/examples/distributed/one_process.cu" mine.cu "-DCMAKE_PREFIX_PATH=${prefix}"
    "-DNCCL_ROOT=${WORK}/nccl" "-DEXPECTED_VERSION=${own_version}")
elseif(CASE STREQUAL "page_fetch")
  set(own_architecture)
  if(NOT no_gpu EQUAL 0)  # where there is none, CMake finds no native architecture
    file(WRITE "${WORK}/architecture.cmake" "set(CMAKE_CUDA_ARCHITECTURES 90)\n")
    set(own_architecture "-DCMAKE_PROJECT_mine_INCLUDE=${WORK}/architecture.cmake")
  endif()
  build_page_project("${SOURCE}/tests/package/page_fetch/mine.cu" mine.cu
    "-DFETCHCONTENT_SOURCE_DIR_GPUPRIM=${SOURCE}" ${own_architecture})
elseif(EXISTS "${CMAKE_CURRENT_LIST_DIR}/${CASE}.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/${CASE}.cmake")
elseif(CASE STREQUAL "add_subdirectory")
  build_and_run("${SOURCE}/tests/package/embed" consumer "-DGPUPRIM_SOURCE=${SOURCE}" "-DEMBED=${CASE}")
else()
  # The project checks itself while it is configured.
  run("${CMAKE_COMMAND}" -S "${SOURCE}/tests/package/embed" -B "${WORK}/build" ${toolchain}
    "-DGPUPRIM_SOURCE=${SOURCE}" "-DEMBED=${CASE}")
endif()
file(REMOVE_RECURSE "${WORK}")
