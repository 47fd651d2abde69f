"""Two boards: one of every demo user and of a person without an account, and one that Paul owns, with two others."""

from __future__ import annotations

from governance.models.account.token import BoardTokenCreate
from governance.models.boards.board import BoardCreate
from governance.models.members.unregistered_user import UnregisteredUserCreate
from governance.store.boards import boards as store
from governance.store.transactions import transact
from governance.usecases.boards import boards
from governance.usecases.members import unregistered_users
from governance.usecases.members.members import new_membership
from infra.local.demo.people import PEOPLE, Person
from infra.local.demo.scenario import Scenario

NORTHWIND, HARBOR = "northwind", "harbor"
_HARBOR_MEMBERS = ("olivia", "colin")


def seed(scenario: Scenario) -> None:
    """Creates the boards and their members."""
    _create(scenario, NORTHWIND, "olivia", "Northwind Robotics", "Quarterly governance of a robotics company.", 100)
    _create(scenario, HARBOR, "paul", "Harbor Literacy Fund", "Trustees of a charity for adult literacy.", 60)
    others = [person for person in PEOPLE if person.key != "olivia"]
    for age, person in zip(range(98, 0, -3), others, strict=False):
        _add_member(scenario, NORTHWIND, person, age)
    for age, person in zip(range(58, 0, -5), (p for p in PEOPLE if p.key in _HARBOR_MEMBERS), strict=False):
        _add_member(scenario, HARBOR, person, age)
    auditor = {
        "firstName": "Greta",
        "lastName": "Lind",
        "email": "greta@example.org",
        "boardPositions": ["external auditor"],
    }
    body = UnregisteredUserCreate.model_validate(auditor)
    params = {"boardId": scenario.boards[NORTHWIND]}
    for age, is_former in ((50, False), (70, True)):
        add, scrub = unregistered_users.create_unregistered_user, unregistered_users.scrub_unregistered_user
        new = body.model_copy(update={"email": None}) if is_former else body
        added = scenario.call("olivia", add, new, at=scenario.ago(days=age), **params)
        if is_former:
            named = {**params, "unregisteredUserId": added.id}
            scenario.call("olivia", scrub, None, at=scenario.ago(days=age - 10), **named)


def _create(scenario: Scenario, key: str, owner: str, name: str, description: str, days: int) -> None:
    body = BoardCreate.model_validate({"name": name, "description": description})
    scenario.boards[key] = scenario.call(owner, boards.create_board, body, at=scenario.ago(days=days)).id


def _add_member(scenario: Scenario, board: str, person: Person, days: int) -> None:
    """Adds a member, as an accepted invite does. The roles of `PEOPLE` apply to the first board only."""
    has_role = board == NORTHWIND
    membership = new_membership(
        scenario.boards[board],
        scenario.people[person.key],
        scenario.ago(days=days),
        admin_role=person.admin_role if has_role else "member",
        access_type=person.access_type if has_role else "collaborator",
        positions=person.positions,
    )
    stored = store.find(scenario.boards[board])
    if stored is not None:
        transact(store.add_member(stored, membership))


def tokens(scenario: Scenario) -> list[dict[str, str]]:
    """Returns each board with a board token: read-write for the first board, read-only for the second."""
    presets = {NORTHWIND: ("olivia", "read_write"), HARBOR: ("paul", "read_only")}
    return [_token(scenario, key, owner, preset) for key, (owner, preset) in presets.items()]


def _token(scenario: Scenario, board: str, owner: str, preset: str) -> dict[str, str]:
    body = BoardTokenCreate.model_validate({"name": "Demo robot", "preset": preset, "expiresInDays": 365})
    params = {"boardId": scenario.boards[board]}
    token = scenario.call(owner, boards.create_board_token, body, at=scenario.ago(days=2), **params)
    name = scenario.call(owner, boards.get_board, None, **params).name
    return {"id": scenario.boards[board], "name": name, "preset": preset, "token": token.secret}
