"""The commands of `boardctl catalog`."""

import os
import shutil
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from infra.catalog import cli, edge, releases
from infra.catalog.cli import catalog
from infra.catalog.page import build
from infra.catalog.pointer import BucketPointer
from infra.catalog.source import CatalogError, Source, SourceError
from infra.stack import env_file

NEWEST = releases.load()[0].version
COMMITTED = [cli.KPIS.read_text(), edge.FUNCTION.read_text()]
"""What is derived from the releases."""


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(catalog, arguments)
    return result.exit_code, result.output


def test_check_reports_that_every_formula_was_evaluated(source: Source) -> None:
    records = [entry.record for entry in source.entries.values()]
    formulas = sum(record.formula is not None for record in records)
    assert run("check") == (0, f"{len(records)} records, {formulas} formulas evaluated, version {NEWEST}\n")


def test_check_prints_each_error_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise CatalogError([SourceError("finance.yaml", "finance.runway", "unit", "is not one")])

    monkeypatch.setattr(cli, "read", broken)
    code, output = run("check")
    assert code == 1
    assert "finance.yaml: finance.runway: unit: is not one" in output


@pytest.mark.parametrize(
    ("module", "name", "file", "derived_wrongly"),
    [
        (cli, "KPIS", "kpis.txt", "finance.runway\n"),
        (edge, "FUNCTION", "ontology.js", COMMITTED[1].replace("cost-of-revenue ", "")),
    ],
    ids=["list of KPIs", "function of the edge"],
)
def test_check_notices_what_is_not_as_derived_from_the_release(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: ModuleType, name: str, file: str, derived_wrongly: str
) -> None:
    (tmp_path / file).write_text(derived_wrongly)
    monkeypatch.setattr(module, name, tmp_path / file)
    code, output = run("check")
    assert (code, file in output) == (1, True)


def test_build_writes_the_tree_as_it_would_be_published(tmp_path: Path) -> None:
    code, _ = run("build", str(tmp_path))
    assert code == 0
    released = releases.load()[0]
    root = tmp_path / "api" / "ontology"
    assert (root / "finance" / "revenue.json").read_bytes() == released.tree["finance/revenue.json"]
    assert (root / "v" / NEWEST / "index.json").read_bytes() == released.tree["index.json"]
    assert (root / "index.json").read_bytes() == released.tree["index.json"]
    assert (root / "v" / NEWEST / "index.json.br").exists()
    assert (root / "browse" / build(NEWEST).digest / "index.html").exists()


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path]:
    """The list of ids and the table of the edge function, both without the newest release."""
    kpis, function = tmp_path / "kpis.txt", tmp_path / "ontology.js"
    kpis.write_text("")
    function.write_text(edge.with_table(edge.FUNCTION.read_text(), releases.load()[1:]))
    monkeypatch.setattr(cli, "KPIS", kpis)
    monkeypatch.setattr(edge, "FUNCTION", function)
    return kpis, function


def test_a_release_freezes_the_newest_version_and_nothing_is_left_to_release(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, derived: tuple[Path, Path]
) -> None:
    """The newest release is made again, from a folder of the earlier ones."""
    released, folder = releases.load(), tmp_path / "released"
    shutil.copytree(releases.RELEASES, folder, ignore=shutil.ignore_patterns(f"{NEWEST}.*"))
    monkeypatch.setattr(releases, "load", partial(releases.load, folder))
    monkeypatch.setattr(releases, "freeze", partial(releases.freeze, folder=folder))
    assert releases.load() == released[1:]
    assert run("check")[0] == 1
    assert run("release") == (0, f"Released {NEWEST} with {len(released[0].ids)} records\n")
    assert releases.load() == released
    assert [path.read_text() for path in derived] == COMMITTED
    assert run("check")[0] == 0
    assert run("diff") == (0, "")


@pytest.mark.usefixtures("derived")
def test_releasing_a_released_version_writes_what_is_derived_from_it_and_nothing_else() -> None:
    before = {path: path.read_bytes() for path in releases.RELEASES.iterdir()}
    assert run("release") == (0, f"Released {NEWEST} with {len(releases.load()[0].ids)} records\n")
    assert {path: path.read_bytes() for path in releases.RELEASES.iterdir()} == before
    assert run("check")[0] == 0


def test_publish_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("BUCKET_NAME", "CATALOG_POINTER", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LOCAL_STATE", str(tmp_path))
    for name in ("BUCKET_NAME", "CATALOG_POINTER"):
        code, output = run("publish")
        assert (code, f"{name} is not set" in output) == (1, True)
        monkeypatch.setenv(name, "catalog")


def test_publish_acts_on_the_last_run_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written = {"BUCKET_NAME": "static", "AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_DEFAULT_REGION": "eu-west-1"}
    env_file.write(tmp_path / "env", written)
    monkeypatch.setenv("LOCAL_STATE", str(tmp_path))
    monkeypatch.setattr(os, "environ", {name: value for name, value in os.environ.items() if name not in written})
    asked: list[tuple[str, str]] = []

    def refuse(client: Any, bucket: str, pointer: object, *_: object) -> None:
        asked.append((client.meta.endpoint_url, bucket))
        assert isinstance(pointer, BucketPointer)
        raise CatalogError([])

    monkeypatch.setattr(cli, "publish_releases", refuse)
    run("publish")
    assert asked == [("http://127.0.0.1:9", "static")]


def test_publish_of_an_unknown_release_is_refused() -> None:
    code, output = run("publish", "9.9.9")
    assert code == 2
    assert "release 9.9.9 does not exist" in output
