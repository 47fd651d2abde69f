"""Reports of the mail service, as Amazon SES publishes the events of a configuration set, and the function's queue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from governance import instants
from tests.harness import queue
from tests.harness.client import FUNCTIONS, load
from tests.harness.privileges import acting_as

_handler = load(FUNCTIONS / "inbound" / "handler.py").lambda_handler


def bounce(request: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """Returns the report of a mail, given by its `SendEmail` request, that bounced for good."""
    (address,) = request["Destination"]["ToAddresses"]
    report = {
        "bounceType": "Permanent",
        "bounceSubType": "NoEmail",
        "bouncedRecipients": [
            {
                "emailAddress": address,
                "action": "failed",
                "status": "5.1.1",
                "diagnosticCode": f"550 <{address}> unknown",
            }
        ],
        "timestamp": instants.now(),
        "feedbackId": "0100015a-000000",
        "reportingMTA": "dsn; mta.example.com",
    }
    return {"eventType": "Bounce", "bounce": report | members, "mail": _mail(request, address)}


def complaint(request: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """Returns the report of a mail that its recipient complained of."""
    (address,) = request["Destination"]["ToAddresses"]
    report = {
        "complainedRecipients": [{"emailAddress": address}],
        "timestamp": instants.now(),
        "feedbackId": "0100015a-000000",
        "userAgent": "Amazon SES Mailbox Simulator",
        "complaintFeedbackType": "abuse",
        "arrivalDate": instants.now(),
    }
    return {"eventType": "Complaint", "complaint": report | members, "mail": _mail(request, address)}


def _mail(request: Mapping[str, Any], address: str) -> dict[str, Any]:
    own = {tag["Name"]: [tag["Value"]] for tag in request.get("EmailTags", [])}
    return {
        "timestamp": instants.now(),
        "source": "no-reply@example.com",
        "messageId": f"0100015a-{address}",
        "destination": [address],
        "headersTruncated": False,
        "headers": [{"name": "To", "value": address}],
        "commonHeaders": {"to": [address], "subject": "Hello"},
        "tags": {"ses:configuration-set": ["board-governance-dev"], **own},
    }


def request_to(address: str, **tags: str) -> dict[str, Any]:
    """Returns what the reports need of a `SendEmail` request."""
    return {
        "Destination": {"ToAddresses": [address]},
        "EmailTags": [{"Name": name, "Value": value} for name, value in tags.items()],
    }


def report(*reports: Mapping[str, Any] | str) -> list[str]:
    """Hands reports to the function, in one batch, and delivers what follows. Returns the ids of those that failed."""
    records = [
        {
            "messageId": str(number),
            "eventSource": "aws:sqs",
            "body": body if isinstance(body, str) else json.dumps(body),
        }
        for number, body in enumerate(reports)
    ]
    with acting_as("inbound"):
        failed = _handler({"Records": records}, None)["batchItemFailures"]
    queue.current.deliver()
    return [entry["itemIdentifier"] for entry in failed]
