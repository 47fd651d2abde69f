"""The routes of the comments on one kind of subject (an extension of the API, ADR comments)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from governance.http.api import Api
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.comments.commenting import CommentsOn


def declare_comments(
    api: Api, subject: str, read: Scope, write: Scope, on: CommentsOn, create: Callable[..., Any]
) -> None:
    """Declares them under the path of their subject: who reads it may read them, collaborators write."""
    comments = subject + "/comments"
    comment = comments + "/{commentId}"
    writes = api.group(scope=write, audience=Audience.USER, tier=Tier.COLLABORATOR, extension=True)
    api.get(comments, on.list, scope=read, extension=True)
    writes.post(comments, create, codes=CONFLICT)
    writes.patch(comment, on.update)
    writes.delete(comment, on.delete)
    writes.put(comment + "/resolution", on.resolve)
    writes.delete(comment + "/resolution", on.reopen)
