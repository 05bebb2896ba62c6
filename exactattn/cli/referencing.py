"""`exactattn reference`: correctly rounded outputs of attention as a file, for someone's regression tests."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import click

from exactattn.cases import CASE_LIMITS
from exactattn.cli.solving import limits_from
from exactattn.errors import OptionError
from exactattn.testing.reference import Alignment, FullyMasked
from exactattn.writers.files import check_writable, write_atomically


@click.command("reference")
@click.argument("case")
@click.option("-o", "--output", "file", required=True, metavar="FILE.npz",
              help="The file to write: `output`, its `format`, and the arrays it was made from.")  # fmt: skip
@click.option("--out", default="binary32", show_default=True, metavar="FORMAT",
              help="Of the output: float16, bfloat16, float32, float64 (or binary16, binary32, binary64).")  # fmt: skip
@click.option(
    "--scale", metavar="EXPR", help="What scores are multiplied by, as in 1/2 or '1/sqrt(3)'; 1/sqrt(d) by default."
)
@click.option("--causal", is_flag=True, help="Close the keys after each query.")
@click.option("--alignment", type=click.Choice(("top-left", "bottom-right")),
              help="Which corner a causal mask over unequal counts starts from.")  # fmt: skip
@click.option("--fully-masked", type=click.Choice(("zero", "nan", "uniform", "error")),
              help="What a row with no open key becomes: zero by default.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True, metavar="SECONDS",
              help="How long MODULE:FUNCTION may take.")  # fmt: skip
@click.option("--limit", "raised", multiple=True, metavar="NAME=N",
              help=f"Raise a limit: {', '.join(f.name for f in fields(CASE_LIMITS))}.")  # fmt: skip
def reference_command(
    case: str,
    file: str,
    out: str,
    scale: str | None,
    causal: bool,
    alignment: Alignment | None,
    fully_masked: FullyMasked | None,
    timeout: float,
    raised: tuple[str, ...],
) -> None:
    """Write attention of the arrays in CASE, each entry correctly rounded.

    CASE is a .npz file with q, k, v and perhaps mask, scale, is_causal, alignment, fully_masked; or MODULE:FUNCTION, whose
    function returns such arrays (a mapping, or q, k, v[, mask[, scale]]) and is run in a process of its own.

    \b
    exactattn reference case.npz -o golden.npz
    exactattn reference mycases:long_row -o golden.npz --out bfloat16

    The same arrays give the same bytes. bfloat16 is stored as its bits: numpy.load(...)["output"].view(ml_dtypes.bfloat16)
    """
    from exactattn.testing.formats import floating
    from exactattn.testing.golden import golden

    if Path(file).suffix.lower() != ".npz":
        raise OptionError("-o {file}: a name that ends with .npz was due", file=file)
    check_writable(file)
    floating(out).dtype()
    limits = limits_from(raised)
    if case.lower().endswith(".npz"):
        from exactattn.testing.npz import read_case

        if Path(file).exists() and Path(case).exists() and Path(file).samefile(case):
            raise OptionError("-o {file} is the case itself: name another file", file=file)
        arrays = read_case(Path(case), limits)
    elif ":" in case:
        from exactattn.testing.making import made_by

        arrays = made_by(case, timeout, limits)
    else:
        raise OptionError("{case!r} is no case: a .npz file or MODULE:FUNCTION was due", case=case)
    settings = {"scale": scale, "is_causal": causal or None, "alignment": alignment, "fully_masked": fully_masked}
    write_atomically(file, golden(arrays, out, **settings, limits=limits))
