"""A sealer that dies at any call, or runs beside another, leaves one log: each size has one checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from governance import aws
from governance.log.notes import Checkpoint, parse_checkpoint
from governance.log.tiles import Tile, edge_tiles, parse_path, tile_of
from governance.sealing import sealer
from governance.store.history import leaves, log_files, log_lock
from governance.store.schema.keys import Key, key_of
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import ends_before
from tests.harness.history import audit_items
from tests.sealing.test_sealing import meetings

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_MOST_CALLS = 60


@pytest.fixture
def published(bucket: S3Client) -> Iterator[list[Checkpoint]]:
    """Every checkpoint that is published; no size twice with another root, none smaller than the last."""
    del bucket
    seen: list[Checkpoint] = []
    asked: list[Checkpoint] = []

    def ask(params: dict[str, Any], **_: Any) -> None:
        if params["url_path"].endswith("log/checkpoint"):
            asked.append(parse_checkpoint(params["body"].getvalue().decode()).checkpoint)

    def note(http_response: Any, **_: Any) -> None:
        if asked and http_response.status_code == HTTPStatus.OK:
            seen.append(asked[-1])
        asked.clear()

    events = aws.s3().meta.events
    events.register("before-call.s3.PutObject", ask)
    events.register("after-call.s3.PutObject", note)
    yield seen
    events.unregister("before-call.s3.PutObject", ask)
    events.unregister("after-call.s3.PutObject", note)
    assert [checkpoint.size for checkpoint in seen] == sorted(checkpoint.size for checkpoint in seen)
    roots: dict[int, bytes] = {}
    for checkpoint in seen:
        assert roots.setdefault(checkpoint.size, checkpoint.root) == checkpoint.root
    assert seen


def record(scenario: BoardScenario, number: int = 1) -> list[Key]:
    """Records entries; returns the keys of the rows that are not logged yet."""
    meetings(scenario, number)
    rows = audit_items(scenario.board_id)
    return [key_of(row) for row in rows if any(leaf.index is None for leaf in leaves.leaves_of(row))]


def check(scenario: BoardScenario) -> None:
    """Asserts that each entry is logged once, that the tiles have the root, and that the lock is the checkpoint."""
    rows = audit_items(scenario.board_id)
    indexes = [leaf.index for row in rows for leaf in leaves.leaves_of(row)]
    head = sealing.checkpoint().checkpoint
    assert sorted(index for index in indexes if index is not None) == [*range(head.size)] == [*range(len(indexes))]
    assert log_lock.read() == head
    assert sealing.everything(head.size) == head.root


@pytest.mark.parametrize("restart", [sealer.start, sealer.resume], ids=["by the clock", "of make run"])
def test_a_batch_is_logged_once_wherever_its_sealer_died(
    scenario: BoardScenario, published: list[Checkpoint], restart: Callable[[], object]
) -> None:
    sealer.start()
    assert published[0].size == 0
    for call in range(1, _MOST_CALLS):
        keys = record(scenario)
        ended = ends_before(call, lambda keys=keys: sealer.seal(keys), s3=aws.s3(), kms=aws.kms())  # type: ignore[misc]
        restart()
        sealer.seal(keys)
        check(scenario)
        if ended:
            break
    else:
        pytest.fail("sealing never ends")


def test_a_log_begins_once_wherever_its_first_sealer_died(scenario: BoardScenario, bucket: S3Client) -> None:
    for call in range(1, _MOST_CALLS):
        ended = ends_before(call, sealer.start, s3=aws.s3(), kms=aws.kms())
        sealer.start()
        check(scenario)
        sealing.forget_all(bucket)
        if ended:
            return
    pytest.fail("beginning never ends")


Step = Callable[..., Any]


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (leaves, "with_salts"),
        (log_files, "stage"),
        (log_lock, "move"),
        (log_files, "create"),
        (leaves, "mark"),
        (log_files, "publish"),
    ],
)
@pytest.mark.parametrize("same", [True, False])
def test_two_sealers_at_once_make_one_log(
    scenario: BoardScenario,
    published: list[Checkpoint],
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    *,
    same: bool,
) -> None:
    """The other sealer does all of its work before this step of the first, with the same rows or with others."""
    sealer.start()
    first = record(scenario, 2)
    second = first if same else [key for key in record(scenario, 3) if key not in first]
    real: Step = getattr(module, name)

    def after_another(*given: Any) -> Any:
        monkeypatch.setattr(module, name, real)
        sealer.seal(second)
        return real(*given)

    monkeypatch.setattr(module, name, after_another)
    sealer.seal(first)
    check(scenario)
    assert sealing.checkpoint().checkpoint.size == (2 if same else 5)
    assert published[-1] == sealing.checkpoint().checkpoint


def test_cosignatures_that_arrive_meanwhile_do_not_hold_up_the_next_checkpoint(
    scenario: BoardScenario, published: list[Checkpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    sealer.start()
    keys = record(scenario)
    real = log_files.create

    def cosigned_meanwhile(*given: Any) -> None:
        monkeypatch.setattr(log_files, "create", real)
        latest = log_files.published()
        assert latest is not None
        log_files.publish(latest.signed, latest)
        real(*given)

    monkeypatch.setattr(log_files, "create", cosigned_meanwhile)
    sealer.seal(keys)
    check(scenario)
    assert published[-1].size == 1


def test_a_log_whose_table_was_restored_stops_until_it_is_resumed(scenario: BoardScenario, bucket: S3Client) -> None:
    del bucket
    sealer.seal(record(scenario, 2))
    earlier = log_lock.read()
    sealer.seal(record(scenario, 1))
    later = log_lock.read()
    assert earlier is not None
    log_lock.move(later, earlier)
    before = sealing.public("checkpoint")
    keys = record(scenario, 1)
    with pytest.raises(sealer.LogStoppedError):
        sealer.seal(keys)
    assert sealing.public("checkpoint") == before
    assert sealer.resume() == later
    sealer.seal(keys)
    check(scenario)


def test_resume_drops_the_tiles_of_a_batch_that_the_table_has_lost(scenario: BoardScenario, bucket: S3Client) -> None:
    del bucket
    sealer.seal(record(scenario, 2))
    log_files.create({Tile(0, 0, 3): b"of a lost batch", Tile(None, 0, 3): b"", Tile(1, 0, 1): b"", Tile(0, 0): b""})
    keys = record(scenario, 1)
    sealer.resume()
    sealer.seal(keys)
    check(scenario)
    assert {tile for tile in log_files.created_tiles() if tile.end > 2} == {Tile(0, 0, 3), Tile(None, 0, 3)}


def test_resume_drops_what_keeps_a_decided_batch_from_being_finished(
    scenario: BoardScenario, bucket: S3Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    del bucket
    sealer.seal(record(scenario, 2))
    keys = record(scenario, 1)
    log_files.create({Tile(0, 0, 3): b"of a lost batch"})
    with pytest.raises(sealer.LogStoppedError, match="other bytes"):
        sealer.seal(keys)
    with pytest.raises(sealer.LogStoppedError, match="other bytes"):
        sealer.start()
    sealer.resume()
    dropped: list[Tile] = []
    monkeypatch.setattr(log_files, "drop", dropped.extend)
    sealer.start()
    check(scenario)
    sealer.resume()
    assert dropped == []


@pytest.mark.parametrize("size", [1, 255, 256, 257, 70_000, 2**24 + 1])
def test_a_path_names_the_tile_whose_it_is(size: int) -> None:
    for tile in [*edge_tiles(size), *(tile_of(level, 0, size) for level in (None, 0))]:
        assert parse_path(tile.path) == tile
        assert tile.end <= size


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"127.0.0.1/log\n2\n"])
@pytest.mark.parametrize("damaged", ["log/checkpoint", "log/tile/0/000.p/2", "log/tile/entries/000.p/2"])
def test_a_log_whose_files_are_cut_short_stops_and_says_so(
    scenario: BoardScenario, bucket: S3Client, damaged: str, content: bytes
) -> None:
    sealer.seal(record(scenario, 2))
    keys = record(scenario, 1)
    bucket.put_object(Bucket="static-test", Key=damaged, Body=content)
    for go_on in (lambda: sealer.seal(keys), sealer.resume):
        with pytest.raises(sealer.LogStoppedError):
            go_on()


@pytest.mark.parametrize("content", [b"", b"\xff", b'{"tiles": [['])
def test_a_log_whose_staged_batch_is_cut_short_stops_and_says_so(
    scenario: BoardScenario, bucket: S3Client, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    sealer.seal(record(scenario, 2))
    keys = record(scenario, 1)
    with monkeypatch.context() as patched:
        patched.setattr(log_files, "create", Mock(side_effect=RuntimeError))
        with pytest.raises(RuntimeError):
            sealer.seal(keys)
    head = log_lock.read()
    assert head is not None
    bucket.put_object(Bucket="static-test", Key=f"log-staged/{head.size}-{head.root.hex()}", Body=content)
    for go_on in (sealer.start, sealer.resume):
        with pytest.raises(sealer.LogStoppedError, match="staged batch"):
            go_on()


def test_what_is_no_tile_is_no_obstacle(scenario: BoardScenario, bucket: S3Client) -> None:
    sealer.seal(record(scenario, 2))
    for name in (".DS_Store", "0/.DS_Store", "0/000.p/2.tmp", "9/000", "0/0", "entries/000.p/0"):
        bucket.put_object(Bucket="static-test", Key=f"log/tile/{name}", Body=b"left over")
    keys = record(scenario, 1)
    sealer.resume()
    sealer.seal(keys)
    check(scenario)


def test_a_log_stops_if_another_log_is_published(scenario: BoardScenario, bucket: S3Client) -> None:
    keys = record(scenario, 2)
    sealer.seal(keys)
    head = log_lock.read()
    assert head is not None
    forked = Checkpoint(head.origin, head.size, bytes(32))
    log_lock.move(head, forked)
    with pytest.raises(sealer.LogStoppedError):
        sealer.seal(record(scenario, 1))
    log_lock.move(forked, head)
    bucket.put_object(Bucket="static-test", Key="log/tile/0/000.p/2", Body=bytes(64))
    with pytest.raises(sealer.LogStoppedError):
        sealer.seal(record(scenario, 1))
