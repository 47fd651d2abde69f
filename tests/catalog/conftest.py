"""Fixtures: the catalog as the objects of a bucket, and a site that answers like the CDN."""

from collections.abc import Iterator

import pytest

from infra.catalog import releases
from infra.catalog.reading import read
from infra.catalog.source import Source
from infra.local.bucket_origin import StoredObject
from infra.local.server import Server, bind
from infra.pages.app.site import SHARED_FONT, app_site
from tests.harness.catalog import catalog_site, published


@pytest.fixture(scope="session")
def source() -> Source:
    return read()


@pytest.fixture(scope="session")
def released() -> list[releases.Release]:
    return releases.load()


@pytest.fixture(scope="session")
def bucket(released: list[releases.Release]) -> dict[str, StoredObject]:
    return published(released)


@pytest.fixture(scope="session")
def site(bucket: dict[str, StoredObject]) -> Iterator[str]:
    """Yields the address of a server that answers as the CDN does from the released objects and the shared typeface."""
    font = app_site()[SHARED_FONT]
    stored = bucket | {SHARED_FONT.removeprefix("/"): StoredObject(font.body, "", font.content_type)}
    with Server(bind("127.0.0.1", 0), catalog_site(stored.get)) as server:
        yield f"http://127.0.0.1:{server.port}"
