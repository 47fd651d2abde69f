"""The kinds of text that bodies and queries take (ADR 0005: lengths count code points; nothing is trimmed)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from governance import instants
from governance.limits import EMAIL_LENGTH, EMAIL_LOCAL_LENGTH, PAGE_MAX

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?", re.ASCII)
_INTEGER = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)


def not_blank(text: str) -> str:
    """White space alone is no name."""
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def no_controls(text: str) -> str:
    """C0, DEL and C1 are refused, newline and tab included."""
    if _CONTROL.search(text):
        raise ValueError("must not hold control characters")
    return text


def email(text: str) -> str:
    """An address, trimmed and in lower case: a dot-atom of at most 64 characters at an ASCII domain with a dot."""
    address = text.strip(" \t")
    local, at, domain = address.rpartition("@")
    labels = domain.split(".")
    if not at or len(address) > EMAIL_LENGTH or len(local) > EMAIL_LOCAL_LENGTH or not _LOCAL.fullmatch(local):
        raise ValueError("must be an e-mail address")
    if len(labels) < 2 or not all(_LABEL.fullmatch(label) for label in labels) or labels[-1].isdigit():
        raise ValueError("must be an e-mail address (an international domain in punycode)")
    return address.lower()


def page_limit(text: object) -> int:
    """A page size as a query parameter spells it."""
    if isinstance(text, int):
        return text
    if isinstance(text, str) and _INTEGER.fullmatch(text) and int(text) <= PAGE_MAX:
        return int(text)
    raise ValueError(f"must be an integer from 1 to {PAGE_MAX}")


NotBlank = AfterValidator(not_blank)
NoControls = AfterValidator(no_controls)
Email = Annotated[str, AfterValidator(email), Field(json_schema_extra={"format": "email"})]
Instant = Annotated[str, AfterValidator(instants.parse)]
PageLimit = Annotated[int, Field(ge=1, le=PAGE_MAX), BeforeValidator(page_limit)]
Order = Literal["asc", "desc"]


def text(minimum: int, maximum: int) -> StringConstraints:
    """A length in code points."""
    return StringConstraints(min_length=minimum, max_length=maximum)
