"""Who sees a comment, who may be mentioned in it, and who is told of it."""

from __future__ import annotations

import pytest

from infra.operator.purging import purge_users
from tests.functions.comments.conftest import MAKE, new_document, new_meeting, write
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.history import event_items
from tests.harness.meeting_scenario import leave
from tests.harness.outbox import Outbox
from tests.harness.stream import event_records, process_records


def told(*people: Person) -> list[list[str]]:
    inboxes = [reader.client.get("/api/notification/").json for reader in people]
    return [[entry["message"] for entry in entries if entry["type"] == "new_comment"] for entries in inboxes]


def deliver(scenario: BoardScenario) -> None:
    assert process_records(event_records(scenario.board_id)) == []


# -- who sees them


def test_nobody_is_mentioned_who_may_not_see_it_and_the_answer_does_not_say_why(scenario: BoardScenario) -> None:
    ben, eve, stranger = scenario.member("ben"), scenario.member("eve"), person("mallory")
    draft = new_meeting(scenario, ben, status="draft")
    paper = new_document(scenario, ben, committeeId=scenario.committee(ben))
    for hidden in (draft, paper):
        refused = [
            ben.client.post(f"{hidden}/comments", {"text": "T", "mentions": [who]})
            for who in (eve.id, scenario.owner.id, stranger.id, "0" * 24)
        ]
        assert {response.status for response in refused} == {400}
        assert len({str(response.fields) for response in refused}) == 1
        write(ben, hidden, mentions=[ben.id])


@pytest.mark.usefixtures("bucket")
def test_a_purged_user_is_not_mentioned(scenario: BoardScenario) -> None:
    ben, meeting = scenario.member("ben"), new_meeting(scenario, scenario.owner)
    purge_users([ben.id])
    assert scenario.owner.client.post(f"{meeting}/comments", {"text": "T", "mentions": [ben.id]}).status == 400


# -- who is told


def test_those_mentioned_the_one_replied_to_and_the_owner_are_told_once(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    ben, eve, ida, ola = (scenario.member(name) for name in ("ben", "eve", "ida", "ola"))
    for kind, words in (
        ("meeting", "meeting “Spring”"),
        ("document", "document “Policy”"),
        ("dashboard", "dashboard “Money”"),
    ):
        subject = MAKE[kind](scenario, ola)
        parent = write(ben, subject)
        write(eve, subject, mentions=[ida.id, ola.id, eve.id], replyToId=parent["id"])
        deliver(scenario)
        message = f"has commented on the {words}."
        assert [message in text for text in told(ben)[0]].count(True) == 1
        assert [message in text for text in told(ida)[0]].count(True) == 1
        assert sum(message in text for text in told(ola)[0]) == 2
        assert not any(message in text for text in told(eve)[0])
    assert not any("comment" in str(mail["Subject"]) for mail in outbox.mails), "comments are told in the app"


def test_who_no_longer_sees_it_when_it_is_told_is_not_told(scenario: BoardScenario, outbox: Outbox) -> None:
    del outbox
    ben, eve, gone = scenario.member("ben"), scenario.member("eve"), scenario.member("gone")
    meeting, document = new_meeting(scenario, ben), new_document(scenario, ben)
    removed = write(ben, meeting, mentions=[eve.id])
    write(ben, meeting, mentions=[eve.id, gone.id])
    write(ben, document, mentions=[eve.id])
    ben.client.delete(f"{meeting}/comments/{removed['id']}")
    leave(scenario, gone)
    ben.client.patch(meeting, {"status": "draft"})
    assert ben.client.patch(document, {"committeeId": scenario.committee(ben)}).status == 200
    deliver(scenario)
    assert told(eve, gone) == [[], []]


def test_a_committees_document_is_not_named_in_what_is_told(scenario: BoardScenario, outbox: Outbox) -> None:
    del outbox
    ben, eve = scenario.member("ben"), scenario.member("eve")
    paper = new_document(scenario, ben, title="Secret", committeeId=scenario.committee(ben, eve))
    write(ben, paper, "Hidden words", mentions=[eve.id])
    deliver(scenario)
    assert told(eve) == [["Ben Tester has commented on a document of a committee."]]


def test_no_event_holds_the_text_and_those_of_hidden_things_are_hidden(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    draft, meeting = new_meeting(scenario, ben, status="draft"), new_meeting(scenario, ben)
    seats = scenario.committee(ben)
    paper = new_document(scenario, ben, title="Hidden title", committeeId=seats)
    for subject in (draft, meeting, paper):
        made = write(ben, subject, "Hidden words")
        path = f"{subject}/comments/{made['id']}"
        ben.client.patch(path, {"text": "Hidden words too"})
        ben.client.put(f"{path}/resolution")
        ben.client.delete(f"{path}/resolution")
        ben.client.delete(path)
    events = [event for event in event_items(scenario.board_id) if event["type"].startswith("comment.")]
    kinds = {f"comment.{kind}" for kind in ("created", "updated", "resolved", "reopened", "deleted")}
    for hidden_by in ((ben.id, None), (None, None), (None, seats)):
        of_one = [event for event in events if (event["draftOf"], event.get("committeeId")) == hidden_by]
        assert {event["type"] for event in of_one} == kinds
    assert "Hidden" not in str(events)
    assert {tuple(sorted(event["refs"])) for event in events} == {
        ("commentId", "meetingId"),
        ("commentId", "documentId"),
    }
    assert scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").text.count("comment") == 0
