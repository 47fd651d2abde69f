"""The rules of webhooks: how many, which events they get, their secrets, when they are disabled."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest

from governance.domain.events.webhooks import WebhookDisabled
from governance.domain.webhooks import webhook as webhook_rules
from governance.ids import millis_of_id
from governance.instants import Instant, millis
from governance.limits import WEBHOOKS_PER_BOARD
from governance.models.history.event import Event, StoredEvent
from governance.models.webhooks.webhook import StoredWebhook, StoredWebhooks
from tests.domain.samples import BOARD, NOW, THEN, changed, conflict, delivery, just_before, later, refusal, webhook
from tests.harness import stream


def new_event(kind: Event, **members: Any) -> StoredEvent:
    return stream.new_event(BOARD, kind, **{"at": NOW, **members})


def hooks(*webhooks: StoredWebhook, version: int = 3) -> StoredWebhooks:
    return StoredWebhooks(board_id=BOARD, webhooks=webhooks, version=version)


def test_a_secret_is_32_random_bytes_in_the_form_of_standard_webhooks() -> None:
    secret = webhook_rules.mint_secret()
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret)
    assert webhook_rules.secret_key(secret) == base64.b64decode(secret[6:])
    assert len(webhook_rules.secret_key(secret)) == 32
    assert webhook_rules.mint_secret() != secret


def test_a_board_has_ten_webhooks_at_most() -> None:
    nine = hooks(*(webhook(id=str(number)) for number in range(WEBHOOKS_PER_BOARD - 1)))
    ten = webhook_rules.add(nine, webhook())
    assert [hook.id for hook in ten.webhooks] == [*"012345678", "w"]
    assert ten.version == 4
    assert refusal(webhook_rules.add, ten, webhook(id="x")) == conflict("LIMIT_REACHED")


def test_a_webhook_is_found_replaced_in_its_place_and_removed_by_its_id() -> None:
    board = hooks(webhook(id="a"), webhook(id="b"), webhook(id="c"))
    new = webhook(id="b", name="New")
    assert webhook_rules.find(board, "b") == board.webhooks[1]
    assert webhook_rules.find(board, "d") is None
    assert webhook_rules.replace(board, new) == hooks(webhook(id="a"), new, webhook(id="c"), version=4)
    assert webhook_rules.remove(board, "b") == hooks(webhook(id="a"), webhook(id="c"), version=4)


OFF = {"enabled": False, "disabled_reason": "failing"}


@pytest.mark.parametrize(
    ("before", "changes", "expected"),
    [
        ({}, {"name": "N"}, {"name": "N"}),
        ({}, {"url": "https://x.example"}, {"url": "https://x.example", "failures_count_from": NOW}),
        ({}, {"url": "https://hooks.example.com/x"}, {}),
        ({}, {"enabled": True}, {}),
        ({}, {"enabled": False}, {"enabled": False}),
        (OFF, {"enabled": True}, {"enabled": True, "disabled_reason": None, "failures_count_from": NOW}),
        (OFF, {"enabled": False}, {"disabled_reason": None}),
        (OFF, {"name": "N"}, {"name": "N"}),
    ],
)
def test_failures_count_anew_when_a_webhook_is_enabled_again_or_has_another_url(
    before: dict[str, Any], changes: dict[str, Any], expected: dict[str, Any]
) -> None:
    old = webhook(**before)
    assert changed(old, webhook_rules.change(old, changes, NOW)) == {**expected, "updated_at": NOW}


def test_a_disabled_webhook_says_why_and_gets_nothing() -> None:
    off = webhook_rules.disable(webhook(), "gone", NOW)
    assert changed(webhook(), off) == {"enabled": False, "disabled_reason": "gone", "updated_at": NOW}
    assert refusal(webhook_rules.check_enabled, off) == conflict("WEBHOOK_DISABLED")
    webhook_rules.check_enabled(webhook())


@pytest.mark.parametrize(
    ("name", "reason", "words"),
    [
        ("Hook", "gone", "“Hook” answers that its address no longer exists"),
        ("Hook", "failing", "“Hook” has accepted nothing for 3 days"),
        ("Hook", "operator", "an operator has disabled “Hook”"),
        (None, "gone", "“hooks.example.com” answers that its address no longer exists"),
    ],
)
def test_the_owner_is_told_which_webhook_was_disabled_and_why(name: str | None, reason: Any, words: str) -> None:
    disabled = WebhookDisabled(webhook_id="w", webhook=webhook_rules.why_disabled(webhook(name=name), reason))
    assert disabled.words("en")["title"] == words


def test_a_new_secret_comes_first_and_the_old_one_signs_for_a_day_more() -> None:
    new = webhook_rules.rotate(webhook(), "s2", NOW)
    day = later(days=1)
    secrets = {"secret": "s2", "previous_secret": "s1", "previous_until": day}
    assert changed(webhook(), new) == {**secrets, "updated_at": NOW}
    assert webhook_rules.signing_secrets(new, just_before(day)) == ["s2", "s1"]
    assert webhook_rules.signing_secrets(new, day) == ["s2"]
    assert webhook_rules.signing_secrets(webhook(), NOW) == ["s1"]
    assert webhook_rules.signing_secrets(webhook(previous_secret="s0"), NOW) == ["s1"]
    assert webhook_rules.signing_secrets(webhook(previous_until=day), NOW) == ["s1"]
    assert webhook_rules.signing_secrets(webhook_rules.rotate(new, "s3", NOW), NOW) == ["s3", "s2"]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (("*",), True),
        (("meeting.*",), True),
        (("meeting.created",), True),
        (("member.*", "meeting.created"), True),
        (("meeting.updated",), False),
        (("member.*",), False),
        (("meeting",), False),
        ((), False),
    ],
)
def test_a_webhook_gets_the_types_and_families_that_it_asks_for(asked: tuple[str, ...], wanted: bool) -> None:
    assert webhook_rules.receives(webhook(events=asked), new_event(Event.MEETING_CREATED)) == wanted


def test_a_webhook_gets_nothing_that_an_admin_does_not_see_nothing_disabled_and_no_deletion_of_its_board() -> None:
    event = new_event(Event.MEETING_CREATED)
    assert not webhook_rules.receives(webhook(enabled=False), event)
    assert not webhook_rules.receives(webhook(), event.model_copy(update={"draft_of": "u"}))
    assert not webhook_rules.receives(webhook(), event.model_copy(update={"committee_id": "k"}))
    assert not webhook_rules.receives(webhook(), new_event(Event.BOARD_DELETED))


def test_a_webhook_gets_what_happened_while_the_feed_settled_before_its_creation_and_nothing_earlier() -> None:
    hook = webhook(created_at=NOW)
    settled = later(seconds=-12)
    assert webhook_rules.receives(hook, new_event(Event.MEETING_CREATED, at=settled))
    assert not webhook_rules.receives(hook, new_event(Event.MEETING_CREATED, at=just_before(settled)))


def test_a_test_goes_to_its_webhook_whatever_that_asks_for() -> None:
    test = new_event(Event.WEBHOOK_TESTED, refs={"webhookId": "w"})
    assert webhook_rules.receives(webhook(events=("member.*",)), test)
    assert not webhook_rules.receives(webhook(id="v", events=("member.*",)), test)
    assert webhook_rules.receives(webhook(id="v", events=("webhook.*",)), test)
    assert not webhook_rules.receives(
        webhook(events=("member.*",)), new_event(Event.WEBHOOK_UPDATED, refs={"webhookId": "w"})
    )


def test_a_delivery_is_due_at_once_and_the_same_pair_has_one_id() -> None:
    event = new_event(Event.MEETING_CREATED, refs={"meetingId": "m"}, at=THEN)
    first = webhook_rules.new_delivery(event, webhook(), NOW)
    assert first == delivery(id=first.id, event_id=event.id)
    assert millis_of_id(first.id) == millis(THEN)
    assert len(first.id) == 24
    ids = {webhook_rules.new_delivery(event, webhook(id=hook), THEN).id for hook in ("w", "v")}
    assert first.id in ids
    assert len(ids) == 2


def test_a_repeated_delivery_has_all_its_attempts_before_it_and_keeps_its_lease_and_its_history() -> None:
    old = delivery(status="failed", tries=10, due_at=THEN, leased_until=NOW, version=5)
    new = webhook_rules.repeat(old, NOW)
    assert changed(old, new) == {"status": "pending", "tries": 0, "due_at": NOW, "version": 6}


@pytest.mark.parametrize(
    ("failing_since", "counted_from", "too_long"),
    [
        (None, THEN, False),
        (later(days=-3), THEN, True),
        (later(later(days=-3)), THEN, False),
        (THEN, later(days=-3), True),
        (THEN, later(later(days=-3)), False),
    ],
)
def test_a_webhook_is_disabled_after_three_days_in_which_its_failures_count(
    failing_since: Instant | None, counted_from: Instant, too_long: bool
) -> None:
    assert webhook_rules.has_failed_too_long(webhook(failures_count_from=counted_from), failing_since, NOW) == too_long
