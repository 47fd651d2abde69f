"""The link in an e-mail that turns e-mails like it off, for its user alone, for a year and for one address."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest

from governance.domain.notifications.addressee import Addressee
from governance.ids import UserId
from governance.mail.unsubscribing import unsubscribe_url
from governance.models.notifications.notification import MailTopic
from infra.operator.purging import purge_users
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, session
from tests.harness.fault_injection import meanwhile
from tests.harness.table_snapshot import TableSnapshot

PREFERENCES, CALENDAR = "/api/notification/preferences", "/api/v1/me/calendar"
RECIPIENT = Client()
"""Somebody who has the mail, and no session."""


def link(user: Person, topic: MailTopic) -> str:
    recipient = Addressee(UserId(user.id), user.email, "", None, "en", is_active=True)
    return urlsplit(unsubscribe_url(recipient, topic)).path


def switched(method: str, path: str) -> bool:
    """Asks for, or turns off; returns whether the mails are on then, which the next reading confirms."""
    response = RECIPIENT.call(method, path)
    assert response.status == 200, response.text
    assert RECIPIENT.get(path).data == response.data
    return bool(response.data["enabled"])


def is_unknown(path: str) -> bool:
    return {RECIPIENT.call(method, path).failure for method in ("GET", "POST")} == {(404, "RESOURCE_NOT_FOUND")}


@pytest.mark.parametrize(("before", "off"), [(None, ["in_app"]), (["email", "in_app"], ["in_app"]), (["email"], [])])
def test_mails_of_a_category_are_turned_off_once_and_nothing_else_changes(
    ben: Person, before: list[str] | None, off: list[str]
) -> None:
    others = {"package_status": ["in_app"]}
    chosen = others if before is None else {**others, "action_item": before}
    for category, channels in chosen.items():
        assert ben.client.put(PREFERENCES, {"eventCategory": category, "channels": channels}).status == 200
    path = link(ben, "action_item")
    assert switched("GET", path) is True
    assert switched("POST", path) is False
    assert ben.client.get(PREFERENCES).json == {"preferences": {**others, "action_item": off}}
    stored = TableSnapshot()
    assert switched("POST", path) is False
    assert stored.changes() == {}


@pytest.mark.parametrize(("topic", "other"), [("invitations", "voteRequests"), ("voteRequests", "invitations")])
def test_mails_of_a_calendar_setting_are_turned_off_and_the_other_stays(
    ben: Person, topic: MailTopic, other: str
) -> None:
    assert ben.client.put(CALENDAR, {topic: True, other: True}).status == 200
    path = link(ben, topic)
    for method, enabled in (("GET", True), ("POST", False)):
        assert switched(method, path) is enabled
        settings = ben.client.get(CALENDAR).data
        assert (settings[topic], settings[other]) == (enabled, True)
    assert ben.client.get(PREFERENCES).json == {"preferences": {}}


def test_a_link_is_its_users_and_other_texts_are_not_found(scenario: BoardScenario, ben: Person) -> None:
    assert switched("POST", link(ben, "action_item")) is False
    assert switched("GET", link(scenario.owner, "action_item")) is True
    assert is_unknown(f"{link(ben, 'action_item')}x")
    assert is_unknown("/api/v1/unsubscribe/nonsense")


@pytest.mark.usefixtures("store")
def test_a_link_ends_with_the_address_that_it_was_sent_to() -> None:
    at = int(time.time())
    old = Client(session("ann.old@example.com", "ann", iat=at - 60))
    path = link(Person(old.get("/api/v1/me").data["id"], "ann.old@example.com", old), "action_item")
    assert switched("GET", path) is True
    new = Client(session("ann.new@example.com", "ann", iat=at))
    assert new.get("/api/v1/me").data["email"] == "ann.new@example.com"
    assert is_unknown(path)
    assert new.get(PREFERENCES).json == {"preferences": {}}


@pytest.mark.usefixtures("bucket")
def test_the_link_of_a_purged_user_is_not_found(ben: Person) -> None:
    path = link(ben, "action_item")
    purge_users([UserId(ben.id)])
    assert is_unknown(path)


def test_a_change_of_the_preferences_that_was_begun_before_does_not_turn_mails_on_again(ben: Person) -> None:
    path = link(ben, "action_item")
    chosen = {"eventCategory": "package_status", "channels": ["in_app"]}
    assert ben.client.put(PREFERENCES, {**chosen, "channels": ["email"]}).status == 200
    with meanwhile(lambda: RECIPIENT.post(path)):
        changed = ben.client.put(PREFERENCES, chosen)
    assert switched("GET", path) is False, changed.status
