"""The pointer: its text, the publications that it keeps, and that it moves atomically in both stores."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from infra.catalog.pointer import KEY, MAX_LENGTH, EdgePointer, Publication, next_text, parse
from infra.catalog.source import CatalogError

ARN = "arn:aws:cloudfront::123456789012:key-value-store/0a1b2c3d-0000-4000-8000-000000000000"


def page(number: int) -> str:
    return f"{number:012x}"


def test_the_current_publication_comes_first() -> None:
    text = next_text([Publication("1.1.0", page(2)), Publication("1.0.0", page(1))], "")
    assert text == f"1.1.0/{page(2)} 1.0.0/{page(1)}"
    assert parse(text) == [("1.1.0", page(2)), ("1.0.0", page(1))]
    assert parse("") == []


def test_publishing_the_same_again_changes_nothing() -> None:
    now = [Publication("1.0.0", page(2))]
    text = next_text(now, f"1.0.0/{page(1)}")
    assert next_text(now, text) == text == f"1.0.0/{page(2)} 1.0.0/{page(1)}"


def test_a_version_is_always_kept_and_a_page_for_eight_more_publications() -> None:
    text = f"0.9.0/{page(0)}"
    for number in range(1, 12):
        text = next_text([Publication("1.0.0", page(number))], text)
    kept = parse(text)
    assert [publication.page for publication in kept if publication.version == "1.0.0"] == [
        page(number) for number in range(11, 2, -1)
    ]
    assert kept[-1] == ("0.9.0", page(0))


def test_a_text_that_is_too_long_for_the_cdn_is_refused() -> None:
    with pytest.raises(CatalogError):
        next_text([Publication(f"1.{number}.0", page(number)) for number in range(60)], "")
    assert len(next_text([Publication(f"1.{number}.0", page(number)) for number in range(50)], "")) <= MAX_LENGTH


@pytest.fixture
def store() -> Iterator[tuple[Any, Stubber]]:
    client: Any = boto3.client("cloudfront-keyvaluestore", region_name="us-east-1")
    with Stubber(client) as stubber:
        yield client, stubber
        stubber.assert_no_pending_responses()


def _described(stubber: Stubber, etag: str) -> None:
    described = {"ETag": etag, "ItemCount": 1, "TotalSizeInBytes": 30, "KvsARN": ARN, "Created": 0}
    stubber.add_response("describe_key_value_store", described, {"KvsARN": ARN})


def test_the_edge_pointer_moves_only_if_it_is_unchanged_since_it_was_read(store: tuple[Any, Stubber]) -> None:
    client, stubber = store
    _described(stubber, "E1")
    value = {"Key": KEY, "Value": "old", "ItemCount": 1, "TotalSizeInBytes": 30}
    stubber.add_response("get_key", value, {"KvsARN": ARN, "Key": KEY})
    put = {"KvsARN": ARN, "Key": KEY, "Value": "new", "IfMatch": "E1"}
    stubber.add_response("put_key", {"ETag": "E2", "ItemCount": 1, "TotalSizeInBytes": 30}, put)
    pointer = EdgePointer(client, ARN)
    assert pointer.read() == "old"
    pointer.move("new")


def test_an_empty_store_of_the_edge_gives_an_empty_text(store: tuple[Any, Stubber]) -> None:
    client, stubber = store
    _described(stubber, "E1")
    stubber.add_client_error("get_key", "ResourceNotFoundException")
    assert EdgePointer(client, ARN).read() == ""


@pytest.mark.parametrize(("code", "expected"), [("ConflictException", CatalogError), ("AccessDeniedException", None)])
def test_a_lost_race_at_the_edge_is_reported(
    store: tuple[Any, Stubber], code: str, expected: type[Exception] | None
) -> None:
    client, stubber = store
    stubber.add_client_error("put_key", code)
    pointer = EdgePointer(client, ARN)
    with pytest.raises(expected or client.exceptions.ClientError):
        pointer.move("new")


def test_requests_to_the_edge_can_be_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK needs its CRT for this kind of signature (SigV4A); without it, publishing fails in the cloud."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "made-up")
    session = boto3.Session()  # the default session may have looked for credentials before
    client: Any = session.client("cloudfront-keyvaluestore", region_name="eu-west-1")
    signed: list[str] = []

    class Stop(Exception):
        """Raised instead of sending a request."""

    def stop(request: Any, **_: Any) -> None:
        signed.append(str(request.headers["Authorization"]))
        raise Stop

    client.meta.events.register("before-send.cloudfront-keyvaluestore.*", stop)
    with pytest.raises(Stop):
        EdgePointer(client, ARN).read()
    assert "AWS4-ECDSA-P256-SHA256" in signed[0]
