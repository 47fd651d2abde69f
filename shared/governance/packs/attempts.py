"""Attempts to make a file that somebody asked for, and to put it into the bucket (ADR packs).

A message may arrive twice, and a worker may die: an attempt is noted before it begins, no two run at the same time, and
each starts from scratch. A file is put into the bucket only when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from governance import telemetry
from governance.domain.packs import board_pack as board_pack_rules
from governance.domain.packs.board_pack import PackFailed
from governance.ids import BoardId
from governance.instants import now, seconds_until
from governance.queue.message import Message
from governance.store.documents import papers
from governance.store.writes import StaleRead
from governance.usecases.packs import pack_making
from governance.usecases.packs.pack_making import Pack


@dataclass(frozen=True)
class Making:
    """How one kind of file is made.

    `message` starts another attempt after some seconds. `pause` is how long an attempt has to wait, 0 if it may begin.
    `make` makes the file in a folder. The latter two raise `PackFailed` for what cannot be made.
    """

    message: Callable[[Pack, float], Message]
    pause: Callable[[Pack], int]
    make: Callable[[Pack, Path], Path]


def requested(body: Mapping[str, Any]) -> Pack | None:
    """Returns the file that a message asks for; None if it was made, or deleted."""
    return pack_making.find_pack(BoardId(body["boardId"]), str(body["documentId"]), str(body["versionId"]))


def attempt(pack: Pack, making: Making) -> Iterable[Message]:
    """Makes a file; looks again later while another attempt may still run."""
    leased_until = pack.version.pack_leased_until
    if leased_until is not None and (wait := seconds_until(leased_until, now())) > 0:
        return [making.message(pack, wait)]
    try:
        board_pack_rules.check_attempts(pack.version)
        if (pause := making.pause(pack)) > 0:
            return [making.message(pack, pause)]
        pack_making.note_attempt(pack, now())
        _make(pack, making)
    except PackFailed as failure:
        telemetry.logger().warning("pack failed", pack=pack.document.id, failure=failure.failure)
        if pack_making.fail_pack(pack, failure):
            papers.delete([_key(pack)])  # an attempt that was killed may have put it
    except StaleRead:
        return [making.message(pack, 1)]
    return []


def _make(pack: Pack, making: Making) -> None:
    with TemporaryDirectory() as folder:
        made = making.make(pack, Path(folder))
        size, sha256 = papers.put(_key(pack), made, board_pack_rules.PDF)
        if not pack_making.end_pack(pack, size, sha256, now()):
            papers.delete([_key(pack)])


def _key(pack: Pack) -> str:
    """Returns the object key of the file of a pack."""
    return papers.file_key(pack.document.board_id, pack.document.id, pack.version.id)
