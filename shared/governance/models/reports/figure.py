"""Figures of published reports, stored apart so that the newest one of a KPI is found at once (ADR figures)."""

from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import Stored


class StoredFigure(Stored):
    """A number that a dashboard of a published report states of a KPI, as a JSON text: the store has no floats.

    `payload_version` is that of the dashboard when it was read; for another version, the row is void.
    """

    board_id: BoardId
    report_id: str
    dashboard_id: str
    field_id: str
    rogue_id: str
    value: str
    data_anchor_date: str | None
    published_at: Instant
    payload_version: int
