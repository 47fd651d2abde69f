"""Whatever is changed afterwards, in the log or in what it stands for, is found from outside."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from governance.log.leaves import new_salt
from governance.log.notes import Checkpoint, sign_checkpoint
from governance.log.tiles import Edge, edge_tiles, tiles_of
from governance.store.history import leaves, log_key
from governance.store.schema.keys import Item
from infra.operator.log import MissingError, findings
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.bucket import fresh_bucket
from tests.harness.engine import fresh_table
from tests.harness.history import audit_items

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_ENTRIES = 300


@dataclass
class Evidence:
    """What an auditor has: the files of the log, its key, a checkpoint of earlier, and the rows of the entries."""

    files: dict[str, bytes]
    rows: list[Item]
    earlier: str
    key: str
    chance: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 - no secret

    def differences(self) -> list[str]:
        return list(findings(self._fetch, self.key, self.earlier, iter(self.rows)))

    def _fetch(self, path: str) -> bytes:
        if path not in self.files:
            raise MissingError(f"{path} is missing.")
        return self.files[path]

    def named(self, part: str) -> str:
        return self.chance.choice([tile.path for tile in tiles_of(_ENTRIES) if part in tile.path])

    def flip(self, path: str) -> None:
        content = bytearray(self.files[path])
        content[self.chance.randrange(len(content))] ^= 1 << self.chance.randrange(8)
        self.files[path] = bytes(content)

    def row(self) -> Item:
        return self.chance.choice(self.rows)

    def rewrite(self, entries: list[bytes]) -> None:
        """Replaces the whole log by another one, with all that the thief of the key can make."""
        edge = Edge()
        self.files |= {tile.path: content for tile, content in edge.append(entries).items()}
        checkpoint = Checkpoint(self.key.partition("+")[0], edge.size, edge.root)
        signed = sign_checkpoint(checkpoint, log_key.verifier_key(checkpoint.origin), log_key.sign)
        self.files["checkpoint"] = signed.text.encode()

    def entries(self) -> list[bytes]:
        return [leaf.entry for row in self.rows for leaf in leaves.leaves_of(row)]


def change_text(evidence: Evidence, old: str, new: str) -> None:
    row = evidence.row()
    row["entry"] = row["entry"].replace(old, new)


def exchange_entries(evidence: Evidence) -> None:
    first, second = evidence.chance.sample(evidence.rows, 2)
    first["entry"], second["entry"] = second["entry"], first["entry"]


def change_index(evidence: Evidence) -> None:
    row = evidence.row()
    row["leaf"] = (row["leaf"] + 1) % len(evidence.rows)


def add_an_entry(evidence: Evidence) -> None:
    row = dict(evidence.row())
    evidence.rows.append({**row, "entry": row["entry"].replace("Meeting", "Forged"), "salt": new_salt()})


def cut_bundle(evidence: Evidence) -> None:
    path = evidence.named("tile/entries/")
    evidence.files[path] = evidence.files[path][:-1]


def exchange_tiles(evidence: Evidence) -> None:
    files = evidence.files
    names = "tile/0/000", "tile/entries/000"
    files[names[0]], files[names[1]] = files[names[1]], files[names[0]]


def roll_back(evidence: Evidence) -> None:
    evidence.rewrite(evidence.entries()[: _ENTRIES // 2])
    for row in evidence.rows:  # more than a minute later
        row["SK"] = row["SK"].replace(row["SK"][:4], "2020", 1)


def fork(evidence: Evidence) -> None:
    entries = evidence.entries()
    entries[evidence.chance.randrange(_ENTRIES)] = evidence.chance.randbytes(32)
    evidence.rewrite(entries)


def leave_out(evidence: Evidence) -> None:
    entries = evidence.entries()
    del entries[evidence.chance.randrange(_ENTRIES)]
    evidence.rewrite(entries)


def sign_with_another_key(evidence: Evidence) -> None:
    name, _, rest = evidence.files["checkpoint"].decode().rpartition(" ")
    signature = base64.b64encode(base64.b64decode(rest)[:4] + bytes(64)).decode()
    evidence.files["checkpoint"] = f"{name} {signature}\n".encode()


TAMPERINGS: dict[str, Callable[[Evidence], object]] = {
    "a word of an entry": lambda evidence: change_text(evidence, "meetingCreate", "meetingDelete"),
    "a letter of an entry": lambda evidence: change_text(evidence, "Meeting ", "meeting "),
    "a salt": lambda evidence: evidence.row().update(salt=new_salt()),
    "two entries": exchange_entries,
    "a place": change_index,
    "one entry more": add_an_entry,
    "a tile": lambda evidence: evidence.flip(evidence.named("tile/0/000")),
    "a partial tile": lambda evidence: evidence.flip(evidence.named("tile/0/001.p/")),
    "a tile of the earlier size": lambda evidence: evidence.flip(
        evidence.chance.choice(edge_tiles(_ENTRIES // 2)).path
    ),
    "an upper tile": lambda evidence: evidence.flip(evidence.named("tile/1/")),
    "a bundle": lambda evidence: evidence.flip(evidence.named("tile/entries/")),
    "a bundle that is cut": cut_bundle,
    "the checkpoint": lambda evidence: evidence.flip("checkpoint"),
    "a tile that is lost": lambda evidence: evidence.files.pop(evidence.named("tile/")),
    "two tiles": exchange_tiles,
    "the end": roll_back,
    "the end, behind the earlier checkpoint": lambda evidence: evidence.rewrite(
        evidence.entries()[: _ENTRIES // 2 - 1]
    ),
    "an entry of a fork": fork,
    "an entry that is left out": leave_out,
    "the key": sign_with_another_key,
}


@pytest.fixture(scope="module")
def whole(_engine: str) -> Iterator[Evidence]:
    """A log that nobody has touched."""
    with fresh_table(), fresh_bucket() as bucket:
        yield evidence_of(new_board_scenario(), bucket)


def evidence_of(scenario: BoardScenario, bucket: S3Client) -> Evidence:
    earlier = ""
    for part in range(2):
        for n in range(_ENTRIES // 2):
            scenario.owner.client.post(f"{scenario.path}/meetings", {"title": f"Meeting {part} {n}"})
        sealing.seal(scenario.board_id)
        earlier = earlier or sealing.public("checkpoint").decode()
    listed = bucket.list_objects_v2(Bucket="static-test", Prefix="log/")["Contents"]
    names = [entry["Key"].removeprefix("log/") for entry in listed]
    files = {name: sealing.public(name) for name in names}
    rows = sorted(audit_items(scenario.board_id), key=lambda row: int(row["leaf"]))
    return Evidence(files, rows, earlier, sealing.key().text)


def copied(whole: Evidence, seed: int) -> Evidence:
    chance = random.Random(seed)  # noqa: S311 - no secret
    return Evidence(dict(whole.files), [dict(row) for row in whole.rows], whole.earlier, whole.key, chance)


def test_a_log_that_nobody_touched_holds(whole: Evidence) -> None:
    assert whole.differences() == []


def test_partial_tiles_behind_a_full_one_may_be_gone(whole: Evidence) -> None:
    evidence = copied(whole, 0)
    for tile in edge_tiles(_ENTRIES // 2):
        del evidence.files[tile.path]
    assert evidence.differences() == []


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("changed", TAMPERINGS)
def test_what_was_changed_afterwards_is_found(whole: Evidence, changed: str, seed: int) -> None:
    evidence = copied(whole, seed)
    TAMPERINGS[changed](evidence)
    assert evidence.differences() != []
