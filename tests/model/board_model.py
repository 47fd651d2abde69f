"""A plain model of a board: dictionaries, and the status that each request should return. It knows no store."""

from __future__ import annotations

from dataclasses import dataclass, field

OWNER, ADMIN, MEMBER = "owner", "admin", "member"
_ACCESS = {"guest": 1, "collaborator": 2, "manager": 3}
_ROLE = {ADMIN: 4, OWNER: 5}
GUEST, COLLABORATOR, ADMINISTRATOR = 1, 2, 4


@dataclass
class Member:
    """A member's role, access type and positions."""

    role: str = MEMBER
    access: str = "collaborator"
    positions: tuple[str, ...] = ()

    @property
    def tier(self) -> int:
        return _ROLE.get(self.role, _ACCESS[self.access])


@dataclass
class Slot:
    """A proposed slot, with the members' votes by name."""

    start: str
    votes: dict[str, str] = field(default_factory=dict)


@dataclass
class Meeting:
    """A meeting, with its slots by id."""

    creator: str
    status: str
    slots: dict[str, Slot] = field(default_factory=dict)
    booked: str | None = None

    def seen_by(self, name: str) -> bool:
        return self.status != "draft" or self.creator == name

    @property
    def votes_open(self) -> bool:
        return self.status in {"draft", "scheduled"} and self.booked is None


@dataclass
class BoardModel:
    """The board: its members by name, its meetings by id, and who sits in its committees."""

    members: dict[str, Member]
    meetings: dict[str, Meeting] = field(default_factory=dict)
    seats: dict[str, set[str]] = field(default_factory=dict)

    def tier(self, name: str) -> int:
        return self.members[name].tier if name in self.members else 0

    def refusal(self, name: str, needed: int, meeting: Meeting | None = None, slot: bool = True) -> int | None:
        """Returns the refusal that precedes the meeting's rules: 403 for the caller, else 404 for a hidden resource."""
        if self.tier(name) < needed:
            return 403
        if meeting is not None and not (meeting.seen_by(name) and slot):
            return 404
        return None

    def visible(self, name: str) -> set[str]:
        return {key for key, meeting in self.meetings.items() if meeting.seen_by(name)}

    def forget(self, name: str) -> None:
        """Takes the votes and the seats of a member who left."""
        for seats in self.seats.values():
            seats.discard(name)
        for meeting in self.meetings.values():
            for slot in meeting.slots.values():
                slot.votes.pop(name, None)

    # -- requests: each returns the expected status, and takes effect if that is a 2xx

    def set_status(self, name: str, meeting: Meeting, status: str) -> int:
        refused = self.refusal(name, COLLABORATOR, meeting)
        if refused is not None:
            return refused
        if status == "draft" and meeting.status != "draft" and meeting.creator != name:
            return 403
        if meeting.status == "finalized" or (status == "finalized" and meeting.status != "completed"):
            return 409
        meeting.status = status
        return 200

    def delete(self, name: str, key: str) -> int:
        meeting = self.meetings[key]
        refused = self.refusal(name, COLLABORATOR, meeting)
        if refused is not None:
            return refused
        if meeting.creator != name and self.tier(name) < ADMINISTRATOR:
            return 403
        if meeting.status == "finalized":
            return 409
        del self.meetings[key]
        return 200

    def propose(self, name: str, meeting: Meeting, start: str) -> int:
        refused = self.refusal(name, COLLABORATOR, meeting)
        if refused is not None:
            return refused
        taken = any(slot.start == start for slot in meeting.slots.values())
        return 409 if meeting.status not in {"draft", "scheduled"} or taken else 201

    def vote(self, name: str, meeting: Meeting, slot_id: str, vote: str) -> int:
        refused = self.refusal(name, COLLABORATOR, meeting, slot_id in meeting.slots)
        if refused is not None:
            return refused
        if not meeting.votes_open:
            return 409
        meeting.slots[slot_id].votes[name] = vote
        return 200

    def confirm(self, name: str, meeting: Meeting, slot_id: str) -> int:
        refused = self.refusal(name, COLLABORATOR, meeting, slot_id in meeting.slots)
        if refused is not None:
            return refused
        if meeting.status == "finalized":
            return 409
        meeting.booked = slot_id
        return 200

    def remove_slot(self, name: str, meeting: Meeting, slot_id: str) -> int:
        refused = self.refusal(name, COLLABORATOR, meeting, slot_id in meeting.slots)
        if refused is not None:
            return refused
        if meeting.status == "finalized" or meeting.booked == slot_id:
            return 409
        del meeting.slots[slot_id]
        return 200

    def change(self, name: str, target: str, role: str) -> int:
        if self.tier(name) < ADMINISTRATOR:
            return 403
        if target not in self.members:
            return 404
        if self.members[target].role == OWNER:
            return 409
        self.members[target].role = role
        return 200

    def remove(self, name: str, target: str) -> int:
        if name not in self.members or (name != target and self.tier(name) < ADMINISTRATOR):
            return 403
        if target not in self.members:
            return 404
        if self.members[target].role == OWNER:
            return 409
        del self.members[target]
        self.forget(target)
        return 200

    def transfer(self, name: str, target: str) -> int:
        if name not in self.members or self.members[name].role != OWNER:
            return 403
        if target not in self.members or target == name:
            return 400
        self.members[name].role, self.members[target].role = ADMIN, OWNER
        return 200
