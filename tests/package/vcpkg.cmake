# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The overlay port, installed by vcpkg into an empty root.
find_program(vcpkg vcpkg HINTS "$ENV{VCPKG_ROOT}" "$ENV{VCPKG_INSTALLATION_ROOT}")
find_program(ninja ninja)
if(NOT vcpkg OR NOT ninja)
  message("skipped: vcpkg (in PATH or VCPKG_ROOT) or Ninja is not installed; package.vcpkg_port tries the port without it")
  return()
endif()
set(ENV{VCPKG_FORCE_SYSTEM_BINARIES} 1)  # it would fetch its own CMake and Ninja
run("${vcpkg}" install gpuprim "--overlay-ports=${SOURCE}/packaging/vcpkg" --binarysource=clear
  "--downloads-root=${WORK}/downloads" "--x-install-root=${WORK}/installed"
  "--x-buildtrees-root=${WORK}/buildtrees" "--x-packages-root=${WORK}/packages")
file(GLOB config "${WORK}/installed/*/share/gpuprim/gpuprimConfig.cmake")
get_filename_component(root "${config}/../../.." ABSOLUTE)
expect_headers("${root}/include")
build_and_run("${SOURCE}/packaging/conan/test_package" mine "-DCMAKE_PREFIX_PATH=${root}" -DUSE_SIMT=OFF)
