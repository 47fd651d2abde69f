"""The rows of `make scale`: requests whose cost must not depend on how much there is beside what they show or change.

A row is prepared with a size and returns a request that can be sent again and again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from governance.agenda_limits import (
    BACKLOG_ITEMS_PER_BOARD,
    MINUTE_BOOK_ENTRIES,
    PAPER_REQUESTS_PER_MEETING,
    SERIES_PER_BOARD,
)
from governance.limits import (
    ACTION_ITEMS_PER_MEETING,
    BOARDS_PER_USER,
    CHECKED_DASHBOARDS,
    COMMENTS_PER_SUBJECT,
    DASHBOARDS_PER_REPORT,
    DOCUMENT_VERSIONS,
    FEED_EVENTS,
    MEMBER_COMMITTEES,
    MEMBERS_PER_BOARD,
    RESOLUTION_VOTERS,
)
from infra.tools.scale import (
    changes,
    committees,
    figures,
    lists,
    minute_books,
    paper_requests,
    papers,
    planning,
    reporting,
    voting,
)
from infra.tools.scale.preparation import NOTES_BYTES, PAYLOAD_BYTES, Request
from infra.tools.scale.world import World


@dataclass(frozen=True)
class Row:
    """A request, what there is more and more of, and how to prepare it.

    `limit` is what the service allows of it; beyond, the rows are in the store only. `entry_bytes` is what the request
    reads for each of them at most: 0, unless its answer lists every one. `entry_calls` and `entry_written` are the
    calls that it makes and the bytes that it writes for each: 0, unless it reads a list or deletes something for every
    one. `sizes` take the place of the usual ones.
    """

    name: str
    grows: str
    prepare: Callable[[World, int], Request]
    limit: int | None = None
    entry_bytes: int = 0
    entry_calls: int = 0
    entry_written: int = 0
    sizes: tuple[int, ...] = ()


_BOARDS, _MEMBERS, _COMMITTEES = "boards of the user", "members of the board", "committees of the caller"
_SINCE, _YEARS = "years since the series began", (1, 10, 100)
_REQUESTS = "paper requests of the meeting"
_CHECKED, _COMMENTS = "dashboards of the report that state figures", "comments on the meeting"
ROWS = (
    # first: whatever the other rows cause may be due soon
    Row("sweep with nothing due", "messages due later", changes.idle_sweep, sizes=(0, 1_000, 100_000)),
    Row("page of boards, by update", _BOARDS, lists.boards_page, BOARDS_PER_USER),
    Row("page of boards, oldest first", _BOARDS, lists.boards_by_creation, BOARDS_PER_USER),
    Row(
        "pending invites of all boards, 3 of them with one",
        _BOARDS,
        lists.pending_of_all_boards,
        BOARDS_PER_USER,
        1600,
    ),
    Row("page of members", _MEMBERS, lists.members_page, MEMBERS_PER_BOARD),
    Row("page of meetings", "meetings of the board", lists.meetings_page),
    Row("poll of an unchanged calendar feed", "meetings of the board", lists.unchanged_feed),
    Row("calendar feed, read whole", "meetings of the board", lists.whole_feed, FEED_EVENTS, entry_bytes=1000),
    Row("page of documents, 3 links each", "documents of the board", lists.documents_page),
    Row(
        "page of 100 documents, 50 links each",
        "documents of the board",
        lists.documents_with_many_links,
        entry_bytes=4000,
    ),
    Row(
        "page of documents with files",
        "files of each document",
        lists.documents_with_files,
        DOCUMENT_VERSIONS,
        sizes=(0, 10, 50),
    ),
    Row(
        "page of documents of a member of committees",
        _COMMITTEES,
        committees.documents_page,
        MEMBER_COMMITTEES,
        entry_bytes=3000,
        entry_calls=1,
        sizes=(0, 10, 50),
    ),
    Row(
        "page of events of a member of committees",
        _COMMITTEES,
        committees.events_page,
        MEMBER_COMMITTEES,
        entry_bytes=3000,
        entry_calls=4,
        sizes=(0, 10, 50),
    ),
    Row("page of reports", "reports of the board", lists.reports_page),
    Row("page of the audit log", "entries of the board", lists.audit_page),
    Row("proof of an entry of the audit log", "entries of the board", lists.log_proof),
    Row(  # a page of few entries reads more months
        "page of the audit log of a year", "entries, spread over 12 months", lists.audit_year, entry_bytes=200
    ),
    Row("page of events", "events of the board", lists.events_page),
    Row("page of action items", "action items of the meeting", lists.action_items_page, ACTION_ITEMS_PER_MEETING),
    Row("page of notifications", "notifications of the user", lists.notifications_page),
    Row(
        "50 notifications about dashboards",
        f"{PAYLOAD_BYTES} bytes in each dashboard",
        lists.dashboard_notifications,
    ),
    Row("vote on a slot", _MEMBERS, changes.vote, MEMBERS_PER_BOARD, entry_bytes=400),
    Row(  # the head names the first voter of each group
        "ballot on a resolution",
        "voters of the resolution",
        voting.ballot,
        RESOLUTION_VOTERS,
        entry_bytes=8,
        sizes=(5, 50, 500),
    ),
    Row("new slot", _MEMBERS, changes.new_slot, MEMBERS_PER_BOARD, entry_bytes=400),
    Row("guest's view of a slot", _MEMBERS, changes.guest_view, MEMBERS_PER_BOARD, entry_bytes=400),
    Row("delivery of a task's assignment", _MEMBERS, changes.delivery, MEMBERS_PER_BOARD),
    Row("delivery of a meeting's change", _MEMBERS, changes.meeting_delivery, MEMBERS_PER_BOARD, entry_bytes=400),
    Row("status of an action item", f"{NOTES_BYTES} bytes of notes", changes.status_flip),
    Row(
        "title of a dashboard",
        f"{PAYLOAD_BYTES} bytes of payload",
        changes.dashboard_title,
        entry_bytes=PAYLOAD_BYTES,
    ),
    Row(
        "deletion of a report",
        "dashboards of 240 KB",
        changes.report_deletion,
        DASHBOARDS_PER_REPORT,
        entry_bytes=1000,
        entry_calls=2,
        entry_written=1000,
        sizes=(1, 10, 100),
    ),
    Row(
        "change of a figure that is checked",
        _CHECKED,
        figures.checked_change,
        CHECKED_DASHBOARDS,
        entry_bytes=500,
        entry_written=200,
        sizes=(1, 10, 40, 100),
    ),
    Row(
        "checks of a dashboard's figures",
        _CHECKED,
        figures.checks,
        CHECKED_DASHBOARDS,
        entry_bytes=500,
        sizes=(1, 10, 40, 100),
    ),
    Row("page of comments", _COMMENTS, figures.comments_page, COMMENTS_PER_SUBJECT, sizes=(0, 100, 2_000)),
    Row("new comment", _COMMENTS, figures.new_comment, COMMENTS_PER_SUBJECT, sizes=(0, 100, 2_000)),
    Row("title of a document with 33 links", "documents of the board", changes.document_title),
    Row("page of bets", "KPIs that they are on", reporting.bets_of_kpis, entry_bytes=1_500, sizes=(10, 50, 100)),
    Row("page of bets on 10 KPIs", "published reports that state them", reporting.bets_page, sizes=(10, 100, 1_000)),
    Row("page of cycles, 8 sections each", "cycles of the board", reporting.cycles_page, sizes=(10, 100, 1_000)),
    Row(
        "versions of a document",
        "files of the document",
        papers.versions,
        DOCUMENT_VERSIONS,
        entry_bytes=710,
        sizes=(1, 10, 50),
    ),
    Row("agenda with 10 papers", "documents of the board", papers.agenda),
    Row("minutes", _MEMBERS, papers.minutes, MEMBERS_PER_BOARD, entry_bytes=400),
    Row("new pack of 10 papers", "documents of the board", papers.new_pack),
    Row(
        "minute book of a year",
        "approved minutes and carried resolutions of the year",
        minute_books.book_of_year,
        MINUTE_BOOK_ENTRIES,
        entry_bytes=2_600,
        sizes=(10, 100, 1_000),
    ),
    Row("minute book of a year with 24 entries", "years with as many", minute_books.book_among_years, sizes=_YEARS),
    Row("page of series", "series of the board", planning.series_page, SERIES_PER_BOARD, sizes=(1, 10, 50)),
    Row("series with what is next", _SINCE, planning.one_series, sizes=_YEARS),
    Row("occurrences of a year", _SINCE, planning.occurrences, sizes=_YEARS),
    Row("opening of an occurrence", _SINCE, planning.opening, sizes=_YEARS),
    Row("year of a work plan with 10 matters", "years with monthly meetings", planning.plan_year, sizes=_YEARS),
    Row("page of the backlog", "items that wait", planning.backlog_page, BACKLOG_ITEMS_PER_BOARD, sizes=(10, 100, 500)),
    Row(
        "page of paper requests",
        _REQUESTS,
        paper_requests.requests_page,
        PAPER_REQUESTS_PER_MEETING,
        entry_bytes=1_000,
        sizes=(10, 50, 100),
    ),
    Row("slot of a paper, by its link", _REQUESTS, paper_requests.slot, PAPER_REQUESTS_PER_MEETING, sizes=(9, 49, 99)),
    Row("new export", "documents of the board", papers.new_export),
)
