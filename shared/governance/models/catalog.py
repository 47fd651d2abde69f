"""The KPIs of the released catalog: their ids and labels."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

_RELEASED = Path(__file__).parent / "catalog_kpis.txt"


@cache
def labels() -> Mapping[str, str]:
    """Returns the label of each KPI of the released catalog by its id (`domain.slug`), deprecated ones included."""
    lines = _RELEASED.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


def known_kpi(rogue_id: str) -> str:
    """Returns the id of a KPI. Raises `ValueError` for one that the released catalog does not have."""
    if rogue_id not in labels():
        raise ValueError("must be the id of a KPI of the released catalog")
    return rogue_id
