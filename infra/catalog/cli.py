"""`boardctl catalog`: checks, builds, releases and publishes the KPI catalog."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import click

from infra.catalog import checks, edge, history, releases
from infra.catalog.formulas import publish_formulas
from infra.catalog.pointer import BucketPointer, EdgePointer, Pointer
from infra.catalog.publish import ROOT, objects
from infra.catalog.publish import publish as publish_releases
from infra.catalog.reading import read
from infra.catalog.releases import Release
from infra.catalog.source import CatalogError, Source, SourceError
from infra.catalog.tree import render
from infra.stack import env_file

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KPIS = Path(__file__).parents[2] / "shared" / "governance" / "models" / "catalog" / "catalog_kpis.txt"


class _CatalogGroup(click.Group):
    """A group that prints the errors of the catalog, one a line, and exits with code 1."""

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except CatalogError as error:
            raise click.ClickException(f"{len(error.errors)} error(s)\n{error}") from error


@click.group(cls=_CatalogGroup)
def catalog() -> None:
    """Check, build, release and publish the public catalog of KPI definitions."""


def load_checked() -> tuple[Source, list[Release]]:
    """Returns the source and the releases; raises `CatalogError` with every error."""
    source, released = read(), releases.load()
    errors = [*checks.errors(source), *history.errors(source, released)]
    if errors:
        raise CatalogError(errors)
    return source, released


def _outdated_files(released: list[Release]) -> list[SourceError]:
    """Returns an error for each of the two derived files that does not match the releases."""
    expected = {KPIS: kpi_list(released), edge.FUNCTION: edge.with_table(edge.FUNCTION.read_text(), released)}
    return [
        SourceError(path.name, "-", "-", "does not match the releases: run `boardctl catalog release`")
        for path, text in expected.items()
        if path.read_text(encoding="utf-8") != text
    ]


def kpi_list(released: list[Release]) -> str:
    """Returns every released id with its newest label, value type and aliases, one KPI a line, with tabs between them.

    `released` begins with the newest.
    """
    records = {rogue_id: record for release_ in reversed(released) for rogue_id, record in release_.kpis.items()}
    lines = (
        (rogue_id, record["label"], record["valueType"], *record["aliases"])
        for rogue_id, record in sorted(records.items())
    )
    return "".join("\t".join(line) + "\n" for line in lines)


@catalog.command()
def check() -> None:
    """Print every error of the source and the releases."""
    source, released = load_checked()
    if outdated := _outdated_files(released):
        raise CatalogError(outdated)
    formulas = sum(entry.record.formula is not None for entry in source.entries.values())
    click.echo(f"{len(source.entries)} records, {formulas} formulas evaluated, version {source.versions[0].version}")


@catalog.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path(".local/catalog"))
def build(folder: Path) -> None:
    """Write the tree of the newest version into FOLDER, plain and under /v/ as it would be published."""
    source, _ = load_checked()
    release = Release(source.versions[0].version, render(source))
    files = {ROOT + path: body for path, body in release.tree.items()}
    for key, body in (files | {obj.key: obj.body for obj in objects([release])}).items():
        (folder / key).parent.mkdir(parents=True, exist_ok=True)
        (folder / key).write_bytes(body)
    click.echo(f"{len(release.tree)} files of version {release.version} in {folder}")


@catalog.command()
def release() -> None:
    """Freeze the newest version of the changelog. Its bytes never change afterwards."""
    source, released = load_checked()
    version = source.versions[0].version
    if version not in {release_.version for release_ in released}:
        releases.freeze(version, render(source))
        released = releases.load()
    KPIS.write_text(kpi_list(released), encoding="utf-8")
    edge.FUNCTION.write_text(edge.with_table(edge.FUNCTION.read_text(), released))
    click.echo(f"Released {version} with {len(released[0].ids)} records")


@catalog.command()
@click.argument("version", required=False)
def publish(version: str | None) -> None:
    """Upload every release to the bucket BUCKET_NAME, then make VERSION current (default: the newest)."""
    _, released = load_checked()
    current = version or released[0].version
    if current not in {release_.version for release_ in released}:
        raise click.BadParameter(f"release {current} does not exist")
    bucket = _bucket()
    client = boto3.client("s3")
    done = publish_releases(client, bucket, _pointer(client, bucket), released, current)
    publish_formulas(client, bucket, next(release_ for release_ in released if release_.version == current))
    click.echo(f"{len(done.uploaded)} objects uploaded, {done.unchanged} unchanged; {current} is current")


def _bucket() -> str:
    """Returns the bucket that the shell names, or that of the last `make run` on this machine."""
    if "BUCKET_NAME" not in os.environ:
        os.environ |= env_file.read()
    if bucket := os.environ.get("BUCKET_NAME"):
        return bucket
    raise click.ClickException("BUCKET_NAME is not set: start `make run`, or set it to the bucket of a stack")


def _pointer(client: S3Client, bucket: str) -> Pointer:
    """Returns the CDN's key-value store, or an object of the bucket for an emulator, which has no CDN."""
    if arn := os.environ.get("CATALOG_POINTER"):
        return EdgePointer(boto3.client("cloudfront-keyvaluestore"), arn)
    if "AWS_ENDPOINT_URL" in os.environ:
        return BucketPointer(client, bucket)
    raise click.ClickException("CATALOG_POINTER is not set: set it to the stack's output of that name")


@catalog.command()
def diff() -> None:
    """List the records that differ from the newest release, with the fields that differ."""
    source, released = read(), releases.load()
    for key, fields in history.differences(source, released[0]).items():
        click.echo(f"{key}: {', '.join(fields) or 'new'}")
    for key in released[0].ids:
        if key not in source.entries:
            click.echo(f"{key}: missing")
