"""A dashboard in a random history: who owns it, who may edit it, and who may say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.scopes import Tier
from tests.harness.client import Client

if TYPE_CHECKING:
    from tests.model.rights import History


class DashboardRights:
    """A dashboard that Ann created in a report of Olivia's, and what should be true of it."""

    def __init__(self, history: History) -> None:
        path = history.scenario.path
        report = history.owner.post(f"{path}/reports", {"title": "Q1"}).data["id"]
        dashboards = f"{path}/reports/{report}/dashboards"
        made = history.people["ann"].client.post(dashboards, {"dashboardType": "uniform", "title": "Money"}).data["id"]
        self.path = f"{dashboards}/{made}"
        self._history = history

    def let_edit(self, name: str) -> None:
        """The owner of the dashboard, or of the board, lets somebody edit the dashboard."""
        history, allowed = self._history, self._may_be_named(name)
        runs_it = allowed and (name == self.owner() or history.members[name].tier >= Tier.MANAGER)
        expected = 409 if runs_it and name not in history.editors else 200 if allowed else 404
        assert self._one_who_decides().put(f"{self.path}/access/{history.people[name].id}").status == expected, name
        if expected == 200:
            history.editors.add(name)

    def stop_editing(self, name: str) -> None:
        held = name in self._history.editors and self._may_be_named(name)
        status = self._one_who_decides().delete(f"{self.path}/access/{self._history.people[name].id}").status
        assert status == (200 if held else 404), (status, name)
        self._history.editors -= {name} if held else set()

    def hand_over(self, name: str) -> None:
        body = {"userId": self._history.people[name].id}
        allowed = self._may_be_named(name)
        status = self._one_who_decides().post(f"{self.path}/ownership-transfer", body).status
        assert status == (200 if allowed else 400), (status, name)
        if allowed:
            self._history.owners[0] = name
            self._history.editors.discard(name)

    def lose(self, name: str) -> None:
        """Who leaves has no right to the dashboard any more, not even when they come back."""
        self._history.editors.discard(name)
        self._history.owners = ["" if owner == name else owner for owner in self._history.owners]

    def owner(self) -> str:
        """Who owns it: the member it was handed to, else the report's creator, else the board's owner."""
        named = (name for name in self._history.owners if name and name not in self._history.purged)
        return next(named, self._history.owner_name)

    def may_edit(self, name: str) -> bool:
        """Whether a user who is not suspended may change the title."""
        member = self._history.members.get(name)
        runs_it = member is not None and member.tier >= Tier.MANAGER
        return runs_it or name in self._history.editors or name == self.owner()

    def shown(self) -> tuple[str, set[str]]:
        """The owner and the editors, as members see them."""
        access = self._history.owner.get(f"{self.path}/access").data
        return access["ownerUserId"], {editor["userId"] for editor in access["editors"]}

    def expected(self) -> tuple[str, set[str]]:
        """The same, as it should be."""
        people = self._history.people
        editing = self._history.editors - self._history.purged
        return people[self.owner()].id, {people[name].id for name in editing}

    def _may_be_named(self, name: str) -> bool:
        return name in self._history.members and name not in self._history.purged

    def _one_who_decides(self) -> Client:
        by = self.owner()
        if by in self._history.suspended or self._history.chance.random() < 0.5:
            return self._history.owner
        return self._history.people[by].client
