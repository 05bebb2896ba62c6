"""The colours of heatmap cells: a tint of a palette as red, green, blue, in a light and a dark theme.

Two palettes: "weight" runs from paper to blue (0 to 100), "score" from orange over paper to blue (−100 to 100). Colours
between the anchors are interpolated in whole numbers, so every writer on every machine prints the same ones.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

from exactattn.errors import OptionError

RGB: TypeAlias = tuple[int, int, int]
Theme: TypeAlias = Literal["light", "dark"]

STEP = 20  # anchors stand at tints 0, 20, ..., 100

RAMPS: dict[tuple[str, str], tuple[RGB, ...]] = {
    ("blue", "light"): (
        (255, 255, 255),
        (231, 240, 249),
        (203, 223, 241),
        (150, 197, 228),
        (69, 141, 196),
        (8, 80, 154),
    ),
    ("orange", "light"): (
        (255, 255, 255),
        (254, 238, 224),
        (253, 215, 180),
        (248, 175, 110),
        (224, 123, 49),
        (171, 74, 7),
    ),
    ("blue", "dark"): (
        (26, 33, 43),
        (27, 50, 75),
        (29, 69, 110),
        (34, 92, 148),
        (53, 123, 187),
        (108, 170, 226),
    ),
    ("orange", "dark"): (
        (26, 33, 43),
        (60, 45, 36),
        (98, 60, 30),
        (139, 78, 27),
        (184, 106, 40),
        (229, 153, 86),
    ),
}


def colour(tint: int, palette: str, theme: Theme = "light") -> RGB:
    """The colour of a tint: 0 to 100 of "weight", −100 to 100 of "score". A tint beyond is drawn as the nearest end.

    >>> colour(0, "weight"), colour(100, "weight"), colour(-100, "score")
    ((255, 255, 255), (8, 80, 154), (171, 74, 7))
    >>> colour(30, "weight")
    (217, 232, 245)
    """
    if palette not in ("weight", "score"):
        raise OptionError("palette {palette!r} is not one of weight, score", palette=palette)
    low = 0 if palette == "weight" else -100
    tint = max(low, min(100, tint))
    ramp = RAMPS["blue" if tint >= 0 else "orange", theme]
    return _between(ramp, abs(tint))


def _between(ramp: tuple[RGB, ...], tint: int) -> RGB:
    index, rest = divmod(tint, STEP)
    if rest == 0:
        return ramp[index]
    red, green, blue = (
        (a * (STEP - rest) + b * rest + STEP // 2) // STEP for a, b in zip(ramp[index], ramp[index + 1], strict=True)
    )
    return red, green, blue


def dark(rgb: RGB) -> bool:
    """Whether white text is easier to read on this colour than black, by the contrast ratio of WCAG 2.

    The better of the two always has a ratio of at least 4.58: white gives 1.05/(L + 0.05) and black (L + 0.05)/0.05,
    whose product is 21.

    >>> dark((8, 80, 154)), dark((255, 255, 255))
    (True, False)
    """
    shifted = luminance(rgb) + 50_000
    return shifted * shifted < 1_050_000 * 50_000


def luminance(rgb: RGB) -> int:
    """The relative luminance of WCAG 2 in millionths.

    >>> luminance((0, 0, 0)), luminance((255, 255, 255)), luminance((255, 0, 0))
    (0, 1000000, 212600)
    """
    red, green, blue = (_linear(channel) for channel in rgb)
    return (2126 * red + 7152 * green + 722 * blue) // 10_000


@cache
def _linear(channel: int) -> int:
    """The light of an sRGB channel in millionths: ((c/255 + 0.055)/1.055)^2.4, or c/255/12.92 for small c.

    In whole numbers: the largest n with n⁵·(255·1055)¹² ≤ (1000c + 55·255)¹²·10³⁰, since 2.4 = 12/5.
    """
    if channel <= 10:  # c/255 ≤ 0.04045
        return channel * 100_000_000 // (255 * 1292)
    due = (1000 * channel + 55 * 255) ** 12 * 10**30
    low, high = 0, 1_000_001
    while high - low > 1:
        middle = (low + high) // 2
        if middle**5 * (255 * 1055) ** 12 <= due:
            low = middle
        else:
            high = middle
    return low
