"""What is installed: a wheel with every file the package reads, the same from the source archive."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import exactattn

ROOT = Path(__file__).resolve().parents[1]
JUNK = ("__pycache__", ".ruff_cache", ".mypy_cache")


def build(target: str, source: Path, out: Path) -> Path:
    """The one file hatchling makes of `source`. No network: the build backend is called itself."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory) -> Path:
    """The wheel's files laid out as an installer does, in a folder of their own."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def contents(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def files(folder: Path) -> list[Path]:
    return [p for p in sorted(folder.rglob("*")) if p.is_file() and not set(p.relative_to(ROOT).parts) & set(JUNK)]


def python(*args: str, cwd: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter away from the checkout; with `path` first on its way, so that the package there is found."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    if path is not None:
        env["PYTHONPATH"] = str(path)
    return subprocess.run([sys.executable, *args], cwd=cwd, env=env, capture_output=True, text=True, check=False)


def test_the_wheel_holds_every_file_of_the_package_and_every_template(wheel):
    packed = contents(wheel)
    for path in files(ROOT / "exactattn"):
        assert packed[path.relative_to(ROOT).as_posix()] == path.read_bytes()
    for path in files(ROOT / "templates"):
        assert packed["exactattn/" + path.relative_to(ROOT).as_posix()] == path.read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "exactattn/py.typed",
        "exactattn/i18n/zh.toml",
        "exactattn/i18n/en.toml",
        "exactattn/cases/bundled/xian.toml",
        "exactattn/present/figures/models.toml",
        "exactattn/trace/record.schema.json",
        "exactattn/templates/latex/page.tex",
        "exactattn/templates/html/page.html",
        "exactattn/templates/html/FONT-LICENSE.txt",
    ],
)
def test_the_wheel_holds(wheel, name):
    assert contents(wheel)[name] is not None


def test_the_wheel_holds_nothing_but_the_package_and_its_data_about_itself(wheel):
    tops = {name.split("/")[0] for name in contents(wheel)}
    assert tops == {"exactattn", f"exactattn-{exactattn.__version__}.dist-info"}
    assert not [name for name in contents(wheel) if set(name.split("/")) & set(JUNK)]


def test_the_source_archive_makes_the_same_wheel(wheel, tmp_path):
    archive = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(archive) as opened:
        opened.extraction_filter = lambda member, path: member  # our own archive; Python 3.11.2 knows no filter=
        opened.extractall(tmp_path / "source")
    (source,) = (tmp_path / "source").iterdir()
    assert contents(build("wheel", source, tmp_path / "again")) == contents(wheel)


def test_the_source_archive_holds_the_tests(tmp_path):
    with tarfile.open(build("sdist", ROOT, tmp_path)) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames()}
    assert {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "tests/conftest.py"} <= names


def test_installed_from_the_wheel_it_solves_outside_the_checkout(installed, tmp_path):
    done = python("-m", "exactattn", "solve", "xian", "-o", "x.html", "-o", "x.tex", cwd=tmp_path, path=installed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.html", "x.tex"]
    assert "</html>" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "\\end{document}" in (tmp_path / "x.tex").read_text(encoding="utf-8")


WHERE = (
    "import exactattn; from exactattn.writers.templates import folder; print(exactattn.__file__, folder(), sep='\\n')"
)


def test_the_templates_are_those_of_the_wheel_that_is_installed(installed, tmp_path):
    package, templates = python("-c", WHERE, cwd=tmp_path, path=installed).stdout.splitlines()
    assert Path(package) == installed / "exactattn" / "__init__.py"
    assert Path(templates) == installed / "exactattn" / "templates"


def test_the_templates_of_what_is_tested_lie_in_it_or_in_its_checkout(tmp_path):
    package, templates = python("-c", WHERE, cwd=tmp_path).stdout.splitlines()
    inside = Path(package).parent / "templates"
    assert Path(templates) == (inside if inside.is_dir() else Path(package).parents[1] / "templates")


def test_the_versions_of_the_package_and_of_its_description_agree(wheel):
    metadata = contents(wheel)[f"exactattn-{exactattn.__version__}.dist-info/METADATA"].decode()
    assert f"\nVersion: {exactattn.__version__}\n" in metadata
