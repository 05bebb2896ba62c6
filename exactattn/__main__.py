"""The command line from its first moment: `exactattn`, and `python -m exactattn`."""

import sys

INTERRUPTED = 130


def start() -> None:
    """Run the command line. What it needs is imported here, so that an interrupt meanwhile ends with one line too."""
    try:
        from exactattn.cli import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("exactattn: interrupted\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    start()
