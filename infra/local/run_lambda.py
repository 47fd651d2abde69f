"""`make run-lambda`: as `make run`, but with the functions that `make build` made, in the real Lambda runtime."""

from __future__ import annotations

import sys

from infra.local import run
from infra.local.runtime import Functions, install_client
from infra.stack import env_file
from infra.stack.template import Template


def main() -> int:
    """Runs the service and returns the exit code."""
    install_client()
    functions = Functions(Template(), env_file.STATE / "functions.log")
    try:
        return run.main(functions.load)
    finally:
        functions.stop()


if __name__ == "__main__":
    sys.exit(main())
