"""The pointer: what it says, what it remembers, and that it moves as a whole in either place."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from infra.catalog.pointer import KEY, MAX_LENGTH, EdgePointer, Publication, moved, parse
from infra.catalog.source import CatalogError

ARN = "arn:aws:cloudfront::123456789012:key-value-store/0a1b2c3d-0000-4000-8000-000000000000"


def page(number: int) -> str:
    return f"{number:012x}"


def test_what_is_current_comes_first() -> None:
    text = moved([Publication("1.1.0", page(2)), Publication("1.0.0", page(1))], "")
    assert text == f"1.1.0/{page(2)} 1.0.0/{page(1)}"
    assert parse(text) == [("1.1.0", page(2)), ("1.0.0", page(1))]
    assert parse("") == []


def test_moving_to_where_it_stands_changes_nothing() -> None:
    now = [Publication("1.0.0", page(2))]
    text = moved(now, f"1.0.0/{page(1)}")
    assert moved(now, text) == text == f"1.0.0/{page(2)} 1.0.0/{page(1)}"


def test_a_version_is_never_forgotten_and_a_page_after_eight_more() -> None:
    text = f"0.9.0/{page(0)}"
    for number in range(1, 12):
        text = moved([Publication("1.0.0", page(number))], text)
    kept = parse(text)
    assert [each.page for each in kept if each.version == "1.0.0"] == [page(number) for number in range(11, 2, -1)]
    assert kept[-1] == ("0.9.0", page(0))


def test_what_the_store_of_the_cdn_would_not_take_is_refused() -> None:
    with pytest.raises(CatalogError):
        moved([Publication(f"1.{number}.0", page(number)) for number in range(60)], "")
    assert len(moved([Publication(f"1.{number}.0", page(number)) for number in range(50)], "")) <= MAX_LENGTH


@pytest.fixture
def store() -> Iterator[tuple[Any, Stubber]]:
    client: Any = boto3.client("cloudfront-keyvaluestore", region_name="us-east-1")
    with Stubber(client) as stubber:
        yield client, stubber
        stubber.assert_no_pending_responses()


def _described(stubber: Stubber, etag: str) -> None:
    described = {"ETag": etag, "ItemCount": 1, "TotalSizeInBytes": 30, "KvsARN": ARN, "Created": 0}
    stubber.add_response("describe_key_value_store", described, {"KvsARN": ARN})


def test_at_the_edge_it_moves_only_from_what_was_read(store: tuple[Any, Stubber]) -> None:
    client, stubber = store
    _described(stubber, "E1")
    value = {"Key": KEY, "Value": "old", "ItemCount": 1, "TotalSizeInBytes": 30}
    stubber.add_response("get_key", value, {"KvsARN": ARN, "Key": KEY})
    put = {"KvsARN": ARN, "Key": KEY, "Value": "new", "IfMatch": "E1"}
    stubber.add_response("put_key", {"ETag": "E2", "ItemCount": 1, "TotalSizeInBytes": 30}, put)
    pointer = EdgePointer(client, ARN)
    assert pointer.read() == "old"
    pointer.move("new")


def test_at_the_edge_an_empty_store_says_nothing(store: tuple[Any, Stubber]) -> None:
    client, stubber = store
    _described(stubber, "E1")
    stubber.add_client_error("get_key", "ResourceNotFoundException")
    assert EdgePointer(client, ARN).read() == ""


@pytest.mark.parametrize(("code", "expected"), [("ConflictException", CatalogError), ("AccessDeniedException", None)])
def test_at_the_edge_a_lost_race_is_told(
    store: tuple[Any, Stubber], code: str, expected: type[Exception] | None
) -> None:
    client, stubber = store
    stubber.add_client_error("put_key", code)
    pointer = EdgePointer(client, ARN)
    with pytest.raises(expected or client.exceptions.ClientError):
        pointer.move("new")


def test_the_signature_of_the_edge_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a kind (SigV4A) that the SDK makes with the CRT only: without it, publishing would fail, in the cloud."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "made-up")
    client: Any = boto3.client("cloudfront-keyvaluestore", region_name="eu-west-1")
    signed: list[str] = []

    class Stop(Exception):
        """Nothing is sent."""

    def stop(request: Any, **_: Any) -> None:
        signed.append(str(request.headers["Authorization"]))
        raise Stop

    client.meta.events.register("before-send.cloudfront-keyvaluestore.*", stop)
    with pytest.raises(Stop):
        EdgePointer(client, ARN).read()
    assert "AWS4-ECDSA-P256-SHA256" in signed[0]
