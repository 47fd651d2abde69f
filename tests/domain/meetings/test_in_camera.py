"""The rules of what is in camera: who sees an item and its papers, what stays, and who chooses the audience."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings import in_camera
from governance.domain.meetings.in_camera import NOBODY, Reader
from governance.domain.members.unregistered_user import NamedPeople
from governance.domain.planning import backlog_item
from governance.ids import BoardId, UserId
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.meetings.audience import AudienceBody, StoredAudience
from governance.models.meetings.minutes import StoredMinutesItem
from tests.domain.samples import NOW, agenda, id_of, refusal

ADA, BEN, CLEO, OWNER = (UserId(id_of(name)) for name in ("ada", "ben", "cleo", "owner"))
JOINED = {ADA: "a1", BEN: "b1", OWNER: "o1"}


def audience(**joins: str) -> StoredAudience:
    return StoredAudience(join_ids={UserId(id_of(name)): join_id for name, join_id in joins.items()})


def reader(user_id: UserId, joined: Mapping[UserId, str] = JOINED, *, is_manager: bool = False) -> Reader:
    return Reader(user_id, user_id == OWNER, is_manager, joined, None)


def body(*user_ids: UserId) -> AudienceBody:
    return AudienceBody.model_construct(user_ids=[*user_ids])


BOTH = audience(ada="a1", ben="b1")


@pytest.mark.parametrize(("user_id", "sees"), [(ADA, True), (BEN, True), (CLEO, False), (OWNER, False)])
def test_an_item_in_camera_is_for_its_audience_alone(user_id: UserId, sees: bool) -> None:
    assert reader(user_id).sees(BOTH) is sees
    assert reader(user_id).sees(None)
    assert not NOBODY.sees(BOTH)
    assert NOBODY.sees(None)


def test_an_entry_in_camera_tells_others_nothing_of_an_item_that_they_see() -> None:
    common, own = StoredAgendaItem(id="1", title="A"), StoredAgendaItem(id="2", title="B", audience=BOTH)
    secret = [StoredMinutesItem(id="e", agenda_item_id=id_, text="", audience=BOTH) for id_ in ("1", "2")]
    public = [StoredMinutesItem(id="e", agenda_item_id="1", text=""), StoredMinutesItem(id="f", text="")]
    for entries, who, told in (
        (secret, reader(ADA), {"1", "2"}),
        (secret, reader(CLEO), {"2"}),
        (secret, NOBODY, {"2"}),
        (public, NOBODY, {"1"}),
    ):
        assert in_camera.recorded(entries, [common, own], who) == told


def test_who_leaves_is_not_in_it_any_more_even_after_they_join_again() -> None:
    again = {**JOINED, BEN: "b2"}
    assert not reader(BEN, again).sees(BOTH)
    shown = reader(ADA, again).shown(BOTH)
    assert shown is not None
    assert shown.user_ids == (ADA,)


def test_after_the_last_member_the_owner_is_in_it() -> None:
    left = {OWNER: "o1", BEN: "b2"}
    assert reader(OWNER, left).sees(BOTH)
    shown = reader(OWNER, left).shown(BOTH)
    assert shown is not None
    assert shown.user_ids == (OWNER,)
    assert not reader(BEN, left).sees(BOTH)
    assert not reader(OWNER, {OWNER: "o1", BEN: "b1"}).sees(BOTH)


def test_nothing_is_shown_to_an_owner_who_does_not_know_that_all_have_left() -> None:
    assert not Reader(OWNER, is_owner=True, join_ids={OWNER: "o1"}, looked_up={ADA}).sees(BOTH)
    assert Reader(OWNER, is_owner=True, join_ids={OWNER: "o1"}, looked_up={ADA, BEN}).sees(BOTH)


def test_managers_choose_an_audience_and_what_is_not_given_stays() -> None:
    manager = reader(ADA, is_manager=True)
    assert in_camera.chosen(body(ADA, BEN), None, manager, is_given=True) == BOTH
    assert in_camera.chosen(None, BOTH, manager, is_given=False) == BOTH
    assert in_camera.chosen(None, BOTH, manager, is_given=True) is None
    assert in_camera.chosen(body(ADA), BOTH, manager, is_given=True) == audience(ada="a1")


def test_others_in_the_audience_send_it_back_as_it_is() -> None:
    after = {ADA: "a1", OWNER: "o1"}
    for sent in (body(BEN, ADA), body(ADA)):
        assert in_camera.chosen(sent, BOTH, reader(ADA, after), is_given=True) is BOTH
    for changed in (None, body(ADA)):
        assert refusal(in_camera.chosen, changed, BOTH, reader(ADA), is_given=True)[:2] == (403, "FORBIDDEN")


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        (None, set()),
        (body(ADA, BEN), set()),
        (body(BEN), {"audience.userIds"}),
        (body(ADA, CLEO), {"audience.userIds.1"}),
    ],
)
def test_an_audience_has_its_writer_and_members_alone(sent: AudienceBody | None, fields: set[str]) -> None:
    assert in_camera.errors_of(sent, None, reader(ADA)).keys() == fields


@given(st.permutations("abcdef"), st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_what_is_kept_stays_in_its_place_in_every_order(sent: list[str], left_out: set[str], kept: set[str]) -> None:
    earlier = [StoredAgendaItem(id=id_, title=id_) for id_ in "abcdef"]
    items = {item.id: item for item in earlier}
    new = [items[id_] for id_ in sent if id_ not in kept | left_out]
    result = in_camera.with_kept(new, earlier, kept)
    assert {item.id for item in result} == {item.id for item in new} | kept
    assert [item for item in result if item.id not in kept] == new
    if not left_out:
        assert all(result[index].id == item.id for index, item in enumerate(earlier) if item.id in kept)


def test_a_seal_is_of_the_salt_and_the_text() -> None:
    hashed = "fb1634c4e6cd4b1f1afe3ce2d6ef080f7ac5d1f357d723ad4dfca782733b62db"
    assert in_camera.seal("00" * 32, "{}") == hashed


def test_an_item_stays_in_camera_when_it_moves() -> None:
    item = StoredAgendaItem(id="i", title="Pay", audience=BOTH)
    nobody = NamedPeople({}, set())
    (carried,) = agenda_rules.left_open(agenda(item), set(), set(), [], nobody)
    assert carried.audience == BOTH
    waits = backlog_item.waiting(item, BoardId(id_of("board")), NOW)
    assert backlog_item.moved(backlog_item.on_agenda(waits), nobody) == item
    assert agenda_rules.summary(agenda(item)) == "1. withheld / vertraulich"


MANAGER = reader(ADA, is_manager=True)
MINE, BENS = audience(ada="a1"), audience(ben="b1")


def with_papers(of: StoredAudience | None, *papers: str) -> StoredAgendaItem:
    return StoredAgendaItem(id="i", title="T", document_ids=papers, audience=of)


@given(st.lists(st.builds(with_papers, st.sampled_from([None, MINE, BENS]), st.sampled_from("pq"))))
def test_a_paper_is_for_who_sees_one_of_its_items(items: list[StoredAgendaItem]) -> None:
    for paper, of in in_camera.audiences_of(items).items():
        on = [item.audience for item in items if paper in item.document_ids]
        for who in (MANAGER, reader(BEN), NOBODY):
            assert who.sees(of) == any(who.sees(each) for each in on)


def test_only_what_is_new_sets_who_a_paper_is_for() -> None:
    before, changed = [with_papers(MINE, "p"), with_papers(None, "q")], in_camera.changed_audiences
    assert changed(before, before, MANAGER) == {}
    assert changed(before, [with_papers(MINE), with_papers(None)], MANAGER) == {}
    assert changed(before, [with_papers(BOTH, "p"), with_papers(None, "q")], MANAGER) == {"p": BOTH}
    assert changed(before, [with_papers(MINE, "p", "q")], MANAGER) == {"q": MINE}
    assert changed(before, [with_papers(MINE, "p"), with_papers(None, "p", "q")], MANAGER) == {"p": None}


def test_an_item_that_the_writer_does_not_see_says_nothing_by_itself() -> None:
    bens, changed = with_papers(BENS, "p"), in_camera.changed_audiences
    assert changed([bens, with_papers(None, "p")], [bens, with_papers(None)], MANAGER) == {}
    assert changed([bens], [bens, with_papers(MINE, "p")], MANAGER) == {"p": BOTH}
