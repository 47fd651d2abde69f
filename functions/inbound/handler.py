"""Handles what comes back by mail: the answers of calendars, and the mail service's reports of bounces and complaints.

Each is handled by itself, so that a bad one does not stop the others (ADR calendars, ADR mail).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote_plus

from governance import deadline, telemetry
from governance.mail import feedback, inbox
from governance.mail.received import MailRefused, Refusal
from governance.models.members.mail_feedback import MailFeedback
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.queue.message import Message
from governance.telemetry import Metric
from governance.usecases.calendars.calendar_replies import take

Record = Mapping[str, Any]


def lambda_handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handles the mails that an event of the bucket names, or the reports in a batch of their queue.

    Returns the reasons of the mails that were set aside, or the reports that are to be tried again.
    """
    telemetry.begin_invocation(context)
    deadline.begin(context)
    records = event["Records"]
    return _take_reports(records) if records[0].get("eventSource") == "aws:sqs" else _take_mails(records)


def _take_reports(records: Sequence[Record]) -> dict[str, Any]:
    """Hands bounces and complaints on to the deliveries. Returns the reports that could not be read or handed on."""
    failed = []
    for record in records:
        try:
            sending.send(map(_message, feedback.parse(record["body"])))
        except Exception as error:  # noqa: BLE001 - the queue tries this one again
            telemetry.log_error("report of the mail service failed", error)
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}


def _message(report: MailFeedback) -> Message:
    return Message(DeliveryKind.MAIL_FEEDBACK, report.board_id or "none", report.model_dump(mode="json"))


def _take_mails(records: Sequence[Record]) -> dict[str, Any]:
    """Handles mails. Returns the reasons of those that were set aside.

    A mail that meets a failure of the store raises after all have been tried, so that the event is tried again. Nothing
    is done twice: a handled mail is deleted, and a known answer changes nothing.
    """
    refused: dict[str, str] = {}
    failures: list[Exception] = []
    for record in records:
        bucket, key = record["s3"]["bucket"]["name"], unquote_plus(record["s3"]["object"]["key"])
        try:
            reason = _take_or_set_aside(bucket, key)
        except Exception as error:  # noqa: BLE001 - raised again after the other mails
            telemetry.log_error("received mail failed", error)
            failures.append(error)
        else:
            refused |= {key: reason.value} if reason else {}
    if failures:
        raise failures[0]
    return refused


def _take_or_set_aside(bucket: str, key: str) -> Refusal | None:
    """Does what a mail asks for, and deletes it. Returns the reason if it was set aside.

    Raises 503 if the mail stays.
    """
    reason = None
    try:
        mail = inbox.fetch(bucket, key)
        if mail is not None:
            take(*mail)
    except MailRefused as refusal:
        reason = refusal.reason
        inbox.set_aside(bucket, key, reason)
        telemetry.count(Metric.MAILS_REFUSED, reason.name)
    inbox.delete(bucket, key)
    return reason
