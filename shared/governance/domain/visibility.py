"""Who sees what: visibility is a key range, never a filter (ADR 0002).

`bucket(item)` says in which range an item lies, `buckets(caller)` which ranges a caller's lists read;
a caller can see an item exactly when its bucket is among his.
"""

from __future__ import annotations

from typing import Protocol

MEETINGS = "MEETINGS"


class HasDraft(Protocol):
    """What decides whether a meeting is a draft, and whose."""

    @property
    def status(self) -> str:
        """Of the meeting's states."""

    @property
    def creator_id(self) -> str | None:
        """Its user; None for a board token's meeting."""


def meeting_bucket(meeting: HasDraft) -> str:
    """A draft lies with its creator's drafts, any other meeting with the board's."""
    return _drafts(meeting.creator_id) if meeting.status == "draft" else MEETINGS


def meeting_buckets(user_id: str | None) -> tuple[str, ...]:
    """A user reads the board's meetings and his own drafts; a board token has no drafts."""
    return (MEETINGS,) if user_id is None else (MEETINGS, _drafts(user_id))


def can_see_meeting(user_id: str | None, meeting: HasDraft) -> bool:
    """A draft is hidden from everyone but its creator."""
    return meeting.status != "draft" or (user_id is not None and meeting.creator_id == user_id)


def _drafts(creator_id: str | None) -> str:
    return f"DRAFTS#{creator_id}"


def document_bucket(committee_id: str | None) -> str:
    """A committee's document lies with that committee's, any other with the board's."""
    return "DOCS#B" if committee_id is None else f"DOCS#C#{committee_id}"


def document_buckets(committee_ids: tuple[str, ...]) -> tuple[str, ...]:
    """A caller reads the board's documents and those of each committee he is in, whatever his role."""
    return (document_bucket(None), *(document_bucket(committee) for committee in committee_ids))


def can_see_document(committee_ids: tuple[str, ...], committee_id: str | None) -> bool:
    """A committee's document is hidden from everyone who is not in it, admins and board tokens included."""
    return committee_id is None or committee_id in committee_ids


class Concerns(Protocol):
    """What decides who may learn of an event."""

    @property
    def draft_of(self) -> str | None:
        """The creator of the draft that it is about."""

    @property
    def committee_id(self) -> str | None:
        """The committee whose document it is about."""


def event_bucket(event: Concerns) -> str:
    """An event lies with what it is about: somebody's draft, a committee's document, or the board."""
    if event.draft_of is not None:
        return _drafts(event.draft_of)
    return document_bucket(event.committee_id) if event.committee_id else _BOARD_EVENTS


def event_buckets(user_id: str | None, committee_ids: tuple[str, ...]) -> tuple[str, ...]:
    """A caller reads the board's events, those of his own drafts, and those of his committees' documents."""
    own = () if user_id is None else (_drafts(user_id),)
    return (_BOARD_EVENTS, *own, *(document_bucket(committee) for committee in committee_ids))


_BOARD_EVENTS = "BOARD"
