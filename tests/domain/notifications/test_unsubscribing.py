"""Links that turn off mails."""

from __future__ import annotations

from typing import get_args

import pytest

from governance.domain.notifications.unsubscribing import Subscription, parse, token
from governance.ids import UserId
from governance.instants import Instant, shift
from governance.limits import UNSUBSCRIBE_DAYS
from governance.models.calendars.calendar import MailSwitch
from governance.models.notifications.notification import MailTopic, NotificationCategory

USER = UserId("a1" * 12)
TOPICS: tuple[MailTopic, ...] = (*get_args(NotificationCategory), *get_args(MailSwitch))


ADDRESS = "ann@example.com"
NOW = Instant("2026-03-01T12:00:00.000Z")


def link_to(topic: MailTopic, address: str = ADDRESS) -> str:
    return token("secret", Subscription(USER, topic), address, NOW)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_link_is_for_one_user_and_one_topic(topic: MailTopic) -> None:
    link = parse("secret", link_to(topic))
    assert link is not None
    assert link.subscription == Subscription(USER, topic)
    assert len({link_to(other) for other in TOPICS}) == len(TOPICS)


def test_a_link_works_for_a_year_and_for_the_address_that_it_was_sent_to() -> None:
    link = parse("secret", link_to("voteRequests"))
    assert link is not None
    assert link.works("secret", ADDRESS, NOW)
    assert link.works("secret", ADDRESS, shift(NOW, days=UNSUBSCRIBE_DAYS))
    assert not link.works("secret", ADDRESS, shift(NOW, days=UNSUBSCRIBE_DAYS + 1))
    assert not link.works("secret", "ann@example.org", NOW)


def test_only_the_holder_of_the_secret_makes_a_link() -> None:
    link = link_to("voteRequests")
    assert parse("another", link) is None
    for text in ("", "A", link[:-1], link + "A", link + "=", "A" * len(link), link.swapcase(), "é" * 40):
        assert parse("secret", text) is None
