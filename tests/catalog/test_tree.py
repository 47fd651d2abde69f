"""The published tree: exact shapes, complete, consistent, small, and the same bytes every time."""

import gzip
import json
from typing import Any

import jsonschema_rs
import pytest

from governance.models.catalog import catalog
from infra.catalog.releases import Release
from infra.catalog.source import DOMAINS, Source
from infra.catalog.tree import Tree, render
from tests.harness.formulas import value_of

RECORD_KEYS = [
    *("object", "rogueId", "slug", "domain", "label", "shortLabel", "aliases", "audiences", "description"),
    *("whyItMatters", "valueType", "unit", "direction", "periodType", "aggregation", "formula", "example"),
    *("interpretation", "pitfalls", "related", "sources", "status", "supersededBy", "introducedIn", "changedIn"),
]


@pytest.fixture(scope="module")
def tree(source: Source) -> Tree:
    return render(source)


@pytest.fixture(scope="module")
def files(tree: Tree) -> dict[str, Any]:
    return {path: json.loads(body) for path, body in tree.items()}


@pytest.fixture(scope="module")
def kpis(files: dict[str, Any]) -> list[dict[str, Any]]:
    return [file["kpi"] for path, file in files.items() if "/" in path]


def test_rendering_is_deterministic(source: Source, tree: Tree) -> None:
    assert render(source) == tree


def test_the_tree_has_exactly_its_files(files: dict[str, Any]) -> None:
    lists = {"index.json", "search.json", "schema.json", "changelog.json"}
    records = {kpi["rogueId"].replace(".", "/") + ".json" for kpi in files["index.json"]["kpis"]}
    assert set(files) == lists | {f"{domain}.json" for domain in DOMAINS} | records


def test_there_are_enough_records_in_every_domain_and_for_both_audiences(
    files: dict[str, Any], kpis: list[dict[str, Any]]
) -> None:
    index = files["index.json"]
    assert index["count"] == len(index["kpis"]) >= 120
    assert [domain["domain"] for domain in index["domains"]] == list(DOMAINS)
    assert all(domain["count"] >= 12 for domain in index["domains"])
    assert sum(domain["count"] for domain in index["domains"]) == index["count"]
    for audience in ("startup", "nonprofit"):
        assert sum(audience in kpi["audiences"] for kpi in kpis) >= 60


def test_a_record_has_exactly_its_fields(kpis: list[dict[str, Any]]) -> None:
    for kpi in kpis:
        assert list(kpi) == RECORD_KEYS
        assert kpi["object"] == "kpi"
        assert kpi["rogueId"] == f"{kpi['domain']}.{kpi['slug']}"
        if kpi["formula"]:
            assert list(kpi["formula"]) == ["text", "expression", "inputs"]
            assert all(list(given) == ["name", "rogueId"] for given in kpi["formula"]["inputs"])
            assert list(kpi["example"]) == ["inputs", "expected"]
        assert (kpi["example"] is None) == (kpi["formula"] is None)


def test_a_list_has_exactly_its_fields(files: dict[str, Any]) -> None:
    index, search, changelog = (files[f"{name}.json"] for name in ("index", "search", "changelog"))
    assert list(index) == ["version", "releasedAt", "count", "domains", "kpis"]
    assert {tuple(entry) for entry in index["domains"]} == {("domain", "label", "count")}
    assert {tuple(entry) for entry in index["kpis"]} == {("rogueId", "label", "domain", "valueType", "status")}
    assert list(files["finance.json"]) == ["version", "releasedAt", "domain", "label", "kpis"]
    assert list(files["finance/revenue.json"]) == ["version", "releasedAt", "kpi"]
    assert list(search) == ["version", "entries"]
    assert {tuple(entry) for entry in search["entries"]} == {("rogueId", "label", "domain", "aliases", "audiences")}
    assert list(changelog) == ["versions"]
    for version in changelog["versions"]:
        assert list(version) == ["version", "releasedAt", "changes"]
        assert {tuple(entry) for entry in version["changes"]} == {("rogueId", "kind", "note")}


def test_a_domain_holds_its_records_whole(files: dict[str, Any], kpis: list[dict[str, Any]]) -> None:
    for domain in DOMAINS:
        assert files[f"{domain}.json"]["kpis"] == [kpi for kpi in kpis if kpi["domain"] == domain]


def test_every_formula_is_evaluated(kpis: list[dict[str, Any]]) -> None:
    formulas = [kpi for kpi in kpis if kpi["formula"]]
    assert len(formulas) >= 100
    for kpi in formulas:
        value = value_of(kpi["formula"]["expression"], kpi["example"]["inputs"])
        assert value == pytest.approx(kpi["example"]["expected"], abs=0.005), kpi["rogueId"]


def test_every_reference_names_a_record(kpis: list[dict[str, Any]]) -> None:
    ids = {kpi["rogueId"] for kpi in kpis}
    for kpi in kpis:
        inputs = [given["rogueId"] for given in (kpi["formula"] or {"inputs": []})["inputs"] if given["rogueId"]]
        assert ids.issuperset([*kpi["related"], *inputs])


def test_every_file_is_valid_by_the_published_schema(files: dict[str, Any]) -> None:
    schema = files["schema.json"]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    named = {"index.json": "Index", "search.json": "Search", "changelog.json": "Changelog"}
    for path, file in files.items():
        if path != "schema.json":
            name = named.get(path) or ("RecordFile" if "/" in path else "DomainFile")
            jsonschema_rs.validate({**schema, "$ref": f"#/$defs/{name}"}, file)


def test_the_root_of_the_schema_describes_a_record(files: dict[str, Any]) -> None:
    schema = jsonschema_rs.validator_for(files["schema.json"])
    kpi = files["finance/revenue.json"]["kpi"]
    assert schema.is_valid(kpi)
    assert not schema.is_valid({**kpi, "direction": "sideways"})
    assert not schema.is_valid({**kpi, "extra": 1})


def test_the_files_are_small(tree: Tree) -> None:
    assert len(gzip.compress(tree["index.json"], mtime=0)) < 60 * 1024
    assert max(len(body) for path, body in tree.items() if "/" in path) < 3 * 1024


def test_the_functions_know_every_released_id_with_its_label(released: list[Release]) -> None:
    newest = {rogue_id: record["label"] for rogue_id, record in released[0].kpis.items()}
    assert {rogue_id: catalog.kpis()[rogue_id].label for rogue_id in newest} == newest
    assert "finance.nothing" not in catalog.kpis()
