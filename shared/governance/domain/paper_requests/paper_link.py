"""The link by which a person without an account delivers a paper: it opens one request, and nothing else of its board
(ADR paper-requests).

A request has one link at a time. Returning a paper begins another one, with the e-mail that says so.
"""

from __future__ import annotations

from governance.domain.meetings import personal_link
from governance.instants import Instant
from governance.models.documents.document_version import StoredVersions
from governance.models.meetings.slot import StoredPersonalLink
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.paper_requests.paper_request import OPEN, PaperSlot, PaperSlotFile, StoredPaperRequest


def token(secret: str, person: StoredUnregisteredUser, request: StoredPaperRequest) -> str:
    """Returns the token of the link of a request, which is another one after each return of a paper."""
    return personal_link.token(secret, person, request.id, f"paper link {request.decided_at or ''}")


def linked(request: StoredPaperRequest, text: str, person: StoredUnregisteredUser) -> StoredPaperRequest:
    """Returns the request with the link of a token, in place of an earlier one; the same object if it has it."""
    link = personal_link.link(text, person, request.due_at)
    if request.link == link:
        return request
    return request.model_copy(update={"link": link, "version": request.version + 1})


def prolonged(link: StoredPersonalLink | None, due_at: Instant) -> StoredPersonalLink | None:
    """Returns the link of a request that is due at another time."""
    return link and link.model_copy(update={"expires_at": personal_link.expiry(due_at)})


def opens(text: str, request: StoredPaperRequest | None, person: StoredUnregisteredUser | None, now: Instant) -> bool:
    """Returns whether a token opens a request: until the paper is approved or not wanted, or some time after it is due.

    It ends with the archiving of its person, with another address of theirs, and once somebody else is asked.
    """
    if request is None or person is None or request.status not in OPEN:
        return False
    is_asked = request.asked.unregistered_user_id == person.id
    return is_asked and personal_link.is_current(text, request.link, person, now)


def to_slot(request: StoredPaperRequest, versions: StoredVersions | None) -> PaperSlot:
    """Returns what the link of a request shows."""
    sent = versions.versions if versions else ()
    files = tuple(PaperSlotFile.model_validate(vars(version)) for version in sent)
    return PaperSlot.model_validate({**vars(request), "files": files})
