"""From the stream to e-mails of notifications: what they say, who wants them, and when one is tried again."""

from __future__ import annotations

import pytest
from botocore.exceptions import ReadTimeoutError

from governance.deliveries import planning
from governance.domain.notifications.addressee import of_user
from governance.mail import rendering
from governance.mail.unsubscribing import unsubscribe_page
from governance.models.event import Event
from governance.store.account import users
from tests.deliveries.inboxes import addresses, inbox, published, types
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox, html_of, text_of
from tests.harness.stream import deliver, new_event, process_records, record_of


def test_a_mail_says_what_happened_and_where(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    event = published(scenario, delivery_data={"title": "<b>Q3</b>"})
    deliver(event)
    text = text_of(outbox.last)
    assert "published the report “<b>Q3</b>”" in text
    root = "https://governance.example.com"
    links = [line for line in text.splitlines() if line.startswith(root)]
    report = f"{root}/boards/{scenario.board_id}/reports/{event.refs['reportId']}"
    stored = users.find(ben.id)
    assert stored is not None
    turn_off = unsubscribe_page(of_user(stored), "package_status")
    assert links == [report, turn_off, f"{root}/app/account"]
    assert f'href="{turn_off}"' in html_of(outbox.last)
    assert f'href="{root}/app/account"' in html_of(outbox.last)
    assert "<b>Q3</b>" not in html_of(outbox.last)


def test_of_a_task_on_a_meeting_that_is_a_draft_again_no_mail_is_sent(scenario: BoardScenario, outbox: Outbox) -> None:
    """A list hides such a notification anyway; a mail would name the task."""
    ben, path = scenario.member("ben"), f"{scenario.path}/meetings"
    meeting = scenario.owner.client.post(path, {"title": "M", "status": "scheduled"}).data["id"]
    body = {"title": "Sign", "assigneeUserId": ben.id}
    item = scenario.owner.client.post(f"{path}/{meeting}/action-items", body).data["_id"]
    refs, data = {"meetingId": meeting, "actionItemId": item}, {"title": "Sign", "assigneeUserId": ben.id}
    event = new_event(scenario.board_id, Event.ACTION_ITEM_UPDATED, scenario.owner.id, refs=refs, delivery_data=data)
    scenario.owner.client.patch(f"{path}/{meeting}", {"status": "draft"})
    deliver(event)
    assert outbox.mails == []
    scenario.owner.client.patch(f"{path}/{meeting}", {"status": "scheduled"})
    deliver(event)
    assert addresses(outbox) == [ben.email]


def test_a_subject_has_no_url_and_the_body_has_the_text(scenario: BoardScenario, outbox: Outbox) -> None:
    scenario.member("ben")
    title = "Q3 (evil.example/login) for all"
    deliver(published(scenario, delivery_data={"title": title}))
    assert outbox.last["Subject"] == "Olivia Tester published the report “Q3 … for all”."
    assert title in text_of(outbox.last)


def test_a_refused_mail_is_tried_again_and_the_others_are_not(scenario: BoardScenario, outbox: Outbox) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    event = record_of(published(scenario))
    outbox.failure = "TooManyRequestsException"
    assert len(process_records([event])) == 1
    assert (types(ben), outbox.mails) == (["report_published"], [])
    outbox.failure = None
    assert process_records([event]) == process_records([event]) == []
    assert addresses(outbox) == [ben.email, eve.email]


def test_a_mail_whose_answer_was_lost_is_not_sent_again(scenario: BoardScenario, outbox: Outbox) -> None:
    scenario.member("ben")
    event = record_of(published(scenario))
    outbox.failure = ReadTimeoutError(endpoint_url="https://mail.example")
    assert process_records([event]) == []
    outbox.failure = None
    assert process_records([event]) == []
    assert outbox.mails == []


def test_a_mail_service_in_trouble_keeps_nobody_from_being_notified(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "_RECIPIENTS_PER_MESSAGE", 1)
    people = [scenario.member(name) for name in ("ben", "eve", "max")]
    outbox.failure = "TooManyRequestsException"
    assert len(process_records([record_of(published(scenario))])) == 3
    assert [types(who) for who in people] == [["report_published"]] * 3


def test_a_mail_that_could_not_be_written_is_still_due(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario.member("ben")
    event = record_of(published(scenario))
    with monkeypatch.context() as broken:
        broken.setattr(rendering, "_templates", dict)
        assert len(process_records([event])) == 1
    assert process_records([event]) == []
    assert len(outbox.mails) == 1


@pytest.mark.parametrize(
    ("channels", "shown", "mailed"), [(["email"], 0, 1), (["in_app"], 1, 0), ([], 0, 0), (["email", "in_app"], 1, 1)]
)
def test_preferences_decide_the_channels(
    scenario: BoardScenario, outbox: Outbox, channels: list[str], shown: int, mailed: int
) -> None:
    ben = scenario.member("ben")
    body = {"eventCategory": "package_status", "channels": channels}
    assert ben.client.put("/api/notification/preferences", body).status == 200
    event = published(scenario)
    deliver(event, event)
    deliver(new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id))
    assert types(ben).count("report_published") == shown
    assert types(ben).count("board_update") == 1
    assert len(outbox.mails) == mailed


def test_a_preference_of_later_does_not_undo_what_was_decided(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    ben.client.put("/api/notification/preferences", {"eventCategory": "package_status", "channels": ["email"]})
    event = published(scenario)
    deliver(event)
    ben.client.put("/api/notification/preferences", {"eventCategory": "package_status", "channels": ["in_app"]})
    deliver(event)
    assert inbox(ben) == []
    assert len(outbox.mails) == 1
