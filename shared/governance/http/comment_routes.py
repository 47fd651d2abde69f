"""The routes of the comments on one kind of subject (an extension of the API, ADR 0165)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.scopes import Scope, Tier

UseCase = Callable[..., Any]


class CommentUseCases(NamedTuple):
    """What can be done with the comments on one kind of subject."""

    list: UseCase
    create: UseCase
    update: UseCase
    delete: UseCase
    resolve: UseCase
    reopen: UseCase


def declare_comments(api: Api, subject: str, read: Scope, write: Scope, usecases: CommentUseCases) -> None:
    """Declares them under the path of their subject: who reads it may read them, collaborators write."""
    comments = subject + "/comments"
    comment = comments + "/{commentId}"
    resolution = comment + "/resolution"
    api.get(comments, usecases.list, scope=read, extension=True)
    api.post(
        comments,
        usecases.create,
        scope=write,
        audience=Audience.USER,
        tier=Tier.COLLABORATOR,
        extension=True,
        codes=(Code.CONFLICT,),
    )
    for declare, path, usecase in (
        (api.patch, comment, usecases.update),
        (api.delete, comment, usecases.delete),
        (api.put, resolution, usecases.resolve),
        (api.delete, resolution, usecases.reopen),
    ):
        declare(path, usecase, scope=write, audience=Audience.USER, tier=Tier.COLLABORATOR, extension=True)
