"""Two boards: one where everybody is a member, in all roles; one that paul owns and only two others belong to."""

from __future__ import annotations

from governance.models.board import BoardCreate
from governance.models.token import BoardTokenCreate
from governance.store import boards as store
from governance.store.table import transact
from governance.usecases import boards
from governance.usecases.members import new_membership
from infra.local.demo.people import PEOPLE, Person
from infra.local.demo.stage import Stage

NORTHWIND, HARBOR = "northwind", "harbor"
_HARBOR_MEMBERS = ("olivia", "colin")


def seed(stage: Stage) -> None:
    """The boards and their members."""
    _create(stage, NORTHWIND, "olivia", "Northwind Robotics", "Quarterly governance of a robotics company.", 100)
    _create(stage, HARBOR, "paul", "Harbor Literacy Fund", "Trustees of a charity for adult literacy.", 60)
    others = [person for person in PEOPLE if person.key != "olivia"]
    for age, person in zip(range(98, 0, -3), others, strict=False):
        _join(stage, NORTHWIND, person, age)
    for age, person in zip(range(58, 0, -5), (p for p in PEOPLE if p.key in _HARBOR_MEMBERS), strict=False):
        _join(stage, HARBOR, person, age)


def _create(stage: Stage, key: str, owner: str, name: str, description: str, days: int) -> None:
    wanted = BoardCreate.model_validate({"name": name, "description": description})
    stage.boards[key] = stage.act(owner, boards.create_board, wanted, at=stage.ago(days=days)).id


def _join(stage: Stage, board: str, person: Person, days: int) -> None:
    """Be a member, as by an accepted invite; the second board gives nobody a special role."""
    special = board == NORTHWIND
    membership = new_membership(
        stage.boards[board],
        stage.people[person.key],
        stage.ago(days=days),
        admin_role=person.admin_role if special else "member",
        access_type=person.access_type if special else "collaborator",
        positions=person.positions,
    )
    transact(store.add_member(membership))


def tokens(stage: Stage) -> list[dict[str, str]]:
    """Each board, with a token of its own: the first one's writes, the second one's reads."""
    presets = {NORTHWIND: ("olivia", "read_write"), HARBOR: ("paul", "read_only")}
    return [_token(stage, key, owner, preset) for key, (owner, preset) in presets.items()]


def _token(stage: Stage, board: str, owner: str, preset: str) -> dict[str, str]:
    wanted = BoardTokenCreate.model_validate({"name": "Demo robot", "preset": preset, "expiresInDays": 365})
    params = {"boardId": stage.boards[board]}
    token = stage.act(owner, boards.create_board_token, wanted, at=stage.ago(days=2), **params)
    name = stage.act(owner, boards.get_board, None, **params).name
    return {"id": stage.boards[board], "name": name, "preset": preset, "token": token.secret}
