"""Writes the module `lib/service.js` of the pages: numbers and file types that the OpenAPI document lacks."""

from __future__ import annotations

import json
from typing import Any

from governance.limits import GUEST_LINK_DAYS
from governance.models.documents.document_version import ENDING, EXTENSIONS, SHOWN_INLINE
from governance.models.reports.cycle import DEFAULT_REMINDERS

NAME = "lib/service.js"
_CONSTANTS: dict[str, Any] = {
    "GUEST_LINK_DAYS": GUEST_LINK_DAYS,
    "DEFAULT_REMINDERS": DEFAULT_REMINDERS,
    "ENDING": ENDING,
    "EXTENSIONS": EXTENSIONS,
    "SHOWN_INLINE": sorted(SHOWN_INLINE),
}


def service_module() -> bytes:
    """Returns the module, with a constant for each value under its name in the service."""
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in _CONSTANTS.items()).encode()
