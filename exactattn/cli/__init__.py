"""The command line. One file per command; what every command does in trouble is in `failures`.

Exit codes: 0 fine, 1 an audit found something, 2 bad input, 3 an outside program is missing, 130 interrupted, 70 a bug in exactattn.
"""

from __future__ import annotations

import click

from exactattn.cli.auditing import audit_command
from exactattn.cli.copying import cases
from exactattn.cli.failures import Commands
from exactattn.cli.solving import solve


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="exactattn", prog_name="exactattn", message="%(prog)s %(version)s")
def main() -> None:
    """Work attention by hand, exactly: softmax(QKᵀ/√d_k)·V with every printed digit proven."""


main.add_command(solve)
main.add_command(cases)
main.add_command(audit_command)
