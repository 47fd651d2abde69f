"""The rules of remarks on circulated minutes: when and on what they are made, and what is decided about them."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings import minutes_remarks as remark_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.domain.meetings.in_camera import Reader
from governance.ids import UserId
from governance.instants import Instant
from governance.models.meetings.audience import StoredAudience
from governance.models.meetings.minutes_remarks import (
    MinutesRemarkCreate,
    RemarkDispositionBody,
    StoredMinutesRemark,
)
from governance.models.meetings.minutes_versions import CirculationBody, StoredMinutesApproval, StoredMinutesVersion
from tests.domain.samples import CREATOR, NOW, OTHER, conflict, id_of, just_before, later, meeting, minutes, refusal

DECISION = {"text": "The rent is paid 🏠", "result": "carried"}
ITEMS = [{"id": id_of("one"), "text": "Cafe\u0301 closed"}, {"id": id_of("two"), "text": "", "decision": DECISION}]


def circulated(until: Instant | None = None) -> tuple[StoredMinutesApproval, StoredMinutesVersion]:
    """Returns the approval and the version of minutes with two items."""
    body = CirculationBody.model_construct(remarks_until=until)
    over = meeting(status="completed")
    approval, version = version_rules.circulated(over, minutes(items=ITEMS), None, body, CREATOR, NOW)
    assert version is not None
    return approval, version


def body(**members: Any) -> MinutesRemarkCreate:
    return MinutesRemarkCreate.model_validate({"version": 1, "text": "Not so", **members})


def made(author: UserId | None = OTHER, **members: Any) -> StoredMinutesRemark:
    return remark_rules.new_remark(circulated()[1], body(**members), Reader(author), id_of("remark"), NOW)


def decided(remark: StoredMinutesRemark, disposition: str, reply: str | None = None) -> StoredMinutesRemark:
    decision = RemarkDispositionBody.model_validate({"disposition": disposition, "reply": reply})
    return remark_rules.disposed(remark, decision, CREATOR, later())


def test_remarks_are_made_on_what_was_circulated() -> None:
    assert refusal(remark_rules.check_welcome, None, body(), NOW) == conflict("NOT_CIRCULATED")
    approval, _ = circulated()
    assert remark_rules.check_welcome(approval, body(), later(days=9000)) is approval


def test_remarks_are_welcome_to_before_their_end() -> None:
    end = later(days=1)
    approval, _ = circulated(end)
    assert remark_rules.check_welcome(approval, body(), just_before(end)) is approval
    assert refusal(remark_rules.check_welcome, approval, body(), end) == conflict("REMARKS_CLOSED")


@pytest.mark.parametrize("number", [1, 3])
def test_remarks_are_made_on_the_newest_version(number: int) -> None:
    approval = circulated()[0].model_copy(update={"number": 2})
    error = refusal(remark_rules.check_welcome, approval, body(version=number), NOW)
    assert (error[:2], [*error[2]["fields"]]) == ((400, "INVALID_REQUEST_BODY"), ["version"])


@pytest.mark.parametrize(
    ("index", "quote"),
    [(None, None), (1, None), (0, "e\u0301 c"), (0, "Cafe"), (1, "paid 🏠")],
)
def test_a_passage_occurs_in_the_text_or_the_decision_of_the_item(index: int | None, quote: str | None) -> None:
    remark = made(itemIndex=index, quote=quote)
    assert (remark.item_index, remark.quote, remark.number) == (index, quote, 1)


@pytest.mark.parametrize(
    ("index", "quote", "field"),
    [(2, None, "itemIndex"), (0, "Caf\u00e9", "quote"), (0, "cafe", "quote"), (0, "rent", "quote"), (1, "\n", "quote")],
)
def test_a_passage_is_compared_by_code_points(index: int, quote: str | None, field: str) -> None:
    version = circulated()[1]
    new = body(itemIndex=index, quote=quote)
    error = refusal(remark_rules.new_remark, version, new, Reader(OTHER), id_of("remark"), NOW)
    assert (error[:2], [*error[2]["fields"]]) == ((400, "INVALID_REQUEST_BODY"), [field])


def test_a_passage_needs_its_item() -> None:
    assert MinutesRemarkCreate.field_errors({"quote": "Cafe"}).keys() == {"itemIndex"}
    assert MinutesRemarkCreate.field_errors({"quote": "Cafe", "itemIndex": 0}) == {}
    assert MinutesRemarkCreate.field_errors({}) == {}


@pytest.mark.parametrize(("author", "user"), [(OTHER, CREATOR), (OTHER, None), (None, None), (None, OTHER)])
def test_only_the_author_deletes_a_remark(author: UserId | None, user: UserId | None) -> None:
    assert refusal(remark_rules.check_author, made(author), user)[:2] == (403, "FORBIDDEN")
    remark_rules.check_author(made(OTHER), OTHER)


def test_what_was_decided_about_is_not_deleted() -> None:
    remark_rules.check_deletable(made())
    assert refusal(remark_rules.check_deletable, decided(made(), "noted")) == conflict("REMARK_DISPOSED")


def test_a_decision_replaces_the_earlier_one_and_the_same_changes_nothing() -> None:
    first = decided(made(), "accepted", "Thanks")
    assert (first.disposition, first.reply, first.disposed_by_user_id) == ("accepted", "Thanks", CREATOR)
    assert (first.disposed_at, first.updated_at, first.version) == (later(), later(), 2)
    assert decided(first, "accepted", "Thanks") is first
    second = decided(first, "declined")
    assert (second.disposition, second.reply, second.version) == ("declined", None, 3)


def test_the_data_of_a_user_are_removed_and_the_words_stay() -> None:
    remark = decided(made(), "accepted")
    assert remark_rules.without_users(remark, {UserId("w")}) is remark
    without_author = remark_rules.without_users(remark, {OTHER, UserId("w")})
    changed = {"author_user_id": None, "version": remark.version + 1}
    assert without_author == remark.model_copy(update=changed)
    assert remark_rules.without_users(remark, {OTHER, CREATOR}) == remark.model_copy(
        update={**changed, "disposed_by_user_id": None}
    )


def test_clients_see_the_number_of_the_version_of_the_minutes() -> None:
    remark = decided(made(), "accepted").model_copy(update={"number": 7})
    assert remark_rules.to_resource(remark).version == 7


def test_the_author_of_the_circulation_is_told_of_what_is_in_camera_for_them_alone() -> None:
    version, remark = circulated()[1], made()
    for audience, told in (({CREATOR: "j"}, CREATOR), ({OTHER: "j"}, None)):
        on_item = remark.model_copy(update={"audience": StoredAudience(join_ids=audience)})
        assert remark_rules.circulator_to_tell(version, on_item) == told
    assert remark_rules.circulator_to_tell(version, remark) == CREATOR
