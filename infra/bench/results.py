"""Everything that one run of the benchmark measured."""

from __future__ import annotations

from dataclasses import dataclass, field

from infra.bench.warm import Capacity, Times


@dataclass
class Results:
    """Measurements by the contestant's name; `live` and `capacity` also by case (`scenario.case`).

    `cold` are milliseconds of INIT; `page_units` read units of a page on boards from small to large; `rates` requests
    per second of the two servers, ours first.
    """

    cold: dict[str, list[float]] = field(default_factory=dict)
    live: dict[tuple[str, str], Times] = field(default_factory=dict)
    capacity: dict[tuple[str, str], Capacity] = field(default_factory=dict)
    page_units: list[float] = field(default_factory=list)
    rates: dict[str, list[float]] = field(default_factory=dict)
