"""Rules over time: ids and released bytes stay, and every change has its changelog line."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from infra.catalog import history, releases
from infra.catalog.releases import Release
from infra.catalog.source import CatalogError, Entry, Source, SourceChange, SourceRecord, SourceVersion
from infra.catalog.tree import kpi, render

RUNWAY = "finance.runway"
NEWEST = releases.load()[0].version
NEXT = "{}.{}.0".format(NEWEST.split(".")[0], int(NEWEST.split(".")[1]) + 1)


def changed(source: Source, key: str = RUNWAY, **members: Any) -> Source:
    entry = source.entries[key]
    record = entry.record.model_copy(update=members)
    return dataclasses.replace(source, entries={**source.entries, key: dataclasses.replace(entry, record=record)})


def added(source: Source, slug: str) -> Source:
    entry = source.entries[RUNWAY]
    record = entry.record.model_copy(update={"slug": slug, "label": slug})
    return dataclasses.replace(
        source, entries={**source.entries, f"finance.{slug}": Entry(entry.file, "finance", record)}
    )


def next_version(source: Source, *lines: tuple[str, str], version: str = NEXT) -> Source:
    changes = [SourceChange.model_validate({"kind": kind, "note": "Why.", "records": [key]}) for kind, key in lines]
    head = SourceVersion(version=version, released_at="2027-01-01T00:00:00.000Z", changes=changes)
    return dataclasses.replace(source, versions=[head, *source.versions])


def errors(source: Source, released: list[Release]) -> list[tuple[str, str, str]]:
    return [(error.file, error.record, error.field) for error in history.errors(source, released)]


def test_the_source_renders_to_the_released_bytes(source: Source, released: list[Release]) -> None:
    assert released[0].version == source.versions[0].version
    assert history.errors(source, released) == []


def test_a_released_record_does_not_change(source: Source, released: list[Release]) -> None:
    assert errors(changed(source, label="Runway"), released) == [("finance.yaml", RUNWAY, "label")]


def test_no_record_joins_a_released_version(source: Source, released: list[Release]) -> None:
    later = added(source, "new")
    later.versions[-1].changes[0].records.append("finance.new")
    try:
        assert ("finance.yaml", "finance.new", "slug") in errors(later, released)
    finally:
        later.versions[-1].changes[0].records.remove("finance.new")


def test_a_file_that_renders_to_other_bytes_is_named(source: Source, released: list[Release]) -> None:
    other = Release(released[0].version, {**released[0].tree, "search.json": b"{}"})
    assert errors(source, [other]) == [("search.json", "-", "-")]


def test_a_released_id_is_never_removed(source: Source, released: list[Release]) -> None:
    entries = {key: entry for key, entry in added(source, "new").entries.items() if key != RUNWAY}
    renamed = next_version(dataclasses.replace(source, entries=entries), ("added", "finance.new"))
    assert ("changelog.yaml", RUNWAY, "1.0.0") in errors(renamed, released)
    head = renamed.versions[-1].model_copy(
        update={
            "changes": [
                change.model_copy(update={"records": [key for key in change.records if key != RUNWAY]})
                for change in renamed.versions[-1].changes
            ]
        }
    )
    rewritten = dataclasses.replace(renamed, versions=[*renamed.versions[:-1], head])
    assert ("finance.yaml", RUNWAY, "slug") in errors(rewritten, released)


def test_a_change_needs_a_line(source: Source, released: list[Release]) -> None:
    silent = changed(next_version(source), label="Runway")
    assert errors(silent, released) == [("changelog.yaml", RUNWAY, NEXT)]
    assert errors(changed(next_version(source, ("changed", RUNWAY)), label="Runway"), released) == []


MEMBERS: dict[str, Any] = {
    "short_label": "Other",
    "aliases": ("Other",),
    "audiences": ("nonprofit",),
    "description": "Other.",
    "why_it_matters": "Other.",
    "value_type": "number",
    "unit": "other",
    "direction": "down",
    "period_type": "trailing",
    "aggregation": "average",
    "formula": None,
    "example": None,
    "interpretation": "Other.",
    "pitfalls": ("Other.",),
    "related": (RUNWAY,),
    "sources": ("Other.",),
    "status": "deprecated",
    "superseded_by": RUNWAY,
}


@pytest.mark.parametrize("member", sorted(SourceRecord.model_fields.keys() - {"slug", "label"}))
def test_a_change_of_any_member_is_seen(source: Source, released: list[Release], member: str) -> None:
    other = changed(source, RUNWAY, **{member: MEMBERS[member]})
    assert list(history.differences(other, released[0])) == [RUNWAY]


def test_a_line_needs_a_change(source: Source, released: list[Release]) -> None:
    assert errors(next_version(source, ("changed", RUNWAY)), released) == [("changelog.yaml", RUNWAY, NEXT)]


def test_a_deprecation_needs_its_own_kind_of_line(source: Source, released: list[Release]) -> None:
    gone = {"status": "deprecated", "superseded_by": "finance.cash-balance"}
    assert errors(changed(next_version(source, ("changed", RUNWAY)), **gone), released)
    assert errors(changed(next_version(source, ("deprecated", RUNWAY)), **gone), released) == []


def test_a_new_record_is_added_once(source: Source, released: list[Release]) -> None:
    assert errors(next_version(added(source, "new"), ("added", "finance.new")), released) == []
    assert errors(next_version(source, ("added", RUNWAY)), released) == [("changelog.yaml", RUNWAY, NEXT)]


def test_versions_only_increase(source: Source, released: list[Release]) -> None:
    assert errors(next_version(source, version="0.9.0"), released) == [("changelog.yaml", "0.9.0", "version")]
    assert errors(next_version(next_version(source, version="1.9.0"), version="1.10.0"), released) == []


def test_the_released_changelog_stays(source: Source, released: list[Release]) -> None:
    head = source.versions[0].model_copy(update={"released_at": "2020-01-01T00:00:00.000Z"})
    rewritten = next_version(dataclasses.replace(source, versions=[head, *source.versions[1:]]))
    assert ("changelog.yaml", "-", NEWEST) in errors(rewritten, released)


def test_a_record_names_the_versions_that_added_and_changed_it(source: Source) -> None:
    later = next_version(changed(source, label="Runway"), ("changed", RUNWAY))
    record = kpi(later, later.entries[RUNWAY])
    assert (record.introduced_in, record.changed_in) == ("1.0.0", NEXT)
    assert kpi(source, source.entries[RUNWAY]).changed_in is None


def test_a_frozen_release_is_read_back_to_the_byte(source: Source, tmp_path: Path) -> None:
    later = next_version(changed(source, label="Runway"), ("changed", RUNWAY))
    releases.freeze("1.0.0", render(source), tmp_path)
    releases.freeze("1.1.0", render(later), tmp_path)
    assert [(frozen.version, frozen.tree) for frozen in releases.load(tmp_path)] == [
        ("1.1.0", render(later)),
        ("1.0.0", render(source)),
    ]


def test_bytes_that_are_not_the_released_ones_are_refused(source: Source, tmp_path: Path) -> None:
    releases.freeze("1.0.0", render(source), tmp_path)
    manifest = (tmp_path / "1.0.0.sha256").read_text()
    releases.freeze("1.0.0", render(changed(source, label="Runway")), tmp_path)
    (tmp_path / "1.0.0.sha256").write_text(manifest)
    with pytest.raises(CatalogError) as refused:
        releases.load(tmp_path)
    assert ("1.0.0.tar.xz", "finance/runway.json") in {(error.file, error.record) for error in refused.value.errors}
