"""What a history of rights remembers: members, invites, credentials, and a moment to which the table may go back."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from governance.scopes import ACCESS_TIERS, ROLE_TIERS, Tier
from tests.harness import sdk
from tests.harness.revocation_record import empty_record, stream_changes, with_purge
from tests.harness.table_snapshot import TableSnapshot

if TYPE_CHECKING:
    from tests.model.rights import History

_RESTORED = ("owner_name", "members", "left", "name", "invites", "hooks", "editors", "owners")
"""What a restore brings back: of a history."""
_ENDING = ("tokens", "personal", "feeds", "links")
"""Credentials that were made since the backup are not there after a restore; the others are as they were."""


@dataclass
class Member:
    """What a user is on the board."""

    role: str
    access: str

    @property
    def tier(self) -> Tier:
        return ROLE_TIERS.get(self.role) or ACCESS_TIERS[self.access]


@dataclass
class Invite:
    """An invite as it should be."""

    id: str
    invitee: str
    senders: list[str]
    access: str
    status: str = "pending"


@dataclass
class Issued:
    """A credential: its maker, and whether it was revoked. `token` is the board token that made a guest link."""

    maker: str
    secret: str
    id: str = ""
    ended: bool = False
    token: Issued | None = None


class Backup:
    """A moment of a history to which the table may be restored, and what of it ended since."""

    def __init__(self, history: History) -> None:
        """Remembers the table and all that should be true now."""
        empty_record(sdk.s3())
        self.snapshot = self._latest = TableSnapshot()
        self.owner_name = history.owner_name
        self.removed: set[str] = set()
        self._purged, self._earlier = set(history.purged), set(history.purged)
        self._kept = deepcopy({name: getattr(history, name) for name in _RESTORED})
        self._secrets = {one.secret for name in _ENDING for one in getattr(history, name)}

    def record(self, history: History) -> None:
        """Tells the record what the last step ended."""
        now = TableSnapshot()
        stream_changes(self._latest, now)
        for name in history.purged - self._purged:
            stream_changes(now, with_purge(TableSnapshot(), history.people[name].id))
        self.removed |= self._kept["members"].keys() - history.members.keys()
        self._purged, self._latest = set(history.purged), now

    def apply(self, history: History) -> None:
        """Makes true again what was true at the backup, but for what ended since."""
        for name in _ENDING:
            for one in getattr(history, name):
                one.ended |= one.secret not in self._secrets
        retracted = {one.id for one in history.invites if one.status == "retracted"}
        for name in _RESTORED:
            setattr(history, name, self._kept[name])
        for one in history.invites:
            one.status = "retracted" if one.id in retracted else one.status
        since = history.purged - self._earlier
        history.invites = [one for one in history.invites if one.invitee not in since]
        for name in self.removed:
            del history.members[name]
            history.left[name] = ""
            history.dashboard.lose(name)
