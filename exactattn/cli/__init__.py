"""The command line. One file per command, imported when it is called; what every command does in trouble is in `failures`.

Exit codes: 0 fine, 1 an audit found something, 2 bad input, 3 an outside program is missing, 130 interrupted, 70 a bug.
"""

from __future__ import annotations

import click

from exactattn.cli.failures import Commands

COMMANDS = {
    "solve": "exactattn.cli.solving:solve",
    "cases": "exactattn.cli.copying:cases",
    "audit": "exactattn.cli.auditing:audit_command",
    "probe": "exactattn.cli.probing:probe_command",
    "exam": "exactattn.cli.examining:exam_command",
    "grade": "exactattn.cli.grading:grade_command",
    "lint": "exactattn.cli.linting:lint_command",
    "verify": "exactattn.cli.verifying:verify_command",
    "reference": "exactattn.cli.referencing:reference_command",
    "identities": "exactattn.cli.proving:identities_command",
}
"""Where each command is."""


@click.group(
    cls=Commands, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="exactattn", prog_name="exactattn", message="%(prog)s %(version)s")
def main() -> None:
    """Work attention by hand, exactly: softmax(QKᵀ/√d_k)·V with every printed digit proven."""
