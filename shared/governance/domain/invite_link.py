"""Links of invites: `{root}/invite/{code}?i={token}` (ADR 0040).

The token is derived from the invite's id with a secret of the deployment, so that it is the same in every mail and lies
nowhere; the store knows its digest alone.
"""

from __future__ import annotations

import hashlib
import hmac
import uuid

from governance.models.board import StoredBoard

_PURPOSE = b"invite link token\n"


def token(secret: str, invite_id: str) -> str:
    """The token of an invite: a UUID of version 4 that only the holder of the secret can tell."""
    mac = hmac.new(secret.encode(), _PURPOSE + invite_id.encode(), hashlib.sha256).digest()
    return str(uuid.UUID(bytes=mac[:16], version=4))


def digest(link_token: str) -> str:
    """What the store knows of a token."""
    return hashlib.sha256(link_token.lower().encode()).hexdigest()


def with_code(board: StoredBoard) -> StoredBoard:
    """The board with an invite code of its own, as it is from then on."""
    return board.model_copy(update={"invite_code": str(uuid.uuid4()), "version": board.version + 1})


def url(root_url: str, code: str, link_token: str) -> str:
    """The address that a mail carries."""
    return f"{root_url}/invite/{code}?i={link_token}"
