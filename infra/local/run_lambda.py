"""`make run-lambda`: as `make run`, but what answers is what `make build` made, in the real Lambda runtime."""

from __future__ import annotations

import sys

from infra.local import run
from infra.local.runtime import Functions, install_client
from infra.stack import env_file
from infra.stack.template import Template


def main() -> int:
    """The exit code, as of `make run`."""
    install_client()
    functions = Functions(Template(), env_file.STATE / "functions.log")
    try:
        return run.main(functions.load)
    finally:
        functions.stop()


if __name__ == "__main__":
    sys.exit(main())
