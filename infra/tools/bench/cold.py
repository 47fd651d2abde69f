"""Cold starts in the real Lambda runtime: the emulator and the runtime client that AWS publishes, no container."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infra.local import runtime
from infra.tools.bench.contestants import Contestant

_REPORT = re.compile(r"INIT REPORT\(durationMs: ([\d.]+)\)")
_MEGABYTES, _SECONDS = 1024, 30


def start(contestant: Contestant, environment: Mapping[str, str], event: Mapping[str, Any]) -> float:
    """Returns the milliseconds of INIT of a new execution environment, which then answers the event.

    Raises `RuntimeError` if the response is not a success.
    """
    given = runtime.environment(contestant.folder, environment, memory=_MEGABYTES, timeout=_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        function = runtime.Function(contestant.folder, given | {"PYTHONPATH": contestant.path}, log)
        try:
            response = function(event, None)
        finally:
            function.stop()
        text = log.read_text(encoding="utf-8")
    report = _REPORT.search(text)
    if response.get("statusCode") != 200 or report is None:
        raise RuntimeError(f"{contestant.name} did not start: {response} {text[-2000:]}")
    return float(report[1])
