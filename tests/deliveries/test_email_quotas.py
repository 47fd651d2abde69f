"""No recipient gets more notification e-mails than the quotas allow, whatever repeats or fails; the app shows all."""

from __future__ import annotations

import pytest

from governance import instants
from governance.domain.quota import NOTIFICATION_MAILS_DAILY, NOTIFICATION_MAILS_HOURLY, Quota
from governance.ids import new_id
from governance.models.history.event import Event
from governance.store.notifications import notifications
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.deliveries.inboxes import addresses, inbox, published
from tests.harness.action_item_scenario import new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.clock import Clock
from tests.harness.outbox import Outbox
from tests.harness.quota_usage import slots_in_use, use_up
from tests.harness.stream import deliver, new_event, process_records, record_of


@pytest.mark.parametrize(("quota", "minutes"), [(NOTIFICATION_MAILS_HOURLY, 60), (NOTIFICATION_MAILS_DAILY, 24 * 60)])
def test_a_user_gets_so_many_mails_an_hour_and_a_day_and_all_of_the_notifications(
    scenario: BoardScenario, outbox: Outbox, clock: Clock, quota: Quota, minutes: int
) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    use_up(quota, ben.email, instants.now(), but=2)
    deliver(*(published(scenario) for _ in range(4)))
    assert (addresses(outbox).count(ben.email), addresses(outbox).count(eve.email)) == (2, 4)
    assert len(inbox(ben)) == 4
    for passed, mails in ((minutes - 1, 2), (minutes, 3)):
        clock.advance(minutes=passed)
        deliver(published(scenario))
        assert addresses(outbox).count(ben.email) == mails


def test_a_user_gets_one_mail_in_ten_minutes_for_a_type_and_an_object(
    scenario: BoardScenario, outbox: Outbox, clock: Clock
) -> None:
    ben, report = scenario.member("ben"), new_id()
    deliver(*(published(scenario, refs={"reportId": report}) for _ in range(3)))
    assert (len(outbox.mails), len(inbox(ben))) == (1, 3)
    deliver(published(scenario, refs={"reportId": report}, details={"from": "published", "to": "finalized"}))
    deliver(published(scenario))
    assert len(outbox.mails) == 3
    clock.advance(minutes=9, seconds=50)
    deliver(published(scenario, refs={"reportId": report}))
    assert len(outbox.mails) == 3
    clock.advance(minutes=10)
    deliver(published(scenario, refs={"reportId": report}))
    assert len(outbox.mails) == 4


def test_each_task_is_an_object_of_its_own(scenario: BoardScenario, outbox: Outbox) -> None:
    ben, meeting = scenario.member("ben"), new_action_item_scenario(scenario)
    one, other = (meeting.item(assigneeUserId=ben.id)["_id"] for _ in range(2))
    data = {"title": "Sign", "assigneeUserId": ben.id}
    for item in (one, one, other):
        refs = {"meetingId": meeting.path.rpartition("/")[2], "actionItemId": item}
        kind, actor = Event.ACTION_ITEM_UPDATED, scenario.owner.id
        deliver(new_event(scenario.board_id, kind, actor, refs=refs, delivery_data=data))
    assert (len(outbox.mails), len(inbox(ben))) == (2, 3)


def test_a_repeated_event_uses_no_second_slot(scenario: BoardScenario, outbox: Outbox) -> None:
    ben, event = scenario.member("ben"), published(scenario)
    deliver(*[event] * 3)
    assert len(outbox.mails) == len(slots_in_use(NOTIFICATION_MAILS_HOURLY, ben.email)) == 1


@pytest.mark.parametrize("failure", ["MessageRejected", "TooManyRequestsException"])
def test_a_refused_mail_gives_its_slots_back(scenario: BoardScenario, outbox: Outbox, failure: str) -> None:
    ben, event = scenario.member("ben"), record_of(published(scenario))
    outbox.failure = failure
    for _ in range(2):
        assert process_records([event])
        assert slots_in_use(NOTIFICATION_MAILS_HOURLY, ben.email) == []
        assert slots_in_use(NOTIFICATION_MAILS_DAILY, ben.email) == []
    outbox.failure = None
    assert process_records([event]) == []
    assert len(outbox.mails) == 1


def test_a_mail_that_was_one_too_many_is_never_sent(scenario: BoardScenario, outbox: Outbox, clock: Clock) -> None:
    ben, event = scenario.member("ben"), published(scenario)
    use_up(NOTIFICATION_MAILS_HOURLY, ben.email, instants.now())
    deliver(event)
    clock.advance(hours=2)
    deliver(event)
    assert (outbox.mails, len(inbox(ben))) == ([], 1)


def test_a_mail_is_claimed_once(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    outbox.failure = "MessageRejected"
    process_records([record_of(published(scenario))])
    (due,) = notifications.newest(ben.id)
    transact([notifications.claim_mail(due, "one")])
    with pytest.raises(StaleRead):
        transact([notifications.claim_mail(due, "other")])


def test_what_was_for_mail_alone_is_shown_in_the_app_instead(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    body = {"eventCategory": "package_status", "channels": ["email"]}
    assert ben.client.put("/api/notification/preferences", body).status == 200
    use_up(NOTIFICATION_MAILS_HOURLY, ben.email, instants.now(), but=1)
    mailed, throttled = published(scenario), published(scenario)
    deliver(mailed, throttled, throttled)
    assert len(outbox.mails) == 1
    assert [entry["reportId"]["_id"] for entry in inbox(ben)] == [throttled.refs["reportId"]]


def test_a_deleted_notification_stays_deleted_when_its_mail_is_throttled(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    ben, event = scenario.member("ben"), published(scenario)
    outbox.failure = "MessageRejected"
    assert len(process_records([record_of(event)])) == 1
    (entry,) = inbox(ben)
    assert ben.client.delete(f"/api/notification/{entry['_id']}").status == 200
    use_up(NOTIFICATION_MAILS_HOURLY, ben.email, instants.now())
    deliver(event)
    assert (inbox(ben), outbox.mails) == ([], [])


def test_addresses_that_differ_in_their_tag_are_one_recipient(scenario: BoardScenario, outbox: Outbox) -> None:
    one, other = person("ann+one"), person("ann+other")
    for user in (one, other):
        scenario.join(user)
    use_up(NOTIFICATION_MAILS_HOURLY, "ann@example.com", instants.now(), but=1)
    deliver(published(scenario))
    assert len(outbox.mails) == 1
    assert outbox.mails[0]["To"] in {one.email, other.email}
    assert len(inbox(one)) == len(inbox(other)) == 1
