"""The ids of the KPIs in the released catalog."""

from functools import cache
from pathlib import Path

_RELEASED_IDS = Path(__file__).parent / "catalog_ids.txt"


@cache
def _released() -> frozenset[str]:
    return frozenset(_RELEASED_IDS.read_text(encoding="ascii").split())


def is_known(rogue_id: str) -> bool:
    """Returns whether the released catalog has a KPI with this id (`domain.slug`), deprecated ones included."""
    return rogue_id in _released()


def known_kpi(rogue_id: str) -> str:
    """Returns the id of a KPI. Raises `ValueError` for one that the released catalog does not have."""
    if not is_known(rogue_id):
        raise ValueError("must be the id of a KPI of the released catalog")
    return rogue_id
