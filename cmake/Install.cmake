# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Install rules: headers, licence, the CMake package `gpuprim` with its optional components `simt`, `distributed` and
# `nccl`, and files for pkg-config. The component `headers` is one for all machines; `simt` is what the host SIMT device adds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/gpuprim")

install(DIRECTORY include/gpuprim DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT headers)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/gpuprim" COMPONENT headers)

# Two export sets, so that a user of the headers alone needs none of what the host SIMT device needs.
install(TARGETS gpuprim EXPORT gpuprimHeaderTargets)
install(EXPORT gpuprimHeaderTargets FILE gpuprimTargets.cmake NAMESPACE gpuprim:: DESTINATION "${package_dir}"
  COMPONENT headers)
configure_file(cmake/gpuprim.pc.in "${PROJECT_BINARY_DIR}/gpuprim.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/gpuprim.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig" COMPONENT headers)
if(TARGET gpuprim_simt)
  install(FILES simt/gpuprim_simt_sources.cmake simt/compile.sh simt/cuda_syntax.sed DESTINATION "${package_dir}" COMPONENT simt)
  install(EXPORT gpuprimTargets FILE gpuprimSimtTargets.cmake NAMESPACE gpuprim:: DESTINATION "${package_dir}"
    COMPONENT simt)
  get_target_property(simt_libraries gpuprim_simt INTERFACE_LINK_LIBRARIES)
  set(simt_boost)
  if("Boost::context" IN_LIST simt_libraries)
    set(simt_boost -lboost_context)
  endif()
  # The flags of a sanitizer are properties of the target, which are known when the build files are written.
  file(RELATIVE_PATH simt_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  configure_file(cmake/gpuprim-simt.pc.in "${PROJECT_BINARY_DIR}/gpuprim-simt.pc.in" @ONLY)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/gpuprim-simt.pc" INPUT "${PROJECT_BINARY_DIR}/gpuprim-simt.pc.in"
    TARGET gpuprim_simt)
  install(FILES "${PROJECT_BINARY_DIR}/gpuprim-simt.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT simt)
endif()

# The component of several GPUs has a version of its own.
file(READ include/gpuprim/distributed/version.hpp distributed_header)
set(GPUPRIM_DISTRIBUTED_VERSION)
foreach(part IN ITEMS MAJOR MINOR PATCH)
  if(NOT distributed_header MATCHES "#define GPUPRIM_DISTRIBUTED_VERSION_${part} ([0-9]+)")
    message(FATAL_ERROR "gpuprim/distributed/version.hpp does not define GPUPRIM_DISTRIBUTED_VERSION_${part}")
  endif()
  list(APPEND GPUPRIM_DISTRIBUTED_VERSION "${CMAKE_MATCH_1}")
endforeach()
list(JOIN GPUPRIM_DISTRIBUTED_VERSION "." GPUPRIM_DISTRIBUTED_VERSION)
configure_package_config_file(cmake/gpuprimConfig.cmake.in "${PROJECT_BINARY_DIR}/gpuprimConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Headers only: the package fits every architecture. Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuprimConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/gpuprimConfig.cmake" "${PROJECT_BINARY_DIR}/gpuprimConfigVersion.cmake"
  cmake/gpuprim_find_nccl.cmake
  DESTINATION "${package_dir}" COMPONENT headers)

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/Debian.cmake)
endif()
