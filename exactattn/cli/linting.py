"""`exactattn lint`: will the learning system read this file, and mark as it is meant?"""

from __future__ import annotations

from dataclasses import fields, replace

import click

from exactattn.cli.console import harmless, put, put_error
from exactattn.cli.failures import code_of, message
from exactattn.errors import ExactAttnError, OptionError, nearest
from exactattn.i18n import messages


@click.command("lint")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--schema", metavar="DIR", help="A folder of .xsd files to check against as well.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--rules", "to_list", is_flag=True, help="List the rules, and stop.")
@click.option("--lang", metavar="zh|en", default="en", show_default=True, help="The language.")
@click.option("--limit", "raised", multiple=True, metavar="NAME=N",
              help="Raise a limit: file_bytes, package_bytes, members, depth.")  # fmt: skip
def lint_command(
    files: tuple[str, ...], schema: str | None, as_json: bool, to_list: bool, lang: str, raised: tuple[str, ...]
) -> int:
    """Find what learning systems refuse or mark wrongly in FILE: Moodle XML, items or packages of QTI 2 and 3, Canvas packages.

    Whoever wrote it: the kind is seen from the content. Nothing is fetched, and nothing of a package is unpacked to the disk.

    \b
    exactattn lint moodle.xml
    exactattn lint qti.zip canvas.zip --json
    exactattn lint item.xml --schema qtiv2p1/
    exactattn lint --rules

    A file that cannot be read is told in a line of its own, and the others are linted all the same.

    Exit codes: 0 nothing is found, 1 something is, 2 bad input.
    """
    words = messages(lang)
    if to_list:
        from exactattn.exports.lint.report import listed
        from exactattn.exports.lint.rules import RULES

        put("\n".join(listed(RULES, words)) + "\n")
        return 0
    if not files:
        raise OptionError("lint needs a file: exactattn lint moodle.xml (or --rules)")
    from exactattn.exports.lint import lint
    from exactattn.exports.lint.limits import LINT_LIMITS, LintLimits
    from exactattn.exports.lint.report import Report, Unread, lines, to_json
    from exactattn.exports.lint.schema import opened

    limits: LintLimits = LINT_LIMITS
    known = [one.name for one in fields(LintLimits)]
    for text in raised:
        name, _, value = text.partition("=")
        if name not in known:
            raise OptionError(
                "--limit {text}: no limit {name!r}{hint}", text=text, name=name, hint=nearest(name, known)
            )
        if not (value.isascii() and value.isdecimal()):
            raise OptionError("--limit {text}: a whole number was due, as in {name}=1000", text=text, name=name)
        limits = replace(limits, **{name: int(value)})
    schemas = None if schema is None else opened(schema)
    reports: list[Report] = []
    unread: list[tuple[str, ExactAttnError]] = []
    for file in files:
        try:
            reports.append(lint(file, schemas=schemas, limits=limits))
        except ExactAttnError as error:  # told below, when the findings of the others are
            unread.append((file, error))
    if len(files) == len(unread) == 1:
        raise unread[0][1]
    if reports and schemas is not None and not schemas.used:
        raise OptionError("--schema {folder} has no schema for any of these files", folder=schema)
    if as_json:
        put(to_json(reports, words, [Unread(file, message(why)) for file, why in unread]))
    elif reports:
        put("".join(f"{_line(line)}\n" for line in lines(reports, words)))
    for file, why in unread:
        put_error(message(why) if file in message(why) else f"{file}: {message(why)}")
    if unread:
        return max(code_of(why) for _, why in unread)
    return 0 if all(report.clean for report in reports) else 1


def _line(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" "))]
    return indent + harmless(line.strip())
