"""The largest answer of every route, computed from the limits: below what Lambda takes, or cut, or a clear error.

Sizes are those of a body as Lambda sends it (ADR limits), where a character takes up to twelve bytes. A new text in a
resource needs its limit in `TEXTS` unless a body gives it, a new array its length in `LENGTHS`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel

from governance import agenda_limits, limits
from governance.errors import Code
from governance.http.route import Route
from governance.ids import UserId
from governance.models.action_items.legacy_action_item import BoardItem, BoardItems, MyItem, MyItems
from governance.models.history.audit import AuditEntry
from governance.models.invites.invite import InviteDetail, InvitesByBoard
from governance.models.meetings.decisions import MeetingDecisions
from governance.models.meetings.minutes_remarks import MinutesRemark
from governance.models.meetings.minutes_versions import MinutesVersion
from governance.models.meetings.slot import Feedback, ProposedSlot
from governance.models.page import JsonArrayStream
from governance.models.planning.agenda_template import AgendaTemplate
from governance.models.resolutions.resolution import Resolution, Voter
from governance.scopes import Scope
from governance.sizes import LONGEST_CHARACTER, sent_bytes
from governance.store.history.audit import _ENTRIES_PER_ITEM
from governance.store.schema.entities import _SEAT_ROWS
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME

ID, INSTANT = 24, 24
ITEM_BYTES, TRANSACTION_BYTES = 400 * 1024, 4 * 1024 * 1024
"""The largest item of DynamoDB, and the largest sum of the items of one transaction."""
LONGEST = "\U0001f600"


def _limits_of_bodies() -> dict[str, int]:
    """Returns the longest text that a body may give a field, by the name of the field."""
    longest: dict[str, int] = {}
    for route in ROUTES_BY_NAME.values():
        schema: dict[str, Any] = route.body.model_json_schema() if route.body else {}
        for part_schema in (schema, *schema.get("$defs", {}).values()):
            for alias, member in part_schema.get("properties", {}).items():
                name = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", alias)
                lengths = [part["maxLength"] for part in (member, *member.get("anyOf", ())) if "maxLength" in part]
                longest[name] = max([longest.get(name, 0), *lengths])
    return {name: length for name, length in longest.items() if length}


TEXTS: Mapping[str, int] = _limits_of_bodies() | {
    "action": 40,
    "catalog_version": 20,
    "board_description": limits.BOARD_DESCRIPTION,
    "board_name": limits.BOARD_NAME,
    "board_positions": limits.BOARD_POSITION,
    "code": 40,
    "dashboard_type": 30,
    "error": 200,
    "events": 40,
    "full_name": 2 * limits.PERSON_NAME + 1,
    "high": 60,
    "invite_code": 36,
    "key": 16,
    "start": 16,
    "invite_message": limits.INVITE_MESSAGE,
    "inviter_email": limits.EMAIL_LENGTH,
    "inviter_first_name": limits.PERSON_NAME,
    "inviter_last_name": limits.PERSON_NAME,
    "inviter_name": 2 * limits.PERSON_NAME + 1,
    "language": 2,
    "low": 60,
    "meeting_link": 100,
    "moved_from": 24,
    "number": 20,
    "message": 2 * limits.PERSON_NAME + limits.ACTION_ITEM_TITLE + limits.BOARD_NAME + 300,
    "salt": 44,
    "billing_state": 30,
    "preset": 20,
    "remarks_until": INSTANT,
    "required_scope": 30,
    "role": 80,
    "rogue_id": 81,
    "secret": 100,
    "ticket": 43,
    "sha256": 64,
    "text_sha256": 64,
    "section_name": limits.SECTION_NAME,
    "sent_to": limits.EMAIL_LENGTH,
    "text": limits.COMMENT_TEXT,
    "timezone": 64,
    "token": 150,
    "year": 4,
    "token_name": limits.TOKEN_NAME,
}
"""Of texts, in code points, by the name of the field: what bodies may give, and what only answers have, or where a name
has several limits. Ids and instants are known by their names."""
LENGTHS: Mapping[str, int] = {
    "also_invited_by": limits.RE_INVITERS,
    "attempts": limits.WEBHOOK_ATTEMPTS_KEPT,
    "board_positions": limits.BOARD_POSITIONS,
    "ballots": limits.RESOLUTION_VOTERS,
    "document_ids": limits.RESOLUTION_PAPERS,
    "editors": limits.DASHBOARD_EDITORS,
    "entries": agenda_limits.MINUTE_BOOK_ENTRIES,
    "evaluations": limits.ACCESS_EVALUATIONS,
    "events": limits.WEBHOOK_EVENTS,
    "figures": limits.DASHBOARD_FIELDS,
    "files": limits.DOCUMENT_VERSIONS,
    "inputs": limits.FORMULA_INPUTS,
    "meeting_ids": limits.DOCUMENT_MEETINGS,
    "mentions": limits.COMMENT_MENTIONS,
    "next": agenda_limits.SERIES_NEXT,
    "member_ids": limits.COMMITTEE_MEMBERS,
    "missing": limits.MEMBERS_PER_BOARD,
    "recipients": limits.MEMBERS_PER_BOARD,
    "signatures": agenda_limits.MINUTES_SIGNERS,
    "signers": agenda_limits.MINUTES_SIGNERS,
    "remind_days_before": limits.CYCLE_REMINDERS,
    "scopes": len(Scope),
    "sections": limits.DASHBOARDS_PER_REPORT,
    "slots": limits.SLOTS_PER_MEETING,
    "user_ids": agenda_limits.ITEM_AUDIENCE,
    "unregistered_user_ids": limits.UNREGISTERED_USERS_PER_BOARD,
    "papers": limits.RESOLUTION_PAPERS,
    "months": 12,
    "matters": agenda_limits.PLAN_ITEMS_PER_BOARD,
    "voters": limits.RESOLUTION_VOTERS,
}
"""Of arrays, in entries, by the name of the field."""
ELEMENTS: Mapping[type, type] = {BoardItems: BoardItem, MyItems: MyItem, InvitesByBoard: InviteDetail}
"""What a stream in an object consists of."""
PAGE_BYTES: Mapping[str, tuple[str, int]] = {
    "ActionItem": ("notes", limits.ACTION_ITEMS_PAGE_BYTES),
    "Cycle": ("sections", 2 * 1024 * 1024),
    "Dashboard": ("uniform", limits.DASHBOARDS_PAGE_BYTES),
}
"""Of pages that end early: the field that is bounded, and its bytes on a page."""
WHOLE_PAGES = {AgendaTemplate, MeetingDecisions, MinutesRemark, MinutesVersion, Resolution}
"""What is on pages that end early, of which the first entry is there whatever it has."""
UNPAGED = {
    "GET /api/v1/boards/{boardId}/meetings/{meetingId}/slots": limits.SLOTS_PER_MEETING,
    "GET /api/v1/boards/{boardId}/series/{seriesId}/occurrences": 3
    * agenda_limits.OCCURRENCES_DAYS,  # some moved into it
}
"""Complete lists, with their length; every other list has pages."""


@dataclass(frozen=True)
class Scale:
    """Weighs the largest instance of a model by the bytes of a character, a quote, and one byte of a JSON document."""

    character: int
    quote: int
    document: int

    def resource(self, model: type[BaseModel], without: str = "") -> int:
        """Returns the most bytes of a resource, without the value of one of its fields."""
        if model is ProposedSlot:
            return self._text(largest_slot(guests=limits.GUEST_VOTES_PER_SLOT, comment=True).to_json())
        hints = get_type_hints(model)
        fields = [name for name in model.model_fields if name != without]
        return 2 + sum(len(name) + 2 * self.quote + 8 + self.value(model, name, hints[name]) for name in fields)

    def value(self, model: type[BaseModel], name: str, hint: Any) -> int:
        """Returns the most bytes of a field's value."""
        origin, arguments = get_origin(hint), get_args(hint)
        if (model.__name__, name) in self._documents():
            return self._documents()[model.__name__, name]
        if origin in {Union, types.UnionType}:
            return max(self.value(model, name, part) for part in arguments)
        if origin is Literal:
            return max(len(str(choice)) for choice in arguments) + 2 * self.quote
        if origin is tuple:
            return LENGTHS[name] * (self.value(model, name, arguments[0]) + 1)
        if isinstance(hint, type) and issubclass(hint, BaseModel):
            return self.resource(hint)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return max(len(str(choice.value)) for choice in hint) + 2 * self.quote
        if hint in {bool, int, float, type(None)}:
            return 20
        return self._string(model, name)

    def _string(self, model: type[BaseModel], name: str) -> int:
        if name.removeprefix("_") in {"id", "mentions", "missing", "recipients"} or name.endswith(
            ("_id", "_ids", "_by", "_user")
        ):
            return ID + 2 * self.quote
        if name == "avatar":  # a signed URL
            return 4096
        if name.endswith(("_at", "_time", "_date", "_on")) or name == "at":
            return INSTANT + 2 * self.quote
        assert name in TEXTS, f"{model.__name__}.{name} needs a limit in TEXTS"
        return TEXTS[name] * self.character + 2 * self.quote

    def _documents(self) -> Mapping[tuple[str, str], int]:
        """Returns the most bytes of fields that hold JSON of many shapes."""
        person = limits.EMAIL_LENGTH * self.character
        positions = limits.BOARD_POSITIONS * (limits.BOARD_POSITION * self.character + 2 * self.quote + 1)
        meeting = (limits.MEETING_TITLE + limits.MEETING_LOCATION) * self.character
        details = person + positions + 1000
        return {
            ("ActionItem", "notes"): limits.ACTION_ITEM_NOTES_BYTES * self.document,
            ("Dashboard", "uniform"): limits.DASHBOARD_BYTES * self.document,
            ("AuditEntry", "details"): details,
            ("BoardEvent", "details"): details,
            ("LogProof", "entry"): details + 1000,
            ("LogProof", "proof"): 64 * 45 + 16 * 200,
            ("AgendaTemplate", "items"): limits.BODY_BYTES * self.document + agenda_limits.AGENDA_ITEMS * 300,
            ("Agenda", "items"): agenda_limits.AGENDA_BYTES * self.document + agenda_limits.AGENDA_ITEMS * 300,
            ("Minutes", "items"): limits.BODY_BYTES * self.document + agenda_limits.MINUTES_ITEMS * 200,
            ("MinutesVersion", "items"): limits.BODY_BYTES * self.document + agenda_limits.MINUTES_ITEMS * 200,
            ("MinutesVersion", "in_camera"): limits.BODY_BYTES * self.document + agenda_limits.MINUTES_ITEMS * 300,
            ("MinutesVersion", "attendance"): agenda_limits.MINUTES_ATTENDANCE * 100,
            ("MeetingDecisions", "decisions"): limits.BODY_BYTES * self.document
            + agenda_limits.MINUTES_ITEMS * (agenda_limits.AGENDA_TITLE * self.character + 300),
            ("Minutes", "attendance"): agenda_limits.MINUTES_ATTENDANCE * 100,
            ("BoardEvent", "refs"): 5 * (ID + 30),
            ("BoardEvent", "changes"): 2 * max(positions, meeting) + 1000,
            ("Download", "url"): 8000,
            ("UploadForm", "fields"): 8000,
            ("Preferences", "preferences"): 1000,
        }

    def _text(self, text: str) -> int:
        return sent_bytes(text) if self.character == LONGEST_CHARACTER else len(text.encode())


SENT = Scale(LONGEST_CHARACTER, quote=2, document=6)
"""As Lambda sends it. The byte of a document that takes most is DEL, which JSON need not escape: six."""
STORED = Scale(character=4, quote=1, document=1)
"""As a record of the store holds it, in UTF-8."""


def largest_slot(*, guests: int, comment: bool) -> ProposedSlot:
    """Builds a slot with the votes of as many members as a board may have, and of guests."""
    text = LONGEST * limits.VOTE_COMMENT if comment else None
    vote: Any = {"vote": "challenging" if comment else "didNotVote", "comment": text}
    of_members = [Feedback(user_id=UserId("f" * ID), **vote)] * limits.MEMBERS_PER_BOARD
    of_guests = [Feedback(user_id=None, email="x" * limits.EMAIL_LENGTH, is_guest=True, **vote)] * guests
    return ProposedSlot(
        id="f" * ID,
        meeting_id="f" * ID,
        created_by_user_id=UserId("f" * ID),
        start_time="x" * INSTANT,
        timezone="x" * TEXTS["timezone"],
        duration_in_minutes=limits.SLOT_MINUTES_MAX,
        feedbacks=(*of_members, *of_guests),
        created_at="x" * INSTANT,
        updated_at="x" * INSTANT,
    )


def largest_recorded(route: Route, model: type[BaseModel]) -> int:
    """Returns the most bytes of a response as it is recorded for a repeat."""
    if model is ProposedSlot:
        return len(largest_slot(guests=0, comment=False).to_json().encode())
    if model is Resolution:  # nobody is recused from a draft, nor from what has just been opened
        voters = limits.RESOLUTION_VOTERS * (STORED.resource(Voter, without="recused") + 20)
        return STORED.resource(Resolution, without="voters") + (0 if route.declared.renew else voters)
    return STORED.resource(model)


def is_stream(route: Route) -> bool:
    return get_origin(get_type_hints(route.usecase)["return"]) is JsonArrayStream


def models(route: Route) -> list[type[BaseModel]]:
    """Returns the models of which a route may answer any."""
    members = get_args(route.response_model) or (route.response_model,)
    return [ELEMENTS.get(model, model) for model in members]


def largest(name: str) -> int:
    """Returns the bytes of a route's largest answer; of a stream, those of its largest entry."""
    route = ROUTES_BY_NAME[name]
    if route.shape == "collection":
        (model,) = models(route)
        if model in WHOLE_PAGES:
            return max(limits.PAGE_BYTES, SENT.resource(model)) + limits.PAGE_MAX + 1000
        field, page_bytes = PAGE_BYTES.get(model.__name__, ("", 0))
        return page_bytes + UNPAGED.get(name, limits.PAGE_MAX) * SENT.resource(model, without=field) + 1000
    return max(map(SENT.resource, models(route))) + 1000


def test_every_answer_but_those_that_may_be_refused_fits() -> None:
    too_large = {name for name in ROUTE_NAMES if largest(name) > limits.ANSWER_BYTES}
    refused = {name for name in ROUTE_NAMES if Code.NOT_ACCEPTABLE in ROUTES_BY_NAME[name].codes}
    assert too_large == refused == {"GET /api/v1/boards/{boardId}/meetings/{meetingId}/slots"}


def test_the_slots_of_a_meeting_fit_without_comments() -> None:
    members = sent_bytes(largest_slot(guests=0, comment=False).to_json())
    guest = sent_bytes(Feedback(user_id=None, vote="challenging", email="x" * limits.EMAIL_LENGTH).to_json())
    total = limits.SLOTS_PER_MEETING * members + limits.GUEST_VOTES_PER_MEETING * guest
    assert total < limits.ANSWER_BYTES


def test_every_array_is_a_stream_or_has_pages() -> None:
    whole = {
        name
        for name, route in ROUTES_BY_NAME.items()
        if route.shape in {"array", "collection"}
        and not is_stream(route)
        and not {"limit", "cursor"} <= getattr(route.query, "model_fields", {}).keys()
    }
    assert whole == UNPAGED.keys()


@pytest.mark.parametrize("name", [name for name in ROUTE_NAMES if ROUTES_BY_NAME[name].idempotent])
def test_the_record_of_a_request_fits_into_an_item(name: str) -> None:
    assert max(largest_recorded(ROUTES_BY_NAME[name], model) for model in models(ROUTES_BY_NAME[name])) + 1000 < (
        ITEM_BYTES
    )


def test_the_largest_change_of_a_committee_fits_into_a_transaction() -> None:
    changed = 2 * limits.COMMITTEE_MEMBERS
    entry = STORED.resource(AuditEntry) + 2 * INSTANT + ID
    rows = -(-changed // _ENTRIES_PER_ITEM)
    seats = limits.MEMBERS_PER_BOARD * (ID + limits.MEMBER_COMMITTEES * (ID + 3))
    assert _ENTRIES_PER_ITEM * entry < ITEM_BYTES
    assert _SEAT_ROWS + rows + 10 < limits.TRANSACTION_WRITES
    assert changed * entry + seats + limits.COMMITTEE_MEMBERS * (ID + 3) + 100_000 < TRANSACTION_BYTES


def test_the_largest_item_of_a_pending_invite_fits() -> None:
    assert 2 * STORED.resource(InviteDetail) < ITEM_BYTES
