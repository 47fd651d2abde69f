"""A plain model of committees, their papers and board packs: who sits where, and who may make and read what."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from tests.model.board_model import ADMINISTRATOR, COLLABORATOR, GUEST, BoardModel, Meeting


@dataclass
class PackModel:
    """The committees by id with the names of their members, the documents with their committee, and the agendas."""

    board: BoardModel
    papers: dict[str, str | None] = field(default_factory=dict)
    packs: dict[str, str | None] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    agendas: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def sees(self, name: str, document: str) -> bool:
        committee = (self.papers | self.packs)[document]
        return committee is None or name in self.board.seats[committee]

    def visible(self, name: str) -> set[str]:
        return {document for document in self.papers | self.packs if self.sees(name, document)}

    def seat(self, name: str, committee: str, after: Collection[str]) -> int:
        """Sets the members of a committee, which always has documents."""
        before = self.board.seats[committee]
        if self.board.tier(name) < ADMINISTRATOR:
            return 403
        if not after:
            return 409
        if name in after and before and name not in before:
            return 403
        before.clear()
        before.update(after)
        return 200

    def plan(self, name: str, key: str, meeting: Meeting, papers: tuple[str, ...]) -> int:
        """Sets the papers of an agenda; one that the writer does not see is none to them."""
        refused = self.board.refusal(name, COLLABORATOR, meeting)
        if refused is not None:
            return refused
        if meeting.status == "finalized":
            return 409
        if not all(self.sees(name, paper) for paper in papers):
            return 400
        self.agendas[key] = papers
        return 200

    def make(self, name: str, key: str, meeting: Meeting) -> tuple[int, str | None]:
        """Returns the status of a pack that a member asks for, and the committee whose document it is."""
        refused = self.board.refusal(name, COLLABORATOR, meeting)
        if refused is not None:
            return refused, None
        return self._made(key, meeting, lambda paper: self.sees(name, paper))

    def make_as_token(self, key: str, meeting: Meeting) -> tuple[int, str | None]:
        """Returns the same of a token of the board, which sees what the whole board may see."""
        if not meeting.seen_by(""):
            return 404, None
        return self._made(key, meeting, lambda paper: self.papers[paper] is None)

    def _made(self, key: str, meeting: Meeting, sees: Callable[[str], bool]) -> tuple[int, str | None]:
        files = {self.papers[paper] for paper in self.agendas.get(key, ()) if sees(paper)} - {None}
        if meeting.status == "draft" or len(files) > 1:
            return 409, None
        return 201, next(iter(files), None)

    def read(self, name: str, document: str) -> int:
        refused = self.board.refusal(name, GUEST)
        return refused or (200 if self.sees(name, document) else 404)
