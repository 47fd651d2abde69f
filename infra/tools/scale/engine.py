"""DynamoDB Local in memory, with the service's table; it reports capacity units."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from governance.settings import settings
from governance.store import dynamodb
from infra.local import engine, environment, tables
from infra.stack.template import Template

NO_LIMITS = {"RATE_LIMIT_PRINCIPAL": "3000000", "RATE_LIMIT_ADDRESS": "3000000", "RATE_LIMIT_FLOOD": "3000000"}


@contextmanager
def running(more: Mapping[str, str] | None = None) -> Iterator[dict[str, str]]:
    """Starts the engine and points this process at it; yields the environment of the functions, `more` included."""
    with tempfile.TemporaryDirectory() as folder:
        started = engine.dynamodb_local(Path(folder) / "log")
        try:
            values = environment.functions_environment("https://bench.example.com", more or {})
            values |= started.environment | NO_LIMITS
            os.environ.update(values)
            settings.cache_clear()
            dynamodb.client.cache_clear()
            tables.create_table(Template(), settings().table_name)
            yield values
        finally:
            started.stop()
