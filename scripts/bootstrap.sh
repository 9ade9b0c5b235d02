#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# scripts/bootstrap.sh demo|check|test|bench|docs: installs the packages that are missing (Debian, Ubuntu and their kin).
# g++ 12 or newer and cmake 3.25 or newer are needed, but for the docs: where there are none, the distribution's are
# installed. nvcc for the CUDA lanes is expected to be there.
# scripts/bootstrap.sh packages: gets what the tests of packages can be skipped without, if that is to be had.
set -eu
cd "$(dirname "$0")/.."
purpose=${1:-test}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}
fail() {
  echo "bootstrap: $*" >&2
  exit 1
}

# What counts is that the compiler finds the headers, however they were installed.
has_header() {
  echo "#include <$1>" | g++ -x c++ -std=c++20 -fsyntax-only - >/dev/null 2>&1
}
has_catch2_3() {
  has_header catch2/catch_session.hpp && has_header catch2/catch_test_macros.hpp
}

# With nvcc, the checks of the generated code read SASS too, if the toolkit's cuobjdump is here. They do without it.
get_cuobjdump() {
  [ -x /usr/local/cuda/bin/nvcc ] || command -v nvcc >/dev/null 2>&1 || return 0
  [ ! -x /usr/local/cuda/bin/cuobjdump ] || return 0
  ! command -v cuobjdump >/dev/null 2>&1 || return 0
  python3 -m pip show -q nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm >/dev/null 2>&1 && return 0
  echo "bootstrap: installing nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm by pip, for the checks of the generated code"
  python3 -m pip install -q --retries 0 nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm >/dev/null 2>&1 </dev/null ||
    echo "bootstrap: no cuobjdump and pip did not get it: SASS will not be checked"
}

# Conan and rattler-build are in an environment of Python of their own, in the build folder.
get_package_tools() {
  wanted=
  command -v pkg-config >/dev/null 2>&1 || wanted="$wanted pkg-config"
  python3 -c 'import ensurepip' >/dev/null 2>&1 || wanted="$wanted python3-venv"
  if [ -n "$wanted" ]; then
    echo "bootstrap: installing$wanted by apt-get, for the tests of the packages"
    { as_root apt-get -q update && as_root apt-get -q -y install --no-install-recommends $wanted; } >/dev/null 2>&1 </dev/null ||
      echo "bootstrap: apt-get did not get them, so some tests of the packages will be skipped"
  fi
  command -v conan >/dev/null 2>&1 && python3 -c 'import rattler_build' 2>/dev/null && return 0
  build/package_tools/bin/python3 -c 'import conan, rattler_build' 2>/dev/null && return 0
  echo "bootstrap: installing conan and py-rattler-build by pip into build/package_tools, for the tests of the packages"
  { python3 -m venv build/package_tools &&
    build/package_tools/bin/python3 -m pip install -q --retries 0 conan py-rattler-build; } >/dev/null 2>&1 </dev/null ||
    echo "bootstrap: pip did not get them, so package.conan and package.conda will be skipped"
}
# What the Python package is built and tested with, in an environment of its own too.
get_python_tools() {
  if ! python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
    echo "bootstrap: installing python3-dev by apt-get, for the Python package"
    { as_root apt-get -q update && as_root apt-get -q -y install --no-install-recommends python3-dev; } >/dev/null 2>&1 </dev/null ||
      echo "bootstrap: apt-get did not get it, so package.python will be skipped"
  fi
  build/python_tools/bin/python3 -c 'import ml_dtypes, nanobind, numpy, pytest, scikit_build_core' 2>/dev/null && return 0
  echo "bootstrap: installing nanobind, scikit-build-core, NumPy, pytest and ml_dtypes by pip into build/python_tools"
  { python3 -m venv build/python_tools &&
    build/python_tools/bin/python3 -m pip install -q --retries 0 nanobind scikit-build-core numpy pytest ml_dtypes; } \
    >/dev/null 2>&1 </dev/null || echo "bootstrap: pip did not get them, so package.python will be skipped"
}
if [ "$purpose" = packages ]; then
  get_package_tools
  get_python_tools
  exit 0
fi

missing=
need_catch2=
if [ "$purpose" != docs ]; then
  for tool in g++ cmake make git; do
    command -v $tool >/dev/null 2>&1 || missing="$missing $tool"
  done
  has_header boost/context/detail/fcontext.hpp || missing="$missing libboost-context-dev"
fi
need_doxygen() {
  command -v doxygen >/dev/null 2>&1 || missing="$missing doxygen"
  [ -r /usr/share/doxygen-awesome-css/doxygen-awesome.css ] || missing="$missing doxygen-awesome-css"
}
case $purpose in
  demo) ;;
  check | test)
    has_catch2_3 || need_catch2=1
    # The checks of the docs and of the generated code are written in Python.
    command -v python3 >/dev/null 2>&1 || missing="$missing python3"
    if [ "$purpose" = test ]; then
      need_doxygen
      get_cuobjdump
    fi
    ;;
  bench)
    has_header benchmark/benchmark.h || missing="$missing libbenchmark-dev"
    # The tables are written in Python; the plots need matplotlib as well, and are left out without it.
    command -v python3 >/dev/null 2>&1 || missing="$missing python3"
    ;;
  docs)
    command -v python3 >/dev/null 2>&1 || missing="$missing python3"
    need_doxygen
    ;;
  *) fail "unknown purpose '$purpose'; use demo, check, test, bench or docs" ;;
esac
[ -n "$missing$need_catch2" ] || exit 0

command -v apt-get >/dev/null 2>&1 ||
  fail "missing:$missing${need_catch2:+ catch2 (3 or newer)}; there is no apt-get here, so install them by hand"
[ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null ||
  fail "missing:$missing${need_catch2:+ catch2 (3 or newer)}; run this as root, or install them by hand"

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    fail "apt-get $* failed"
  fi
}
candidate_major() {
  apt-cache policy catch2 | sed -n 's/^ *Candidate: *\([0-9]*\:\)\{0,1\}\([0-9]*\)\..*/\2/p'
}

echo "bootstrap: installing$missing${need_catch2:+ catch2} by apt-get"
apt update
[ -z "$missing" ] || apt install --no-install-recommends $missing
[ -n "$need_catch2" ] || exit 0

major=$(candidate_major)
if [ "${major:-0}" -ge 3 ]; then
  apt install --no-install-recommends catch2
else
  # Debian 12 has Catch2 2 in main and Catch2 3 in its backports, at the mirror this machine already uses.
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  [ -n "$codename" ] || fail "Catch2 3 is not in this distribution; install it by hand"
  backports=$codename-backports
  if ! apt-get indextargets --format '$(RELEASE)' 'Created-By: Packages' | grep -qx "$backports"; then
    site=$(apt-get indextargets --format '$(SITE)|$(RELEASE)' 'Created-By: Packages' |
      sed -n "s/|$codename\$//p" | head -n 1)
    [ -n "$site" ] || fail "no package mirror for $codename is configured; install Catch2 3 by hand"
    echo "bootstrap: adding $backports of the mirror in use to /etc/apt/sources.list.d, because catch2 there is 3"
    echo "deb $site $backports main" |
      as_root tee "/etc/apt/sources.list.d/$backports.list" >/dev/null
    apt update
  fi
  apt install --no-install-recommends -t "$backports" catch2
fi
has_catch2_3 || fail "Catch2 was installed, but it is older than 3; install Catch2 3 by hand"
