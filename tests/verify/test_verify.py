"""`make verify`: it passes against `make run`, and a check fails where its sentence is not true."""

from __future__ import annotations

import copy
import json
import os
import signal
import socket
import threading
from collections.abc import Callable

import pytest

from infra.cdn import distribution
from infra.cdn.embed import TEMPLATE
from infra.local.edge import Edge
from infra.local.event import HttpRequest, HttpResponse
from infra.local.server import Server, bind
from infra.stack.template import Template
from infra.verify import api as api_checks
from infra.verify import pages
from infra.verify.__main__ import main
from infra.verify.checks import CHECKS
from infra.verify.site import Failed, Site, Skipped
from tests.harness import local_run

_UNAUTHENTICATED = json.dumps({"error": {"code": "UNAUTHENTICATED"}}).encode()
_FAILING = "/api/v1/failing"
_STATUS = {"/api/v1/whoami": 401, "/api/v1/access/evaluation": 405}


def api(request: HttpRequest) -> HttpResponse:
    """Refuses everything, with a 404 where nothing else is said; fails where that is the path."""
    if request.path == _FAILING:
        return HttpResponse(503, [], b"{}")
    return HttpResponse(_STATUS.get(request.path, 404), [], _UNAUTHENTICATED)


def checked(check: Callable[[Site], None], handle: Callable[[HttpRequest], HttpResponse]) -> None:
    """Runs a check against a handler behind a port."""
    with Server(bind("127.0.0.1", 0), handle) as server:
        check(Site(f"http://127.0.0.1:{server.port}"))


def edge(*, keeps_errors: bool) -> Edge:
    """Returns the CDN's model in front of an API that refuses everything."""
    template = Template(TEMPLATE)
    template.document = copy.deepcopy(template.document)
    config = template.document["Resources"]["Distribution"]["Properties"]["DistributionConfig"]
    if keeps_errors:
        del config["CustomErrorResponses"]
    return Edge(
        distribution.read({"OidcOrigins": "", "PapersOrigin": "", "DownloadsOrigin": ""}, template),
        {"api": api},
        lambda _: None,
        origin_secret="s",
    )


def test_errors_that_the_cdn_keeps_are_found() -> None:
    checked(api_checks._errors, edge(keeps_errors=False).handle)
    with pytest.raises(Failed, match="age"):
        checked(api_checks._errors, edge(keeps_errors=True).handle)


def test_a_failure_that_the_cdn_keeps_is_found() -> None:
    def check(site: Site) -> None:
        assert site.call(_FAILING).status == 503
        api_checks._server_errors(site)

    checked(check, edge(keeps_errors=False).handle)
    with pytest.raises(Failed, match="is kept"):
        checked(check, edge(keeps_errors=True).handle)


def test_without_a_failure_nothing_is_said_about_failures() -> None:
    with pytest.raises(Skipped, match="none of these checks"):
        checked(api_checks._server_errors, api)


def test_a_body_that_reaches_the_api_is_found() -> None:
    checked(api_checks._get_with_body, edge(keeps_errors=False).handle)
    with pytest.raises(Failed, match="the status is 401"):
        checked(api_checks._get_with_body, api)


def test_a_provider_of_sign_ins_that_is_not_configured_is_found() -> None:
    nobody = HttpResponse(200, [], json.dumps({"oidc": None, "demo": []}).encode())
    with pytest.raises(Failed, match="no provider"):
        checked(pages._sign_in, lambda _: nobody)


@pytest.mark.parametrize(
    "arguments", [[], ["example.com"], ["ftp://example.com"], ["https://"], ["http://a:b"], ["http://a:99999"]]
)
def test_without_an_address_it_says_what_it_needs(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "URL" in capsys.readouterr().err


def test_a_service_that_does_not_answer_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """Not one for each check. Something else than HTTP is not an answer either."""

    def greet(server: socket.socket) -> None:
        with server.accept()[0] as connection:
            connection.sendall(b"220 mail\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        greeting = threading.Thread(target=greet, args=[server])
        greeting.start()
        assert main([f"http://127.0.0.1:{port}"]) == 1
        greeting.join()
    assert main([f"http://127.0.0.1:{port}"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    answers = [line.partition(f"http://127.0.0.1:{port} does not answer: ") for line in said.err.splitlines()]
    assert [before for before, _, _ in answers] == ["Nothing was checked: "] * 2


@pytest.mark.slow
def test_make_run_is_verified(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = local_run.start_seeded(tmp_path_factory, WEBHOOK_ALLOW_LOOPBACK="1")
    try:
        user = json.loads((run.state / "demo.json").read_text())["users"][0]
        monkeypatch.setenv("TOKEN", user["session"])
        url = f"http://127.0.0.1:{run.port}"
        code = main([url])
        (engine,) = json.loads((run.state / "engine.json").read_text())["pids"]
        _fail_without_a_store(Site(url, user["session"]), engine)
    finally:
        local_run.stop(run)
    lines = capsys.readouterr().out.splitlines()
    assert code == 0, "\n".join(lines)
    skipped = [line for line in lines if line.startswith("skipped")]
    assert len(skipped) == 4
    assert len(lines) == len(CHECKS) + 1


def _fail_without_a_store(site: Site, engine: int) -> None:
    """Lets a request fail while the store's process stands still, and checks that this failure is not kept."""
    os.kill(engine, signal.SIGSTOP)
    try:
        assert site.as_user("/api/v1/boards").status == 503
    finally:
        os.kill(engine, signal.SIGCONT)
    api_checks._server_errors(site)
