"""Built-in adapters: functions of well-known libraries that do not take arrays as they are, and NumPy written out.

An adapter is a row of the table: what it is called by, the library it needs, what it takes, and how it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from exactattn.errors import InputError
from exactattn.testing.inputs import Array
from exactattn.testing.signature import Kind, Signature

Called = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Adapter:
    """A function under the name its library gives it."""

    target: str
    needs: str
    signature: Signature
    make: Callable[[], Called]

    @property
    def installed(self) -> bool:
        """Is the library there?"""
        return find_spec(self.needs) is not None

    def load(self) -> Called:
        """The function, its library imported. Errors: InputError where that is not installed."""
        if not self.installed:
            raise InputError("{target}: {needs} is not installed", target=self.target, needs=self.needs)
        return self.make()


def adapter_of(target: str) -> Adapter | None:
    """The adapter of a target; None where a callable is taken as it is."""
    return next((one for one in ADAPTERS if one.target == target), None)


# -- NumPy -------------------------------------------------------------------------------------------------------------


def _by_numpy(name: str) -> Callable[[], Called]:
    def make() -> Called:
        found: Called = getattr(import_module("exactattn.testing.by_numpy"), name)
        return found

    return make


# -- SciPy -------------------------------------------------------------------------------------------------------------


def _scipy(name: str) -> Callable[[], Called]:
    def make() -> Called:
        found: Called = getattr(import_module("scipy.special"), name)
        return found

    return make


# -- torch -------------------------------------------------------------------------------------------------------------


def _torch(path: str) -> Callable[[], Called]:
    def make() -> Called:
        torch = import_module("torch")
        found = _of(torch, path)

        def tensor(x: Array) -> Any:
            if x.dtype.name == "bfloat16":  # not a type of NumPy's own: its bits are taken
                return torch.from_numpy(x.view("int16")).view(torch.bfloat16)
            return torch.from_numpy(x)

        def called(*arrays: Array, **options: Any) -> Any:
            mask = options.get("attn_mask")
            if mask is not None:
                options["attn_mask"] = tensor(mask)
                if options.pop(
                    "is_causal", False
                ):  # torch takes one of the two: its causal mask begins at the top left
                    options["attn_mask"] = options["attn_mask"] & torch.ones_like(options["attn_mask"]).tril()
            with torch.no_grad():
                out = found(*map(tensor, arrays), **options)
            return out.view(torch.int16).numpy().view("bfloat16") if out.dtype == torch.bfloat16 else out.numpy()

        return called

    return make


# -- jax ---------------------------------------------------------------------------------------------------------------


def _jax(path: str) -> Callable[[], Called]:
    def make() -> Called:
        jax = import_module("jax")
        jax.config.update("jax_enable_x64", True)  # else float64 becomes float32 without a word
        found = _of(jax, path)

        def called(x: Array, axis: int) -> Any:
            return np.asarray(found(jax.numpy.asarray(x), axis=axis))

        return called

    return make


def _jax_attention() -> Called:
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)

    def called(q: Array, k: Array, v: Array, **options: Any) -> Any:
        # jax has (batch, length, heads, width), and no more dimensions than these
        lead = q.shape[:-2]
        laid = [jax.numpy.asarray(x.reshape(-1, 1, *x.shape[-2:]).swapaxes(1, 2)) for x in (q, k, v)]
        mask = options.pop("mask", None)
        if mask is not None:
            full = np.broadcast_to(mask, (*lead, q.shape[-2], k.shape[-2]))
            options["mask"] = jax.numpy.asarray(full.reshape(-1, 1, *full.shape[-2:]))
        out = np.asarray(jax.nn.dot_product_attention(*laid, **options))
        return out.swapaxes(1, 2).reshape(*lead, q.shape[-2], v.shape[-1])

    return called


# -- ONNX --------------------------------------------------------------------------------------------------------------


def onnx_model(op: str, inputs: list[tuple[str, Array]], opset: int = 23, **attributes: Any) -> Any:
    """A model of one node that takes these arrays and gives Y."""
    helper: Any = import_module("onnx.helper")
    node = helper.make_node(op, [name for name, _ in inputs], ["Y"], **attributes)
    types = [helper.np_dtype_to_tensor_dtype(x.dtype) for _, x in inputs]
    given = [helper.make_tensor_value_info(name, kind, x.shape) for (name, x), kind in zip(inputs, types, strict=True)]
    out = helper.make_tensor_value_info("Y", types[0], None)
    graph = helper.make_graph([node], "one", given, [out])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def _reference(model: Any, feeds: dict[str, Array]) -> Any:
    return import_module("onnx.reference").ReferenceEvaluator(model).run(None, feeds)[0]


def _runtime(model: Any, feeds: dict[str, Array]) -> Any:
    session = import_module("onnxruntime").InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, feeds)[0]


def _onnx(op: str, run: Callable[[Any, dict[str, Array]], Any]) -> Callable[[], Called]:
    def called(x: Array, axis: int) -> Any:
        return run(onnx_model(op, [("X", x)], 13, axis=axis), {"X": x})

    return lambda: called


def _onnx_attention(run: Callable[[Any, dict[str, Array]], Any]) -> Callable[[], Called]:
    def called(q: Array, k: Array, v: Array, mask: Array | None = None, **options: Any) -> Any:
        # ONNX has (batch, heads, length, width), and a boolean mask in which True keeps
        lead = q.shape[:-2]
        four = [np.ascontiguousarray(x.reshape(1, -1, *x.shape[-2:])) for x in (q, k, v)]
        inputs = list(zip("QKV", four, strict=True))
        if mask is not None:
            full = np.broadcast_to(mask, (*lead, q.shape[-2], k.shape[-2])).reshape(1, -1, q.shape[-2], k.shape[-2])
            inputs.append(("M", np.ascontiguousarray(full)))
        attributes = {"is_causal": int(options.get("is_causal", False))}
        if options.get("scale") is not None:
            attributes["scale"] = options["scale"]
        out = run(onnx_model("Attention", inputs, **attributes), dict(inputs))
        return out.reshape(*lead, q.shape[-2], v.shape[-1])

    return lambda: called


def _of(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return module


# -- the table ---------------------------------------------------------------------------------------------------------


def _row(target: str, kind: Kind, make: Callable[[], Called], axis: str | None = "axis", needs: str = "") -> Adapter:
    return Adapter(target, needs or target.partition(":")[0].partition(".")[0], Signature(kind, axis), make)


def _attends(target: str, make: Callable[[], Called], mask: str = "mask") -> Adapter:
    signature = Signature("attention", None, mask, "is_causal", "scale")
    return Adapter(target, target.partition(":")[0].partition(".")[0], signature, make)


ADAPTERS: tuple[Adapter, ...] = (
    _row("numpy:softmax", "softmax", _by_numpy("softmax")),
    _row("numpy:log_softmax", "log_softmax", _by_numpy("log_softmax")),
    _row("numpy:logsumexp", "logsumexp", _by_numpy("logsumexp")),
    _attends("numpy:attention", _by_numpy("attention")),
    _row("scipy.special:softmax", "softmax", _scipy("softmax")),
    _row("scipy.special:log_softmax", "log_softmax", _scipy("log_softmax")),
    _row("scipy.special:logsumexp", "logsumexp", _scipy("logsumexp")),
    _row("torch:softmax", "softmax", _torch("softmax"), "dim"),
    _row("torch:log_softmax", "log_softmax", _torch("log_softmax"), "dim"),
    _row("torch:logsumexp", "logsumexp", _torch("logsumexp"), "dim"),
    _attends(
        "torch.nn.functional:scaled_dot_product_attention",
        _torch("nn.functional.scaled_dot_product_attention"),
        "attn_mask",
    ),
    _row("jax.nn:softmax", "softmax", _jax("nn.softmax")),
    _row("jax.nn:log_softmax", "log_softmax", _jax("nn.log_softmax")),
    _row("jax.nn:logsumexp", "logsumexp", _jax("nn.logsumexp")),
    _attends("jax.nn:dot_product_attention", _jax_attention),
    _row("onnx:Softmax", "softmax", _onnx("Softmax", _reference)),
    _row("onnx:LogSoftmax", "log_softmax", _onnx("LogSoftmax", _reference)),
    _attends("onnx:Attention", _onnx_attention(_reference)),
    _row("onnxruntime:Softmax", "softmax", _onnx("Softmax", _runtime)),
    _row("onnxruntime:LogSoftmax", "log_softmax", _onnx("LogSoftmax", _runtime)),
)
"""What `verify --list` shows. Any other callable is taken as it is."""
