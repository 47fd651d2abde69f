"""Reports (the API specification, section 2.7)."""

from typing import Annotated, Literal

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import REPORT_TITLE
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.page import ListQuery
from governance.models.text import NoControlsButBreaks, NotBlank, text

ReportStatus = Literal["draft", "published", "finalized"]


class ReportFields(Resource):
    """The fields of a report that its board sees."""

    id: str
    board_id: BoardId
    title: str
    status: ReportStatus = "draft"
    published_at: Instant | None = None
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant


class Report(ReportFields, ApiObject):
    """A report as its board sees it."""

    object: Literal["report"] = "report"


class StoredReport(ReportFields, Stored):
    """A report as it is stored."""

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
