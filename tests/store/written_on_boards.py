"""What is written of boards and what is on them: a call for each kind of row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from governance.models.account.purge import PurgeProgress
from governance.models.account.user import StoredUser
from governance.models.boards.board import Seats
from governance.models.boards.committee import StoredCommittee
from governance.models.calendar import StoredCalendarSettings
from governance.models.meetings.action_item import StoredDueDate
from governance.models.meetings.slot_windows import SlotWindow, StoredSlotWindows
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.reports.report import StoredReport
from governance.models.resolutions.resolution import StoredContent
from governance.store import comments, purges
from governance.store.account import tokens, users
from governance.store.boards import boards, committees, example_boards
from governance.store.boards.seats import put_seats
from governance.store.calendars import calendars
from governance.store.documents import document_versions, documents, file_bytes
from governance.store.guards import Guards
from governance.store.meetings import (
    action_item_counts,
    action_items,
    agendas,
    guest_links,
    guest_votes,
    meetings,
    rsvps,
    slot_windows,
    slots,
    vote_requests,
)
from governance.store.reports import bets, checks, cycles, dashboards, figures, reports
from governance.store.resolutions import certificates, departures, resolutions
from governance.store.schema import entities
from governance.store.schema.keys import make_item
from governance.store.writes import Put, Write
from tests.store.stored_items import (
    ACTION_ITEM,
    AGENDA,
    BET,
    BOARD,
    CHECKS,
    CODE,
    COMMITTEE,
    CYCLE,
    DASHBOARD,
    DRAFTED,
    FEED,
    FIGURE,
    LINK,
    MAIL,
    MEETING,
    MEMBERSHIP,
    MINUTES,
    NOW,
    ONE,
    REPORT,
    RESOLUTION,
    RSVP,
    SLOT_AT,
    STAMPS,
    USER,
    VERSIONS,
    VOTERS,
    board,
    comment_on,
    document,
    meeting,
    token,
    vote,
)

DUE = StoredDueDate(due_on="2027-03-01", created_at=NOW, updated_at=NOW)
Written = Mapping[str, Callable[[], Iterable[Write]]]
"""What makes the writes is called in each test, so that a test fails where that breaks."""

ON_BOARDS: Written = {
    "board": lambda: [boards.create(board())],
    "guard": lambda: Guards(BOARD, 2).close(NOW),
    "board code": lambda: boards.set_invite_code(board(), board(CODE))[1:],
    "member": lambda: boards.add_member(board(), MEMBERSHIP),
    "checks of a report": lambda: [
        checks.renew(CHECKS, CHECKS),
        checks.write_figures(CHECKS, DASHBOARD.id, None),
        checks.write_flags(CHECKS, DASHBOARD.id, None),
    ],
    "cycle": lambda: cycles.create(CYCLE)[:2],
    "bet": lambda: bets.create(BET),
    "resolution": lambda: [
        *resolutions.replace(RESOLUTION, RESOLUTION, StoredContent(text="T")),
        *resolutions.create_groups(RESOLUTION, [VOTERS]),
        Put(make_item(entities.secret_choice_key(resolutions.content_key(RESOLUTION), "0" * 32), {})),  # else random
        resolutions.take_number(BOARD, "2027", 1),
    ],
    "resolution of a committee": lambda: resolutions.replace(
        RESOLUTION, RESOLUTION.model_copy(update={"committee_id": ONE, "meeting_id": None})
    ),
    "drafted resolution": lambda: resolutions.create(DRAFTED, StoredContent(text="T")),
    "drafted resolution of a committee": lambda: resolutions.create(
        DRAFTED.model_copy(update={"committee_id": ONE}), StoredContent(text="T")
    ),
    "certificate": lambda: certificates.put(RESOLUTION, "{}", ONE),
    "departure": lambda: [
        departures.left_board(MEMBERSHIP, NOW),
        *departures.left_committee(
            StoredCommittee(id=ONE, board_id=BOARD, name="C", member_ids=(), **STAMPS), [USER], NOW
        ),
    ],
    "figure": lambda: [figures.put(FIGURE)],
    "figures kept": lambda: figures.keep(BOARD, None),
    "agenda": lambda: [agendas.put_agenda(None, AGENDA)],
    "minutes": lambda: [agendas.put_minutes(None, MINUTES)],
    "answer to a meeting": lambda: [rsvps.put(None, RSVP)],
    "user": lambda: [
        *users.create(StoredUser(id=USER, email=MAIL, **STAMPS)),
        users.replace(
            StoredUser(id=USER, email=MAIL, **STAMPS), StoredUser(id=USER, email="new@example.com", **STAMPS)
        )[-1],
        purges.start(PurgeProgress(user_id=USER)),
    ],
    "personal token": lambda: tokens.create(token(None)),
    "board token": lambda: tokens.create(token(BOARD)),
    "committee": lambda: committees.create(StoredCommittee(id=ONE, board_id=BOARD, name="C", member_ids=(), **STAMPS)),
    "seats": lambda: [put_seats(entities.seats_key(BOARD, USER), Seats(), Seats())],
    "meeting": lambda: meetings.create(meeting("scheduled")),
    "draft": lambda: meetings.create(meeting("draft")),
    "meeting without a start": lambda: meetings.create(meeting("scheduled").model_copy(update={"start_time": None})),
    "deleted draft": lambda: meetings.delete(meeting("draft"), NOW)[:2],
    "slot": lambda: slots.create(SLOT_AT),
    "calendar feed": lambda: calendars.delete_feed(FEED) + calendars.create_feed(FEED, []),
    "calendar settings": lambda: [calendars.put_settings(USER, StoredCalendarSettings())],
    "example board": lambda: example_boards.create(USER, None, BOARD),
    "calendar stamp": lambda: [calendars.renew_stamp(BOARD, NOW)],
    "member's vote": lambda: [slots.put_vote(SLOT_AT, vote(user_id=USER, join_id=ONE))],
    "guest's vote": lambda: guest_votes.add(SLOT_AT, vote(email=MAIL))[1:],
    "guests' view": lambda: guest_links.record_view(meeting("scheduled"), LINK, NOW, NOW),
    "guest link": lambda: [guest_links.put(meeting("scheduled"), LINK)],
    "action item": lambda: action_items.create(ACTION_ITEM, "{}"),
    "action item that is due": lambda: action_items.create(ACTION_ITEM.model_copy(update={"due": DUE}), "{}")[:1],
    "vote request": lambda: [vote_requests.put(MEETING, StoredVoteRequest(), StoredVoteRequest(sent_at=NOW))],
    "windows of slots": lambda: [
        slot_windows.put(
            MEETING, StoredSlotWindows(), StoredSlotWindows(windows=(SlotWindow(start=NOW, since=NOW),)), NOW
        )
    ],
    "counts of action items": lambda: action_item_counts.created(ACTION_ITEM),
    "document": lambda: documents.create(document(None)),
    "versions of a document": lambda: [
        document_versions.replace(None, VERSIONS),
        document_versions.forget_later(VERSIONS, VERSIONS.versions[0]),
    ],
    "bytes of files": lambda: file_bytes.changes(None, VERSIONS),
    "last pack of a meeting": lambda: [
        document_versions.set_last_pack(document(None), MEETING, None, VERSIONS.versions[0])
    ],
    "document of a committee": lambda: documents.create(document(COMMITTEE))[:1],
    "report": lambda: [
        reports.create(StoredReport(id=REPORT, board_id=BOARD, title="R", created_by_user_id=USER, **STAMPS))
    ],
    **{
        f"comment on a {comment.subject_type}": partial(comments.create, comment)
        for comment in (
            comment_on("meeting", MEETING),
            comment_on("document", ONE),
            comment_on("dashboard", ONE, REPORT),
        )
    },
    "dashboard": lambda: dashboards.create(DASHBOARD, "{}"),
}
