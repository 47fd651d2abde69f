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
    FIGURES_TEXT,
    SECTION_NAME,
)
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.catalog import known_kpi
from governance.models.numbers import kept_as_written
from governance.models.page import ListQuery
from governance.models.text import (
    BoundedNumber,
    CalendarDate,
    NoControls,
    NoControlsButBreaks,
    NotBlank,
    Reference,
    has_repeats,
    text,
)

DashboardType = Literal["uniform", "historicalFundraising"]
ReviewStatus = Literal["working", "ready_for_review", "changes_requested", "internally_reviewed"]
WidgetType = Literal["number", "currency", "percent", "text", "table", "chart"]
WidgetOptions = dict[str, JsonValue]
DecimalSeparator = Literal[".", ","]
DateOrder = Literal["dmy", "mdy"]


class Widget(Resource):
    """How a dashboard shows a figure."""

    type: WidgetType
    options: WidgetOptions


class DashboardField(Resource):
    """One figure of a dashboard; `rogue_id` names its definition in the catalog."""

    field_id: str
    rogue_id: str | None = None
    is_stub: bool
    label: str
    display_order: int | float
    value: JsonValue = None
    widget: Widget | None = None


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
    """The payload of a dashboard of type `uniform`."""

    source_section_name: str = ""
    is_ad_hoc: bool = False
    review_status: ReviewStatus = "working"
    narrative: str | None = None
    data_anchor_date: str | None = None
    fields: tuple[DashboardField, ...] = ()


class DashboardFields(Resource):
    """The fields of a dashboard that its board sees, without `uniform`."""

    id: str
    board_id: BoardId
    report_id: str
    dashboard_type: DashboardType
    title: str | None
    latest_version_id: str | None
    created_by_user_id: UserId
    created_at: Instant
    updated_at: Instant


class Dashboard(DashboardFields, ApiObject):
    """A dashboard as its board sees it; `uniform` is null for a fundraising history."""

    has_written_numbers = True

    object: Literal["dashboard"] = "dashboard"
    uniform: Uniform | None


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
    """How a dashboard is to show a figure."""

    type: WidgetType
    options: WidgetOptions


class FieldBody(Body):
    """One figure of a dashboard, given whole."""

    field_id: Annotated[str, text(1, FIELD_ID), NoControls]
    rogue_id: Annotated[str, AfterValidator(known_kpi)] | None = None
    is_stub: bool
    label: Annotated[str, text(1, FIELD_LABEL)]
    display_order: BoundedNumber
    value: Annotated[JsonValue, BeforeValidator(kept_as_written)] = None
    widget: WidgetBody | None = None


def repeated_fields(value: Mapping[str, Any]) -> dict[str, str]:
    """Returns the error of a dashboard's body in which two fields have the same `fieldId`."""
    uniform = value.get("uniform")
    fields = uniform.get("fields") if isinstance(uniform, dict) else None
    ids = [field.get("fieldId") for field in fields if isinstance(field, dict)] if isinstance(fields, list) else []
    return {"uniform.fields": "must not use a `fieldId` twice"} if has_repeats(ids) else {}


DashboardTitle = Annotated[str, text(1, DASHBOARD_TITLE), NotBlank, NoControlsButBreaks]
SectionName = Annotated[str, text(0, SECTION_NAME)]
Fields = Annotated[list[FieldBody], Field(max_length=DASHBOARD_FIELDS)]


class UniformCreate(Body):
    """The payload of a new dashboard; its review begins with `working`."""

    source_section_name: SectionName | None = None
    is_ad_hoc: bool | None = None
    review_status: Literal["working"] | None = None
    narrative: str | None = None
    data_anchor_date: CalendarDate | None = None
    fields: Fields | None = None

    def given(self) -> dict[str, Any]:
        """Returns the fields that were given; null counts as left out."""
        return self.model_dump(include={name for name in self.model_fields_set if getattr(self, name) is not None})


class UniformPatch(Patch):
    """The changes of a payload, merged key by key; `fields` replaces the whole list."""

    source_section_name: SectionName = ""
    is_ad_hoc: bool = False
    review_status: ReviewStatus = "working"
    narrative: str | None = None
    data_anchor_date: CalendarDate | None = None
    fields: Fields = Field(default_factory=list)

    def given(self) -> dict[str, Any]:
        """Returns the fields that were given."""
        return self.model_dump(include=self.model_fields_set)


class DashboardBody(Body):
    """The fields of a dashboard that a client sets; the payload differs between creation and change."""

    title: DashboardTitle | None = None
    latest_version_id: Reference | None = None

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of a `fieldId` that is used twice."""
        return repeated_fields(value)


class DashboardCreate(DashboardBody):
    """The body that creates a dashboard; without `uniform` its payload is empty."""

    dashboard_type: DashboardType
    uniform: UniformCreate | None = None

    @field_validator("uniform")
    @classmethod
    def _no_payload_of_history(cls, uniform: UniformCreate | None, info: ValidationInfo) -> UniformCreate | None:
        if uniform is not None and info.data.get("dashboard_type") == "historicalFundraising":
            raise ValueError("must be null for a dashboard of type `historicalFundraising`")
        return uniform


class DashboardPatch(DashboardBody, Patch):
    """The body that changes a dashboard; its type never changes."""

    uniform: UniformPatch | None = None


class DashboardFill(Body):
    """Figures from a spreadsheet, as its text, and what the text does not tell of how they are written."""

    csv: Annotated[str, text(1, FIGURES_TEXT)]
    decimal: DecimalSeparator | None = None
    date_order: DateOrder | None = None
    dry_run: bool | None = None


class DashboardsQuery(ListQuery):
    """The parameters of the list of dashboards."""

    sort: Literal["updatedAt"] = "updatedAt"
    dashboard_type: DashboardType | None = None
