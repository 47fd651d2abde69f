"""Two concurrent deliveries of one event, in every order of their store calls, send one e-mail to each recipient."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from governance.deliveries.due_emails import send_due_emails
from governance.deliveries.notification_emails import NotificationEmail, send_once
from governance.deliveries.notifications import notify_recipients
from governance.ids import UserId, new_id
from governance.mail.rendering import RenderedEmail
from governance.models.notifications.recipients import RecipientBatch
from governance.store import notifications
from governance.store.account import avatars
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.crash_injection import (
    create_members,
    email_counts,
    member_email,
    notification_counts,
    report_published_event,
)
from tests.harness.outbox import Outbox
from tests.harness.privileges import acting_as
from tests.harness.stream import process_records, record_of
from tests.interleavings.schedules import every_interleaving

pytestmark = pytest.mark.slow


def test_two_deliveries_of_one_event_notify_and_mail_once(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = create_members(scenario, 1)
    event = report_published_event(scenario)
    batch = RecipientBatch(event=event, user_ids=(member,)).model_dump(mode="json")
    monkeypatch.setattr(avatars, "put", lambda _name, _drawing: False)  # this test has no bucket

    def delivery() -> Response:
        with acting_as("deliveries"):
            for message in notify_recipients(batch):
                assert list(send_due_emails(message.body)) == []
        return Response(200, {}, "{}")

    schedules = 0
    for responses, _ in every_interleaving(delivery, delivery):
        schedules += 1
        assert len(responses) == 2, "a delivery failed"
        assert notification_counts([member]) == Counter({member: 1})
        assert sorted(email_counts(outbox).values()) == [1], f"schedule {schedules}"
        outbox.raw.clear()
    assert schedules > 2, "the two deliveries never overlapped"


def test_two_notifications_about_one_report_send_one_email(scenario: BoardScenario, outbox: Outbox) -> None:
    (member,) = create_members(scenario, 1)
    report = new_id()
    outbox.failure = "MessageRejected"
    for _ in range(2):
        process_records([record_of(report_published_event(scenario, report))])
    outbox.failure = None
    content = RenderedEmail(member_email(0), "Subject", "text", "html")
    first, second = (
        NotificationEmail(notification, report, content) for notification in notifications.newest(UserId(member))
    )

    def sending(email: NotificationEmail) -> Response:
        with acting_as("deliveries"):
            send_once(email)
        return Response(200, {}, "{}")

    schedules = 0
    for responses, _ in every_interleaving(partial(sending, first), partial(sending, second)):
        schedules += 1
        assert len(responses) == 2, "an e-mail failed"
        assert sorted(email_counts(outbox).values()) == [1], f"schedule {schedules}"
        outbox.raw.clear()
    assert schedules > 2, "the two never overlapped"
