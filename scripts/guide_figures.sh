#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures on this machine's GPU all that the guide shows: the programs of the course, the ladder, and the hardware
# counters of both. Then it draws their pictures, with the roofline, and writes the tables of the pages. What is left to
# do by hand is the text of the chapters that names figures.
#   NCU        Nsight Compute, where it is not in the PATH
. "$(dirname "$0")/common.sh"
have_gpu || { echo "scripts/guide_figures.sh needs an NVIDIA GPU; nvidia-smi lists none." >&2; exit 1; }
command -v "${NCU:-ncu}" >/dev/null || { echo "scripts/guide_figures.sh needs Nsight Compute; NCU names it." >&2; exit 1; }
python3 -c 'import matplotlib' || { echo "scripts/guide_figures.sh needs matplotlib." >&2; exit 1; }
scripts/ladder.sh
use_examples guide
export EXAMPLES
scripts/profile.sh
scripts/curves.sh
scripts/roofline.py "benchmarks/results/$(gpu_name)"
scripts/results_tables.py --write
