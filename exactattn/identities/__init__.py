"""The identities of softmax and attention: stated, proved by machine, checked on numbers.

    CATALOGUE   every identity, by number (see `identity.Identity`)
    find        one by name
    prove       one of kind P at a given n, or all of them

>>> find("jacobian").title()
'The Jacobian of softmax'
"""

from __future__ import annotations

from exactattn.identities.catalogue import CATALOGUE, find

__all__ = ["CATALOGUE", "find"]
