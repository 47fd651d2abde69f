"""Handles the queue of deliveries: each message on its own, so that a failed one does not delay the others (ADR
deliveries).

A new kind of message needs a member of `DeliveryKind` and a line in `HANDLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from aws_lambda_powertools.utilities.batch import EventType
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from governance.deliveries.boards.example_boards import fill
from governance.deliveries.boards.leftovers import clean_up
from governance.deliveries.calendars.mails import mail_calendar_invitation
from governance.deliveries.calendars.plans import withdraw_calendar_invitations
from governance.deliveries.documents.scans import apply_scan_result
from governance.deliveries.documents.uploads import forget_upload
from governance.deliveries.following import plan_event
from governance.deliveries.history.revocations import record_revocation
from governance.deliveries.members.mail_feedback import take_feedback
from governance.deliveries.members.merge_recommendations import recommend_merges
from governance.deliveries.notifications.mailing import send_due_emails
from governance.deliveries.notifications.notifying import notify_recipients
from governance.deliveries.notifications.reminders import send_reminder
from governance.deliveries.reports.figures import keep_figures
from governance.deliveries.resolutions.certificates import keep_certificate
from governance.deliveries.resolutions.results import record_result
from governance.deliveries.series.opening import open_due_occurrences
from governance.exports.worker import run_export
from governance.live.rings import pass_on_end, pass_on_ring
from governance.mail.sender import EmailThrottled
from governance.minutes_file.worker import make_sealed_file
from governance.models.queue import DeliveryKind
from governance.packs.worker import make_pack
from governance.queue import sending
from governance.queue.frame import counted, handle_batch
from governance.queue.message import Message, parse
from governance.usecases.comments.mailed_comments import create_mailed_comment
from governance.usecases.members.merging import complete_merge
from governance.webhooks.attempts import attempt_delivery, attempt_slow_delivery

Handler = Callable[[Mapping[str, Any]], Iterable[Message]]
"""Handles the body of a message and returns the messages that follow. The queue retries the message if it raises.

A handler that has more to do than fits into its invocation returns the rest as a message, and one that has to wait
returns its message with a delay. It asks `deadline.has_time` whether another step fits.
"""
HANDLERS: Mapping[DeliveryKind, Handler] = {
    DeliveryKind.EVENT: plan_event,
    DeliveryKind.NOTIFICATIONS: notify_recipients,
    DeliveryKind.EMAILS: send_due_emails,
    DeliveryKind.CLEANUP: clean_up,
    DeliveryKind.CALENDAR_INVITATION: mail_calendar_invitation,
    DeliveryKind.CALENDAR_WITHDRAWAL: withdraw_calendar_invitations,
    DeliveryKind.REMINDER: send_reminder,
    DeliveryKind.UPLOAD: forget_upload,
    DeliveryKind.FIGURES: keep_figures,
    DeliveryKind.EXAMPLE_BOARD: fill,
    DeliveryKind.WEBHOOK: attempt_delivery,
    DeliveryKind.SLOW_WEBHOOK: attempt_slow_delivery,
    DeliveryKind.SCAN: apply_scan_result,
    DeliveryKind.MAIL_FEEDBACK: take_feedback,
    DeliveryKind.RECOMMENDATION: recommend_merges,
    DeliveryKind.MERGE: complete_merge,
    DeliveryKind.MAILED_COMMENT: create_mailed_comment,
    DeliveryKind.REVOCATION: record_revocation,
    DeliveryKind.CERTIFICATE: keep_certificate,
    DeliveryKind.EXPORT: run_export,
    DeliveryKind.BOARD_PACK: make_pack,
    DeliveryKind.MINUTES_FILE: make_sealed_file,
    DeliveryKind.RESOLUTION: record_result,
    DeliveryKind.OPENING: open_due_occurrences,
    DeliveryKind.LIVE_END: pass_on_end,
    DeliveryKind.RING: pass_on_ring,
}
_THROTTLED_ATTEMPTS = 6
"""A message that is throttled waits like one that has failed six times: 80 to 160 seconds."""


def handle(event: dict[str, Any], context: object) -> Any:
    """Handles a batch of messages; returns those that are to be tried again."""
    return handle_batch(event, context, EventType.SQS, _record)


def _record(record: SQSRecord) -> None:
    """Handles a message, and sends the messages that follow. A failed message is tried again after a growing delay."""
    try:
        with counted(_kind(record.body)):
            message = parse(record.body)
            sending.send([message] if message.delay_seconds > 0 else _following(message))
    except Exception:
        attempts = int(record.attributes.approximate_receive_count or 1)
        sending.postpone(record.event_source_arn, record.receipt_handle, sending.backoff(attempts))
        raise


def _following(message: Message) -> Iterable[Message]:
    """Handles a message and returns those that follow: itself, later, while the mail service throttles."""
    try:
        return HANDLERS[message.kind](message.body)
    except EmailThrottled:
        return [replace(message, delay_seconds=sending.backoff(_THROTTLED_ATTEMPTS))]


def _kind(text: str) -> str:
    """Returns the kind of a message, or `unknown`: the values of a metric's dimension are few."""
    try:
        return parse(text).kind
    except ValueError:
        return "unknown"
