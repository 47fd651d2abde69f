"""A pack has many readers: what is in camera is a place in it, for every maker alike (ADR in-camera)."""

from __future__ import annotations

import pytest

from tests.harness.in_camera import CANARY, new_in_camera, put, secret
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.packs.making import PackScenario, item, of_reportlab, texts, work

pytestmark = pytest.mark.usefixtures("store", "bucket", "in_this_process")


def test_a_pack_shows_the_place_also_if_a_member_of_the_audience_makes_it() -> None:
    scenario = new_in_camera("manager")
    packs = PackScenario(scenario.later)
    document = packs.begin(scenario.actors.clients["manager"])
    work()
    pages = "\n".join(texts(packs.read(packs.version(document))))
    assert "withheld" in pages
    assert CANARY not in pages


def test_a_paper_in_camera_that_also_stands_on_an_open_item_is_in_no_pack(packs: PackScenario) -> None:
    shown, hidden = (packs.paper(of_reportlab(f"{title} page"), title=title) for title in ("Budget", "Salaries"))
    packs.put_agenda(item("Money", shown, hidden))
    assert "Salaries page" in "\n".join(texts(packs.read(packs.make())))
    elsewhere = new_meeting_scenario(packs.board)
    alone = secret(packs.board.owner, documentIds=[hidden.document["id"]])
    put(packs.board.owner.client, f"{elsewhere.path}/agenda", {"items": [alone]})
    pages = "\n".join(texts(packs.read(packs.make())))
    assert "Budget page" in pages
    assert "Salaries" not in pages
