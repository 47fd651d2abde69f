"""An item of every kind, with fixed ids and instants."""

from __future__ import annotations

import hashlib
from typing import Any

from governance.ids import BoardId, MembershipId, PersonId, UserId
from governance.instants import Instant, shift
from governance.models.account.token import StoredToken
from governance.models.action_items.action_item import StoredActionItem
from governance.models.boards.board import Membership, StoredBoard
from governance.models.calendars.calendar import MailedEvent, StoredCalendarInvitation, StoredFeed
from governance.models.comments.comment import StoredComment, SubjectType
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import StoredVersion, StoredVersions
from governance.models.history.event import Event, StoredEvent
from governance.models.invites.invite import StoredInvite
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import MatterOnAgenda, StoredMeeting
from governance.models.meetings.minute_book import StoredBookEntry
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.minutes_remarks import StoredMinutesRemark
from governance.models.meetings.minutes_signing import StoredMinutesSigner, StoredMinutesSigners
from governance.models.meetings.minutes_versions import (
    StoredMinutesApproval,
    StoredMinutesSignature,
    StoredMinutesVersion,
)
from governance.models.meetings.people import StoredMeetingPeople
from governance.models.meetings.rsvp import StoredRsvp
from governance.models.meetings.slot import StoredGuestLink, StoredSlot, StoredVote
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.notifications.notification import ReadMark, StoredNotification
from governance.models.paper_requests.paper_request import AskedFor, StoredPaperRequest
from governance.models.planning.agenda_template import StoredAgendaTemplate
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.models.planning.plan_item import StoredPlanItem
from governance.models.reports.bet import StoredBet
from governance.models.reports.check import StoredChecks
from governance.models.reports.cycle import StoredCycle
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.figure import StoredFigure
from governance.models.reports.report import StoredReport
from governance.models.resolutions.ballot import StoredVoter, VoterGroup
from governance.models.resolutions.resolution import StoredResolution
from governance.models.series.series import OpenedOccurrence, StoredSeries
from governance.models.webhooks.webhook import StoredDelivery, StoredWebhook, StoredWebhooks

NOW = Instant("2027-03-01T09:00:00.000Z")
BOARD, USER, MEMBER = BoardId("b" * 24), UserId("a" * 24), MembershipId("c" * 24)
MEETING, REPORT, COMMITTEE, ONE, FEED_ID = "d" * 24, "e" * 24, "f" * 24, "1" * 24, "4" * 24
RESOLUTION_ID = "5" * 24
"""Apart from `ONE`: a resolution's partition of texts is deleted whole, that of a dashboard row by row."""
SLOT = "0123456789ab" + "2" * 12
CODE = "6f1c7a52-0d5e-4c39-9a83-6c3f5b9f2f10"
STAMPS: dict[str, Any] = {"created_at": NOW, "updated_at": NOW}
BY: dict[str, Any] = {"creator_id": USER, "created_by_user_id": USER}
MAIL = "ann@example.com"
WEBHOOK = StoredWebhook(
    id=ONE, name=None, url="https://example.com", events=(), enabled=True, failures_count_from=NOW, secret="", **STAMPS
)
WEBHOOKS = StoredWebhooks(board_id=BOARD, webhooks=(WEBHOOK,), version=1)
DELIVERY = StoredDelivery(
    id=REPORT,
    board_id=BOARD,
    webhook_id=ONE,
    event_id=MEETING,
    type=Event.MEETING_CREATED,
    refs={},
    occurred_at=NOW,
    due_at=NOW,
    created_at=NOW,
)
MAIL_DIGEST = hashlib.sha256(MAIL.encode()).hexdigest()
TYPE_DIGEST = hashlib.sha256(b"minutes").hexdigest()[:24]
CONNECTION_ID = "L0SM9cOFvHcCIhw="


def board(code: str | None = None) -> StoredBoard:
    return StoredBoard(id=BOARD, name="B", billing_state="TRIAL_ACTIVE", invite_code=code, **STAMPS)


def meeting(status: str) -> StoredMeeting:
    return StoredMeeting.model_validate(
        {"id": MEETING, "board_id": BOARD, "title": "M", "status": status, "start_time": NOW, **BY, **STAMPS}
    )


def document(committee_id: str | None) -> StoredDocument:
    return StoredDocument(
        id=ONE,
        board_id=BOARD,
        title="D",
        document_type="minutes",
        meeting_ids=(MEETING,),
        committee_id=committee_id,
        **BY,
        **STAMPS,
    )


def event(draft_of: UserId | None = None, committee_id: str | None = None) -> StoredEvent:
    return StoredEvent(
        id=ONE,
        board_id=BOARD,
        type=Event.BOARD_CHANGED,
        actor_user_id=USER,
        created_via="web",
        created_at=NOW,
        draft_of=draft_of,
        committee_id=committee_id,
        refs={},
        details={},
        delivery_data={},
    )


def token(board_id: BoardId | None) -> StoredToken:
    return StoredToken(
        id=ONE,
        kind="personal" if board_id is None else "board",
        board_id=board_id,
        name="T",
        preset="read_only",
        scopes=(),
        digest="x",
        created_by_user_id=USER,
        created_at=NOW,
        expires_at=None,
    )


MEMBERSHIP = Membership(
    id=MEMBER, user_id=USER, board_id=BOARD, join_id=ONE, admin_role="owner", access_type="guest", **STAMPS
)
INVITE = StoredInvite(
    id=ONE, board_id=BOARD, invitee_email=MAIL, inviter_id=USER, message=None, board_positions=(), link="x", **STAMPS
)
ACTION_ITEM = StoredActionItem(
    id=ONE,
    board_id=BOARD,
    meeting_id=MEETING,
    title="A",
    notes_version=1,
    assignee_user_id=USER,
    created_by=USER,
    created_via="web",
    **STAMPS,
)


def comment_on(subject_type: SubjectType, subject_id: str, report_id: str | None = None) -> StoredComment:
    about = {"subject_type": subject_type, "subject_id": subject_id, "report_id": report_id}
    return StoredComment.model_validate(
        {"id": ONE, "board_id": BOARD, "author_user_id": USER, "text": "Why?", **about, **STAMPS}
    )


DASHBOARD = StoredDashboard(
    id=ONE,
    board_id=BOARD,
    report_id=REPORT,
    dashboard_type="uniform",
    title=None,
    latest_version_id=None,
    uniform=None,
    payload_version=1,
    payload_bytes=2048,
    **BY,
    **STAMPS,
)
SLOT_AT = StoredSlot(
    id=SLOT,
    board_id=BOARD,
    meeting_id=MEETING,
    created_by_user_id=USER,
    start_time=NOW,
    timezone="Europe/Paris",
    duration_in_minutes=60,
    **STAMPS,
)
NOTIFICATION = StoredNotification(
    id=ONE,
    user_id=USER,
    type="board_update",
    message="m",
    is_sentence=False,
    refs={},
    in_app=True,
    mail="none",
    delivered_at=NOW,
    **STAMPS,
)
READ_MARK = ReadMark(user_id=USER)
RSVP = StoredRsvp(
    board_id=BOARD,
    meeting_id=MEETING,
    user_id=USER,
    join_id=ONE,
    status="accepted",
    comment=None,
    updated_at=NOW,
    stamped_at=NOW,
)
REPORT_ITEM = StoredReport(id=REPORT, board_id=BOARD, title="R", created_by_user_id=USER, **STAMPS)
CHECKS = StoredChecks(board_id=BOARD, report_id=REPORT)
RESOLUTION = StoredResolution(
    id=RESOLUTION_ID,
    board_id=BOARD,
    title="R",
    status="carried",
    meeting_id=ONE,
    created_by_user_id=USER,
    group_starts=(USER,),
    opened_at=NOW,
    closes_at=NOW,
    closed_at=NOW,
    **STAMPS,
)
DRAFTED = RESOLUTION.model_copy(update={"status": "draft", "meeting_id": None, "closed_at": None})
VOTERS = VoterGroup(resolution_id=RESOLUTION_ID, voters=(StoredVoter(user_id=USER, join_id=ONE),))
CYCLE = StoredCycle(id=ONE, board_id=BOARD, name="C", report_id=REPORT, due_at=NOW, remind_days_before=(3, 1), **STAMPS)
BET = StoredBet(id=ONE, board_id=BOARD, title="B", due_on="2027-03-31", **STAMPS)
SERIES = StoredSeries(
    id=ONE,
    board_id=BOARD,
    title="S",
    rule="FREQ=WEEKLY",
    start="2098-01-07T09:00",
    timezone="Europe/Paris",
    duration_minutes=60,
    since="2098-01-07",
    opens_at=NOW,
    created_by_user_id=USER,
    **STAMPS,
)
OPENED = OpenedOccurrence(key="2098-01-07T09:00", meeting_id=MEETING, original=NOW, start_time=NOW)
PAPER_REQUEST = StoredPaperRequest(
    id=ONE,
    board_id=BOARD,
    meeting_id=MEETING,
    title="P",
    agenda_item_id=ONE,
    asked=AskedFor(user_id=USER),
    reviewer_user_id=USER,
    due_at=NOW,
    created_by_user_id=USER,
    **STAMPS,
)
TO_PERSON = PAPER_REQUEST.model_copy(update={"asked": AskedFor(unregistered_user_id=PersonId(ONE))})
WAITING = StoredBacklogItem(id=ONE, board_id=BOARD, title="W", **STAMPS)
MATTER = StoredPlanItem(id=ONE, board_id=BOARD, title="M", months=(3,), **STAMPS)
ON_AGENDA = MatterOnAgenda(plan_item_id=ONE, agenda_item_id=ONE)
TEMPLATE = StoredAgendaTemplate(id=ONE, board_id=BOARD, name="T", items=(), **STAMPS)
PERSON = StoredUnregisteredUser(id=PersonId(ONE), board_id=BOARD, first_name="Ann", email=MAIL, **STAMPS)
FIGURE = StoredFigure(
    board_id=BOARD,
    report_id=REPORT,
    dashboard_id=ONE,
    field_id="f",
    rogue_id="revenue.arr",
    value="1",
    data_anchor_date="2027-02-28",
    published_at=NOW,
    payload_version=1,
)
AGENDA = StoredAgenda(board_id=BOARD, meeting_id=MEETING, items=(), **STAMPS)
MINUTES = StoredMinutes(board_id=BOARD, meeting_id=MEETING, attendance=(), items=(), created_by_user_id=USER, **STAMPS)
MINUTES_VERSION = StoredMinutesVersion(
    board_id=BOARD,
    meeting_id=MEETING,
    number=1,
    sha256="0" * 64,
    circulated_at=NOW,
    circulated_by_user_id=USER,
    canonical="{}",
)
MINUTES_APPROVAL = StoredMinutesApproval(
    board_id=BOARD,
    meeting_id=MEETING,
    number=1,
    sha256="0" * 64,
    circulated_at=NOW,
    approved_by_user_id=USER,
    signatures=(StoredMinutesSignature(user_id=USER, role="Chair", at=NOW, event_id=ONE),),
    **STAMPS,
)
BOOK_ENTRY = StoredBookEntry(
    board_id=BOARD,
    number="2026-1",
    kind="minutes",
    id=MEETING,
    version=1,
    title="T",
    held_at=NOW,
    approved_at=NOW,
    sha256="0" * 64,
)
SIGNERS = StoredMinutesSigners(
    board_id=BOARD, signers=(StoredMinutesSigner(user_id=USER, role="Chair"),), updated_at=NOW
)
REMARK = StoredMinutesRemark(
    id=ONE, board_id=BOARD, meeting_id=MEETING, number=1, text="Not so", author_user_id=USER, **STAMPS
)
CHOSEN = StoredMeetingPeople(board_id=BOARD, meeting_id=MEETING, unregistered_user_ids=(PersonId(ONE),), updated_at=NOW)
VERSIONS = StoredVersions(
    board_id=BOARD,
    document_id=ONE,
    versions=(
        StoredVersion(
            id=ONE,
            file_name="a.pdf",
            mime_type="application/pdf",
            size=1,
            sha256="0" * 64,
            status="uploading",
            created_by_user_id=USER,
            created_at=NOW,
        ),
    ),
)
FEED = StoredFeed(id=FEED_ID, user_id=USER, board_id=None, name=None, digest="x", created_at=NOW)
MAILED = MailedEvent(
    start=NOW,
    end=shift(NOW, days=3),
    timezone=None,
    title="M",
    place=None,
    description="",
    path="/",
    status="CONFIRMED",
    sequence=0,
)
INVITATION = StoredCalendarInvitation(
    user_id=USER, board_id=BOARD, meeting_id=MEETING, token="A", email=MAIL, cancelled=False, event=MAILED
)
LINK = StoredGuestLink(digest="x", expires_at=NOW, created_at=NOW)


def vote(**voter: str) -> StoredVote:
    return StoredVote.model_validate({"slot_id": SLOT, "vote": "ok", "comment": None, "arrived_at": NOW, **voter})
