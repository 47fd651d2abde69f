"""The resources: the definitions of the KPI catalog, one resource each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

SCHEME = "kpi://"
MEDIA_TYPE = "application/json"
TEMPLATE = {
    "uriTemplate": f"{SCHEME}{{rogueId}}",
    "name": "kpi",
    "title": "KPI definition",
    "description": "The definition of a KPI by its id, which fields of dashboards name as `rogueId`.",
    "mimeType": MEDIA_TYPE,
}


class Catalog:
    """The records of one release of the catalog, by id."""

    def __init__(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        self._records = records

    def resources(self) -> list[dict[str, str]]:
        """Returns the description of each resource for clients."""
        return [
            {
                "uri": f"{SCHEME}{record_id}",
                "name": record_id,
                "title": str(record["label"]),
                "description": str(record["description"]),
                "mimeType": MEDIA_TYPE,
            }
            for record_id, record in self._records.items()
        ]

    def read(self, uri: object) -> dict[str, str] | None:
        """Returns the record of a URI, as JSON text; None if there is none."""
        if not isinstance(uri, str) or not uri.startswith(SCHEME):
            return None
        record = self._records.get(uri.removeprefix(SCHEME))
        if record is None:
            return None
        return {"uri": uri, "mimeType": MEDIA_TYPE, "text": json.dumps(record, ensure_ascii=False)}


def parse(text: str) -> Catalog:
    """Returns the catalog of a file."""
    return Catalog({record["rogueId"]: record for record in json.loads(text)})
