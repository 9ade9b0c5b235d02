# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The package of Conan, without and with the host SIMT device, and the test package beside its recipe.
need(conan conan "Conan is not installed (python3 -m pip install conan), so its recipe is not built")
set(ENV{CONAN_HOME} "${WORK}/conan")
run("${conan}" profile detect)
foreach(simt IN ITEMS False True)
  run("${conan}" create "${SOURCE}/packaging/conan" --no-remote -o "&:simt=${simt}"
    -c "tools.cmake.cmake_layout:test_folder=${WORK}/test-${simt}")
endforeach()
file(GLOB folders "${WORK}/conan/p/b/gpupr*/p/include")
list(LENGTH folders count)
expect_equal("the packages of Conan" "${count}" 2)
foreach(folder IN LISTS folders)
  expect_headers("${folder}")
endforeach()
