"""The catalog as the MCP endpoint reads it: a file beside its function."""

from __future__ import annotations

import json
from pathlib import Path

from infra.catalog import releases

FILE = Path(__file__).resolve().parents[2] / "functions/mcp/catalog.json"


def text() -> str:
    """Returns the newest release of the catalog, a record a line."""
    newest = releases.load()[0].kpis.values()
    return "[\n" + ",\n".join(json.dumps(record, ensure_ascii=False) for record in newest) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
