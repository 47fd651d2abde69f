"""Everything that one run of the benchmark measured."""

from __future__ import annotations

from dataclasses import dataclass, field

from infra.bench.cold import Start
from infra.bench.servers import Rate
from infra.bench.warm import Capacity, Times

OURS, FLOOR, FASTAPI, POWERTOOLS = "ours", "floor", "FastAPI+Mangum", "Powertools guide"
POWERTOOLS_COMPILED = "Powertools guide + byte code"
WARM = (OURS, FLOOR, FASTAPI, POWERTOOLS)
"""The contestants of the warm measurements: byte code makes no difference to a warm request."""


@dataclass
class Results:
    """Measurements by contestant; `live`, `canned` and `capacity` also by case (`scenario.case`)."""

    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    cold: dict[str, list[Start]] = field(default_factory=dict)
    resident: dict[str, int] = field(default_factory=dict)
    live: dict[tuple[str, str], Times] = field(default_factory=dict)
    canned: dict[tuple[str, str], Times] = field(default_factory=dict)
    capacity: dict[tuple[str, str], Capacity] = field(default_factory=dict)
    growth: dict[int, tuple[Capacity, float]] = field(default_factory=dict)
    instructions: dict[str, dict[str, int]] = field(default_factory=dict)
    rates: dict[str, list[Rate]] = field(default_factory=dict)
