"""Handles the mails that calendars send: each one for itself, so that a bad one stops no other (ADR calendars)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_plus

from governance import deadline, telemetry
from governance.mail import inbox
from governance.mail.received import MailRefused, Refusal
from governance.telemetry import Metric
from governance.usecases.calendars.calendar_replies import take


def lambda_handler(event: Mapping[str, Any], context: object) -> dict[str, str]:
    """Handles the mails that an event of the bucket names. Returns the reasons of those that were set aside.

    A mail that meets a failure of the store raises after all have been tried, so that the event is tried again. What
    was done is not done twice: its mail is gone, and an answer that is known already changes nothing.
    """
    telemetry.begin_invocation(context)
    deadline.begin(context)
    refused: dict[str, str] = {}
    failures: list[Exception] = []
    for record in event["Records"]:
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
