"""Cold starts in the real Lambda runtime: the emulator and the runtime client that AWS publishes, no container."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.bench.packages import Contestant
from infra.local import runtime

_REPORT = re.compile(r"INIT REPORT\(durationMs: ([\d.]+)\)")
_MEGABYTES, _SECONDS = 1024, 30


@dataclass(frozen=True)
class Start:
    """Milliseconds of one cold start: until the handler is ready, and until the first response."""

    credential: str
    init: float
    first_response: float


def start(contestant: Contestant, environment: Mapping[str, str], credential: str, event: Mapping[str, Any]) -> Start:
    """Starts a new execution environment and sends it one event with this kind of credential.

    Raises `RuntimeError` if the response is no success.
    """
    given = runtime.environment(contestant.meetings, environment, memory=_MEGABYTES, timeout=_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        function = runtime.Function(contestant.meetings, given | {"PYTHONPATH": contestant.path}, log)
        try:
            function.start()
            started = time.perf_counter()
            response = function(event, None)
            first = (time.perf_counter() - started) * 1000
        finally:
            function.stop()
        text = log.read_text(encoding="utf-8")
    found = _REPORT.search(text)
    if response.get("statusCode") != 200 or found is None:
        raise RuntimeError(f"{contestant.name} did not start: {response} {text[-2000:]}")
    return Start(credential, float(found[1]), first)
