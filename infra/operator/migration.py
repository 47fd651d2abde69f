"""`boardctl migrate`: brings every stored item into the present shape of its kind (ADR compatibility)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import click

from governance.models.base import SHAPE, Stored
from governance.settings import settings
from governance.store import table
from governance.store.attributes import marshal, unmarshal
from governance.store.schema.entities import MIGRATION
from governance.store.schema.keys import PK, SK, Item, Key, key_of, make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Delete, Put, if_unchanged, retry_stale_reads
from infra.operator.command import InstallationCommand
from infra.operator.counting_figures import count_older
from infra.operator.kinds import MODELS, model_of
from infra.operator.listing_book import enter_older
from infra.operator.listing_minutes import list_older
from infra.operator.logging_older import end_salts_of_deleted_boards, log_older

_PAGE = 100
_PAGES_PER_SECOND = 10.0
_TO = "migratedTo"


@click.command(cls=InstallationCommand)
@click.option("--dry-run", is_flag=True, help="Count what would change; change nothing.")
def migrate(*, dry_run: bool) -> None:
    """Bring every stored item into the shape that this release writes, and log audit entries that are not logged.

    What earlier releases left of a deleted board can be opened in the log no more.

    A release reads items of every earlier shape, so this is never urgent. It is needed before a release that no longer
    reads the earliest one. The table is read slowly, page by page. If the command was interrupted, repeat it: it goes
    on where it stopped.
    """
    upgraded = upgrade_all(dry_run=dry_run)
    if rows := log_older(dry_run=dry_run):
        click.echo(f"{'Would log' if dry_run else 'Logs'} {rows} row(s) of audit entries.")
    if rows := end_salts_of_deleted_boards(dry_run=dry_run):
        click.echo(f"{'Would end' if dry_run else 'Ended'} the salts of {rows} row(s) of deleted boards.")
    if rows := count_older(dry_run=dry_run):
        click.echo(f"{'Would count' if dry_run else 'Counted'} {rows} figure(s) of bets.")
    if rows := list_older(dry_run=dry_run):
        click.echo(
            f"{'Would list' if dry_run else 'Listed'} the minutes of {rows} meeting(s) that wait for their approval."
        )
    if rows := enter_older(dry_run=dry_run):
        verb = "Would enter" if dry_run else "Entered"
        click.echo(f"{verb} the minutes of meetings and resolutions in minute books: {rows}.")
    verb = "Would upgrade" if dry_run else "Upgraded"
    click.echo("\n".join(f"{verb} {number} item(s) of {name}." for name, number in sorted(upgraded.items())))
    click.echo("Every item has the present shape." if not dry_run or not upgraded else "Nothing was changed.")


def upgrade_all(*, dry_run: bool) -> Counter[str]:
    """Upgrades every item of an earlier shape; returns how many, by model."""
    upgraded: Counter[str] = Counter()
    if not any(model.upgrades for model in MODELS):
        return upgraded
    for page in _pages(dry_run=dry_run):
        for item in page:
            model = model_of(item)
            if model and model.upgrades and item.get(SHAPE, 1) <= len(model.upgrades):
                upgraded[model.__name__] += 1
                if not dry_run:
                    retry_stale_reads(partial(_upgrade, key_of(item), model))
    return upgraded


def _upgrade(key: Key, model: type[Stored]) -> None:
    item = read_one(key)
    if item is not None:
        transact([if_unchanged(Put({**item, **model.model_validate(item).item()}), item)])


def _pages(*, dry_run: bool) -> Iterator[list[Item]]:
    """Yields the table page by page; stores after each page how far it came, unless nothing is to be changed."""
    after = None if dry_run else _progress()
    while True:
        started = time.monotonic()
        page = _scan(after)
        yield [unmarshal(raw) for raw in page["Items"]]
        after = page.get("LastEvaluatedKey")
        if not dry_run:
            transact([_note(after)])
        if after is None:
            return
        time.sleep(max(0.0, 1 / _PAGES_PER_SECOND - (time.monotonic() - started)))


def _scan(after: Mapping[str, Any] | None) -> Any:
    start = {} if after is None else {"ExclusiveStartKey": after}
    return table.scan_page(TableName=settings().table_name, ConsistentRead=True, Limit=_PAGE, **start)


def _progress() -> Mapping[str, Any] | None:
    row = read_one(MIGRATION.key_for())
    return None if row is None else marshal({PK: row[_TO][0], SK: row[_TO][1]})


def _note(after: Mapping[str, Any] | None) -> Put | Delete:
    if after is None:
        return Delete(MIGRATION.key_for())
    last = key_of(unmarshal(after))
    return Put(make_item(MIGRATION.key_for(), {_TO: [*last]}))
