"""Whether a presented credential holds, by what the store says of it (the API specification, sections 3.5 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from governance.domain import tokens
from governance.domain.access import Principal
from governance.errors import ApiError, Code
from governance.http.credentials import Credential, Session
from governance.models.token import StoredToken
from governance.models.user import StoredUser
from governance.store.schema import BOARD, BOARD_TOKEN, USER, USER_TOKEN, Item, Key
from governance.store.table import transact
from governance.usecases.provisioning import Claims, provision


def identity_keys(presented: Credential) -> list[Key]:
    """The keys of everything that decides whether the credential holds."""
    if isinstance(presented, Session):
        return [USER.at(userId=presented.user_id)]
    if presented.kind == "personal":
        owner = {"userId": presented.owner_id, "tokenId": presented.token_id}
        return [USER.at(**owner), USER_TOKEN.at(**owner)]
    owner = {"boardId": presented.owner_id, "tokenId": presented.token_id}
    return [BOARD.at(**owner), BOARD_TOKEN.at(**owner)]


def authenticate(
    presented: Credential, identity: Sequence[Item | None], now: str, pay: Callable[[], None]
) -> Principal:
    """The principal, by what lies under his identity keys; 401 `INVALID_API_TOKEN` where the credential does not hold.

    A session's user who is new, or whose claims have changed, is written down; `pay` is called before that.
    """
    if isinstance(presented, Session):
        return Principal(_session_user(presented, identity[0], now, pay), None)
    owner, item = identity
    token = StoredToken.model_validate(item) if item else None
    if owner is None or token is None or not _holds(token, presented, now):
        raise ApiError(Code.INVALID_API_TOKEN)
    return Principal(StoredUser.model_validate(owner) if token.kind == "personal" else None, token)


def _holds(token: StoredToken, presented: tokens.ParsedToken, now: str) -> bool:
    same = tokens.matches(token.digest, presented.digest)
    return same and tokens.status(token.expires_at, token.revoked_at, now) == "active"


def _session_user(session: Session, item: Item | None, now: str, pay: Callable[[], None]) -> StoredUser:
    known = StoredUser.model_validate(item) if item else None
    claims = Claims(session.user_id, session.email, session.first_name, session.last_name, session.issued_at)
    user, writes = provision(claims, known, now)
    if writes:
        pay()
        transact(writes)
    return user
