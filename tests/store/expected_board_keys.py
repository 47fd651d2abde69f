"""What is written of boards and what is on them, and how its keys are spelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from governance.models.account.purge import PurgeProgress
from governance.models.account.user import StoredUser
from governance.models.boards.board import Seats
from governance.models.boards.committee import StoredCommittee
from governance.models.calendar import StoredCalendarSettings
from governance.models.meetings.action_item import StoredDueDate
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.reports.report import StoredReport
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
    slots,
    vote_requests,
)
from governance.store.reports import bets, checks, cycles, dashboards, figures, reports
from governance.store.schema import entities
from governance.store.writes import Write
from tests.store.stored_items import (
    ACTION_ITEM,
    AGENDA,
    AT_SLOT,
    BET,
    BOARD,
    CHECKS,
    CODE,
    COMMITTEE,
    CYCLE,
    DASHBOARD,
    FEED,
    FEED_ID,
    FIGURE,
    LINK,
    MAIL,
    MAIL_DIGEST,
    MEETING,
    MEMBER,
    MEMBERSHIP,
    MINUTES,
    NOW,
    OF_MEETINGS,
    OF_USER,
    ON_BOARD,
    ONE,
    REPORT,
    RSVP,
    SLOT,
    SLOT_AT,
    STAMPS,
    TYPE_DIGEST,
    USER,
    VERSIONS,
    board,
    comment_on,
    document,
    meeting,
    token,
    vote,
)

BY_TIME = f"{NOW}#{ONE}"
TOKEN_DIGEST = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
DUE = StoredDueDate(due_on="2027-03-01", created_at=NOW, updated_at=NOW)
Expected = Mapping[str, tuple[Callable[[], Iterable[Write]], list[tuple[str, ...]]]]
"""What makes the writes is called in each test, so that a test fails where that breaks."""

ON_BOARDS: Expected = {
    "board": (lambda: [boards.create(board())], [(ON_BOARD, "BOARD")]),
    "guard": (
        lambda: Guards(BOARD, 2).close(NOW),
        [(f"GUARD#{BOARD}#00", "GUARD"), (f"GUARD#{BOARD}#01", "GUARD")],
    ),
    "board code": (lambda: boards.set_invite_code(board(), board(CODE))[1:], [(f"CODE#{CODE}", "BOARD")]),
    "member": (
        lambda: boards.add_member(board(), MEMBERSHIP),
        [
            (ON_BOARD, f"MEMBER#{USER}", f"MEMBERS#{NOW}#{MEMBER}", f"ROSTER#{NOW}#{MEMBER}#{ONE}#5"),
            (f"BOARDS#{USER}", f"BOARD#{BOARD}", f"BOARDS#UPDATED#{NOW}#{BOARD}", f"BOARDS#CREATED#{NOW}#{BOARD}"),
            (ON_BOARD, "COUNT#MEMBERS"),
            (OF_USER, "COUNT#BOARDS"),
        ],
    ),
    "checks of a report": (
        lambda: [
            checks.renew(CHECKS, CHECKS),
            checks.write_figures(CHECKS, DASHBOARD.id, None),
            checks.write_flags(CHECKS, DASHBOARD.id, None),
        ],
        [
            (ON_BOARD, f"REPORT#{REPORT}#CHECKS"),
            (ON_BOARD, f"REPORT#{REPORT}#DASHBOARD#{DASHBOARD.id}#FIGURES"),
            (ON_BOARD, f"REPORT#{REPORT}#DASHBOARD#{DASHBOARD.id}#FLAGS"),
        ],
    ),
    "cycle": (
        lambda: cycles.create(CYCLE)[:2],
        [(ON_BOARD, f"CYCLE#{ONE}", f"CYCLES#{BY_TIME}"), (ON_BOARD, f"CYCLE_OF#{REPORT}")],
    ),
    "bet": (lambda: bets.create(BET), [(ON_BOARD, f"BET#{ONE}", f"BETS#{BY_TIME}"), (ON_BOARD, "COUNT#BETS")]),
    "figure": (
        lambda: [figures.put(FIGURE)],
        [(ON_BOARD, f"FIGURE#revenue.arr#2027-02-28#{NOW}#{ONE}", f"FIGURES#{REPORT}#{ONE}#revenue.arr")],
    ),
    "figures kept": (lambda: figures.keep(BOARD, None), [(ON_BOARD, "FIGURES_KEPT")]),
    "agenda": (lambda: [agendas.put_agenda(None, AGENDA)], [(ON_BOARD, f"MEETING#{MEETING}#AGENDA")]),
    "minutes": (lambda: [agendas.put_minutes(None, MINUTES)], [(ON_BOARD, f"MEETING#{MEETING}#MINUTES")]),
    "answer to a meeting": (lambda: [rsvps.put(None, RSVP)], [(OF_MEETINGS, f"MEETING#{MEETING}#ANSWER#{USER}")]),
    "user": (
        lambda: [
            *users.create(StoredUser(id=USER, email=MAIL, **STAMPS)),
            users.replace(
                StoredUser(id=USER, email=MAIL, **STAMPS), StoredUser(id=USER, email="new@example.com", **STAMPS)
            )[-1],
            purges.start(PurgeProgress(user_id=USER)),
        ],
        [
            (OF_USER, "USER"),
            (f"EMAIL#{MAIL}", f"USER#{USER}"),
            (OF_USER, f"FORMER_EMAIL#{MAIL}"),
            (OF_USER, "PURGE"),
        ],
    ),
    "personal token": (
        lambda: tokens.create(token(None)),
        [(OF_USER, f"TOKEN#{ONE}", f"TOKENS#{BY_TIME}"), (f"TOKEN#{ONE}", "OWNER"), (OF_USER, "ACTIVE_TOKENS")],
    ),
    "board token": (
        lambda: tokens.create(token(BOARD)),
        [(ON_BOARD, f"TOKEN#{ONE}", f"TOKENS#{BY_TIME}"), (f"TOKEN#{ONE}", "OWNER"), (ON_BOARD, "ACTIVE_TOKENS")],
    ),
    "committee": (
        lambda: committees.create(StoredCommittee(id=ONE, board_id=BOARD, name="C", member_ids=(), **STAMPS)),
        [(ON_BOARD, f"COMMITTEE#{ONE}", f"COMMITTEES#{BY_TIME}"), (ON_BOARD, "COUNT#COMMITTEES")],
    ),
    "seats": (lambda: [put_seats(entities.seats_key(BOARD, USER), Seats(), Seats())], [(ON_BOARD, "SEATS#10")]),
    "meeting": (
        lambda: meetings.create(meeting("scheduled")),
        [(OF_MEETINGS, f"MEETING#{MEETING}", f"MEETINGS#{NOW}#{MEETING}", f"MEETINGS#scheduled#{NOW}#{MEETING}")],
    ),
    "draft": (
        lambda: meetings.create(meeting("draft")),
        [(OF_MEETINGS, f"MEETING#{MEETING}", f"DRAFTS#{USER}#{NOW}#{MEETING}")],
    ),
    "meeting without a start": (
        lambda: meetings.create(meeting("scheduled").model_copy(update={"start_time": None})),
        [(OF_MEETINGS, f"MEETING#{MEETING}", f"MEETINGS##{MEETING}", f"MEETINGS#scheduled##{MEETING}")],
    ),
    "deleted draft": (
        lambda: meetings.delete(meeting("draft"), NOW)[:2],
        [(OF_MEETINGS, f"MEETING#{MEETING}"), (f"DELETED_DRAFT#{MEETING}", "CREATOR")],
    ),
    "slot": (
        lambda: slots.create(SLOT_AT),
        [
            (ON_BOARD, AT_SLOT, f"SLOTS#{NOW}#{SLOT}#{MEETING}#{NOW}#60#Europe/Paris"),
            (ON_BOARD, f"MEETING#{MEETING}#SLOTS"),
        ],
    ),
    "calendar feed": (
        lambda: calendars.delete_feed(FEED) + calendars.create_feed(FEED, []),
        [
            (OF_USER, f"CALENDAR_FEED#{FEED_ID}"),
            (OF_USER, "CALENDAR_FEEDS"),
            (f"FEED#{FEED_ID}", "BOARDS"),
            (f"USE#{FEED_ID}", "LAST"),
            (OF_USER, f"CALENDAR_FEED#{FEED_ID}", f"CALENDAR_FEEDS#{NOW}#{FEED_ID}"),
            (OF_USER, "CALENDAR_FEEDS"),
            (f"FEED#{FEED_ID}", "BOARDS"),
        ],
    ),
    "calendar settings": (
        lambda: [calendars.put_settings(USER, StoredCalendarSettings())],
        [(OF_USER, "CALENDAR_SETTINGS")],
    ),
    "example board": (
        lambda: example_boards.create(USER, None, BOARD),
        [(OF_USER, "OWN_EXAMPLE"), (ON_BOARD, "EXAMPLE")],
    ),
    "calendar stamp": (lambda: [calendars.renew_stamp(BOARD, NOW)], [(f"CALENDAR#{BOARD}", "STAMP")]),
    "member's vote": (
        lambda: [slots.put_vote(SLOT_AT, vote(user_id=USER, join_id=ONE))],
        [(ON_BOARD, f"{AT_SLOT}#VOTE#{SLOT}#U#{USER}")],
    ),
    "guest's vote": (
        lambda: guest_votes.add(SLOT_AT, vote(email=MAIL))[1:],
        [
            (f"GUESTS#{BOARD}", f"MEETING#{MEETING}#COUNT#{SLOT}"),
            (f"GUESTS#{BOARD}", f"MEETING#{MEETING}#COUNT"),
            (f"GUESTS#{BOARD}", f"MEETING#{MEETING}#VOTE#{SLOT}#{MAIL_DIGEST}"),
        ],
    ),
    "guests' view": (
        lambda: guest_links.record_view(meeting("scheduled"), LINK, NOW, NOW),
        [(ON_BOARD, f"MEETING#{MEETING}#GUEST_LINK"), (f"GUESTS#{BOARD}", f"MEETING#{MEETING}#VIEW")],
    ),
    "guest link": (
        lambda: [guest_links.put(meeting("scheduled"), LINK)],
        [(ON_BOARD, f"MEETING#{MEETING}#GUEST_LINK")],
    ),
    "action item": (
        lambda: action_items.create(ACTION_ITEM, "{}"),
        [
            (ON_BOARD, f"ACTION#{ONE}", f"ACTIONS#{MEETING}#~#{BY_TIME}", f"ACTIONS#ALL#~#{BY_TIME}"),
            (f"PAYLOAD#{BOARD}#{ONE}", "NOTES"),
            (f"ACTION#{ONE}", "PLACE"),
            (OF_USER, f"ASSIGNED#{ONE}", f"ASSIGNED#in_progress#{BY_TIME}"),
        ],
    ),
    "action item that is due": (
        lambda: action_items.create(ACTION_ITEM.model_copy(update={"due": DUE}), "{}")[:1],
        [
            (
                ON_BOARD,
                f"ACTION#{ONE}",
                f"ACTIONS#{MEETING}#~#{BY_TIME}",
                f"ACTIONS#ALL#~#{BY_TIME}",
                f"DUE_DATES#2027-03-01#{ONE}",
            )
        ],
    ),
    "vote request": (
        lambda: [vote_requests.put(MEETING, StoredVoteRequest(), StoredVoteRequest(sent_at=NOW))],
        [(f"VOTE_REQUEST#{MEETING}", "LAST")],
    ),
    "counts of action items": (
        lambda: action_item_counts.created(ACTION_ITEM),
        [(ON_BOARD, f"MEETING#{MEETING}#ACTION_ITEMS"), (ON_BOARD, f"COUNT#OPEN_ITEMS#{USER}")],
    ),
    "document": (
        lambda: documents.create(document(None)),
        [
            (ON_BOARD, f"DOCUMENT#{ONE}", f"DOCS#B#ALL#{BY_TIME}", f"DOCS#B#ALL#T#{TYPE_DIGEST}#{BY_TIME}"),
            (
                ON_BOARD,
                f"DOCUMENT#{ONE}#LINK#00",
                f"DOCS#B#M#{MEETING}#{BY_TIME}",
                f"DOCS#B#M#{MEETING}#T#{TYPE_DIGEST}#{BY_TIME}",
            ),
        ],
    ),
    "versions of a document": (
        lambda: [
            document_versions.replace(None, VERSIONS),
            document_versions.forget_later(VERSIONS, VERSIONS.versions[0]),
        ],
        [(ON_BOARD, f"DOCUMENT#{ONE}#VERSIONS"), ("DUE#1", f"2027-03-02T09:00:00.000Z#{ONE}#upload")],
    ),
    "bytes of files": (
        lambda: file_bytes.changes(None, VERSIONS),
        [(ON_BOARD, "FILE_BYTES")],
    ),
    "last pack of a meeting": (
        lambda: [document_versions.set_last_pack(document(None), MEETING, None, VERSIONS.versions[0])],
        [(ON_BOARD, f"MEETING#{MEETING}#PACK")],
    ),
    "document of a committee": (
        lambda: documents.create(document(COMMITTEE))[:1],
        [
            (
                ON_BOARD,
                f"DOCUMENT#{ONE}",
                f"DOCS#C#{COMMITTEE}#ALL#{BY_TIME}",
                f"DOCS#C#{COMMITTEE}#ALL#T#{TYPE_DIGEST}#{BY_TIME}",
            )
        ],
    ),
    "report": (
        lambda: [reports.create(StoredReport(id=REPORT, board_id=BOARD, title="R", created_by_user_id=USER, **STAMPS))],
        [(ON_BOARD, f"REPORT#{REPORT}", f"REPORTS#{NOW}#{REPORT}", f"REPORTS#draft#{NOW}#{REPORT}")],
    ),
    **{
        f"comment on a {comment.subject_type}": (
            partial(comments.create, comment),
            [
                (ON_BOARD, f"{place}#COMMENT#{ONE}", f"AUTHORED#{USER}#{ONE}"),
                (ON_BOARD, f"{place}#COMMENTS"),
            ],
        )
        for comment, place in (
            (comment_on("meeting", MEETING), f"MEETING#{MEETING}"),
            (comment_on("document", ONE), f"DOCUMENT#{ONE}"),
            (comment_on("dashboard", ONE, REPORT), f"REPORT#{REPORT}#DASHBOARD#{ONE}"),
        )
    },
    "dashboard": (
        lambda: dashboards.create(DASHBOARD, "{}"),
        [
            (
                ON_BOARD,
                f"REPORT#{REPORT}#DASHBOARD#{ONE}",
                f"DASHBOARDS#{REPORT}#{BY_TIME}#003",
                f"DASHBOARDS#{REPORT}#uniform#{BY_TIME}#003",
            ),
            (f"PAYLOAD#{BOARD}#{ONE}", "PAYLOAD"),
            (ON_BOARD, f"REPORT#{REPORT}#DASHBOARDS"),
        ],
    ),
}
