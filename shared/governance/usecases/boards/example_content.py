"""The content of an example board: meetings with votes and tasks, documents, a report with dashboards (ADR boards).

The demo data of `make run` contains it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from governance.ids import UserId
from governance.instants import Instant, shift
from governance.models.action_items.action_item import ActionItemCreate
from governance.models.base import Body
from governance.models.documents.document import DocumentCreate
from governance.models.meetings.meeting import MeetingCreate, MeetingPatch
from governance.models.meetings.slot import SlotCreate, VoteBody
from governance.models.reports.bet import BetCreate
from governance.models.reports.cycle import CycleCreate
from governance.models.reports.dashboard import DashboardCreate, DashboardPatch
from governance.models.reports.report import ReportCreate, ReportPatch
from governance.usecases.action_items import action_items
from governance.usecases.documents import documents
from governance.usecases.meetings import meetings, slots
from governance.usecases.reports import bets, cycles, dashboards, reports


class Author(Protocol):
    """Writes content as members of a board."""

    @property
    def now(self) -> Instant:
        """The instant that the dates of the content are counted from."""

    def person(self, name: str) -> UserId:
        """Returns the id of a member, by the name that this module gives them."""

    def write(self, name: str, usecase: Callable[..., Any], body: Body, *, days_ago: int, **params: str) -> str:
        """Calls a use case of the board as a member, `days_ago` if that can be; returns the id of the result."""


@dataclass(frozen=True)
class Content:
    """The ids of what was written: meetings by the names of this module, slots of one of them, action items."""

    meetings: Mapping[str, str]
    slots: list[str]
    items: list[str]


@dataclass(frozen=True)
class ExampleMeeting:
    """A meeting that lasts two hours and begins in `days`; None for one without a time yet."""

    creator: str
    title: str
    status: str
    days: int | None = None
    location: Mapping[str, str] = field(default_factory=dict)


POLLED = "budget"
"""The meeting that has no date yet: its slots are voted on."""
ROOM = {"locationType": "in_person", "location": "Board room, 3rd floor"}
CALL = {"locationType": "virtual", "virtualMeetingUrl": "https://meet.example.com/northwind"}
_MEETINGS = {
    "annual": ExampleMeeting("olivia", "Annual general meeting", "finalized", -80, ROOM),
    "audit": ExampleMeeting("maya", "Audit committee", "completed", -20, CALL),
    "today": ExampleMeeting("adam", "Weekly stand-up of the officers", "in_progress", 0, CALL),
    "quarterly": ExampleMeeting("olivia", "Quarterly board meeting", "scheduled", 14, ROOM),
    POLLED: ExampleMeeting("colin", "Budget workshop", "scheduled"),
}
# hour, minutes
_SLOTS = ((9, 60), (13, 90), (16, 120))
# voter, votes on the slots in order
_VOTES = (
    ("olivia", ("ok", "challenging", "cant")),
    ("maya", ("ok", "ok", "challenging")),
    ("paul", ("cant", "ok", "ok")),
)
# meeting; author, assignee, title, status
_ITEMS = (
    ("quarterly", ("adam", "olivia", "Send the agenda", "in_progress")),
    ("quarterly", ("adam", "maya", "Prepare the figures of the quarter", "in_progress")),
    ("audit", ("maya", "olivia", "Sign the auditors' letter", "completed")),
    ("today", ("olivia", "paul", "Renew the insurance", "cancelled")),
)
# author, days ago, title, type, the meeting it is linked to
_DOCUMENTS = (
    ("adam", 30, "Articles of association", "policy", None),
    ("olivia", 12, "Agenda of the quarterly meeting", "agenda", "quarterly"),
    ("maya", 10, "Board pack, quarterly meeting", "board_pack", "quarterly"),
)


def write_content(author: Author) -> Content:
    """Writes the content, always in the same order."""
    ids = {name: write_meeting(author, meeting) for name, meeting in _MEETINGS.items()}
    slot_ids = _write_poll(author, ids[POLLED])
    item_ids = [write_item(author, ids[meeting], *item) for meeting, item in _ITEMS]
    for name, days, title, kind, meeting in _DOCUMENTS:
        write_document(author, name, days, title, kind, [ids[meeting]] if meeting else [])
    _write_reports(author)
    for bet in _BETS:
        _write_bet(author, *bet)
    return Content(ids, slot_ids, item_ids)


def write_meeting(author: Author, meeting: ExampleMeeting) -> str:
    """Writes a meeting, and returns its id."""
    first = "completed" if meeting.status == "finalized" else meeting.status
    members = {"title": meeting.title, "status": first, **meeting.location, **_times(author.now, meeting.days)}
    body = MeetingCreate.model_validate(members)
    meeting_id = author.write(meeting.creator, meetings.create_meeting, body, days_ago=45)
    if meeting.status == "finalized":
        final = MeetingPatch.model_validate({"status": meeting.status})
        author.write(meeting.creator, meetings.update_meeting, final, days_ago=44, meetingId=meeting_id)
    return meeting_id


def _times(now: Instant, days: int | None) -> dict[str, str]:
    return {} if days is None else {"startTime": _hour(now, days, 0), "endTime": _hour(now, days, 2)}


def _hour(now: Instant, days: int, hours: int) -> str:
    return f"{shift(now, days=days, hours=hours)[:13]}:00:00.000Z"


def _write_poll(author: Author, meeting_id: str) -> list[str]:
    ids = [_write_slot(author, meeting_id, number, *slot) for number, slot in enumerate(_SLOTS)]
    for voter, votes in _VOTES:
        for slot_id, vote in zip(ids, votes, strict=True):
            body = VoteBody.model_validate({"vote": vote})
            author.write(voter, slots.vote_on_slot, body, days_ago=2, meetingId=meeting_id, slotId=slot_id)
    return ids


def _write_slot(author: Author, meeting_id: str, number: int, hour: int, minutes: int) -> str:
    start = f"{shift(author.now, days=20 + number)[:10]}T{hour:02d}:00:00Z"
    fields = {"startTime": start, "timezone": "Europe/Paris", "durationInMinutes": minutes}
    body = SlotCreate.model_validate(fields, context={"now": author.now})
    return author.write("colin", slots.create_slot, body, days_ago=3, meetingId=meeting_id)


def write_item(author: Author, meeting_id: str, name: str, assignee: str, title: str, status: str) -> str:
    """Writes an action item, and returns its id."""
    fields = {"title": title, "status": status, "assigneeUserId": author.person(assignee)}
    body = ActionItemCreate.model_validate(fields)
    return author.write(name, action_items.create_action_item, body, days_ago=1, meetingId=meeting_id)


def write_document(author: Author, name: str, days: int, title: str, kind: str, meeting_ids: list[str]) -> None:
    """Writes a document of this type, linked to these meetings."""
    fields = {"title": title, "documentType": kind, "meetingIds": meeting_ids, "mimeType": "application/pdf"}
    author.write(name, documents.create_document, DocumentCreate.model_validate(fields), days_ago=days)


_EURO, _BARS = {"currency": "EUR"}, {"kind": "bar", "unit": "thousand EUR"}
_QUARTERS = ("2025-Q2", "2025-Q3", "2025-Q4", "2026-Q1", "2026-Q2", "2026-Q3")


def _points(*values: float) -> list[dict[str, Any]]:
    return [{"period": period, "value": value} for period, value in zip(_QUARTERS, values, strict=True)]


_ARR = {
    "series": [
        {"name": "Plan", "points": _points(3_000_000, 3_350_000, 3_700_000, 4_100_000, 4_500_000, 4_900_000)},
        {"name": "Actual", "points": _points(2_940_000, 3_280_000, 3_810_000, 4_190_000, 4_470_000, 4_820_000)},
    ]
}
_REGIONS = {"columns": ["Region", "Customers", "Net new"], "rows": [["North", 120, 9], ["South", 92, 4]]}
# catalog id, label, value, widget type, options of the widget
_FIGURES: tuple[tuple[str, str, Any, str, dict[str, str]], ...] = (
    ("revenue.arr", "ARR", 4_820_000, "currency", _EURO),
    ("revenue.net-revenue-retention", "Net revenue retention", 112, "percent", {}),
    ("finance.gross-margin", "Gross margin", 71, "percent", {}),
    ("finance.cash-balance", "Cash", 6_150_000, "currency", _EURO),
    ("finance.net-burn", "Net burn", 310_000, "currency", _EURO),
    ("finance.runway", "Runway", 19.8, "number", {"unit": "months"}),
    ("finance.burn-multiple", "Burn multiple", 1.4, "number", {}),
    ("sales.win-rate", "Win rate", 27, "percent", {}),
    ("customers.active-customers", "Active customers", 212, "number", {}),
    ("customers.customer-churn-rate", "Churn", 1.8, "percent", {}),
    ("people.headcount", "Headcount", 64, "number", {}),
    ("product.uptime", "Uptime", 99.94, "percent", {}),
    ("revenue.arr", "ARR by quarter", _ARR, "chart", _EURO),
    ("finance.net-burn", "Net burn by quarter", _points(420, 407, 390, 372, 338, 310), "chart", _BARS),
    ("customers.active-customers", "Customers by region", _REGIONS, "table", {}),
)


def _write_reports(author: Author) -> None:
    """Writes the published report of the third quarter and the draft of the fourth."""
    quarter = author.write("maya", reports.create_report, ReportCreate(title="Third quarter"), days_ago=20)
    uniform = {
        "sourceSectionName": "Key figures",
        "narrative": "Growth held while burn came down; hiring waits for the next quarter.",
        "dataAnchorDate": shift(author.now, days=-30)[:10],
        "fields": [_field(order, *figure) for order, figure in enumerate(_FIGURES, 1)],
    }
    figures = _write_dashboard(
        author, 18, quarter, {"dashboardType": "uniform", "title": "Key figures", "uniform": uniform}
    )
    _write_dashboard(author, 17, quarter, {"dashboardType": "historicalFundraising", "title": "Rounds so far"})
    for days, status in ((16, "ready_for_review"), (15, "internally_reviewed")):
        review = DashboardPatch.model_validate({"uniform": {"reviewStatus": status}})
        ids = {"reportId": quarter, "dashboardId": figures}
        author.write("maya", dashboards.update_dashboard, review, days_ago=days, **ids)
    author.write("maya", reports.update_report, ReportPatch(status="published"), days_ago=14, reportId=quarter)
    next_quarter = author.write("maya", reports.create_report, ReportCreate(title="Fourth quarter"), days_ago=2)
    for writer, title in (("maya", "Finance"), ("adam", "Risks")):
        members = {"dashboardType": "uniform", "title": title, "uniform": {"sourceSectionName": title}}
        body = DashboardCreate.model_validate(members)
        author.write(writer, dashboards.create_dashboard, body, days_ago=2, reportId=next_quarter)
    cycle = {"name": "Fourth quarter", "reportId": next_quarter, "dueAt": shift(author.now, days=12)}
    body_of_cycle = CycleCreate.model_validate(cycle, context={"now": author.now})
    author.write("maya", cycles.create_reporting_cycle, body_of_cycle, days_ago=1)


# owner, title, days ahead, catalog id, target, status
_BETS = (
    ("maya", "ARR passes 5 million", 45, "revenue.arr", {"atLeast": 5_000_000}, "open"),
    ("adam", "Churn stays below 2 %", 90, "customers.customer-churn-rate", {"atMost": 2}, "open"),
    ("maya", "Headcount stays at 60", -10, "people.headcount", {"atMost": 60}, "lost"),
)


def _write_bet(
    author: Author, owner: str, title: str, days: int, rogue_id: str, target: Mapping[str, float], status: str
) -> None:
    fields = {
        "title": title,
        "ownerUserId": author.person(owner),
        "dueOn": shift(author.now, days=days)[:10],
        "rogueId": rogue_id,
        "target": target,
        "status": status,
    }
    author.write("maya", bets.create_bet, BetCreate.model_validate(fields), days_ago=13)


def _write_dashboard(author: Author, days: int, report_id: str, fields: dict[str, Any]) -> str:
    body = DashboardCreate.model_validate(fields)
    return author.write("maya", dashboards.create_dashboard, body, days_ago=days, reportId=report_id)


def _field(
    order: int, rogue_id: str, label: str, value: Any, widget: str, options: Mapping[str, str]
) -> dict[str, Any]:
    slug = rogue_id.partition(".")[2]
    name = slug if widget in {"number", "currency", "percent"} else f"{slug}-{widget}"
    field = {"fieldId": name, "rogueId": rogue_id, "isStub": False, "label": label}
    return {**field, "displayOrder": order, "value": value, "widget": {"type": widget, "options": dict(options)}}
