"""A credential that does not hold costs the store the same, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain import tokens
from tests.conftest import Clock
from tests.harness.calls import InlinePool, counted
from tests.harness.client import Answer, Client
from tests.harness.outbox import Outbox, outbox
from tests.harness.world import World

__all__ = ["outbox"]
Cost = tuple[int, str, list[str], list[str]]


def cost(pool: InlinePool, client: Client, path: str, query: Mapping[str, str] | None = None) -> Cost:
    """What a request is answered, but for its id, and the store calls that it took.

    Left aside are the leases of rate windows: when one is due depends on how many calls there were, never on a secret.
    """
    with counted(pool) as calls:
        answer = client.call("GET", path, query=query or {})
    return answer.status, _text(answer), calls.sequential, sorted(name for name in calls.beside if name != "UpdateItem")


def _text(answer: Answer) -> str:
    return answer.text.replace(answer.headers["x-request-id"], "")


def of_kind(world: World, kind: str) -> str:
    body = {"name": "robot", "preset": "read_only", "expiresInDays": 30}
    path = "/api/v1/me/tokens" if kind == "personal" else f"{world.path}/tokens"
    made = world.owner.client.post(path, body).data
    world.owner.client.delete(f"{path}/{made['id']}")
    return str(made["secret"])


def test_unknown_revoked_and_expired_tokens_are_one_refusal(world: World, pool: InlinePool, clock: Clock) -> None:
    expired = world.owner.client.post("/api/v1/me/tokens", {"name": "old", "preset": "read_only", "expiresInDays": 30})
    presented = [
        tokens.mint("personal", world.owner.id),
        tokens.mint("personal", "0" * 24),
        of_kind(world, "personal"),
        expired.data["secret"],
        tokens.mint("board", world.board_id),
        tokens.mint("board", "0" * 24),
        of_kind(world, "board"),
    ]
    clock.advance(days=31)
    costs = [cost(pool, Client(token, address=f"198.51.100.{n}"), world.path) for n, token in enumerate(presented)]
    assert costs[0][0] == 401
    assert costs[0][2] == ["BatchGetItem"]
    assert costs == [costs[0]] * len(costs)


def test_a_malformed_token_never_reaches_the_store(world: World, pool: InlinePool) -> None:
    sound = tokens.mint("personal", world.owner.id)
    for broken in (sound[:-1], sound[:-1] + "!", sound[:-1] + ("0" if sound[-1] != "0" else "1"), "svc_pat_", "a.b.c"):
        status, _, sequential, beside = cost(pool, Client(broken, address="198.51.100.10"), world.path)
        assert (status, sequential, beside) == (401, [], [])


def test_guest_links_that_open_nothing_are_one_refusal(world: World, pool: InlinePool) -> None:
    meetings = f"{world.path}/meetings"
    meeting = world.owner.client.post(meetings, {"title": "Spring", "status": "scheduled"}).data["id"]
    replaced = world.owner.client.post(f"{meetings}/{meeting}/guest-link").data["token"]
    closed = world.owner.client.post(f"{meetings}/{meeting}/guest-link").data["token"]
    wrong = closed[:-4] + ("AAAA" if closed[-4:] != "AAAA" else "BBBB")
    guest = Client(address="198.51.100.11")
    seen = [cost(pool, guest, f"/api/v1/guest/{token}") for token in (replaced, wrong)]
    world.owner.client.delete(f"{meetings}/{meeting}/guest-link")
    seen += [cost(pool, guest, f"/api/v1/guest/{token}") for token in (closed, "A" * 64)]
    assert seen[0][0] == 404
    assert seen == [seen[0]] * len(seen)


def test_the_probe_works_as_hard_whatever_is_wrong(world: World, pool: InlinePool, outbox: Outbox) -> None:
    invite = world.owner.client.post(f"/api/invite/{world.board_id}", {"inviteeEmail": "ivy@example.com"}).json
    world.owner.client.post(f"/api/invite/{invite['inviteId']}/send-email")
    code, token = outbox.link()
    other = "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c"
    probe = Client(address="198.51.100.12")
    right = cost(pool, probe, f"/api/v1/invite/status/{code}", {"i": token})
    wrong = [
        cost(pool, probe, f"/api/v1/invite/status/{tried}", {"i": given} if given else {})
        for tried, given in ((code, other), (other, token), (code, ""), ("x", token), (code, "x"), (token, code))
    ]
    assert right[:2] == (200, '{"pending":true}')
    assert all(one[:2] == (200, '{"pending":false}') and one[2:] == right[2:] for one in wrong)
