"""Writes the module `lib/formulas.js` of the pages: the formulas whose inputs are all KPIs of the catalog's release."""

from __future__ import annotations

import json
from functools import cache

from infra.catalog import releases

NAME = "lib/formulas.js"


@cache
def formulas_module() -> bytes:
    """Returns the module: `FORMULAS` has the expression of each KPI by its id."""
    formulas = {rogue_id: record["formula"] for rogue_id, record in releases.load()[0].kpis.items()}
    expressions = {
        rogue_id: formula["expression"]
        for rogue_id, formula in formulas.items()
        if formula and all(each["rogueId"] for each in formula["inputs"])
    }
    return f"export const FORMULAS = {json.dumps(expressions)};\n".encode()
