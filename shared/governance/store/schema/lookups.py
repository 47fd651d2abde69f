"""The keys of rows that lead from an address, a code or a secret to its item or owner."""

from __future__ import annotations

import hashlib

from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.store.schema.keys import Key, position

EMAIL_USER_PREFIX = "USER#"


def email_user_key(email: str, user_id: UserId) -> Key:
    """Returns the key of the row that leads from an e-mail address to a user who has it."""
    return Key(f"EMAIL#{email}", f"{EMAIL_USER_PREFIX}{user_id}")


UNREGISTERED_USER_PREFIX = "UNREGISTERED#"
_ACTIVE = "ACTIVE"


def unregistered_email_key(email: str, board_id: BoardId, person_id: PersonId | None = None) -> Key:
    """Returns the key of the row that leads from an e-mail address to a person without an account.

    An address has one active person on a board, whose row names no id: of two who take it, one fails.
    """
    return Key(f"EMAIL#{email}", f"{UNREGISTERED_USER_PREFIX}{board_id}#{person_id or _ACTIVE}")


RECEIVED_INVITE_PREFIX = "INVITE#"


def received_invite_partition(email: str) -> str:
    """Returns the partition of the rows that lead from an e-mail address to its pending invites."""
    return f"EMAIL#{email}"


def received_invite_key(email: str, created_at: Instant, invite_id: str) -> Key:
    """Returns the key of the row that leads from an e-mail address to a pending invite of it."""
    return Key(received_invite_partition(email), RECEIVED_INVITE_PREFIX + position(created_at, invite_id))


def reply_address_key(token: str) -> Key:
    """Returns the key of the row that leads from the reply address with this token to its calendar invitation.

    Only the hash of the token is in the key, and it is the same whatever the case of the letters.
    """
    return Key(f"CALENDAR_REPLY#{hashlib.sha256(token.lower().encode()).hexdigest()}", "INVITATION")


def board_code_key(code: str) -> Key:
    """Returns the key of the row that leads from an invite code to its board."""
    return Key(f"CODE#{code}", "BOARD")


def invite_link_key(code: str, token_digest: str) -> Key:
    """Returns the key of the row that leads from a link to its pending invite; in the partition of the link's code."""
    return Key(f"CODE#{code}", f"INVITE#{token_digest}")
