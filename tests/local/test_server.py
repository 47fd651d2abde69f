"""HTTP/1.1 on a socket: framing, kept-alive connections, many at once, an orderly end."""

import http.client
import socket
import threading
from collections.abc import Iterator

import pytest

from infra.local.event import HttpRequest, HttpResponse
from infra.local.gateway import BODY_LIMIT
from infra.local.server import Server


def echo(request: HttpRequest) -> HttpResponse:
    """Method, target and body, as they came."""
    return HttpResponse(200, [("X-Target", request.target)], request.method.encode() + b" " + request.body)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server("127.0.0.1", 0, echo)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.stop()
    thread.join()


@pytest.fixture
def client(server: Server) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    yield connection
    connection.close()


def raw(server: Server, sent: bytes) -> bytes:
    """All that comes back for these bytes on a connection of their own."""
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=10) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while part := connection.recv(65536):
            received += part
        return received


def test_a_connection_serves_request_after_request(client: http.client.HTTPConnection) -> None:
    for body in (b"one", b"two"):
        client.request("POST", "/a%20b?c=%20", body=body)
        answer = client.getresponse()
        assert (answer.read(), answer.headers["X-Target"]) == (b"POST " + body, "/a%20b?c=%20")
    assert client.sock is not None


def test_a_doubled_slash_is_kept(client: http.client.HTTPConnection) -> None:
    client.request("GET", "//a//b")
    assert client.getresponse().headers["X-Target"] == "//a//b"


def test_a_method_nobody_knows_reaches_the_api(client: http.client.HTTPConnection) -> None:
    client.request("BREW", "/")
    assert client.getresponse().read() == b"BREW "


def test_head_has_headers_only(client: http.client.HTTPConnection) -> None:
    client.request("HEAD", "/")
    answer = client.getresponse()
    assert (answer.headers["Content-Length"], answer.read()) == ("5", b"")


def test_a_chunked_body_is_put_together(client: http.client.HTTPConnection) -> None:
    client.request("POST", "/", body=iter([b"ab", b"c" * 70000]), encode_chunked=True)
    assert client.getresponse().read() == b"POST ab" + b"c" * 70000


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST / HTTP/1.1\r\nContent-Length: -1", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: x", b"400"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip", b"400"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1", b"400"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nnothex", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: %d" % (BODY_LIMIT + 1), b"413"),
        (b"GET http://elsewhere/ HTTP/1.1", b"400"),
        (b"GARBAGE", b"400"),
        (b"GET / HTTP/9.9", b"505"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 70000, b"431"),
    ],
)
def test_what_is_no_http_gets_an_answer_and_the_end(server: Server, head: bytes, status: bytes) -> None:
    answer = raw(server, head + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b'{"message"' in answer


def test_requests_are_served_side_by_side() -> None:
    together = threading.Barrier(32, timeout=10)

    def wait_for_the_others(_: HttpRequest) -> HttpResponse:
        together.wait()
        return HttpResponse(204, [])

    server = Server("127.0.0.1", 0, wait_for_the_others)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    answers: list[bytes] = []
    request = b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"
    clients = [threading.Thread(target=lambda: answers.append(raw(server, request))) for _ in range(32)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    server.stop()
    assert all(answer.startswith(b"HTTP/1.1 204") for answer in answers)
    assert len(answers) == 32


def test_stop_waits_for_a_request_that_is_being_answered() -> None:
    entered, leave = threading.Event(), threading.Event()

    def slow(_: HttpRequest) -> HttpResponse:
        entered.set()
        leave.wait(10)
        return HttpResponse(200, [], b"done")

    server = Server("127.0.0.1", 0, slow)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    answers: list[bytes] = []
    client = threading.Thread(target=lambda: answers.append(raw(server, b"GET / HTTP/1.0\r\n\r\n")))
    client.start()
    assert entered.wait(10)
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    assert stopping.is_alive()
    leave.set()
    stopping.join(10)
    client.join(10)
    assert answers[0].endswith(b"done")
