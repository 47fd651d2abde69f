"""Meetings through their routes."""

from __future__ import annotations

from tests.harness.world import World


def test_a_draft_is_a_404_to_everybody_but_its_creator(world: World) -> None:
    ben = world.member("ben")
    draft = world.owner.client.post(f"{world.path}/meetings", {"title": "Secret"}).data
    path = f"{world.path}/meetings/{draft['id']}"
    assert world.owner.client.get(path).status == 200
    for caller in (ben.client, world.token(), world.personal_token(ben)):
        assert caller.get(path).failure == (404, "RESOURCE_NOT_FOUND")
        assert caller.all(f"{world.path}/meetings") == []
        assert caller.all(f"{world.path}/meetings", status="draft") == []
        assert caller.patch(path, {"title": "Seen"}).failure[0] in {403, 404}
