"""The command line from its first moment: `exactattn`, and `python -m exactattn`."""

from __future__ import annotations

import os

INTERRUPTED = 130


def start() -> None:
    """Run the command line. What it needs is imported here, so that an interrupt meanwhile ends with one line too."""
    try:
        import signal

        # an exception out of the middle of an import may get lost, or come out as another one
        signal.signal(signal.SIGINT, _end)
        from exactattn.cli import main

        signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:
        _end()


def _end(*_: object) -> None:
    try:
        os.write(2, b"exactattn: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    start()
