"""Committees: groups of members with documents of their own."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, MembershipId
from governance.instants import Instant
from governance.limits import COMMITTEE_MEMBERS, COMMITTEE_NAME
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.text import NotBlank, once_each, text


class CommitteeFields(Resource):
    """The fields of a committee that its board sees; `member_ids` are membership ids."""

    id: str
    board_id: BoardId
    name: str
    member_ids: tuple[MembershipId, ...]
    created_at: Instant
    updated_at: Instant


class Committee(CommitteeFields, ApiObject):
    """A committee as its board sees it."""

    object: Literal["committee"] = "committee"


class StoredCommittee(CommitteeFields, Stored):
    """A committee as it is stored; `documents` is the number of its documents."""

    documents: int = 0
    version: int = 1


CommitteeName = Annotated[str, text(1, COMMITTEE_NAME), NotBlank]
MemberIds = Annotated[list[MembershipId], Field(max_length=COMMITTEE_MEMBERS), AfterValidator(once_each)]


class CommitteeCreate(Body):
    """The body that creates a committee."""

    name: CommitteeName
    member_ids: MemberIds


class CommitteePatch(Patch):
    """The body that changes a committee; `member_ids` replaces the whole list."""

    name: CommitteeName = ""
    member_ids: MemberIds = Field(default_factory=list)
