"""HTTP/1.1 on a socket: framing, limits, persistent connections, concurrency and a graceful stop."""

import http.client
import socket
import threading
from collections.abc import Iterator

import pytest

from infra.local.event import HttpRequest, HttpResponse
from infra.local.gateway import BODY_LIMIT
from infra.local.server import HEADER_LIMIT, Server, bind

POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


def echo(request: HttpRequest) -> HttpResponse:
    """Returns method, target and body of the request."""
    return HttpResponse(200, [("X-Target", request.target)], request.method.encode() + b" " + request.body)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(bind("127.0.0.1", 0), echo) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    yield connection
    connection.close()


def raw(server: Server, sent: bytes) -> bytes:
    """Returns all that the server sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(sent)
        return rest(connection)


def rest(connection: socket.socket) -> bytes:
    """Returns what arrives on a connection until its end."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_connection_serves_request_after_request(client: http.client.HTTPConnection) -> None:
    for body in (b"one", b"two"):
        client.request("POST", "/a%20b?c=%20", body=body)
        response = client.getresponse()
        assert (response.read(), response.headers["X-Target"]) == (b"POST " + body, "/a%20b?c=%20")
    assert client.sock is not None


def test_a_chunked_body_arrives_whole(client: http.client.HTTPConnection) -> None:
    client.request("POST", "/", body=iter([b"ab", b"c" * 70000]), encode_chunked=True)
    assert client.getresponse().read() == b"POST ab" + b"c" * 70000


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (POST + b"Content-Length: -1", b"400"),
        (POST + b"Content-Length: x", b"400"),
        (POST + b"Transfer-Encoding: gzip", b"400"),
        (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 1", b"400"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nnothex", b"400"),
        (POST + b"Content-Length: %d" % (BODY_LIMIT + 1), b"413"),
        (b"GET http://elsewhere/ HTTP/1.1\r\nHost: localhost", b"400"),
        (b"GET / HTTP/1.1", b"400"),
        (b"GARBAGE", b"400"),
        (b"GET / HTTP/9.9\r\nHost: localhost", b"505"),
        (POST + b"X: " + b"y" * HEADER_LIMIT, b"431"),
    ],
)
def test_a_request_that_cannot_be_served_gets_an_error_and_the_connection_is_closed(
    server: Server, head: bytes, status: bytes
) -> None:
    response = raw(server, head + b"\r\n\r\n")
    assert response.startswith(b"HTTP/1.1 " + status)
    assert b"connection: close" in response.lower()
    assert b'{"message"' in response


def test_a_client_that_waits_for_100_continue_gets_it(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(POST + b"Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"ok")
        assert rest(connection).endswith(b"POST ok")


def test_an_incomplete_request_reaches_no_function() -> None:
    requests: list[HttpRequest] = []

    def record(request: HttpRequest) -> HttpResponse:
        requests.append(request)
        return HttpResponse(204, [])

    with (
        Server(bind("127.0.0.1", 0), record) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection,
    ):
        connection.sendall(POST + b"Content-Length: 5\r\n\r\nab")
        connection.shutdown(socket.SHUT_WR)
        assert rest(connection) == b""
    assert requests == []


def test_stop_waits_for_running_requests() -> None:
    entered, leave = threading.Event(), threading.Event()

    def slow(_: HttpRequest) -> HttpResponse:
        entered.set()
        leave.wait(60)
        return HttpResponse(200, [], b"done")

    server = Server(bind("127.0.0.1", 0), slow)
    server.start()
    responses: list[bytes] = []
    client = threading.Thread(target=lambda: responses.append(raw(server, b"GET / HTTP/1.0\r\n\r\n")))
    client.start()
    assert entered.wait(60)
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    assert stopping.is_alive()
    leave.set()
    stopping.join(60)
    client.join(60)
    assert responses[0].endswith(b"done")


def test_head_has_headers_only(client: http.client.HTTPConnection) -> None:
    client.request("HEAD", "/")
    response = client.getresponse()
    assert (response.headers["Content-Length"], response.read()) == ("5", b"")


def test_a_chunked_body_over_the_limit_is_refused(server: Server) -> None:
    chunk = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
    response = raw(server, POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 10 + b"1\r\nx\r\n0\r\n\r\n")
    assert response.startswith(b"HTTP/1.1 413")
