"""What clients of the live channel may say, how often, and what they are told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.live import messages as messages_rules
from governance.errors import ApiError, Code, Reason, conflict
from governance.instants import Instant, from_millis, millis
from governance.limits import LIVE_MESSAGES_PER_MINUTE
from tests.domain.samples import BOARD, NOW, refusal

ROOM = f"boards/{BOARD}"
NOT_FOUND = (404, "RESOURCE_NOT_FOUND", None)
INVALID = (400, "INVALID_REQUEST_BODY", None)


@pytest.mark.parametrize("action", ["join", "leave"])
def test_a_client_joins_and_leaves_the_room_of_a_board(action: Any) -> None:
    assert messages_rules.room_of(BOARD) == ROOM
    assert messages_rules.wish_of({"action": action, "room": ROOM}) == messages_rules.Wish(action, BOARD)
    assert messages_rules.wish_of({"action": "ping"}) == messages_rules.Wish("ping", None)


@pytest.mark.parametrize("room", ["boards/", "boards/x", f"{ROOM}0", f"{ROOM}/", f"boards/{'B' * 24}"])
def test_a_board_whose_id_is_none_is_not_found(room: str) -> None:
    for action in ("join", "leave"):
        assert refusal(messages_rules.wish_of, {"action": action, "room": room}) == NOT_FOUND


@pytest.mark.parametrize(
    "content",
    [
        *(None, [], 3, "", "ping", {}, {"action": "ping", "x": 1}, {"action": "ping", "room": ROOM}),
        *({"action": "join"}, {"action": "join", "room": "me"}, {"action": "leave", "room": "me"}),
        *({"action": "join", "room": 3}, {"action": "sing", "room": ROOM}, {"room": ROOM}, {"action": ["ping"]}),
        *({"action": "join", "room": ROOM, "x": 1}, {"action": "join", "room": BOARD}, {"action": None, "room": ROOM}),
    ],
)
def test_a_message_of_another_form_is_invalid(content: Any) -> None:
    assert refusal(messages_rules.wish_of, content) == INVALID


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["ping", "join", "leave", ROOM, "me"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["action", "room", "x"]), inner),
)


@given(JSON)
def test_whatever_is_said_is_a_wish_or_refused_and_its_room_is_text_or_none(content: Any) -> None:
    assert isinstance(messages_rules.named_room(content), str | None)
    try:
        wish = messages_rules.wish_of(content)
    except ApiError as error:
        assert error.code in (Code.INVALID_REQUEST_BODY, Code.RESOURCE_NOT_FOUND)  # noqa: PT017
    else:
        spoken = {"action": wish.action, **({"room": messages_rules.room_of(wish.board_id)} if wish.board_id else {})}
        assert spoken == content


@pytest.mark.parametrize(
    ("content", "room"),
    [({"room": "r", "x": 1}, "r"), ({"room": 3}, None), ({"room": None}, None), ({}, None), (["room"], None)],
)
def test_the_room_of_a_message_is_known_whatever_else_is_wrong_with_it(content: Any, room: str | None) -> None:
    assert messages_rules.named_room(content) == room


def at(offset: int) -> Instant:
    return from_millis(millis(NOW) + offset)


@given(st.lists(st.integers(0, 5_000), max_size=3 * LIVE_MESSAGES_PER_MINUTE))
def test_no_minute_has_more_messages_than_the_limit_and_none_is_refused_before(gaps: list[int]) -> None:
    taken: list[int] = []
    recent: tuple[int, ...] = ()
    offset = 0
    for gap in gaps:
        offset += gap
        of_minute = [moment for moment in taken if moment > millis(at(offset)) - 60_000]
        counted = messages_rules.counted(recent, at(offset))
        assert (counted is None) == (len(of_minute) == LIVE_MESSAGES_PER_MINUTE)
        if counted is not None:
            assert counted == (*of_minute, millis(at(offset)))
            recent = counted
            taken.append(millis(at(offset)))


def test_a_message_counts_for_a_minute_to_the_millisecond_and_a_refused_one_never() -> None:
    full = (millis(NOW),) * LIVE_MESSAGES_PER_MINUTE
    assert messages_rules.counted(full[1:], NOW) == full
    assert messages_rules.counted(full, at(59_999)) is None
    assert messages_rules.counted(full, at(60_000)) == (millis(at(60_000)),)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (messages_rules.invalid_message(), "INVALID_REQUEST_BODY"),
        (messages_rules.too_many_messages(), "RATE_LIMITED"),
        (conflict(Reason.LIMIT_REACHED), "LIMIT_REACHED"),
    ],
)
def test_a_refusal_has_the_reason_as_its_code_or_else_the_code_of_the_error(error: ApiError, code: str) -> None:
    assert messages_rules.failure(error, None) == {
        "type": "error",
        "code": code,
        "message": error.message,
        "room": None,
    }
    assert messages_rules.failure(error, ROOM)["room"] == ROOM
