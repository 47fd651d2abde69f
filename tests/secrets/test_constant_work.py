"""An invalid credential costs the same store calls and gets the same response, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import pytest

from governance.domain.account import tokens
from governance.http.reading import Prefetch
from governance.ids import BoardId, UserId
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.clock import Clock
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool, count_store_calls

Cost = tuple[int, str, list[str], list[str]]


def cost(pool: InlinePool, client: Client, path: str, query: Mapping[str, str] | None = None) -> Cost:
    """Sends a request. Returns the response without its request id, and the store calls that it took.

    Rate-limit leases are not counted: they depend on the number of requests, never on a secret.
    """
    with count_store_calls(pool) as calls:
        response = client.call("GET", path, query=query or {})
    return (
        response.status,
        _text(response),
        calls.sequential,
        sorted(name for name in calls.concurrent if name != "UpdateItem"),
    )


def _text(response: Response) -> str:
    return response.text.replace(response.headers["x-request-id"], "")


def revoked_token(scenario: BoardScenario, kind: str) -> str:
    body = {"name": "robot", "preset": "read_only", "expiresInDays": 30}
    path = "/api/v1/me/tokens" if kind == "personal" else f"{scenario.path}/tokens"
    created = scenario.owner.client.post(path, body).data
    scenario.owner.client.delete(f"{path}/{created['id']}")
    return str(created["secret"])


def test_unknown_revoked_and_expired_tokens_are_refused_alike(
    scenario: BoardScenario, pool: InlinePool, clock: Clock
) -> None:
    expired = scenario.owner.client.post(
        "/api/v1/me/tokens", {"name": "old", "preset": "read_only", "expiresInDays": 30}
    )
    presented = [
        tokens.mint("personal", scenario.owner.id),
        tokens.mint("personal", UserId("0" * 24)),
        revoked_token(scenario, "personal"),
        expired.data["secret"],
        tokens.mint("board", scenario.board_id),
        tokens.mint("board", BoardId("0" * 24)),
        revoked_token(scenario, "board"),
    ]
    clock.advance(days=31)
    costs = [cost(pool, Client(token, address=f"198.51.100.{n}"), scenario.path) for n, token in enumerate(presented)]
    assert costs[0][0] == 401
    assert costs[0][2] == ["BatchGetItem"]
    assert costs == [costs[0]] * len(costs)


def test_a_malformed_token_never_reaches_the_store(scenario: BoardScenario, pool: InlinePool) -> None:
    valid = tokens.mint("personal", scenario.owner.id)
    for broken in (valid[:-1], valid[:-1] + "!", valid[:-1] + ("0" if valid[-1] != "0" else "1"), "svc_pat_", "a.b.c"):
        status, _, sequential, concurrent = cost(pool, Client(broken, address="198.51.100.10"), scenario.path)
        assert (status, sequential, concurrent) == (401, [], [])


def test_invalid_guest_links_are_refused_alike(scenario: BoardScenario, pool: InlinePool) -> None:
    meetings = f"{scenario.path}/meetings"
    meeting = scenario.owner.client.post(meetings, {"title": "Spring", "status": "scheduled"}).data["id"]
    replaced = scenario.owner.client.post(f"{meetings}/{meeting}/guest-link").data["token"]
    closed = scenario.owner.client.post(f"{meetings}/{meeting}/guest-link").data["token"]
    wrong = closed[:-4] + ("AAAA" if closed[-4:] != "AAAA" else "BBBB")
    guest = Client(address="198.51.100.11")
    costs = [cost(pool, guest, f"/api/v1/guest/{token}") for token in (replaced, wrong)]
    scenario.owner.client.delete(f"{meetings}/{meeting}/guest-link")
    costs += [cost(pool, guest, f"/api/v1/guest/{token}") for token in (closed, "A" * 64)]
    assert costs[0][0] == 404
    assert costs == [costs[0]] * len(costs)


def test_the_invite_status_costs_the_same_whatever_is_wrong(
    scenario: BoardScenario, pool: InlinePool, outbox: Outbox
) -> None:
    invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "ivy@example.com"}).json
    scenario.owner.client.post(f"/api/invite/{invite['inviteId']}/send-email")
    code, token = outbox.link()
    other = "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c"
    probe = Client(address="198.51.100.12")
    right = cost(pool, probe, f"/api/v1/invite/status/{code}", {"i": token})
    wrong = [
        cost(pool, probe, f"/api/v1/invite/status/{code_sent}", {"i": token_sent} if token_sent else {})
        for code_sent, token_sent in (
            (code, other),
            (other, token),
            (code, ""),
            ("x", token),
            (code, "x"),
            (token, code),
        )
    ]
    assert right[:2] == (200, '{"pending":true}')
    assert all(answer[:2] == (200, '{"pending":false}') and answer[2:] == right[2:] for answer in wrong)


def test_what_is_hidden_is_not_found_before_its_content_is_waited_for(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The content of what is hidden is larger than that of what is absent: who waits for it measures that it exists."""
    ann, ben = scenario.member("ann"), scenario.member("ben")
    body = {"title": "Terms", "text": "Agreed.", "committeeId": scenario.committee(ann)}
    resolution = ann.client.post(f"{scenario.path}/resolutions", body).data["id"]
    draft = ann.client.post(f"{scenario.path}/meetings", {"title": "Draft", "status": "draft"}).data["id"]
    hidden = [
        *(f"resolutions/{resolution}{part}" for part in ("", "/ballots", "/certificate", "/papers")),
        *(f"meetings/{draft}{part}" for part in ("", "/agenda", "/minutes", "/rsvps", "/slots", "/comments")),
    ]

    def never(_: Prefetch) -> NoReturn:
        raise AssertionError("it waits for what it must not show")

    monkeypatch.setattr(Prefetch, "results", never)
    assert {ben.client.get(f"{scenario.path}/{path}").status for path in hidden} == {404}
