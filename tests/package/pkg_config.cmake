# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The installed package, found by pkg-config alone.
need(pkg_config pkg-config "there is no pkg-config on this machine, so its files are not tried")
install_package()
file(GLOB_RECURSE files "${prefix}/*.pc")
list(TRANSFORM files REPLACE "/[^/]*$" "")
string(JOIN ":" folders ${files})
set(ENV{PKG_CONFIG_LIBDIR} "${folders}")
ask(version "${pkg_config}" --modversion gpuprim)
expect_equal("the version" "${version}" "${VERSION}")
ask(flags "${pkg_config}" --cflags gpuprim-simt)
ask(libraries "${pkg_config}" --libs gpuprim-simt)
separate_arguments(flags)
separate_arguments(libraries)
run("${CXX}" -std=c++20 ${flags} -x c++ "${SOURCE}/examples/library/55_first_program.cu" -x none ${libraries}
  -o "${WORK}/mine")
run("${WORK}/mine")
