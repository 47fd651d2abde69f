"""What paper requests do to a board pack: its cover names what is missing, and it may leave out what is not approved
(ADR packs)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.documents.conftest import reason
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.paper_scenario import Papers, new_paper_scenario
from tests.harness.people import add
from tests.packs.making import PackScenario, item, of_reportlab, texts, work

pytestmark = pytest.mark.usefixtures("bucket", "in_this_process")


@pytest.fixture
def papers(scenario: BoardScenario) -> Papers:
    """Returns a meeting whose papers are asked for, of Adam Smith by default."""
    papers = new_paper_scenario(scenario)
    named = papers.asked.client.call("PATCH", "/api/v1/me", {"firstName": "Adam", "lastName": "Smith"})
    assert named.status == 200, named.text
    return papers


@pytest.fixture
def packs(papers: Papers) -> PackScenario:
    """Returns the same meeting, of which packs are made."""
    return PackScenario(papers.meeting)


def pages(packs: PackScenario, **body: Any) -> list[str]:
    """Returns the texts of the pages of a new pack."""
    return texts(packs.read(packs.make(**body)))


def missing(cover: str) -> list[str]:
    """Returns the lines about missing papers of a cover, the last of which is its number."""
    return cover.partition("Missing papers\n")[2].split("\n")[:-1]


def test_the_cover_says_which_papers_are_missing_whom_they_were_asked_of_and_their_day(
    papers: Papers, packs: PackScenario, clock: Clock
) -> None:
    requests = []
    for title in ("Plan", "Budget", "Forecast", "Approved", "Waits"):
        requests.append(papers.request(title=title))
        clock.move(1)
    anna = add(papers.board, lastName="Berg")["id"]
    papers.request(title="Opinion", **{"from": {"unregisteredUserId": anna}})
    assert papers.owner.patch(requests[1], {"status": "cancelled"}).status == 200
    for request in (requests[0], *requests[3:]):
        papers.send(request)
    assert papers.decide(requests[0], "returned").status == 200
    assert papers.decide(requests[3]).status == 200
    assert missing(pages(packs)[0]) == [
        "Plan · Adam Smith · due on Monday, 31 March 2098",
        "Forecast · Adam Smith · due on Monday, 31 March 2098",
        "Opinion · Anna Berg · due on Monday, 31 March 2098",
    ]


def test_the_day_is_that_of_the_meeting_and_who_has_left_is_not_named(papers: Papers, packs: PackScenario) -> None:
    assert papers.meeting.confirm(papers.meeting.slot(timezone="Asia/Tokyo")).status == 200
    papers.request(dueAt="2098-03-31T20:00:00Z")
    assert papers.owner.delete(papers.board.member_path(papers.asked)).status == 200
    assert missing(pages(packs)[0]) == ["Forecast · due on Tuesday, 1 April 2098"]


def test_a_cover_in_german_names_what_is_missing_in_german(papers: Papers, packs: PackScenario) -> None:
    assert papers.owner.patch("/api/v1/me", {"language": "de"}).status == 200
    papers.request(title="Prognose")
    assert "Fehlende Unterlagen\nPrognose · Adam Smith · fällig am Montag, 31. März 2098" in pages(packs)[0]


def test_the_cover_names_the_first_missing_papers_and_counts_the_others(
    papers: Papers, packs: PackScenario, clock: Clock
) -> None:
    for number in range(10):
        papers.request(title=f"{number} {'x' * 100}")
        clock.move(1)
    cover, agenda = pages(packs)
    lines = missing(cover)
    assert f"0 {'x' * 78}… · Adam Smith" in lines[0]
    assert [line for line in lines if line[:2] == "7 "]
    assert not [line for line in lines if line[:2] == "8 "]
    assert lines[-1] == "and 2 more"
    assert agenda.startswith("Agenda")


def test_a_cover_says_nothing_where_nothing_is_missing(papers: Papers, packs: PackScenario) -> None:
    papers.send(papers.request())
    assert "Missing papers" not in pages(packs)[0]


def test_a_pack_of_approved_papers_leaves_out_what_was_requested_and_is_not_approved(
    papers: Papers, packs: PackScenario
) -> None:
    (_, waiting, returned, approved) = listed = [
        packs.paper(of_reportlab(f"Text of {title}"), title=title)
        for title in ("Never asked", "Waiting", "Returned", "Approved")
    ]
    packs.put_agenda(item("All", *listed))
    for paper, decision in ((waiting, None), (returned, "returned"), (approved, "approved")):
        request = papers.request()
        assert papers.deliver(request, paper.document["id"]).status == 200
        assert decision is None or papers.decide(request, decision).status == 200
    shown = pages(packs, approvedOnly=True)
    assert shown[1].split("\n")[2:-1] == ["Never asked (page 3)", "Approved (page 4)"]
    assert [page.split("\n")[0] for page in shown[2:]] == ["Text of Never asked", "Text of Approved"]
    assert len(pages(packs)) == len(pages(packs, approvedOnly=False)) == 6


def test_a_committee_has_no_part_in_a_pack_without_its_paper(papers: Papers, packs: PackScenario) -> None:
    finance, audit = (papers.board.committee(papers.board.owner) for _ in range(2))
    of_finance, of_audit = (packs.paper(of_reportlab("x"), committeeId=id_) for id_ in (finance, audit))
    packs.put_agenda(item("All", of_finance, of_audit))
    request = papers.request(**{"from": {"userId": papers.board.owner.id}})
    assert papers.owner.post(f"{request}/delivery", {"documentId": of_audit.document["id"]}).status == 200
    assert reason(packs.ask()) == "MIXED_READERS"
    document = packs.begin(approvedOnly=True)
    assert document["committeeId"] == finance
    work()
    assert packs.version(document)["status"] == "ready"


def test_a_paper_that_is_approved_meanwhile_is_in_the_pack(papers: Papers, packs: PackScenario) -> None:
    request = papers.request(agendaItemId=papers.item)
    papers.send(request, of_reportlab("x"))
    document = packs.begin(approvedOnly=True)
    assert papers.decide(request).status == 200
    work()
    assert "Forecast (page 3)" in texts(packs.read(packs.version(document)))[1]


@pytest.mark.parametrize("body", [{"approvedOnly": "true"}, {"approvedOnly": 1}, {"approved": True}, []])
def test_how_a_pack_is_made_is_true_or_false(packs: PackScenario, body: Any) -> None:
    assert packs.ask(body=body).status == 400
    assert packs.ask(body={"approvedOnly": None}).status == 201
