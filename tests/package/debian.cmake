# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Debian packages of this tree, unpacked into an empty root.
need(dpkg_deb dpkg-deb "there is no dpkg-deb on this machine, so no Debian package is made")
get_filename_component(tools "${CMAKE_COMMAND}" DIRECTORY)
# Another generator than the tree's, so that CPack does not build the whole tree first.
run("${tools}/cpack" --config "${BUILD}/CPackConfig.cmake" -D CPACK_CMAKE_GENERATOR=Ninja -B "${WORK}/packages")
file(GLOB packages "${WORK}/packages/*.deb")
set(names)
foreach(package IN LISTS packages)
  ask(name "${dpkg_deb}" --field "${package}" Package)
  ask(version "${dpkg_deb}" --field "${package}" Version)
  expect_equal("the version of ${name}" "${version}" "${VERSION}")
  ask(depends "${dpkg_deb}" --field "${package}" Depends)
  list(APPEND names "${name}(${depends})")
  run("${dpkg_deb}" --extract "${package}" "${WORK}/root")
  if(NOT EXISTS "${WORK}/root/usr/share/doc/${name}/copyright")
    message(FATAL_ERROR "${name} has no licence")
  endif()
endforeach()
expect_matches("the packages" "${names}"
  "^libgpuprim-dev[(][)];libgpuprim-simt-dev[(]libgpuprim-dev [(]= ${VERSION}[)](, libboost-context-dev)?[)]$")
expect_headers("${WORK}/root/usr/include")
build_and_run("${SOURCE}/examples/consumer" consumer "-DCMAKE_PREFIX_PATH=${WORK}/root/usr")
