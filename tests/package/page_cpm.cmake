# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The project that docs/install.md shows for CPM, with what the C++ compiler alone can compile of the headers.
if(NOT EXISTS "$ENV{GPUPRIM_CPM}")
  message("skipped: no registry has CPM, and GPUPRIM_CPM does not say where CPM.cmake is, so it is not tried")
  return()
endif()
file(COPY "${CMAKE_CURRENT_LIST_DIR}/page_cpm/CMakeLists.txt" DESTINATION "${WORK}/project")
file(COPY_FILE "${SOURCE}/packaging/conan/test_package/operators.cpp" "${WORK}/project/mine.cpp")
configure_file("$ENV{GPUPRIM_CPM}" "${WORK}/project/cmake/CPM.cmake" COPYONLY)
build_and_run("${WORK}/project" mine "-DCPM_gpuprim_SOURCE=${SOURCE}")
