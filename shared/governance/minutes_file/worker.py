"""Makes files of minutes and minute books: drawn and sealed in a child process, with the key of this function alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from governance.domain.meetings import minutes_file as file_rules
from governance.domain.packs.board_pack import Failure, PackFailed
from governance.instants import Instant, now, shift
from governance.limits import QUEUE_DELAY_SECONDS
from governance.minutes_file import book_pages, pages
from governance.minutes_file.contents import Contents
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


def make_sealed_file(body: Mapping[str, Any]) -> Iterable[Message]:
    """Makes the sealed file of approved minutes, once all acts are logged, or of a minute book, as it is by now."""
    pack = requested(body)
    if pack is None:
        return []
    if (sealed := pack.version.sealed_minutes) is not None:
        return attempt(pack, Making(_message, partial(_pause, sealed), partial(_minutes_made, sealed)))
    if (year := pack.version.sealed_book_year) is not None:
        return attempt(pack, Making(_message, _at_once, partial(_book_made, year)))
    return []


def _message(pack: Pack, delay_seconds: float) -> Message:
    return minutes_file_message(pack.document.board_id, pack.document.id, pack.version.id, delay_seconds)


def _pause(sealed: SealedMinutes, pack: Pack) -> int:
    """Returns the seconds to wait for the log: without a proof, a file proves nothing. It ends with its upload."""
    if file_rules.is_logged(pack_making.minutes_of(pack, sealed, now()).approval):
        return 0
    is_late = now() > shift(pack.version.created_at, seconds=_SOON_SECONDS)
    return QUEUE_DELAY_SECONDS if is_late else _PAUSE_SECONDS


def _at_once(_pack: Pack) -> int:
    return 0


def _minutes_made(sealed: SealedMinutes, pack: Pack, folder: Path) -> Path:
    """Returns the file of minutes. Raises `PackFailed` if it cannot be made."""
    contents = pages.contents_of(pack_making.minutes_of(pack, sealed, now()))
    return _made(contents, folder / "minutes.pdf", lambda problem: PackFailed(Failure(problem), pack.document.title))


def _book_made(year: str, pack: Pack, folder: Path) -> Path:
    """Returns the document of a minute book. Raises `PackFailed` if it cannot be made."""
    contents = book_pages.contents_of(pack_making.book_of(pack, year, now()), pack.version.created_at)
    return _made(contents, folder / "minute_book.pdf", lambda _: PackFailed(Failure.LONG_BOOK))


def _made(contents: Contents, target: Path, failed: Callable[[str], PackFailed]) -> Path:
    """Returns the sealed file. Raises what `failed` returns for the problem of one that cannot be made."""
    published = seal_certificates.published()
    job = Job(
        contents=contents,
        target=str(target),
        certificates=published.pem.decode(),
        public_key=seal_key.public_key().hex(),
        name=settings().root_url.partition("//")[2],
        now=now(),
    )
    answer = run(job, seal_key.sign)
    if "problem" in answer:
        raise failed(answer["problem"])
    if answer["certificate"]:
        seal_certificates.publish(answer["certificate"].encode(), published)
    seal_certificates.log(answer["sha256"], Instant(answer["since"]))
    return target
