"""What is written of boards and what is on them: a sample for each kind of row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from governance.domain.meetings import personal_link
from governance.domain.meetings.rsvp import invited
from governance.models.account.purge import PurgeProgress
from governance.models.account.user import StoredUser
from governance.models.action_items.action_item import StoredDueDate
from governance.models.boards.board import Seats
from governance.models.calendars.calendar import StoredCalendarSettings
from governance.models.committees.committee import StoredCommittee
from governance.models.meetings.slot_windows import SlotWindow, StoredSlotWindows
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.resolutions.resolution import StoredContent
from governance.store import numbers
from governance.store.account import purges, tokens, users
from governance.store.action_items import action_item_counts, action_items
from governance.store.boards import boards, example_boards
from governance.store.calendars import calendars
from governance.store.comments import comments
from governance.store.committees import committees
from governance.store.committees.seats import put_seats
from governance.store.documents import document_versions, documents, file_bytes
from governance.store.guards import Guards
from governance.store.meetings import (
    agendas,
    guest_links,
    guest_votes,
    meetings,
    minute_book,
    minutes_corrections,
    minutes_remarks,
    minutes_signers,
    minutes_versions,
    people,
    personal_links,
    rsvps,
    slot_windows,
    slots,
    vote_requests,
)
from governance.store.members import unregistered_users
from governance.store.paper_requests import paper_requests
from governance.store.planning import agenda_templates, backlog, plan
from governance.store.reports import bets, checks, cycles, dashboards, figures, newest_figures, reports
from governance.store.resolutions import certificates, departures, resolutions
from governance.store.schema import entities
from governance.store.schema.keys import make_item
from governance.store.schema.minutes import minutes_numbers_key
from governance.store.series import series
from governance.store.writes import Put
from tests.store.samples import CONTENT, DEPARTED, OF_A_MEMBER, OF_A_USER, Sample
from tests.store.stored_items import (
    ACTION_ITEM,
    AGENDA,
    BET,
    BOARD,
    BOOK_ENTRY,
    CHECKS,
    CHOSEN,
    CODE,
    COMMITTEE,
    CYCLE,
    DASHBOARD,
    DRAFTED,
    FEED,
    FIGURE,
    LINK,
    MAIL,
    MATTER,
    MEETING,
    MEMBERSHIP,
    MINUTES,
    MINUTES_APPROVAL,
    MINUTES_VERSION,
    NOW,
    ON_AGENDA,
    ONE,
    OPENED,
    PERSON,
    REMARK,
    REPORT,
    REPORT_ITEM,
    RESOLUTION,
    RSVP,
    SERIES,
    SIGNERS,
    SLOT_AT,
    STAMPS,
    TEMPLATE,
    TO_PERSON,
    USER,
    VERSIONS,
    VOTERS,
    WAITING,
    board,
    comment_on,
    document,
    meeting,
    token,
    vote,
)

DUE = StoredDueDate(due_on="2027-03-01", created_at=NOW, updated_at=NOW)

ON_BOARDS: Mapping[str, Sample] = {
    "board": Sample(lambda: [boards.create(board())]),
    "guard": Sample(lambda: Guards(BOARD, 2).close(NOW)),
    "board code": Sample(
        lambda: boards.set_invite_code(board(), board(CODE))[1:],
        outlives_board={"CODE#<code> BOARD": "deleted with the board, by the request"},
    ),
    "member": Sample(
        lambda: boards.add_member(board(), MEMBERSHIP),
        outlives_user={
            "BOARD#<board> MEMBER#<user>": OF_A_MEMBER,
            "BOARDS#<user> BOARD#<board>": OF_A_MEMBER,
            "USER#<user> COUNT#BOARDS": OF_A_MEMBER,
        },
    ),
    "checks of a report": Sample(
        lambda: [
            checks.renew(CHECKS, CHECKS),
            checks.write_figures(CHECKS, DASHBOARD.id, None),
            checks.write_flags(CHECKS, DASHBOARD.id, None),
        ]
    ),
    "cycle": Sample(lambda: cycles.create(CYCLE)[:2]),
    "paper request": Sample(
        lambda: paper_requests.create(TO_PERSON),
        outlives_user={"PAPERS#<board> REQUEST#<id>": CONTENT},
    ),
    "versions of a paper": Sample(
        lambda: [document_versions.replace(None, VERSIONS.model_copy(update={"waits": True}))],
        outlives_user={"PAPERS#<board> DOCUMENT#<id>#VERSIONS": CONTENT},
    ),
    "bet": Sample(lambda: bets.create(BET)),
    "series": Sample(
        lambda: [*series.create(SERIES), series.open_occurrence(SERIES, OPENED)],
        outlives_user={"MEETINGS#<board> SERIES#<id>": CONTENT},
    ),
    "agenda template": Sample(lambda: agenda_templates.create(TEMPLATE)),
    "waiting item": Sample(lambda: backlog.create(WAITING)),
    "waiting item of a committee": Sample(
        lambda: backlog.create(WAITING.model_copy(update={"committee_id": COMMITTEE}))[:1]
    ),
    "matter": Sample(lambda: plan.create(MATTER)),
    "matter of a committee": Sample(lambda: plan.create(MATTER.model_copy(update={"committee_id": COMMITTEE}))[:1]),
    "meeting with a matter": Sample(
        lambda: meetings.create(meeting("scheduled").model_copy(update={"matters": (ON_AGENDA,)})),
        outlives_user={"MEETINGS#<board> MEETING#<meeting>": CONTENT},
    ),
    "resolution": Sample(
        lambda: [
            *resolutions.replace(RESOLUTION, RESOLUTION, StoredContent(text="T")),
            *resolutions.create_groups(RESOLUTION, [VOTERS]),
            Put(
                make_item(entities.secret_choice_key(resolutions.content_key(RESOLUTION), "0" * 32), {})
            ),  # else random
            numbers.take(entities.resolution_numbers_key(BOARD, "2027"), 1),
        ],
        outlives_user={
            "RESOLUTIONS#<board> RESOLUTION#<resolution>": CONTENT,
            "PAYLOAD#<board>#<resolution> BODY#VOTERS#00": "a decision of the board stands: who voted, and what",
        },
    ),
    "resolution of a committee": Sample(
        lambda: resolutions.replace(RESOLUTION, RESOLUTION.model_copy(update={"committee_id": ONE, "meeting_id": None}))
    ),
    "drafted resolution": Sample(lambda: resolutions.create(DRAFTED, StoredContent(text="T"))),
    "drafted resolution of a committee": Sample(
        lambda: resolutions.create(DRAFTED.model_copy(update={"committee_id": ONE}), StoredContent(text="T"))
    ),
    "certificate": Sample(lambda: certificates.put_kept(RESOLUTION, "{}", ONE)),
    "departure": Sample(
        lambda: [
            departures.left_board(MEMBERSHIP, NOW),
            *departures.left_committee(
                StoredCommittee(id=ONE, board_id=BOARD, name="C", member_ids=(), **STAMPS), [USER], NOW
            ),
        ],
        outlives_user={
            "RESOLUTIONS#<board> DEPARTURE#<time>#<id>": DEPARTED,
            "RESOLUTIONS#<board> DEPARTURE#<time>#<id>#1": DEPARTED,
        },
    ),
    "figure": Sample(lambda: [figures.put(FIGURE)]),
    "figures kept": Sample(lambda: figures.keep(BOARD, None)),
    "newest figures": Sample(
        lambda: [newest_figures.replace(BOARD, newest_figures.Newest(None, 0, is_valid=False), [])]
    ),
    "agenda": Sample(lambda: [agendas.put_agenda(None, AGENDA)]),
    "people invited to a meeting": Sample(lambda: [people.put(None, CHOSEN)]),
    "minutes": Sample(
        lambda: [agendas.put_minutes(None, MINUTES)],
        outlives_user={"BOARD#<board> MEETING#<meeting>#MINUTES": CONTENT},
    ),
    "correction of minutes": Sample(
        lambda: [minutes_corrections.put(None, MINUTES)],
        outlives_user={"BOARD#<board> MEETING#<meeting>#MINUTES_CORRECTION": CONTENT},
    ),
    "version of minutes": Sample(
        lambda: [
            minutes_versions.create(MINUTES_VERSION),
            minutes_versions.put_approval(None, MINUTES_APPROVAL),
            numbers.take(minutes_numbers_key(BOARD, "2026"), 1),
        ],
        outlives_user={
            "BOARD#<board> MEETING#<meeting>#MINUTES_VERSION#0001": CONTENT,
            "BOARD#<board> MEETING#<meeting>#MINUTES_APPROVAL": "who approved minutes is part of what they are",
        },
    ),
    "entry of the minute book": Sample(
        lambda: [
            minute_book.put(BOOK_ENTRY),
            minute_book.put(BOOK_ENTRY.model_copy(update={"kind": "resolution", "committee_id": ONE})),
        ]
    ),
    "signers of minutes": Sample(
        lambda: [minutes_signers.put(None, SIGNERS)],
        outlives_user={"BOARD#<board> MINUTES_SIGNERS": "the id of a member who left, which is not shown any more"},
    ),
    "remark on minutes": Sample(partial(minutes_remarks.create, REMARK)),
    "deleted minutes": Sample(
        lambda: [agendas.put_deleted_minutes(MINUTES.model_copy(update={"deleted_at": NOW}))],
        outlives_user={"BOARD#<board> MEETING#<meeting>#DELETED_MINUTES": CONTENT},
    ),
    "answer to a meeting": Sample(lambda: [rsvps.put(None, RSVP)]),
    "person without an account": Sample(lambda: unregistered_users.create(PERSON)),
    "archived person without an account": Sample(
        lambda: unregistered_users.replace(PERSON, PERSON.model_copy(update={"status": "archived"}))[-1:]
    ),
    "answer of a person without an account": Sample(
        lambda: [
            rsvps.put(None, invited(PERSON, MEETING, NOW)),
            personal_links.put(PERSON, MEETING, personal_link.link("token", PERSON, NOW)),
        ]
    ),
    "user": Sample(
        lambda: [
            *users.create(StoredUser(id=USER, email=MAIL, **STAMPS)),
            users.replace(
                StoredUser(id=USER, email=MAIL, **STAMPS), StoredUser(id=USER, email="new@example.com", **STAMPS)
            )[-1],
            purges.start(PurgeProgress(user_id=USER)),
        ],
        outlives_board={
            "USER#<user> USER": OF_A_USER,
            "USER#<user> PURGE": OF_A_USER,
            "USER#<user> FORMER_EMAIL#<address>": OF_A_USER,
            "EMAIL#<address> USER#<user>": OF_A_USER,
        },
        outlives_user={"USER#<user> USER": "the remainder, without a name and an address"},
    ),
    "personal token": Sample(lambda: tokens.create(token(None)), outlives_board={"USER#<user> TOKEN#<id>": OF_A_USER}),
    "board token": Sample(lambda: tokens.create(token(BOARD)), outlives_user={"BOARD#<board> TOKEN#<id>": CONTENT}),
    "committee": Sample(
        lambda: committees.create(StoredCommittee(id=ONE, board_id=BOARD, name="C", member_ids=(), **STAMPS))
    ),
    "seats": Sample(lambda: [put_seats(entities.seats_key(BOARD, USER), Seats(), Seats())]),
    "meeting": Sample(
        lambda: meetings.create(meeting("scheduled")), outlives_user={"MEETINGS#<board> MEETING#<meeting>": CONTENT}
    ),
    "draft": Sample(lambda: meetings.create(meeting("draft"))),
    "meeting without a start": Sample(
        lambda: meetings.create(meeting("scheduled").model_copy(update={"start_time": None}))
    ),
    "deleted draft": Sample(
        lambda: meetings.delete(meeting("draft"), NOW)[:2],
        outlives_user={
            "DELETED_DRAFT#<meeting> CREATOR": "hides the draft from others as long as their notifications name it"
        },
    ),
    "slot": Sample(
        lambda: slots.create(SLOT_AT), outlives_user={"BOARD#<board> MEETING#<meeting>#SLOT#<instant>": CONTENT}
    ),
    "calendar feed": Sample(
        lambda: calendars.delete_feed(FEED) + calendars.create_feed(FEED, []),
        outlives_board={
            "USER#<user> CALENDAR_FEED#<feed>": "of a user, who may also have other boards",
            "FEED#<feed> BOARDS": "of a user's calendar feed, which writes it anew",
        },
    ),
    "calendar settings": Sample(
        lambda: [calendars.put_settings(USER, StoredCalendarSettings())],
        outlives_board={"USER#<user> CALENDAR_SETTINGS": OF_A_USER},
    ),
    "example board": Sample(
        lambda: example_boards.create(USER, None, BOARD),
        outlives_board={"USER#<user> OWN_EXAMPLE": "of a user, who gets another example board"},
    ),
    "calendar stamp": Sample(lambda: [calendars.renew_stamp(BOARD, NOW)]),
    "member's vote": Sample(
        lambda: [slots.put_vote(SLOT_AT, vote(user_id=USER, join_id=ONE))],
        outlives_user={
            "BOARD#<board> MEETING#<meeting>#SLOT#<instant>#VOTE#<slot>#U#<user>": "of a member; its comment is gone"
        },
    ),
    "guest's vote": Sample(lambda: guest_votes.add(SLOT_AT, vote(email=MAIL))[1:]),
    "guests' view": Sample(lambda: [guest_links.record_view(meeting("scheduled"), LINK.digest, NOW, NOW)]),
    "guest link": Sample(lambda: [guest_links.put(meeting("scheduled"), LINK)]),
    "action item": Sample(
        lambda: action_items.create(ACTION_ITEM, "{}"),
        outlives_user={
            "BOARD#<board> ACTION#<id>": "the board's; the name of the assignee is gone, and their id stays"
        },
    ),
    "action item that is due": Sample(
        lambda: action_items.create(ACTION_ITEM.model_copy(update={"due": DUE}), "{}")[:1]
    ),
    "vote request": Sample(lambda: [vote_requests.put(MEETING, StoredVoteRequest(), StoredVoteRequest(sent_at=NOW))]),
    "windows of slots": Sample(
        lambda: [
            slot_windows.put(
                MEETING, StoredSlotWindows(), StoredSlotWindows(windows=(SlotWindow(start=NOW, since=NOW),)), NOW
            )
        ]
    ),
    "counts of action items": Sample(
        lambda: action_item_counts.created(ACTION_ITEM),
        outlives_user={"BOARD#<board> COUNT#OPEN_ITEMS#<user>": "a count of the board's items"},
    ),
    "document": Sample(
        lambda: documents.create(document(None)), outlives_user={"BOARD#<board> DOCUMENT#<id>": CONTENT}
    ),
    "versions of a document": Sample(
        lambda: [
            document_versions.replace(None, VERSIONS),
            document_versions.forget_later(VERSIONS, VERSIONS.versions[0]),
        ],
        outlives_user={"BOARD#<board> DOCUMENT#<id>#VERSIONS": CONTENT},
    ),
    "bytes of files": Sample(lambda: file_bytes.changes(None, VERSIONS)),
    "last pack of a meeting": Sample(
        lambda: [document_versions.set_last_pack(document(None), MEETING, None, VERSIONS.versions[0])]
    ),
    "document of a committee": Sample(lambda: documents.create(document(COMMITTEE))[:1]),
    "report": Sample(lambda: [reports.create(REPORT_ITEM)], outlives_user={"BOARD#<board> REPORT#<report>": CONTENT}),
    **{
        f"comment on a {comment.subject_type}": Sample(partial(comments.create, comment))
        for comment in (
            comment_on("meeting", MEETING),
            comment_on("document", ONE),
            comment_on("dashboard", ONE, REPORT),
        )
    },
    "dashboard": Sample(
        lambda: dashboards.create(DASHBOARD, "{}"),
        outlives_user={"BOARD#<board> REPORT#<report>#DASHBOARD#<id>": CONTENT},
    ),
}
