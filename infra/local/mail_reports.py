"""The mail service's simulator: addresses that bounce or complain, with the reports that Amazon SES would make of it.

The addresses are those of the SES mailbox simulator, with any `+label`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import boto3

from governance.instants import now

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_DOMAIN = "simulator.amazonses.com"
_BOUNCES = {"bounce": "General", "suppressionlist": "OnAccountSuppressionList"}
"""What bounces for good, with the reason that is reported."""
_COMPLAINT = "complaint"


def reports_of(request: Mapping[str, Any], message_id: str) -> Iterator[dict[str, Any]]:
    """Yields the reports that follow from a `SendEmail` request: one for each recipient that bounces or complains."""
    tags = {tag["Name"]: [tag["Value"]] for tag in request.get("EmailTags") or []}
    for address in (request.get("Destination") or {}).get("ToAddresses") or []:
        local, _, domain = address.lower().rpartition("@")
        name = local.partition("+")[0] if domain == _DOMAIN else ""
        recipients = [{"emailAddress": address}]
        mail = {"timestamp": now(), "messageId": message_id, "destination": [address], "tags": tags}
        if name in _BOUNCES:
            bounce = {"bounceType": "Permanent", "bounceSubType": _BOUNCES[name], "bouncedRecipients": recipients}
            yield {"eventType": "Bounce", "bounce": {**bounce, "timestamp": now()}, "mail": mail}
        if name == _COMPLAINT:
            complaint = {"complaintFeedbackType": "abuse", "complainedRecipients": recipients}
            yield {"eventType": "Complaint", "complaint": {**complaint, "timestamp": now()}, "mail": mail}


class ReportQueue:
    """The queue that gets the reports."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: SQSClient = boto3.client("sqs")

    def send(self, request: Mapping[str, Any], message_id: str) -> None:
        """Sends the reports that follow from a `SendEmail` request."""
        for report in reports_of(request, message_id):
            self._client.send_message(QueueUrl=self._url, MessageBody=json.dumps(report))
