"""Adapters: what each library is called with, by modules that stand in for it; NumPy and SciPy as they are."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from exactattn.errors import OptionError
from exactattn.testing import by_numpy, find
from exactattn.testing.adapters import ADAPTERS, adapter_of
from exactattn.testing.fixed import qkv

X = np.array([[0.5, 1.5, -2.0], [3.0, 3.0, 0.0]])
MASK = np.array([[True, False, True], [True, True, False]])


def called(target):
    found = adapter_of(target)
    assert found is not None
    return found.make()


def test_targets_are_unique_and_the_installed_are_known():
    assert len({one.target for one in ADAPTERS}) == len(ADAPTERS)
    installed = {one.needs for one in ADAPTERS if one.installed}
    assert {"numpy", "scipy"} <= installed


def test_an_adapter_is_of_its_kind():
    assert find("numpy:logsumexp", "logsumexp")[1].kind == "logsumexp"
    with pytest.raises(OptionError, match="numpy:logsumexp is of kind logsumexp, not softmax"):
        find("numpy:logsumexp", "softmax")


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_numpy_and_scipy_agree(name):
    mine = getattr(by_numpy, name)(X, 0)
    assert np.allclose(mine, called(f"numpy:{name}")(X, axis=0), rtol=1e-15)
    assert np.allclose(mine, called(f"scipy.special:{name}")(X, axis=0), rtol=1e-14)


class Tensor:
    """A stand-in for a tensor: what it wraps is read by numpy()."""

    def __init__(self, x):
        self.x = x

    def numpy(self):
        return self.x

    @property
    def dtype(self):
        return self.x.dtype.name

    def view(self, name):
        return Tensor(self.x.view(name))

    def tril(self):
        return Tensor(np.tril(self.x))

    def __and__(self, other):
        return Tensor(self.x & other.x)


@pytest.fixture
def torch(monkeypatch):
    fake = ModuleType("torch")
    fake.from_numpy = Tensor
    fake.bfloat16, fake.int16 = "bfloat16", "int16"
    fake.ones_like = lambda tensor: Tensor(np.ones_like(tensor.x))

    class NoGrad:
        def __enter__(self): ...
        def __exit__(self, *_): ...

    fake.no_grad = NoGrad

    def sdpa(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
        assert dropout_p == 0
        assert attn_mask is None or not is_causal  # torch refuses both
        mask = None if attn_mask is None else attn_mask.x
        return Tensor(by_numpy.attention(query.x, key.x, value.x, mask, is_causal, scale))

    for name in ("softmax", "log_softmax", "logsumexp"):
        setattr(fake, name, lambda x, dim, name=name: Tensor(getattr(by_numpy, name)(x.x, dim)))
    fake.nn = SimpleNamespace(functional=SimpleNamespace(scaled_dot_product_attention=sdpa))
    monkeypatch.setitem(sys.modules, "torch", fake)


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_torch_takes_dim_and_tensors(name):
    adapter = adapter_of(f"torch:{name}")
    assert (adapter.signature.axis, adapter.signature.kind) == ("dim", name)
    assert np.array_equal(adapter.make()(X, dim=0), getattr(by_numpy, name)(X, 0))


@pytest.mark.usefixtures("torch")
def test_torch_attention_takes_attn_mask():
    q, k, v = qkv((), 2, 3, 4, 2, 1)
    adapter = adapter_of("torch.nn.functional:scaled_dot_product_attention")
    assert adapter.signature.mask == "attn_mask"
    found = adapter.make()(q, k, v, attn_mask=MASK, scale=0.5)
    assert np.array_equal(found, by_numpy.attention(q, k, v, MASK, scale=0.5))
    found = adapter.make()(q, k, v, attn_mask=MASK, is_causal=True)
    assert np.array_equal(found, by_numpy.attention(q, k, v, MASK & np.tril(np.ones_like(MASK))))


@pytest.mark.usefixtures("torch")
def test_torch_is_given_the_bits_of_a_bfloat16():
    import ml_dtypes

    x = X.astype(ml_dtypes.bfloat16)
    assert np.array_equal(adapter_of("torch:softmax").make()(x, dim=0), by_numpy.softmax(x, 0))


@pytest.fixture
def jax(monkeypatch):
    fake = ModuleType("jax")
    fake.config = SimpleNamespace(update=lambda name, value: asked.append((name, value)))
    fake.numpy = SimpleNamespace(asarray=np.asarray)
    asked = []

    def attention(query, key, value, bias=None, mask=None, *, scale=None, is_causal=False):
        # (batch, length, heads, width); the mask is (batch, heads, queries, keys)
        assert query.ndim == key.ndim == value.ndim == 4
        assert mask is None or mask.ndim == 4
        q, k, v = (x.swapaxes(1, 2) for x in (query, key, value))
        return by_numpy.attention(q, k, v, mask, is_causal, scale).swapaxes(1, 2)

    fake.nn = SimpleNamespace(softmax=by_numpy.softmax, dot_product_attention=attention)
    monkeypatch.setitem(sys.modules, "jax", fake)
    yield
    assert asked == [("jax_enable_x64", True)]


@pytest.mark.usefixtures("jax")
def test_jax_softmax_takes_axis():
    assert np.array_equal(called("jax.nn:softmax")(X, axis=0), by_numpy.softmax(X, 0))


@pytest.mark.usefixtures("jax")
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
def test_jax_attention_is_laid_out_for_it(lead):
    q, k, v = qkv(lead, 2, 3, 4, 2, 1)
    found = called("jax.nn:dot_product_attention")(q, k, v, mask=MASK, scale=0.5)
    assert np.array_equal(found, by_numpy.attention(q, k, v, MASK, scale=0.5))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["Softmax", "LogSoftmax"])
def test_onnx_nodes_take_axis(name, dtype):
    mine = {"Softmax": by_numpy.softmax, "LogSoftmax": by_numpy.log_softmax}[name]
    x = X.astype(dtype)
    found = called(f"onnx:{name}")(x, axis=0)
    assert found.dtype == dtype
    assert np.allclose(found, mine(x, 0), rtol=1e-5)


@pytest.mark.parametrize("lead", [(), (2,)])
def test_onnx_attention_is_laid_out_for_it(lead):
    q, k, v = (x.astype(np.float32) for x in qkv(lead, 2, 3, 4, 2, 1))
    found = called("onnx:Attention")(q, k, v, mask=MASK, scale=0.5)
    assert found.shape == (*lead, 2, 2)
    assert np.allclose(found, by_numpy.attention(q, k, v, MASK, scale=0.5), rtol=1e-4, atol=1e-6)
