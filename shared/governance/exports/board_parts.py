"""The content of a board's export: what the routes of the API return to the user who requested it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence

from governance.calendars.writer import write_events, write_frame
from governance.domain.calendars.calendar import meeting_event
from governance.exports.parts import (
    ASCENDING,
    OfMeeting,
    Part,
    Step,
    few,
    in_turn,
    lines,
    many,
    of_meetings,
    one,
    paged,
    pages_of,
    streamed,
    under_each,
)
from governance.exports.reader import Reader, UseCase, board_of
from governance.models.base import Query, Resource
from governance.models.documents.document import DocumentsQuery
from governance.models.history.audit import AuditQuery
from governance.models.history.event import EventsQuery
from governance.models.meetings.meeting import Meeting, MeetingsQuery
from governance.models.meetings.minutes_versions import MinutesApproval, MinutesApprovalQuery
from governance.models.meetings.rsvp import RsvpsQuery
from governance.models.members.unregistered_user import UnregisteredUsersQuery
from governance.models.page import LegacyListQuery, MembersQuery, OrderedQuery, Page, PageQuery
from governance.models.reports.check import ExportedFlag
from governance.models.reports.dashboard import DashboardsQuery
from governance.models.reports.report import Report, ReportsQuery
from governance.models.resolutions.ballot import BallotsQuery
from governance.models.resolutions.resolution import ResolutionsQuery
from governance.store.boards import boards
from governance.store.meetings import meetings
from governance.usecases.action_items.action_items import list_meeting_action_items
from governance.usecases.boards.boards import get_board, list_board_tokens
from governance.usecases.comments import dashboard_comments, document_comments, meeting_comments
from governance.usecases.committees.committees import list_committees
from governance.usecases.documents.document_versions import list_document_versions
from governance.usecases.documents.documents import list_documents
from governance.usecases.history.audit import list_audit_entries, list_board_events
from governance.usecases.invites.invites import list_board_invites
from governance.usecases.meetings.agendas import get_agenda
from governance.usecases.meetings.cancellations import get_cancellation
from governance.usecases.meetings.meetings import list_meetings
from governance.usecases.meetings.minutes import get_minutes
from governance.usecases.meetings.minutes_corrections import get_minutes_correction
from governance.usecases.meetings.minutes_remarks import list_minutes_remarks
from governance.usecases.meetings.minutes_versions import get_minutes_approval, list_minutes_versions
from governance.usecases.meetings.people import get_meeting_people
from governance.usecases.meetings.polls import get_meeting_poll
from governance.usecases.meetings.rsvps import list_rsvps, list_unregistered_rsvps
from governance.usecases.meetings.slots import list_slots
from governance.usecases.members.members import list_members
from governance.usecases.members.unregistered_users import list_unregistered_users
from governance.usecases.paper_requests.paper_requests import list_paper_requests
from governance.usecases.planning.agenda_templates import list_agenda_templates
from governance.usecases.planning.backlog import list_backlog_items
from governance.usecases.planning.plan import list_plan_items
from governance.usecases.reports.bets import list_bets
from governance.usecases.reports.cycles import list_reporting_cycles
from governance.usecases.reports.dashboards import list_dashboards
from governance.usecases.reports.flags import list_dashboard_flags
from governance.usecases.reports.reports import list_reports
from governance.usecases.resolutions.ballots import list_ballots
from governance.usecases.resolutions.listing import list_resolutions
from governance.usecases.series.series import list_series
from governance.usecases.webhooks.webhooks import list_webhooks

_AUDIT_COLUMNS = ("_id", "createdAt", "action", "actorUser", "createdVia", "details")


def _one_of_each(usecase: UseCase) -> OfMeeting:
    def content(reader: Reader, meeting: Meeting) -> Iterable[Resource]:
        resource = reader.read_or_none(usecase, meetingId=meeting.id)
        return [] if resource is None else [resource]

    return content


def _list_of_each(usecase: UseCase, query: Query | None) -> OfMeeting:
    return lambda reader, meeting: pages_of(reader, usecase, query, meetingId=meeting.id)


def _given_rsvps(reader: Reader, meeting: Meeting) -> Iterable[Resource]:
    answers = pages_of(reader, list_rsvps, many(RsvpsQuery, order=ASCENDING), meetingId=meeting.id)
    return (answer for answer in answers if answer.status != "noAnswer")


def _answers_of_people(reader: Reader, meeting: Meeting) -> Iterable[Resource]:
    query = many(RsvpsQuery, order=ASCENDING)
    return pages_of(reader, list_unregistered_rsvps, query, meetingId=meeting.id)


def _approvals(reader: Reader, meeting: Meeting) -> Iterator[Resource]:
    """Yields how far the minutes of a meeting are, then the approvals of the versions that were corrected."""
    query: MinutesApprovalQuery | None = MinutesApprovalQuery()
    while query is not None:
        approval: MinutesApproval | None = reader.read_or_none(get_minutes_approval, query, meetingId=meeting.id)
        if approval is None:
            return
        yield approval
        earlier = approval.supersedes_version
        query = MinutesApprovalQuery(version=earlier) if earlier else None


def _flags(reader: Reader, after: str | None) -> Step:
    """Reads the flags of the dashboards of some reports."""
    page: Page[Report] = reader.read(list_reports, few(ReportsQuery, order=ASCENDING), after)
    return Step(lines(flag for report in page.data for flag in _flags_of(reader, report)), page.next_position)


def _flags_of(reader: Reader, report: Report) -> Iterator[ExportedFlag]:
    for dashboard in pages_of(reader, list_dashboards, many(DashboardsQuery, order=ASCENDING), reportId=report.id):
        place = {"reportId": report.id, "dashboardId": dashboard.id}
        for flag in pages_of(reader, list_dashboard_flags, many(PageQuery), **place):
            yield ExportedFlag(**vars(flag), report_id=report.id, dashboard_id=dashboard.id)


def _csv_row(values: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(values)
    return text.getvalue()


def _audit_row(entry: str) -> str:
    members = json.loads(entry)
    details = json.dumps(members["details"], ensure_ascii=False)
    return _csv_row([*(members[name] or "" for name in _AUDIT_COLUMNS[:-1]), details])


_BYTE_ORDER_MARK = "\ufeff"
"""Spreadsheet programs take a table without it for one in the encoding of their country."""


def _audit_frame(_reader: Reader, _zones: Sequence[str]) -> tuple[str, str]:
    return _BYTE_ORDER_MARK + _csv_row([name.lstrip("_") for name in _AUDIT_COLUMNS]), ""


def _calendar(reader: Reader, after: str | None) -> Step:
    page: Page[Meeting] = reader.read(list_meetings, many(MeetingsQuery, order=ASCENDING), after)
    board = boards.find(board_of(reader))
    stored = meetings.visible_by_ids(board_of(reader), [meeting.id for meeting in page.data], reader.export.user_id)
    events = (meeting_event(meeting, board) for meeting in stored.values() if board)
    components, zones = write_events(event for event in events if event)
    return Step(components, page.next_position, frozenset(zones))


def _calendar_frame(reader: Reader, zones: Sequence[str]) -> tuple[str, str]:
    return write_frame(reader.read(get_board).name, zones)


def _of_dashboards(reader: Reader, after: str | None) -> Step:
    """Reads the comments on the dashboards of some reports."""
    page: Page[Report] = reader.read(list_reports, few(ReportsQuery, order=ASCENDING), after)
    dashboards = (
        {"reportId": report.id, "dashboardId": dashboard.id}
        for report in page.data
        for dashboard in pages_of(reader, list_dashboards, many(DashboardsQuery, order=ASCENDING), reportId=report.id)
    )
    comments = (
        comment
        for ids in dashboards
        for comment in pages_of(reader, dashboard_comments.COMMENTS.list, many(PageQuery), **ids)
    )
    return Step(lines(comments), page.next_position)


_COMMENTS = in_turn(
    of_meetings(_list_of_each(meeting_comments.COMMENTS.list, many(PageQuery))),
    under_each(
        list_documents,
        few(DocumentsQuery, order=ASCENDING),
        "documentId",
        document_comments.COMMENTS.list,
        many(PageQuery),
    ),
    _of_dashboards,
)
VERSIONS = "document_versions.ndjson"
"""The part by which the files of documents are found."""
BOARD_PARTS = (
    Part("board.ndjson", one(get_board)),
    Part("members.ndjson", paged(list_members, many(MembersQuery, order=ASCENDING))),
    Part("committees.ndjson", paged(list_committees, many(OrderedQuery, order=ASCENDING))),
    Part("unregistered_users.ndjson", paged(list_unregistered_users, many(UnregisteredUsersQuery, order=ASCENDING))),
    Part("invites.ndjson", streamed(list_board_invites, LegacyListQuery())),
    Part("tokens.ndjson", paged(list_board_tokens, many(OrderedQuery, order=ASCENDING))),
    Part("webhooks.ndjson", paged(list_webhooks, many(OrderedQuery, order=ASCENDING))),
    Part("meetings.ndjson", paged(list_meetings, many(MeetingsQuery, order=ASCENDING))),
    Part("series.ndjson", paged(list_series, many(OrderedQuery, order=ASCENDING))),
    Part("slots.ndjson", of_meetings(_list_of_each(list_slots, None))),
    Part("rsvps.ndjson", of_meetings(_given_rsvps)),
    Part("unregistered_rsvps.ndjson", of_meetings(_answers_of_people)),
    Part("meeting_people.ndjson", of_meetings(_one_of_each(get_meeting_people))),
    Part("polls.ndjson", of_meetings(_one_of_each(get_meeting_poll))),
    Part("agenda_templates.ndjson", paged(list_agenda_templates, many(OrderedQuery, order=ASCENDING))),
    Part("backlog.ndjson", paged(list_backlog_items, many(OrderedQuery, order=ASCENDING))),
    Part("plan.ndjson", paged(list_plan_items, many(OrderedQuery, order=ASCENDING))),
    Part("agendas.ndjson", of_meetings(_one_of_each(get_agenda))),
    Part("cancellations.ndjson", of_meetings(_one_of_each(get_cancellation))),
    Part("paper_requests.ndjson", of_meetings(_list_of_each(list_paper_requests, many(PageQuery)))),
    Part("minutes.ndjson", of_meetings(_one_of_each(get_minutes))),
    Part("minutes_corrections.ndjson", of_meetings(_one_of_each(get_minutes_correction))),
    Part("minutes_approvals.ndjson", of_meetings(_approvals)),
    Part(
        "minutes_versions.ndjson", of_meetings(_list_of_each(list_minutes_versions, few(OrderedQuery, order=ASCENDING)))
    ),
    Part("minutes_remarks.ndjson", of_meetings(_list_of_each(list_minutes_remarks, many(PageQuery)))),
    Part("action_items.ndjson", of_meetings(_list_of_each(list_meeting_action_items, many(PageQuery)))),
    Part("resolutions.ndjson", paged(list_resolutions, many(ResolutionsQuery, order=ASCENDING))),
    Part(
        "ballots.ndjson",
        under_each(
            list_resolutions,
            few(ResolutionsQuery, order=ASCENDING),
            "resolutionId",
            list_ballots,
            many(BallotsQuery),
        ),
    ),
    Part("documents.ndjson", paged(list_documents, many(DocumentsQuery, order=ASCENDING))),
    Part(
        VERSIONS,
        under_each(
            list_documents,
            few(DocumentsQuery, order=ASCENDING),
            "documentId",
            list_document_versions,
            many(PageQuery),
        ),
    ),
    Part("reports.ndjson", paged(list_reports, many(ReportsQuery, order=ASCENDING))),
    Part(
        "dashboards.ndjson",
        under_each(
            list_reports,
            few(ReportsQuery, order=ASCENDING),
            "reportId",
            list_dashboards,
            many(DashboardsQuery, order=ASCENDING),
        ),
    ),
    Part("cycles.ndjson", paged(list_reporting_cycles, many(OrderedQuery, order=ASCENDING))),
    Part("bets.ndjson", paged(list_bets, many(OrderedQuery, order=ASCENDING))),
    Part("flags.ndjson", _flags),
    Part("comments.ndjson", _COMMENTS),
    Part("events.ndjson", paged(list_board_events, many(EventsQuery))),
    Part("meetings.ics", _calendar, _calendar_frame),
    Part("audit.csv", streamed(list_audit_entries, AuditQuery(), _audit_row), _audit_frame),
)
"""The files of a board's export, in their order. A new kind of content is a line here."""
