"""Finds the KPI that a spreadsheet names: by its id, by its slug, or as people call it (ADR figures)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from governance.models.catalog.catalog import kpis

_NEAR = 3
_LEAST_SIMILARITY = 0.25
_SHOWN = 80
"""Characters of an unknown name that an error repeats; it repeats nothing else of what a client sent."""


@cache
def _ids_by_name() -> Mapping[str, frozenset[str]]:
    """Returns the ids of the KPIs that have a name, by the name."""
    ids_by_name: dict[str, set[str]] = {}
    for rogue_id, kpi in kpis().items():
        for name in (rogue_id, rogue_id.partition(".")[2], kpi.label, *kpi.aliases):
            ids_by_name.setdefault(_plain(name), set()).add(rogue_id)
    return {name: frozenset(ids) for name, ids in ids_by_name.items()}


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def find(name: str) -> str:
    """Returns the id of the KPI with this name. Raises `ValueError`, which names up to three, for none or several."""
    ids = _ids_by_name().get(_plain(name), frozenset())
    if len(ids) == 1:
        return next(iter(ids))
    shown = name[:_SHOWN]
    if ids:
        raise ValueError(f"`{shown}` is the name of several KPIs; write the id of one: {_listed(sorted(ids)[:_NEAR])}")
    near = _near(_plain(shown))
    hint = f"; similar ones: {_listed(near)}" if near else ""
    raise ValueError(f"`{shown}` is neither the id nor a name of a KPI of the released catalog{hint}")


def _listed(ids: list[str]) -> str:
    return ", ".join(f"`{rogue_id}`" for rogue_id in ids)


def _near(name: str) -> list[str]:
    """Returns the ids of the KPIs whose names are most similar, the most similar first."""
    own, best = _trigrams(name), dict[str, float]()
    for known, trigrams in _known_trigrams().items():
        similarity = len(own & trigrams) / len(own | trigrams)
        for rogue_id in _ids_by_name()[known] if similarity >= _LEAST_SIMILARITY else ():
            best[rogue_id] = max(best.get(rogue_id, 0), similarity)
    return sorted(best, key=lambda id_: (-best[id_], id_))[:_NEAR]


@cache
def _known_trigrams() -> Mapping[str, frozenset[str]]:
    return {name: _trigrams(name) for name in _ids_by_name()}


def _trigrams(name: str) -> frozenset[str]:
    padded = f"  {name} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))
