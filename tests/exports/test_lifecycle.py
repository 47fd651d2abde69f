"""Who gets an export, how it is made although its worker is killed, and when it ends (ADR exports)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from botocore.exceptions import ClientError

from governance.exports import archive as archives
from governance.exports import worker
from governance.instants import epoch, now, shift, to_datetime
from governance.limits import BOARD_FILE_BYTES, EXPORT_DAYS, EXPORT_HOURS, EXPORT_LINK_SECONDS, EXPORTS_PER_DAY
from governance.settings import settings
from governance.store.exports import export_files, exports
from tests.exports import making
from tests.exports.making import OWN, make_content, of_board
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.bucket import keys
from tests.harness.clock import Clock
from tests.harness.crash_injection import ProcessKilled

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.usefixtures("bucket")
FIELDS = {"object", "id", "boardId", "status", "url", "size", "createdAt", "expiresAt"}


def test_a_ready_export_has_a_new_signed_address_for_five_minutes(scenario: BoardScenario, clock: Clock) -> None:
    client, path = scenario.owner.client, of_board(scenario)
    created = client.post(path)
    assert created.data.keys() == FIELDS
    assert (created.data["status"], created.data["url"], created.data["size"]) == ("pending", None, None)
    export_id = created.data["id"]
    making.carry_on()
    making.finish()
    clock.stop()
    shown = client.get(f"{path}/{export_id}").data
    assert shown["status"] == "ready"
    (until,) = parse_qs(urlsplit(shown["url"]).query)["Expires"]
    assert int(until) - epoch(now()) == EXPORT_LINK_SECONDS == 300
    assert shown["size"] == making.stored_size(export_id)
    assert [export["id"] for export in client.get(path).data] == [export_id]


def test_only_who_asked_for_an_export_sees_it(scenario: BoardScenario) -> None:
    admin = scenario.member("ada", admin_role="admin")
    export_id = making.begin(scenario.owner.client, of_board(scenario))
    assert admin.client.get(f"{of_board(scenario)}/{export_id}").status == 404
    assert admin.client.get(of_board(scenario)).data == []
    assert scenario.owner.client.get(f"{OWN}/{export_id}").status == 404


def test_one_export_of_a_board_and_one_of_a_user_run_at_a_time(scenario: BoardScenario) -> None:
    admin = scenario.member("ada", admin_role="admin")
    making.begin(scenario.owner.client, of_board(scenario))
    second = admin.client.post(of_board(scenario))
    assert (second.status, second.details["reason"]) == (409, "EXPORT_RUNNING")
    assert scenario.owner.client.post(OWN).status == 201
    assert scenario.owner.client.post(OWN).status == 409
    making.finish()
    assert admin.client.post(of_board(scenario)).status == 201


@pytest.mark.parametrize("own", [False, True])
def test_ten_exports_are_made_a_day_and_what_is_refused_or_repeated_does_not_count(
    scenario: BoardScenario, clock: Clock, own: bool
) -> None:
    client, path = scenario.owner.client, OWN if own else of_board(scenario)
    tomorrow = datetime.now(UTC).replace(hour=10, minute=0, second=0, microsecond=0) + timedelta(days=1)
    clock.stop(tomorrow)
    for number in range(EXPORTS_PER_DAY):
        headers = {"Idempotency-Key": f"export {number}"}
        first = client.call("POST", path, headers=headers)
        assert first.status == 201, first.text
        assert client.post(path).status == 409
        making.carry_on()
        making.finish()
        assert client.call("POST", path, headers=headers).data["id"] == first.data["id"]
    refused = client.post(path)
    assert refused.failure == (429, "RATE_LIMITED")
    assert refused.headers["Retry-After"] == str(14 * 3600)
    assert client.post(of_board(scenario) if own else OWN).status == 201, "they are counted apart"
    clock.stop(tomorrow + timedelta(hours=14))
    assert client.post(path).status == 201


def test_an_export_of_a_board_that_was_deleted_has_failed(scenario: BoardScenario) -> None:
    making.begin(scenario.owner.client, of_board(scenario))
    assert scenario.owner.client.delete(scenario.path).status == 200
    making.finish()
    assert making.stored(scenario.board_id)["status"] == "failed"


@pytest.mark.parametrize("access", ["collaborator", "manager"])
def test_an_export_fails_once_its_asker_may_not_have_it(scenario: BoardScenario, access: str) -> None:
    admin = scenario.member("ada", admin_role="admin")
    making.begin(admin.client, of_board(scenario))
    demoted = {"adminRole": "member", "accessType": access}
    assert scenario.owner.client.patch(scenario.member_path(admin), demoted).status == 200
    making.finish()
    assert making.stored(scenario.board_id)["status"] == "failed"
    assert scenario.owner.client.post(of_board(scenario)).status == 201, "another one may be asked for"


def test_an_export_has_failed_after_a_day_and_is_gone_from_its_end_on(scenario: BoardScenario, clock: Clock) -> None:
    client, path = scenario.owner.client, of_board(scenario)
    clock.stop()
    export_id = making.begin(client, path)
    clock.advance(hours=EXPORT_HOURS, milliseconds=-1)
    assert client.post(path).status == 409
    clock.advance(hours=EXPORT_HOURS)
    making.finish()
    assert client.get(f"{path}/{export_id}").data["status"] == "failed"
    assert client.post(path).status == 201
    expires_at = shift(client.get(f"{path}/{export_id}").data["createdAt"], days=EXPORT_DAYS)
    clock.stop(to_datetime(shift(expires_at, seconds=-1)))
    assert client.get(f"{path}/{export_id}").status == 200
    clock.stop(to_datetime(expires_at))
    assert client.get(f"{path}/{export_id}").status == 404
    assert export_id not in [export["id"] for export in client.get(path).data]


def test_a_worker_that_is_killed_at_any_step_is_made_up_for(
    scenario: BoardScenario, bucket: S3Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_content(scenario)
    path = of_board(scenario)
    reference = making.export(scenario.owner.client, path)
    monkeypatch.setattr(archives, "PART_BYTES", 700)  # far below what the bucket takes: parts are only counted
    monkeypatch.setattr(archives, "_NOTED_BYTES", 1)
    monkeypatch.setattr(worker, "_PIECE_BYTES", 200)
    parts = making.FakeUploads(monkeypatch)
    export_id = making.begin(scenario.owner.client, path)
    steps = 0
    while making.run_killed(monkeypatch):
        steps += 1
        assert steps < making.MANY
    of_comments = 2  # after those on meetings, those on documents and those on dashboards
    assert steps == len([name for name in reference.namelist() if not name.startswith("files/")]) + of_comments
    made = making.opened(parts.archive())
    assert made.namelist() == reference.namelist()
    for name in set(made.namelist()) - {"manifest.json", "events.ndjson"}:
        assert made.read(name) == reference.read(name), name
    assert [key for key in keys(bucket) if key.startswith(f"{export_files.FOLDER}{export_id}/")] == []


@pytest.mark.parametrize("killed_at", ["complete_upload", "after it", "end"])
def test_a_worker_that_is_killed_while_it_completes_the_upload_is_made_up_for(
    scenario: BoardScenario, bucket: S3Client, monkeypatch: pytest.MonkeyPatch, killed_at: str
) -> None:
    make_content(scenario)
    client, path = scenario.owner.client, of_board(scenario)
    reference = making.export(client, path)
    export_id = making.begin(client, path)
    complete = export_files.complete_upload

    def dying(*given: Any) -> bool:
        if killed_at == "after it":
            complete(*given)
        raise ProcessKilled

    with monkeypatch.context() as patched:
        patched.setattr(*((exports, "end") if killed_at == "end" else (export_files, "complete_upload")), dying)
        with pytest.raises(ProcessKilled):
            making.finish()
    assert client.get(f"{path}/{export_id}").data["status"] == "pending"
    queue.current.now += queue.LONG_ENOUGH
    making.finish()
    shown = client.get(f"{path}/{export_id}").data
    assert (shown["status"], shown["size"]) == ("ready", making.stored_size(export_id))
    key = export_files.archive_key(export_id)
    content = bucket.get_object(Bucket=settings().bucket_name, Key=key)["Body"].read()
    assert making.opened(content).namelist() == reference.namelist()
    assert [key for key in keys(bucket) if key.startswith(f"{export_files.FOLDER}{export_id}/")] == []


@pytest.mark.parametrize("is_there", [True, False])
def test_an_archive_whose_upload_is_gone_is_ready_or_packed_anew(
    scenario: BoardScenario, bucket: S3Client, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    """The bucket says `NoSuchUpload` of an upload that was completed; moto does not, so that answer is injected."""
    client, path = scenario.owner.client, of_board(scenario)
    export_id = making.begin(client, path)
    with monkeypatch.context() as patched:
        patched.setattr(exports, "end", _die)
        with pytest.raises(ProcessKilled):
            making.finish()
    if not is_there:
        bucket.delete_object(Bucket=settings().bucket_name, Key=export_files.archive_key(export_id))
    refused = ClientError(cast("Any", {"ResponseMetadata": {"HTTPStatusCode": 404}}), "CompleteMultipartUpload")
    complete, answers = export_files.complete_upload, iter([refused])

    def completing(*given: Any) -> bool:
        error = next(answers, None)
        if error is None:
            return complete(*given)
        with monkeypatch.context() as patched:
            refusing = SimpleNamespace(complete_multipart_upload=_raising(error))
            patched.setattr(export_files, "client", lambda: refusing)
            return complete(*given)

    monkeypatch.setattr(export_files, "complete_upload", completing)
    queue.current.now += queue.LONG_ENOUGH
    making.finish()
    shown = client.get(f"{path}/{export_id}").data
    assert (shown["status"], shown["size"]) == ("ready", making.stored_size(export_id))


def _raising(error: Exception) -> Callable[..., Any]:
    def call(*_: Any, **_members: Any) -> Any:
        raise error

    return call


def test_parts_grow_so_that_ten_thousand_hold_the_largest_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "PART_BYTES", 2)
    monkeypatch.setattr(archives, "_LARGER_AFTER", 3)
    parts = making.FakeUploads(monkeypatch)
    upload = archives._Upload("export", None)
    upload.write(20 * b"x")
    assert [len(part) for part in parts.parts] == [2, 2, 2, 4, 4, 4]
    size = sum(8 * 1024 * 1024 * (1 + number // 2000) for number in range(10_000))
    assert size > 4 * BOARD_FILE_BYTES


def _die(*_: Any) -> Any:
    raise ProcessKilled


def test_a_restricted_board_is_exported(scenario: BoardScenario) -> None:
    scenario.set_billing_state("CANCELLED")
    assert making.export(scenario.owner.client, of_board(scenario)).namelist()
