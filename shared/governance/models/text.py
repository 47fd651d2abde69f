"""The kinds of text in bodies and queries (ADR requests: lengths count code points, and nothing is trimmed)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from governance import instants
from governance.ids import ID_PATTERN, MembershipId, PersonId, UserId
from governance.limits import EMAIL_LENGTH, EMAIL_LOCAL_LENGTH, ORDER_MAGNITUDE, PAGE_MAX, REFERENCE

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?", re.ASCII)
_BLANK_FOR_PLUS = re.compile(r" \d\d:\d\d$", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_INTEGER = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)


def not_blank(text: str) -> str:
    """Returns the text. Raises `ValueError` for white space alone."""
    if not text.strip():
        raise ValueError("must not be only white space")
    return text


def no_reordering(text: str) -> str:
    """Returns the text. Raises `ValueError` for characters by which a name or title shows in another order than it has.

    Letters have a direction of their own: Arabic and Hebrew need none of these.
    """
    if _REORDERING.search(text):
        raise ValueError("must not contain characters that change the direction of text, such as U+202E")
    return text


def no_controls(text: str) -> str:
    """Returns the text. Raises `ValueError` for C0, DEL and C1 characters, newline and tab included, and reordering."""
    if _CONTROL.search(text):
        raise ValueError("must not contain control characters such as a newline or a tab")
    return no_reordering(text)


def no_controls_but_breaks(text: str) -> str:
    """Returns the text. Raises `ValueError` for control characters other than a newline or a tab."""
    if _CONTROL.search(text.replace("\n", "").replace("\t", "")):
        raise ValueError("must not contain control characters other than newlines and tabs")
    return text


def email(text: str) -> str:
    """Returns an e-mail address, trimmed and in lower case. Raises `ValueError` for any other text.

    It must be a dot-atom of at most 64 characters at an ASCII domain with a dot.
    """
    address = text.strip(" \t")
    local, at, domain = address.rpartition("@")
    labels = domain.split(".")
    if not at or len(address) > EMAIL_LENGTH or len(local) > EMAIL_LOCAL_LENGTH or not _LOCAL.fullmatch(local):
        raise ValueError("must be an e-mail address such as ann@example.com")
    if len(labels) < 2 or not all(_LABEL.fullmatch(label) for label in labels) or labels[-1].isdigit():
        raise ValueError("must be an e-mail address with a valid domain; write an international domain in punycode")
    return address.lower()


def query_instant(text: str) -> instants.Instant:
    """Returns the instant of a query parameter. Raises `ValueError`, with a hint if a `+` arrived as a blank."""
    if _BLANK_FOR_PLUS.search(text):
        raise ValueError("must send the `+` of its offset as `%2B`: in a query, `+` means a space")
    return instants.parse(text)


def calendar_date(value: str) -> str:
    """Returns a date as YYYY-MM-DD. Raises `ValueError` for any other text and for a day that does not exist."""
    try:
        if _DATE.fullmatch(value) is None:
            raise ValueError
        date.fromisoformat(value)
    except ValueError:
        raise ValueError("must be an existing date such as 2027-03-31") from None
    return value


def query_integer(most: int) -> Callable[[object], int]:
    """Returns the parser of a query parameter that raises `ValueError` unless it is an integer from 1 to `most`."""

    def parse(text: object) -> int:
        if isinstance(text, int):
            return text
        if isinstance(text, str) and _INTEGER.fullmatch(text) and int(text) <= most:
            return int(text)
        raise ValueError(f"must be an integer from 1 to {most}")

    return parse


def check_order(value: object) -> object:
    """Returns a sort order. Raises `ValueError` if it is not a number, or too large to be exact."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    if abs(value) > ORDER_MAGNITUDE:
        raise ValueError(f"must be from -{ORDER_MAGNITUDE} to {ORDER_MAGNITUDE}")
    return value


def has_repeats(value: object) -> bool:
    """Returns whether a JSON value is an array in which a text occurs twice."""
    texts = [part for part in value if isinstance(part, str)] if isinstance(value, list) else []
    return len(set(texts)) < len(texts)


def once_each(ids: list[str]) -> list[str]:
    """Returns the ids without repeats, in the same order."""
    return list(dict.fromkeys(ids))


ID_FORM = StringConstraints(pattern=ID_PATTERN)
"""The form of every id of ours. Whether it names something that the caller knows is judged when it is looked up."""
NamedId = Annotated[str, ID_FORM]
NamedUserId = Annotated[UserId, ID_FORM]
NamedMembershipId = Annotated[MembershipId, ID_FORM]
NamedPersonId = Annotated[PersonId, ID_FORM]
NotBlank = AfterValidator(not_blank)
NoReordering = AfterValidator(no_reordering)
NoControls = AfterValidator(no_controls)
NoControlsButBreaks = AfterValidator(no_controls_but_breaks)
Email = Annotated[str, AfterValidator(email), Field(json_schema_extra={"format": "email", "maxLength": EMAIL_LENGTH})]
CalendarDate = Annotated[str, AfterValidator(calendar_date)]
ParsedInstant = Annotated[instants.Instant, AfterValidator(instants.parse)]
QueryInstant = Annotated[instants.Instant, AfterValidator(query_instant)]
BoundedNumber = Annotated[
    int | float,
    BeforeValidator(check_order),
    Field(json_schema_extra={"minimum": -ORDER_MAGNITUDE, "maximum": ORDER_MAGNITUDE}),
]
PageLimit = Annotated[int, Field(ge=1, le=PAGE_MAX), BeforeValidator(query_integer(PAGE_MAX))]
SortOrder = Literal["asc", "desc"]
"""Ascending (`asc`) or descending (`desc`)."""


def text(minimum: int, maximum: int) -> StringConstraints:
    """Returns the constraint on a text's length, in code points."""
    return StringConstraints(min_length=minimum, max_length=maximum)


Reference = Annotated[str, text(1, REFERENCE), NoControls]
"""An id or a type that another system gave."""
