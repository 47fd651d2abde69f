"""`boardctl log`, and what `boardctl migrate` logs."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from governance.log.notes import VerifierKey
from governance.settings import settings
from governance.store.history import leaves, log_key, log_lock
from governance.store.schema.keys import key_of
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness import queue, sdk, sealing
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.clock import Clock
from tests.harness.history import audit_items
from tests.operator.commands import boardctl

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def record(scenario: BoardScenario, number: int) -> None:
    for n in range(number):
        scenario.owner.client.post(f"{scenario.path}/meetings", {"title": f"Meeting {n}"})


def indexes(scenario: BoardScenario) -> list[int | None]:
    return [leaf.index for row in audit_items(scenario.board_id) for leaf in leaves.leaves_of(row)]


@pytest.fixture
def url(bucket: S3Client) -> Iterator[str]:
    """The address of the log on this machine."""
    files = bucket

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                content = files.get_object(Bucket="static-test", Key=self.path[1:])["Body"].read()
            except files.exceptions.NoSuchKey:
                self.send_error(404)
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Writes nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/log"
        server.shutdown()
        thread.join()


def test_verify_accepts_a_log_and_what_it_stands_for(scenario: BoardScenario, url: str, tmp_path: Path) -> None:
    record(scenario, 2)
    sealing.seal(scenario.board_id)
    earlier = tmp_path / "checkpoint"
    earlier.write_bytes(sealing.public("checkpoint"))
    record(scenario, 1)
    sealing.seal(scenario.board_id)
    head = sealing.checkpoint().checkpoint
    words = ("log", "verify", url, "--since", str(earlier), "--board", scenario.board_id, "--key", sealing.key().text)
    done = boardctl(*words)
    assert (done.exit_code, done.stdout) == (0, f"size 3\nroot {head.root.hex()}\n")


def test_verify_says_what_does_not_hold(scenario: BoardScenario, url: str) -> None:
    record(scenario, 2)
    sealing.seal(scenario.board_id)
    row = audit_items(scenario.board_id)[1]
    transact([Put({**row, "entry": row["entry"].replace("meetingCreate", "meetingDelete")})])
    done = boardctl("log", "verify", url, "--board", scenario.board_id)
    assert done.exit_code == 1
    assert "is not what entry 1 of the log stands for." in done.stderr
    assert boardctl("log", "verify", url).exit_code == 0, "without a board, of an URL only the log is checked"
    sdk.s3().delete_object(Bucket="static-test", Key="log/tile/0/000.p/2")
    done = boardctl("log", "verify", url)
    assert (done.exit_code, "tile/0/000.p/2 is missing." in done.stderr) == (1, True)


def test_verify_needs_the_key_that_the_checkpoint_is_signed_by(scenario: BoardScenario, url: str) -> None:
    record(scenario, 1)
    sealing.seal(scenario.board_id)
    name = sealing.key().name
    done = boardctl("log", "verify", url, "--key", VerifierKey(name, bytes(32)).text)
    assert (done.exit_code, done.stderr) == (1, "The checkpoint is not signed by the log's key.\n")
    assert boardctl("log", "verify", url, "--key", "no key").exit_code == 1


def test_an_entry_that_was_never_logged_is_named_after_a_minute(
    scenario: BoardScenario, url: str, clock: Clock
) -> None:
    sealing.invoke({})
    record(scenario, 1)
    words = ("log", "verify", url, "--board", scenario.board_id)
    assert boardctl(*words).exit_code == 0
    clock.advance(seconds=61)
    done = boardctl(*words)
    assert (done.exit_code, "is not logged." in done.stderr) == (1, True)


@pytest.mark.usefixtures("bucket")
def test_resume_takes_up_what_is_published_and_migrate_finds_the_entries_again(scenario: BoardScenario) -> None:
    record(scenario, 3)
    sealing.seal(scenario.board_id)
    head = log_lock.read()
    row = audit_items(scenario.board_id)[1]
    del row["leaf"]
    transact([Put(row)])  # as a restored table knows it
    assert head is not None
    log_lock.move(head, head.__class__(head.origin, 1, bytes(32)))
    done = boardctl("log", "resume")
    assert (done.exit_code, done.stdout) == (0, "The log goes on from 3 entries.\n")
    assert log_lock.read() == head
    assert boardctl("migrate").exit_code == 0
    assert indexes(scenario) == [0, 1, 2]


@pytest.mark.usefixtures("bucket")
def test_resume_refuses_a_log_that_another_key_has_signed(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(scenario, 1)
    sealing.seal(scenario.board_id)
    real = log_key.verifier_key
    monkeypatch.setattr(log_key, "verifier_key", lambda name: real(name).__class__(name, bytes(32)))
    done = boardctl("log", "resume")
    assert (done.exit_code, "not signed by the log's key" in done.output) == (1, True)


@pytest.mark.usefixtures("bucket")
def test_migrate_logs_older_entries_of_all_boards_by_their_time(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("governance.store.history.audit.salted", lambda members: members)
    other = new_board_scenario("otto")
    for board in (scenario, other, scenario, other):
        record(board, 1)
    assert "Would log 4 row(s)" in boardctl("migrate", "--dry-run").output
    assert queue.current.messages == []
    assert "Logs 4 row(s)" in boardctl("migrate").output
    sealing.invoke({"Records": [{"messageId": message.id, "body": message.body} for message in queue.current.messages]})
    rows = sorted([*audit_items(scenario.board_id), *audit_items(other.board_id)], key=lambda row: str(key_of(row).sk))
    assert [row["leaf"] for row in rows] == [0, 1, 2, 3]
    assert "row(s) of audit entries" not in boardctl("migrate").output
    assert settings().leaves_queue_url
