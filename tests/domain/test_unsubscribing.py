"""Links that turn off mails."""

from __future__ import annotations

from typing import get_args

import pytest

from governance.domain.notifications.unsubscribing import Subscription, parse, token
from governance.ids import UserId
from governance.models.calendar import MailSwitch
from governance.models.notifications.notification import Category, MailTopic

USER = UserId("a1" * 12)
TOPICS: tuple[MailTopic, ...] = (*get_args(Category), *get_args(MailSwitch))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_link_is_for_one_user_and_one_topic(topic: MailTopic) -> None:
    found = Subscription(USER, topic)
    assert parse("secret", token("secret", found)) == found
    assert len({token("secret", Subscription(USER, each)) for each in TOPICS}) == len(TOPICS)


def test_only_the_holder_of_the_secret_makes_a_link() -> None:
    link = token("secret", Subscription(USER, "voteRequests"))
    assert parse("another", link) is None
    for text in ("", "A", link[:-1], link + "A", link + "=", "A" * len(link), link.swapcase(), "é" * 40):
        assert parse("secret", text) is None
