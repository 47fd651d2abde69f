"""Which KPI identifiers exist: the ids of the released catalog."""

from functools import cache
from pathlib import Path

_RELEASED_IDS = Path(__file__).parent / "catalog_ids.txt"


@cache
def _released() -> frozenset[str]:
    return frozenset(_RELEASED_IDS.read_text(encoding="ascii").split())


def is_known(rogue_id: str) -> bool:
    """Whether the released catalog has a record of this id (`domain.slug`); deprecated ones count."""
    return rogue_id in _released()
