"""The rules of people without an account: what changes one, and who may see their address (ADR people)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from governance.domain.access.access import Principal
from governance.errors import Reason, conflict, not_found
from governance.ids import BoardId, MembershipId, PersonId, UserId, new_id
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.members.unregistered_user import (
    Bounce,
    StoredUnregisteredUser,
    UnregisteredStatus,
    UnregisteredUser,
    UnregisteredUserCreate,
    UnregisteredUserPatch,
)
from governance.scopes import Tier

SCRUBBED_NAME = "Former participant"
NOT_ACTIVE = "must be the id of an active person of the board who has no account"


@dataclass(frozen=True)
class NamedPeople:
    """The people without an account that a resource names: their current names, and which of them are active, by id."""

    names: Mapping[PersonId, str]
    active: Collection[PersonId]

    def name_of(self, person_id: PersonId | None) -> str | None:
        """Returns a person's name; None for nobody, and for somebody who does not exist."""
        return self.names.get(person_id) if person_id else None

    def may_be_named(self, person_id: PersonId, earlier: Collection[PersonId]) -> bool:
        """Returns whether a resource may name a person: an active one, and one that it named before."""
        return person_id in self.active or person_id in earlier


NOBODY = NamedPeople({}, ())


def named(people: Mapping[PersonId, StoredUnregisteredUser]) -> NamedPeople:
    """Returns people by id as a resource names them."""
    active = [id_ for id_, person in people.items() if person.status == "active"]
    return NamedPeople({id_: person.name for id_, person in people.items()}, frozenset(active))


def created(
    board_id: BoardId, body: UnregisteredUserCreate, language: str | None, now: Instant
) -> StoredUnregisteredUser:
    """Returns the new person that the body describes; `language` is that of the member who adds them."""
    return StoredUnregisteredUser(
        id=PersonId(new_id()),
        board_id=board_id,
        first_name=body.first_name,
        last_name=body.last_name,
        email=body.email,
        board_positions=tuple(body.board_positions or ()),
        receives_mail=body.receives_mail is not False,
        language=language,
        created_at=now,
        updated_at=now,
    )


def patched(person: StoredUnregisteredUser, body: UnregisteredUserPatch, now: Instant) -> StoredUnregisteredUser:
    """Returns the person with these changes; the same object if they change nothing.

    A new address is not marked as one that bounced. Raises 409 `MERGED` or `SCRUBBED`.
    """
    check_changeable(person)
    changes: dict[str, Any] = body.changes()
    if "board_positions" in changes:
        changes["board_positions"] = tuple(body.board_positions)
    if changes.get("email", person.email) != person.email:
        changes |= {"bounce": None, "links": person.links + 1}
    new = person.model_copy(update=changes)
    return person if new == person else changed(new, now)


def with_status(person: StoredUnregisteredUser, status: UnregisteredStatus, now: Instant) -> StoredUnregisteredUser:
    """Returns the person archived or active again; the same object if they are.

    Raises 409 `MERGED`, and `SCRUBBED` for one that only a change could make active.
    """
    if person.status == status:
        return person
    check_changeable(person)
    return changed(person.model_copy(update={"status": status, "links": person.links + 1}), now)


def scrubbed(person: StoredUnregisteredUser, now: Instant) -> StoredUnregisteredUser:
    """Returns the person without name, address and positions, for good. Raises 409 `MERGED` or `SCRUBBED`."""
    check_changeable(person)
    remains = {
        "first_name": SCRUBBED_NAME,
        "last_name": None,
        "email": None,
        "scrub_pending": True,
        "scrubbed_email": person.email,
        "board_positions": (),
        "status": "archived",
        "receives_mail": False,
        "bounce": None,
        "scrubbed_at": now,
    }
    return changed(person.model_copy(update=remains), now)


def forgotten(person: StoredUnregisteredUser, now: Instant) -> StoredUnregisteredUser:
    """Returns the person without anything that says who they are, also a merged one: their account was purged."""
    remains: dict[str, Any] = {
        "first_name": SCRUBBED_NAME,
        "last_name": None,
        "email": None,
        "scrub_pending": False,
        "scrubbed_email": None,
        "board_positions": (),
        "receives_mail": False,
        "bounce": None,
    }
    if person.status != "merged":
        remains |= {"status": "archived", "scrubbed_at": person.scrubbed_at or now}
    return changed(person.model_copy(update=remains), now)


def flagged(person: StoredUnregisteredUser, email: str, bounce: Bounce, now: Instant) -> StoredUnregisteredUser:
    """Returns the person whose mails to this address came back; the same object if that changes nothing.

    It changes nothing for one who is not active, has another address now, is flagged already, or whose flag was
    dismissed since.
    """
    is_known = person.bounce is not None or bounce.at <= (person.flag_dismissed_at or "")
    if person.status != "active" or person.email != email or is_known:
        return person
    return changed(person.model_copy(update={"bounce": bounce}), now)


def without_flag(person: StoredUnregisteredUser, now: Instant) -> StoredUnregisteredUser:
    """Returns the person without their flag. Raises 404 without one."""
    if person.bounce is None:
        raise not_found()
    return changed(person.model_copy(update={"bounce": None, "flag_dismissed_at": now}), now)


def changed(person: StoredUnregisteredUser, now: Instant) -> StoredUnregisteredUser:
    """Returns the person in a new version."""
    return person.model_copy(update={"updated_at": now, "version": person.version + 1})


def check_changeable(person: StoredUnregisteredUser) -> None:
    """Raises 409 for a person who was merged or scrubbed."""
    if person.status == "merged":
        raise conflict(Reason.MERGED)
    if person.scrubbed_at is not None:
        raise conflict(Reason.SCRUBBED)


def is_same_person(person: StoredUnregisteredUser, user: StoredUser) -> bool:
    """Returns whether an active person and an account seem to be one: by the address, or the full name in any case."""
    if person.status != "active" or user.purged:
        return False
    same_name = person.name.casefold().split() == user.full_name.casefold().split()
    return person.email == user.email or (same_name and person.name.strip() != "")


def recommended(person: StoredUnregisteredUser, user_id: UserId, cause: str) -> StoredUnregisteredUser | None:
    """Returns the person once the merge into a member was recommended; None if another event has caused that before."""
    known = person.recommended.get(user_id)
    if known is not None:
        return person if known == cause else None
    return changed(person.model_copy(update={"recommended": {**person.recommended, user_id: cause}}), person.updated_at)


def sees_address(tier: Tier | None, principal: Principal) -> bool:
    """Returns whether a caller sees addresses, and what came back from them: managers do, board tokens never."""
    return principal.user is not None and tier is not None and tier >= Tier.MANAGER


def to_resource(
    person: StoredUnregisteredUser, *, with_address: bool, merged_into: MembershipId | None
) -> UnregisteredUser:
    """Returns the person as a caller sees them; `merged_into` is the member that they became, while one."""
    hidden = {} if with_address else {"email": None, "bounce": None}
    shown = {"fullName": person.name, "mergedIntoMemberId": merged_into, **hidden}
    return UnregisteredUser.model_validate({**person.item(), **shown})
