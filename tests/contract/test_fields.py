"""A field of a resource is in every form of it: in what clients send, in what is stored and in what they see."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from infra.openapi.document import document
from infra.openapi.schemas import models

SCHEMAS = document()["components"]["schemas"]
MODELS = models()


class Forms(NamedTuple):
    """The names of the models of one resource, which are the resource's with what they are."""

    seen: str
    stored: tuple[str, ...]
    create: str | None
    patch: str | None

    @classmethod
    def of(cls, seen: str) -> Forms:
        create = next((seen + end for end in ("Create", "Body") if seen + end in MODELS), None)
        return cls(seen, (f"Stored{seen}",), create, f"{seen}Patch" if f"{seen}Patch" in MODELS else None)


_NAMED_OTHERWISE = {
    "BoardMember": Forms("BoardMember", ("Membership",), None, "MemberPatch"),
    "Comment": Forms("Comment", ("StoredComment",), "DashboardCommentCreate", "CommentPatch"),
    "ProposedSlot": Forms("ProposedSlot", ("StoredSlot",), "SlotCreate", None),
    "Resolution": Forms("Resolution", ("StoredResolution", "StoredContent"), "ResolutionCreate", "ResolutionPatch"),
    "Uniform": Forms("Uniform", ("UniformHead", "UniformPayload"), "UniformCreate", "UniformPatch"),
}
_ACTS = {"Audience", "Ballot", "Merge", "MinutesApproval"}
"""What their bodies say is what to do, not what to store, or is stored in another form."""
_BY_NAME = [
    forms
    for forms in map(Forms.of, sorted(SCHEMAS.keys() & MODELS.keys() - _NAMED_OTHERWISE.keys() - _ACTS))
    if forms.stored[0] in MODELS and (forms.create or forms.patch)
]
FORMS = [*_BY_NAME, *_NAMED_OTHERWISE.values()]
_ONLY_CREATED = {
    "Dashboard": {"dashboard_type"},
    "Comment": {"mentions", "reply_to_id", "field_id"},
    "PaperRequest": {"asked"},
}
_ONLY_CHANGED = {"Board": {"invite_code_enabled"}, "PaperRequest": {"status"}}
_NOT_STORED = {"ActionItem": {"notes"}, "AgendaItem": {"withheld"}, "MinutesItem": {"withheld"}}
"""Fields with an item of their own, or that say what the caller sees."""
_LIMITED_BY = {"maxLength", "enum", "const", "pattern"}
_WITHOUT_LENGTH = {"dataAnchorDate", "dueOn", "endsOn", "language", "narrative", "timezone"}
"""Codes and dates, which are checked as such, as ids are, and the narrative, which is limited with its dashboard."""


def fields(*names: str | None) -> set[str]:
    return {field for name in names if name is not None for field in MODELS[name].model_fields}


assert len(_BY_NAME) > 20, "the forms of a resource are found by their names"


@pytest.mark.parametrize("forms", FORMS, ids=lambda forms: forms.seen)
def test_what_clients_set_is_stored_and_shown(forms: Forms) -> None:
    sent = fields(forms.create, forms.patch)
    assert sent - fields(forms.seen) == set()
    assert sent - fields(*forms.stored) - _NOT_STORED.get(forms.seen, set()) == set()


@pytest.mark.parametrize("forms", [form for form in FORMS if form.create and form.patch], ids=lambda forms: forms.seen)
def test_what_is_set_at_the_creation_can_be_changed_later(forms: Forms) -> None:
    assert fields(forms.create) - fields(forms.patch) == _ONLY_CREATED.get(forms.seen, set())
    assert fields(forms.patch) - fields(forms.create) == _ONLY_CHANGED.get(forms.seen, set())


def test_the_reference_states_the_longest_text_of_every_field_that_clients_write() -> None:
    bodies = [name for name in SCHEMAS if name.endswith(("Create", "Patch", "Body")) and name != "ErrorBody"]
    without = {
        f"{name}.{field}"
        for name in bodies
        for field, schema in SCHEMAS[name]["properties"].items()
        if "string" in schema.get("type", ())
        and schema.get("format") != "date-time"
        and not _LIMITED_BY & schema.keys()
        and field not in _WITHOUT_LENGTH
        and not field.endswith(("Id", "id"))
    }
    assert len(bodies) > 20
    assert without == set()
