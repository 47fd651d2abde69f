"""Writes the module `lib/kpis.js` of the pages: what reports say of the catalog's KPIs without asking the catalog."""

from __future__ import annotations

import json
from functools import cache

from governance.models.catalog.catalog import kpis
from infra.catalog import releases

NAME = "lib/kpis.js"


@cache
def kpis_module() -> bytes:
    """Returns the module: the ids of KPIs in percent and in currencies, and the formulas whose inputs are all KPIs."""
    constants = {
        "PERCENT_KPIS": _of_type("percent"),
        "CURRENCY_KPIS": _of_type("currency"),
        "FORMULAS": _formulas(),
    }
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in constants.items()).encode()


def _of_type(value_type: str) -> list[str]:
    return sorted(rogue_id for rogue_id, kpi in kpis().items() if kpi.value_type == value_type)


def _formulas() -> dict[str, str]:
    formulas = {rogue_id: record["formula"] for rogue_id, record in releases.load()[0].kpis.items()}
    return {
        rogue_id: formula["expression"]
        for rogue_id, formula in formulas.items()
        if formula and all(input_["rogueId"] for input_ in formula["inputs"])
    }
