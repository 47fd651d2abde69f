"""Committees: groups of members with documents of their own."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, MembershipId
from governance.instants import Instant
from governance.limits import COMMITTEE_MEMBERS, COMMITTEE_NAME
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.text import NamedMembershipId, NoReordering, NotBlank, once_each, text


class CommitteeFields(Resource):
    """The fields of a committee that its board sees; `member_ids` are membership ids."""

    id: str
    board_id: BoardId
    name: str
    """Display name of the committee."""
    member_ids: tuple[MembershipId, ...]
    """Identifiers of the memberships (not of the users) that belong to the committee."""
    created_at: Instant
    updated_at: Instant


class Committee(CommitteeFields, ApiObject):
    """A group of members of a board who can have documents of their own."""

    object: Literal["committee"] = "committee"


class StoredCommittee(CommitteeFields, Stored):
    """A committee as it is stored; `documents` is the number of its documents."""

    documents: int = 0
    version: int = 1


CommitteeName = Annotated[str, text(1, COMMITTEE_NAME), NotBlank, NoReordering]
MemberIds = Annotated[list[NamedMembershipId], Field(max_length=COMMITTEE_MEMBERS), AfterValidator(once_each)]


class CommitteeCreate(Body):
    """The committee to create."""

    name: CommitteeName
    """Display name of the committee. It must not be blank."""
    member_ids: MemberIds
    """Identifiers of current memberships (not of users). Repeated identifiers count once."""


class CommitteePatch(Patch):
    """The fields of the committee to change; at least one."""

    name: CommitteeName = ""
    member_ids: MemberIds = Field(default_factory=list)
    """Identifiers of current memberships (not of users). The list replaces the current one."""
