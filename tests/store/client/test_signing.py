"""A request is signed as the SDK signs it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from hypothesis import given
from hypothesis import strategies as st

from governance import aws
from governance.store.client import signing
from governance.store.client.errors import NoCredentialsError
from governance.store.client.signing import Credentials, signed_headers

PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40)
KEYS = st.builds(Credentials, PRINTABLE, PRINTABLE, st.none() | PRINTABLE)


def parsed(lines: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines.splitlines())
    return {name: value for name, _, value in pairs}


@given(used=KEYS, body=st.binary(), seconds=st.integers(0, 4_000_000_000), region=st.sampled_from(["eu-west-1", "x-1"]))
def test_a_signature_is_the_one_of_the_sdk(used: Credentials, body: bytes, seconds: int, region: str) -> None:
    clock = SimpleNamespace(strftime=time.strftime, gmtime=lambda: time.gmtime(seconds))
    with mock.patch.object(signing, "time", clock):
        own = parsed(signed_headers(used, region, "dynamodb.test:8000", "/", "DynamoDB_20120810.Query", body))
    taken = {name: own[name] for name in ("content-type", "x-amz-target")}
    request: Any = AWSRequest("POST", "http://dynamodb.test:8000/", taken, body)
    signer: Any = auth.SigV4Auth(ReadOnlyCredentials(*used), "dynamodb", region)
    with mock.patch.object(auth, "get_current_datetime", return_value=datetime.fromtimestamp(seconds, UTC)):
        signer.add_auth(request)
    assert own["authorization"] == request.headers["Authorization"]


def test_the_keys_of_the_environment_are_used_with_the_token_of_their_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "token")
    assert signing.credentials()() == Credentials("key", "secret", "token")


def test_without_keys_in_the_environment_the_sdk_finds_and_renews_them(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [ReadOnlyCredentials("new", "s", "t"), ReadOnlyCredentials("old", "s", None)]
    credentials = SimpleNamespace(get_frozen_credentials=keys.pop)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID", raising=False)
    monkeypatch.setattr(aws, "session", lambda: SimpleNamespace(get_credentials=lambda: credentials))
    current = signing.credentials()
    assert [current(), current()] == [("old", "s", None), ("new", "s", "t")]


def test_without_any_keys_no_request_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID", raising=False)
    monkeypatch.setattr(aws, "session", lambda: SimpleNamespace(get_credentials=lambda: None))
    with pytest.raises(NoCredentialsError):
        signing.credentials()()
