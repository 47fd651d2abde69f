"""The child that draws and seals a file: `python -m governance.minutes_file <seconds> <memory> <bytes>`.

It reads a `Job` or a `Comparison` as a line of JSON and ends with a line that has its result. It has no key: between
the two it writes lines with a hash each, and reads its signature from the line that answers.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from governance.instants import format_instant
from governance.minutes_file.contents import Contents
from governance.minutes_file.jobs import Comparison, Job
from governance.packs.children import bound
from governance.packs.copier.report import PaperError, Problem


def main() -> None:
    """Does the job that the standard input holds."""
    bound(*map(int, sys.argv[1:]))
    logging.disable(logging.CRITICAL)
    given: dict[str, Any] = json.loads(sys.stdin.readline())
    _say(_compared(Comparison(**given)) if "copy" in given else _done(_job(given)))


def _job(given: Mapping[str, Any]) -> Job:
    return Job(**{**given, "contents": Contents.of(given["contents"])})


def _compared(comparison: Comparison) -> dict[str, str]:
    from governance.minutes_file.signed_copy import (
        adds_signatures_alone,  # half a second that a file that is made needs not
    )

    content = Path(comparison.copy).read_bytes()
    return {"is_ours": "yes" if adds_signatures_alone(content[: comparison.size], content) else "no"}


def _done(job: Job) -> dict[str, str]:
    """Does a job; returns what `_made` returns, or why there is no file."""
    try:
        return _made(job)
    except PaperError as error:
        return {"problem": error.problem}
    except MemoryError:
        return {"problem": Problem.TOO_HEAVY}


def _made(job: Job) -> dict[str, str]:
    """Returns the certificate that it made, empty if there was one; its SHA-256, and when it begins to be valid."""
    from governance.minutes_file.certificate import SealKey, certify, find, since, to_pem  # what compares has it not
    from governance.minutes_file.drawing import draw_contents
    from governance.minutes_file.seals import seal

    target = Path(job.target)
    draw_contents(job.contents, target)
    public_key = bytes.fromhex(job.public_key)
    given = find(public_key, job.certificates.encode())
    certificate = given or certify(public_key, job.name, datetime.fromisoformat(job.now), _signed)
    target.write_bytes(seal(target.read_bytes(), job.contents.acts, SealKey(certificate, _signed)))
    return {
        "certificate": "" if given else to_pem(certificate).decode(),
        "sha256": hashlib.sha256(certificate).hexdigest(),
        "since": format_instant(since(certificate)),
    }


def _signed(digest: bytes) -> bytes:
    """Returns the signature of a SHA-256 by the key, which the parent process may use."""
    _say({"digest": digest.hex()})
    return bytes.fromhex(json.loads(sys.stdin.readline())["signature"])


def _say(answer: dict[str, str]) -> None:
    sys.stdout.write(f"{json.dumps(answer)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the parent has given up
        main()
