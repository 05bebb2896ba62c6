"""The catalogue: every identity, by number. Adding one is adding a row, its words in each language, and nothing else."""

from __future__ import annotations

from exactattn.errors import OptionError, nearest
from exactattn.identities.identity import Identity
from exactattn.identities.rows.bounds import BOUNDS
from exactattn.identities.rows.derivatives import DERIVATIVES
from exactattn.identities.rows.heads import HEADS
from exactattn.identities.rows.keys import KEYS
from exactattn.identities.rows.masks import MASKS
from exactattn.identities.rows.order import ORDER
from exactattn.identities.rows.outputs import OUTPUTS
from exactattn.identities.rows.scores import SCORES
from exactattn.identities.rows.weights import WEIGHTS

CATALOGUE: tuple[Identity, ...] = tuple(
    sorted(
        (*WEIGHTS, *ORDER, *BOUNDS, *DERIVATIVES, *OUTPUTS, *SCORES, *KEYS, *MASKS, *HEADS), key=lambda row: row.number
    )
)
"""Every identity there is, by number."""

_BY_NAME = {row.name: row for row in CATALOGUE}


def find(name: str) -> Identity:
    """An identity by name; an error suggests a near one.

    >>> find("sums-to-one").number
    1
    >>> find("sums-to-on")
    Traceback (most recent call last):
        ...
    exactattn.errors.OptionError: identity 'sums-to-on' is not in the catalogue (did you mean 'sums-to-one'?)
    """
    if name not in _BY_NAME:
        raise OptionError("identity {name!r} is not in the catalogue{hint}", name=name, hint=nearest(name, _BY_NAME))
    return _BY_NAME[name]
