"""The list prices that measurements and the bill are computed with; `prices.json` has their date and sources."""

from __future__ import annotations

import json
from pathlib import Path

_PRICES = json.loads(Path(__file__).with_name("prices.json").read_text(encoding="utf-8"))
DOLLARS: dict[str, float] = _PRICES["dollars"]


def to_readers(gigabytes: float) -> float:
    """Returns the dollars of a month in which the CDN sends so many gigabytes: each tier has its price."""
    total, above = 0.0, 0.0
    for tier in _PRICES["GB to readers"]:
        below = gigabytes if tier["below"] is None else min(gigabytes, tier["below"])
        total += max(0.0, below - above) * tier["dollars"]
        above = below
    return total
