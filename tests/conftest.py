"""What the tests share: outside programs, Hypothesis profiles."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

PROGRAMS = {
    "tex": ("xelatex", "pdftotext", "pdftoppm"),
    "chromium": ("chromium",),
    "node": ("node", "npm"),
    "php": ("php",),
}


@pytest.fixture(scope="session")
def program() -> Callable[[str], None]:
    """`program("tex")` skips the test, with a reason, where the programs are missing; EXACTATTN_REQUIRE makes that a failure."""

    def need(name: str) -> None:
        missing = [p for p in PROGRAMS[name] if shutil.which(p) is None]
        if missing:
            reason = f"{name}: {', '.join(missing)} not installed"
            if name in os.environ.get("EXACTATTN_REQUIRE", "").split(","):
                pytest.fail(reason)
            pytest.skip(reason)

    return need
