"""A board and a user have a limited number of active tokens; what is revoked or expired makes room (ADR identity)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.ids import BoardId, UserId, new_id
from governance.instants import now, shift
from governance.store.account import tokens
from governance.store.schema.entities import ACTIVE_BOARD_TOKENS, ACTIVE_USER_TOKENS
from governance.store.schema.keys import Key
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.usecases.operator import operator
from tests.functions.test_limits import is_full
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.store import stored_items

MY_TOKENS = "/api/v1/me/tokens"
ROOM = 3


class Tokens:
    """The tokens of the board or those of its owner."""

    def __init__(self, scenario: BoardScenario, path: str, key: Key) -> None:
        self.client, self.path, self.key = scenario.owner.client, path, key
        self.board_id, self.user_id = BoardId(scenario.board_id), UserId(scenario.owner.id)

    def mint(self, days: int | None = None) -> Response:
        return self.client.post(self.path, {"name": "T", "preset": "read_only", "expiresInDays": days})

    def add_expired(self) -> str:
        """Stores a token that expired a minute ago; returns its id."""
        ended = shift(now(), minutes=-1)
        of_owner = {"created_by_user_id": self.user_id, "created_at": shift(ended, days=-30), "expires_at": ended}
        sample = stored_items.token(None if self.path == MY_TOKENS else self.board_id)
        minted = sample.model_copy(update={"id": new_id(), **of_owner})
        transact(tokens.create(minted))
        return minted.id

    def active(self) -> list[str]:
        stored = (read_one(self.key) or {}).get("active", ())
        return sorted(entry.partition("#")[0] for entry in stored)


@pytest.fixture(params=["board", "personal"])
def limited(request: pytest.FixtureRequest, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> Tokens:
    limit = "TOKENS_PER_BOARD" if request.param == "board" else "TOKENS_PER_USER"
    monkeypatch.setattr(f"governance.store.account.tokens.{limit}", ROOM)
    if request.param == "board":
        key = ACTIVE_BOARD_TOKENS.key_for(boardId=BoardId(scenario.board_id))
        return Tokens(scenario, f"{scenario.path}/tokens", key)
    return Tokens(scenario, MY_TOKENS, ACTIVE_USER_TOKENS.key_for(userId=UserId(scenario.owner.id)))


def revoke_by_route(limited: Tokens, token_id: str) -> None:
    assert limited.client.delete(f"{limited.path}/{token_id}").status == 200


def revoke_by_operator(_: Tokens, token_id: str) -> None:
    operator.revoke_token(token_id)


@pytest.mark.parametrize("revoke", [revoke_by_route, revoke_by_operator])
def test_a_revoked_token_makes_room_for_exactly_one(limited: Tokens, revoke: Callable[[Tokens, str], None]) -> None:
    ids = [limited.mint().data["id"] for _ in range(ROOM)]
    assert is_full(limited.mint())
    assert len(limited.client.all(limited.path)) == ROOM
    for _ in range(2):
        revoke(limited, ids[0])
    assert limited.mint(days=30).status == 201
    assert is_full(limited.mint())
    assert len(limited.active()) == ROOM
    assert set(ids[1:]) < set(limited.active())


def test_an_expired_token_makes_room_and_its_revocation_makes_no_more(limited: Tokens) -> None:
    expired = limited.add_expired()
    for _ in range(ROOM - 1):
        limited.mint()
    assert limited.mint().status == 201
    assert expired not in limited.active()
    assert is_full(limited.mint())
    revoke_by_route(limited, expired)
    assert is_full(limited.mint())


def test_boards_and_users_have_limits_of_their_own(limited: Tokens, scenario: BoardScenario) -> None:
    for _ in range(ROOM):
        limited.mint()
    ben, cleo = scenario.member("ben", admin_role="admin"), scenario.member("cleo")
    other = MY_TOKENS if limited.path != MY_TOKENS else f"{scenario.path}/tokens"
    body = {"name": "T", "preset": "read_only", "expiresInDays": None}
    assert ben.client.post(other, body).status == 201
    assert cleo.client.post(MY_TOKENS, body).status == 201
