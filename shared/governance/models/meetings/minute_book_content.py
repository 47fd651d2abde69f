"""What the document of a minute book is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from governance.instants import Instant
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.models.meetings.minute_book import BookKind, MinuteBook
from governance.models.resolutions.certificate_content import CertificateContent
from governance.texts import Language


@dataclass(frozen=True)
class NumberGap:
    """Numbers that the book has no entry for, from the `first` to the `last`, before one that was given at `until`."""

    kind: BookKind
    first: str
    last: str
    until: Instant


@dataclass(frozen=True)
class UnapprovedMeeting:
    """A meeting of the year whose minutes are not approved."""

    title: str
    start_time: Instant


@dataclass(frozen=True)
class MinuteBookContent:
    """The book of a year with what stands under its numbers, and what is missing in it.

    `minutes` and `resolutions` are by number. Times are told in `timezone`, those of a meeting in its own.
    """

    board: str
    book: MinuteBook
    minutes: Mapping[str, ApprovedMinutes]
    resolutions: Mapping[str, CertificateContent]
    gaps: tuple[NumberGap, ...]
    unapproved: tuple[UnapprovedMeeting, ...]
    timezone: str
    language: Language
