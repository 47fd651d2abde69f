"""A pack has many readers: what is in camera is a place in it, whoever makes it (ADR in-camera)."""

from __future__ import annotations

import pytest

from tests.harness.in_camera import CANARY, new_in_camera
from tests.packs.making import PackScenario, texts, work


@pytest.mark.usefixtures("store", "bucket", "in_this_process")
def test_a_pack_shows_the_place_whoever_makes_it() -> None:
    scenario = new_in_camera("manager")
    packs = PackScenario(scenario.later)
    document = packs.begin(scenario.actors.clients["manager"])
    work()
    pages = "\n".join(texts(packs.read(packs.version(document))))
    assert "withheld" in pages
    assert CANARY not in pages
