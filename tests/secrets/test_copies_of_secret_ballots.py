"""Secret ballots in what leaves the table: its stream, exports, the log's bucket, backups and what is restored of them.

An attacker has all of it, from before the close and after; they lack the service's secret alone. Two boards on which
the voters choose differently, with the same sums, must not be told apart by any of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest

from governance.ids import BoardId
from governance.limits import EVENT_SETTLES_SECONDS
from governance.settings import settings
from infra.operator import restore
from tests.exports import making
from tests.harness import sdk, sealing
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.bucket import keys
from tests.harness.clock import Clock
from tests.harness.history import event_items
from tests.harness.outbox import Outbox
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.restored_table import restored_table
from tests.harness.stream import event_records, process_records, record
from tests.harness.table_snapshot import TableSnapshot
from tests.secrets.test_secret_ballots import masked, written

pytestmark = pytest.mark.usefixtures("bucket", "outbox")
_OF_THE_RUN = re.compile(r'[\w.+-]+@[\w.-]+|"(leaf|size)": \d+|"leaf": ?\{"N": ?"\d+"\}')
"""Addresses, the places of entries in the log, which both boards share, and the sizes of archives, which have ids."""
_ONE = {"ann": "for", "ben": "against", "cem": "abstain"}
_OTHER = {"ann": "abstain", "ben": "for", "cem": "against"}


class Stolen:
    """What an attacker holds of a board with a secret vote, by what they took; only what is random is masked."""

    def __init__(self, chosen: Mapping[str, str], clock: Clock) -> None:
        clock.stop()
        self._clock = clock
        self.board: BoardScenario = new_board_scenario()
        self.votes = votes = ResolutionScenario(self.board)
        self.path = votes.opened(ballots="secret")
        self.taken: dict[str, list[str]] = {}
        with written() as calls:
            for voter, choice in zip(votes.voters, chosen.values(), strict=True):
                assert votes.vote(self.path, voter, choice).status == 200
        self._take("stream", self._stream())
        self._take_copies("before")
        before = [*self.taken.values()]
        with restored_table() as backup:
            with written() as ended:
                assert votes.close(self.path).status == 200
            self._take("stream of the close", self._stream())
            self._take_copies("after")
            assert self.board.owner.client.delete(self.board.path).status == 200
            assert process_records([record(item) for item in event_items(self.board.board_id)]) == []
            with written() as restored:
                restore.restore_board(backup, BoardId(self.board.board_id))
        rows = [json.dumps(write) for call in restored for write in json.loads(call)["TransactItems"]]
        self._take("what is restored", rows)
        self._take("writes", [*calls, *ended], ordered=True)
        self.before = [*before, masked(calls), masked(restored)]
        """What was held before the close."""

    def _take(self, what: str, texts: list[str], *, ordered: bool = False) -> None:
        shown = [_OF_THE_RUN.sub("*", text) for text in masked(texts)]
        self.taken[what] = shown if ordered else sorted(shown)

    def _stream(self) -> list[str]:
        records = event_records(self.board.board_id)
        assert process_records(records) == []
        return [json.dumps(each["dynamodb"]["NewImage"]) for each in records]

    def _take_copies(self, when: str) -> None:
        self._clock.move(EVENT_SETTLES_SECONDS + 1)  # an export has the events that have settled
        sealing.seal(BoardId(self.board.board_id))
        rows = [json.dumps(row, sort_keys=True, default=str) for row in TableSnapshot().items.values()]
        self._take(f"backup {when}", [row for row in rows if self.board.board_id in row])
        archive = making.export(self.board.owner.client, making.of_board(self.board))
        files = [name for name in archive.namelist() if name.endswith(".ndjson")]
        self._take(f"export {when}", [line for name in files for line in archive.read(name).decode().splitlines()])
        assert {"resolutions.ndjson", "ballots.ndjson"} <= {*files}


def test_no_stream_export_or_backup_tells_two_votes_of_the_same_sums_apart(outbox: Outbox, clock: Clock) -> None:
    one, other = Stolen(_ONE, clock), Stolen(_OTHER, clock)
    for what, texts in one.taken.items():
        assert texts == other.taken[what], what
        assert texts, what
    held = [text for texts in (*one.before, *other.before) for text in texts]
    assert [text for text in held for choice in ("against", "abstain") if f'"{choice}"' in text] == []
    told = str([*map(str, outbox.mails)])
    assert "against" not in told


def test_the_logs_bucket_names_no_voter_no_resolution_and_no_choice(clock: Clock) -> None:
    held = Stolen(_ONE, clock)
    client, named = (
        sdk.s3(),
        [*(voter.id for voter in held.votes.voters), held.path.rpartition("/")[2], held.board.board_id],
    )
    objects = [key for key in keys(client) if key.startswith("log/")]
    assert len(objects) > 3
    for key in objects:
        content = client.get_object(Bucket=settings().bucket_name, Key=key)["Body"].read()
        assert [word for word in (*named, "against", "abstain") if word.encode() in content] == []
        assert [raw for raw in map(bytes.fromhex, named) if raw in content] == []
