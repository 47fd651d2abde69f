"""Files of approved minutes from the request to the file: waited for, made, sealed, refused (ADR minutes)."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from asn1crypto.pem import unarmor
from cryptography.hazmat.primitives.asymmetric import ec
from pypdf import PdfReader

from governance.limits import PACK_ATTEMPT_SECONDS
from governance.minutes_file import worker
from governance.settings import settings
from governance.store.history import seal_certificates, seal_key
from governance.store.schema.keys import Range
from governance.store.table import query
from infra.operator.log import logged_rows, unlike
from infra.verify import minutes as checker
from tests.functions.meetings.test_minutes_approval import approve, circulated, held, id_of, reason
from tests.functions.meetings.test_minutes_signing import put_signers, sign
from tests.harness import keys, queue, sdk, sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.clock import Clock
from tests.harness.crash_injection import ProcessKilled
from tests.harness.meeting_scenario import MeetingScenario, stored_events
from tests.harness.stream import deliver

pytestmark = pytest.mark.usefixtures("bucket")
SPRING, SUMMER = "2030-03-05T09:00:00.000Z", "2030-06-04T09:00:00.000Z"


@pytest.fixture
def spring(scenario: BoardScenario) -> MeetingScenario:
    """Returns a meeting whose minutes are approved."""
    meeting = circulated(scenario, SPRING)
    assert approve(meeting, held(scenario, SUMMER, "in_progress")).status == 200
    return meeting


def ask(meeting: MeetingScenario, client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).post(f"{meeting.path}/minutes/document")


def asked(meeting: MeetingScenario, client: Client | None = None) -> Any:
    """Returns the document of a file of minutes, whose making has begun."""
    created = ask(meeting, client)
    assert created.status == 201, created.text
    deliver(*stored_events(meeting.board, "board_pack.requested"))
    return created.data


def work() -> None:
    """Lets packer and sealing function handle their messages that are visible."""
    for function in ("packer", "minutes_files"):
        while (message := queue.current.receive(function)) is not None:
            if not queue.invoke_deliveries(message):
                queue.current.messages.remove(message)


def pass_time(clock: Clock) -> None:
    """Lets an attempt's time and the queue's time-outs pass, and the functions handle what is visible."""
    clock.move(PACK_ATTEMPT_SECONDS + 1)
    queue.current.now += queue.LONG_ENOUGH + queue.VISIBILITY_SECONDS
    work()


def die(*_: Any) -> None:
    raise ProcessKilled


def version(meeting: MeetingScenario, document: Any) -> Any:
    (only,) = meeting.board.owner.client.get(f"{meeting.board.path}/documents/{document['id']}/versions").data
    return only


def content(made: Any, meeting: MeetingScenario) -> bytes:
    key = f"papers/{meeting.board.board_id}/{made['documentId']}/{made['id']}"
    return bytes(sdk.s3().get_object(Bucket=settings().papers_bucket, Key=key)["Body"].read())


def certificates() -> bytes:
    return bytes(sdk.s3().get_object(Bucket=settings().bucket_name, Key="seal.pem")["Body"].read())


def checked(meeting: MeetingScenario, document: Any, folder: Path) -> list[str]:
    """Returns what the program for everybody says of a file that was made."""
    made = version(meeting, document)
    assert made["status"] == "ready", made
    file, pem = folder / "minutes.pdf", folder / "seal.pem"
    file.write_bytes(content(made, meeting))
    pem.write_bytes(certificates())
    told = checker.report(checker.read(file), sealing.key().text, checker.der(pem))
    assert {checker.SIGNED, checker.SEALED} <= set(told)
    return told


def test_signed_minutes_become_a_file_that_is_checked_without_the_service(
    scenario: BoardScenario, spring: MeetingScenario, tmp_path: Path
) -> None:
    assert put_signers(scenario, scenario.owner.id).status == 200
    assert sign(spring).status == 200
    sealing.seal(scenario.board_id)
    document = asked(spring)
    assert (document["documentType"], document["meetingIds"]) == ("minutes", [id_of(spring)])
    work()
    made = version(spring, document)
    assert (made["status"], made["mimeType"]) == ("ready", "application/pdf"), made
    checked(spring, document, tmp_path)
    reader = PdfReader(io.BytesIO(content(made, spring)))
    (approval,) = reader.attachments["approval.json"]
    facts = json.loads(approval)
    shown = scenario.owner.client.get(f"{spring.path}/minutes/approval").data
    assert {**facts, "signatures": [{**one, "event": None} for one in facts["signatures"]]} == {
        **shown,
        "boardId": scenario.board_id,
        "event": facts["event"],
        "signatures": [{**one, "event": None} for one in shown["signatures"]],
    }


def test_what_is_in_camera_is_withheld_from_the_file_whoever_makes_it(scenario: BoardScenario, tmp_path: Path) -> None:
    meeting, audience = held(scenario, SPRING), {"userIds": [scenario.owner.id]}
    secret, later = ({"title": f"Canary {number}"} for number in ("one", "two"))
    agenda = {"items": [{**secret, "audience": audience}, later]}
    first, second = (item["id"] for item in scenario.owner.client.put(f"{meeting.path}/agenda", agenda).data["items"])
    items = [{"text": "Canary three", "agendaItemId": first}, {"text": "All of us", "agendaItemId": second}]
    assert scenario.owner.client.put(f"{meeting.path}/minutes", {"items": items}).status == 200
    assert scenario.owner.client.post(f"{meeting.path}/minutes/circulation").status == 201
    assert approve(meeting, held(scenario, SUMMER, "in_progress")).status == 200
    agenda = {"items": [{**secret, "id": first, "audience": audience}, {**later, "id": second, "audience": audience}]}
    assert scenario.owner.client.put(f"{meeting.path}/agenda", agenda).status == 200
    sealing.seal(scenario.board_id)
    document = asked(meeting)
    work()
    checked(meeting, document, tmp_path)
    reader = PdfReader(tmp_path / "minutes.pdf")
    told = "".join(page.extract_text() for page in reader.pages)
    attached = b"".join(content for files in reader.attachments.values() for content in files)
    assert "All of us" in told
    assert "Withheld: this item is for some members alone." in " ".join(told.split())
    assert "Canary" not in told
    assert b"Canary" not in attached


def test_a_file_waits_until_all_acts_are_entries_of_the_log(
    scenario: BoardScenario, spring: MeetingScenario, tmp_path: Path
) -> None:
    sealing.seal(scenario.board_id)
    assert put_signers(scenario, scenario.owner.id).status == 200
    assert sign(spring).status == 200
    document = asked(spring)
    work()
    assert version(spring, document)["status"] == "uploading"
    sealing.seal(scenario.board_id)
    queue.current.now += 20
    work()
    assert "signatures in the log: 1." in checked(spring, document, tmp_path)[1]


def test_the_file_is_of_the_version_that_was_approved_last(
    scenario: BoardScenario, spring: MeetingScenario, tmp_path: Path
) -> None:
    body = {"items": [{"text": "Budget approved, with one vote against."}], "attendance": []}
    assert scenario.owner.client.post(f"{spring.path}/minutes/corrections", body).status == 201
    assert scenario.owner.client.post(f"{spring.path}/minutes/circulation").status == 201
    sealing.seal(scenario.board_id)
    first = asked(spring)
    later = held(scenario, SUMMER, "in_progress")
    assert approve(spring, later, manner="as_changed").status == 200
    sealing.seal(scenario.board_id)
    second = asked(spring)
    work()
    assert "version 1," in checked(spring, first, tmp_path)[0]
    assert "version 2," in checked(spring, second, tmp_path)[0]


def test_only_managers_ask_for_the_file_of_approved_minutes(scenario: BoardScenario) -> None:
    meeting = circulated(scenario, SPRING)
    assert reason(ask(meeting)) == (409, "NOT_APPROVED")
    mia = scenario.member("mia", access_type="collaborator")
    assert ask(meeting, mia.client).failure == (403, "FORBIDDEN")
    assert scenario.owner.client.get(f"{scenario.path}/documents").data == []


def test_who_may_not_run_the_board_any_more_gets_no_file(scenario: BoardScenario, spring: MeetingScenario) -> None:
    mia = scenario.member("mia", access_type="manager")
    sealing.seal(scenario.board_id)
    document = asked(spring, mia.client)
    assert scenario.owner.client.patch(scenario.member_path(mia), {"accessType": "collaborator"}).status == 200
    work()
    made = version(spring, document)
    assert (made["status"], made["size"]) == ("failed", None)


def test_a_board_token_gets_the_file_that_its_board_may_read(
    scenario: BoardScenario, spring: MeetingScenario, tmp_path: Path
) -> None:
    sealing.seal(scenario.board_id)
    document = asked(spring, scenario.token())
    work()
    checked(spring, document, tmp_path)


def test_a_new_key_gets_a_certificate_beside_that_of_the_old_one(
    scenario: BoardScenario, spring: MeetingScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealing.seal(scenario.board_id)
    first, again = asked(spring), asked(spring)
    work()
    before = certificates()
    assert before.count(b"BEGIN CERTIFICATE") == 1
    monkeypatch.setattr(keys, "SEAL_KEY", ec.generate_private_key(ec.SECP256R1()))
    seal_key.public_key.cache_clear()
    second = asked(spring)
    work()
    seal_key.public_key.cache_clear()
    assert certificates().endswith(before)
    assert certificates().count(b"BEGIN CERTIFICATE") == 2
    for document in (first, again, second):
        checked(spring, document, tmp_path)


def test_who_has_a_certificate_finds_since_when_the_log_holds_it(
    scenario: BoardScenario, spring: MeetingScenario
) -> None:
    sealing.seal(scenario.board_id)
    documents = [asked(spring), asked(spring)]
    work()
    assert [version(spring, document)["status"] for document in documents] == ["ready", "ready"]
    sha256 = hashlib.sha256(unarmor(certificates())[2]).hexdigest()
    rows = [row for row in query(Range("SEALS#CERTIFICATES")) if sha256 in row["entry"]]
    before = len(sealing.entries())
    assert sealing.invoke({"Records": sealing.queue_items(rows)}) == {"batchItemFailures": []}
    entry = hashlib.sha256(bytes(32) + f'{{"object":"seal_certificate","sha256":"{sha256}"}}'.encode()).digest()
    assert sealing.entries()[before:] == [entry]
    size = sealing.checkpoint().checkpoint.size
    copy = [sealing.public("checkpoint"), sealing.public(f"tile/entries/000.p/{size}")]
    told = checker.report(content(version(spring, documents[0]), spring), sealing.key().text, [], copy)
    assert f"The certificate of the seals is entry {before} of the log" in told[-1]
    assert [*unlike(iter(row for row in logged_rows() if sha256 in row.get("entry", "")), sealing.entries())] == []


def test_another_certificate_of_the_same_moment_stays(
    scenario: BoardScenario, spring: MeetingScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    sealing.seal(scenario.board_id)
    document, published = asked(spring), seal_certificates.publish

    def late(certificate: bytes, before: seal_certificates.Published) -> None:
        monkeypatch.setattr(seal_certificates, "publish", published)
        published(certificate, before)
        published(b"another", before)

    monkeypatch.setattr(seal_certificates, "publish", late)
    work()
    assert certificates().count(b"BEGIN CERTIFICATE") == 1
    assert version(spring, document)["status"] == "uploading"
    pass_time(clock)
    checked(spring, document, tmp_path)


@pytest.mark.parametrize("end", ["draws", "signs", "publishes"])
def test_a_file_whose_worker_died_is_made_by_the_next_attempt(
    scenario: BoardScenario,
    spring: MeetingScenario,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    end: str,
) -> None:
    sealing.seal(scenario.board_id)
    document = asked(spring)
    dying = {"draws": (worker, "run"), "signs": (seal_key, "sign"), "publishes": (seal_certificates, "publish")}[end]
    with monkeypatch.context() as patched:
        patched.setattr(*dying, die)
        with pytest.raises(ProcessKilled):
            work()
    assert version(spring, document)["status"] == "uploading"
    pass_time(clock)
    checked(spring, document, tmp_path)
