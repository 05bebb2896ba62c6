"""What is worked out when it is looked at: not every question is shown with all that may be said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class Late(Sequence[T_co]):
    """A tuple that is made when it is first looked at, once. It equals that tuple.

    >>> numbers = Late(lambda: (print("made"), 1))
    >>> numbers[1], len(numbers)
    made
    (1, 2)
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], tuple[T_co, ...]]) -> None:
        self._make: Callable[[], tuple[T_co, ...]] | None = make
        self._made: tuple[T_co, ...] = ()

    def made(self) -> tuple[T_co, ...]:
        """The tuple itself."""
        if self._make is not None:
            self._made, self._make = self._make(), None  # what it was made of is let go
        return self._made

    @overload
    def __getitem__(self, at: int) -> T_co: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, at: int | slice) -> T_co | tuple[T_co, ...]:
        return self.made()[at]

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.made())

    def __len__(self) -> int:
        return len(self.made())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Late):
            return self.made() == other.made()
        return self.made() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.made())

    def __repr__(self) -> str:
        return repr(self.made())
