"""Runs the emulator, which is taught what S3 does with the checksum of a form. Run by the emulator's own Python.

The folder that it writes to is the only argument.
"""

from __future__ import annotations

import os
import sys

from ministack import app

from infra.local.uploads import keep_checksums


def main() -> None:
    """Serves until SIGTERM."""
    os.chdir(sys.argv.pop())
    keep_checksums()
    app.main()


if __name__ == "__main__":
    main()
