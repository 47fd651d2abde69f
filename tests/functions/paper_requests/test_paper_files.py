"""Files that are sent for a paper request: who sees them until they are approved, and who afterwards (ADR
paper-requests)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import BoardId
from governance.settings import settings
from governance.store.documents import document_versions
from infra.operator import restore
from tests.functions.documents.conftest import a_day_later, pass_time, reason
from tests.harness.board_scenario import Person
from tests.harness.clock import Clock
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import leave, stored_events
from tests.harness.paper_scenario import Papers
from tests.harness.restored_table import restored_table
from tests.harness.stored_versions import ready_version
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import PDF, declared, sent_files, stored_files

pytestmark = pytest.mark.usefixtures("bucket")
OTHER = PDF + b"more"


def made(papers: Papers, request: str) -> str:
    """Returns the path of the document that is made for a request: it has the request's id."""
    return f"{papers.board.path}/documents/{request.rpartition('/')[2]}"


def everybody(papers: Papers) -> list[Person]:
    return [papers.board.owner, papers.asked, papers.reviewer, papers.collaborator, papers.guest]


def readers(papers: Papers, path: str) -> list[Person]:
    """Returns who reads a document, its list of versions, one of them and its file; nobody reads a part of that."""
    versions = papers.board.owner.client.get(f"{path}/versions").data
    version = f"{path}/versions/{versions[0]['id']}"
    paths = (path, f"{path}/versions", version, f"{version}/content")
    seen = {who.id: [who.client.get(part).status for part in paths] for who in everybody(papers)}
    assert all(statuses in ([200] * 4, [404] * 4) for statuses in seen.values()), seen
    return [who for who in everybody(papers) if seen[who.id][0] == 200]


def test_a_file_that_was_sent_delivers_the_paper_as_a_document_of_the_requester(papers: Papers) -> None:
    request = papers.request()
    version = papers.declare(request).data
    assert (version["status"], set(version["upload"])) == ("uploading", {"url", "fields"})
    assert papers.owner.get(request).data["status"] == "requested"
    ready = papers.send(request, OTHER)
    assert (ready["status"], ready["upload"], ready["documentId"]) == ("ready", None, request.rpartition("/")[2])
    delivered = papers.owner.get(request).data
    assert (delivered["status"], delivered["documentId"]) == ("delivered", delivered["id"])
    document = papers.owner.get(made(papers, request)).data
    assert (document["title"], document["latestVersionId"], document["mimeType"], document["meetingIds"]) == (
        "Forecast",
        ready["id"],
        "application/pdf",
        [],
    )
    assert document["createdByUserId"] == papers.board.owner.id


def test_until_it_is_approved_it_is_seen_by_who_delivers_reviews_or_asked_and_by_managers(papers: Papers) -> None:
    by_collaborator = papers.collaborator.client.post(
        papers.path,
        {
            "title": "Forecast",
            "from": {"userId": papers.asked.id},
            "dueAt": "2098-03-31T12:00:00Z",
            "reviewerUserId": papers.reviewer.id,
        },
    )
    request = f"{papers.path}/{by_collaborator.data['id']}"
    papers.send(request)
    path = made(papers, request)
    owner, asked, reviewer, requester, _guest = everybody(papers)
    assert readers(papers, path) == [owner, asked, reviewer, requester]
    other = papers.board.member("other")
    assert other.client.get(request).data["documentId"] is None
    assert other.client.get(path).status == 404
    papers.owner.patch(request, {"reviewerUserId": None})
    assert readers(papers, path) == [owner, asked, requester]
    assert other.client.post(f"{request}/decision", {"decision": "approved"}).status == 403
    leave(papers.board, papers.asked)
    assert papers.asked.client.get(path).status in {403, 404}


def test_until_it_is_approved_it_is_in_no_list_link_or_event(papers: Papers) -> None:
    request = papers.request(agendaItemId=papers.item)
    papers.send(request)
    path, meeting = made(papers, request), papers.meeting.path.rpartition("/")[2]
    for who in everybody(papers):
        assert who.client.get(f"{papers.board.path}/documents").data == []
        assert who.client.get(f"{papers.board.path}/documents", meetingId=meeting).data == []
    assert papers.agenda()["items"][0]["documentIds"] == []
    title = {"documentIds": [request.rpartition("/")[2]], "title": "Budget", "id": papers.item}
    assert papers.owner.put(f"{papers.meeting.path}/agenda", {"items": [title]}).status == 400
    assert papers.owner.patch(path, {"title": "New"}).status == 404
    assert papers.owner.delete(path).status == 404
    assert papers.owner.post(f"{path}/comments", {"text": "Why?"}).status == 404
    papers.owner.get(path)
    version = papers.owner.get(f"{path}/versions").data[0]["id"]
    assert papers.owner.get(f"{path}/versions/{version}/content").status == 200
    for kind in ("viewed", "version_added"):
        assert stored_events(papers.board, f"document.{kind}") == []


def test_an_approved_file_becomes_a_document_of_the_board_on_the_agenda_item(papers: Papers) -> None:
    request = papers.request(agendaItemId=papers.item)
    ready = papers.send(request)
    approved = papers.decide(request)
    assert (approved.status, approved.data["status"]) == (200, "approved"), approved.text
    path = made(papers, request)
    assert readers(papers, path) == everybody(papers)
    assert papers.guest.client.get(f"{papers.board.path}/documents").data[0]["latestVersionId"] == ready["id"]
    assert papers.agenda()["items"][0]["documentIds"] == [request.rpartition("/")[2]]
    (added,) = stored_events(papers.board, "document.version_added")
    assert added.refs["documentId"] == request.rpartition("/")[2]
    assert papers.collaborator.client.get(request).data["documentId"] == request.rpartition("/")[2]
    assert reason(papers.declare(request, OTHER)) == "DECIDED"
    assert papers.owner.delete(request).status == 200
    process_records(event_records(papers.board.board_id))
    assert readers(papers, path) == everybody(papers)


def test_an_approved_file_without_an_item_is_linked_to_the_meeting(papers: Papers) -> None:
    request = papers.request()
    papers.send(request)
    assert papers.decide(request).status == 200
    meeting = papers.meeting.path.rpartition("/")[2]
    (listed,) = papers.guest.client.get(f"{papers.board.path}/documents", meetingId=meeting).data
    assert (listed["id"], listed["meetingIds"]) == (request.rpartition("/")[2], [meeting])


def test_a_returned_file_is_followed_by_another_version_of_the_document(papers: Papers) -> None:
    request = papers.request()
    first = papers.send(request)
    assert papers.decide(request, "returned", note="Figures").data["status"] == "returned"
    second = papers.send(request, OTHER)
    assert papers.owner.get(request).data["status"] == "delivered"
    listed = [version["id"] for version in papers.owner.get(f"{made(papers, request)}/versions").data]
    assert listed == [second["id"], first["id"]]
    assert papers.decide(request).status == 200
    assert papers.guest.client.get(made(papers, request)).data["latestVersionId"] == second["id"]


def test_a_document_that_others_saw_before_stays_seen(papers: Papers) -> None:
    request, document = papers.request(), papers.document()
    papers.deliver(request, document)
    path = f"{papers.board.path}/documents/{document}"
    assert readers(papers, path) == everybody(papers)
    papers.send(request)
    assert readers(papers, path) == everybody(papers)
    assert papers.deliver(request, request.rpartition("/")[2]).data["documentId"] == request.rpartition("/")[2]


def test_only_who_is_asked_sends_files_and_only_while_they_are_wanted(papers: Papers) -> None:
    request = papers.request(reviewerUserId=papers.reviewer.id)
    version = papers.upload(request)
    others = [(each, 403) for each in (papers.board.owner, papers.reviewer, papers.collaborator)]
    for other, status in [*others, (papers.guest, 404)]:
        assert other.client.post(f"{request}/versions", declared()).status == status
        assert other.client.post(f"{version}/complete").status == status
    papers.owner.patch(request, {"status": "cancelled"})
    assert reason(papers.declare(request)) == reason(papers.asked.client.post(f"{version}/complete")) == "DECIDED"


@pytest.mark.parametrize(
    ("members", "field"),
    [({"fileName": "a.html"}, "fileName"), ({"size": 0}, "size"), ({"mimeType": "image/svg+xml"}, "mimeType")],
)
def test_a_file_that_documents_refuse_is_refused(papers: Papers, members: dict[str, Any], field: str) -> None:
    request, before = papers.request(), TableSnapshot()
    refused = papers.declare(request, **members)
    assert (refused.status, list(refused.details["fields"])) == (400, [field])
    assert not before.changes("RATE#", "USE#")


def test_a_file_that_has_not_arrived_delivers_nothing_and_completing_again_changes_nothing(papers: Papers) -> None:
    request = papers.request()
    declared_only = papers.declare(request).data["id"]
    complete = papers.asked.client.post(f"{request}/versions/{declared_only}/complete")
    assert reason(complete) == "UPLOAD_INCOMPLETE"
    assert papers.asked.client.post(f"{request}/versions/{'0' * 24}/complete").status == 404
    path = papers.upload(request, OTHER)
    first = papers.asked.client.post(f"{path}/complete").data
    before = TableSnapshot()
    assert papers.asked.client.post(f"{path}/complete").data == first
    assert not before.changes("RATE#", "USE#", "IDEMPOTENCY#")
    papers.decide(request)
    assert papers.asked.client.post(f"{path}/complete").data == first


def test_who_sent_a_paper_is_told_of_no_file_that_others_add_to_its_document(papers: Papers) -> None:
    request = papers.request()
    papers.send(request)
    papers.decide(request)
    added = ready_version(papers.board.board_id, request.rpartition("/")[2], papers.owner)
    assert papers.asked.client.post(f"{request}/versions/{added}/complete").status == 404


def test_a_paper_that_is_approved_while_another_file_arrives_keeps_one_of_both(papers: Papers) -> None:
    request = papers.request()
    papers.send(request)
    path = papers.upload(request, OTHER)
    with meanwhile(lambda: papers.decide(request)):
        late = papers.asked.client.post(f"{path}/complete")
    assert reason(late) == "DECIDED"
    assert papers.guest.client.get(made(papers, request)).status == 200


def test_files_go_with_their_request_their_meeting_and_their_board(papers: Papers, bucket: Any) -> None:
    board_id = BoardId(papers.board.board_id)
    for ending in (lambda request: request, lambda _: papers.meeting.path, lambda _: papers.board.path):
        if ending("") == papers.board.path:
            papers.meeting.path = f"{papers.board.path}/meetings/{_new_meeting(papers)}"
        request = papers.request()
        papers.send(request)
        papers.upload(request, OTHER)
        assert len(stored_files(bucket)) == 1
        assert papers.owner.delete(ending(request)).status == 200
        process_records(event_records(papers.board.board_id))
        assert stored_files(bucket) == sent_files(bucket) == []
        assert document_versions.of_paper(board_id, request.rpartition("/")[2]) is None
        if ending("") == request:
            assert _bytes_held() == 0


def _new_meeting(papers: Papers) -> str:
    body = {"title": "Next", "status": "scheduled", "startTime": "2098-04-01T09:00:00Z"}
    return str(papers.owner.post(f"{papers.board.path}/meetings", body).data["id"])


def _bytes_held() -> int:
    (counter,) = [item for (_, sk), item in TableSnapshot().items.items() if sk == "FILE_BYTES"]
    return int(counter["count"]) + int(counter["base"])


def test_an_upload_that_is_never_completed_is_forgotten_after_a_day(papers: Papers, clock: Clock, bucket: Any) -> None:
    request = papers.request()
    papers.upload(request)
    a_day_later(clock)
    assert papers.owner.get(f"{made(papers, request)}/versions").data == []
    assert sent_files(bucket) == []
    assert _bytes_held() == 0


def test_a_file_that_is_scanned_delivers_the_paper_once_it_is_clean(
    papers: Papers, clock: Clock, bucket: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALWARE_PROTECTION", "yes")
    settings.cache_clear()
    request = papers.request()
    version = papers.send(request)
    assert (version["status"], papers.owner.get(request).data["status"]) == ("scanning", "requested")
    key = f"papers/{papers.board.board_id}/{version['documentId']}/{version['id']}"
    tags = {"TagSet": [{"Key": "GuardDutyMalwareScanStatus", "Value": "NO_THREATS_FOUND"}]}
    bucket.put_object_tagging(Bucket=settings().papers_bucket, Key=key, Tagging=tags)
    pass_time(clock, 60)
    assert papers.owner.get(request).data["status"] == "delivered"
    (event,) = stored_events(papers.board, "paper_request.delivered")
    assert event.actor_user_id == papers.asked.id


def test_a_deleted_meeting_comes_back_with_its_paper_requests_and_their_files(papers: Papers, bucket: Any) -> None:
    request = papers.request()
    papers.send(request)
    before, files = papers.owner.get(request).data, stored_files(bucket)
    with restored_table() as earlier:
        assert papers.owner.delete(papers.meeting.path).status == 200
        process_records(event_records(papers.board.board_id))
        assert stored_files(bucket) == []
        board_id, meeting = BoardId(papers.board.board_id), papers.meeting.path.rpartition("/")[2]
        restore.restore_entity(earlier, board_id, "meeting", meeting)
    assert papers.owner.get(request).data == before
    assert stored_files(bucket) == files
    assert papers.decide(request).status == 200
