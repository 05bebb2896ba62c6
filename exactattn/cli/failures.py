"""What every command does in trouble: one line on standard error and an exit code, never a traceback."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click
from click.exceptions import Abort, Exit

from exactattn.cli.console import prepare, put_error
from exactattn.errors import ExactAttnError, nearest

BAD_INPUT, BUG, INTERRUPTED = 2, 70, 130


class Commands(click.Group):
    """A group whose every failure is one line.

    With EXACTATTN_TRACEBACK set, errors that are bugs come out as Python shows them. `places` says where each command
    is ("module:function"): a command is imported when it is called, so that one does not wait for what another needs.
    """

    def __init__(self, *args: Any, places: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self.places = dict(places or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted({*super().list_commands(ctx), *self.places})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; a near miss is suggested."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            raise click.UsageError(f"no such command {args[0]!r}{nearest(args[0], known)}", ctx)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name, imported now."""
        if cmd_name in self.places:
            module, _, name = self.places[cmd_name].partition(":")
            command: click.Command = getattr(import_module(module), name)
            return command
        return super().get_command(ctx, cmd_name)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and end the process with its exit code (or return it, where click is not to stand alone)."""
        prepare()
        given = list(sys.argv[1:] if args is None else args) or ["--help"]
        code = self._run(given, complete_var, extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _run(self, args: list[str], complete_var: str | None, extra: dict[str, Any]) -> int:
        try:
            result = super().main(args, "exactattn", complete_var, standalone_mode=False, **extra)
        except SystemExit as end:  # click's own end: its help met a closed pipe, or a shell asked for completions
            return end.code if isinstance(end.code, int) else 0
        except (Abort, KeyboardInterrupt):
            put_error("interrupted")
            return INTERRUPTED
        except Exception as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # Python says so of one while a class is made
                put_error("interrupted")
                return INTERRUPTED
            put_error(message(error))
            return code_of(error)
        return result if isinstance(result, int) else 0

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a bug is shown as Python shows it where that is asked for."""
        try:
            return super().invoke(ctx)
        except (ExactAttnError, click.ClickException, Exit, Abort, MemoryError, RecursionError, OSError):
            raise
        except Exception:
            if os.environ.get("EXACTATTN_TRACEBACK"):
                import traceback

                traceback.print_exc()
            raise


def code_of(error: Exception) -> int:
    """The exit code an error ends the process with."""
    match error:
        case ExactAttnError():
            return error.exit_code
        case click.ClickException() | OSError() | MemoryError() | RecursionError():
            return BAD_INPUT
    return BUG


def message(error: Exception) -> str:
    """What is said of an error."""
    match error:
        case ExactAttnError():
            # in Python a limit is an argument, here an option
            return re.sub(r"raise (?:it with )?the limit '(\w+)'", r"raise it with --limit \1=N", str(error))
        case click.UsageError():
            help_of = error.ctx.command_path if error.ctx else "exactattn"
            return f"{_plain(error.format_message())} (see {help_of} --help)"
        case click.ClickException():
            return error.format_message()
        case MemoryError():
            return "out of memory: give fewer tokens or fewer places"
        case RecursionError():
            return "the input is nested too deeply"
        case OSError():
            name = f": {error.filename}" if error.filename else ""
            return f"{(error.strerror or str(error)).lower()}{name}"
    kind = type(error).__name__
    return f"a bug in exactattn ({kind}: {error}): please report it; EXACTATTN_TRACEBACK=1 shows where"


def _plain(text: str) -> str:
    return text.strip().removesuffix(".")
