"""`verify`: a callable, named as MODULE:CALLABLE, examined in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from exactattn.errors import OptionError, nearest
from exactattn.testing.bounds import ACCUMULATION, STRICTNESS
from exactattn.testing.examine import DTYPES, EXAMPLES, Asked, Examination
from exactattn.testing.process import CALL, Process
from exactattn.testing.result import Verification
from exactattn.testing.signature import Signature

T = TypeVar("T", bound=str)


def verify(
    target: str,
    *,
    kind: str | None = None,
    axis: int | None = None,
    dtypes: Sequence[str] = DTYPES,
    examples: int = EXAMPLES,
    only: Sequence[str] = (),
    conventions: Mapping[str, str] | None = None,
    seed: int = 0,
    accuracy: str = "usual",
    accumulate: str = "float32",
    strict: bool = False,
    timeout: float = CALL,
    progress: Callable[[str, int, int], None] = lambda dtype, done, all_: None,
) -> Verification:
    """Put 40 fixed and `examples` drawn inputs of each number type to a callable "module:name" and judge every result.

    `kind` is softmax, log_softmax, logsumexp or attention, read from the signature where it is None; `axis` the one axis to
    use; `only` the names of rows to judge; `conventions` what is asked for (fully-masked, causal); `accuracy` strict for
    code that subtracts the maximum; `accumulate` same for half formats that sum in themselves; `strict` makes unequal bits
    and broken order failures. Errors: InputError where the callable is not found or cannot be imported, OptionError.

    >>> from exactattn.testing import verify
    >>> found = verify("numpy:softmax", dtypes=["float32"], examples=5)
    >>> found.passes, found.row("accuracy").failures, found.takes.kind
    (True, 0, 'softmax')
    """
    strictness = _one_of("accuracy", accuracy, STRICTNESS)
    accumulation = _one_of("accumulate", accumulate, ACCUMULATION)
    types, names = tuple(dict.fromkeys(dtypes)), tuple(dict.fromkeys(only))
    asked = Asked(axis, types, examples, names, conventions or {}, seed, strictness, accumulation, strict)
    if kind is not None:
        asked.check(Signature.of_kind(kind).kind)  # before a process is started
    with Process(target, kind, timeout) as process:
        examination = Examination(process, process.takes, asked, target, lambda: process.ends, progress)
        rows, found = examination.run()
        return Verification(
            target, process.takes, process.versions, seed, examples, asked.dtypes, tuple(rows), tuple(found),
            options_of(asked), examination.stopped,
        )  # fmt: skip


def _one_of(name: str, value: str, known: Sequence[T]) -> T:
    for one in known:
        if one == value:
            return one
    texts = list(map(str, known))
    text = "{name} {value!r}: {known} was due{hint}"
    raise OptionError(text, name=name, value=value, known=" or ".join(texts), hint=nearest(value, texts))


def options_of(asked: Asked) -> dict[str, str]:
    """What was asked beside the usual, for the report."""
    found = {f"convention {name}": value for name, value in asked.conventions.items()}
    if asked.axis is not None:
        found["axis"] = str(asked.axis)
    if asked.strictness != "usual":
        found["accuracy"] = asked.strictness
    if asked.accumulate != "float32":
        found["accumulate"] = asked.accumulate
    if asked.strict:
        found["strict"] = "bits and order"
    if asked.only:
        found["only"] = ", ".join(asked.only)
    return found
