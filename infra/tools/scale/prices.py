"""The list prices that measurements and the bill are computed with; `prices.json` has their date and sources."""

from __future__ import annotations

import json
from pathlib import Path

DOLLARS: dict[str, float] = json.loads(Path(__file__).with_name("prices.json").read_text(encoding="utf-8"))["dollars"]
