# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the other scripts: repository root, job count, and what this machine has.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
# A calling make must not pass its own settings on to the builds.
unset MAKEFLAGS MFLAGS MAKELEVEL || true
jobs=${GPUPRIM_JOBS:-$(nproc)}

# nvcc from PATH or from the toolkit's usual folder; GPUPRIM_NO_CUDA=1 behaves as if there were none.
have_nvcc() {
  [ -z "${GPUPRIM_NO_CUDA:-}" ] || return 1
  command -v nvcc >/dev/null 2>&1 && return 0
  [ -x /usr/local/cuda/bin/nvcc ] && PATH=$PATH:/usr/local/cuda/bin && export PATH
}

have_gpu() {
  command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi -L 2>/dev/null | grep -q '^GPU '
}

# quiet <log> <command...>: shows the output only if the command fails. Meanwhile it says what runs and where the output is,
# and once a minute for how long and what the output's last line is.
quiet() {
  quiet_log=$1
  shift
  mkdir -p "$(dirname "$quiet_log")"
  echo "$*: the output is in $quiet_log" >&2
  quiet_minutes=0
  while sleep 60 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    quiet_minutes=$((quiet_minutes + 1))
    echo "$quiet_minutes min: $(tail -n 1 "$quiet_log")" >&2
  done &
  quiet_watcher=$!
  quiet_status=0
  "$@" >"$quiet_log" 2>&1 </dev/null || quiet_status=$?
  kill "$quiet_watcher"
  if [ "$quiet_status" != 0 ]; then
    cat "$quiet_log"
    echo "failed: $*" >&2
    return 1
  fi
}

# The name of this machine's GPU as results and plots are called after it.
gpu_name() {
  nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr 'A-Z ' 'a-z_' | tr -cd 'a-z0-9_-'
}
# draw [name...]: the pictures of these names, or all, of this GPU's results, into docs/plots/, where matplotlib is there.
draw() {
  if python3 -c 'import matplotlib' 2>/dev/null; then
    scripts/plots.py "benchmarks/results/$(gpu_name)" docs/plots "$@"
  else
    echo "no plots: python3 has no matplotlib here"
  fi
}

# The option that compiles for this machine's GPU, which need not be the preset's.
for_own_gpu() {
  echo "-DCMAKE_CUDA_ARCHITECTURES=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)"
}

# use_examples <name>: sets EXAMPLES to a folder with the examples, built for this machine's GPU if it is not set.
use_examples() {
  [ -z "${EXAMPLES:-}" ] || return 0
  scripts/bootstrap.sh demo
  quiet "build/$1-configure.log" cmake --preset cuda -B "build/$1" -DGPUPRIM_BUILD_TESTS=OFF \
    -DCMAKE_CUDA_ARCHITECTURES=native
  quiet "build/$1-build.log" cmake --build "build/$1" -j "$jobs"
  EXAMPLES=build/$1/examples
}

# use_pinned <tool>: sets tool to the program of that package of Python in the version that .pre-commit-config.yaml pins,
# which is installed into build/lint_tools if it is not there.
use_pinned() {
  tool=build/lint_tools/bin/$1
  version=$(sed -n "s/.*\\b$1==\\([0-9.]*\\).*/\\1/p" .pre-commit-config.yaml)
  [ -n "$version" ] || { echo "$1 is not pinned in .pre-commit-config.yaml" >&2; exit 1; }
  build/lint_tools/bin/python3 -m pip show -q "$1" 2>/dev/null && "$tool" --version | grep -q "$version" && return 0
  echo "installing $1 $version by pip into build/lint_tools" >&2
  python3 -m venv build/lint_tools
  build/lint_tools/bin/python3 -m pip install -q "$1==$version"
}
