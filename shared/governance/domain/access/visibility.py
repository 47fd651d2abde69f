"""Who sees what: visibility is a key range, never a filter (ADR table).

`meeting_visibility(meeting)` returns the visibility of an item, `meeting_visibilities(user_id)` those that a caller's
lists read. A caller can see an item exactly when its visibility is among the caller's. The store gives each visibility
a key range of its own.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple, Protocol

from governance.ids import UserId


class VisibilityKind(Enum):
    """What the items of a visibility have in common."""

    BOARD_MEETINGS = auto()
    BOARD_DOCUMENTS = auto()
    BOARD_EVENTS = auto()
    DRAFTS = auto()
    COMMITTEE_DOCUMENTS = auto()
    DOCUMENTS_IN_CAMERA = auto()


class Visibility(NamedTuple):
    """A set of a board's items that the same callers see.

    `owner_id` is the creator of drafts or the committee of documents; a visibility of the whole board has none.
    """

    kind: VisibilityKind
    owner_id: str | None = None


BOARD_MEETINGS = Visibility(VisibilityKind.BOARD_MEETINGS)
_BOARD_DOCUMENTS = Visibility(VisibilityKind.BOARD_DOCUMENTS)
_BOARD_EVENTS = Visibility(VisibilityKind.BOARD_EVENTS)
DOCUMENTS_IN_CAMERA = Visibility(VisibilityKind.DOCUMENTS_IN_CAMERA)
"""The documents in camera of a board, whose readers are judged one document at a time (ADR in-camera)."""


def _drafts(creator_id: UserId | None) -> Visibility:
    return Visibility(VisibilityKind.DRAFTS, creator_id)


class MaybeDraft(Protocol):
    """The attributes of a meeting that decide whether it is a draft, and whose."""

    @property
    def status(self) -> str:
        """One of the meeting's states."""

    @property
    def creator_id(self) -> UserId | None:
        """The user who made it; None for a board token's meeting."""


def meeting_visibility(meeting: MaybeDraft) -> Visibility:
    """Returns the visibility of a meeting: a draft is in its creator's, any other meeting in the board's."""
    return _drafts(meeting.creator_id) if meeting.status == "draft" else BOARD_MEETINGS


def meeting_visibilities(user_id: UserId | None) -> tuple[Visibility, ...]:
    """Returns the visibilities whose meetings a caller sees: the board's and the user's own drafts.

    A board token (None) has no drafts.
    """
    return (BOARD_MEETINGS,) if user_id is None else (BOARD_MEETINGS, _drafts(user_id))


def can_see_meeting(user_id: UserId | None, meeting: MaybeDraft) -> bool:
    """Returns whether a caller sees a meeting; only its creator sees a draft."""
    return meeting.status != "draft" or (user_id is not None and meeting.creator_id == user_id)


def draft_owner(meeting: MaybeDraft) -> UserId | None:
    """Returns the user whose draft the meeting is; None if it is not a draft."""
    return meeting.creator_id if meeting.status == "draft" else None


def document_visibility(committee_id: str | None) -> Visibility:
    """Returns the visibility of a document: its committee's, or the board's for a document without one."""
    return _BOARD_DOCUMENTS if committee_id is None else Visibility(VisibilityKind.COMMITTEE_DOCUMENTS, committee_id)


def document_visibilities(committee_ids: tuple[str, ...]) -> tuple[Visibility, ...]:
    """Returns the visibilities whose documents a caller sees: the board's and those of the caller's committees."""
    return (document_visibility(None), *(document_visibility(committee) for committee in committee_ids))


def can_see_document(committee_ids: tuple[str, ...], committee_id: str | None) -> bool:
    """Returns whether a caller in these committees sees a document of this committee.

    Admins and board tokens who are not in the committee do not see its documents either.
    """
    return committee_id is None or committee_id in committee_ids


class HasSubject(Protocol):
    """The attributes of an event that decide who may see it."""

    @property
    def draft_of(self) -> UserId | None:
        """The creator of the draft that the event is about."""

    @property
    def committee_id(self) -> str | None:
        """The committee whose document the event is about."""


def event_visibility(event: HasSubject) -> Visibility:
    """Returns the visibility of an event: that of its draft, of its committee, or of the board."""
    if event.draft_of is not None:
        return _drafts(event.draft_of)
    return document_visibility(event.committee_id) if event.committee_id else _BOARD_EVENTS


def is_board_wide(event: HasSubject) -> bool:
    """Returns whether every admin sees an event: it is about neither a draft nor a document of a committee."""
    return event_visibility(event) == _BOARD_EVENTS


def event_visibilities(user_id: UserId | None, committee_ids: tuple[str, ...]) -> tuple[Visibility, ...]:
    """Returns the visibilities whose events a caller sees: the board's, the user's own drafts', the committees'."""
    own = () if user_id is None else (_drafts(user_id),)
    return (_BOARD_EVENTS, *own, *(document_visibility(committee) for committee in committee_ids))
