"""The file of approved minutes: asked for here, and read for the function that makes and seals it (ADR minutes)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from governance.domain.access.visibility import can_see_meeting, event_visibilities
from governance.domain.meetings import minutes_file as file_rules
from governance.domain.meetings.in_camera import NOBODY
from governance.domain.packs.board_pack import versions_to_make
from governance.errors import not_found
from governance.ids import BoardId, PersonId, UserId
from governance.models.account.user import StoredUser
from governance.models.documents.document import Document
from governance.models.documents.document_version import SealedMinutes
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.minutes_versions import StoredMinutesVersion, StoredVersionApproval
from governance.store.action_items import action_items
from governance.store.decoding import decode_all
from governance.store.history import events
from governance.store.meetings import meetings
from governance.store.resolutions import resolutions
from governance.store.schema.entities import AGENDA, DOCUMENT, MEETING, USER
from governance.store.schema.minutes import MINUTES, MINUTES_APPROVAL
from governance.store.table import read
from governance.texts import Language, language_of
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads
from governance.usecases.documents import made_documents
from governance.usecases.documents.documents import (
    visible_document,
)
from governance.usecases.history.log_proofs import proof_of
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minutes import approval_of, visible_minutes
from governance.usecases.meetings.minutes_versions import requested_version, version_keys
from governance.usecases.members.named_people import people_named


@creates(DOCUMENT, "documentId", visible_document)
@loads(MEETING, MINUTES, MINUTES_APPROVAL)
@finds(visible_meeting, visible_minutes)
def create_minutes_document(context: Context, meeting: StoredMeeting, _minutes: StoredMinutes) -> Outcome[Document]:
    """Creates a document with the minutes that were approved last as a sealed PDF, which is made after the response.

    Raises 409 `NOT_APPROVED` before the first approval.
    """
    approval = file_rules.check_approved(approval_of(context))
    document = file_rules.document_of(meeting, approval, context.principal, context.language, context.now)
    sealed = SealedMinutes(meeting_id=meeting.id, number=approval.number)
    versions = versions_to_make(document, context.now, sealed_minutes=sealed)
    return made_documents.create(context, document, versions)


@loads(MEETING, MINUTES_APPROVAL, AGENDA, version_keys)
@finds(visible_meeting, requested_version)
def read_approved_minutes(context: Context, meeting: StoredMeeting, version: StoredMinutesVersion) -> ApprovedMinutes:
    """Returns a version of the minutes with all that its file tells.

    Raises 404 for one that was not approved, or whose events were lost, as by a restore of its board.
    """
    approval = approval_of(context)
    shown = file_rules.approval_of_file(approval, version.number)
    proofs = _proofs(context, [shown.event_id, *(signature.event_id for signature in shown.signatures)])
    facts = file_rules.approval_facts(meeting, approval, shown, proofs)
    agenda = context.stored_or_none(AGENDA, StoredAgenda)
    return ApprovedMinutes(
        board=context.board.name,
        title=meeting.title,
        start_time=meeting.start_time,
        timezone=meeting.timezone or "UTC",
        language=language_of_maker(context),
        version=version.canonical,
        approval=facts,
        names=names_of(context, agenda, json.loads(version.canonical), shown),
    )


def language_of_maker(context: Context) -> Language:
    """Returns the language of who asked for the file; the default for a board token, which is nobody."""
    user = context.known_principal.user if context.known_principal else None
    return language_of(user.language if user else None)


def _proofs(context: Context, event_ids: Iterable[str | None]) -> dict[str, dict[str, Any]]:
    """Returns the proofs of events, by their ids. Raises 404 if one is lost."""
    proofs: dict[str, dict[str, Any]] = {}
    for event_id in event_ids:
        visible = event_visibilities(context.user_id, ())
        leaf = events.find_leaf(context.board.id, visible, event_id) if event_id else None
        if event_id is None or leaf is None:
            raise not_found()
        proofs[event_id] = json.loads(proof_of(event_id, leaf).to_json())
    return proofs


def names_of(
    context: Context, agenda: StoredAgenda | None, minutes: Mapping[str, Any], approval: StoredVersionApproval
) -> dict[str, str]:
    """Returns the names of today of what the file names, by their ids, as far as every reader of it may see them."""
    named = file_rules.named_by(minutes, approval)
    titles = {item.id: item.title for item in (agenda.items if agenda else ()) if NOBODY.sees(item.audience)}
    people = people_named(context, [PersonId(id_) for id_ in named.people])
    return {
        **titles,
        **{str(id_): name for id_, name in people.names.items()},
        **user_names(named.users),
        **_action_items(context.board.id, named.action_items),
        **_meetings(context.board.id, named.meetings),
        **_resolutions(context.board.id, named.resolutions),
    }


def user_names(user_ids: Iterable[UserId]) -> dict[str, str]:
    """Returns the names of today of users, by their ids."""
    items = read(key for user_id in user_ids if (key := USER.key_or_none(userId=user_id)))
    return {user.id: user.full_name or user.id for user in decode_all(StoredUser, items.values())}


def _action_items(board_id: BoardId, item_ids: Iterable[str]) -> dict[str, str]:
    return {item.id: item.title for item in action_items.get_by_ids(board_id, item_ids)}


def _meetings(board_id: BoardId, meeting_ids: Iterable[str]) -> dict[str, str]:
    found = (meetings.find(board_id, meeting_id) for meeting_id in meeting_ids)
    return {meeting.id: meeting.title for meeting in found if meeting and can_see_meeting(None, meeting)}


def _resolutions(board_id: BoardId, resolution_ids: Iterable[str]) -> dict[str, str]:
    found = resolutions.get_many(board_id, resolution_ids)
    return {id_: f"{each.number} {each.title}" for id_, each in found.items() if each.committee_id is None}
