"""What the file of approved minutes is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from governance.instants import Instant
from governance.texts import Language


@dataclass(frozen=True)
class ApprovedMinutes:
    """A version of minutes that was approved, with all that its file tells beside it.

    `version` is the stored RFC 8785 text of the version. `approval` has the members of `minutes_approval`, `boardId`,
    and as `event` the log proof of the approval; each of its signatures has the log proof of the signing as `event`.
    `names` are those of users, people without an account, items of the agenda, action items, meetings and resolutions,
    by their ids.
    """

    board: str
    title: str
    start_time: Instant | None
    timezone: str
    language: Language
    version: str
    approval: Mapping[str, Any]
    names: Mapping[str, str]

    @property
    def minutes(self) -> dict[str, Any]:
        """The members of the version: who attended, and what was said and decided."""
        members: dict[str, Any] = json.loads(self.version)
        return members

    @property
    def signatures(self) -> Sequence[Mapping[str, Any]]:
        """Who signed, in which role and when; the order is that of signing."""
        signatures: Sequence[Mapping[str, Any]] = self.approval["signatures"]
        return signatures

    def name(self, id_: str) -> str:
        """Returns the name of somebody or something; its id where the name is gone."""
        return self.names.get(id_, id_)
