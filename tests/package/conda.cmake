# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The conda package of the headers, built by rattler-build, with the host SIMT device of this tree added to it.
need(python python3 "there is no Python on this machine, so the conda recipe is not built")
execute_process(COMMAND "${python}" -c "import rattler_build" RESULT_VARIABLE status ERROR_QUIET)
if(NOT status EQUAL 0)
  message("skipped: rattler-build is not installed (python3 -m pip install py-rattler-build), so the conda recipe is not built")
  return()
endif()
set(ENV{HOME} "${WORK}/home")  # its caches
run("${python}" "${CMAKE_CURRENT_LIST_DIR}/conda.py" "${SOURCE}/packaging/conda/recipe.yaml" "${WORK}/channel")
file(MAKE_DIRECTORY "${prefix}")
file(GLOB package "${WORK}/channel/noarch/gpuprim-${VERSION}-*.tar.bz2")
run("${CMAKE_COMMAND}" -E chdir "${prefix}" "${CMAKE_COMMAND}" -E tar xf "${package}")
expect_headers("${prefix}/include")
run("${CMAKE_COMMAND}" --install "${BUILD}" --component simt --prefix "${prefix}")
build_and_run("${SOURCE}/examples/consumer" consumer "-DCMAKE_PREFIX_PATH=${prefix}")
