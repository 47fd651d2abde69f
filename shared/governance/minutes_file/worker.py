"""Makes files of approved minutes: drawn and sealed in a child process, with the key that only this function has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from governance.domain.meetings import minutes_file as file_rules
from governance.domain.packs.board_pack import Failure, PackFailed
from governance.instants import now, shift
from governance.limits import QUEUE_DELAY_SECONDS
from governance.minutes_file.jobs import Job, run
from governance.models.documents.document_version import SealedMinutes
from governance.packs.attempts import Making, attempt, requested
from governance.packs.message import minutes_file_message
from governance.queue.message import Message
from governance.settings import settings
from governance.store.history import seal_certificates, seal_key
from governance.usecases.packs import pack_making
from governance.usecases.packs.pack_making import Pack

_SOON_SECONDS, _PAUSE_SECONDS = 600, 20
"""How long the log is expected to take at most, and the pause between two looks until then."""


def make_minutes_file(body: Mapping[str, Any]) -> Iterable[Message]:
    """Makes the sealed file of approved minutes, once their approval and all signatures are logged."""
    pack = requested(body)
    if pack is None or pack.version.sealed_minutes is None:
        return []
    sealed = pack.version.sealed_minutes
    return attempt(pack, Making(_message, partial(_pause, sealed), partial(_made, sealed)))


def _message(pack: Pack, delay_seconds: float) -> Message:
    return minutes_file_message(pack.document.board_id, pack.document.id, pack.version.id, delay_seconds)


def _pause(sealed: SealedMinutes, pack: Pack) -> int:
    """Returns the seconds to wait for the log: without a proof, a file proves nothing. It ends with its upload."""
    if file_rules.is_logged(pack_making.minutes_of(pack, sealed, now()).approval):
        return 0
    is_late = now() > shift(pack.version.created_at, seconds=_SOON_SECONDS)
    return QUEUE_DELAY_SECONDS if is_late else _PAUSE_SECONDS


def _made(sealed: SealedMinutes, pack: Pack, folder: Path) -> Path:
    """Returns the file. Raises `PackFailed` if it cannot be made."""
    published = seal_certificates.published()
    target = folder / "minutes.pdf"
    job = Job(
        facts=pack_making.minutes_of(pack, sealed, now()),
        target=str(target),
        certificates=published.pem.decode(),
        public_key=seal_key.public_key().hex(),
        name=settings().root_url.partition("//")[2],
        now=now(),
    )
    answer = run(job, seal_key.sign)
    if "problem" in answer:
        raise PackFailed(Failure(answer["problem"]), pack.document.title)
    if answer["certificate"]:
        seal_certificates.publish(answer["certificate"].encode(), published)
    return target
