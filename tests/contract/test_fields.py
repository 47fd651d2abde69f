"""A field of a resource is in every form of it: in what clients send, in what is stored and in what they see."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from governance.models.account.user import StoredUser, User, UserPatch
from governance.models.base import Body, Resource
from governance.models.boards.board import (
    Board,
    BoardCreate,
    BoardMember,
    BoardPatch,
    MemberPatch,
    Membership,
    StoredBoard,
)
from governance.models.boards.committee import Committee, CommitteeCreate, CommitteePatch, StoredCommittee
from governance.models.calendar import CalendarSettings, CalendarSettingsBody, StoredCalendarSettings
from governance.models.comment import Comment, CommentPatch, DashboardCommentCreate, StoredComment
from governance.models.documents.document import Document, DocumentCreate, DocumentPatch, StoredDocument
from governance.models.meetings.action_item import (
    ActionItem,
    ActionItemCreate,
    ActionItemPatch,
    DueDate,
    DueDateBody,
    StoredActionItem,
    StoredDueDate,
)
from governance.models.meetings.agenda import (
    Agenda,
    AgendaBody,
    AgendaItem,
    AgendaItemBody,
    StoredAgenda,
    StoredAgendaItem,
)
from governance.models.meetings.meeting import Meeting, MeetingCreate, MeetingPatch, StoredMeeting
from governance.models.meetings.minutes import (
    Attendance,
    AttendanceBody,
    Minutes,
    MinutesBody,
    MinutesItem,
    MinutesItemBody,
    StoredAttendance,
    StoredMinutes,
    StoredMinutesItem,
)
from governance.models.meetings.poll import Poll, PollBody, StoredPoll
from governance.models.meetings.rsvp import Rsvp, RsvpBody, StoredRsvp
from governance.models.meetings.slot import ProposedSlot, SlotCreate, StoredSlot
from governance.models.reports.bet import Bet, BetCreate, BetPatch, StoredBet
from governance.models.reports.cycle import Cycle, CycleCreate, CyclePatch, StoredCycle
from governance.models.reports.dashboard import (
    Dashboard,
    DashboardCreate,
    DashboardPatch,
    StoredDashboard,
    Uniform,
    UniformCreate,
    UniformHead,
    UniformPatch,
    UniformPayload,
)
from governance.models.reports.report import Report, ReportCreate, ReportPatch, StoredReport
from governance.models.webhooks.webhook import StoredWebhook, Webhook, WebhookCreate, WebhookPatch
from infra.openapi.document import document


class Forms(NamedTuple):
    """The models of one resource; `stored` are several where parts of it are items of their own.

    `create` is also the body that sets a resource whole; there is no other then.
    """

    seen: type[Resource]
    stored: list[type[Resource]]
    create: type[Body] | None
    patch: type[Body] | None
    only_created: frozenset[str] = frozenset()
    only_changed: frozenset[str] = frozenset()
    stored_apart: frozenset[str] = frozenset()


FORMS = [
    Forms(Meeting, [StoredMeeting], MeetingCreate, MeetingPatch),
    Forms(ProposedSlot, [StoredSlot], SlotCreate, None),
    Forms(ActionItem, [StoredActionItem], ActionItemCreate, ActionItemPatch, stored_apart=frozenset({"notes"})),
    Forms(Document, [StoredDocument], DocumentCreate, DocumentPatch),
    Forms(Report, [StoredReport], ReportCreate, ReportPatch),
    Forms(Dashboard, [StoredDashboard], DashboardCreate, DashboardPatch, only_created=frozenset({"dashboard_type"})),
    Forms(Uniform, [UniformHead, UniformPayload], UniformCreate, UniformPatch),
    Forms(Committee, [StoredCommittee], CommitteeCreate, CommitteePatch),
    Forms(Board, [StoredBoard], BoardCreate, BoardPatch, only_changed=frozenset({"invite_code_enabled"})),
    Forms(BoardMember, [Membership], None, MemberPatch),
    Forms(User, [StoredUser], None, UserPatch),
    Forms(Webhook, [StoredWebhook], WebhookCreate, WebhookPatch),
    Forms(Bet, [StoredBet], BetCreate, BetPatch),
    Forms(Cycle, [StoredCycle], CycleCreate, CyclePatch),
    Forms(
        Comment,
        [StoredComment],
        DashboardCommentCreate,
        CommentPatch,
        only_created=frozenset({"mentions", "reply_to_id", "field_id"}),
    ),
    Forms(CalendarSettings, [StoredCalendarSettings], None, CalendarSettingsBody),
    Forms(Agenda, [StoredAgenda], AgendaBody, None),
    Forms(AgendaItem, [StoredAgendaItem], AgendaItemBody, None),
    Forms(Minutes, [StoredMinutes], MinutesBody, None),
    Forms(MinutesItem, [StoredMinutesItem], MinutesItemBody, None),
    Forms(Attendance, [StoredAttendance], AttendanceBody, None),
    Forms(Poll, [StoredPoll], PollBody, None),
    Forms(Rsvp, [StoredRsvp], RsvpBody, None),
    Forms(DueDate, [StoredDueDate], DueDateBody, None),
]
_LIMITED_BY = {"maxLength", "enum", "const", "pattern"}
_WITHOUT_LENGTH = {
    "agendaItemId",
    "fromMeetingId",
    "id",
    "presenterUserId",
    "userId",
    "assigneeUserId",
    "boardId",
    "committeeId",
    "dataAnchorDate",
    "dueOn",
    "language",
    "narrative",
    "ownerUserId",
    "reportId",
    "replyToId",
    "rogueId",
    "timezone",
    "presenterUnregisteredUserId",
    "unregisteredUserId",
    "memberId",
}
"""Ids and codes, which are checked as such, and the narrative, which is limited together with its dashboard."""


def fields(*models: type[Resource | Body] | None) -> set[str]:
    return {name for model in models if model is not None for name in model.model_fields}


@pytest.mark.parametrize("forms", FORMS, ids=lambda forms: forms.seen.__name__)
def test_what_clients_set_is_stored_and_shown(forms: Forms) -> None:
    sent = fields(forms.create, forms.patch)
    stored = " and ".join(model.__name__ for model in forms.stored)
    missing = [f"{forms.seen.__name__}.{name}" for name in sent - fields(forms.seen)]
    missing += [f"{stored}.{name}" for name in sent - fields(*forms.stored) - forms.stored_apart]
    assert missing == []


@pytest.mark.parametrize(
    "forms", [each for each in FORMS if each.create and each.patch], ids=lambda forms: forms.seen.__name__
)
def test_what_is_set_at_the_creation_can_be_changed_later(forms: Forms) -> None:
    assert fields(forms.create) - fields(forms.patch) == forms.only_created
    assert fields(forms.patch) - fields(forms.create) == forms.only_changed


def test_the_reference_states_the_longest_text_of_every_field_that_clients_write() -> None:
    schemas = document()["components"]["schemas"]
    bodies = [name for name in schemas if name.endswith(("Create", "Patch", "Body")) and name != "ErrorBody"]
    without = {
        f"{name}.{field}"
        for name in bodies
        for field, schema in schemas[name]["properties"].items()
        if "string" in schema.get("type", ())
        and schema.get("format") != "date-time"
        and not _LIMITED_BY & schema.keys()
        and field not in _WITHOUT_LENGTH
    }
    assert len(bodies) > 20
    assert without == set()
