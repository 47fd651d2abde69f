"""Reporting cycles: create, read, change, dispatch, publish (an extension of the API, ADR reports)."""

from __future__ import annotations

from itertools import accumulate

from governance.domain.events import reports as events
from governance.domain.reports import cycle as cycle_rules
from governance.domain.reports.report import check_open, published
from governance.limits import CYCLES_PAGE_SECTIONS
from governance.models.base import Deleted
from governance.models.page import OrderedQuery, Page
from governance.models.reports.cycle import Cycle, CycleCreate, CyclePatch, PublishBody, Section, StoredCycle
from governance.models.reports.report import StoredReport
from governance.store.reports import cycles, reports
from governance.store.reports.sections import Heads
from governance.store.schema.entities import CYCLE
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch
from governance.usecases.event_writes import record_event
from governance.usecases.reports.cycle_sections import heads_of, sections_of


def _shown(context: Context, cycle: StoredCycle, heads: Heads | None = None) -> Cycle:
    return cycle_rules.to_resource(cycle, _sections(context, cycle, heads or _heads(cycle)))


def _sections(context: Context, cycle: StoredCycle, heads: Heads) -> tuple[Section, ...]:
    return sections_of(heads, [cycle], context.now)[0]


def _heads(cycle: StoredCycle) -> Heads:
    """Reads the report of a cycle with the data of its sections."""
    return heads_of(cycle.board_id, [cycle])


def _cycles_page(info: RequestInfo) -> Page[StoredCycle]:
    return Page(*cycles.list_of_board(info.board_id, info.window(info.query_as(OrderedQuery))))


@prefetch(_cycles_page)
def list_reporting_cycles(context: Context, page: Page[StoredCycle], _query: OrderedQuery) -> Page[Cycle]:
    """Returns a page of the board's cycles, newest first. It ends early if they have many sections."""
    heads = heads_of(context.board.id, page.data)
    numbers = accumulate(heads.number(cycle.report_id) for cycle in page.data)
    fitting = max(1, sum(number <= CYCLES_PAGE_SECTIONS for number in numbers))
    stored = page.data[:fitting]
    shown = [
        cycle_rules.to_resource(*pair) for pair in zip(stored, sections_of(heads, stored, context.now), strict=True)
    ]
    last = cycles.position_of(stored[-1]) if fitting < len(page.data) else page.next_position
    return Page(shown, last)


def requested_cycle(context: Context) -> StoredCycle:
    """Returns the cycle that the path names; raises 404 if it does not exist."""
    return context.stored(CYCLE, StoredCycle)


@loads(CYCLE)
@finds(requested_cycle)
def get_reporting_cycle(context: Context, cycle: StoredCycle) -> Cycle:
    """Returns one cycle, with the sections as they are now."""
    return _shown(context, cycle)


@creates(CYCLE, "cycleId")
def create_reporting_cycle(context: Context, body: CycleCreate) -> Outcome[Cycle]:
    """Creates a cycle of a report that is not finalized; raises 409 if the report is in another one."""
    cycle = cycle_rules.created(context.board.id, body, context.now)
    heads, event = _heads(cycle), record_event(context, events.CYCLE_CREATED, _named(cycle))
    checks = _check_report(heads, cycle)
    return Outcome(_shown(context, cycle, heads), [*checks, *cycles.create(cycle), *event])


def _check_report(heads: Heads, cycle: StoredCycle) -> list[Write]:
    """Checks that the report of a cycle exists and is not finalized; raises 400, or 409 `REPORT_FINALIZED`."""
    report = heads.report(cycle.report_id)
    if report is None:
        raise cycle_rules.unknown_report()
    check_open(report)
    return [reports.check_open(report)]


def _named(cycle: StoredCycle) -> events.OfCycle:
    return events.OfCycle(cycle_id=cycle.id, report_id=cycle.report_id, id=cycle.id, name=cycle.name)


@loads(CYCLE)
@finds(requested_cycle)
def update_reporting_cycle(context: Context, old: StoredCycle, body: CyclePatch) -> Outcome[Cycle]:
    """Changes the fields of a cycle that the body names; setting the same values changes nothing."""
    new = cycle_rules.patched(old, body, context.now)
    if new is old:
        return Outcome(_shown(context, old), [])
    heads = _heads(new)
    checks = _check_report(heads, new) if new.report_id != old.report_id else []
    event = record_event(context, events.CYCLE_UPDATED, _named(new))
    return Outcome(_shown(context, new, heads), [*checks, *cycles.replace(old, new, context.now), *event])


@loads(CYCLE)
@finds(requested_cycle)
def delete_reporting_cycle(context: Context, cycle: StoredCycle) -> Outcome[Deleted]:
    """Deletes a cycle; its report stays as it is."""
    event = record_event(context, events.CYCLE_DELETED, _named(cycle))
    return Outcome(Deleted(), [*cycles.delete(cycle, context.now), *event])


@loads(CYCLE)
@finds(requested_cycle)
def dispatch_reporting_cycle(context: Context, old: StoredCycle) -> Outcome[Cycle]:
    """Asks the owners of the sections for them; raises 409 if they were asked already."""
    new = cycle_rules.dispatched(old, context.now)
    dispatched = events.CycleDispatched(
        cycle_id=new.id, report_id=new.report_id, id=new.id, name=new.name, title=new.name
    )
    event = record_event(context, events.CYCLE_DISPATCHED, dispatched)
    return Outcome(_shown(context, new), [*cycles.replace(old, new, context.now), *event])


@loads(CYCLE)
@finds(requested_cycle)
def publish_reporting_cycle(context: Context, old: StoredCycle, body: PublishBody) -> Outcome[Cycle]:
    """Publishes the report of a cycle, and ends the cycle; raises 409 if sections are not complete, unless forced."""
    heads = _heads(old)
    sections = _sections(context, old, heads)
    new = cycle_rules.published(old, sections, force=body.force, now=context.now)
    report = heads.report(old.report_id)
    package = events.CyclePublished(
        cycle_id=new.id,
        report_id=new.report_id,
        id=new.id,
        name=new.name,
        told="package",
        title=report.title if report else old.name,
    )
    event = record_event(context, events.CYCLE_PUBLISHED, package)
    writes = [*cycles.replace(old, new, context.now), *event]
    if report is not None:
        writes += _publication(context, report)
    return Outcome(cycle_rules.to_resource(new, cycle_rules.without_lateness(sections)), writes)


def _publication(context: Context, old: StoredReport) -> list[Write]:
    """Returns the writes that publish a draft; members are notified of the package, not of the report."""
    new = published(old, context.now)
    if new is old:
        return []
    event = record_event(
        context,
        events.REPORT_STATUS_CHANGED,
        events.ReportStatusChanged(
            report_id=new.id, before=old.status, after=new.status, title=new.title, told="package"
        ),
    )
    return [reports.replace(old, new), *event]
