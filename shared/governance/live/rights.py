"""Whether the credential of a connection still holds, and what its user may hear on a board: judged when it is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from governance.domain.access.access import member_tier
from governance.domain.account.tokens import status
from governance.domain.live.hearing import Listener
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.account.token import StoredToken
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership
from governance.models.live.live import LeftReason, LiveCredential
from governance.store.account import tokens, users
from governance.store.committees.seats import seats_in
from governance.store.schema.entities import MEMBER, USER, USER_TOKEN, seats_key
from governance.store.schema.keys import Item, Key
from governance.store.writes import Write

Items = Mapping[Key, Item]


def credential_keys(credential: LiveCredential) -> list[Key]:
    """Returns the keys of the items that decide whether a credential holds."""
    keys = [USER.key_for(userId=credential.user_id)]
    if credential.token_id is not None:
        keys.append(USER_TOKEN.key_for(userId=credential.user_id, tokenId=credential.token_id))
    return keys


def ended(credential: LiveCredential, items: Items, now: Instant) -> LeftReason | None:
    """Returns why a credential no longer holds, from the items of `credential_keys`; None while it does."""
    user, *token = [items.get(key) for key in credential_keys(credential)]
    if user is None or StoredUser.model_validate(user).status != "active":
        return "suspended"
    if credential.ends_at is not None and now >= credential.ends_at:
        return "token_revoked"
    return None if not token or _is_active(token[0], now) else "token_revoked"


def check_holds(credential: LiveCredential) -> list[Write]:
    """Returns checks that nobody has ended a credential since it was read."""
    user = users.check_active(credential.user_id)
    if credential.token_id is None:
        return [user]
    return [user, tokens.check_not_revoked(credential.user_id, credential.token_id)]


def _is_active(item: Item | None, now: Instant) -> bool:
    if item is None:
        return False
    token = StoredToken.model_validate(item)
    return status(token.expires_at, token.revoked_at, now) == "active"


def listener_keys(board_id: BoardId, user_ids: Iterable[UserId]) -> list[Key]:
    """Returns the keys of the items that decide what users hear on a board."""
    keys = [(MEMBER.key_for(boardId=board_id, userId=user_id), seats_key(board_id, user_id)) for user_id in user_ids]
    return [key for pair in keys for key in pair]


def listener(board_id: BoardId, user_id: UserId, items: Items) -> Listener | None:
    """Returns what decides what a user hears, from the items of `listener_keys`; None for one who is not a member."""
    member = items.get(MEMBER.key_for(boardId=board_id, userId=user_id))
    if member is None:
        return None
    seats = seats_in(items.get(seats_key(board_id, user_id)))
    return Listener(user_id, member_tier(Membership.model_validate(member)), tuple(seats.of(user_id)))
