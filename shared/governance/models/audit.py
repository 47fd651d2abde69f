"""What is asked of the audit log and of the feed of events."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from governance.ids import is_id
from governance.models.base import LegacyQuery
from governance.models.page import CursorQuery, PageQuery
from governance.models.text import PageLimit


def _event_id(text: str) -> str:
    if not is_id(text):
        raise ValueError("must be the id of an event")
    return text


class AuditQuery(CursorQuery, LegacyQuery):
    """The audit log is answered whole, as far as an answer goes, unless a `limit` is given."""

    limit: PageLimit | None = Field(default=None, description="At most so many entries.")


class EventsQuery(PageQuery):
    """A page of the feed."""

    after: Annotated[str, AfterValidator(_event_id)] | None = Field(
        default=None, description="Only events behind this one: the id of the last event that was pulled before."
    )
