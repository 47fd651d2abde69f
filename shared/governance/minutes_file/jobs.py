"""The messages between the worker of sealed files and its child process, and the conversation of the two."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Timer
from typing import Any

from governance.limits import MINUTES_COPY_SECONDS, MINUTES_FILE_BYTES, PACK_PAPER_MEMORY, PACK_PAPER_SECONDS
from governance.minutes_file.contents import Contents
from governance.packs import children
from governance.packs.copier.report import Problem


@dataclass(frozen=True)
class Job:
    """Work for the child: to write a sealed file to `target`.

    The key has the certificate for its `public_key`, as DER in hexadecimal digits, among the published `certificates`,
    as PEM. One that has none yet gets one under `name`, from `now` on.
    """

    contents: Contents
    target: str
    certificates: str
    public_key: str
    name: str
    now: str


@dataclass(frozen=True)
class Comparison:
    """Work for the child: to tell whether a copy is our file, its first `size` bytes, followed by signatures alone."""

    copy: str
    size: int


def is_ours(copy: Path, size: int) -> bool:
    """Returns whether a copy is our file, its first bytes, followed by signatures alone, at least one."""
    return _talk(Comparison(str(copy), size), _refuse, MINUTES_COPY_SECONDS).get("is_ours") == "yes"


def _refuse(digest: bytes) -> bytes:
    """Signs nothing: who compares has no key."""
    raise ValueError(digest)


def run(job: Job, sign: Callable[[bytes], bytes]) -> Mapping[str, str]:
    """Lets the child make a file, and signs what it asks to be signed. Returns its result; raises what signing raises.

    A child that ends without a result has exceeded its limits.
    """
    return _talk(job, sign, PACK_PAPER_SECONDS)


def _talk(job: Job | Comparison, sign: Callable[[bytes], bytes], seconds: int) -> Mapping[str, str]:
    command = children.command(str(__package__), seconds, PACK_PAPER_MEMORY, MINUTES_FILE_BYTES)
    with (
        children.unreadable(),
        subprocess.Popen(  # noqa: S603 - ours
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=children.environment(),
            text=True,
        ) as child,
    ):
        timer = Timer(seconds, child.kill)
        timer.start()
        try:
            return _conversation(child, job, sign)
        except (BrokenPipeError, ValueError):
            return {"problem": Problem.TOO_HEAVY}
        finally:
            timer.cancel()
            child.kill()


def _conversation(
    child: subprocess.Popen[str], job: Job | Comparison, sign: Callable[[bytes], bytes]
) -> Mapping[str, str]:
    answer: Any = _asked(child, asdict(job))
    while "digest" in answer:
        answer = _asked(child, {"signature": sign(bytes.fromhex(answer["digest"])).hex()})
    return dict(answer)


def _asked(child: subprocess.Popen[str], message: Any) -> Any:
    """Returns the child's answer to a message. Raises `BrokenPipeError`, or `ValueError` for none."""
    if child.stdin is None or child.stdout is None:
        raise BrokenPipeError
    child.stdin.write(f"{json.dumps(message)}\n")
    child.stdin.flush()
    return json.loads(child.stdout.readline())
