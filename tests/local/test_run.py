"""`make run`: what it keeps, what it prints when it cannot start, and how it ends."""

import http.client
import json
import shutil
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from governance.errors import ApiError, Code
from governance.sealing import sealer
from infra.local import environment
from infra.local.mail import Outbox
from infra.local.run import Address, StartError, begin_log, parse_address, running_engine
from infra.operator.demo import demo_text
from infra.stack import env_file
from tests.harness.local_run import Run
from tests.local.conftest import Starter


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1", "80.5", "\N{FULLWIDTH DIGIT EIGHT}"])
def test_an_invalid_port_is_refused(port: str) -> None:
    with pytest.raises(StartError, match="PORT is"):
        parse_address({"PORT": port})


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"PORT": "81", "HOST": ""}, "http://127.0.0.1:81"),
        ({"HOST": "0.0.0.0", "JWT_SECRET": "of my own"}, "http://localhost:8000"),  # noqa: S104
        ({"HOST": "::1"}, "http://[::1]:8000"),
    ],
)
def test_an_address_has_the_url_under_which_this_machine_reaches_it(given: dict[str, str], url: str) -> None:
    assert parse_address(given).url == url


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "board.example.com"])  # noqa: S104
@pytest.mark.parametrize("secret", [{}, {"JWT_SECRET": ""}, {"JWT_SECRET": environment.JWT_SECRET}])
def test_a_host_that_other_machines_reach_needs_a_secret_of_its_own(host: str, secret: dict[str, str]) -> None:
    with pytest.raises(StartError, match="set JWT_SECRET"):
        parse_address({"HOST": host, **secret})
    assert parse_address({"HOST": host, "JWT_SECRET": "of my own"}).host == host


def call(run: Run, path: str, token: str, body: Any = None) -> Any:
    """Returns the JSON of the running service's response."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{run.port}{path}",
        None if body is None else json.dumps(body).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return json.load(answer)


def session(state: Path) -> str:
    """Returns the session of a demo user."""
    token = json.loads((state / "demo.json").read_text())["users"][0]["session"]
    assert isinstance(token, str)
    return token


@pytest.mark.slow
@pytest.mark.usefixtures("seeded")
def test_data_survive_a_restart_however_the_run_ended(run: Starter, state: Path) -> None:
    token = session(state)
    running = run()
    for end, code in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)):
        made = call(running, "/api/v1/boards", token, {"name": "Kept"})["data"]
        assert running.end(end) == code
        running = run()
        assert call(running, f"/api/v1/boards/{made['id']}", token)["data"] == made
        assert session(state) == token


@pytest.mark.slow
def test_the_start_ends_with_four_lines_and_the_example_call_works(run: Starter, state: Path) -> None:
    running = run()
    assert f"http://127.0.0.1:{running.port}/docs" in running.output
    assert running.output.rstrip().count("\n") == 3
    demo = json.loads((state / "demo.json").read_text())
    said = demo_text(f"http://127.0.0.1:{running.port}", demo)
    assert "curl -H 'Authorization: Bearer " in said
    token = said.partition("-H 'Authorization: Bearer ")[2].partition("'")[0]
    assert call(running, "/api/v1/boards", token)["data"]
    assert (state / "env").read_text().count("TABLE_NAME=") == 1
    assert env_file.read(state / "secrets").items() <= env_file.read(state / "env").items()
    assert running.end(signal.SIGINT) == 0
    assert "Traceback" not in running.output


@pytest.mark.slow
def test_a_taken_port_is_reported(run: Starter) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        failed = run(PORT=str(port))
    assert failed.process.wait(60) == 1
    assert failed.output.startswith(f"Port {port} is taken;")
    assert failed.output.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("seeded")
def test_a_run_answers_to_its_own_name_alone_and_a_second_one_with_its_data_is_refused(run: Starter) -> None:
    first = run()
    for path in ("/api/v1/whoami", "/docs", "/api/ontology", "/_local/mail"):
        connection = http.client.HTTPConnection("127.0.0.1", first.port)
        connection.request("GET", path, headers={"Host": "rebound.example.com"})
        assert connection.getresponse().status == 421
        connection.close()
    second = run()
    assert second.process.wait(60) == 1
    assert second.output.startswith("Another `make run` is using")
    assert first.process.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"ENGINE": "oracle"}, "ENGINE is 'oracle'"),
        ({"ENGINE_PORT": "none"}, "ENGINE_PORT is 'none'"),
        ({"ENGINE": "dynamodb-local", "PATH": "/nowhere"}, "needs Java 17"),
    ],
)
def test_an_engine_that_cannot_start_is_reported(run: Starter, environment: dict[str, str], said: str) -> None:
    failed = run(**environment)
    assert failed.process.wait(60) == 1
    assert said in failed.output
    assert failed.output.count("\n") == 1


_STATUS_ONLY = "curl() { command curl -s -o /dev/null -w '%{http_code}\\n' \"$@\"; }\n"


@pytest.mark.slow
@pytest.mark.usefixtures("seeded")
def test_every_curl_command_that_the_demo_prints_works_in_order(run: Starter, state: Path) -> None:
    running = run()
    demo = json.loads((state / "demo.json").read_text())
    said = demo_text(f"http://127.0.0.1:{running.port}", demo)
    commands = said.partition("Decide on the date of a meeting:\n")[2].partition("\nConnect an agent")[0]
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", _STATUS_ONLY + commands], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == ["200"] * 5 + ["409"] + ["200"] * 4


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (sealer.LogStoppedError("the reason"), "the reason"),
        (OSError("the reason"), "the reason"),
        (ApiError(Code.SERVICE_UNAVAILABLE), "a file of it cannot be read"),
    ],
)
def test_the_log_goes_on_or_the_start_says_why_not_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, why: str
) -> None:
    def stop() -> None:
        raise error

    begun: list[str] = []
    monkeypatch.setattr(sealer, "resume", lambda: begun.append("resume"))
    monkeypatch.setattr(sealer, "start", lambda: begun.append("start"))
    assert (begin_log(), begun, capsys.readouterr().out) == (True, ["resume", "start"], "")
    monkeypatch.setattr(sealer, "resume", stop)
    assert (begin_log(), len(begun)) == (False, 2)
    said = capsys.readouterr().out
    assert said.startswith(f"The log cannot go on: {why}. The service runs without it")
    assert "`boardctl log verify`" in said
    assert "`make reset`" in said


@pytest.mark.slow
def test_a_start_that_was_killed_while_it_seeded_is_begun_anew_and_data_of_people_are_not(
    run: Starter, state: Path
) -> None:
    first = run()
    token = session(state)
    call(first, "/api/v1/boards", token, {"name": "Kept"})
    assert first.end() == 0
    demo = (state / "demo.json").read_text()
    for left, names in (("{", {"Kept"}), ("", set())):
        (state / "demo.json").write_text(left)
        again = run()
        assert again.output.rstrip().count("\n") == 3
        assert {board["name"] for board in call(again, "/api/v1/boards", token)["data"]} & {"Kept"} == names
        assert again.end() == 0
    assert json.loads((state / "demo.json").read_text()).keys() == json.loads(demo).keys()


def test_damaged_secrets_are_said(tmp_path: Path) -> None:
    (tmp_path / "secrets").write_text("CURSOR_SECRET='abc")
    starting = running_engine(Address("127.0.0.1", 1), tmp_path, Outbox(tmp_path / "outbox"))
    with pytest.raises(StartError, match="secrets is damaged"), starting:
        pass
    assert (tmp_path / "secrets").read_text() == "CURSOR_SECRET='abc"


@pytest.mark.slow
@pytest.mark.usefixtures("seeded")
def test_the_service_starts_without_a_log_that_another_key_signed(run: Starter) -> None:
    first = run()
    assert "The log cannot go on" not in first.output
    assert first.end() == 0
    started = run(LOG_SIGNING_KEY="A" * 43)
    assert "The log cannot go on: " in started.output
    with urllib.request.urlopen(f"http://127.0.0.1:{started.port}/docs", timeout=30) as answer:
        assert answer.status == 200
    assert started.end() == 0
