"""The caller's own account: me, whoami, personal tokens (the API specification, sections 2.1, 2.12 and 5)."""

from __future__ import annotations

from governance.errors import forbidden
from governance.models.account.token import (
    AccessToken,
    ApiTokenWhoami,
    BoardTokenWhoami,
    JwtWhoami,
    MintedToken,
    PersonalTokenCreate,
    StoredToken,
    Whoami,
)
from governance.models.account.user import StoredUser, User, UserPatch
from governance.models.base import Deleted
from governance.models.page import OrderedQuery, Page
from governance.scopes import PERSONAL_PRESETS
from governance.store.account import tokens, users
from governance.store.schema.entities import BOARD, USER, USER_TOKEN
from governance.store.schema.keys import Key
from governance.usecases.account.tokens import list_page, mint_token, read_page
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, prefetch


def to_resource(user: StoredUser) -> User:
    """Returns the user as they see themselves."""
    return User.model_validate({**user.model_dump(by_alias=True), "fullName": user.full_name})


def _user(context: Context) -> StoredUser:
    user = context.principal.user
    if user is None:
        raise forbidden("Use a session or a personal token: a board token has no account.")
    return user


def get_me(context: Context) -> User:
    """Returns the calling user."""
    return to_resource(_user(context))


def update_me(context: Context, body: UserPatch) -> Outcome[User]:
    """Changes the fields of the calling user that the body names."""
    old = _user(context)
    changes = body.changes()
    named = old.named or not changes.keys().isdisjoint({"first_name", "last_name"})
    new = old.model_copy(update={**changes, "named": named, "updated_at": context.now, "version": old.version + 1})
    return Outcome(to_resource(new), users.replace(old, new))


def get_whoami(context: Context) -> Whoami:
    """Returns the user or the board of the credential, and its scopes; never its secret."""
    user, token = context.principal.user, context.principal.token
    if token is None:
        return JwtWhoami(user_id=_user(context).id, email=_user(context).email)
    grant = {"scopes": token.scopes, "token_name": token.name, "expires_at": token.expires_at}
    if user is not None:
        return ApiTokenWhoami.model_validate({"user_id": user.id, "email": user.email, **grant})
    board = context.loaded[BOARD.key_for(boardId=token.board_id or "")]
    return BoardTokenWhoami.model_validate({"board_id": board["id"], "board_name": board["name"], **grant})


def _own_tokens(info: RequestInfo) -> Page[StoredToken]:
    return read_page(USER.key_for(userId=info.known_user_id).pk, info)


@prefetch(_own_tokens)
def list_my_tokens(context: Context, page: Page[StoredToken], _query: OrderedQuery) -> Page[AccessToken]:
    """Returns a page of the caller's tokens, newest first, without secrets."""
    return list_page(page, context.now)


def create_my_token(context: Context, body: PersonalTokenCreate) -> Outcome[MintedToken]:
    """Creates a personal token; its secret is in this response and nowhere else."""
    user = _user(context)
    scopes = PERSONAL_PRESETS[body.preset]
    return mint_token(context, "personal", user.id, body.name, body.preset, scopes, body.expires_in_days)


def _own_token_key(info: RequestInfo) -> list[Key | None]:
    return [USER_TOKEN.key_or_none(**info.params, userId=info.user_id)]


def _own_token(context: Context) -> StoredToken:
    return context.stored(USER_TOKEN, StoredToken, userId=_user(context).id)


@loads(_own_token_key)
@finds(_own_token)
def revoke_my_token(context: Context, token: StoredToken) -> Outcome[Deleted]:
    """Revokes a personal token, from the next request on."""
    return Outcome(Deleted(), [] if token.revoked_at is not None else tokens.revoke(token, context.now))
