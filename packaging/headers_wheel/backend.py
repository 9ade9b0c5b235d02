# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel of the headers from the checkout around this folder (a build backend of PEP 517)."""
import base64
import hashlib
import re
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = ".".join(re.findall(r"#define GPUPRIM_VERSION_\w+ (\d+)",
                                  (ROOT / "include/gpuprim/version.hpp").read_text()))
    about = f"gpuprim_headers-{version}.dist-info"
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in (HERE / "gpuprim_headers").glob("*.py")}
    files.update({f"gpuprim_headers/{path.relative_to(ROOT)}": path.read_bytes()
                  for path in (ROOT / "include").rglob("*") if path.is_file()})
    files[f"{about}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{about}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: gpuprim-headers\nVersion: {version}\n"
        "Summary: The headers of gpuprim, GPU parallel primitives in C++20/CUDA\nRequires-Python: >=3.8\n"
        "License-Expression: Apache-2.0 WITH LLVM-exception\nLicense-File: LICENSE\n").encode()
    files[f"{about}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: gpuprim\nRoot-Is-Purelib: true\nTag: py3-none-any\n"

    def record(name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}\n"

    rows = "".join(record(name, data) for name, data in sorted(files.items()))
    files[f"{about}/RECORD"] = f"{rows}{about}/RECORD,,\n".encode()
    name = f"gpuprim_headers-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in sorted(files):
            wheel.writestr(path, files[path])
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("the wheel of the headers is built from the checkout, of which there is no source package")
