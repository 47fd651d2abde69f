"""What invokes the functions besides requests: the stream, the queues, the clock and received mails."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from infra.local import engine_streams, tables
from infra.local.clock import Clock
from infra.local.gateway import LambdaContext, LoadHandler
from infra.local.inbox import Inbox
from infra.local.queues import QueuePoller
from infra.local.stream import StreamPoller, StreamReader
from infra.stack.template import Template

Poller = Clock | Inbox | QueuePoller | StreamPoller


def pollers(
    template: Template, queues: Mapping[str, str], state: Path, load: LoadHandler, without: Collection[str] = ()
) -> list[Poller]:
    """Returns all pollers of a service whose data are in a folder; `queues` are the URLs of the template's queues.

    The queues and clocks of some functions may be left out.
    """
    mails = f"{os.environ['BUCKET_NAME']}-mails"
    tables.create_bucket(mails)
    return [
        Inbox(state / "inbox", mails, invoke(template, "inbound", load)),
        *_clocks(template, load, without),
        *_queue_pollers(template, queues, load, without),
        *_stream_pollers(template, os.environ["TABLE_NAME"], state, load),
    ]


def _stream_pollers(template: Template, table: str, state: Path, load: LoadHandler) -> list[StreamPoller]:
    """Returns a poller for each function that the template invokes from the table's stream."""
    positions = state / engine_streams.FOLDER
    positions.mkdir(exist_ok=True)
    return [
        StreamPoller(
            mapping,
            StreamReader(table, positions / f"{mapping.group}.json"),
            invoke(template, mapping.group, load),
            state / "failed-events.jsonl",
        )
        for mapping in template.stream_mappings()
    ]


def _queue_pollers(
    template: Template, urls: Mapping[str, str], load: LoadHandler, without: Collection[str]
) -> list[QueuePoller]:
    """Returns a poller for each function that the template invokes from a queue."""
    return [
        QueuePoller(mapping, urls[mapping.queue], invoke(template, mapping.group, load))
        for mapping in template.queue_mappings()
        if mapping.group not in without
    ]


def _clocks(template: Template, load: LoadHandler, without: Collection[str]) -> list[Clock]:
    """Returns a clock for each function that the template invokes by a schedule."""
    schedules = [schedule for schedule in template.schedules() if schedule.group not in without]
    return [Clock(schedule, invoke(template, schedule.group, load)) for schedule in schedules]


def invoke(template: Template, group: str, load: LoadHandler) -> Any:
    """Returns what invokes a function with an event and the context of its time-out."""
    handler, seconds = load(group), template.timeout(group)
    return lambda event: handler(event, LambdaContext(group, deadline=time.monotonic() + seconds))


def invoke_later(template: Template, group: str, load: LoadHandler) -> Any:
    """Returns what invokes a function that is loaded with its first event: the environment is complete then."""

    def load_and_invoke(event: Any) -> Any:
        return invoke(template, group, load)(event)

    return load_and_invoke
