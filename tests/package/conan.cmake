# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The package of Conan, without and with the host SIMT device, and the test package beside its recipe.
need(conan conan "Conan is not installed (python3 -m pip install conan), so its recipe is not built")
set(ENV{CONAN_HOME} "${WORK}/conan")
run("${conan}" profile detect)
foreach(simt IN ITEMS False True)
  run("${conan}" create "${SOURCE}/packaging/conan" --no-remote -o "&:simt=${simt}"
    -c "tools.cmake.cmake_layout:test_folder=${WORK}/test-${simt}")
endforeach()
ask(packages "${conan}" list "gpuprim/${VERSION}:*" --format=compact)
expect_matches("Conan's packages" "${packages}" "gpuprim/${VERSION}#.*simt=True")
