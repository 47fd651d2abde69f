"""Who sees a resolution: the creator and managers see a draft, the board others; only its members see a committee's.

A visibility is a set of a board's resolutions that the same callers see; the store gives each a key range (ADR table).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from governance.domain.access.visibility import Visibility, event_visibilities
from governance.ids import UserId
from governance.models.resolutions.resolution import ResolutionStatus, StoredResolution
from governance.scopes import Tier


class ResolutionVisibility(NamedTuple):
    """The drafts (of one creator, if it names one), or the other resolutions, of a committee or of the whole board."""

    committee_id: str | None
    is_draft: bool = False
    creator_id: UserId | None = None


@dataclass(frozen=True)
class Reader:
    """A caller, as far as they decide what is visible; a board token has no `user_id`."""

    user_id: UserId | None
    tier: Tier | None
    committee_ids: tuple[str, ...]

    @property
    def is_manager(self) -> bool:
        """Whether the caller is a user who runs the board's resolutions."""
        return self.user_id is not None and self.tier is not None and self.tier >= Tier.MANAGER


def can_see(reader: Reader, resolution: StoredResolution) -> bool:
    """Returns whether a caller sees a resolution."""
    if resolution.committee_id is not None and resolution.committee_id not in reader.committee_ids:
        return False
    return resolution.status != "draft" or may_run(reader, resolution)


def may_run(reader: Reader, resolution: StoredResolution) -> bool:
    """Returns whether a caller is the creator of a resolution, or a manager."""
    return reader.is_manager or (reader.user_id is not None and reader.user_id == resolution.created_by_user_id)


def draft_owner(resolution: StoredResolution) -> UserId | None:
    """Returns the user whose draft the resolution is; None if it is not one."""
    return resolution.created_by_user_id if resolution.status == "draft" else None


def event_visibilities_of(resolution: StoredResolution) -> Sequence[Visibility]:
    """Returns the visibilities in which the events of an opened resolution may be."""
    return event_visibilities(None, (resolution.committee_id,) if resolution.committee_id else ())


def visibilities(
    reader: Reader, status: ResolutionStatus | None, committee_id: str | None
) -> Sequence[ResolutionVisibility]:
    """Returns the visibilities that a caller's list reads, for these filters."""
    committees = [None, *reader.committee_ids]
    if committee_id is not None:
        committees = [committee for committee in reader.committee_ids if committee == committee_id]
    chosen = [] if status == "draft" else [ResolutionVisibility(committee) for committee in committees]
    if status in (None, "draft") and reader.user_id is not None:
        owner = None if reader.is_manager else reader.user_id
        chosen += [ResolutionVisibility(committee, is_draft=True, creator_id=owner) for committee in committees]
    return chosen
