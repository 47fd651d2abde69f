"""The caller himself: me, whoami, his personal tokens (the API specification, sections 2.1, 2.12 and 5)."""

from __future__ import annotations

from governance.errors import forbidden, not_found
from governance.models.base import Deleted
from governance.models.page import Page, PageQuery
from governance.models.token import (
    AccessToken,
    ApiTokenWhoami,
    BoardTokenWhoami,
    JwtWhoami,
    MintedToken,
    PersonalTokenCreate,
    StoredToken,
    Whoami,
)
from governance.models.user import StoredUser, User, UserPatch
from governance.scopes import PERSONAL_PRESETS
from governance.store import tokens, users
from governance.store.schema import BOARD, USER, USER_TOKEN, Key
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.tokens import TokenPage, list_page, mint_token, read_page


def to_resource(user: StoredUser) -> User:
    """The user as he sees himself."""
    return User.model_validate({**user.model_dump(by_alias=True), "fullName": user.full_name})


def _user(context: Context) -> StoredUser:
    user = context.principal.user
    if user is None:
        raise forbidden("A board token has no account.")
    return user


def get_me(context: Context) -> User:
    """The calling user."""
    return to_resource(_user(context))


def update_me(context: Context, body: UserPatch) -> Outcome[User]:
    """The calling user, changed."""
    old = _user(context)
    changes = body.changes()
    named = old.named or not changes.keys().isdisjoint({"first_name", "last_name"})
    new = old.model_copy(update={**changes, "named": named, "updated_at": context.now, "version": old.version + 1})
    return Outcome(to_resource(new), users.replace(old, new))


def get_whoami(context: Context) -> Whoami:
    """What the credential speaks for; never its secret."""
    user, token = context.principal.user, context.principal.token
    if token is None:
        return JwtWhoami(user_id=_user(context).id, email=_user(context).email)
    about = {"scopes": token.scopes, "token_name": token.name, "expires_at": token.expires_at}
    if user is not None:
        return ApiTokenWhoami.model_validate({"user_id": user.id, "email": user.email, **about})
    board = context.loaded[BOARD.at(boardId=token.board_id or "")]
    return BoardTokenWhoami.model_validate({"board_id": board["id"], "board_name": board["name"], **about})


def _my_tokens(ask: RequestInfo) -> TokenPage:
    return read_page(USER.at(userId=ask.user_id or "").pk, ask)


@prefetch(_my_tokens)
def list_my_tokens(context: Context, _: PageQuery) -> Page[AccessToken]:
    """A page of the caller's tokens, newest first, without secrets."""
    return list_page(context.prefetched, context.now)


def create_my_token(context: Context, body: PersonalTokenCreate) -> Outcome[MintedToken]:
    """A new personal token; its secret is in this answer and nowhere else."""
    user = _user(context)
    scopes = PERSONAL_PRESETS[body.preset]
    return mint_token(context, "personal", user.id, body.name, body.preset, scopes, body.expires_in_days)


def _my_token(ask: RequestInfo) -> list[Key | None]:
    return [USER_TOKEN.key(**ask.params, userId=ask.user_id or "")]


@loads(_my_token)
def revoke_my_token(context: Context) -> Outcome[Deleted]:
    """The token is dead from now on."""
    item = context.item(USER_TOKEN, userId=_user(context).id)
    token = StoredToken.model_validate(item) if item else None
    if token is None:
        raise not_found()
    return Outcome(Deleted(), [tokens.revoke(token, context.now)])
