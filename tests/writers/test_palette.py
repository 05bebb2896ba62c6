"""Colours of cells: whole numbers, darker with the tint, and readable."""

from __future__ import annotations

from typing import Literal

import pytest

from exactattn.errors import OptionError
from exactattn.writers.palette import colour, dark, luminance

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_light_of_a_colour_goes_one_way_with_its_tint(theme: Literal["light", "dark"], sign: int) -> None:
    light = [luminance(colour(sign * tint, "score", theme)) for tint in range(101)]
    assert light == sorted(light, reverse=theme == "light")


@pytest.mark.parametrize("theme", THEMES)
def test_text_on_every_cell_has_the_contrast_that_wcag_asks_for(theme: Literal["light", "dark"]) -> None:
    for tint in range(-100, 101):
        rgb = colour(tint, "score", theme)
        shifted = luminance(rgb) + 50_000
        ratio = 1_050_000 / shifted if dark(rgb) else shifted / 50_000
        assert ratio >= 4.5, (tint, theme)


def test_weights_are_the_upper_half_of_scores() -> None:
    assert [colour(t, "weight") for t in range(101)] == [colour(t, "score") for t in range(101)]
    assert colour(-20, "weight") == colour(0, "weight")
    assert colour(120, "score") == colour(100, "score")


def test_another_palette_is_an_error() -> None:
    with pytest.raises(OptionError, match="palette 'heat' is not one of weight, score"):
        colour(1, "heat")
