"""Secret ballots: an attacker who sees all that is written and logged learns who voted, and no more.

They lack the service's secret alone. Two votes in which the voters choose differently, with the same sums, must not be
told apart by anything that is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag

from governance.settings import settings
from governance.store.resolutions import resolutions, secret_choices
from tests.harness import queue, stream
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client
from tests.harness.observed_table import events as table_events
from tests.harness.outbox import Outbox
from tests.harness.resolution_scenario import ResolutionScenario
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
