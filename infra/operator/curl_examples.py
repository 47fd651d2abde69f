"""The curl commands that `boardctl demo` prints: a meeting of the demo data gets its date."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_COMPLETED = '{"status":"completed"}'
_JSON = "-H 'Content-Type: application/json'"


def commands(root: str, demo: Mapping[str, Any]) -> list[str]:
    """Returns commands that work in this order without changes, or nothing if the demo data have no such meeting."""
    examples = demo.get("examples")
    if not examples:
        return []
    first, second, third = examples["slots"]
    auth = '-H "$AUTH"'
    guest = f"{root}/api/v1/guest/{examples['guest']}"
    return [
        "",
        "Decide on the date of a meeting:",
        f"  AUTH='Authorization: Bearer {demo['users'][0]['token']}'",
        f"  MEETING={root}/api/v1/boards/{examples['boardId']}/meetings/{examples['meetingId']}",
        f"  curl {auth} $MEETING/slots",
        f'  curl {auth} {_JSON} -X PUT -d \'{{"vote":"ok"}}\' $MEETING/slots/{third}/vote',
        f'  curl {_JSON} -X PUT -d \'{{"email":"guest@example.org","vote":"cant"}}\' {guest}/slots/{third}/vote',
        f"  curl {guest}",
        f"  curl {auth} -X POST $MEETING/slots/{first}/confirm",
        f"  curl {auth} -X DELETE $MEETING/slots/{first}   # 409: the meeting is booked for this slot",
        f"  curl {auth} -X POST $MEETING/slots/{second}/confirm   # moves the booking",
        f"  curl {auth} -X DELETE $MEETING/slots/{first}",
        f"  curl {auth} {root}/api/action-items/my",
        f"  curl {auth} {_JSON} -X PATCH -d '{_COMPLETED}' {root}/api/action-items/{examples['actionItemId']}/status",
    ]
