"""Runs the edge functions as CloudFront does: each is a script of its own, without access to anything but the event."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

import quickjs  # type: ignore[import-untyped]

Lookup = Callable[[str], str | None]
"""Reads a key of the key-value store."""
_IMPORT = "import cf from 'cloudfront';"
_RUNTIME = """
const cf = { kvs: () => ({ get: async (key) => {
  const value = lookup(key);
  if (value === null || value === undefined) throw new Error('no key ' + key);
  return value;
} }) };
const handlers = {};
let outcome = null;
function run(name, event) {
  outcome = null;
  Promise.resolve().then(() => handlers[name](JSON.parse(event))).then(
    (found) => { outcome = JSON.stringify({ found: found }); },
    (error) => { outcome = JSON.stringify({ error: String(error) }); });
}
function result() { return outcome; }
"""


class FunctionError(Exception):
    """An edge function raised an error; CloudFront answers 503."""


class EdgeFunctions:
    """Edge functions by name. Safe to call from many threads: each has an interpreter of its own."""

    def __init__(self, code: Mapping[str, str], lookup: Lookup) -> None:
        self._code = code
        self._lookup = lookup
        self._local = threading.local()

    def run(self, name: str, event: Mapping[str, Any]) -> dict[str, Any]:
        """Returns what a function returns for an event: a request or a response. Raises `FunctionError`."""
        context = self._context()
        context.get("run")(name, json.dumps(event))
        while context.execute_pending_job():
            pass
        outcome: dict[str, Any] = json.loads(context.get("result")())
        if "found" not in outcome:
            raise FunctionError(f"{name}: {outcome.get('error', 'no result')}")
        result: dict[str, Any] = outcome["found"]
        return result

    def _context(self) -> Any:
        """Returns this thread's interpreter; one must not be used by two threads."""
        if not hasattr(self._local, "context"):
            context = quickjs.Context()
            context.add_callable("lookup", self._lookup)
            context.eval(_RUNTIME)
            for name, code in self._code.items():
                script = code.replace(_IMPORT, "")
                context.eval(f"handlers[{json.dumps(name)}] = (function () {{ {script}\nreturn handler; }})();")
            self._local.context = context
        return self._local.context
