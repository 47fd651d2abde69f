"""The table of cases that the three programs which count a resolution agree on: `count_cases.json`.

They are `domain/resolutions/count.py`, `infra/verify/certificate.py` and `lib/resolutions.js` of the pages.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("count_cases.json").read_text(encoding="utf-8"))
