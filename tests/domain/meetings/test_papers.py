"""The rules of papers in camera: what an agenda says of who they are for, and when it says something new."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.meetings.in_camera import NOBODY, Reader
from governance.domain.meetings.papers import audiences_of, changed_audiences
from governance.ids import UserId
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.meetings.audience import StoredAudience
from tests.domain.samples import id_of

ADA, BEN = (UserId(id_of(name)) for name in ("ada", "ben"))
WRITER = Reader(ADA, is_manager=True, join_ids={ADA: "a1", BEN: "b1"}, looked_up=None)
MINE, BENS = StoredAudience(join_ids={ADA: "a1"}), StoredAudience(join_ids={BEN: "b1"})
BOTH = StoredAudience(join_ids={ADA: "a1", BEN: "b1"})


def item(audience: StoredAudience | None, *papers: str) -> StoredAgendaItem:
    return StoredAgendaItem(id="i", title="T", document_ids=papers, audience=audience)


ITEMS = st.lists(st.builds(item, st.sampled_from([None, MINE, BENS]), st.sampled_from("pq")))


@given(ITEMS)
def test_a_paper_is_for_who_sees_one_of_its_items(items: list[StoredAgendaItem]) -> None:
    for paper, audience in audiences_of(items).items():
        on = [each.audience for each in items if paper in each.document_ids]
        for reader in (WRITER, Reader(BEN, join_ids={BEN: "b1"}), NOBODY):
            assert reader.sees(audience) == any(reader.sees(each) for each in on)


def test_only_what_is_new_sets_who_a_paper_is_for() -> None:
    before = [item(MINE, "p"), item(None, "q")]
    assert changed_audiences(before, before, WRITER) == {}
    assert changed_audiences(before, [item(MINE), item(None)], WRITER) == {}
    assert changed_audiences(before, [item(BOTH, "p"), item(None, "q")], WRITER) == {"p": BOTH}
    assert changed_audiences(before, [item(MINE, "p", "q")], WRITER) == {"q": MINE}
    assert changed_audiences(before, [item(MINE, "p"), item(None, "p", "q")], WRITER) == {"p": None}


def test_an_item_that_the_writer_does_not_see_says_nothing_by_itself() -> None:
    before = [item(BENS, "p"), item(None, "p")]
    assert changed_audiences(before, [item(BENS, "p"), item(None)], WRITER) == {}
    assert changed_audiences([item(BENS, "p")], [item(BENS, "p"), item(MINE, "p")], WRITER) == {"p": BOTH}
