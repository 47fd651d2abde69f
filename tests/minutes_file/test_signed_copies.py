"""Copies of sealed minutes that were signed elsewhere: declared, judged and taken back (ADR minutes)."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import pytest

from governance.limits import MINUTES_FILE_BYTES
from tests.faults.call_faults import fault_cases
from tests.faults.repeatable_request import RepeatableRequest, reference
from tests.faults.test_every_call import check_fault
from tests.functions.meetings.test_minutes_approval import approve, circulated, held, reason
from tests.harness import sdk, sealing, uploads
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario
from tests.harness.sample_requests import SampleRequest
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import send, stored_files
from tests.interleavings.test_ended_meanwhile import send_during
from tests.minutes_file.making import signed_elsewhere
from tests.minutes_file.test_signed_copy import add_annotation, updated
from tests.minutes_file.test_worker import SPRING, SUMMER, asked, content, version, work
from tests.packs.making import of_reportlab

pytestmark = pytest.mark.usefixtures("bucket")
PDF = "application/pdf"


@pytest.fixture
def spring(scenario: BoardScenario) -> MeetingScenario:
    """Returns a meeting whose minutes are approved."""
    meeting = circulated(scenario, SPRING)
    assert approve(meeting, held(scenario, SUMMER, "in_progress")).status == 200
    return meeting


@pytest.fixture
def document(spring: MeetingScenario) -> Any:
    """Returns the document of the sealed file of these minutes."""
    sealing.seal(spring.board.board_id)
    made = asked(spring)
    work()
    return made


def declare(meeting: MeetingScenario, file: bytes, client: Client | None = None, **members: Any) -> Response:
    body = {"fileName": "Signed.pdf", "mimeType": PDF, "size": len(file), "sha256": hashlib.sha256(file).hexdigest()}
    path = f"{meeting.path}/minutes/signed-file"
    return (client or meeting.board.owner.client).post(path, {**body, **members})


def complete(meeting: MeetingScenario, version_id: str, client: Client | None = None) -> Response:
    path = f"{meeting.path}/minutes/signed-file/{version_id}/complete"
    return (client or meeting.board.owner.client).post(path)


def returned(meeting: MeetingScenario, file: bytes) -> Response:
    """Declares a copy, sends it and completes it."""
    declared = declare(meeting, file)
    assert declared.status == 201, declared.text
    send(declared.data["upload"], file)
    return complete(meeting, declared.data["id"])


def judged_request(meeting: MeetingScenario, document: Any) -> SampleRequest:
    """Returns the request that completes a signed copy, which has been sent."""
    file = signed_elsewhere(content(version(meeting, document), meeting))
    declared = declare(meeting, file).data
    send(declared["upload"], file)
    return SampleRequest("POST", f"{meeting.path}/minutes/signed-file/{declared['id']}/complete", None, "")


def test_a_copy_that_was_signed_elsewhere_becomes_the_latest_version(spring: MeetingScenario, document: Any) -> None:
    ours = content(version(spring, document), spring)
    done = returned(spring, signed_elsewhere(ours))
    assert (done.status, done.data["status"], done.data["documentId"]) == (200, "ready", document["id"])
    assert complete(spring, done.data["id"]).data == done.data
    shown = spring.board.owner.client.get(f"{spring.board.path}/documents/{document['id']}").data
    assert shown["latestVersionId"] == done.data["id"]
    again = returned(spring, signed_elsewhere(ours, box=None))
    assert (again.status, again.data["status"]) == (200, "ready")


def test_what_is_not_our_file_with_signatures_alone_is_refused_and_changes_nothing(
    spring: MeetingScenario, document: Any
) -> None:
    sealed = version(spring, document)
    ours = content(sealed, spring)
    others = [
        ours,
        ours + b"\n%%EOF\n",
        ours[:-1] + b" " + ours[-1:],
        b"%PDF-1.7\n%%EOF\n",
        signed_elsewhere(of_reportlab("Something else")),
        signed_elsewhere(ours).replace(b"/Reason", b"/Raeson", 1),
        signed_elsewhere(updated(ours, add_annotation)),
    ]
    files = stored_files(sdk.s3())
    for other in others:
        refused = returned(spring, other)
        assert refused.failure == (400, "NOT_OUR_FILE"), other[:40]
        assert stored_files(sdk.s3()) == files
    shown = spring.board.owner.client.get(f"{spring.board.path}/documents/{document['id']}").data
    assert shown["latestVersionId"] == sealed["id"]


def test_a_copy_is_completed_by_its_own_route_alone(spring: MeetingScenario, document: Any) -> None:
    signed = signed_elsewhere(content(version(spring, document), spring))
    declared = declare(spring, signed).data
    assert reason(complete(spring, declared["id"])) == (409, "UPLOAD_INCOMPLETE")
    send(declared["upload"], signed)
    versions = f"{spring.board.path}/documents/{document['id']}/versions"
    assert spring.board.owner.client.post(f"{versions}/{declared['id']}/complete").status == 404
    plain = spring.board.owner.client.post(versions, uploads.declared()).data
    assert complete(spring, plain["id"]).status == 404
    other = circulated(spring.board, SPRING)
    assert complete(other, declared["id"]).status == 404


@pytest.mark.slow
def test_a_copy_is_taken_back_wholly_or_not_at_all_whichever_call_fails(spring: MeetingScenario, document: Any) -> None:
    request, client = judged_request(spring, document), spring.board.owner.client
    run = RepeatableRequest(request, client, TableSnapshot(), {})
    known = reference(run)
    assert (known.once[0].status, bool(known.once[1])) == (200, True)
    for call, name in fault_cases(known.calls):
        check_fault(run, known, call, name)


def test_no_copy_is_taken_back_on_a_board_that_was_just_deleted(spring: MeetingScenario, document: Any) -> None:
    request, client = judged_request(spring, document), spring.board.owner.client
    refused, after_deletion = send_during(partial(client.post, request.path), partial(client.delete, spring.board.path))
    assert refused.failure == (404, "RESOURCE_NOT_FOUND")
    assert after_deletion.changes() == {}


def test_only_managers_take_back_a_pdf_of_a_file_that_was_made(
    scenario: BoardScenario, spring: MeetingScenario
) -> None:
    assert declare(spring, b"%PDF").status == 404
    sealing.seal(scenario.board_id)
    asked(spring)
    assert declare(spring, b"%PDF").status == 404
    work()
    mia = scenario.member("mia", access_type="collaborator")
    assert declare(spring, b"%PDF", mia.client).failure == (403, "FORBIDDEN")
    assert declare(spring, b"%PDF", mimeType="text/plain", fileName="a.txt").fields.keys() == {"mimeType"}
    assert declare(spring, b"%PDF", size=MINUTES_FILE_BYTES + 1).fields.keys() == {"size"}


def test_a_repeat_of_a_declaration_gets_a_new_form_of_the_same_version(spring: MeetingScenario, document: Any) -> None:
    del document
    key = {"idempotency-key": "5f3c9f3a-9d0e-4c4a-8a55-0f8c2b8f7a11"}
    body = {"fileName": "Signed.pdf", "mimeType": PDF, "size": 4, "sha256": hashlib.sha256(b"%PDF").hexdigest()}
    first, again = (
        spring.board.owner.client.call("POST", f"{spring.path}/minutes/signed-file", body, headers=key)
        for _ in range(2)
    )
    assert first.data["id"] == again.data["id"]
    assert again.data["upload"]["url"] == first.data["upload"]["url"]


def test_a_copy_is_judged_in_a_process_that_ends_in_time(
    spring: MeetingScenario, document: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = signed_elsewhere(content(version(spring, document), spring))
    with monkeypatch.context() as patched:
        patched.setattr("governance.minutes_file.jobs.PACK_PAPER_MEMORY", 50_000_000)
        assert returned(spring, signed).failure == (400, "NOT_OUR_FILE")
    assert returned(spring, signed).status == 200
