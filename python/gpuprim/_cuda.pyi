# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiled calls of gpuprim for arrays on a GPU."""

from typing import Any

from ._host import *

def allocate(shape: tuple, code: int, bits: int, device: int, stream: int) -> Any:
    """An array of the device."""

def device_of(address: int) -> int:
    """The GPU that has the memory."""

def synchronize(stream: int) -> None:
    """Waits for a stream."""

def find_architecture(device: int) -> int:
    """The compute capability of a GPU, such as 90."""
