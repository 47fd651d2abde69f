"""The use of a token is recorded, and not more often than once a minute."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from governance.instants import now
from governance.store.account import tokens as store
from governance.usecases.account import tokens
from tests.harness.store_calls import InlinePool

if TYPE_CHECKING:
    from governance.models.account.token import StoredToken


class Uses:
    """The recorded uses of tokens, and the seconds since the environment began."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.recorded: list[str] = []

    def use(self, *ids: str, at: float) -> list[str]:
        """Uses these tokens, and returns those whose use is recorded."""
        self.seconds = at
        self.recorded.clear()
        for id_ in ids:
            tokens.record_use(cast("StoredToken", SimpleNamespace(id=id_)), now())
        return [*self.recorded]


@pytest.fixture
def uses(pool: InlinePool, monkeypatch: pytest.MonkeyPatch) -> Uses:  # noqa: ARG001 - requested for its effect
    recorder = Uses()
    monkeypatch.setattr(tokens, "_recorded", {})
    monkeypatch.setattr(tokens, "time", SimpleNamespace(monotonic=lambda: recorder.seconds))
    monkeypatch.setattr(store, "set_last_used", lambda id_, _: recorder.recorded.append(id_))
    return recorder


def test_the_first_use_is_recorded_and_then_one_in_a_minute(uses: Uses) -> None:
    assert uses.use("a", "a", "b", at=0) == ["a", "b"]
    assert uses.use("a", "b", at=59) == []
    assert uses.use("a", "b", at=60) == ["a", "b"]
    assert uses.use("a", "b", at=119) == []


def test_a_request_without_a_token_records_nothing(uses: Uses) -> None:
    tokens.record_use(None, now())
    assert uses.recorded == []


def test_what_is_remembered_of_uses_does_not_grow_for_ever(uses: Uses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_MAX_RECORDED", 2)
    uses.use("a", "b", "c", at=0)
    assert uses.use("c", "d", at=1) == ["d"]
    assert uses.use("c", at=2) == ["c"]
