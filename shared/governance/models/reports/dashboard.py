"""Dashboards and their payload (the API specification, section 2.8)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, ValidationInfo, field_validator

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import (
    DASHBOARD_FIELDS,
    DASHBOARD_TITLE,
    FIELD_ID,
    FIELD_LABEL,
    SECTION_NAME,
)
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.catalog.catalog import known_kpi
from governance.models.numbers import kept_as_written
from governance.models.page import ListQuery
from governance.models.text import (
    BoundedNumber,
    CalendarDate,
    NoControls,
    NoControlsButBreaks,
    NoReordering,
    NotBlank,
    Reference,
    has_repeats,
    text,
)

DashboardType = Literal["uniform", "historicalFundraising"]
"""An ordinary dashboard (`uniform`) or a history of fundraising rounds (`historicalFundraising`)."""
ReviewStatus = Literal["working", "ready_for_review", "changes_requested", "internally_reviewed"]
"""Status of a dashboard's review."""
WidgetType = Literal["number", "currency", "percent", "text", "table", "chart"]
"""The kinds of display of a figure."""
WidgetOptions = dict[str, JsonValue]
"""Options of a display. The clients that show dashboards define their meaning."""


class Widget(Resource):
    """How a figure is displayed."""

    type: WidgetType
    """The kind of display."""
    options: WidgetOptions
    """Options of the display, which the service stores unchanged."""


class DashboardField(Resource):
    """One figure of a dashboard."""

    field_id: str
    """Identifier of the figure, unique within the dashboard."""
    rogue_id: str | None = None
    """Identifier of the KPI definition in the catalog (`domain.slug`), or null."""
    is_stub: bool
    """Whether the figure is a placeholder without a value yet."""
    label: str
    """Name to show for the figure."""
    display_order: int | float
    """Position of the figure; lower numbers come first."""
    value: JsonValue = None
    """The figure itself, any JSON value or null. A chart or table expects the shape described in the overview."""
    widget: Widget | None = None
    """How to display the figure; null leaves it to the client."""


class UniformHead(Stored):
    """The small parts of a dashboard's `uniform`, which are stored with the dashboard itself."""

    source_section_name: str
    is_ad_hoc: bool
    review_status: ReviewStatus
    data_anchor_date: str | None


class StoredWidget(Widget, Stored):
    """A widget as it is stored."""


class StoredField(DashboardField, Stored):
    """A field as it is stored."""

    widget: StoredWidget | None = None


class UniformPayload(Resource):
    """The large parts of a dashboard's `uniform`, which are stored as a JSON text in an item of their own.

    A release that adds an attribute adds it to the head or to a figure's field: each change writes these two anew.
    """

    narrative: str | None
    fields: tuple[StoredField, ...]


class Uniform(Resource):
    """The figures of an ordinary dashboard, and their review."""

    source_section_name: str = ""
    """Name of the section in the source of the figures."""
    is_ad_hoc: bool = False
    """Whether the dashboard was made for one occasion."""
    review_status: ReviewStatus = "working"
    """Status of the dashboard's review."""
    narrative: str | None = None
    """Text that explains the figures, or null."""
    data_anchor_date: str | None = None
    """The day that the figures refer to, as `YYYY-MM-DD`, or null."""
    fields: tuple[DashboardField, ...] = ()
    """The figures. Show them in the order of their `displayOrder`."""


class DashboardFields(Resource):
    """The fields of a dashboard that its board sees, without `uniform`."""

    id: str
    board_id: BoardId
    report_id: str
    dashboard_type: DashboardType
    """The kind of dashboard. It never changes."""
    title: str | None
    """Title of the dashboard, or null."""
    latest_version_id: str | None
    """Identifier of the latest version in another system that the figures come from, or null."""
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant


class Dashboard(DashboardFields, ApiObject):
    """A dashboard of a report."""

    has_written_numbers = True

    object: Literal["dashboard"] = "dashboard"
    uniform: Uniform | None
    """The figures and their review; null on a dashboard of the type `historicalFundraising`."""


class StoredEditor(Stored):
    """The right of a member to edit a dashboard; it ends with the membership of this `join_id`."""

    user_id: UserId
    join_id: str
    granted_by_user_id: UserId
    granted_at: Instant


class StoredDashboard(DashboardFields, Stored):
    """A dashboard as it is stored, with the small parts of its `uniform` only.

    The others are a JSON text, the payload, in an item of its own. `payload_version` is the version at which it was
    written, 0 without a payload; `payload_bytes` is its size in a response. `creator_id` is the user who created the
    dashboard; None for a board token. `owner_id` is the user it was handed over to, in the membership of
    `owner_join_id`; None before that.
    """

    creator_id: UserId | None
    owner_id: UserId | None = None
    owner_join_id: str | None = None
    editors: tuple[StoredEditor, ...] = ()
    uniform: UniformHead | None
    payload_version: int = 0
    payload_bytes: int = 0
    version: int = 1


class WidgetBody(Body):
    """How a figure is to be displayed."""

    type: WidgetType
    options: WidgetOptions


class FieldBody(Body):
    """One figure of a dashboard."""

    field_id: Annotated[str, text(1, FIELD_ID), NoControls]
    """Identifier of the figure, unique within the dashboard."""
    rogue_id: Annotated[str, AfterValidator(known_kpi)] | None = None
    """Identifier of a KPI definition in the catalog (`domain.slug`), or null."""
    is_stub: bool
    """Whether the figure is a placeholder without a value yet."""
    label: Annotated[str, text(1, FIELD_LABEL), NoReordering]
    """Name to show for the figure."""
    display_order: BoundedNumber
    """Position of the figure, a number from -$ORDER_MAGNITUDE to $ORDER_MAGNITUDE; lower numbers come first."""
    value: Annotated[JsonValue, BeforeValidator(kept_as_written)] = None
    """The figure itself, any JSON value or null. A chart or table expects the shape described in the overview."""
    widget: WidgetBody | None = None
    """How to display the figure; null leaves it to the client."""


def repeated_fields(value: Mapping[str, Any]) -> dict[str, str]:
    """Returns the error of a dashboard's body in which two fields have the same `fieldId`."""
    uniform = value.get("uniform")
    fields = uniform.get("fields") if isinstance(uniform, dict) else None
    ids = [field.get("fieldId") for field in fields if isinstance(field, dict)] if isinstance(fields, list) else []
    return {"uniform.fields": "must not use a `fieldId` twice"} if has_repeats(ids) else {}


DashboardTitle = Annotated[str, text(1, DASHBOARD_TITLE), NotBlank, NoControlsButBreaks, NoReordering]
SectionName = Annotated[str, text(0, SECTION_NAME), NoReordering]
Fields = Annotated[list[FieldBody], Field(max_length=DASHBOARD_FIELDS)]


class UniformCreate(Body):
    """The figures of a new dashboard."""

    source_section_name: SectionName | None = None
    is_ad_hoc: bool | None = None
    review_status: Literal["working"] | None = None
    """Initial review status. Only `working` is possible."""
    narrative: str | None = None
    """Text that explains the figures."""
    data_anchor_date: CalendarDate | None = None
    """The day that the figures refer to, as `YYYY-MM-DD`."""
    fields: Fields | None = None
    """The figures. Each `fieldId` must be used once."""

    def given(self) -> dict[str, Any]:
        """Returns the fields that were given."""
        return self.model_dump(include=self.model_fields_set)


class UniformPatch(Patch):
    """The fields of the payload to change; at least one."""

    source_section_name: SectionName = ""
    is_ad_hoc: bool = False
    review_status: ReviewStatus = "working"
    """New review status. It must be allowed to follow the current one."""
    narrative: str | None = None
    data_anchor_date: CalendarDate | None = None
    fields: Fields = Field(default_factory=list)
    """The figures. The list replaces the current one."""

    def given(self) -> dict[str, Any]:
        """Returns the fields that were given."""
        return self.model_dump(include=self.model_fields_set)


class DashboardBody(Body):
    """The fields of a dashboard that a client sets; the payload differs between creation and change."""

    title: DashboardTitle | None = None
    """Title of the dashboard. It must not be blank or contain control characters other than newlines and tabs."""
    latest_version_id: Reference | None = None
    """Identifier of the latest version in another system that the figures come from."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of a `fieldId` that is used twice."""
        return repeated_fields(value)


class DashboardCreate(DashboardBody):
    """The dashboard to create."""

    dashboard_type: DashboardType
    """The kind of dashboard. It cannot be changed later."""
    uniform: UniformCreate | None = None
    """The figures. Only for the type `uniform`; left out or null means an empty dashboard."""

    @field_validator("uniform")
    @classmethod
    def _no_payload_of_history(cls, uniform: UniformCreate | None, info: ValidationInfo) -> UniformCreate | None:
        if uniform is not None and info.data.get("dashboard_type") == "historicalFundraising":
            raise ValueError("must be null for a dashboard of type `historicalFundraising`")
        return uniform


class DashboardPatch(DashboardBody, Patch):
    """The fields of the dashboard to change; at least one. Null clears a field that may be null."""

    uniform: UniformPatch | None = None
    """The fields of the payload to change. They are merged with the current ones."""


class DashboardsQuery(ListQuery):
    """The parameters of the list of dashboards."""

    sort: Literal["updatedAt"] = "updatedAt"
    """The date to sort by. Dashboards are sorted by their last change."""
    dashboard_type: DashboardType | None = None
    """Only dashboards of this type."""
