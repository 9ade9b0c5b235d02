# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""matplotlib as the plot scripts use it: SVG whose bytes depend on what is drawn alone."""
import json
import os
import sys

try:
    import matplotlib
except ImportError:
    raise SystemExit(f"{sys.argv[0]}: matplotlib is missing; `python3 -m pip install matplotlib` installs it")
matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "gpuprim", "svg.fonttype": "none", "font.size": 9})
from matplotlib import pyplot  # noqa: E402  (after the choice of the backend)


def read_arguments(parser):
    """The arguments, of which the last two are RESULTS.json and a folder that is made; and the results."""
    parser.add_argument("results")
    parser.add_argument("folder")
    args = parser.parse_args()
    with open(args.results) as f:
        results = json.load(f)
    os.makedirs(args.folder, exist_ok=True)
    return args, results


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    print(path)
