"""Reports (the API specification, section 2.7)."""

from typing import Annotated, Literal

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import REPORT_TITLE
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.page import ListQuery
from governance.models.text import NoControlsButBreaks, NoReordering, NotBlank, text

ReportStatus = Literal["draft", "published", "finalized"]
"""Status of a report. A `finalized` report and its dashboards can no longer be changed."""


class ReportFields(Resource):
    """The fields of a report that its board sees."""

    id: str
    board_id: BoardId
    title: str
    """Title of the report."""
    status: ReportStatus = "draft"
    """Status of the report."""
    published_at: Instant | None = None
    """When the report was published; null while it is a draft."""
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant


class Report(ReportFields, ApiObject):
    """A report to the board. Its figures are in its dashboards."""

    object: Literal["report"] = "report"


class StoredReport(ReportFields, Stored):
    """A report as it is stored."""

    version: int = 1


ReportTitle = Annotated[str, text(1, REPORT_TITLE), NotBlank, NoControlsButBreaks, NoReordering]


class ReportCreate(Body):
    """The report to create."""

    title: ReportTitle
    """Title of the report. It must not be blank or contain control characters other than newlines and tabs."""
    status: Literal["draft"] | None = None
    """Initial status. Only `draft` is possible."""


class ReportPatch(Patch):
    """The fields of the report to change; at least one."""

    title: ReportTitle = ""
    status: ReportStatus = "draft"
    """New status. `published` may follow `draft`; `draft` and `finalized` may follow `published`."""


class ReportsQuery(ListQuery):
    """The parameters of the list of reports."""

    sort: Literal["updatedAt"] = "updatedAt"
    """The date to sort by. Reports are sorted by their last change."""
    status: ReportStatus | None = None
    """Only reports with this status."""
