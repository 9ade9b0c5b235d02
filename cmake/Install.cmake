# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Install rules: headers, licence, and the CMake package `gpuprim` with its optional components `simt` and `nccl`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gpuprim")

install(DIRECTORY include/gpuprim DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/gpuprim")

# Two export sets, so that a user of the headers alone needs none of what the host SIMT device needs.
install(TARGETS gpuprim EXPORT gpuprimHeaderTargets)
install(EXPORT gpuprimHeaderTargets FILE gpuprimTargets.cmake NAMESPACE gpuprim:: DESTINATION "${package_dir}")
set(simt_needs_boost OFF)
if(TARGET gpuprim_simt)
  install(FILES simt/gpuprim_simt_sources.cmake simt/compile.sh DESTINATION "${package_dir}")
  install(EXPORT gpuprimTargets FILE gpuprimSimtTargets.cmake NAMESPACE gpuprim:: DESTINATION "${package_dir}")
  get_target_property(simt_libraries gpuprim_simt INTERFACE_LINK_LIBRARIES)
  if("Boost::context" IN_LIST simt_libraries)
    set(simt_needs_boost ON)
  endif()
endif()

configure_package_config_file(cmake/gpuprimConfig.cmake.in "${PROJECT_BINARY_DIR}/gpuprimConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Headers only: the package fits every architecture. Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuprimConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/gpuprimConfig.cmake" "${PROJECT_BINARY_DIR}/gpuprimConfigVersion.cmake"
  cmake/gpuprim_find_nccl.cmake
  DESTINATION "${package_dir}")
