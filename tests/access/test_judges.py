"""Every use case of an item declares what judges the item; `test_equality.py` shows that it is the right thing."""

from __future__ import annotations

import re

from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME

_PARAMETER = re.compile(r"\{(\w+)\}")
OF_THE_PATH = {"boardId", "token", "inviteCode"}
"""What the steps before the use case find; a guest's link is found as its board is."""
JUDGED_WITH_THE_BOARD = {
    "PATCH /api/action-items/{actionItemId}/status": "its item is judged as its board is found",
    "POST /api/invite/{boardInviteId}/send-email": "its invite is judged as its board is found",
    "PUT /api/invite/accept/{boardInviteId}": "its invite is judged as its board is found",
    "PUT /api/invite/decline/{boardInviteId}": "its invite is judged as its board is found",
    "PUT /api/invite/retract/{boardInviteId}": "its invite is judged as its board is found",
}


def test_a_route_that_names_an_item_declares_its_judges() -> None:
    naming = {name for name in ROUTE_NAMES if {*_PARAMETER.findall(name)} - OF_THE_PATH}
    judged = {name for name in ROUTE_NAMES if ROUTES_BY_NAME[name].judges}
    assert naming - judged == JUDGED_WITH_THE_BOARD.keys()


def test_the_exceptions_find_the_board_of_their_item() -> None:
    assert all(ROUTES_BY_NAME[name].resolve_board for name in JUDGED_WITH_THE_BOARD)
