"""The benchmark's issuer signs sessions that its key set verifies, and makes ones that must be rejected."""

from collections.abc import Iterator
from typing import Any

import jwt
import pytest

from infra.bench import issuer
from infra.bench.issuer import Issuer

EMAIL = "bench@example.com"


@pytest.fixture(scope="module")
def running() -> Iterator[Issuer]:
    with issuer.running() as found:
        yield found


def decode(running: Issuer, session: str) -> Any:
    given = running.environment
    key = jwt.PyJWKClient(given["JWKS_URL"]).get_signing_key_from_jwt(session)
    algorithms = [given["JWT_ALGORITHMS"]]
    return jwt.decode(session, key, algorithms, audience=given["JWT_AUDIENCE"], issuer=given["JWT_ISSUER"])


def test_a_session_is_verified_by_the_key_set_that_is_served(running: Issuer) -> None:
    assert decode(running, running.session(EMAIL))["email"] == EMAIL


def test_a_forged_session_names_the_issuers_key_and_is_not_signed_by_it(running: Issuer) -> None:
    with pytest.raises(jwt.InvalidSignatureError):
        decode(running, running.session(EMAIL, forged=True))


def test_an_expired_session_is_wrong_in_nothing_else(running: Issuer) -> None:
    with pytest.raises(jwt.ExpiredSignatureError):
        decode(running, running.session(EMAIL, seconds=-60))
