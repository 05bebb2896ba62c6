"""The identities of softmax and attention: stated, proved by machine, checked on numbers.

    CATALOGUE   every identity, by number (see `identity.Identity`)
    find        one by name
    prove       one of kind P for symbolic entries at a given n, with its false twins refused

>>> find("jacobian").title(), prove(find("jacobian"), 3).holds
('The Jacobian of softmax', True)
"""

from __future__ import annotations

from exactattn.identities.catalogue import CATALOGUE, find
from exactattn.identities.proofs import prove

__all__ = ["CATALOGUE", "find", "prove"]
