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
from infra.verify.site import Failed, Site


def main(arguments: list[str]) -> int:
    """Verifies the service at the URL given and returns the exit code."""
    if len(arguments) != 1 or not _is_address(arguments[0]):
        print("Say which service: make verify URL=https://…", file=sys.stderr)
        return 2
    site = Site(arguments[0], os.environ.get("TOKEN", ""))
    try:
        site.call("/docs")
    except Failed as failed:
        print(f"Nothing was checked: {failed}", file=sys.stderr)
        return 1
    return 1 if verify(site) else 0


def _is_address(text: str) -> bool:
    """Returns whether a text is an http or https URL with a host, whose port is none or a number."""
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
