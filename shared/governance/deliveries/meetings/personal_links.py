"""The personal links in the e-mails to people without an account: one for each meeting, and paper (ADRs people,
paper-requests)."""

from __future__ import annotations

from governance.domain.meetings import personal_link as personal_link_rules
from governance.domain.paper_requests import paper_link
from governance.instants import Instant, now
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.settings import Secret, settings
from governance.store.meetings import personal_links
from governance.store.members import unregistered_users
from governance.store.paper_requests import paper_requests
from governance.store.transactions import transact
from governance.store.writes import Write


def personal_url(person: StoredUnregisteredUser, meeting_id: str) -> str:
    """Returns the URL of a person's page of a meeting, which works for some time from now on.

    Raises `StaleRead` if the person changed since they were read: then their links may have ended.
    """
    transact([unregistered_users.check_as_read(person), *link_writes(person, meeting_id, now())])
    return settings().root_url + personal_path(person, meeting_id)


def personal_path(person: StoredUnregisteredUser, meeting_id: str) -> str:
    """Returns the path of a person's page of a meeting; the link works once `link_writes` are committed."""
    return f"/guest/{_token(person, meeting_id)}"


def link_writes(person: StoredUnregisteredUser, meeting_id: str, sent_at: Instant) -> list[Write]:
    """Returns the writes after which a person's link works for some time from an e-mail on."""
    link = personal_link_rules.link(_token(person, meeting_id), person, sent_at)
    return [personal_links.put(person, meeting_id, link)]


def paper_url(person: StoredUnregisteredUser, request: StoredPaperRequest) -> str:
    """Returns the URL by which a person delivers a paper; it ends one that they had before it was returned.

    Raises `StaleRead` if the person or the request changed since they were read.
    """
    token = paper_link.token(settings().secret(Secret.INVITE_LINK), person, request)
    new = paper_link.linked(request, token, person)
    changes = paper_requests.replace(request, new, now()) if new is not request else []
    transact([unregistered_users.check_as_read(person), *changes])
    return f"{settings().root_url}/paper/{token}"


def _token(person: StoredUnregisteredUser, meeting_id: str) -> str:
    return personal_link_rules.token(settings().secret(Secret.INVITE_LINK), person, meeting_id)
