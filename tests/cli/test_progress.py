"""The bar for long work: shown on a terminal after a while, and nowhere else."""

from __future__ import annotations

import io
import sys
import time

import pytest

from exactattn.cli import progress as bars


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(monkeypatch, stream, seconds):
    monkeypatch.setattr(sys, "stderr", stream)
    with bars.progress({"draw": "drawing [red]variants"}) as told:
        told("draw", 1, 4)
        time.sleep(seconds)
        told("draw", 3, 4)
    return stream.getvalue()


def test_long_work_on_a_terminal_has_a_bar(monkeypatch):
    monkeypatch.setattr(bars, "PATIENCE", 0.05)
    monkeypatch.setenv("TERM", "xterm")
    text = shown(monkeypatch, Terminal(), 0.6)
    assert "drawing [red]variants" in text
    assert "/4" in text


def test_short_work_has_none(monkeypatch):
    assert bars.PATIENCE == 2
    assert shown(monkeypatch, Terminal(), 0) == ""


def test_what_is_no_terminal_gets_nothing(monkeypatch):
    monkeypatch.setattr(bars, "PATIENCE", 0.01)
    assert shown(monkeypatch, io.StringIO(), 0.1) == ""


def test_an_error_goes_through_and_the_bar_ends(monkeypatch):
    monkeypatch.setattr(bars, "PATIENCE", 0.01)
    monkeypatch.setattr(sys, "stderr", Terminal())

    def fail():
        with bars.progress({"draw": "x"}) as told:
            told("draw", 0, 1)
            time.sleep(0.05)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()


def test_without_standard_error_work_goes_on(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with bars.progress({"draw": "x"}) as told:
        told("draw", 0, 1)
