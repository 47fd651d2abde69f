"""Programs of other makes judge the log: a verifier of C2SP's formats, and a witness that cosigns each checkpoint."""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from governance.log.merkle import consistency_proof, inclusion_proof
from governance.log.notes import InvalidNoteError, VerifierKey
from governance.log.tiles import Edge, Tile, subtree_of
from governance.sealing import sealer
from governance.sealing import witnesses as cosigning
from governance.settings import settings
from governance.store.history import leaves, log_files
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.history import audit_items
from tests.sealing.test_sealing import meetings

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

aics_tlog: Any = pytest.importorskip("aics_tlog", reason="needs Python 3.12")
LogConfig: Any = pytest.importorskip("aics_witness.config").LogConfig
service: Any = pytest.importorskip("aics_witness.service")
WitnessStore: Any = pytest.importorskip("aics_witness.store").WitnessStore


class PublishedTiles:
    """The log's tiles, as the verifier reads them."""

    def read_tile(self, level: int, index: int, width: int | None) -> bytes | None:
        return self._find(aics_tlog.tiles.tile_path(level, index, width))

    def read_entry_bundle(self, index: int, width: int | None) -> bytes | None:
        return self._find(aics_tlog.tiles.entry_bundle_path(index, width))

    def _find(self, path: str) -> bytes | None:
        file = log_files._find(f"log/{path}")
        return file and file[0]


def judged() -> Any:
    """Returns the published checkpoint, after the verifier has accepted its signature and every tile."""
    note = aics_tlog.parse_note(sealing.public("checkpoint"))
    key = aics_tlog.parse_vkey(sealing.public("key").decode().strip())
    result = aics_tlog.verify_checkpoint(note, key, expected_origin="governance.example.com/log")
    assert result.ok, result.error
    checkpoint = aics_tlog.parse_checkpoint(note.text)
    if checkpoint.size:
        aics_tlog.audit_tiles(PublishedTiles(), checkpoint.size, checkpoint.root)
    return checkpoint


def test_a_verifier_of_another_make_accepts_every_size_of_the_log(scenario: BoardScenario, bucket: S3Client) -> None:
    del bucket
    sealer.start()
    earlier = judged()
    for number in (1, 3, 260):
        meetings(scenario, number)
        sealing.seal(scenario.board_id)
        checkpoint = judged()
        path = aics_tlog.consistency_proof_from_tiles(PublishedTiles(), earlier.size, checkpoint.size)
        assert aics_tlog.verify_consistency(earlier.size, checkpoint.size, earlier.root, checkpoint.root, path)
        earlier = checkpoint
    for row in audit_items(scenario.board_id)[::60]:
        (leaf,) = leaves.leaves_of(row)
        assert leaf.index is not None
        text = log_files.proof(leaf.index)
        assert text is not None
        assert sealing.verify_proof(text, leaf.entry)[1].root == earlier.root
        path = aics_tlog.inclusion_proof_from_tiles(PublishedTiles(), leaf.index, earlier.size)
        hashed = aics_tlog.leaf_hash(leaf.entry)
        assert aics_tlog.verify_inclusion(hashed, leaf.index, earlier.size, path, earlier.root)


def test_proofs_of_trees_of_every_shape_hold_for_the_verifier() -> None:
    edge, judge = Edge(), aics_tlog.MerkleTree()
    files: dict[Tile, bytes] = {}
    chance = random.Random(7)  # noqa: S311 - no secret
    sizes = [1, 2, 3, 7, 255, 256, 257, 511, 513, 65_535, 65_536, 65_537, 70_000]
    roots = {0: edge.root}
    for size in sizes:
        entries = [chance.randbytes(32) for _ in range(size - edge.size)]
        files |= edge.append(entries)
        for entry in entries:
            judge.append(entry)
        roots[size] = edge.root
        assert edge.root == judge.root()
        if size in {255, 257, 513, 65_537, 70_000}:
            subtree = subtree_of(files.__getitem__, size)
            for index in {0, 1, size // 2, size - 1, *(chance.randrange(size) for _ in range(5))}:
                level_0 = subtree(index, index + 1)
                assert aics_tlog.verify_inclusion(
                    level_0, index, size, inclusion_proof(subtree, index, size), edge.root
                )
            for old in [root for root in roots if root]:
                proof = consistency_proof(subtree, old, size)
                assert aics_tlog.verify_consistency(old, size, roots[old], edge.root, proof)


@contextmanager
def witnessing(folder: Path, name: str = "w1") -> Iterator[tuple[str, str]]:
    """Runs a witness of the log on this machine; yields its verifier key and its address."""
    log = LogConfig.from_strings("governance.example.com/log", [sealing.key().text])
    database = WitnessStore(folder / f"{name}.db", create=True)
    witness = service.Witness(f"witness.example.org/{name}", Ed25519PrivateKey.generate(), database, (log,))
    server = service.make_server(witness)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield witness.vkey_text, server.url
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        database.close()


def name_witnesses(monkeypatch: pytest.MonkeyPatch, *witnesses: tuple[str, str]) -> None:
    named = replace(settings(), log_witnesses=witnesses)
    monkeypatch.setattr(cosigning, "settings", lambda: named)


def accepted_cosignatures(key: str) -> int:
    """Returns how many cosignatures of this witness the verifier accepts on the published checkpoint."""
    note = aics_tlog.parse_note(sealing.public("checkpoint"))
    log_key = aics_tlog.parse_vkey(sealing.public("key").decode().strip())
    result = aics_tlog.verify_checkpoint(note, log_key, [aics_tlog.parse_vkey(key)])
    assert result.log_ok, result.error
    return int(result.cosignature_count)


@pytest.mark.usefixtures("bucket")
def test_a_witness_of_another_make_cosigns_each_checkpoint(
    scenario: BoardScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealer.start()
    with witnessing(tmp_path) as (key, url):
        name_witnesses(monkeypatch, (key, url))
        sealing.invoke({})
        assert accepted_cosignatures(key) == 1, "of the empty log"
        for number in (1, 3, 260):
            meetings(scenario, number)
            sealing.seal(scenario.board_id)
            sealing.invoke({})
            assert accepted_cosignatures(key) == 1
            sealing.invoke({})
            assert accepted_cosignatures(key) == 1, "asked again, idle too"
    text = log_files.proof(0)
    assert text is not None
    assert "witness.example.org/w1" in text


@pytest.mark.usefixtures("bucket")
def test_each_of_several_witnesses_cosigns_and_who_stays_away_costs_the_others_nothing(
    scenario: BoardScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealer.start()
    with witnessing(tmp_path, "w1") as first, witnessing(tmp_path, "w2") as second:
        with witnessing(tmp_path, "w3") as third:
            name_witnesses(monkeypatch, first, second, third)
            meetings(scenario, 2)
            sealing.seal(scenario.board_id)
            sealing.invoke({})
            assert [accepted_cosignatures(key) for key, _ in (first, second, third)] == [1, 1, 1]
        meetings(scenario, 3)
        sealing.seal(scenario.board_id)
        sealing.invoke({})
        assert [accepted_cosignatures(key) for key, _ in (first, second, third)] == [1, 1, 0]
        name_witnesses(monkeypatch, second)
        sealing.invoke({})
        assert [accepted_cosignatures(key) for key, _ in (first, second, third)] == [1, 1, 0], "an earlier word stays"


@pytest.mark.usefixtures("bucket")
def test_a_witness_that_does_not_answer_holds_up_nothing_and_keeps_its_last_word(
    scenario: BoardScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealer.start()
    with witnessing(tmp_path) as (key, url):
        name_witnesses(monkeypatch, (key, url), (key.replace("/w1", "/w2"), "http://127.0.0.1:9"))
        with pytest.raises(InvalidNoteError):
            sealing.invoke({})  # a key whose id is not that of its name
        other = VerifierKey("witness.example.org/w2", bytes(32), 4).text
        name_witnesses(monkeypatch, (other, "http://127.0.0.1:9"), (key, url))
        sealing.invoke({})
        assert accepted_cosignatures(key) == 1
    sealing.invoke({})
    assert accepted_cosignatures(key) == 1
    meetings(scenario, 1)
    sealing.seal(scenario.board_id)
    sealing.invoke({})
    assert accepted_cosignatures(key) == 0
    assert sealing.checkpoint().checkpoint.size == 1


@contextmanager
def dripping() -> Iterator[tuple[str, threading.Event]]:
    """Runs a witness that answers a byte at a time, without an end; yields its address, and that it was left alone."""
    server, left = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def drip() -> None:
        with server, server.accept()[0] as connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while not left.wait(0.01):
                connection.sendall(b"x")
        left.set()

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}", left
    thread.join()


@pytest.mark.usefixtures("bucket")
def test_a_witness_that_answers_by_drops_holds_up_no_other_and_is_left_alone(
    scenario: BoardScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cosigning, "_SECONDS", 1.0)
    sealer.start()
    meetings(scenario, 1)
    sealing.seal(scenario.board_id)
    other = VerifierKey("witness.example.org/w2", bytes(32), 4).text
    with witnessing(tmp_path) as (key, url), dripping() as (dripper, left):
        name_witnesses(monkeypatch, (other, dripper), (key, url))
        sealing.invoke({})
        assert accepted_cosignatures(key) == 1
        assert left.wait(30)


@pytest.mark.usefixtures("bucket", "scenario")
@pytest.mark.parametrize(
    ("status", "text"),
    [
        (200, ""),
        (200, "— witness.example.org/w1 AAAA\n"),
        (200, "no signature\n"),
        (409, "many\n"),
        (409, "5\n"),
        (422, ""),
        (500, "oops"),
    ],
)
def test_what_is_no_cosignature_of_the_witness_is_left_out(
    status: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealer.start()
    before = sealing.public("checkpoint")
    key = VerifierKey("witness.example.org/w1", bytes(32), 4).text
    name_witnesses(monkeypatch, (key, "http://127.0.0.1:9"))
    monkeypatch.setattr(cosigning, "_post", lambda *_: (status, text))
    sealing.invoke({})
    assert sealing.public("checkpoint") == before


@pytest.mark.usefixtures("bucket")
def test_a_rewritten_history_is_refused_by_the_witness(
    scenario: BoardScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bucket: S3Client
) -> None:
    meetings(scenario, 2)
    sealing.seal(scenario.board_id)
    with witnessing(tmp_path) as (key, url):
        name_witnesses(monkeypatch, (key, url))
        sealing.invoke({})
        assert accepted_cosignatures(key) == 1
        sealing.forget_all(bucket)
        other = new_board_scenario("otto")
        meetings(other, 3)
        sealing.seal(other.board_id)
        sealing.invoke({})
        assert accepted_cosignatures(key) == 0
