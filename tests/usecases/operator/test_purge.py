"""The steps of a purge: who is purged, what is forgotten, what others have, and what happens meanwhile."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from governance.domain.quota import MAILS_TO_RECIPIENT, counted_address
from governance.errors import ApiError, Code
from governance.ids import UserId, membership_id
from governance.instants import now
from governance.store.account import purges, users
from governance.store.schema.entities import USER
from governance.store.transactions import transact
from governance.store.writes import Update
from governance.usecases.operator import purge
from governance.usecases.operator.operator import show_user
from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.fault_injection import hooked, meanwhile, throttled
from tests.harness.quota_usage import slots_in_use, use_up
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot
from tests.operator.purge_scenario import rows_with


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    return scenario.member("ben")


def hand_over(scenario: BoardScenario, to: Person) -> Response:
    body = {"memberId": membership_id(scenario.board_id, to.id)}
    return scenario.owner.client.post(f"{scenario.path}/ownership-transfer", body)


def begin(user: Person) -> Any:
    return purge.begin(UserId(user.id))


def test_who_becomes_an_owner_while_the_account_is_closed_is_not_purged_and_it_is_open_again(
    scenario: BoardScenario, ben: Person
) -> None:
    with meanwhile(lambda: hand_over(scenario, ben)), pytest.raises(ApiError, match="INVALID_REQUEST_BODY"):
        begin(ben)
    user = users.find(UserId(ben.id))
    assert user is not None
    assert (user.email, user.status, user.purged) == (ben.email, "active", False)
    assert purges.find(UserId(ben.id)) is None


def test_who_is_about_to_be_purged_gets_no_board(scenario: BoardScenario, ben: Person) -> None:
    """The account is closed before it is looked at what the user owns, so that this is final."""
    calls: list[Any] = []
    answers: list[Response] = []

    def offer_before_the_second(model: Any, **_: Any) -> None:
        calls.append(model)
        if len(calls) == 2:
            answers.append(hand_over(scenario, ben))

    with hooked("before-call.dynamodb.TransactWriteItems", offer_before_the_second):
        assert begin(ben) is not None
    assert [answer.status for answer in answers] == [400]


def test_an_account_stays_closed_while_it_is_not_known_what_its_user_owns(
    ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[UserId] = []

    def fail_the_second_time(user_id: UserId) -> Any:
        looked.append(user_id)
        with throttled("*") if len(looked) == 2 else nullcontext():
            return show_user(user_id)

    monkeypatch.setattr(purge, "show_user", fail_the_second_time)
    with pytest.raises(ApiError) as raised:
        begin(ben)
    assert raised.value.code is Code.SERVICE_UNAVAILABLE
    assert ben.client.get("/api/v1/me").failure == (403, "ACCOUNT_INACTIVE")
    assert begin(ben) is not None


def named_item(meeting: ActionItemScenario, assignee: Person, name: str) -> dict[str, Any]:
    return meeting.item(assigneeUserId=assignee.id, assigneeName=name)


def names(meeting: ActionItemScenario) -> list[str | None]:
    return sorted(((item["assigneeName"]) for item in meeting.listed_items()), key=str)


def test_the_name_of_a_user_is_forgotten_in_their_own_items_and_in_no_other(
    scenario: BoardScenario, ben: Person
) -> None:
    meeting = new_action_item_scenario(scenario)
    cleo = scenario.member("cleo")
    for who, name in ((ben, "Ben"), (cleo, "Cleo")):
        named_item(meeting, who, name)
    given_away = named_item(meeting, ben, "Ben")
    with meanwhile(lambda: meeting.change(given_away, assigneeUserId=cleo.id, assigneeName="Cleo too"), "BatchGetItem"):
        purge.forget_own_texts(UserId(ben.id))
    assert names(meeting) == ["Cleo", "Cleo too", None]
    before = TableSnapshot()
    purge.forget_own_texts(UserId(ben.id))
    assert not before.changes()


def test_a_change_of_an_item_that_was_begun_before_brings_no_name_back(scenario: BoardScenario, ben: Person) -> None:
    meeting = new_action_item_scenario(scenario)
    item = named_item(meeting, ben, "Ben")
    with meanwhile(lambda: purge.forget_own_texts(UserId(ben.id))):
        assert meeting.change(item, title="Renamed").status == 200
    (stored,) = meeting.listed_items()
    assert (stored["title"], stored["assigneeName"]) == ("Renamed", None)


def test_an_item_that_is_deleted_meanwhile_is_passed_over(scenario: BoardScenario, ben: Person) -> None:
    meeting = new_action_item_scenario(scenario)
    gone = named_item(meeting, ben, "Ben")
    named_item(meeting, ben, "Ben")
    delete = scenario.owner.client.delete
    with meanwhile(lambda: delete(f"{meeting.items}/{gone['_id']}"), "BatchGetItem"):
        purge.forget_own_texts(UserId(ben.id))
    assert names(meeting) == [None]


def test_a_message_is_forgotten_with_its_author_and_no_others(scenario: BoardScenario, ben: Person) -> None:
    path = f"/api/invite/{scenario.board_id}"
    for client, invitee, message in (
        (ben.client, "ann@example.com", "Yours, Ben"),
        (scenario.owner.client, "bea@example.com", "Yours"),
        (ben.client, "bea@example.com", "Yours, Ben"),
        (scenario.owner.client, "bea@example.com", "Yours, Olivia"),
        (scenario.owner.client, "cleo@example.com", "Yours, Olivia"),
    ):
        assert client.post(path, {"inviteeEmail": invitee, "message": message}).status == 200
    purge.forget_own_texts(UserId(ben.id))
    listed = scenario.owner.client.get(f"{path}/invites").json
    assert {invite["inviteeEmail"]: invite["inviteMessage"] for invite in listed} == {
        "ann@example.com": None,
        "bea@example.com": "Yours, Olivia",
        "cleo@example.com": "Yours, Olivia",
    }


@pytest.mark.usefixtures("outbox")
def test_an_invite_that_goes_with_its_board_meanwhile_is_passed_over(scenario: BoardScenario, ben: Person) -> None:
    body = {"inviteeEmail": "ann@example.com", "message": "Yours, Ben"}
    assert ben.client.post(f"/api/invite/{scenario.board_id}", body).status == 200
    assert scenario.owner.client.delete(scenario.path).status == 200
    with meanwhile(lambda: process_records(event_records(scenario.board_id)), "BatchGetItem"):
        purge.forget_own_texts(UserId(ben.id))
    assert rows_with("Yours, Ben") == []


def test_a_purge_of_the_past_that_left_an_owner_may_be_repeated(scenario: BoardScenario) -> None:
    user_id = UserId(scenario.owner.id)
    names = {"#s": "status"}
    transact([Update(USER.key_for(userId=user_id), "SET purged = :t, #s = :s", names, {":t": True, ":s": "inactive"})])
    purge.check(user_id)
    assert purge.begin(user_id).user_id == user_id


@pytest.mark.usefixtures("store")
def test_the_counts_of_mails_to_an_address_are_forgotten_however_it_is_spelled() -> None:
    address = "b.en+board@example.com"
    for subject in (address, counted_address(address), "ann@example.com"):
        use_up(MAILS_TO_RECIPIENT, subject, now())
    purge.forget_quotas(address)
    used = [bool(slots_in_use(MAILS_TO_RECIPIENT, recipient)) for recipient in (address, counted_address(address))]
    assert used == [False, False]
    assert slots_in_use(MAILS_TO_RECIPIENT, "ann@example.com")
