"""Links of invites: `{root}/invite/{code}?i={token}` (ADR invites).

The token is derived from the invite's id with a secret of the deployment, so that it is the same in every mail and is
stored nowhere; the store has only its digest.
"""

from __future__ import annotations

import hashlib
import hmac
import uuid

from governance.models.boards.board import StoredBoard

_PURPOSE = b"invite link token\n"


def token(secret: str, invite_id: str) -> str:
    """Returns the token of an invite: a UUID of version 4 that only the holder of the secret can compute."""
    mac = hmac.new(secret.encode(), _PURPOSE + invite_id.encode(), hashlib.sha256).digest()
    return str(uuid.UUID(bytes=mac[:16], version=4))


def digest(link_token: str) -> str:
    """Returns the SHA-256 of a token, the only form that is stored."""
    return hashlib.sha256(link_token.lower().encode()).hexdigest()


def with_code(board: StoredBoard) -> StoredBoard:
    """Returns the board with a new invite code."""
    return board.model_copy(update={"invite_code": str(uuid.uuid4()), "version": board.version + 1})


def url(root_url: str, code: str, link_token: str) -> str:
    """Returns the URL of a link, as the e-mail has it."""
    return f"{root_url}/invite/{code}?i={link_token}"
