# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only arrays on a GPU have: streams, graphs, and libraries beside PyTorch. GPUPRIM_TEST_ARRAYS=torch runs it."""
import numpy as np
import pytest

import gpuprim
from conftest import ARRAYS, make

if ARRAYS != "torch":
    pytest.skip("it needs a GPU and PyTorch", allow_module_level=True)
torch = pytest.importorskip("torch")


def test_the_current_stream_is_used():
    x = torch.empty(1 << 22, device="cuda")
    for turn in range(5):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)  # what is not on this stream comes too early
            x.fill_(turn)
            x[: 1 << 21] += 1
            result = gpuprim.sort(x)
        stream.synchronize()
        assert result[0] == turn and result[-1] == turn + 1


@pytest.mark.parametrize("call", [gpuprim.sort, gpuprim.cumsum, gpuprim.cummax, gpuprim.argsort])
def test_calls_in_a_graph(call):
    x = torch.rand(300_000, device="cuda")
    out = torch.empty_like(call(x))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call(x, out=out)
    for seed in range(3):
        x.copy_(torch.rand(300_000, generator=torch.Generator().manual_seed(seed)))
        graph.replay()
        assert torch.equal(out, call(x))


@pytest.mark.parametrize("name", ["sum", "mean", "var", "norm", "cumsum", "cumprod", "argsort", "sort"])
def test_the_same_bits_in_every_run(name):
    x = torch.randn(3_000_001, device="cuda")
    first = getattr(gpuprim, name)(x)
    for _ in range(10):
        assert torch.equal(getattr(gpuprim, name)(x), first)


def test_operators_in_a_graph():
    """The first calls compile, which a capture does not allow."""
    x = torch.rand(300_000, device="cuda")
    calls = [(lambda out: gpuprim.scan(x, "a < b ? b : a", out=out), torch.empty_like(x)),
             (lambda out: gpuprim.reduce(x, "a < b ? b : a", 0, out=out), torch.empty((), device="cuda")),
             (lambda out: gpuprim.transform("x * x", x, out=out), torch.empty_like(x))]
    for call, out in calls:
        call(out)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call, out in calls:
            call(out)
    for seed in range(3):
        x.copy_(torch.rand(300_000, generator=torch.Generator().manual_seed(seed)))
        graph.replay()
        for (_, out), expected in zip(calls, (torch.cummax(x, 0).values, x.max(), x * x)):
            assert torch.equal(out, expected)


def test_operators_have_the_same_bits_in_every_run():
    x = torch.randn(30_000_001, device="cuda")
    first = gpuprim.reduce(x, "a + b", 0), gpuprim.scan(x, "a + b")
    for _ in range(10):
        assert torch.equal(gpuprim.reduce(x, "a + b", 0), first[0])
        assert torch.equal(gpuprim.scan(x, "a + b"), first[1])


def test_large_arrays():
    x = torch.randint(-(2**31), 2**31, (40_000_003,), device="cuda", dtype=torch.int32)
    expected = torch.sort(x, stable=True)
    assert torch.equal(gpuprim.sort(x), expected.values)
    assert torch.equal(gpuprim.argsort(x), expected.indices)
    assert torch.equal(gpuprim.cumsum(x), torch.cumsum(x, 0))
    assert gpuprim.sum(x) == x.sum()
    values, positions = gpuprim.topk(x, 1000)
    assert torch.equal(values, torch.topk(x, 1000).values)
    assert torch.equal(x[positions], values)
    mask = x > 0
    assert torch.equal(gpuprim.select(x, mask), x[mask])
    assert torch.equal(gpuprim.bincount(x & 1023), torch.bincount(x & 1023))
    rows = x[: 4096 * 1000].reshape(4096, 1000)
    assert torch.equal(gpuprim.sort(rows), torch.sort(rows).values)
    assert torch.equal(gpuprim.transpose(rows), rows.T.contiguous())


def test_both_memories_in_one_call_are_refused():
    with pytest.raises(ValueError, match="is in host memory, but the first array is on GPU 0"):
        gpuprim.searchsorted(torch.zeros(3, device="cuda"), torch.zeros(3))


def test_arrays_of_numba():
    cuda = pytest.importorskip("numba.cuda")
    a = make("float32", 5000)
    result = gpuprim.sort(cuda.to_device(a))
    assert isinstance(result, cuda.cudadrv.devicearray.DeviceNDArray)
    np.testing.assert_array_equal(result.copy_to_host(), np.sort(a))


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    a = make("int32", 5000)
    result = gpuprim.sort(jax.device_put(a, jax.devices("gpu")[0]))
    assert isinstance(result, jax.Array)
    np.testing.assert_array_equal(np.asarray(result), np.sort(a))
