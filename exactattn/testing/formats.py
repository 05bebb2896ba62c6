"""The floating formats that kernels compute in, as rows of facts, and the way between arrays and exact numbers.

float16, bfloat16, float32 and float64 (or binary16, binary32, binary64: the names of the standard) are the grids
binary16, bfloat16, binary32, binary64 of `numbers.grids`; rounding to one is `numbers.rounding`, ties to even.
Every number of the four is a float64, so a Python float carries each of them exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import fmpq, fmpq_mat

from exactattn.errors import MissingProgram, OptionError, nearest
from exactattn.numbers.grids import FORMATS as GRIDS
from exactattn.numbers.grids import Binary, Dyadic
from exactattn.numbers.matrix import Linear
from exactattn.numbers.rounding import round_matrix
from exactattn.numbers.units import ONE

if TYPE_CHECKING:
    from numpy import ndarray

    Array: TypeAlias = ndarray[Any, Any]


class Special(Enum):
    """What a float may hold that is neither a number nor −∞."""

    INF = "inf"
    NAN = "nan"


Entry: TypeAlias = Fraction | Special | None
"""An entry of an array: an exact number, None for −∞ (a closed key), or a flag for +∞ or NaN."""


@dataclass(frozen=True, slots=True)
class Format:
    """A binary floating-point format: p significant bits, stored in `width` bits, called `name` by NumPy.

    >>> f = FORMATS["float16"]
    >>> f.u, f.least_subnormal, f.least_normal, f.largest
    (Fraction(1, 2048), Fraction(1, 16777216), Fraction(1, 16384), Fraction(65504, 1))
    """

    name: str
    grid_name: str
    width: int

    @property
    def grid(self) -> Binary:
        """What `round_matrix` rounds to."""
        return GRIDS[self.grid_name]

    @property
    def p(self) -> int:
        """Significant bits, the leading one included."""
        return self.grid.p

    @property
    def u(self) -> Fraction:
        """The unit roundoff 2^−p."""
        return Fraction(1, 1 << self.p)

    @property
    def least_subnormal(self) -> Fraction:
        """η, the least positive number."""
        return Fraction(1, 1 << (self.p - 1 - self.grid.emin))

    @property
    def least_normal(self) -> Fraction:
        """The least positive number with all p bits."""
        return Fraction(1, 1 << -self.grid.emin)

    @property
    def largest(self) -> Fraction:
        """The largest finite number."""
        return Fraction(((1 << self.p) - 1) << (self.grid.emax + 1 - self.p))

    def dtype(self) -> Any:
        """The NumPy dtype. Raises MissingProgram for bfloat16 without ml_dtypes."""
        import numpy as np

        if self.name != "bfloat16":
            return np.dtype(self.name)
        try:
            import ml_dtypes
        except ImportError:
            raise MissingProgram("bfloat16 needs ml_dtypes: pip install 'exactattn[bfloat16]'") from None
        return np.dtype(ml_dtypes.bfloat16)

    def ulp(self, x: Fraction) -> Fraction:
        """The distance between neighbouring numbers of the format at the magnitude of x (as if it had no largest).

        >>> FORMATS["float32"].ulp(Fraction(1)), FORMATS["float32"].ulp(Fraction(0)) == Fraction(1, 2**149)
        (Fraction(1, 8388608), True)
        """
        e = self.grid.emin
        if x != 0:
            top, bottom = abs(x.numerator), x.denominator
            k = top.bit_length() - bottom.bit_length()
            # 2^(k−1) < |x| < 2^(k+1): one comparison settles which side of 2^k
            e = max(e, k if (top >= bottom << k if k >= 0 else top << -k >= bottom) else k - 1)
        step = e - self.p + 1
        return Fraction(1 << step) if step >= 0 else Fraction(1, 1 << -step)

    def round(self, numbers: Iterable[Fraction | fmpq | int]) -> list[Dyadic]:
        """Each number rounded to the format, ties to even, ±∞ beyond it.

        >>> [x.to_float() for x in FORMATS["float16"].round([Fraction(2049), Fraction(1, 3), Fraction(65520)])]
        [2048.0, 0.333251953125, inf]
        """
        flat = [x if isinstance(x, fmpq) else fmpq(x.numerator, x.denominator) for x in numbers]
        if not flat:
            return []
        return round_matrix(Linear((1, len(flat)), {ONE: fmpq_mat(1, len(flat), flat)}), self.grid, "half-even")[0]

    def contains(self, x: Fraction) -> bool:
        """Is x a number of this format?"""
        (nearest_to_x,) = self.round([x])
        return not nearest_to_x.infinite and exactly(nearest_to_x.to_float()) == x

    def encode(self, entries: Iterable[Dyadic | Entry | float], shape: Sequence[int] | None = None) -> Array:
        """An array of this format: what is a number of it as it is, any other Fraction rounded (ties to even).

        >>> FORMATS["float16"].encode([Fraction(1, 3), None, Special.NAN, 2.0], (2, 2)).tolist()
        [[0.333251953125, -inf], [nan, 2.0]]
        """
        import numpy as np

        held = list(entries)
        fractions = [x for x in held if isinstance(x, Fraction)]
        rounded = iter(self.round(fractions))
        floats = [_float(next(rounded) if isinstance(x, Fraction) else x) for x in held]
        with np.errstate(over="ignore", invalid="ignore"):
            out: Array = np.array(floats, dtype=np.float64).astype(self.dtype())
        return out if shape is None else out.reshape(tuple(shape))

    def bits(self, entry: Any) -> str:
        """The stored bits of one entry (a NumPy scalar of this format, or a Python float that is a number of it), in hex.

        >>> FORMATS["float16"].bits(1.0), FORMATS["float32"].bits(float("-inf"))
        ('0x3c00', '0xff800000')
        """
        import numpy as np

        held = np.asarray(entry, dtype=self.dtype())
        return f"0x{int(held.view(f'uint{self.width}')):0{self.width // 4}x}"

    def from_bits(self, bits: Iterable[int]) -> Array:
        """The array of one dimension that holds these stored bits.

        >>> FORMATS["float16"].from_bits([0x3C00, 0x0001]).tolist()
        [1.0, 5.960464477539063e-08]
        """
        import numpy as np

        out: Array = np.array(list(bits), dtype=f"uint{self.width}").view(self.dtype())
        return out


def _float(x: Dyadic | Entry | float) -> float:
    match x:
        case None:
            return float("-inf")
        case Special():
            return float(x.value)
        case Dyadic():
            return x.to_float()
    return float(x)


FORMATS = {
    row.name: row
    for row in (
        Format("float16", "binary16", 16),
        Format("bfloat16", "bfloat16", 16),
        Format("float32", "binary32", 32),
        Format("float64", "binary64", 64),
    )
}
"""By NumPy's name."""


def floating(name: str) -> Format:
    """A format by NumPy's name or the standard's.

    >>> floating("binary16") == floating("float16")
    True
    >>> floating("flaot32")
    Traceback (most recent call last):
        ...
    exactattn.errors.OptionError: format 'flaot32' is not one of float16, bfloat16, float32, float64 (did you mean 'float32'?)
    """
    for row in FORMATS.values():
        if name in (row.name, row.grid_name):
            return row
    known = ", ".join(FORMATS)
    hint = nearest(str(name), [*FORMATS, *GRIDS])
    raise OptionError("format {name!r} is not one of {known}{hint}", name=name, known=known, hint=hint)


def format_of(array: Any) -> Format | None:
    """The format an array (or NumPy scalar) is stored in, None when it is none of the four (integers, say).

    >>> import numpy as np
    >>> format_of(np.ones(2, ">f4")).name                  # whatever the order of its bytes
    'float32'
    """
    return FORMATS.get(str(getattr(getattr(array, "dtype", None), "name", None)))


def exactly(x: float) -> Entry:
    """The exact number that the bits of a float hold.

    >>> exactly(0.1), exactly(float("-inf")), exactly(float("inf"))
    (Fraction(3602879701896397, 36028797018963968), None, <Special.INF: 'inf'>)
    """
    if x != x:
        return Special.NAN
    if x in (float("inf"), float("-inf")):
        return Special.INF if x > 0 else None
    return Fraction(x)


def decode(array: Any) -> list[Entry]:
    """The entries of an array in C order, exactly: floats of the four formats, integers, booleans.

    Raises OptionError for another dtype.

    >>> import numpy as np
    >>> decode(np.array([[0.1, -np.inf]], dtype=np.float16))
    [Fraction(819, 8192), None]
    """
    import numpy as np

    held = np.asarray(array)
    if format_of(held) is not None:
        with np.errstate(invalid="ignore"):  # which a signalling NaN raises on its way
            floats = held.astype(np.float64).ravel().tolist()
        known = {x: exactly(x) for x in set(floats)}  # a long row of equal entries costs what one does
        return [known[x] for x in floats]
    if held.dtype.kind in "iub":
        return [Fraction(int(x)) for x in held.ravel().tolist()]
    raise OptionError(
        "an array of {dtype}: float16, bfloat16, float32, float64 or integers were due", dtype=str(held.dtype)
    )
