"""The link in an e-mail that turns e-mails like it off, and on again, for its user alone."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from governance.ids import UserId
from governance.mail.unsubscribing import unsubscribe_url
from governance.models.notifications.notification import MailTopic
from infra.operator.purging import purge_users
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client
from tests.harness.fault_injection import meanwhile
from tests.harness.table_snapshot import TableSnapshot

PREFERENCES, CALENDAR = "/api/notification/preferences", "/api/v1/me/calendar"
RECIPIENT = Client()
"""Somebody who has the mail, and no session."""


def link(user: Person, topic: MailTopic) -> str:
    return urlsplit(unsubscribe_url(UserId(user.id), topic)).path


def switched(method: str, path: str) -> bool:
    """Asks for, turns off or turns on; returns whether the mails are on then, which the next reading confirms."""
    response = RECIPIENT.call(method, path)
    assert response.status == 200, response.text
    assert RECIPIENT.get(path).data == response.data
    return bool(response.data["enabled"])


@pytest.mark.parametrize(
    ("before", "off", "on"),
    [
        (None, ["in_app"], ["email", "in_app"]),
        (["email", "in_app"], ["in_app"], ["email", "in_app"]),
        (["email"], [], ["email"]),
    ],
)
def test_mails_of_a_category_are_turned_off_and_on_and_nothing_else_changes(
    ben: Person, before: list[str] | None, off: list[str], on: list[str]
) -> None:
    others = {"package_status": ["in_app"]}
    chosen = others if before is None else {**others, "action_item": before}
    for category, channels in chosen.items():
        assert ben.client.put(PREFERENCES, {"eventCategory": category, "channels": channels}).status == 200
    path = link(ben, "action_item")
    assert switched("GET", path) is True
    for _ in range(2):
        assert switched("POST", path) is False
        assert ben.client.get(PREFERENCES).json == {"preferences": {**others, "action_item": off}}
        assert switched("DELETE", path) is True
        assert ben.client.get(PREFERENCES).json == {"preferences": {**others, "action_item": on}}


@pytest.mark.parametrize(("topic", "other"), [("invitations", "voteRequests"), ("voteRequests", "invitations")])
def test_mails_of_a_calendar_setting_are_turned_off_and_on_and_the_other_stays(
    ben: Person, topic: MailTopic, other: str
) -> None:
    assert ben.client.put(CALENDAR, {topic: True, other: True}).status == 200
    path = link(ben, topic)
    for method, enabled in (("GET", True), ("POST", False), ("DELETE", True)):
        assert switched(method, path) is enabled
        settings = ben.client.get(CALENDAR).data
        assert (settings[topic], settings[other]) == (enabled, True)
    assert ben.client.get(PREFERENCES).json == {"preferences": {}}


@pytest.mark.parametrize(
    ("method", "topic"), [("POST", "action_item"), ("DELETE", "action_item"), ("POST", "invitations")]
)
def test_what_is_so_already_is_not_written_again(ben: Person, method: str, topic: MailTopic) -> None:
    path = link(ben, topic)
    RECIPIENT.call(method, path)
    before = TableSnapshot()
    assert RECIPIENT.call(method, path).status == 200
    assert before.changes() == {}


def test_a_link_is_its_users_and_other_texts_are_not_found(scenario: BoardScenario, ben: Person) -> None:
    assert switched("POST", link(ben, "action_item")) is False
    assert switched("GET", link(scenario.owner, "action_item")) is True
    for forged in (f"{link(ben, 'action_item')}x", "/api/v1/unsubscribe/nonsense"):
        for method in ("GET", "POST", "DELETE"):
            assert RECIPIENT.call(method, forged).failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.usefixtures("bucket")
def test_the_link_of_a_purged_user_is_not_found(ben: Person) -> None:
    path = link(ben, "action_item")
    purge_users([UserId(ben.id)])
    for method in ("GET", "POST", "DELETE"):
        assert RECIPIENT.call(method, path).failure == (404, "RESOURCE_NOT_FOUND")


def test_a_change_of_the_preferences_that_was_begun_before_does_not_turn_mails_on_again(ben: Person) -> None:
    path = link(ben, "action_item")
    chosen = {"eventCategory": "package_status", "channels": ["in_app"]}
    assert ben.client.put(PREFERENCES, {**chosen, "channels": ["email"]}).status == 200
    with meanwhile(lambda: RECIPIENT.post(path)):
        changed = ben.client.put(PREFERENCES, chosen)
    assert switched("GET", path) is False, changed.status
