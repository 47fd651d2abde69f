"""`make run`: the whole service on this machine, until Ctrl-C.

What may go wrong at the start is told in one sentence, with a non-zero exit.
"""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import boto3
from botocore.config import Config

from infra import avatars
from infra.local import engine, environment, tables, walk
from infra.local.gateway import Gateway, LambdaContext, Load, load_handler
from infra.local.mail import PREFIX as MAIL_PAGE
from infra.local.mail import SERVICE as MAIL_SERVICE
from infra.local.mail import Outbox
from infra.local.pages import Pages
from infra.local.server import Server, bind
from infra.local.stream import Feeder, Reader
from infra.stack import env_file
from infra.stack.template import Template

_WATCH_SECONDS = 1.0
_ONCE = Config(retries={"total_max_attempts": 1}, max_pool_connections=64)


class StartError(Exception):
    """The service cannot start; the text says why, and what helps."""


@dataclass(frozen=True)
class Address:
    """Where the service listens, and how it is called."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The root URL."""
        name = "localhost" if self.host in {"0.0.0.0", "::"} else self.host  # noqa: S104 - asked for by the caller
        return f"http://[{name}]:{self.port}" if ":" in name else f"http://{name}:{self.port}"


def address(given: Mapping[str, str]) -> Address:
    """The address that HOST and PORT ask for; raises `StartError`."""
    port = given.get("PORT", "") or "8000"
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise StartError(f"PORT is {port!r}, but must be a number from 1 to 65535.")
    return Address(given.get("HOST", "") or "127.0.0.1", int(port))


@contextmanager
def only_one(state: Path) -> Iterator[None]:
    """Hold the folder for this process; the system lets go of it however the process ends."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        lock: IO[str] = (state / "lock").open("w")
    except OSError as error:
        raise StartError(f"The folder {state} cannot be written: {error.strerror}.") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StartError(f"Another `make run` is using {state}; stop it first.") from None
        yield


def listen(at: Address) -> socket.socket:
    """Returns a socket that holds the port; connections wait until a server answers. Raises `StartError`."""
    try:
        return bind(at.host, at.port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StartError(f"Port {at.port} is taken; free it, or choose another with PORT={at.port + 1}.") from None
        raise StartError(f"Cannot listen on {at.host}:{at.port}: {error.strerror or error}.") from None


def prepare(template: Template, names: Mapping[str, str]) -> bool:
    """Table and bucket as the template has them; whether the table is new. Raises `StartError`."""
    try:
        created = tables.create_table(template, names["TABLE_NAME"])
        if tables.create_bucket(names["BUCKET_NAME"]):
            avatars.publish(boto3.client("s3"), names["BUCKET_NAME"])
    except tables.OtherTable:
        raise StartError("The data in .local belong to an older table layout; drop them with `make reset`.") from None
    return created


def demo_data(state: Path, *, created: bool) -> dict[str, Any]:
    """The demo users and their credentials: sown into a new table, remembered in `.local/demo.json`."""
    from governance.settings import settings  # the environment is complete only now
    from infra.local import demo

    file = state / "demo.json"
    if created:
        file.write_text(json.dumps(demo.seed(settings()), indent=2), encoding="utf-8")
        file.chmod(0o600)
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def feeders(template: Template, table: str, state: Path, load: Load) -> list[Feeder]:
    """A feeder for each function that the template feeds from the table's stream."""
    return [
        Feeder(
            mapping,
            Reader(table, state / f"{mapping.group}.json"),
            _invoke(mapping.group, load),
            state / "failed-events.jsonl",
        )
        for mapping in template.stream_mappings()
    ]


def _invoke(group: str, load: Load) -> Any:
    handler = load(group)
    return lambda event: handler(event, LambdaContext(group))


def welcome(at: Address, demo: Mapping[str, Any]) -> str:
    """What is printed once the service answers."""
    lines = [
        f"Board Governance Service: {at.url}",
        f"  documentation  {at.url}/docs",
        f"  mail           {at.url}{MAIL_PAGE}",
    ]
    for user in demo.get("users", []):
        lines += ["", f"{user['name']} <{user['email']}> ({user['role']})"]
        lines += [f"  {kind:8} {user[kind]}" for kind in ("session", "token") if user.get(kind)]
    for board in demo.get("boards", []):
        lines += ["", f"Board {board['name']} {board['id']}", f"  token    {board['token']} ({board['preset']})"]
    lines += ["", "A first call:", f"  {first_call(at, demo)}", *walk.lines(at.url, demo)]
    lines += ["", "Ctrl-C stops; the data stay."]
    return "\n".join(lines)


def first_call(at: Address, demo: Mapping[str, Any]) -> str:
    """A curl command that works as it stands."""
    if not demo.get("users"):
        return f"curl {at.url}/api/v1/whoami"
    first = demo["users"][0]
    return f"curl -H 'Authorization: Bearer {first.get('token') or first['session']}' {at.url}/api/v1/boards"


def serve(at: Address, state: Path, stopped: threading.Event, load: Load) -> None:
    """Start everything, say so, wait for the end, stop everything in order. Raises `StartError`, `EngineError`."""
    with ExitStack() as stack:
        stack.enter_context(only_one(state))
        listener = stack.enter_context(listen(at))
        running = engine.start(os.environ.get("ENGINE", "") or engine.MINISTACK, state)
        stack.callback(running.stop)
        mails = {"AWS_ENDPOINT_URL_SESV2": f"{at.url}{MAIL_SERVICE}"}
        os.environ.update(environment.functions_environment(at.url) | running.environment | mails)
        logging.getLogger(os.environ["POWERTOOLS_SERVICE_NAME"]).setLevel(logging.WARNING)
        template, outbox = Template(), Outbox(state / "outbox")
        outbox.capture()
        created = prepare(template, os.environ)
        pages = Pages(boto3.client("s3", config=_ONCE), os.environ["BUCKET_NAME"])
        demo = demo_data(state, created=created)
        env_file.write(state / "env", _written(at, running))
        for feeder in feeders(template, os.environ["TABLE_NAME"], state, load):
            feeder.start()
            stack.callback(feeder.stop)
        gateway = Gateway(template, origin_secret=_origin_secret(), static=pages.answer, page=outbox.page, load=load)
        stack.enter_context(Server(listener, gateway.handle))
        print(welcome(at, demo), flush=True)
        while not stopped.wait(_WATCH_SECONDS):
            running.check()


def _origin_secret() -> str:
    return os.environ["ORIGIN_SECRETS"].partition(",")[0]


def _written(at: Address, running: engine.Engine) -> dict[str, str]:
    return {"BASE_URL": f"{at.url}/api/v1"} | environment.functions_environment(at.url) | running.environment


def main(load: Load = load_handler) -> int:
    """The exit code: 0 after a clean stop, 1 with a sentence on standard error; `load` finds a group's function."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    try:
        serve(address(os.environ), env_file.STATE, stopped, load)
    except (StartError, engine.EngineError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
