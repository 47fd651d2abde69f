"""`make verify URL=…`: checks a running service over HTTP, from outside, in plain sentences.

The first thing to run after `make deploy`. It passes against `make run` and the rehearsal too, and says what it skips
and why. TOKEN is a session or a personal token of a user. Without it, the checks that need a user are skipped; with it,
a board is created and deleted again.
"""

from __future__ import annotations

import os
import sys
from urllib.parse import urlsplit

from infra.verify.checks import verify
from infra.verify.site import Site


def main(arguments: list[str]) -> int:
    """Verifies the service at the URL given and returns the exit code."""
    if len(arguments) != 1 or urlsplit(arguments[0]).scheme not in {"http", "https"}:
        print("Say which service: make verify URL=https://…", file=sys.stderr)
        return 2
    return 1 if verify(Site(arguments[0], os.environ.get("TOKEN", ""))) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
