"""Every route is called; then no secret is where it does not belong: store, logs, mails, errors."""

from __future__ import annotations

import base64
import json
import quopri
from collections.abc import Iterator
from typing import Any

import pytest

from governance.settings import settings
from governance.store import table
from tests.harness import engine, stream
from tests.harness.calls import InlinePool
from tests.harness.client import Answer, Client
from tests.harness.outbox import Outbox, outbox
from tests.harness.routes import ROUTE_NAMES, ROUTES_BY_NAME, sample
from tests.harness.world import World, new_world

__all__ = ["outbox"]
SHOWN_ONCE = ("secret", "token", "url")


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:
    """A fresh table of a service that writes all it would ever write."""
    del pool
    with engine.fresh_table(POWERTOOLS_LOG_LEVEL="DEBUG") as name:
        yield name


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], list[Answer]]:
    """The secrets that callers sent or were shown, and all answers."""
    secrets: set[str] = set()
    answers: list[Answer] = []
    call = Client.call

    def listening(self: Client, *args: Any, **options: Any) -> Answer:
        answer = call(self, *args, **options)
        answers.append(answer)
        secrets.update([self.bearer] if self.bearer else [])
        data = answer.json.get("data") if isinstance(answer.json, dict) else None
        if isinstance(data, dict):
            secrets.update(str(data[name]) for name in SHOWN_ONCE if data.get(name))
        return answer

    monkeypatch.setattr(Client, "call", listening)
    return secrets, answers


def everything_stored() -> str:
    found = table.client().scan(TableName=settings().table_name)
    assert "LastEvaluatedKey" not in found
    return repr(found["Items"])


LAST = ("POST /api/v1/boards/{boardId}/ownership-transfer", "DELETE /api/v1/boards/{boardId}")


def call_every_route(world: World) -> None:
    """By the owner under an idempotency key, and with credentials that do not hold; what ends his reign comes last."""
    for route in [*(name for name in ROUTE_NAMES if name not in LAST), *LAST]:
        request = sample(route, world)
        world.owner.client.call(request.method, request.path, request.body, headers={"idempotency-key": "k"})
        for bearer in ("svc_pat_" + "A" * 53, "not.a.session"):
            Client(bearer).call(request.method, request.path, request.body)


def test_no_secret_is_kept_written_mailed_or_answered_again(
    heard: tuple[set[str], list[Answer]], store: str, outbox: Outbox, capfd: pytest.CaptureFixture[str]
) -> None:
    del store
    world = new_world()
    personal, of_board = world.personal_token(world.owner), world.token()
    for client in (personal, of_board):
        client.get(f"{world.path}/meetings")
        client.post(f"{world.path}/meetings", {"title": 1})
    call_every_route(world)
    stream.feed(stream.events_of(world.board_id))
    secrets, answers = heard
    assert len(secrets) >= 6
    written = capfd.readouterr()
    mails = " ".join(_decoded(raw) for raw in outbox.raw)
    places = {
        "store": everything_stored(),
        "logs": written.out + written.err,
        "mails": mails,
        "errors": " ".join(answer.text for answer in answers if answer.status >= 400),
        "headers": " ".join(repr(answer.headers) for answer in answers),
        "replays": " ".join(answer.text for answer in answers if "Idempotent-Replayed" in answer.headers),
    }
    assert all(f'"{ROUTES_BY_NAME[route].path}"' in places["logs"] for route in ROUTE_NAMES)
    assert {(place, secret[:12]) for place, text in places.items() for secret in secrets if secret in text} == set()


def _decoded(raw: bytes) -> str:
    """A mail as it is, and with its parts decoded."""
    return raw.decode() + quopri.decodestring(raw).decode("utf-8", "replace")


def test_the_token_of_a_mailed_link_is_in_that_mail_alone(
    store: str, outbox: Outbox, capfd: pytest.CaptureFixture[str]
) -> None:
    del store
    world = new_world()
    invite = world.owner.client.post(f"/api/invite/{world.board_id}", {"inviteeEmail": "ivy@example.com"}).json
    answer = world.owner.client.post(f"/api/invite/{invite['inviteId']}/send-email")
    code, token = outbox.link()
    assert Client().get(f"/api/v1/invite/status/{code}", i=token).json == {"pending": True}
    written = capfd.readouterr()
    lists = world.owner.client.get(f"/api/invite/{world.board_id}/invites").text
    for place in (everything_stored(), written.out + written.err, answer.text, lists):
        assert token not in place


def test_a_repeat_of_a_minting_holds_no_secret_in_the_store_either(store: str) -> None:
    del store
    world = new_world()
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    minted = world.owner.client.post(f"{world.path}/tokens", body, idempotency_key="k")
    assert minted.data["secret"].startswith("svc_bat_")
    kept = everything_stored()
    assert minted.data["secret"] not in kept
    assert base64.b64encode(minted.data["secret"].encode()).decode() not in kept
    assert (
        json.loads(world.owner.client.post(f"{world.path}/tokens", body, idempotency_key="k").text)["data"]["secret"]
        is None
    )
