"""The lists of the table, each a prefix of sort keys, in the table itself or in one of its indexes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from governance.domain.access.visibility import BOARD_MEETINGS, Visibility
from governance.ids import MembershipId, PersonId, UserId
from governance.instants import Instant
from governance.models.meetings.slot import StoredSlot
from governance.store.schema.entities import (
    ACTION_ITEM,
    ACTIVE_USER_TOKENS,
    ASSIGNED,
    BOARD_TOKEN,
    CALENDAR_INVITATION,
    COMMENTS_PREFIX,
    DEPARTURE,
    FIGURE,
    FORMER_BOARD,
    FORMER_EMAIL_PREFIX,
    MEMBER,
    NOTIFICATIONS_READ,
    OWN_EXAMPLE_BOARD,
    RESOLUTION_CONTENT,
    SENT_PREFIX,
    USER_BOARD,
    USER_TOKEN,
    WEBHOOK_DELIVERY,
    votes_prefix,
)
from governance.store.schema.history import visibility_prefix
from governance.store.schema.jobs import EXPORT
from governance.store.schema.keys import SEPARATOR, SK, Index, Key, SortedList, position
from governance.store.schema.lookups import EMAIL_USER_PREFIX, RECEIVED_INVITE_PREFIX, UNREGISTERED_USER_PREFIX
from governance.store.schema.minutes import MINUTES_REMARK_PREFIX, MINUTES_VERSION_PREFIX

if TYPE_CHECKING:
    from governance.domain.resolutions.visibility import ResolutionVisibility  # only requests about resolutions need it

# -- on a board, in an index

MEMBERS = SortedList("L1", "MEMBERS#")
ROSTER = SortedList("L3", "ROSTER#")
"""The members again, in the same order; the keys alone contain all that lists of every member need."""
TOKENS = SortedList("L1", "TOKENS#")
"""Access tokens of a board or of a user."""
COMMITTEES = SortedList("L1", "COMMITTEES#")
UNREGISTERED_USERS = SortedList("L1", "UNREGISTERED#")
INVITES = SortedList("L1", "INVITES#")
PENDING_INVITES = SortedList("L2", "INVITES#PENDING#")


def invites_of_status(status: str) -> SortedList:
    """Returns the list of a board's invites of one status, by creation."""
    return PENDING_INVITES if status == "pending" else SortedList("L2", f"INVITES#{status}#")


def unregistered_users_of_status(status: str) -> SortedList:
    """Returns the list of a board's people without an account of one status, by creation."""
    return SortedList("L2", f"UNREGISTERED#{status}#")


def _cancelled_or_not(listed: SortedList, *, cancelled: bool) -> SortedList:
    """Returns the list, or that of the cancelled meetings among what it would hold: they have lists of their own."""
    return SortedList(listed.index, f"CALLED_OFF#{listed.prefix}") if cancelled else listed


def meetings_visible_by(visibility: Visibility, *, cancelled: bool = False) -> SortedList:
    """Returns the list of a visibility's meetings that take place, by start, or of its cancelled ones."""
    return _cancelled_or_not(SortedList("L1", visibility_prefix(visibility)), cancelled=cancelled)


def meetings_with_matters(visibility: Visibility) -> SortedList:
    """Returns the list of a visibility's meetings that take place and have matters of the work plan, by start."""
    return SortedList("L3", f"MATTERS#{visibility_prefix(visibility)}")


def meetings_without_start(visibility: Visibility) -> SortedList:
    """Returns the list of a visibility's meetings that take place and have no start, by creation."""
    return SortedList("L1", f"{visibility_prefix(visibility)}{SEPARATOR}")


def meetings_of_status(status: str, *, cancelled: bool = False) -> SortedList:
    """Returns the list of a board's meetings of one status other than draft, by start, or of the cancelled ones."""
    listed = SortedList("L2", f"{visibility_prefix(BOARD_MEETINGS)}{status}#")
    return _cancelled_or_not(listed, cancelled=cancelled)


def documents_visible_by(visibility: Visibility, document_type: str | None) -> SortedList:
    """Returns the list of a visibility's documents, or of those of one type, by update."""
    prefix = visibility_prefix(visibility) + "ALL#"
    return SortedList("L1", prefix) if document_type is None else SortedList("L2", prefix + _type(document_type))


def document_links(visibility: Visibility, meeting_id: str, document_type: str | None) -> SortedList:
    """Returns the list of the links of a visibility's documents to a meeting, or of those of one type, by update."""
    prefix = f"{visibility_prefix(visibility)}M#{meeting_id}#"
    return SortedList("L3", prefix) if document_type is None else SortedList("L4", prefix + _type(document_type))


def _type(document_type: str) -> str:
    """Returns the part of a key for a type of documents, which is free text: a digest stands for it."""
    return f"T#{hashlib.sha256(document_type.encode()).hexdigest()[:24]}#"


def series_visible_by(visibility: Visibility) -> SortedList:
    """Returns the list of a visibility's series, by creation; a committee's are visible as its documents are."""
    return SortedList("L1", f"SERIES#{visibility_prefix(visibility)}")


def guest_links_made_by(user_id: UserId) -> SortedList:
    """Returns the list of the guest links to a board's meetings that a user made, in no meaningful order."""
    return SortedList("L1", f"GUEST_LINKS#{user_id}#")


def action_items_of_meeting(meeting_id: str) -> SortedList:
    """Returns the list of a meeting's action items, by their `order`."""
    return SortedList("L1", f"ACTIONS#{meeting_id}#")


def roster_position(created_at: Instant, member_id: MembershipId, join_id: str, tier: int) -> str:
    """Returns the position of a member in the roster: by when they joined."""
    return f"{position(created_at, member_id)}#{join_id}#{tier}"


def roster_fields(item: Mapping[str, str]) -> tuple[UserId, str, int]:
    """Returns the user id, the join id and the tier of a member in the roster."""
    *_, join_id, tier = ROSTER.position_of(item).split(SEPARATOR)
    return UserId(item[SK].removeprefix(MEMBER.sk_prefix)), join_id, int(tier)


def reports(status: str | None = None) -> SortedList:
    """Returns the list of a board's reports, or of those of one status, by update."""
    return SortedList("L1", "REPORTS#") if status is None else SortedList("L2", f"REPORTS#{status}#")


def dashboards(report_id: str, dashboard_type: str | None = None) -> SortedList:
    """Returns the list of a report's dashboards, or of those of one type, by update."""
    if dashboard_type is None:
        return SortedList("L3", f"DASHBOARDS#{report_id}#")
    return SortedList("L4", f"DASHBOARDS#{report_id}#{dashboard_type}#")


def dashboard_position(updated_at: Instant, dashboard_id: str, kilobytes: int) -> str:
    """Returns the position of a dashboard in its lists; it ends in the size, which a page needs before the items."""
    return f"{position(updated_at, dashboard_id)}#{kilobytes:03d}"


def kilobytes_at(dashboard_position: str) -> int:
    """Returns the size that a dashboard's position names."""
    return int(dashboard_position.rpartition("#")[2])


def figures_of_kpi(rogue_id: str) -> SortedList:
    """Returns the list of a KPI's figures in published reports, by their day, then by publication."""
    return SortedList(None, f"{FIGURE.sk_prefix}{rogue_id}#")


def figures_of_report(report_id: str) -> SortedList:
    """Returns the list of a report's figures, by dashboard."""
    return SortedList("L3", f"COUNTED_FIGURES#{report_id}#")


def figures_of_dashboard(report_id: str, dashboard_id: str) -> SortedList:
    """Returns the list of a dashboard's figures, by KPI."""
    return SortedList("L3", f"COUNTED_FIGURES#{report_id}#{dashboard_id}#")


UNCOUNTED_FIGURES = "FIGURES#"
"""The beginning of the same lists of releases that did not count the changes of figures."""


def uncounted_figures(*ids: str) -> SortedList:
    """Returns the list of the figures that such releases wrote: of a report, of a dashboard, or without ids of all."""
    return SortedList("L3", UNCOUNTED_FIGURES + "".join(f"{id_}#" for id_ in ids))


CYCLES = SortedList("L1", "CYCLES#")
"""The reporting cycles of a board, by creation."""
BETS = SortedList("L1", "BETS#")
"""The bets of a board, by creation."""


def backlog_visible_by(visibility: Visibility) -> SortedList:
    """Returns the list of a visibility's waiting items, by when they began to wait."""
    return SortedList("L1", f"BACKLOG#{visibility_prefix(visibility)}")


def plan_visible_by(visibility: Visibility) -> SortedList:
    """Returns the list of a visibility's matters, by creation."""
    return SortedList("L1", f"PLAN#{visibility_prefix(visibility)}")


AGENDA_TEMPLATES = SortedList("L1", "AGENDA_TEMPLATES#")
"""The agenda templates of a board, by creation."""
SLOTS = SortedList("L3", "SLOTS#")
"""The slots of all meetings of a board, by start."""


def slot_position(slot: StoredSlot) -> str:
    """Returns the position of a slot in the list of its board; it contains all that a calendar shows of the slot."""
    parts = (slot.start_time, slot.id, slot.meeting_id, slot.created_at, str(slot.duration_in_minutes), slot.timezone)
    return SEPARATOR.join(parts)


DEPARTURES = SortedList(None, DEPARTURE.sk_prefix)
"""The members who left a board, or a committee of it, by time."""
RESOLUTION_BODY = SortedList(None, RESOLUTION_CONTENT.sk)
"""The content of a resolution, then its voters in groups."""


def resolutions(
    visibility: ResolutionVisibility, *, by_closing: bool, meeting_id: str | None, status: str | None
) -> SortedList:
    """Returns the list of a visibility's resolutions by creation or by closing: all, or those of a meeting or status.

    A resolution that is not a draft is in the list of its status, a draft in its creator's, each in a second index.
    """
    is_second = visibility.creator_id is not None or (status is not None and not visibility.is_draft)
    index: Index = ("L4" if by_closing else "L3") if is_second else ("L2" if by_closing else "L1")
    parts = [
        "RES_DRAFTS" if visibility.is_draft else "RESOLUTIONS",
        *([] if meeting_id is None else ["M", meeting_id]),
        *(["B"] if visibility.committee_id is None else ["C", visibility.committee_id]),
        *([] if visibility.creator_id is None else [visibility.creator_id]),
        *([] if status is None or visibility.is_draft else [status]),
    ]
    return SortedList(index, SEPARATOR.join([*parts, ""]))


def comments_by(author_id: UserId) -> SortedList:
    """Returns the list of a user's comments on a board, by time."""
    return SortedList("L3", f"AUTHORED#{author_id}#")


def paper_requests_of_meeting(meeting_id: str) -> SortedList:
    """Returns the list of a meeting's paper requests, by creation."""
    return SortedList("L1", f"OF_MEETING#{meeting_id}#")


def paper_requests_of_item(agenda_item_id: str) -> SortedList:
    """Returns the list of the paper requests for an agenda item, by creation."""
    return SortedList("L2", f"OF_ITEM#{agenda_item_id}#")


def paper_requests_to(person_id: PersonId) -> SortedList:
    """Returns the list of the paper requests to a person without an account, by creation."""
    return SortedList("L3", f"ASKED#{person_id}#")


def paper_requests_reviewed_by(user_id: UserId) -> SortedList:
    """Returns the list of the paper requests that a member reviews, by creation."""
    return SortedList("L4", f"REVIEWED#{user_id}#")


# -- on a board, by primary key

ACTION_ITEMS_IN_ORDER = SortedList("L2", "ACTIONS#ALL#")
"""All action items of a board, by their `order`."""
DUE_DATES = SortedList("L3", "DUE_DATES#")
"""The action items of a board that are due on a day, by that day."""
ACTION_ITEMS = SortedList(None, ACTION_ITEM.sk_prefix)
TOKENS_BY_ID = SortedList(None, BOARD_TOKEN.sk_prefix)
"""Access tokens of a board or of a user, in no meaningful order."""


def under(parent: Key) -> SortedList:
    """Returns the list of the items under a parent: a meeting's slots, votes and guest link, a report's dashboards."""
    return SortedList(None, f"{parent.sk}#")


def comments_under(subject: Key) -> SortedList:
    """Returns the list of the comments on the subject with this key, by time."""
    return SortedList(None, f"{subject.sk}{COMMENTS_PREFIX}#")


def comments_and_count(subject: Key) -> SortedList:
    """Returns the same list with the row that counts the comments."""
    return SortedList(None, f"{subject.sk}{COMMENTS_PREFIX}")


def slots_and_votes(meeting: Key) -> SortedList:
    """Returns the list of a meeting's slots, by instant, each followed by its votes."""
    return SortedList(None, f"{meeting.sk}#SLOT#")


def guest_votes_of_meeting(guests: Key) -> SortedList:
    """Returns the list of the guests' votes on all slots of a meeting, by slot."""
    return SortedList(None, f"{guests.sk}#VOTE#")


def rsvps_of_meeting(meeting: Key) -> SortedList:
    """Returns the list of the members' answers to a meeting, by user."""
    return SortedList(None, f"{meeting.sk}#ANSWER#")


def minutes_versions_of_meeting(meeting: Key) -> SortedList:
    """Returns the list of the versions of a meeting's minutes, by number, given the key that they are under."""
    return SortedList(None, f"{meeting.sk}{MINUTES_VERSION_PREFIX}")


def minutes_remarks_of_meeting(meeting: Key) -> SortedList:
    """Returns the list of the remarks on a meeting's minutes, by time, given the key that they are under."""
    return SortedList(None, f"{meeting.sk}{MINUTES_REMARK_PREFIX}")


def unregistered_rsvps_of_meeting(meeting: Key) -> SortedList:
    """Returns the list of the answers of people without an account to a meeting, by person."""
    return SortedList(None, f"{meeting.sk}#UNREGISTERED_ANSWER#")


def votes_on_slot(slot: Key, slot_id: str) -> SortedList:
    """Returns the list of the votes on a slot."""
    return SortedList(None, votes_prefix(slot, slot_id))


def events_visible_by(visibility: Visibility) -> SortedList:
    """Returns the list of a visibility's events, by time."""
    return SortedList(None, visibility_prefix(visibility))


def logged_events(resolution_id: str = "") -> SortedList:
    """Returns the list of a resolution's events by time, or of a board's events of all resolutions."""
    return SortedList("L3", f"RESOLUTION#{resolution_id}#" if resolution_id else "RESOLUTION#")


UNAPPROVED_MINUTES = SortedList("L1", "UNAPPROVED_MINUTES#")
"""The approvals of a board's circulated minutes that are not approved, by meeting."""
LOGGED_EVENTS_OF_MINUTES = SortedList("L3", "MINUTES#")
"""The logged events of a board's minutes, by time."""


def minute_book(year: str, visibility: Visibility) -> SortedList:
    """Returns the list of a visibility's entries in the minute book of a year, by count."""
    return SortedList("L1", f"MINUTE_BOOK#{year}#{visibility_prefix(visibility)}")


DELIVERIES = SortedList(None, WEBHOOK_DELIVERY.sk_prefix)
"""Deliveries to a webhook, by the time of their events."""


def exports_of(user_id: UserId) -> SortedList:
    """Returns the list of the exports that a user requested, of a board or of their own, by time."""
    return SortedList(None, EXPORT.sk.partition("{")[0] + f"{user_id}#")


# -- of a user, or of an e-mail address

NOTIFICATIONS = SortedList("L1", "NOTIFICATIONS#")
"""The notifications of a user, by time; one that is not shown has no entry."""
BOARDS_OF_USER = SortedList(None, USER_BOARD.sk_prefix)
CALENDAR_INVITATIONS_OF_USER = SortedList(None, CALENDAR_INVITATION.sk_prefix)
FEEDS_BY_CREATION = SortedList("L1", "CALENDAR_FEEDS#")
BOARDS_BY_UPDATE = SortedList("L3", "BOARDS#UPDATED#")
BOARDS_BY_CREATION = SortedList("L4", "BOARDS#CREATED#")
"""A user's boards in the orders of their list; the position says which board."""
SENT_INVITES = SortedList(None, SENT_PREFIX)
"""The invites that a user sent, by their creation."""
RECEIVED_INVITES = SortedList(None, RECEIVED_INVITE_PREFIX)
"""The pending invites of an e-mail address, by their creation."""
UNREGISTERED_USERS_OF_EMAIL = SortedList(None, UNREGISTERED_USER_PREFIX)
"""The people without an account who have an e-mail address, on all boards."""
USERS_OF_EMAIL = SortedList(None, EMAIL_USER_PREFIX)
FORMER_EMAILS = SortedList(None, FORMER_EMAIL_PREFIX)


def assigned(status: str) -> SortedList:
    """Returns the list of the action items of one status that are assigned to a user."""
    return SortedList("L1", f"ASSIGNED#{status}#")


_PERSONAL_PREFIXES = (
    USER_TOKEN.sk_prefix,
    ACTIVE_USER_TOKENS.sk,
    NOTIFICATIONS_READ.sk,
    "PREFERENCES",
    "CALENDAR_",
    SENT_PREFIX,
    ASSIGNED.sk_prefix,
    FORMER_EMAIL_PREFIX,
    FORMER_BOARD.sk_prefix,
    OWN_EXAMPLE_BOARD.sk,
)
PERSONAL = tuple(SortedList(None, prefix) for prefix in _PERSONAL_PREFIXES)
"""The lists that belong to a user alone, and are deleted when the user is purged."""
