# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""matplotlib as the plot scripts use it: SVG whose bytes depend on what is drawn alone."""
import sys

try:
    import matplotlib
except ImportError:
    raise SystemExit(f"{sys.argv[0]}: matplotlib is missing; `python3 -m pip install matplotlib` installs it")
matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "gpuprim", "svg.fonttype": "none", "font.size": 9})
from matplotlib import pyplot  # noqa: E402  (after the choice of the backend)


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    print(path)
