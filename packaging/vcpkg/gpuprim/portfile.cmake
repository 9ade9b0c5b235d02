# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An overlay port, made of the checkout around this file: vcpkg install gpuprim --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
if(NOT "simt" IN_LIST FEATURES)
  set(VCPKG_BUILD_TYPE release)  # only headers
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES simt GPUPRIM_BUILD_SIMT)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DGPUPRIM_DEVICE=simt -DGPUPRIM_BUILD_TESTS=OFF -DGPUPRIM_BUILD_EXAMPLES=OFF ${FEATURE_OPTIONS})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/gpuprim)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
