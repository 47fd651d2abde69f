"""The KPIs of the released catalog: their ids, labels, value types and other names."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

_RELEASED = Path(__file__).parent / "catalog_kpis.txt"


class KnownKpi(NamedTuple):
    """A KPI of the released catalog, as functions know it."""

    label: str
    value_type: str
    aliases: tuple[str, ...]


@cache
def kpis() -> Mapping[str, KnownKpi]:
    """Returns the KPIs of the released catalog by their ids (`domain.slug`), deprecated ones included."""
    lines = (line.split("\t") for line in _RELEASED.read_text(encoding="utf-8").splitlines())
    return {rogue_id: KnownKpi(label, value_type, tuple(aliases)) for rogue_id, label, value_type, *aliases in lines}


def known_kpi(rogue_id: str) -> str:
    """Returns the id of a KPI. Raises `ValueError` for one that the released catalog does not have."""
    if rogue_id not in kpis():
        raise ValueError("must be the id of a KPI of the released catalog")
    return rogue_id
