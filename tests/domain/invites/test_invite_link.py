"""Tokens of invite links."""

from __future__ import annotations

from governance.domain.invites import invite_link
from governance.ids import is_uuid4, new_id
from tests.domain.samples import board, changed


def test_a_token_is_a_uuid_of_version_4_that_the_id_and_the_secret_decide() -> None:
    invite = new_id()
    token = invite_link.token("secret", invite)
    assert is_uuid4(token)
    assert token == invite_link.token("secret", invite)
    assert len({token, invite_link.token("other", invite), invite_link.token("secret", new_id())}) == 3


def test_the_digest_tells_nothing_of_the_token_and_minds_no_case() -> None:
    token = invite_link.token("secret", new_id())
    assert invite_link.digest(token) == invite_link.digest(token.upper())
    assert token.replace("-", "")[:8] not in invite_link.digest(token)


def test_a_new_code_is_another_uuid_and_a_new_version_of_the_board() -> None:
    old = board(invite_code="c", version=4)
    new = invite_link.with_code(old)
    assert new.invite_code is not None
    assert is_uuid4(new.invite_code)
    assert changed(old, new) == {"invite_code": new.invite_code, "version": 5}
    assert invite_link.with_code(old).invite_code != new.invite_code
