"""`make run`: runs the whole service locally until Ctrl-C.

If it cannot start, it prints one sentence that says why and exits with a non-zero code.
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
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import boto3
from botocore.config import Config

from governance.errors import ApiError
from governance.store.client import connections
from infra import avatars
from infra.local import app_pages, engine, environment, tables
from infra.local.catalog_limit import CatalogLimit
from infra.local.gateway import Gateway, LoadHandler, load_handler
from infra.local.hosts import LOCALHOST, is_loopback, only_for, refusal_for
from infra.local.invocations import Invocations
from infra.local.live_gateway import LiveGateway
from infra.local.mail import PAGE_PATH as MAIL_PAGE
from infra.local.mail import Outbox
from infra.local.mail_reports import ReportQueue
from infra.local.pollers import invoke_later, pollers
from infra.local.queues import create_queues, queue_variables
from infra.local.server import Server, bind
from infra.local.service import service
from infra.local.static_site import StaticSite
from infra.stack import env_file
from infra.stack.template import Template

_WATCH_SECONDS = 1.0
_PATIENCE_SECONDS = 30.0
"""How long the engine may take for an answer: it shares a machine with whatever else runs there."""
_SEALER = "sealer"
_WITHOUT_LOG = (
    "The log cannot go on: {reason}. The service runs without it, and entries wait to be logged. "
    "`boardctl log verify` says what does not hold; `make reset` deletes the data and begins a new log."
)
_ONCE = Config(retries={"total_max_attempts": 1}, max_pool_connections=64)


class StartError(Exception):
    """The service cannot start. The message says why and how to fix it."""


@dataclass(frozen=True)
class Address:
    """Where the service listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The root URL."""
        name = "localhost" if self.host in {"0.0.0.0", "::"} else self.host  # noqa: S104 - the user asked for it
        return f"http://[{name}]:{self.port}" if ":" in name else f"http://{name}:{self.port}"

    @property
    def origins(self) -> list[str]:
        """The origins of the pages, which are served under the name of this machine too."""
        return list(dict.fromkeys((self.url, f"http://{LOCALHOST}:{self.port}")))


def parse_address(given: Mapping[str, str]) -> Address:
    """Returns the address that HOST and PORT name.

    Raises `StartError` if PORT is not a port, or if other machines could reach HOST while sessions are signed with the
    secret that everybody knows.
    """
    port = given.get("PORT", "") or "8000"
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise StartError(f"PORT is {port!r}, but it must be a number from 1 to 65535.")
    host = given.get("HOST", "") or "127.0.0.1"
    if not is_loopback(host) and given.get("JWT_SECRET", "") in {"", environment.JWT_SECRET}:
        raise StartError(f"HOST={host} lets other machines call the service; set JWT_SECRET to a secret of your own.")
    return Address(host, int(port))


@contextmanager
def exclusive_lock(state: Path) -> Iterator[None]:
    """Locks the folder for this process. The operating system releases the lock however the process ends."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        lock: IO[str] = (state / env_file.LOCK).open("w")
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
            raise StartError(f"Port {at.port} is taken; free it or use another: PORT={at.port + 1}.") from None
        raise StartError(f"Cannot listen on {at.host}:{at.port}: {error.strerror or error}.") from None


def create_resources(template: Template, names: Mapping[str, str], state: Path) -> bool:
    """Creates the table, the buckets and the key of the template if they are absent.

    A table of our own whose first start was killed before it had all demo data is made anew: nobody has used it.

    Returns whether the table is new. Raises `StartError` if it exists with other keys.
    """
    try:
        if env_file.is_seeding(state) and os.environ.get("ENGINE", "") != engine.ENDPOINT:
            tables.delete_table(names["TABLE_NAME"])
        created = tables.create_table(template, names["TABLE_NAME"], lambda: env_file.begin_seeding(state))
        tables.create_key(names["WEBHOOK_KEY_ID"])
        tables.create_bucket(names["PAPERS_BUCKET"])
        if tables.create_bucket(names["BUCKET_NAME"]):
            avatars.publish(boto3.client("s3"), names["BUCKET_NAME"])
    except tables.TableMismatch:
        raise StartError("The data in .local have an older table layout; delete them with `make reset`.") from None
    return created


def seed_demo(state: Path, *, created: bool) -> None:
    """Seeds a new table with the demo data; `.local/demo.json` keeps their ids and credentials."""
    from governance.settings import settings  # the environment is complete only from here on
    from infra.local import demo

    if created:
        env_file.replace(state / env_file.DEMO, json.dumps(demo.seed(settings()), indent=2))


def begin_log() -> bool:
    """Begins the log, or takes it up from what is published, where the engine lost the last seconds of the table.

    Returns whether it goes on. If the published log is not ours, or files of it are damaged or lost, it says what to
    do: the service does without.
    """
    from governance.sealing import sealer

    try:
        sealer.resume()
        sealer.start()
    except Exception as error:  # noqa: BLE001 - whatever became of its files, the service does not need them
        reason = "a file of it cannot be read" if isinstance(error, ApiError) else error
        print(_WITHOUT_LOG.format(reason=reason), flush=True)
        return False
    return True


def startup_message(at: Address) -> str:
    """Returns the four lines that are printed once the service accepts requests."""
    return "\n".join(
        [
            f"Board Governance Service  {at.url}  (Ctrl-C stops it; `boardctl demo` prints more to try)",
            f"Sign in with one click    {at.url}/app/sign-in",
            f"Mails that were sent      {at.url}{MAIL_PAGE}",
            f"Documentation             {at.url}/docs",
        ]
    )


@contextmanager
def running_engine(at: Address, state: Path, outbox: Outbox) -> Iterator[engine.Engine]:
    """Runs the engine, and completes the environment for functions that use it and mail to the outbox."""
    given = _kept_secrets(state / "secrets") | os.environ
    files = environment.functions_environment(at.url, given)
    connections.READ_SECONDS = _PATIENCE_SECONDS
    running = engine.start(os.environ.get("ENGINE", "") or engine.MINISTACK, state, at.origins, files)
    try:
        for sentence in running.report:
            print(sentence, flush=True)
        places = {"AWS_ENDPOINT_URL_SESV2": f"{at.url}{outbox.service_path}"}
        places["DOWNLOADS_ORIGIN"] = running.environment.get("AWS_ENDPOINT_URL", "")
        os.environ.update(files | running.environment | places)
        outbox.capture()
        yield running
    finally:
        running.stop()


def _kept_secrets(file: Path) -> dict[str, str]:
    try:
        return environment.kept_secrets(file)
    except ValueError:
        raise StartError(
            f"{file} is damaged. Put a copy of it back, or delete it: then links that were sent, and the log, end."
        ) from None


def open_channel(at: Address, template: Template, load: LoadHandler) -> tuple[LiveGateway, Invocations]:
    """Returns the live channel and what rings its clients, and gives the functions their addresses."""
    live = LiveGateway(invoke_later(template, "live", load), origin_secret=_origin_secret(), check=refusal_for(at.host))
    invocations = Invocations({"ringer": invoke_later(template, "ringer", load)})
    if (session := boto3.DEFAULT_SESSION) is not None:
        live.capture(session)
        invocations.capture(session)
    os.environ["LIVE_ENDPOINT"] = f"{at.url}{live.management_path}"
    os.environ["AWS_ENDPOINT_URL_LAMBDA"] = f"{at.url}{invocations.path}"
    return live, invocations


def _origin_secret() -> str:
    return os.environ["ORIGIN_SECRETS"].partition(",")[0]


def serve(at: Address, state: Path, stopped: threading.Event, load: LoadHandler) -> None:
    """Starts everything, prints where it is, waits until `stopped` is set, and stops everything in reverse order.

    Raises `StartError` or `EngineError`.
    """
    with ExitStack() as stack:
        stack.enter_context(exclusive_lock(state))
        listener = stack.enter_context(listen(at))
        outbox, template = Outbox(state / "outbox"), Template()
        running = stack.enter_context(running_engine(at, state, outbox))
        created = create_resources(template, os.environ, state)
        queues = create_queues(template, os.environ["TABLE_NAME"])
        os.environ.update(queue_variables(template, queues))
        outbox.reports = ReportQueue(queues["MailFeedback"])
        live, invocations = open_channel(at, template, load)
        stack.callback(invocations.stop)
        site = StaticSite(boto3.client("s3", config=_ONCE), os.environ["BUCKET_NAME"], os.environ["ROOT_URL"])
        seed_demo(state, created=created)
        without = () if begin_log() else (_SEALER,)
        env_file.write(state / "env", _shell_environment(at, running))
        env_file.note_service(state)
        started = pollers(template, queues, state, load, without)
        together = stack.enter_context(ThreadPoolExecutor(len(started)))  # for each may wait a second for its queue
        for poller in started:
            poller.start()
            stack.callback(together.submit, poller.stop)
        handle = service(
            Gateway(template, load).handle,
            site.read,
            origin_secret=_origin_secret(),
            firewall=CatalogLimit(int(os.environ["RATE_LIMIT_CATALOG"])).respond,
            local=lambda request: (
                live.manage(request) or invocations.take(request) or outbox.page(request) or app_pages.page(request)
            ),
        )
        stack.enter_context(Server(listener, only_for(at.host, handle), live))
        print(startup_message(at), flush=True)
        while not stopped.wait(_WATCH_SECONDS):
            running.check()


def _shell_environment(at: Address, running: engine.Engine) -> dict[str, str]:
    return {"BASE_URL": f"{at.url}/api/v1"} | environment.functions_environment(at.url) | running.environment


def main(load: LoadHandler = load_handler) -> int:
    """Runs the service and returns the exit code: 0 after a clean stop, 1 if it could not start or its engine died.

    `load` returns the function of a group.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    try:
        serve(parse_address(os.environ), env_file.STATE, stopped, load)
    except (StartError, engine.EngineError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The data in {env_file.STATE} cannot be used: {error}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
