"""The catalog behind the local port: published at the start if it has changed, and consistent while it is published."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest

from infra.catalog import page
from infra.catalog.pointer import BUCKET_KEY, BucketPointer
from infra.catalog.publish import publish
from infra.catalog.releases import Release
from infra.local import engine, static_site
from infra.local.event import HttpRequest
from infra.local.server import Server, bind
from infra.local.static_site import StaticSite
from tests.harness.catalog import catalog_site, release, tree_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.slow

BUCKET = "catalog"
OLD, NEW = release("1.0.0", "old"), release("1.1.0", "new")


@pytest.fixture
def client(tmp_path: Path) -> Iterator["S3Client"]:
    running = engine.start(engine.MINISTACK, tmp_path)
    client = boto3.client(
        "s3",
        endpoint_url=running.environment["AWS_ENDPOINT_URL"],
        region_name=engine.REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )
    client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    yield client
    running.stop()


def started(client: "S3Client", monkeypatch: pytest.MonkeyPatch, *releases: Release) -> StaticSite:
    """Returns the site of a started service, once it has published the catalog."""
    monkeypatch.setattr(static_site, "load", lambda: list(releases))
    site = StaticSite(client, BUCKET)
    assert site.read(BUCKET_KEY) is not None
    return site


def text(site: StaticSite, path: str) -> bytes:
    answer = catalog_site(site.read)(HttpRequest("GET", f"/api/ontology/{path}", []))
    assert answer.status == 200
    return answer.body


def test_a_start_publishes_what_has_changed(
    client: "S3Client", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder, names in (("FOLDER", page.OWN), ("MODULES", page.SEARCH)):
        for name in names:
            (tmp_path / name).write_bytes((getattr(page, folder) / name).read_bytes())
        monkeypatch.setattr(page, folder, tmp_path)
    started(client, monkeypatch, OLD)
    for name in page.FILES:
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
        site = started(client, monkeypatch, OLD)
        assert text(site, "browse/") == page.build("1.0.0").files["index.html"]
    assert text(started(client, monkeypatch, NEW, OLD), "index.json") == NEW.tree["index.json"]


def test_a_start_without_changes_uploads_nothing(client: "S3Client", monkeypatch: pytest.MonkeyPatch) -> None:
    started(client, monkeypatch, OLD)

    def refuse(**_: object) -> None:
        raise AssertionError("an upload")

    monkeypatch.setattr(static_site, "upload", lambda *_: None)  # the pages, which are always uploaded
    client.meta.events.register("before-call.s3.PutObject", refuse)
    assert text(started(client, monkeypatch, OLD), "index.json") == OLD.tree["index.json"]


@contextmanager
def serving(site: StaticSite) -> Iterator[int]:
    """Returns the port of a server that responds as the CDN does."""
    with Server(bind("127.0.0.1", 0), catalog_site(site.read)) as server:
        yield server.port


class Reader(threading.Thread):
    """Reads the whole tree repeatedly and records which release each response came from."""

    def __init__(self, port: int, stop: threading.Event) -> None:
        super().__init__()
        self._port = port
        self._stopped = stop
        self.seen: list[str] = []
        self.sweeps = 0

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        old, new = tree_of(OLD), tree_of(NEW)
        while not self._stopped.is_set():
            for path in old:
                connection.request("GET", f"/api/ontology/{path}")
                body = connection.getresponse().read()
                self.seen.append({old[path]: "old", new[path]: "new"}.get(body, "neither"))
            self.sweeps += 1
        connection.close()

    def swept(self, times: int) -> bool:
        return self.sweeps >= times


def _wait(readers: list[Reader], sweeps: int) -> None:
    """Waits until each reader has read the tree the given number of times again."""
    for reader, goal in [(reader, reader.sweeps + sweeps) for reader in readers]:
        while not reader.swept(goal):
            reader.join(0.01)


def test_a_reader_sees_one_switch_of_releases_during_a_publication(
    client: "S3Client", monkeypatch: pytest.MonkeyPatch
) -> None:
    site, stop = started(client, monkeypatch, OLD), threading.Event()
    with serving(site) as port:
        readers = [Reader(port, stop) for _ in range(4)]
        for reader in readers:
            reader.start()
        _wait(readers, 1)
        publish(client, BUCKET, BucketPointer(client, BUCKET), [NEW, OLD], "1.1.0")
        _wait(readers, 2)
        stop.set()
        for reader in readers:
            reader.join()
    for reader in readers:
        turn = reader.seen.index("new")
        assert set(reader.seen[:turn]) == {"old"}
        assert set(reader.seen[turn:]) == {"new"}
