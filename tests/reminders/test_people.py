"""People without an account get the mails of meetings: requests for votes, reminders and tasks, by personal links."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from typing import Any

import pytest

from governance.ids import membership_id
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, from_now
from tests.harness.merge_scenario import rows_naming
from tests.harness.outbox import text_of
from tests.harness.people import act, add, people
from tests.harness.table_snapshot import TableSnapshot
from tests.reminders.conftest import World

ANNA = "anna@example.com"


@pytest.fixture
def anna(world: World) -> dict[str, Any]:
    """A person without an account, whom mails go to."""
    return add(world.board, lastName="Berg", email=ANNA)


def mails(world: World, address: str = ANNA) -> list[EmailMessage]:
    world.deliver()
    return [mail for mail in world.outbox.mails if mail["To"] == address]


def subjects(world: World, address: str = ANNA) -> list[str]:
    return [str(mail["Subject"]) for mail in mails(world, address)]


def token_in(mail: EmailMessage) -> str:
    link = re.search(r"/guest/([A-Za-z0-9_-]+)", text_of(mail))
    assert link is not None, text_of(mail)
    return link[1]


def asked(world: World, meeting: MeetingScenario) -> tuple[dict[str, Any], str]:
    """Proposes a slot; returns it, and the token of the personal link in the mail about it."""
    slot = meeting.slot(from_now(hours=30))
    world.pass_time(seconds=61)
    return slot, token_in(mails(world)[-1])


def vote(token: str, slot: dict[str, Any], **members: Any) -> Any:
    return Client().put(f"/api/v1/guest/{token}/slots/{slot['id']}/vote", {"vote": "ok", **members})


def votes_of_guests(meeting: MeetingScenario, reader: Client | None = None) -> list[dict[str, Any]]:
    """Returns what guests answered to the first slot."""
    return [entry for entry in meeting.listed(reader)[0]["feedbacks"] if entry["isGuest"]]


@pytest.mark.usefixtures("anna")
def test_a_person_votes_by_the_link_in_their_mail_and_is_not_asked_again(
    world: World, meeting: MeetingScenario
) -> None:
    slot, token = asked(world, meeting)
    assert subjects(world) == ["Vote on 1 new time for the meeting “Spring”."]
    shown = Client().get(f"/api/v1/guest/{token}")
    assert (shown.status, shown.data["personal"], shown.data["title"]) == (200, True, "Spring")
    assert vote(token, slot).status == 200
    (feedback,) = votes_of_guests(meeting)
    assert (feedback["vote"], feedback["email"]) == ("ok", ANNA)
    sent = meeting.board.owner.client.post(f"{meeting.path}/reminders", {"about": "votes"})
    assert sent.data["recipients"] == []
    assert len(mails(world)) == 1


def test_who_voted_by_the_link_in_their_mail_is_told_by_mail_of_a_removed_time(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    bela = add(world.board, email="bela@example.com")
    slot, token = asked(world, meeting)
    assert vote(token, slot).status == 200
    assert meeting.remove(slot).status == 200
    *_, told = subjects(world, anna["email"])
    assert "no longer proposes" in told
    assert token_in(mails(world, anna["email"])[-1])
    assert not any("no longer proposes" in subject for subject in subjects(world, bela["email"]))


def test_who_is_archived_meanwhile_is_not_told_of_a_removed_time(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    slot, token = asked(world, meeting)
    assert vote(token, slot).status == 200
    assert meeting.remove(slot).status == 200
    assert act(world.board, anna["id"], "archive").status == 200
    assert not any("no longer proposes" in subject for subject in subjects(world, anna["email"]))


def test_mails_to_a_person_are_in_the_language_of_who_added_them(world: World, meeting: MeetingScenario) -> None:
    assert world.board.owner.client.patch("/api/v1/me", {"language": "de"}).status == 200
    add(world.board, email=ANNA)
    assert world.board.owner.client.patch("/api/v1/me", {"language": "en"}).status == 200
    asked(world, meeting)
    assert subjects(world) == ["Bitte stimmen Sie über 1 neuen Terminvorschlag für die Sitzung „Spring“ ab."]


@pytest.mark.usefixtures("anna")
def test_the_address_of_a_person_is_theirs_alone(world: World, meeting: MeetingScenario) -> None:
    slot, token = asked(world, meeting)
    plain = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    assert vote(plain, slot, email=ANNA).fields.keys() == {"email"}
    assert vote(plain, slot).fields.keys() == {"email"}
    assert vote(token, slot, email=ANNA).fields.keys() == {"email"}
    assert Client().get(f"/api/v1/guest/{plain}").data["personal"] is False
    assert vote(token, slot).status == 200
    for below in (meeting.board.member("carl").client, meeting.board.token()):
        (hidden,) = votes_of_guests(meeting, below)
        assert (hidden["vote"], hidden["email"]) == ("ok", None)
    meeting.board.owner.client.call("DELETE", f"{meeting.path}/guest-link", query="votes=discard")
    assert [vote["vote"] for vote in votes_of_guests(meeting)] == ["ok"]


@pytest.mark.usefixtures("anna")
def test_every_mail_of_a_meeting_has_the_same_link_and_it_lives_thirty_days_after_the_last(
    world: World, meeting: MeetingScenario
) -> None:
    _, token = asked(world, meeting)
    world.move(days=20)
    meeting.slot(from_now(days=40))
    world.pass_time(minutes=11)
    assert [token_in(mail) for mail in mails(world)] == [token, token]
    world.move(days=20)
    assert Client().get(f"/api/v1/guest/{token}").status == 200
    world.move(days=11)
    assert Client().get(f"/api/v1/guest/{token}").status == 404


@pytest.mark.parametrize("ending", ["archive", "scrub", "address", "member", "draft"])
def test_the_links_end_and_do_not_come_back(
    ending: str, world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    slot, token = asked(world, meeting)
    path = f"{people(world.board)}/{anna['id']}"
    if ending in ("archive", "scrub"):
        assert act(world.board, anna["id"], ending).status == 200
    elif ending == "address":
        assert world.board.owner.client.patch(path, {"email": "berg@example.com"}).status == 200
        assert world.board.owner.client.patch(path, {"email": ANNA}).status == 200
    elif ending == "draft":
        meeting.patch(status="draft")
    else:
        world.board.member("anna")
    assert Client().get(f"/api/v1/guest/{token}").status == 404
    assert vote(token, slot).status == 404
    if ending == "archive":
        assert act(world.board, anna["id"], "unarchive").status == 200
        assert Client().get(f"/api/v1/guest/{token}").status == 404


def test_no_mails_go_to_whom_they_do_not_reach_or_who_does_not_want_them(
    world: World, meeting: MeetingScenario
) -> None:
    archived = add(world.board, firstName="Archie", email="archie@example.com")
    act(world.board, archived["id"], "archive")
    add(world.board, firstName="Quentin", email="quentin@example.com", receivesMail=False)
    add(world.board, firstName="Nobody")
    add(world.board, firstName="Mia", email="mia@example.com")
    world.board.member("mia")
    asked_of = meeting.board.member("ben")
    meeting.slot(from_now(hours=30))
    world.pass_time(seconds=61)
    asked_people = {str(mail["To"]) for mail in world.outbox.mails if "Vote on" in str(mail["Subject"])}
    assert asked_people == {asked_of.email, "mia@example.com"}, "Mia is asked once, as a member"
    assert len(mails(world, "mia@example.com")) == 1


def test_one_click_turns_all_mails_of_the_board_off_and_nobody_is_its_actor(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    asked(world, meeting)
    (mail,) = mails(world)
    path = "/api/v1" + str(mail["List-Unsubscribe"]).strip("<>").partition("/api/v1")[2]
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert Client().get(path).data == {"object": "mail_subscription", "topic": "board", "enabled": True}
    switched = Client().call("POST", path, raw="List-Unsubscribe=One-Click", headers=form)
    assert (switched.status, switched.data["enabled"]) == (200, False)
    assert world.board.owner.client.get(f"{people(world.board)}/{anna['id']}").data["receivesMail"] is False
    entries = world.board.owner.client.get(f"/api/auditlog/{world.board.board_id}").json
    (entry,) = [entry for entry in entries if entry["action"] == "boardUserUnregisteredUpdate"]
    assert (entry["actorUser"], entry["details"]) == (None, {"id": anna["id"], "fields": ["receivesMail"]})
    meeting.slot(from_now(hours=31))
    world.pass_time(minutes=12)
    assert len(mails(world)) == 1


def test_a_task_and_its_due_date_are_mailed(world: World, meeting: MeetingScenario, anna: dict[str, Any]) -> None:
    client = world.board.owner.client
    world.stop_clock(from_now(seconds=1))
    task = client.post(f"{meeting.path}/action-items", {"title": "Accounts"}).json["data"]
    path = f"{meeting.path}/action-items/{task['_id']}"
    assert client.put(f"{path}/unregistered-assignee", {"unregisteredUserId": anna["id"]}).status == 200
    world.deliver()
    world.pass_time(seconds=30)
    assert [subject for subject in subjects(world) if "Accounts" in subject] == subjects(world)
    assert len(subjects(world)) == 1
    due_on = from_now(days=3)[:10]
    assert client.put(f"{path}/due", {"dueOn": due_on}).status == 200
    for _ in range(3 * 24):
        world.pass_time(hours=1)
    assert [subject for subject in subjects(world) if "due tomorrow" in subject] == [
        "The action item “Accounts” is due tomorrow."
    ]


def words_left() -> list[tuple[str, str]]:
    """Returns the keys of the rows with Anna's address or comment, but the counts of mails to her over all boards."""
    rows = ((key, json.dumps([key, item], default=str)) for key, item in TableSnapshot().items.items())
    left = [key for key, text in rows if ANNA in text or "I am Anna" in text]
    return [key for key in left if not key[0].startswith("ALLOWANCE#")]


@pytest.mark.parametrize("address", ["berg@example.com", None])
def test_a_scrub_takes_what_was_voted_under_an_earlier_address_too(
    world: World, meeting: MeetingScenario, anna: dict[str, Any], address: str | None
) -> None:
    slot, token = asked(world, meeting)
    assert vote(token, slot, comment="I am Anna").status == 200
    assert world.board.owner.client.patch(f"{people(world.board)}/{anna['id']}", {"email": address}).status == 200
    (hidden,) = votes_of_guests(meeting, meeting.board.token())
    assert hidden["email"] is None
    assert words_left()
    act(world.board, anna["id"], "scrub")
    world.deliver()
    (feedback,) = votes_of_guests(meeting)
    assert (feedback["vote"], feedback["email"], feedback["comment"]) == ("ok", None, None)
    assert words_left() == []


def test_a_scrub_leaves_the_vote_of_whoever_has_the_address_now(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    act(world.board, anna["id"], "archive")
    add(world.board, firstName="Ada", email=ANNA)
    slot, token = asked(world, meeting)
    assert vote(token, slot, comment="From Ada").status == 200
    act(world.board, anna["id"], "scrub")
    world.deliver()
    (feedback,) = votes_of_guests(meeting)
    assert (feedback["email"], feedback["comment"]) == (ANNA, "From Ada")


def test_of_votes_under_two_addresses_the_later_is_the_members_after_a_merge(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    path = f"{people(world.board)}/{anna['id']}"
    slot, token = asked(world, meeting)
    assert vote(token, slot).status == 200
    assert world.board.owner.client.patch(path, {"email": "berg@example.com"}).status == 200
    meeting.slot(from_now(hours=40))
    world.pass_time(minutes=11)
    later = token_in(mails(world, "berg@example.com")[-1])
    assert vote(later, slot, vote="cant").status == 200
    ben = world.board.member("ben")
    into = {"memberId": membership_id(world.board.board_id, ben.id)}
    preview = world.board.owner.client.post(f"{path}/merge", {**into, "dryRun": True})
    merged = world.board.owner.client.post(f"{path}/merge", into)
    assert preview.data["moved"] == merged.data["moved"]
    assert merged.data["moved"]["guestVotes"] == 1
    feedbacks = next(listed["feedbacks"] for listed in meeting.listed() if listed["id"] == slot["id"])
    votes = [(entry["userId"], entry["vote"]) for entry in feedbacks if entry["userId"] != world.board.owner.id]
    assert votes == [(ben.id, "cant")]
    assert rows_naming(anna["id"]) == []


def test_a_vote_by_a_guest_link_is_the_persons_once_they_give_it_by_their_own(
    world: World, meeting: MeetingScenario
) -> None:
    plain = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    slot = meeting.slot(from_now(hours=30))
    assert vote(plain, slot, email=ANNA).status == 200
    world.board.member("ben")
    world.pass_time(seconds=61)
    add(world.board, lastName="Berg", email=ANNA)
    meeting.slot(from_now(hours=40))
    world.pass_time(minutes=11)
    assert vote(token_in(mails(world)[-1]), slot).status == 200
    meeting.board.owner.client.call("DELETE", f"{meeting.path}/guest-link", query="votes=discard")
    assert [vote["vote"] for vote in votes_of_guests(meeting)] == ["ok"]


def choose(meeting: MeetingScenario, *person_ids: str) -> None:
    body = {"unregisteredUserIds": list(person_ids)}
    chosen = meeting.board.owner.client.put(f"{meeting.path}/people", body)
    assert chosen.status == 200, chosen.text


def test_only_those_who_are_invited_are_asked_for_votes(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    bela = add(world.board, firstName="Bela", email="bela@example.com")
    choose(meeting, bela["id"])
    meeting.slot(from_now(hours=30))
    world.pass_time(seconds=61)
    assert subjects(world) == []
    assert len(subjects(world, bela["email"])) == 1
    reminded = world.board.owner.client.post(f"{meeting.path}/reminders", {"about": "votes"})
    assert reminded.status == 201
    assert subjects(world, anna["email"]) == []
    assert len(subjects(world, bela["email"])) == 2


def test_who_is_put_in_is_asked_to_vote_on_all_times_by_a_link_of_their_own_and_nobody_else_is(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    bela = add(world.board, firstName="Bela", email="bela@example.com")
    carl = world.board.member("carl")
    choose(meeting, bela["id"])
    meeting.slot(from_now(hours=30))
    slot = meeting.slot(from_now(hours=31))
    world.pass_time(seconds=61)
    before = len(world.mails(carl)), len(mails(world, bela["email"]))
    choose(meeting, bela["id"], anna["id"])
    assert subjects(world) == ["Vote on 2 new times for the meeting “Spring”."]
    assert vote(token_in(mails(world)[-1]), slot).status == 200
    assert (len(world.mails(carl)), len(mails(world, bela["email"]))) == before
    choose(meeting, bela["id"], anna["id"])
    assert len(mails(world)) == 1, "the same choice again tells nobody"


def test_times_that_the_others_are_still_to_be_asked_about_are_asked_together(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    choose(meeting)
    meeting.slot(from_now(hours=30))
    choose(meeting, anna["id"])
    assert subjects(world) == []
    world.pass_time(seconds=61)
    assert subjects(world) == ["Vote on 1 new time for the meeting “Spring”."]


@pytest.mark.usefixtures("anna")
def test_who_is_taken_out_loses_the_link_and_keeps_the_vote_and_the_link_is_back_with_the_invitation(
    world: World, meeting: MeetingScenario
) -> None:
    slot, token = asked(world, meeting)
    assert vote(token, slot).status == 200
    choose(meeting)
    assert Client().get(f"/api/v1/guest/{token}").status == 404
    assert vote(token, slot, vote="cant").status == 404
    assert [vote["vote"] for vote in votes_of_guests(meeting)] == ["ok"]
    assert meeting.board.owner.client.put(f"{meeting.path}/people", {"unregisteredUserIds": None}).status == 200
    assert Client().get(f"/api/v1/guest/{token}").status == 200


def test_who_is_taken_out_is_not_told_of_a_removed_time_nor_reminded_of_the_meeting(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    slot, token = asked(world, meeting)
    assert vote(token, slot).status == 200
    booked = meeting.slot(from_now(hours=40))
    assert meeting.confirm(booked).status == 200
    assert meeting.remove(slot).status == 200
    choose(meeting)
    before = len(mails(world))
    world.pass_time(hours=17)
    assert len(mails(world)) == before
    assert not any("no longer proposes" in subject for subject in subjects(world, anna["email"]))


def test_who_is_not_invited_gets_the_mails_of_their_tasks_without_a_link(
    world: World, meeting: MeetingScenario, anna: dict[str, Any]
) -> None:
    choose(meeting)
    client = world.board.owner.client
    task = client.post(f"{meeting.path}/action-items", {"title": "Accounts"}).json["data"]
    path = f"{meeting.path}/action-items/{task['_id']}"
    assert client.put(f"{path}/unregistered-assignee", {"unregisteredUserId": anna["id"]}).status == 200
    world.deliver()
    world.pass_time(seconds=30)
    (mail,) = mails(world)
    assert "Accounts" in str(mail["Subject"])
    assert "/guest/" not in text_of(mail)
    assert "/app" not in text_of(mail)
