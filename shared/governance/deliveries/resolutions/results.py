"""Records the result of a resolution whose time is over (ADR resolutions)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance.errors import suppress_not_found
from governance.ids import BoardId
from governance.queue.message import Message
from governance.usecases.resolutions.closing import record_by_clock


def record_result(body: Mapping[str, Any]) -> Iterable[Message]:
    """Records what the ballots have decided; nothing for a resolution that was closed or withdrawn before."""
    with suppress_not_found():  # the board was just deleted
        record_by_clock(BoardId(body["boardId"]), body["resolutionId"])
    return []
