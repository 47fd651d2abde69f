"""Checks a presented credential against the store (the API specification, sections 3.5 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from governance.domain.access.access import Principal
from governance.domain.account import tokens
from governance.errors import ApiError, Code
from governance.http.credentials import Credential, Session
from governance.instants import Instant
from governance.models.account.token import StoredToken
from governance.models.account.user import StoredUser
from governance.store.schema.entities import BOARD, BOARD_TOKEN, USER, USER_TOKEN
from governance.store.schema.keys import Item, Key
from governance.store.transactions import transact
from governance.usecases.account.provisioning import Claims, provision


def identity_keys(credential: Credential) -> list[Key]:
    """Returns the keys of the items that decide whether the credential is valid."""
    if isinstance(credential, Session):
        return [USER.key_for(userId=credential.user_id)]
    if credential.kind == "personal":
        owner = {"userId": credential.owner_id, "tokenId": credential.token_id}
        return [USER.key_for(**owner), USER_TOKEN.key_for(**owner)]
    owner = {"boardId": credential.owner_id, "tokenId": credential.token_id}
    return [BOARD.key_for(**owner), BOARD_TOKEN.key_for(**owner)]


def authenticate(
    credential: Credential, identity: Sequence[Item | None], now: Instant, before_write: Callable[[], None]
) -> Principal:
    """Returns the principal; raises 401 `INVALID_API_TOKEN` if the credential is not valid.

    `identity` are the items of `identity_keys`, in that order. A session's user is stored if they are new or their
    claims have changed; `before_write` is called first.
    """
    if isinstance(credential, Session):
        return Principal(
            _session_user(credential, identity[0], now, before_write),
            None,
            credential.ends_at,
            credential.authenticated_at,
        )
    owner, item = identity
    token = StoredToken.model_validate(item) if item else None
    if owner is None or token is None or not _is_valid(token, credential, now):
        raise ApiError(Code.INVALID_API_TOKEN)
    return Principal(StoredUser.model_validate(owner) if token.kind == "personal" else None, token)


def _is_valid(token: StoredToken, presented: tokens.ParsedToken, now: Instant) -> bool:
    same = tokens.matches(token.digest, presented.digest)
    return same and tokens.status(token.expires_at, token.revoked_at, now) == "active"


def _session_user(session: Session, item: Item | None, now: Instant, before_write: Callable[[], None]) -> StoredUser:
    known = StoredUser.model_validate(item) if item else None
    claims = Claims(session.user_id, session.email, session.first_name, session.last_name, session.issued_at)
    user, writes = provision(claims, known, now)
    if writes:
        before_write()
        transact(writes)
    return user
