"""Writes the module `lib/service.js` of the pages: numbers, file types and KPIs that the OpenAPI document lacks."""

from __future__ import annotations

import json
from typing import Any

from governance.limits import GUEST_LINK_DAYS
from governance.models.catalog import kpis
from governance.models.documents.document_version import EXTENSIONS, SHOWN_INLINE
from governance.models.reports.cycle import DEFAULT_REMINDERS

NAME = "lib/service.js"


def _kpis_of(value_type: str) -> list[str]:
    return sorted(rogue_id for rogue_id, kpi in kpis().items() if kpi.value_type == value_type)


_CONSTANTS: dict[str, Any] = {
    "GUEST_LINK_DAYS": GUEST_LINK_DAYS,
    "DEFAULT_REMINDERS": DEFAULT_REMINDERS,
    "EXTENSIONS": EXTENSIONS,
    "SHOWN_INLINE": sorted(SHOWN_INLINE),
    "PERCENT_KPIS": _kpis_of("percent"),
    "CURRENCY_KPIS": _kpis_of("currency"),
}


def service_module() -> bytes:
    """Returns the module, with a constant for each value under its name in the service."""
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in _CONSTANTS.items()).encode()
