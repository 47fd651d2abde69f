"""A walk through the demo by curl: a meeting that gets decided, in the lines that `make run` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DONE = '{"status":"completed"}'
_JSON = "-H 'Content-Type: application/json'"


def lines(root: str, demo: Mapping[str, Any]) -> list[str]:
    """Commands that work as they stand, one after the other; none where the demo has no such meeting."""
    walk = demo.get("walk")
    if not walk:
        return []
    first, second, third = walk["slots"]
    own = '-H "$AUTH"'
    guest = f"{root}/api/v1/guest/{walk['guest']}"
    return [
        "",
        "A meeting that gets decided:",
        f"  AUTH='Authorization: Bearer {demo['users'][0]['token']}'",
        f"  MEETING={root}/api/v1/boards/{walk['boardId']}/meetings/{walk['meetingId']}",
        f"  curl {own} $MEETING/slots",
        f'  curl {own} {_JSON} -X PUT -d \'{{"vote":"ok"}}\' $MEETING/slots/{third}/vote',
        f'  curl {_JSON} -X PUT -d \'{{"email":"guest@example.org","vote":"cant"}}\' {guest}/slots/{third}/vote',
        f"  curl {guest}",
        f"  curl {own} -X POST $MEETING/slots/{first}/confirm",
        f"  curl {own} -X DELETE $MEETING/slots/{first}   # 409: the meeting is booked for it",
        f"  curl {own} -X POST $MEETING/slots/{second}/confirm   # booked anew",
        f"  curl {own} -X DELETE $MEETING/slots/{first}",
        f"  curl {own} {root}/api/action-items/my",
        f"  curl {own} {_JSON} -X PATCH -d '{_DONE}' {root}/api/action-items/{walk['actionItemId']}/status",
    ]
