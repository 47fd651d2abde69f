"""Handles the queue of rows to be sealed, many at once, and the tick of the clock, which asks the witnesses."""

from __future__ import annotations

from typing import Any

from governance.queue.frame import begin, counted
from governance.queue.message import parse
from governance.sealing.message import row_key
from governance.sealing.sealer import seal, start
from governance.sealing.witnesses import cosign


def handle(event: dict[str, Any], context: object) -> Any:
    """Seals a batch of messages, and returns those that are to be tried again: all of them if it failed.

    Without messages it begins the log if it has not begun, asks the witnesses, and returns where the log is.
    """
    begin(context)
    if "Records" not in event:
        head = start()
        cosign()
        return {"origin": head.origin, "size": head.size}
    try:
        with counted("leaf", "sealing failed"):
            seal(row_key(parse(record["body"])) for record in event["Records"])
    except Exception:  # noqa: BLE001 - whatever it was, the queue keeps the messages
        return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in event["Records"]]}
    return {"batchItemFailures": []}
