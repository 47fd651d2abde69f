"""The session issuer of the benchmark: RS256, its key set on a loopback port, as production has one behind https."""

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
        names = {"JWT_ISSUER": _ISSUER, "JWT_AUDIENCE": _AUDIENCE, "JWT_ALGORITHMS": "RS256", "JWT_SECRET": ""}
        return {**names, "JWKS_URL": f"http://127.0.0.1:{self.port}/"}

    @property
    def key_set(self) -> bytes:
        """The JSON Web Key Set with the public key."""
        public = RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return json.dumps({"keys": [public | {"kid": _KEY_ID, "use": "sig", "alg": "RS256"}]}).encode()

    def session(self, email: str, *, seconds: int = _SESSION_SECONDS, forged: bool = False) -> str:
        """Returns a session of the user with this address for that long; a forged one is signed with another key."""
        now = int(time.time())
        claims = {"iss": _ISSUER, "aud": _AUDIENCE, "sub": email, "email": email, "email_verified": True}
        times = {"iat": min(now, now + seconds - 1), "exp": now + seconds}
        return jwt.encode(claims | times, _new_key() if forged else self._key, "RS256", headers={"kid": _KEY_ID})


@contextmanager
def running() -> Iterator[Issuer]:
    """Serves a new issuer's key set until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        """Answers every GET with the key set."""

        def do_GET(self) -> None:
            """Sends the key set."""
            self.send_response(200)
            self.send_header("content-length", str(len(key_set)))
            self.end_headers()
            self.wfile.write(key_set)

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer = Issuer(server.server_port)
        key_set = issuer.key_set
        threading.Thread(target=server.serve_forever, name="issuer", daemon=True).start()
        yield issuer
        server.shutdown()
