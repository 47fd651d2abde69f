"""Sealing: what was recorded becomes an entry of the log, and the proof of that holds without the service."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from governance.ids import UserId
from governance.instants import now, seconds_until
from governance.log.merkle import EMPTY_ROOT
from governance.log.notes import Checkpoint
from governance.store.history import leaves, log_files
from governance.store.schema.keys import key_of
from governance.store.transactions import delete_all
from infra.operator.purging import purge_users
from infra.stack.template import Template
from tests.harness import queue, sealing, stream
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.history import audit_items

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.usefixtures("bucket")


def meetings(scenario: BoardScenario, number: int) -> None:
    for n in range(number):
        scenario.owner.client.post(f"{scenario.path}/meetings", {"title": f"Meeting {n}"})


def entry_ids(scenario: BoardScenario) -> list[str]:
    return [entry["_id"] for entry in scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json]


def proof(scenario: BoardScenario, entry_id: str) -> Any:
    return scenario.owner.client.get(f"{scenario.path}/audit/{entry_id}/proof").data


def test_the_log_begins_empty_under_the_name_of_the_host(scenario: BoardScenario) -> None:  # noqa: ARG001
    assert sealing.invoke({}) == {"origin": "governance.example.com/log", "size": 0}
    assert sealing.checkpoint().checkpoint == Checkpoint("governance.example.com/log", 0, EMPTY_ROOT)


def test_a_proof_holds_for_the_entry_as_the_audit_log_shows_it(scenario: BoardScenario) -> None:
    meetings(scenario, 3)
    sealing.seal(scenario.board_id)
    shown = {entry["_id"]: entry for entry in scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json}
    for number, (entry_id, entry) in enumerate(shown.items()):
        answer = proof(scenario, entry_id)
        assert set(answer) == {"object", "entryId", "index", "entry", "salt", "proof"}
        assert (answer["object"], answer["entryId"], answer["index"]) == ("log_proof", entry_id, number)
        assert json.loads(answer["entry"]) == entry
        leaf = hashlib.sha256(base64.b64decode(answer["salt"]) + answer["entry"].encode()).digest()
        assert sealing.verify_proof(answer["proof"], leaf) == (number, sealing.checkpoint().checkpoint)


def test_an_entry_has_no_proof_until_it_is_logged(scenario: BoardScenario) -> None:
    meetings(scenario, 1)
    (entry_id,) = entry_ids(scenario)
    answer = proof(scenario, entry_id)
    assert (answer["index"], answer["proof"]) == (None, None)
    assert json.loads(answer["entry"])["_id"] == entry_id


def test_entries_that_share_a_row_have_places_of_their_own(scenario: BoardScenario) -> None:
    scenario.committee(*map(scenario.member, ("ada", "ben", "cyd")))
    sealing.seal(scenario.board_id)
    assert any(leaves.TOGETHER in item for item in audit_items(scenario.board_id))
    indexes = [proof(scenario, entry_id)["index"] for entry_id in entry_ids(scenario)]
    assert indexes == [*range(sealing.checkpoint().checkpoint.size)]


def test_sealing_again_logs_nothing_twice(scenario: BoardScenario) -> None:
    meetings(scenario, 2)
    sealing.seal(scenario.board_id)
    first = sealing.public("checkpoint")
    records = sealing.queue_rows(scenario.board_id)
    sealing.invoke({"Records": [*records, *records]})
    assert sealing.public("checkpoint") == first
    meetings(scenario, 1)
    records = sealing.queue_rows(scenario.board_id)
    sealing.invoke({"Records": [*records, *records]})
    assert sealing.checkpoint().checkpoint.size == 3


def test_nothing_public_can_be_read(scenario: BoardScenario, bucket: S3Client) -> None:
    meetings(scenario, 300)
    sealing.seal(scenario.board_id)
    objects = bucket.list_objects_v2(Bucket="static-test", Prefix="log/")["Contents"]
    assert {entry["Key"].removeprefix("log/") for entry in objects} == {
        *("checkpoint", "key", "tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"),
        *("tile/entries/000", "tile/entries/001.p/44"),
    }
    everything = b"".join(sealing.public(entry["Key"].removeprefix("log/")) for entry in objects)
    for known in (scenario.board_id, scenario.owner.id, "Meeting", "meetingCreate", *entry_ids(scenario)):
        assert known.encode() not in everything
        assert bytes.fromhex(known) not in everything if len(known) == 24 else True


def test_what_an_earlier_release_recorded_gets_its_salt_from_the_sealer(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("governance.store.history.audit.salted", lambda members: members)
    scenario.committee(*map(scenario.member, ("ada", "ben")))
    meetings(scenario, 1)
    (*_, entry_id) = entry_ids(scenario)
    assert proof(scenario, entry_id)["salt"] is None
    sealing.seal(scenario.board_id)
    for sealed in entry_ids(scenario):
        answer = proof(scenario, sealed)
        leaf = hashlib.sha256(base64.b64decode(answer["salt"]) + answer["entry"].encode()).digest()
        sealing.verify_proof(answer["proof"], leaf)


def test_a_row_that_is_gone_is_not_logged_and_does_not_come_back(scenario: BoardScenario) -> None:
    meetings(scenario, 2)
    records = sealing.queue_rows(scenario.board_id)
    gone = key_of(audit_items(scenario.board_id)[0])
    delete_all([gone])
    sealing.invoke({"Records": records})
    assert sealing.checkpoint().checkpoint.size == 1
    assert gone not in {key_of(item) for item in audit_items(scenario.board_id)}


def test_a_log_that_follows_another_begins_with_its_last_checkpoint(scenario: BoardScenario, bucket: S3Client) -> None:
    old = b"old.example.com/log\n7\n...\n"
    bucket.put_object(Bucket="static-test", Key="log/predecessor", Body=old)
    meetings(scenario, 1)
    sealing.seal(scenario.board_id)
    assert proof(scenario, entry_ids(scenario)[0])["index"] == 1
    sealing.verify_proof(log_files.proof(0) or "", hashlib.sha256(old).digest())
    meetings(scenario, 1)
    sealing.seal(scenario.board_id)
    assert sealing.checkpoint().checkpoint.size == 3


def test_an_entry_is_sealed_within_a_minute_of_its_request(scenario: BoardScenario, clock: Clock) -> None:
    """Its message waits for nothing but the queue's window, and a slow sealer ends before the minute is over."""
    sealer = Template().resources("AWS::Serverless::Function")["SealerFunction"]
    window: int = sealer["Events"]["Rows"]["Properties"]["MaximumBatchingWindowInSeconds"]
    clock.stop()
    requested = now()
    meetings(scenario, 1)
    assert stream.send_to_queue([stream.record(item) for item in audit_items(scenario.board_id)]) == []
    waiting = queue.current.visible("sealer")
    clock.move(window)
    sealing.invoke({"Records": [{"messageId": message.id, "body": message.body} for message in waiting]})
    (entry_id,) = entry_ids(scenario)
    assert proof(scenario, entry_id)["proof"] is not None
    assert seconds_until(now(), requested) + sealer["Timeout"] <= 60


def test_a_purge_between_two_batches_changes_no_leaf(scenario: BoardScenario) -> None:
    paul = scenario.member("paul")
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "With Paul"}).data["id"]
    assert paul.client.post(f"{scenario.path}/meetings", {"title": "Paul's"}).status == 201
    sealing.seal(scenario.board_id)
    earlier = {entry_id: proof(scenario, entry_id) for entry_id in entry_ids(scenario)}
    unsealed = {"title": "Paul's second"}
    assert paul.client.post(f"{scenario.path}/meetings", unsealed).status == 201
    purge_users([UserId(paul.id)])
    scenario.owner.client.patch(f"{scenario.path}/meetings/{meeting}", {"title": "Without"})
    sealing.seal(scenario.board_id)
    later = {entry_id: proof(scenario, entry_id) for entry_id in entry_ids(scenario)}
    assert len(later) >= len(earlier) + 2
    for entry_id, before in earlier.items():
        same = ("entryId", "index", "entry", "salt")
        assert [later[entry_id][name] for name in same] == [before[name] for name in same]
    for answer in [*later.values(), *earlier.values()]:
        leaf = hashlib.sha256(base64.b64decode(answer["salt"]) + answer["entry"].encode()).digest()
        assert sealing.verify_proof(answer["proof"], leaf)[0] == answer["index"]
