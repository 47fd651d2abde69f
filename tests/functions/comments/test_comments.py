"""Comments on meetings, documents and dashboards: writing, seeing, resolving, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.domain.comment import Subject
from governance.ids import UserId, membership_id
from governance.limits import COMMENT_MENTIONS, COMMENT_TEXT, COMMENTS_PER_SUBJECT
from governance.store.schema.entities import MEETING_COMMENT_COUNT
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Update
from governance.usecases.commenting import readers_among
from infra.operator.purging import purge_users
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.fault_injection import meanwhile
from tests.harness.history import event_items
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot

SUBJECTS = ("meeting", "document", "dashboard")
FIELD = {"fieldId": "arr", "isStub": False, "label": "ARR", "displayOrder": 1, "value": 1}
Make = Callable[[BoardScenario, Person], str]


def new_meeting(scenario: BoardScenario, by: Person, **members: Any) -> str:
    made = by.client.post(f"{scenario.path}/meetings", {"title": "Spring", "status": "scheduled", **members})
    return f"{scenario.path}/meetings/{made.data['id']}"


def new_document(scenario: BoardScenario, by: Person, **members: Any) -> str:
    made = by.client.post(f"{scenario.path}/documents", {"title": "Policy", **members})
    assert made.status == 201, made.text
    return f"{scenario.path}/documents/{made.data['id']}"


def new_dashboard(scenario: BoardScenario, by: Person, **members: Any) -> str:
    reports = f"{scenario.path}/reports"
    report = f"{reports}/{scenario.owner.client.post(reports, {'title': 'Q1'}).data['id']}"
    body = {"dashboardType": "uniform", "title": "Money", "uniform": {"fields": [FIELD]}, **members}
    made = scenario.owner.client.post(f"{report}/dashboards", body)
    path = f"{report}/dashboards/{made.data['id']}"
    if by is not scenario.owner:
        scenario.owner.client.post(f"{path}/ownership-transfer", {"userId": by.id})
    return path


MAKE: dict[str, Make] = {"meeting": new_meeting, "document": new_document, "dashboard": new_dashboard}


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest, scenario: BoardScenario) -> str:
    """The path of a meeting, a document or a dashboard of the owner."""
    return MAKE[request.param](scenario, scenario.owner)


def write(by: Person, subject: str, text: str = "Why?", **members: Any) -> Any:
    made = by.client.post(f"{subject}/comments", {"text": text, **members})
    assert made.status == 201, made.text
    return made.data


def committee(scenario: BoardScenario, *members: Person) -> str:
    ids = [membership_id(scenario.board_id, each.id) for each in members]
    body = {"name": "Audit", "memberIds": ids}
    return str(scenario.owner.client.post(f"{scenario.path}/committees", body).data["id"])


def leave(scenario: BoardScenario, who: Person) -> None:
    path = f"{scenario.path}/members/{membership_id(scenario.board_id, who.id)}"
    assert who.client.delete(path).status == 200


def told(*people: Person) -> list[list[str]]:
    found = [each.client.get("/api/notification/").json for each in people]
    return [[entry["message"] for entry in entries if entry["type"] == "new_comment"] for entries in found]


def deliver(scenario: BoardScenario) -> None:
    assert process_records(event_records(scenario.board_id)) == []


def test_a_comment_says_who_wrote_what_on_what(scenario: BoardScenario, subject: str) -> None:
    ben = scenario.member("ben")
    parent = write(scenario.owner, subject)
    made = write(ben, subject, "Because.\n\tTruly", mentions=[scenario.owner.id, ben.id], replyToId=parent["id"])
    collection, _, subject_id = subject.rpartition("/")
    assert made == {
        "object": "comment",
        "id": made["id"],
        "boardId": scenario.board_id,
        "subject": {"type": collection.rpartition("/")[2].removesuffix("s"), "id": subject_id},
        "authorUserId": ben.id,
        "text": "Because.\n\tTruly",
        "mentions": [scenario.owner.id, ben.id],
        "replyToId": parent["id"],
        "fieldId": None,
        "resolvedAt": None,
        "resolvedByUserId": None,
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
    }
    assert scenario.member("gus", access_type="guest").client.all(f"{subject}/comments") == [parent, made]


def test_comments_are_listed_oldest_first_on_pages_that_cost_the_same(
    scenario: BoardScenario, subject: str, pool: InlinePool
) -> None:
    texts = [str(number) for number in range(5)]
    for text in texts:
        write(scenario.owner, subject, text)
    pages = list(scenario.owner.client.pages(f"{subject}/comments", limit=2))
    assert [[each["text"] for each in page] for page in pages] == [["0", "1"], ["2", "3"], ["4"]]
    with count_store_calls(pool) as calls:
        scenario.owner.client.get(f"{subject}/comments", limit=2)
    assert calls.sequential == ["BatchGetItem", "Query"]


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"text": "x" * COMMENT_TEXT}, []),
        ({"text": "x" * (COMMENT_TEXT + 1)}, ["text"]),
        ({"text": " \n"}, ["text"]),
        ({"text": "\x00"}, ["text"]),
        ({}, ["text"]),
        ({"text": "T", "fieldId": "arr"}, ["fieldId"]),
        ({"text": "T", "replyToId": "0" * 24}, ["replyToId"]),
        ({"text": "T", "replyToId": "x"}, ["replyToId"]),
        ({"text": "T", "mentions": ["x"] * (COMMENT_MENTIONS + 1)}, ["mentions"]),
        ({"text": "T", "mentions": ["x", "0" * 24]}, ["mentions.0", "mentions.1"]),
        ({"text": "T", "mentions": None, "replyToId": None}, []),
    ],
)
def test_a_body_is_accepted_at_each_limit_and_refused_beyond(
    scenario: BoardScenario, body: dict[str, Any], faults: list[str]
) -> None:
    response = scenario.owner.client.post(f"{new_meeting(scenario, scenario.owner)}/comments", body)
    assert response.status == (400 if faults else 201), response.text
    assert not faults or sorted(response.fields) == faults


def test_a_comment_on_a_dashboard_may_be_on_one_of_its_figures(scenario: BoardScenario) -> None:
    dashboard = new_dashboard(scenario, scenario.owner)
    assert write(scenario.owner, dashboard, fieldId="arr")["fieldId"] == "arr"
    refused = scenario.owner.client.post(f"{dashboard}/comments", {"text": "T", "fieldId": "mrr"})
    assert list(refused.fields) == ["fieldId"]
    scenario.owner.client.patch(dashboard, {"uniform": {"fields": []}})
    assert scenario.owner.client.all(f"{dashboard}/comments")[0]["fieldId"] == "arr"
    history = new_dashboard(scenario, scenario.owner, dashboardType="historicalFundraising", uniform=None)
    refused = scenario.owner.client.post(f"{history}/comments", {"text": "T", "fieldId": "arr"})
    assert list(refused.fields) == ["fieldId"]


def test_comments_on_a_dashboard_end_with_its_report(scenario: BoardScenario) -> None:
    dashboard = new_dashboard(scenario, scenario.owner)
    comment = f"{dashboard}/comments/{write(scenario.owner, dashboard)['id']}"
    assert scenario.owner.client.delete(dashboard.partition("/dashboards/")[0]).status == 200
    for method, path, body in (
        ("GET", f"{dashboard}/comments", None),
        ("POST", f"{dashboard}/comments", {"text": "T"}),
        ("PATCH", comment, {"text": "T"}),
        ("PUT", f"{comment}/resolution", None),
        ("DELETE", comment, None),
    ):
        assert scenario.owner.client.call(method, path, body).status == 404, method


def test_a_reply_is_to_a_comment_on_the_same_thing_and_outlives_it(scenario: BoardScenario, subject: str) -> None:
    elsewhere = write(scenario.owner, new_meeting(scenario, scenario.owner))
    body = {"text": "T", "replyToId": elsewhere["id"]}
    assert list(scenario.owner.client.post(f"{subject}/comments", body).fields) == ["replyToId"]
    parent = write(scenario.owner, subject)
    reply = write(scenario.owner, subject, replyToId=parent["id"])
    assert scenario.owner.client.delete(f"{subject}/comments/{parent['id']}").data == {"deleted": True}
    assert scenario.owner.client.all(f"{subject}/comments") == [reply]


def test_the_author_changes_the_text_and_an_admin_deletes(scenario: BoardScenario, subject: str) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve", access_type="manager")
    made = write(ben, subject)
    path = f"{subject}/comments/{made['id']}"
    changed = ben.client.patch(path, {"text": "How?"})
    assert (changed.status, changed.data["text"], changed.data["createdAt"]) == (200, "How?", made["createdAt"])
    for other in (eve, scenario.owner):
        assert other.client.patch(path, {"text": "No"}).status == 403
    assert eve.client.delete(path).status == 403
    assert scenario.owner.client.delete(path).status == 200
    assert ben.client.delete(path).status == ben.client.patch(path, {"text": "T"}).status == 404
    own = write(ben, subject)
    assert ben.client.delete(f"{subject}/comments/{own['id']}").status == 200


def test_a_comment_is_resolved_by_any_collaborator_and_reopened(scenario: BoardScenario, subject: str) -> None:
    ben = scenario.member("ben")
    made = write(scenario.owner, subject)
    path = f"{subject}/comments/{made['id']}/resolution"
    done = ben.client.put(path).data
    assert (done["resolvedByUserId"], done["resolvedAt"]) == (ben.id, done["updatedAt"])
    again = ben.client.delete(path).data
    assert (again["resolvedAt"], again["resolvedByUserId"], again["text"]) == (None, None, "Why?")
    guest = scenario.member("gus", access_type="guest")
    assert guest.client.put(path).status == guest.client.post(f"{subject}/comments", {"text": "T"}).status == 403


def test_what_is_so_already_changes_nothing_and_is_no_event(scenario: BoardScenario, subject: str) -> None:
    path = f"{subject}/comments/{write(scenario.owner, subject)['id']}"
    for method, route, body in (
        ("PATCH", path, {"text": "How?"}),
        ("PUT", f"{path}/resolution", None),
        ("DELETE", f"{path}/resolution", None),
    ):
        first = scenario.owner.client.call(method, route, body).data
        before = TableSnapshot()
        assert scenario.owner.client.call(method, route, body).data == first
        assert before.changes() == {}


def test_at_most_two_thousand_are_on_one_thing(scenario: BoardScenario) -> None:
    meeting = new_meeting(scenario, scenario.owner)
    made = write(scenario.owner, meeting)
    key = MEETING_COMMENT_COUNT.key_for(boardId=scenario.board_id, meetingId=meeting.rpartition("/")[2])
    transact([Update(key, "SET #n = :n", {"#n": "count"}, {":n": COMMENTS_PER_SUBJECT}, EXISTS)])
    full = scenario.owner.client.post(f"{meeting}/comments", {"text": "T"})
    assert (full.status, full.details) == (409, {"reason": "LIMIT_REACHED"})
    scenario.owner.client.delete(f"{meeting}/comments/{made['id']}")
    write(scenario.owner, meeting)
    assert (read_one(key) or {})["count"] == COMMENTS_PER_SUBJECT


def test_what_is_finalized_stays_open_to_comments(scenario: BoardScenario) -> None:
    meeting = new_meeting(scenario, scenario.owner)
    for status in ("completed", "finalized"):
        assert scenario.owner.client.patch(meeting, {"status": status}).status == 200
    write(scenario.owner, meeting)


# -- who sees them


def test_comments_are_hidden_with_a_draft_and_with_a_committees_document(scenario: BoardScenario) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    draft = new_meeting(scenario, ben, status="draft")
    paper = new_document(scenario, ben, committeeId=committee(scenario, ben))
    for hidden in (draft, paper):
        made = write(ben, hidden)
        for other in (eve, scenario.owner):
            for method, path in (
                ("GET", f"{hidden}/comments"),
                ("POST", f"{hidden}/comments"),
                ("DELETE", f"{hidden}/comments/{made['id']}"),
                ("PUT", f"{hidden}/comments/{made['id']}/resolution"),
            ):
                body = {"text": "T"} if method == "POST" else None
                assert other.client.call(method, path, body).status == 404, (method, path)


def test_nobody_is_mentioned_who_may_not_see_it_and_the_answer_does_not_say_why(scenario: BoardScenario) -> None:
    ben, eve, stranger = scenario.member("ben"), scenario.member("eve"), person("mallory")
    draft = new_meeting(scenario, ben, status="draft")
    paper = new_document(scenario, ben, committeeId=committee(scenario, ben))
    for hidden in (draft, paper):
        refused = [
            ben.client.post(f"{hidden}/comments", {"text": "T", "mentions": [who]})
            for who in (eve.id, scenario.owner.id, stranger.id, "0" * 24, "x")
        ]
        assert {each.status for each in refused} == {400}
        assert len({str(each.fields) for each in refused}) == 1
        write(ben, hidden, mentions=[ben.id])


@pytest.mark.usefixtures("bucket")
def test_a_purge_deletes_what_its_user_wrote_and_nothing_else(scenario: BoardScenario, subject: str) -> None:
    ben = scenario.member("ben")
    key = {"Idempotency_Key": "k"}
    assert ben.client.post(f"{subject}/comments", {"text": "Planted words"}, **key).status == 201
    kept = write(scenario.owner, subject, replyToId=write(ben, subject)["id"], mentions=[ben.id])
    purge_users([ben.id])
    assert scenario.owner.client.all(f"{subject}/comments") == [kept]
    assert "Planted words" not in str(TableSnapshot().items)


@pytest.mark.usefixtures("bucket")
def test_a_purged_user_is_not_mentioned(scenario: BoardScenario) -> None:
    ben, meeting = scenario.member("ben"), new_meeting(scenario, scenario.owner)
    purge_users([ben.id])
    assert scenario.owner.client.post(f"{meeting}/comments", {"text": "T", "mentions": [ben.id]}).status == 400


def test_a_board_token_reads_comments_and_writes_none(scenario: BoardScenario, subject: str) -> None:
    robot, made = scenario.token(), write(scenario.owner, subject)
    assert robot.get(f"{subject}/comments").data == [made]
    assert robot.post(f"{subject}/comments", {"text": "T"}).status == 403
    assert robot.put(f"{subject}/comments/{made['id']}/resolution").status == 403


def test_a_comment_on_what_is_deleted_meanwhile_is_a_404(scenario: BoardScenario, subject: str) -> None:
    with meanwhile(lambda: scenario.owner.client.delete(subject)):
        assert scenario.owner.client.post(f"{subject}/comments", {"text": "T"}).status == 404


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
    assert ben.client.patch(document, {"committeeId": committee(scenario, ben)}).status == 200
    deliver(scenario)
    assert told(eve, gone) == [[], []]


def test_a_committees_document_is_not_named_in_what_is_told(scenario: BoardScenario, outbox: Outbox) -> None:
    del outbox
    ben, eve = scenario.member("ben"), scenario.member("eve")
    paper = new_document(scenario, ben, title="Secret", committeeId=committee(scenario, ben, eve))
    write(ben, paper, "Hidden words", mentions=[eve.id])
    deliver(scenario)
    assert told(eve) == [["Ben Tester has commented on a document of a committee."]]


def test_no_event_holds_the_text_and_those_of_hidden_things_are_hidden(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    draft, meeting = new_meeting(scenario, ben, status="draft"), new_meeting(scenario, ben)
    seats = committee(scenario, ben)
    paper = new_document(scenario, ben, title="Hidden title", committeeId=seats)
    for subject in (draft, meeting, paper):
        made = write(ben, subject, "Hidden words")
        path = f"{subject}/comments/{made['id']}"
        ben.client.patch(path, {"text": "Hidden words too"})
        ben.client.put(f"{path}/resolution")
        ben.client.delete(f"{path}/resolution")
        ben.client.delete(path)
    found = [event for event in event_items(scenario.board_id) if event["type"].startswith("comment.")]
    kinds = {f"comment.{kind}" for kind in ("created", "updated", "resolved", "reopened", "deleted")}
    for hidden_by in ((ben.id, None), (None, None), (None, seats)):
        of_one = [event for event in found if (event["draftOf"], event.get("committeeId")) == hidden_by]
        assert {event["type"] for event in of_one} == kinds
    assert "Hidden" not in str(found)
    assert {tuple(sorted(event["refs"])) for event in found} == {
        ("commentId", "meetingId"),
        ("commentId", "documentId"),
    }
    assert scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").text.count("comment") == 0


def test_readers_are_members_who_see_it(scenario: BoardScenario) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    about = {"type": "document", "id": "d", "board_id": scenario.board_id, "title": "T", "creator_id": None}
    named = [ben.id, eve.id, person("mallory").id, UserId("x")]
    assert readers_among(Subject(**about), named) == {ben.id, eve.id}  # type: ignore[arg-type]
    seated = Subject(**about, committee_id=committee(scenario, eve))  # type: ignore[arg-type]
    assert readers_among(seated, named) == {eve.id}
