"""The session issuer of the benchmark: an RSA key pair, its public key set on a loopback port, and signed sessions.

Production is configured the same way: `JwtIssuer`, `JwtAudience` and `JwksUrl`, with RS256 as the only algorithm.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

KEY_SET_URL = "http://127.0.0.1:{port}/.well-known/jwks.json"
_ISSUER, _AUDIENCE, _KEY_ID = "https://issuer.example.com/", "board-governance", "bench-1"
_SESSION_SECONDS = 7200


def _new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass(frozen=True)
class Issuer:
    """An issuer whose key set is served on a port."""

    port: int
    _key: rsa.RSAPrivateKey = field(default_factory=_new_key, repr=False)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that make a function accept this issuer's sessions and no others."""
        return {
            "JWT_ISSUER": _ISSUER,
            "JWT_AUDIENCE": _AUDIENCE,
            "JWT_ALGORITHMS": "RS256",
            "JWT_SECRET": "",
            "JWKS_URL": KEY_SET_URL.format(port=self.port),
        }

    @property
    def key_set(self) -> bytes:
        """The JSON Web Key Set with the public key."""
        public = RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return json.dumps({"keys": [public | {"kid": _KEY_ID, "use": "sig", "alg": "RS256"}]}).encode()

    def session(self, email: str, *, seconds: int = _SESSION_SECONDS, audience: str = _AUDIENCE) -> str:
        """Returns a session for the user with this address that expires in that many seconds."""
        return self._signed(self._key, email, seconds, audience)

    def forged_session(self, email: str) -> str:
        """Returns a session that names this issuer's key and is signed with another."""
        return self._signed(_new_key(), email, _SESSION_SECONDS, _AUDIENCE)

    @staticmethod
    def _signed(key: rsa.RSAPrivateKey, email: str, seconds: int, audience: str) -> str:
        now = int(time.time())
        claims = {"iss": _ISSUER, "aud": audience, "sub": email, "email": email, "email_verified": True}
        times = {"iat": min(now, now + seconds - 1), "exp": now + seconds}
        return jwt.encode(claims | times, key, "RS256", headers={"kid": _KEY_ID})


@contextmanager
def running() -> Iterator[Issuer]:
    """Serves a new issuer's key set until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    issuer = Issuer(server.server_port)
    key_set = issuer.key_set

    class Handler(BaseHTTPRequestHandler):
        """Answers every GET with the key set."""

        def do_GET(self) -> None:
            """Sends the key set."""
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(key_set)))
            self.end_headers()
            self.wfile.write(key_set)

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    server.RequestHandlerClass = Handler
    thread = threading.Thread(target=server.serve_forever, name="issuer", daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
