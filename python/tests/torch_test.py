# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of PyTorch, and its custom operators. They are skipped where it is not installed."""
import numpy as np
import pytest

import gpuprim
from conftest import ARRAYS

torch = pytest.importorskip("torch", reason="PyTorch is not installed", exc_type=ImportError)
operators = pytest.importorskip("gpuprim.torch")

DEVICE = "cuda" if ARRAYS == "torch" else "cpu"
DTYPES = [torch.bool, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.float16, torch.bfloat16,
          torch.float32, torch.float64]


def make(dtype, shape, seed=0):
    random = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        return torch.randn(shape, generator=random, dtype=torch.float64).to(dtype).to(DEVICE)
    return torch.randint(0, 2 if dtype == torch.bool else 100, shape, generator=random).to(dtype).to(DEVICE)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_tensors(dtype):
    a = make(dtype, (4, 60))
    assert torch.equal(gpuprim.sort(a), torch.sort(a).values)
    assert torch.equal(gpuprim.argsort(a), torch.argsort(a, stable=True))
    values, positions = gpuprim.topk(a, 5)
    assert torch.equal(values, torch.sort(a, descending=True).values[:, :5])
    assert torch.equal(torch.gather(a, 1, positions), values)
    assert torch.equal(gpuprim.max(a, -1), a.amax(-1))
    mask = make(torch.bool, (4, 60), 3)
    assert torch.equal(gpuprim.select(a, mask), torch.masked_select(a, mask))
    assert torch.equal(gpuprim.unique(a.reshape(-1)), torch.unique(a))
    assert torch.equal(torch.stack(gpuprim.nonzero(a), 1), torch.nonzero(a))
    out = torch.empty_like(a)
    assert gpuprim.sort(a, out=out) is out
    with pytest.raises(ValueError, match="do not follow each other in C order"):
        gpuprim.sort(a.T)


def test_what_is_refused():
    with pytest.raises(TypeError, match="has no form for tensors of dtype torch.complex64"):
        gpuprim.sort(torch.zeros(3, dtype=torch.complex64))
    with pytest.raises(ValueError, match="requires a gradient; gpuprim.torch has the calls with one"):
        gpuprim.cumsum(torch.zeros(3, requires_grad=True))
    with pytest.raises(ValueError, match="whose signs are still to be changed; pass its resolve_neg"):
        gpuprim.sum(torch.tensor([1 + 2j]).conj().imag)  # its memory has 2, and it is -2
    with pytest.raises(ValueError, match="the tensor has the layout torch.sparse_coo; pass a dense one"):
        gpuprim.sum(torch.ones(3).to_sparse())
    with pytest.raises(ValueError, match="is on a device of the kind meta"):
        gpuprim.sort(torch.zeros(3, device="meta"))


OFFSETS = torch.tensor([0, 4, 4, 11, 30], device=DEVICE)
CALLS = {
    "cumsum": (lambda x: operators.cumsum(x), lambda x: x.cumsum(-1)),
    "cumsum_exclusive": (lambda x: operators.cumsum(x, -1, True), lambda x: x.cumsum(-1) - x),
    "sort": (lambda x: operators.sort(x)[0], lambda x: x.sort().values),
    "sort_descending": (lambda x: operators.sort(x, -1, True)[0], lambda x: x.sort(descending=True).values),
    "topk": (lambda x: operators.topk(x, 7)[0], lambda x: x.topk(7).values),
    "topk_smallest": (lambda x: operators.topk(x, 7, -1, False)[0], lambda x: x.topk(7, largest=False).values),
    "segment_sum": (lambda x: operators.segment_reduce(x.reshape(-1), OFFSETS),
                    lambda x: torch.segment_reduce(x.reshape(-1), "sum", offsets=OFFSETS, initial=0)),
    "segment_max": (lambda x: operators.segment_reduce(x.reshape(-1), OFFSETS[[0, 1, 3, 4]], "max"),
                    lambda x: torch.segment_reduce(x.reshape(-1), "max", offsets=OFFSETS[[0, 1, 3, 4]])),
}


@pytest.mark.parametrize("name", CALLS)
def test_gradients(name):
    ours, theirs = CALLS[name]
    x, y = (make(torch.float64, (2, 15)).requires_grad_() for _ in range(2))
    weights = torch.arange(1.0, 1 + ours(x).numel(), dtype=torch.float64, device=DEVICE)
    found, expected = ours(x), theirs(y)
    torch.testing.assert_close(found, expected)
    (found.reshape(-1) * weights).sum().backward()
    (expected.reshape(-1) * weights).sum().backward()
    torch.testing.assert_close(x.grad, y.grad)


def test_equal_extrema_share_a_gradient():
    x = torch.tensor([3.0, 1.0, 3.0, 2.0], requires_grad=True, device=DEVICE)
    operators.segment_reduce(x, torch.tensor([0, 3, 4], device=DEVICE), "max").sum().backward()
    assert x.grad.tolist() == [0.5, 0.0, 0.5, 1.0]


@pytest.mark.parametrize("name", CALLS)
def test_compiled(name):
    call = CALLS[name][0]
    x = make(torch.float64, (2, 15))
    compiled = torch.compile(lambda x: call(x) * 2, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), call(x) * 2)


@pytest.mark.parametrize("name, arguments", [("cumsum", ()), ("sort", ()), ("topk", (3,)), ("segment_reduce", None)])
def test_operators_keep_their_promises(name, arguments):
    x = make(torch.float32, (30,)).requires_grad_()
    torch.library.opcheck(getattr(operators, name), (x, *((OFFSETS,) if arguments is None else arguments)))


@pytest.mark.parametrize("name", ["sum", "min", "max", "argmin", "argmax", "mean", "var", "cumprod", "cummin", "cummax",
                                  "argsort"])
@pytest.mark.parametrize("axis", [None, -1])
def test_calls_without_a_gradient(name, axis):
    for dtype in (torch.float32, torch.int16):
        x = make(dtype, (3, 20))
        result = getattr(operators, name)(x, axis)
        np.testing.assert_array_equal(result.cpu().numpy(), getattr(gpuprim, name)(x, axis).cpu().numpy())
        torch.library.opcheck(getattr(operators, name), (x, axis), test_utils=("test_schema", "test_faketensor"))


def test_no_gradient_where_there_is_none():
    x = make(torch.float32, (5,)).requires_grad_()
    with pytest.raises(RuntimeError):
        operators.cummax(x).sum().backward()
