"""Secret ballots: an attacker who sees all that is written and logged learns who voted, and no more.

They lack the service's secret alone. Two votes in which the voters choose differently, with the same sums, must not be
told apart by anything that is written, nor by what leaves the table: its stream, exports, the log's bucket, backups and
what is restored of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag

from governance.ids import BoardId
from governance.limits import EVENT_SETTLES_SECONDS
from governance.settings import settings
from governance.store.resolutions import resolutions, secret_choices
from infra.operator import restore
from infra.stack.template import Template
from tests.contract.templates import STACKS
from tests.exports import making
from tests.harness import queue, sdk, sealing, stream
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.bucket import keys
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.history import event_items
from tests.harness.observed_table import events as table_events
from tests.harness.outbox import Outbox
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.restored_table import restored_table
from tests.harness.table_snapshot import TableSnapshot

_RANDOM = re.compile(
    r"[A-Za-z0-9+/]{39}=|[A-Za-z0-9+/]{43}=|\b[0-9a-f]{12,64}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{10}\b|\b20\d\d-\d+\b|GUARD#[0-9a-f]+#\d\d|DUE#\d+"
)
"""What is random or encrypted, ids, instants, and the numbers of resolutions."""
_CHOICES = ("against", "abstain")


@contextmanager
def written() -> Iterator[list[str]]:
    """Yields what is sent to the table to be written, call by call: the stream and every backup are made of it."""
    calls: list[str] = []

    def record(model: Any, params: dict[str, Any], **_: Any) -> None:
        if model.name == "TransactWriteItems":  # all other writes are counts of requests
            calls.append(params["body"].decode())

    table_events.register_first("before-call.dynamodb.*", record)
    try:
        yield calls
    finally:
        table_events.unregister("before-call.dynamodb.*", record)


class Vote:
    """A secret vote, as its observer sees it: all that was written until it was closed, and from its close on."""

    def __init__(self, votes: ResolutionScenario, chosen: Mapping[str, str]) -> None:
        by_name: dict[str, Person] = {"ann": votes.ann, "ben": votes.ben, "cem": votes.cem}
        self.path = votes.opened(ballots="secret")
        with written() as self.before:
            for name, choice in chosen.items():
                assert votes.vote(self.path, by_name[name], choice).status == 200
        self.shown = [votes.get(self.path), votes.ballots(self.path, votes.ann)]
        with written() as self.after:
            assert votes.close(self.path).status == 200
        assert stream.process_records(stream.event_records(votes.board.board_id)) == []
        queue.current.deliver()
        self.shown += [votes.get(self.path), votes.ballots(self.path, votes.ann)]


def masked(texts: list[str]) -> list[str]:
    return [_RANDOM.sub("*", text) for text in texts]


@pytest.fixture
def votes(scenario: BoardScenario) -> ResolutionScenario:
    return ResolutionScenario(scenario)


def test_what_is_written_tells_no_two_votes_of_the_same_sums_apart(votes: ResolutionScenario, outbox: Outbox) -> None:
    del outbox
    one = Vote(votes, {"ann": "for", "ben": "against", "cem": "abstain"})
    other = Vote(votes, {"ann": "abstain", "ben": "for", "cem": "against"})
    assert masked(one.before) == masked(other.before)
    assert masked(one.after) == masked(other.after)
    assert masked([str(one.shown)]) == masked([str(other.shown)])
    assert one.before


def test_nothing_that_is_written_or_logged_before_the_close_says_what_was_chosen(
    votes: ResolutionScenario, outbox: Outbox, capfd: pytest.CaptureFixture[str]
) -> None:
    vote = Vote(votes, {"ann": "against", "ben": "abstain", "cem": "against"})
    logged = capfd.readouterr()
    texts = [*vote.before, logged.out, logged.err, str(vote.shown[:2]), *map(str, outbox.mails)]
    assert [choice for choice in _CHOICES for text in texts if f"'{choice}'" in text or f'"{choice}"' in text] == []
    assert "against" in str(vote.after)  # the sorted choices, in the certificate


def test_the_rows_of_choices_have_one_size_and_no_voter_time_or_order(votes: ResolutionScenario) -> None:
    path = votes.opened(ballots="secret")
    for voter, choice in zip(votes.voters, ("for", "against", "abstain"), strict=True):
        votes.vote(path, voter, choice)
    rows = [row for (_, sort_key), row in TableSnapshot().items.items() if sort_key.startswith("CHOICE#")]
    assert [row.keys() for row in rows] == [{"PK", "SK", "choice"}] * 3
    assert len({(len(row["SK"]), len(row["choice"])) for row in rows}) == 1
    assert len({row["choice"] for row in rows}) == 3
    marks = [row for (_, sort_key), row in TableSnapshot().items.items() if sort_key.startswith("BODY#VOTERS#")]
    ballots = [voter["ballot"] for row in marks for voter in row["voters"]]
    assert {(ballot["choice"], ballot["comment"], ballot["updatedAt"]) for ballot in ballots} == {(None, None, None)}


def test_choices_are_read_with_the_secret_of_the_service_only(
    votes: ResolutionScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = votes.opened(ballots="secret")
    votes.vote(path, votes.ann)
    head = resolutions.find(votes.board.board_id, path.rpartition("/")[2])
    assert head is not None
    assert secret_choices.of_resolution(head) == ["for"]
    monkeypatch.setenv("BALLOT_SECRET", "another")
    settings.cache_clear()
    with pytest.raises(InvalidTag):
        secret_choices.of_resolution(head)
    monkeypatch.undo()
    settings.cache_clear()


def test_the_feed_and_the_answers_say_who_voted_and_no_more(votes: ResolutionScenario) -> None:
    path = votes.opened(ballots="secret")
    votes.vote(path, votes.ann, "against")
    token: Client = votes.board.token("read_only")
    texts = [
        votes.board.owner.client.get(path).text,
        votes.ann.client.get(f"{path}/ballots").text,
    ]
    feed = votes.board.owner.client.get(f"{votes.board.path}/events").text
    assert token.get(path).status == 200
    assert not any('"against"' in text for text in (*texts, feed, str(stream.event_records(votes.board.board_id))))
    assert '"tally":null' in texts[0]
    assert [ballot["choice"] for ballot in votes.ballots(path, votes.ann)] == [None]


# -- lengths

_LENGTH = re.compile(r"length|bytes|size", re.IGNORECASE)


@pytest.mark.parametrize("ballots", ["named", "hidden", "secret"])
def test_no_length_on_the_wire_tells_what_was_chosen(votes: ResolutionScenario, ballots: str) -> None:
    seen: dict[str, set[int]] = {"answer": set(), "own list": set(), "resolution": set()}
    for choice in ("for", "against", "abstain"):
        path = votes.opened(ballots=ballots)
        seen["answer"].add(len(votes.vote(path, votes.ann, choice).text))
        seen["own list"].add(len(votes.ann.client.get(f"{path}/ballots").text))
        seen["resolution"].add(len(votes.ann.client.get(path).text))
    assert {name: len(lengths) for name, lengths in seen.items()} == dict.fromkeys(seen, 1)


def test_white_space_hides_the_length_of_choices_and_of_nothing_else(votes: ResolutionScenario) -> None:
    path, comment = votes.opened(), '"choice":"for"'
    cast = votes.vote(path, votes.ann, comment=comment)
    assert '"choice":"for"    ,' in cast.text
    assert cast.data["comment"] == comment
    assert votes.ballots(path) == [cast.data]


def test_no_log_holds_the_length_of_a_request_or_an_answer(
    votes: ResolutionScenario, capfd: pytest.CaptureFixture[str]
) -> None:
    formats = [
        *(
            stage["AccessLogSettings"]["Format"]
            for stage in _of_stacks("AWS::ApiGatewayV2::Stage", "AccessLogSettings")
        ),
        *(str(delivery["RecordFields"]) for delivery in _of_stacks("AWS::Logs::Delivery", "RecordFields")),
    ]
    assert len(formats) >= 2
    assert [text for text in formats if _LENGTH.search(text)] == []
    kept = [one["LoggingFilter"]["Filters"] for one in _of_stacks("AWS::WAFv2::LoggingConfiguration", "LoggingFilter")]
    assert str(kept).count("KEEP") == str(kept).count("BLOCK") == 1, "what reached the service is not in it"
    path = votes.opened(ballots="secret")
    capfd.readouterr()
    votes.vote(path, votes.ann)
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines() if line.startswith("{")]
    assert [name for line in lines for name in line if _LENGTH.search(name)] == []


def _of_stacks(kind: str, member: str) -> list[dict[str, Any]]:
    """Returns the resources of a kind of all stacks that have this member."""
    every = [resource for stack in (Template(), *STACKS.values()) for resource in stack.resources(kind).values()]
    return [resource for resource in every if member in resource]


# -- copies

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
            assert stream.process_records([stream.record(item) for item in event_items(self.board.board_id)]) == []
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
        records = stream.event_records(self.board.board_id)
        assert stream.process_records(records) == []
        return [json.dumps(record["dynamodb"]["NewImage"]) for record in records]

    def _take_copies(self, when: str) -> None:
        self._clock.move(EVENT_SETTLES_SECONDS + 1)  # an export has the events that have settled
        sealing.seal(BoardId(self.board.board_id))
        rows = [json.dumps(row, sort_keys=True, default=str) for row in TableSnapshot().items.values()]
        self._take(f"backup {when}", [row for row in rows if self.board.board_id in row])
        archive = making.export(self.board.owner.client, making.of_board(self.board))
        files = [name for name in archive.namelist() if name.endswith(".ndjson")]
        self._take(f"export {when}", [line for name in files for line in archive.read(name).decode().splitlines()])
        assert {"resolutions.ndjson", "ballots.ndjson"} <= {*files}


@pytest.mark.usefixtures("bucket")
def test_no_stream_export_or_backup_tells_two_votes_of_the_same_sums_apart(outbox: Outbox, clock: Clock) -> None:
    one, other = Stolen(_ONE, clock), Stolen(_OTHER, clock)
    for what, texts in one.taken.items():
        assert texts == other.taken[what], what
        assert texts, what
    held = [text for texts in (*one.before, *other.before) for text in texts]
    assert [text for text in held for choice in ("against", "abstain") if f'"{choice}"' in text] == []
    told = str([*map(str, outbox.mails)])
    assert "against" not in told


@pytest.mark.usefixtures("bucket", "outbox")
def test_the_logs_bucket_names_no_voter_no_resolution_and_no_choice(clock: Clock) -> None:
    held = Stolen(_ONE, clock)
    client, ids = sdk.s3(), [voter.id for voter in held.votes.voters]
    named = [*ids, held.path.rpartition("/")[2], held.board.board_id]
    objects = [key for key in keys(client) if key.startswith("log/")]
    assert len(objects) > 3
    for key in objects:
        content = client.get_object(Bucket=settings().bucket_name, Key=key)["Body"].read()
        assert [word for word in (*named, "against", "abstain") if word.encode() in content] == []
        assert [raw for raw in map(bytes.fromhex, named) if raw in content] == []
