"""Runs the emulator, which is taught checksums of forms, addresses of files, and that a parameter may be a number.

Run by the emulator's own Python.

The folder that it writes to is the only argument.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ministack import app
from ministack.services import lambda_svc

from infra.local.downloads import SignedDownloads
from infra.local.uploads import keep_checksums
from infra.stack import download_key


def main() -> None:
    """Serves until SIGTERM."""
    os.chdir(sys.argv.pop())
    keep_checksums()
    count_concurrency()
    buckets = {"papers": os.environ["PAPERS_BUCKET"]}
    key = download_key.public(os.environ["DOWNLOAD_KEY"])
    app.app = SignedDownloads(app.app, key, os.environ["DOWNLOAD_KEY_ID"], buckets)
    app.main()


def count_concurrency() -> None:
    """Makes a mapping's concurrency a number where a parameter of the stack states it, as CloudFormation does.

    The emulator compares it with a number, and for one text it polls no queue at all.
    """
    known = lambda_svc._sqs_esm_concurrency

    def counted(mapping: dict[str, Any], *others: Any) -> Any:
        scaling = {name: int(value) for name, value in (mapping.get("ScalingConfig") or {}).items()}
        return known(mapping | {"ScalingConfig": scaling}, *others)

    lambda_svc._sqs_esm_concurrency = counted


if __name__ == "__main__":
    main()
