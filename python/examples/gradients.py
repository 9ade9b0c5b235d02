# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The custom operators of PyTorch, with a gradient and compiled. docs/python.md shows it."""

# [torch]
import torch

import gpuprim.torch


@torch.compile(fullgraph=True, backend="aot_eager")
def largest_of_running_sums(x):
    best, _ = gpuprim.torch.topk(gpuprim.torch.cumsum(x), 2)
    return best.sum()


x = torch.tensor([1.0, 2.0, -4.0, 3.0], requires_grad=True)
largest_of_running_sums(x).backward()  # of the sums 1, 3, -1, 2 it takes 3 and 2
print(x.grad)  # tensor([2., 2., 1., 1.])
# [torch]
assert x.grad.tolist() == [2.0, 2.0, 1.0, 1.0]
