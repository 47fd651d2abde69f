"""The PDF of a certificate: a person can read it, and the certificate itself is attached (ADR resolutions)."""

from __future__ import annotations

from typing import Any

import pytest

from infra.verify import certificate as checker
from tests.harness import queue, sealing
from tests.harness.board_scenario import Person
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.uploads import new_document
from tests.packs.making import PackScenario, texts, work

pytestmark = [pytest.mark.usefixtures("bucket", "in_this_process")]


@pytest.fixture
def votes(packs: PackScenario) -> ResolutionScenario:
    return ResolutionScenario(packs.board)


def decided(votes: ResolutionScenario, *choices: str, **members: Any) -> str:
    path = votes.opened(**members)
    for voter, choice in zip(votes.voters, choices, strict=False):
        assert votes.vote(path, voter, choice).status == 200
    assert votes.close(path).status == 200
    return path


def asked(packs: PackScenario, votes: ResolutionScenario, path: str, by: Person | None = None) -> Any:
    """Returns the document of a certificate's PDF, which is asked for."""
    created = (by or votes.manager).client.post(f"{path}/certificate/document")
    assert created.status == 201, created.text
    packs.deliver()
    return created.data


def test_a_person_reads_what_was_decided_and_the_attached_file_proves_it(
    packs: PackScenario, votes: ResolutionScenario
) -> None:
    path = decided(votes, "for", "against", "for")
    sealing.seal(packs.board.board_id)
    document = asked(packs, votes, path)
    number = votes.get(path)["number"]
    assert (document["documentType"], document["title"]) == ("resolution", f"{number} Adopt the budget")
    work()
    reader = packs.read(packs.version(document))
    first, *others = texts(reader)
    assert first.splitlines()[0] == "Adopt the budget"
    assert {f"Resolution {number}", "Carried"} <= set(first.splitlines())
    told = "\n".join(others)
    assert "For 2 · against 1 · abstained 0" in told
    assert "3 of 3 voted." in told
    assert {name: len(files) for name, files in reader.attachments.items()} == {"certificate.json": 1}
    (attached,) = reader.attachments["certificate.json"]
    assert attached.decode() == votes.manager.client.get(f"{path}/certificate").text
    assert checker.report(attached.decode(), sealing.key().text)[-1] == "Its signature holds."


def test_votes_are_told_by_name_unless_they_are_secret(packs: PackScenario, votes: ResolutionScenario) -> None:
    votes.ann.client.patch("/api/v1/me", {"firstName": "Ann", "lastName": "Bell"})
    path = decided(votes, "for", "for", ballots="named")
    sealing.seal(packs.board.board_id)
    named, secret = asked(packs, votes, path), decided(votes, "for", "for", "for", ballots="secret")
    sealing.seal(packs.board.board_id)
    hidden = asked(packs, votes, secret)
    work()
    told = "\n".join(texts(packs.read(packs.version(named))))
    assert "Ann Bell · for" in told
    assert " · has not voted" in told
    told = "\n".join(texts(packs.read(packs.version(hidden))))
    assert "The votes were secret" in told
    assert "Ann Bell\n" in told
    assert "Ann Bell · for" not in told


def test_papers_are_told_by_title_and_version_unless_the_pdf_has_other_readers_than_they(
    packs: PackScenario, votes: ResolutionScenario
) -> None:
    theirs = packs.board.committee(votes.manager, *votes.voters)
    plain = new_document(packs.board, votes.manager.client, title="The budget for 2027")
    version = plain.add()
    empty = new_document(packs.board, votes.manager.client, title="Notes on paper", latestVersionId="7")
    hidden = new_document(packs.board, votes.manager.client, title="Between us", committeeId=theirs)
    ids = [resolution.document["id"] for resolution in (plain, empty, hidden)]
    path = decided(votes, "for", "for", "for", documentIds=ids)
    of_committee = decided(votes, "for", "for", "for", documentIds=ids, committeeId=theirs)
    sealing.seal(packs.board.board_id)
    made = [asked(packs, votes, where) for where in (path, of_committee)]
    work()
    told, told_them = (
        " ".join(" ".join(texts(packs.read(packs.version(pack, votes.ann.client)))).split()) for pack in made
    )
    assert f"The budget for 2027 Document {ids[0]}, version {version['id']}, SHA-256 {version['sha256']}" in told
    assert f"Notes on paper Document {ids[1]}, without a file" in told
    assert f"{ids[2]} Document {ids[2]}, without a file" in told
    assert "Between us" not in told
    assert f"Between us Document {ids[2]}, without a file" in told_them


def test_a_pdf_waits_for_the_proof_of_its_certificate(packs: PackScenario, votes: ResolutionScenario) -> None:
    path = decided(votes, "for", "for", "for")
    document = asked(packs, votes, path)
    work()
    assert packs.version(document)["status"] == "uploading"
    sealing.seal(packs.board.board_id)
    queue.current.now += 20
    work()
    (attached,) = packs.read(packs.version(document)).attachments["certificate.json"]
    assert checker.report(attached.decode(), sealing.key().text)


def test_a_pdf_of_a_committee_is_the_committees(packs: PackScenario, votes: ResolutionScenario) -> None:
    committee_id = packs.board.committee(votes.manager, *votes.voters)
    path = decided(votes, "for", "for", "for", committeeId=committee_id)
    sealing.seal(packs.board.board_id)
    document = asked(packs, votes, path)
    assert document["committeeId"] == committee_id
    work()
    assert packs.version(document, votes.ann.client)["status"] == "ready"
    stranger = packs.board.owner.client
    assert stranger.get(f"{packs.board.path}/documents/{document['id']}").status == 404
    assert stranger.post(f"{path}/certificate/document").status == 404


def test_who_may_not_run_the_board_any_more_gets_no_pdf(packs: PackScenario, votes: ResolutionScenario) -> None:
    path = decided(votes, "for", "for", "for")
    sealing.seal(packs.board.board_id)
    document = asked(packs, votes, path)
    member = packs.board.member_path(votes.manager)
    assert packs.board.owner.client.patch(member, {"accessType": "collaborator"}).status == 200
    work()
    version = packs.version(document)
    assert (version["status"], version["size"]) == ("failed", None)
