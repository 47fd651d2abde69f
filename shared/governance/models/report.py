"""Reports (the API specification, section 2.7)."""

from __future__ import annotations

from typing import Annotated, Literal

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import REPORT_TITLE
from governance.models.base import Body, Patch, Resource
from governance.models.page import ListQuery
from governance.models.text import NoControlsButBreaks, NotBlank, text

ReportStatus = Literal["draft", "published", "finalized"]


class Report(Resource):
    """A report as its board sees it."""

    object: Literal["report"] = "report"
    id: str
    board_id: str
    title: str
    status: ReportStatus
    published_at: str | None
    created_by_user_id: str
    created_at: str
    updated_at: str


class StoredReport(Resource):
    """A report as it is stored."""

    id: str
    board_id: BoardId
    title: str
    status: ReportStatus = "draft"
    published_at: Instant | None = None
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant
    version: int = 1


ReportTitle = Annotated[str, text(1, REPORT_TITLE), NotBlank, NoControlsButBreaks]


class ReportCreate(Body):
    """The body that creates a report, which begins as a draft."""

    title: ReportTitle
    status: Literal["draft"] | None = None


class ReportPatch(Patch):
    """The body that changes a report."""

    title: ReportTitle = ""
    status: ReportStatus = "draft"


class ReportsQuery(ListQuery):
    """The parameters of the list of reports."""

    sort: Literal["updatedAt"] = "updatedAt"
    status: ReportStatus | None = None
