"""Reads what a board pack or a certificate's PDF is made of, and records how making it ended (ADR packs)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from governance.domain.access.access import Principal, check_account, check_tier
from governance.domain.documents import document_version as version_rules
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings.in_camera import NOBODY
from governance.domain.members.unregistered_user import NamedPeople
from governance.domain.packs import board_pack as board_pack_rules
from governance.domain.packs.board_pack import Failure, PackFailed
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.errors import ApiError, Code, suppress_not_found
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import SealedMinutes, StoredVersion, StoredVersions
from governance.models.meetings.agenda import Agenda
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minute_book_content import MinuteBookContent
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.models.resolutions.certificate import Certificate
from governance.models.resolutions.certificate_content import CertificateContent
from governance.scopes import Tier
from governance.store.account import users
from governance.store.boards import boards
from governance.store.decoding import decode_all
from governance.store.documents import document_versions, documents
from governance.store.paper_requests import paper_requests
from governance.store.schema.entities import DOCUMENT, USER
from governance.store.table import read, read_one
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads
from governance.texts import Language, language_of
from governance.usecases.acting import context_of, read_as
from governance.usecases.context import Context, RequestInfo
from governance.usecases.documents.document_versions import arrived
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minute_book_files import read_minute_book
from governance.usecases.meetings.minutes_files import read_approved_minutes
from governance.usecases.members.named_people import people_named
from governance.usecases.packs.board_packs import agenda_of, create_meeting_pack, papers_of
from governance.usecases.resolutions.certificates import get_resolution_certificate

_UTC = "UTC"


@dataclass(frozen=True)
class Pack:
    """A pack that is being made: its document, all versions of the document, and the version that is made."""

    document: StoredDocument
    versions: StoredVersions
    version: StoredVersion


@dataclass(frozen=True)
class PackContent:
    """The content of a pack, as its maker may see it when the pack is made."""

    board: str
    meeting: StoredMeeting
    agenda: Agenda
    papers: dict[str, StoredDocument]
    missing: Sequence[StoredPaperRequest]
    """The requests for papers that somebody still owes, oldest first."""
    members: dict[UserId, StoredUser]
    """Those who present items or owe papers."""
    people: NamedPeople
    maker: StoredUser | None
    language: Language


def _language(user: StoredUser | None) -> Language:
    return language_of(user.language if user else None)


def find_pack(board_id: BoardId, document_id: str, version_id: str) -> Pack | None:
    """Returns a pack that is to be made; None if it was deleted, or was made or failed already."""
    item = read_one(DOCUMENT.key_for(boardId=board_id, documentId=document_id))
    versions = document_versions.of_document(board_id, document_id)
    if item is None or versions is None:
        return None
    with suppress_not_found():
        version = version_rules.find(versions, version_id)
        if version.status == "uploading" and version.is_made:
            return Pack(StoredDocument.model_validate(item), versions, version)
    return None


def note_attempt(pack: Pack, now: Instant) -> None:
    """Notes that an attempt begins. Raises `StaleRead` if another one has begun, or the pack was deleted."""
    new = version_rules.replaced(pack.versions, board_pack_rules.attempted(pack.version, now))
    transact([document_versions.replace(pack.versions, new)])


def content_of(pack: Pack, now: Instant) -> PackContent:
    """Returns the content of a pack, as its maker may see it now.

    Raises `PackFailed` if they may not make it any more, or if the papers have other readers than the pack.
    """
    with _refusals():
        context = _as_maker(_info(pack, meetingId=pack.version.packed_meeting_id), create_meeting_pack, now)
        meeting = visible_meeting(context)
        board_pack_rules.check_packable(meeting)
    agenda = agenda_of(context)
    requests = paper_requests.requests_of_meeting(meeting.board_id, meeting.id)
    left_out = paper_request_rules.not_approved(requests) if pack.version.packed_approved_only else ()
    papers = papers_of(context, agenda, left_out)
    if board_pack_rules.committees_of(papers.values()) - {pack.document.committee_id}:
        raise PackFailed(Failure.MIXED_READERS)
    missing = paper_request_rules.missing(requests)
    asked = {request.asked.unregistered_user_id for request in missing if request.asked.unregistered_user_id}
    people = people_named(context, agenda_rules.people_of(agenda.items if agenda else ()) | asked)
    shown = agenda_rules.to_resource(meeting, agenda, papers, people, NOBODY)
    named = {UserId(item.presenter_user_id) for item in shown.items if item.presenter_user_id}
    named |= {request.asked.user_id for request in missing if request.asked.user_id}
    maker = context.principal.user if context.known_principal else None
    members = boards.users_of(boards.members_among(meeting.board_id, named)) if named else {}
    return PackContent(context.board.name, meeting, shown, papers, missing, members, people, maker, _language(maker))


def certificate_of(pack: Pack, now: Instant) -> CertificateContent:
    """Returns the content of a certificate's PDF, as its maker may see it now.

    Raises `PackFailed` if they may not make it any more.
    """
    info = _info(pack, resolutionId=pack.version.certified_resolution_id)
    with _refusals():
        context = _as_maker(info, get_resolution_certificate, now)
        check_tier(context.tier, Tier.MANAGER, context.principal, None)
        certificate = read_as(info, get_resolution_certificate, context)
    return _with_names(pack, certificate, context.principal.user)


def minutes_of(pack: Pack, sealed: SealedMinutes, now: Instant) -> ApprovedMinutes:
    """Returns the approved minutes of a file, as its maker may see them now.

    Raises `PackFailed` if they may not make it any more.
    """
    info = _info(pack, meetingId=sealed.meeting_id, version=str(sealed.number))
    minutes: ApprovedMinutes = _read_as_manager(info, read_approved_minutes, now)
    return minutes


def book_of(pack: Pack, year: str, now: Instant) -> MinuteBookContent:
    """Returns the minute book of a year as every member may read it.

    Raises `PackFailed` if its maker may not make it any more, or if it is too long.
    """
    content: MinuteBookContent = _read_as_manager(_info(pack, year=year), read_minute_book, now)
    return content


def _read_as_manager(info: RequestInfo, usecase: Callable[..., Any], now: Instant) -> Any:
    """Returns what a maker reads who must still be a manager, unless it is a board token. Raises `PackFailed`."""
    with _refusals():
        context = _as_maker(info, usecase, now)
        if context.known_principal is not None:
            check_tier(context.tier, Tier.MANAGER, context.known_principal, None)
        return read_as(info, usecase, context)


def _with_names(pack: Pack, certificate: Certificate, maker: StoredUser | None) -> CertificateContent:
    facts = json.loads(certificate.to_json())
    named = {voter["userId"] for voter in facts["resolution"]["voters"]}
    items = read(key for user_id in named if (key := USER.key_or_none(userId=user_id)))
    names = {str(user.id): user.full_name or user.id for user in decode_all(StoredUser, items.values())}
    listed = documents.get_by_ids(pack.document.board_id, [paper["documentId"] for paper in facts["papers"]])
    shared = (None, pack.document.committee_id)
    papers = {
        document.id: document.title
        for document in listed.values()
        if document.audience is None and document.committee_id in shared
    }
    timezone = (maker.timezone if maker else None) or _UTC
    return CertificateContent(certificate.to_json(), facts, names, papers, timezone, _language(maker))


@contextmanager
def _refusals() -> Iterator[None]:
    """Raises `PackFailed` for what the maker is refused; a store that fails refuses nothing: it is tried again."""
    try:
        yield
    except ApiError as error:
        if error.code is Code.SERVICE_UNAVAILABLE:
            raise
        raise PackFailed(Failure.REFUSED) from None


def _info(pack: Pack, **named: str | None) -> RequestInfo:
    """Returns the request that a pack's maker would make of its board for what is named."""
    params = {"boardId": pack.document.board_id, **{name: id_ or "" for name, id_ in named.items()}}
    return RequestInfo(params, pack.document.creator_id)


def _as_maker(info: RequestInfo, usecase: Callable[..., Any], now: Instant) -> Context:
    """Returns the context of the maker, or one without a caller for a pack made by a board token.

    Raises the errors of a caller who may not make packs.
    """
    context = context_of(info, usecase, now)
    if context.known_principal is not None:
        if context.known_principal.user is not None:
            check_account(context.known_principal.user)
        check_tier(context.tier, Tier.COLLABORATOR, context.known_principal, None)
    return context


def version_of(pack: Pack, paper: StoredDocument) -> StoredVersion | None:
    """Returns the version of a paper that a pack shows, the latest; None for a paper without a file.

    Only a version that is ready becomes the latest, and a version that is ready stays so.
    """
    versions = document_versions.of_document(pack.document.board_id, paper.id)
    listed = versions.versions if versions else ()
    return next((version for version in listed if version.id == paper.latest_version_id), None)


def end_pack(pack: Pack, size: int, sha256: str, now: Instant) -> bool:
    """Makes a pack whose file is in the bucket the latest version. Returns False if the pack was deleted."""
    return retry_stale_reads(partial(_end, pack, size, sha256, now))


def _end(pack: Pack, size: int, sha256: str, now: Instant) -> bool:
    current = _current(pack)
    if current is None:
        return False
    document, made = current.document, board_pack_rules.packed(current.version, size, sha256)
    try:
        context = Context(now=now, known_principal=_maker(document), known_board=boards.find(document.board_id))
        _, writes = arrived(context, document, current.versions, made)
        transact(context.while_board_exists(writes))
    except ApiError as error:
        if error.code is Code.RESOURCE_NOT_FOUND:
            return False
        raise
    return True


def _maker(document: StoredDocument) -> Principal | None:
    user = users.find(document.creator_id) if document.creator_id else None
    return Principal(user, None) if user else None


def fail_pack(pack: Pack, failure: PackFailed) -> bool:
    """Ends a pack as failed, with the reason in its maker's language. Returns False if it was made or deleted."""
    maker = _maker(pack.document)
    return retry_stale_reads(partial(_fail, pack, failure, _language(maker.user if maker else None)))


def _fail(pack: Pack, failure: PackFailed, language: Language) -> bool:
    current = _current(pack)
    if current is None:
        return False
    version = board_pack_rules.failed(current.version, failure, language)
    transact([document_versions.replace(current.versions, version_rules.replaced(current.versions, version))])
    return True


def _current(pack: Pack) -> Pack | None:
    return find_pack(pack.document.board_id, pack.document.id, pack.version.id)
