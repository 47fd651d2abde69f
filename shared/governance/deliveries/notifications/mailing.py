"""Sends the due e-mails of a few recipients; the mail service may take as long as it wants (ADR deliveries).

A throttled e-mail is due again. Its batch goes back to the queue with a delay that grows while none gets through, so
every e-mail is sent in the end, whatever the rate of the mail service. The function never waits for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from governance import deadline
from governance.deliveries.meetings.personal_links import paper_url, personal_url
from governance.deliveries.notifications.emails import (
    AskedVote,
    NotificationEmail,
    render_notification_email,
    send_once,
)
from governance.deliveries.notifications.notifying import DeliveryContext, read_context
from governance.deliveries.notifications.planned import Planned, planned_in, recipients_message
from governance.deliveries.notifications.recipients import still_concerned, task_now, vote_now
from governance.domain.meetings.people import is_invited
from governance.domain.notifications.addressee import Addressee, addressed
from governance.domain.notifications.notification_types import PAPER_TYPES
from governance.domain.notifications.notifications import object_id, sentence
from governance.mail.sender import EmailThrottled
from governance.models.action_items.action_item import StoredActionItem
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.notifications.notification import StoredNotification
from governance.models.notifications.recipients import NOBODY, Addressees, RecipientBatch
from governance.models.paper_requests.paper_request import MISSING
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.queue.frame import worst
from governance.queue.message import Message
from governance.store.paper_requests import paper_requests
from governance.store.table import read
from governance.usecases.members.mailed_people import is_shadowed

_EMAIL_SECONDS = 3 * deadline.STORE_ATTEMPT_SECONDS + deadline.MAIL_ATTEMPT_SECONDS
"""To claim an e-mail, send it, and give the claim back if it was refused."""
_LONGEST_PAUSE_SECONDS = 300


def send_due_emails(body: Mapping[str, Any]) -> Iterable[Message]:
    """Sends the e-mails of a batch that are due, and returns the message about those that must wait.

    Raises the first error other than throttling, after all e-mails have been tried.
    """
    batch = RecipientBatch.model_validate(body)
    plan = planned_in(batch)
    context = read_context(plan)
    if context is None:
        return []
    task, vote = task_now(plan), vote_now(plan)
    due = _due(context, still_concerned(plan, task, context.meeting, batch.addressees))
    errors: list[Exception] = []
    for number, (addressee, notification) in enumerate(due):
        remaining = addressed(addressee for addressee, _ in due[number:])
        if not deadline.has_time(_EMAIL_SECONDS):
            return _handed_back(plan, remaining, errors)
        try:
            _send(context, addressee, notification, task, vote)
        except EmailThrottled:
            throttled = 1 if number > 0 else batch.throttled + 1
            return _handed_back(plan, remaining, errors, throttled)
        except Exception as error:  # noqa: BLE001 - raised below
            errors.append(error)
    return _handed_back(plan, NOBODY, errors)


def _handed_back(
    plan: Planned[Any], remaining: Addressees, errors: Sequence[Exception], throttled: int = 0
) -> list[Message]:
    """Returns the message about the e-mails that must wait. Raises the first error, after that message was sent."""
    delay = sending.backoff(throttled, _LONGEST_PAUSE_SECONDS) if throttled else 0
    kind = DeliveryKind.EMAILS
    messages = [] if remaining == NOBODY else [recipients_message(kind, plan, remaining, throttled, delay)]
    if errors:
        sending.send(messages)
        raise worst(errors)
    return messages


def _due(context: DeliveryContext, to: Addressees) -> list[tuple[Addressee, StoredNotification]]:
    """Returns the recipients whose e-mails are due, and who may still know of the event."""
    items = read(context.keys(to))
    due = []
    for addressee in context.addressees(to, items):
        row = items.get(context.notification_key(addressee.id))
        if row is None or not addressee.is_active:
            continue
        notification = StoredNotification.model_validate(row)
        if notification.mail == "due" and not is_shadowed(addressee):
            due.append((addressee, notification))
    return due


def _send(
    context: DeliveryContext,
    user: Addressee,
    notification: StoredNotification,
    task: StoredActionItem | None,
    vote: AskedVote | None,
) -> None:
    message = sentence(notification, context.actor_name, user.language)
    due_on = task.due.due_on if task and task.due else None
    is_of_paper = user.person is not None and notification.type in PAPER_TYPES
    meeting = None if is_of_paper else context.meeting  # who delivers a paper by a link learns nothing of the meeting
    personal = _personal_url(context, user.person, is_of_paper=is_of_paper) if user.person else None
    content = render_notification_email(user, message, notification, context.board, meeting, due_on, vote, personal)
    send_once(NotificationEmail(notification, object_id(context.plan.event), content))


def _personal_url(context: DeliveryContext, person: StoredUnregisteredUser, *, is_of_paper: bool) -> str | None:
    """Returns the URL of a person's page: of the paper that they are asked for, or of a meeting to which they are
    invited; None if there is none."""
    if is_of_paper:
        request = paper_requests.find(person.board_id, context.plan.event.refs["paperRequestId"])
        return paper_url(person, request) if request is not None and request.status in MISSING else None
    if context.meeting is None or not is_invited(context.chosen, person.id):
        return None
    return personal_url(person, context.meeting.id)
