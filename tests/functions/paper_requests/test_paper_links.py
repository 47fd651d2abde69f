"""The link by which a person without an account delivers a paper: what it opens, until when (ADR paper-requests)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.instants import Instant, shift, to_datetime
from governance.limits import GUEST_LINK_DAYS
from tests.functions.documents.conftest import reason
from tests.harness import queue
from tests.harness.board_scenario import Person
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import stored_events
from tests.harness.outbox import Outbox, text_of
from tests.harness.paper_links import ANNA, AskedPerson, asked_person, complete, declare, deliver, slot, upload
from tests.harness.paper_scenario import DUE, Papers
from tests.harness.people import act
from tests.harness.stream import event_records, send_to_queue
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import PDF

pytestmark = pytest.mark.usefixtures("bucket")


@pytest.fixture
def anna(papers: Papers, outbox: Outbox) -> AskedPerson:
    return asked_person(papers, outbox)


def test_the_link_shows_the_slot_and_nothing_of_the_board(anna: AskedPerson) -> None:
    request = anna.ask(title="Audit report", instructions="Two pages.", agendaItemId=anna.papers.item)
    token = anna.token()
    assert slot(token).data == {
        "object": "paper_slot",
        "title": "Audit report",
        "dueAt": DUE,
        "instructions": "Two pages.",
        "status": "requested",
        "note": None,
        "files": [],
    }
    declared = declare(token)
    assert set(declared.data) == {"object", "id", "fileName", "size", "status", "upload"}
    shown = f"{slot(token).text} {declared.text}"
    hidden = [request.rpartition("/")[2], anna.id, anna.papers.board.owner.id, "Budget", anna.papers.meeting.path]
    assert [name for name in hidden if name in shown.replace(declared.data["upload"]["fields"]["key"], "")] == []


def test_a_file_delivers_the_paper_in_the_name_of_the_person(anna: AskedPerson) -> None:
    request = anna.ask()
    sent = deliver(token := anna.token())
    assert (sent["status"], sent["upload"]) == ("ready", None)
    assert slot(token).data["files"] == [{"fileName": sent["fileName"], "size": len(PDF), "status": "ready"}]
    delivered = anna.papers.owner.get(request).data
    assert (delivered["status"], delivered["documentId"]) == ("delivered", delivered["id"])
    (event,) = stored_events(anna.papers.board, "paper_request.delivered")
    assert (event.actor_user_id, event.refs["unregisteredUserId"]) == (None, anna.id)
    anna.mails()
    told = anna.papers.owner.get("/api/notification/").json
    assert [row["message"] for row in told if row["type"] == "paper_delivered"] == [
        "Anna Berg delivered the paper “Forecast”. It waits for approval."
    ]
    assert anna.papers.decide(request).status == 200
    document = anna.papers.owner.get(f"{anna.papers.board.path}/documents/{delivered['id']}").data
    assert document["createdByUserId"] == anna.papers.board.owner.id


def test_a_newer_file_may_follow_until_the_paper_is_approved(anna: AskedPerson) -> None:
    request = anna.ask()
    token = anna.token()
    deliver(token)
    deliver(token, PDF + b"newer")
    assert [each["size"] for each in slot(token).data["files"]] == [len(PDF) + 5, len(PDF)]
    waiting = upload(token)
    assert anna.papers.decide(request).status == 200
    before = TableSnapshot().items
    assert [slot(token).status, declare(token).status, complete(token, waiting).status] == [404] * 3
    assert TableSnapshot().items == before


@pytest.mark.parametrize("end", ["cancelled", "deleted", "archived", "address", "scrubbed", "expired", "member"])
def test_the_link_ends(anna: AskedPerson, end: str, clock: Clock) -> None:
    request, board, owner = anna.ask(), anna.papers.board, anna.papers.owner
    token = anna.token()
    assert slot(token).status == 200
    path = f"{board.path}/unregistered-users/{anna.id}"
    if end == "cancelled":
        assert owner.patch(request, {"status": "cancelled"}).status == 200
    elif end == "deleted":
        assert owner.delete(request).status == 200
    elif end == "address":
        assert owner.patch(path, {"email": "berg@example.com"}).status == 200
    elif end == "expired":
        clock.stop(to_datetime(shift(Instant(DUE), days=GUEST_LINK_DAYS)))
    elif end == "member":
        assert board.member("anna").email == ANNA
    else:
        assert act(board, anna.id, "archive").status == 200
        if end == "scrubbed":
            assert act(board, anna.id, "scrub").status == 200
    assert [slot(token).status, declare(token).status] == [404, 404]
    if end == "archived":
        assert act(board, anna.id, "unarchive").status == 200
        assert slot(token).status == 404


def test_the_link_lives_until_thirty_days_after_the_paper_is_due_whenever_that_is(
    anna: AskedPerson, clock: Clock
) -> None:
    request = anna.ask()
    token = anna.token()
    assert anna.papers.owner.patch(request, {"dueAt": shift(Instant(DUE), days=5)}).status == 200
    clock.stop(to_datetime(shift(Instant(DUE), days=GUEST_LINK_DAYS + 4)))
    assert slot(token).status == 200
    clock.stop(to_datetime(shift(Instant(DUE), days=GUEST_LINK_DAYS + 5)))
    assert slot(token).status == 404


def test_a_returned_paper_is_asked_for_by_a_new_link_which_ends_the_one_before(anna: AskedPerson) -> None:
    request = anna.ask()
    first = anna.token()
    for number in (1, 2):  # within minutes: each return is mailed
        deliver(anna.token())
        assert anna.papers.decide(request, "returned", note=f"Figures {number}.").status == 200
        assert "returned the paper" in text_of(anna.mails()[-1])
        assert len(anna.mails()) == 1 + number
    shown = slot(second := anna.token()).data
    assert (second != first, shown["status"], shown["note"]) == (True, "returned", "Figures 2.")
    assert slot(first).status == 404


def test_a_link_opens_one_request(anna: AskedPerson) -> None:
    anna.ask(title="First")
    first = anna.token()
    anna.ask(title="Second")
    second = anna.token()
    sent = upload(first)
    assert complete(second, sent).status == 404
    assert [slot(token).data["title"] for token in (first, second)] == ["First", "Second"]
    forged = second[:48] + first[48:]
    assert [slot(token).status for token in (forged, second[:-1], "x" * 80, second + "A")] == [404] * 4


@pytest.mark.parametrize(
    ("members", "field"),
    [({"fileName": "a/b.pdf"}, "fileName"), ({"mimeType": "text/html"}, "mimeType"), ({"size": 0}, "size")],
)
def test_files_are_judged_as_everybody_s(anna: AskedPerson, members: dict[str, Any], field: str) -> None:
    anna.ask()
    token = anna.token()
    refused = declare(token, **members)
    assert (refused.status, list(refused.json["error"]["details"]["fields"])) == (400, [field])
    assert slot(token).data["files"] == []


def test_a_file_that_did_not_arrive_delivers_nothing(anna: AskedPerson) -> None:
    request = anna.ask()
    token = anna.token()
    version = declare(token).data["id"]
    assert reason(complete(token, version)) == "UPLOAD_INCOMPLETE"
    assert anna.papers.owner.get(request).data["status"] == "requested"
    assert complete(token, "0" * 24).status == 404


def test_a_draft_hides_the_slot_s_files_and_a_finalized_meeting_takes_none(anna: AskedPerson) -> None:
    anna.ask()
    token = anna.token()
    for status in ("in_progress", "completed", "finalized"):
        assert anna.papers.owner.patch(anna.papers.meeting.path, {"status": status}).status == 200
    assert reason(declare(token)) == "MEETING_FINALIZED"


def test_nobody_but_the_person_delivers(anna: AskedPerson) -> None:
    request = anna.ask()
    document = anna.papers.document()
    for client in (anna.papers.asked.client, anna.papers.owner):
        assert client.post(f"{request}/delivery", {"documentId": document}).status in (403, 404)
    assert Client().post(f"{request}/delivery", {"documentId": document}).status == 401


def test_the_mail_says_what_to_do_and_names_neither_agenda_nor_meeting(anna: AskedPerson) -> None:
    anna.ask(title="Audit report", agendaItemId=anna.papers.item)
    (mail,) = anna.mails()
    assert "asks you for the paper “Audit report” by" in str(mail["Subject"])
    text = text_of(mail)
    assert "Deliver the paper:" in text
    assert anna.papers.board.owner.client.get(anna.papers.board.path).data["name"] in text
    assert [name for name in ("Budget", "/meetings/") if name in text] == []


def test_every_mail_to_the_person_says_that_they_were_asked_for_a_paper(anna: AskedPerson) -> None:
    request = anna.ask()
    assert anna.papers.owner.post(f"{request}/reminder").status == 200
    for decision in ("returned", "approved"):
        deliver(anna.token())
        assert anna.papers.decide(request, decision).status == 200
    texts = [text_of(mail) for mail in anna.mails()]
    assert len(texts) == 4
    for text in texts:
        assert "You were asked for a paper of the board." in text
        assert "take part in the meetings" not in text


def deliver_all(papers: Papers) -> None:
    assert send_to_queue(event_records(papers.board.board_id)) == []
    queue.current.deliver()


@pytest.mark.parametrize(
    ("language", "asked", "delivered", "decided"),
    [
        (
            "en",
            "You were asked for a paper of the board.",
            "You asked for a paper of the board, or review it.",
            "You delivered a paper of the board, or asked for it.",
        ),
        (
            "de",
            "Sie wurden um eine Unterlage des Gremiums gebeten.",
            "Sie haben um eine Unterlage des Gremiums gebeten oder prüfen sie.",
            "Sie haben eine Unterlage des Gremiums eingereicht oder darum gebeten.",
        ),
    ],
)
def test_mails_to_members_say_what_they_have_to_do_with_the_paper(
    papers: Papers, outbox: Outbox, language: str, asked: str, delivered: str, decided: str
) -> None:
    for each in (papers.board.owner, papers.asked, papers.reviewer):
        assert each.client.patch("/api/v1/me", {"language": language}).status == 200
    request = papers.request(reviewerUserId=papers.reviewer.id)
    deliver_all(papers)
    papers.send(request)
    deliver_all(papers)
    assert papers.decide(request, client=papers.reviewer.client).status == 200
    deliver_all(papers)

    def reasons(person: Person) -> list[str]:
        texts = [text_of(mail) for mail in outbox.mails if mail["To"] == person.email]
        return [reason for text in texts for reason in (asked, delivered, decided) if reason in text]

    assert reasons(papers.asked) == [asked, decided]
    assert reasons(papers.board.owner) == [delivered, decided]
    assert reasons(papers.reviewer) == [delivered]


def test_a_person_whom_no_mails_go_to_is_asked_all_the_same(papers: Papers, outbox: Outbox) -> None:
    person = asked_person(papers, outbox, receivesMail=False)
    assert papers.owner.get(person.ask()).data["status"] == "requested"
    assert person.mails() == []
