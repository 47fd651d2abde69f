"""The minute book: what a board approved and decided in a year, by number (an extension of the API, ADR minutes)."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import ApiObject, Query, Resource, Stored
from governance.models.text import query_integer

BookKind = Literal["minutes", "resolution"]
"""Approved minutes of a meeting, or a carried resolution. Each kind has numbers of its own."""
_LAST_COUNT = 999_999


class MinuteBookFields(Resource):
    """The fields of an entry that are stored as clients see them."""

    number: str
    """Number of the entry: the year, and its count among the minutes or the resolutions of that year."""
    kind: BookKind
    """Whether these are the minutes of a meeting or a resolution."""
    id: str
    """Identifier of the meeting whose minutes these are, or of the resolution."""
    version: int | None
    """Number of the version of the minutes that was approved. Null for a resolution."""
    title: str
    """Title of the meeting at the approval, or of the resolution."""
    held_at: Instant | None
    """When the meeting started. Null for a meeting without a start and for a resolution."""
    approved_at: Instant
    """When the minutes were approved, or when the resolution was closed."""
    sha256: str
    """SHA-256, in hexadecimal digits, of the approved version or of the certificate of the resolution."""


class MinuteBookEntry(MinuteBookFields):
    """An entry of the minute book."""

    log_index: int | None
    """Number of the entry in the log that holds this hash. Null until it is logged."""
    superseded_by: str | None
    """Number of the entry that took the place of this one. Null without one."""


class MinuteBook(ApiObject):
    """The approved minutes and the carried resolutions of a board in a year."""

    object: Literal["minute_book"] = "minute_book"
    board_id: BoardId
    year: str
    """The year, in UTC, that the numbers begin with."""
    entries: tuple[MinuteBookEntry, ...]
    """The entries that you may read by their counts, minutes before a resolution of the same count, at most
    $MINUTE_BOOK_ENTRIES in a response. Minutes that were corrected stay and name their successor. Numbers of
    resolutions that were not carried, or that a committee keeps to itself, are missing.
    """
    next_count: int | None
    """The `fromCount` of the next request. Null if no entry follows."""


class MinuteBookQuery(Query):
    """Where in the year to begin."""

    from_count: Annotated[int, Field(ge=1, le=_LAST_COUNT), BeforeValidator(query_integer(_LAST_COUNT))] = 1
    """Only entries whose number ends in this count or a higher one."""


class StoredBookEntry(MinuteBookFields, Stored):
    """An entry as it is stored; `event_id` is that of the event whose entry in the log holds the hash, if known."""

    board_id: BoardId
    committee_id: str | None = None
    event_id: str | None = None
    superseded_by: str | None = None
