"""The session issuer of the benchmark: RS256, its key set on a loopback port, as production has one behind https."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

_ISSUER, _AUDIENCE, _KEY_ID = "https://issuer.example.com/", "board-governance", "bench-1"
_SESSION_SECONDS = 7200


class Issuer:
    """An issuer with a key of its own."""

    def __init__(self) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        public = RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        self.key_set = json.dumps({"keys": [public | {"kid": _KEY_ID, "use": "sig", "alg": "RS256"}]}).encode()
        self.environment = {
            "JWT_ISSUER": _ISSUER,
            "JWT_AUDIENCE": _AUDIENCE,
            "JWT_ALGORITHMS": "RS256",
            "JWT_SECRET": "",
        }
        """The variables that make a function accept this issuer's sessions and no others."""

    def session(self, email: str) -> str:
        """Returns a session of the user with this address."""
        claims = {"iss": _ISSUER, "aud": _AUDIENCE, "sub": email, "email": email, "email_verified": True}
        times = {"iat": int(time.time()), "exp": int(time.time()) + _SESSION_SECONDS}
        return jwt.encode(claims | times, self._key, "RS256", headers={"kid": _KEY_ID})


@contextmanager
def running() -> Iterator[Issuer]:
    """Serves a new issuer's key set until the block ends."""
    issuer = Issuer()

    class Handler(BaseHTTPRequestHandler):
        """Answers every GET with the key set."""

        def do_GET(self) -> None:
            """Sends the key set."""
            self.send_response(200)
            self.end_headers()
            self.wfile.write(issuer.key_set)

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer.environment["JWKS_URL"] = f"http://127.0.0.1:{server.server_port}/"
        threading.Thread(target=server.serve_forever, name="issuer", daemon=True).start()
        yield issuer
        server.shutdown()
