"""Comments in a random history: who reads them, who writes, changes and deletes which, and who dismisses a flag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from governance.scopes import Tier
from tests.harness.client import Client

if TYPE_CHECKING:
    from tests.model.rights import History

_CONTRADICTION = {"finance.revenue": 100, "finance.cost-of-revenue": 40, "finance.gross-profit": 70}


def _text(author: str) -> dict[str, str]:
    return {"text": f"{author} asks."}


@dataclass(frozen=True)
class Comment:
    """A comment as it should be: its path, and the name of its author."""

    path: str
    author: str


class CommentRights:
    """The comments on a meeting and on a dashboard, which all members see, and a flag of that dashboard."""

    def __init__(self, history: History, meeting: str, dashboard: str) -> None:
        self._history = history
        self._lists = (f"{meeting}/comments", f"{dashboard}/comments")
        fields = [
            {"fieldId": kpi, "rogueId": kpi, "isStub": False, "label": kpi, "displayOrder": 1, "value": value}
            for kpi, value in _CONTRADICTION.items()
        ]
        assert history.owner.patch(dashboard, {"uniform": {"fields": fields}}).status == 200
        (flag,) = history.owner.get(f"{dashboard}/flags").data
        self._dismissal = f"{dashboard}/flags/{flag['id']}/dismissal"

    def write(self, name: str) -> None:
        """A collaborator comments, or else the board's owner."""
        author = name if self._history.may(name, Tier.COLLABORATOR) else self._history.owner_name
        where = self._history.chance.choice(self._lists)
        made = self._history.people[author].client.post(where, _text(author))
        assert made.status == 201, made.text
        self._history.comments.append(Comment(f"{where}/{made.data['id']}", author))

    def delete(self, name: str) -> None:
        """Anybody tries to delete any comment: it takes its author, or an admin of the board."""
        if not self._history.comments:
            return
        one = self._history.chance.choice(self._history.comments)
        allowed = self._deletes(name, one)
        status = self._history.people[name].client.delete(one.path).status
        assert status == (200 if allowed else 403), (status, name, one)
        if allowed:
            self._history.comments.remove(one)

    def answers(self, client: Client) -> list[int]:
        """Sends what changes nothing: an empty body is a 400 for who may, and the same text a 200."""
        newest = self._history.comments[-1:]
        return [
            *(client.get(where).status for where in self._lists),
            *(client.post(where, {}).status for where in self._lists),
            *(client.patch(one.path, _text(one.author)).status for one in newest),
            *(self._may_delete(client, one) for one in newest),
            client.put(self._dismissal, {}).status,
        ]

    def _may_delete(self, client: Client, one: Comment) -> bool:
        """Asks the evaluation of access, which deletes nothing."""
        action = "deleteDashboardComment" if "/dashboards/" in one.path else "deleteMeetingComment"
        asked = {"action": {"name": action}, "resource": {"type": "route", "id": one.path}}
        return bool(client.post("/api/v1/access/evaluation", asked).json["decision"])

    def expected(self, name: str) -> list[int]:
        """What a user who is not suspended should be answered."""
        may, newest = self._history.may, self._history.comments[-1:]
        return [
            *(200 if may(name, Tier.GUEST) else 403 for _ in self._lists),
            *(400 if may(name, Tier.COLLABORATOR) else 403 for _ in self._lists),
            *(200 if self._writes(name, one) else 403 for one in newest),
            *(self._deletes(name, one) for one in newest),
            400 if may(name, Tier.MANAGER) else 403,
        ]

    def shown(self) -> set[str]:
        """The paths of all comments, as the board's owner finds them."""
        owner = self._history.owner
        return {f"{where}/{comment['id']}" for where in self._lists for comment in owner.all(where)}

    def _writes(self, name: str, one: Comment) -> bool:
        return one.author == name and self._history.may(name, Tier.COLLABORATOR)

    def _deletes(self, name: str, one: Comment) -> bool:
        return self._writes(name, one) or self._history.may(name, Tier.ADMIN)
