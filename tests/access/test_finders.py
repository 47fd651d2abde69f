"""Every use case of an item declares what finds the item; `test_equality.py` shows that it is the right thing."""

from __future__ import annotations

import re

from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME

_PARAMETER = re.compile(r"\{(\w+)\}")
OF_THE_PATH = {"boardId", "inviteCode"}
"""What the steps before the use case find."""


def test_a_route_that_names_an_item_declares_its_finders() -> None:
    naming = {name for name in ROUTE_NAMES if {*_PARAMETER.findall(name)} - OF_THE_PATH}
    assert [name for name in naming if not ROUTES_BY_NAME[name].declared.finders] == []


def test_an_item_that_is_found_with_its_board_is_what_its_use_case_receives() -> None:
    declared = [ROUTES_BY_NAME[name].declared for name in ROUTE_NAMES]
    with_board = [use_case for use_case in declared if use_case.resolve_board]
    assert with_board
    assert all(use_case.find_with_board is use_case.finders[0] for use_case in with_board)
